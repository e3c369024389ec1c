"""Evaluation functions generated from the rules of a game: what there is to judge by, weighted by what random games show.

After Clune, "Heuristic evaluation functions for general game playing" (2007): features that the rules give rise to (payoff: goals
in degrees; control: legal moves; and pieces) count by how well they tell the end of a game, and by how stable they are: a feature
that changes as much from one state to the next as between any two says little about what is to come. What is believed before any
game is played (goals and pieces are good, choices a little) counts as much as a few games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np

from ludarium.core import Game, Rng, State, UnsupportedGame
from ludarium.core.parameters import check, number
from ludarium.evaluate.degrees import size_of
from ludarium.evaluate.judge import Judge, values
from ludarium.evaluate.sample import Numbers, Sample, sample
from ludarium.evaluate.sheet import sheet
from ludarium.evaluate.sums import Auto, Sum
from ludarium.evaluate.terms import AdvancedMobility, Goals, Material, Mobility, Term
from ludarium.kernel import bridge

_CANDIDATES: tuple[tuple[Any, float], ...] = (
    (Goals(), 0.3),
    (Material(), 0.3),
    (Mobility(), 0.0),
    (AdvancedMobility(), 0.1),
)
"""What there may be to judge by, and how well it is believed to tell the end of a game, as a correlation."""

_BELIEF = 20  # games that the belief counts as much as
_LARGEST = 100_000  # bytes of formulas: larger ones take longer to judge a state by than to search some more
_SLIGHT = 0.1  # of the greatest weight: less is not worth its time

_known: WeakKeyDictionary[Game, dict[Generated, Sum]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Generated:
    """A sum of terms whose weights are found by random games."""

    name: ClassVar[str] = "generated"

    games: int = number(200, 1, 1_000_000)
    """How many random games are played to find the weights."""

    states: int = number(4_000, 1, 10_000_000)
    """How many states of them are looked at, at most."""

    seed: int = number(0, 0, 2**64 - 1)
    """What the random games are drawn from."""

    def __post_init__(self) -> None:
        check(self)

    def judge(self, game: Game) -> Judge:
        """Make it ready for a game."""
        return self.chosen(game).judge(game)

    def chosen(self, game: Game) -> Sum:
        """The sum that was found for a game."""
        known = _known.setdefault(game, {})
        if self not in known:
            known[self] = _generate(game, self)
        return known[self]

    def values(self, game: Game, states: Sequence[State], rng: Rng) -> Sequence[tuple[float, ...]]:
        """Judge states."""
        return values(self.judge(game), game, states, rng)


def _generate(game: Game, wanted: Generated) -> Sum:
    terms: list[Any] = []
    kinds, beliefs = [], []
    for term, belief in _CANDIDATES:
        try:
            kind = term.feature(game)
        except UnsupportedGame:
            continue
        if size_of(kind.formulas) <= _LARGEST:
            terms.append(term)
            kinds.append(kind)
            beliefs.append(belief)
    roles = len(game.roles)
    looked_at = sheet(bridge(game).table, kinds, [0.0] * roles * (1 + len(kinds) * roles))
    seen = sample(game, looked_at, Rng.keyed(wanted.seed, "generate"), games=wanted.games, states=wanted.states)
    weights = _weights(seen, roles, beliefs)
    least = _SLIGHT * max(map(abs, weights), default=0.0)
    spreads = np.sqrt(np.mean(_apart(seen, roles) ** 2, axis=(0, 2))) if len(seen.features) else np.zeros(len(terms))
    found: tuple[Term, ...] = tuple(
        replace(term, weight=_rounded(weight / spread))
        for term, weight, spread in zip(terms, weights, spreads, strict=True)
        if abs(weight) > least and spread > 1e-9
    )
    return Sum(found) if found else Auto().chosen(game)


def _apart(seen: Sample, roles: int) -> Numbers:
    """Per state, feature and role: its own less the average of the others'."""
    each = seen.features.reshape(len(seen.features), -1, roles)
    if roles == 1:
        return each
    others = (each.sum(axis=2, keepdims=True) - each) / (roles - 1)
    return np.asarray(each - others)


def _weights(seen: Sample, roles: int, beliefs: Sequence[float]) -> list[float]:
    """What features count, in units of their spread: all roles are judged alike, so their states are put together."""
    apart = _apart(seen, roles)
    ends = seen.utilities - seen.utilities.mean()
    games = len(seen.lengths)
    weights = []
    for each, belief in zip(apart.transpose(1, 0, 2), beliefs, strict=True):
        told = (games * _correlation(each, ends) + _BELIEF * belief) / (games + _BELIEF)
        weights.append(told * _stability(each, seen.lengths))
    return weights


def _correlation(feature: Numbers, ends: Numbers) -> float:
    """From -1 to 1: how well a feature tells how a game ends."""
    centred = feature - feature.mean()
    size = float(np.sqrt(np.sum(centred**2) * np.sum(ends**2)))
    return float(np.sum(centred * ends)) / size if size > 1e-9 else 0.0


def _stability(feature: Numbers, lengths: Sequence[int]) -> float:
    """From 0 to 1: 1 if it hardly changes from one state to the next, 0 if it does so as much as between any two states."""
    steps = np.diff(feature, axis=0)
    borders = np.cumsum(lengths)[:-1] - 1  # from the end of a game to the beginning of the next
    steps = np.delete(steps, [k for k in borders if 0 <= k < len(steps)], axis=0)
    overall = float(np.mean(np.var(feature, axis=0)))
    between = float(np.mean(steps**2)) / 2.0 if len(steps) else 0.0
    return max(0.0, (overall - between) / (overall + between)) if overall > 1e-12 else 0.0


def _rounded(weight: float) -> float:
    """Three digits: more would only pretend to be known."""
    return float(f"{weight:.3g}")
