"""Sums of terms: own minus the average opponent, scaled by what random games show, squashed by tanh.

As in Ludii, for two players; for more, Ludii subtracts all opponents, by which a balanced state would be bad for everybody. In
Ludii the sum itself goes into tanh, which hardly tells apart what is a few pieces ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ludarium.core import Game, Rng, State
from ludarium.evaluate.judge import Judge, values
from ludarium.evaluate.layout import GOALS, SAFE
from ludarium.evaluate.own import Own, ways
from ludarium.evaluate.sample import sample
from ludarium.evaluate.score import score, scoring
from ludarium.evaluate.sheet import Feature, sheet
from ludarium.evaluate.terms import Goals, Material, Mobility, Term, pieces_of
from ludarium.kernel import bridge

_GAMES, _STATES = 8, 256
_LEAST = 0.25  # of a piece or a move: what differs less in random games may still differ by one some day
_CLOCK = (
    0.6  # pieces: a difference that varies less, as it does if everybody adds one in turn, only tells whose turn it is
)
_SPREAD = 2.0  # what differs as much as random states do on average is half a unit for tanh

_scales: WeakKeyDictionary[Game, dict[tuple[Term, ...], float]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Sum:
    """Terms, each with its weight."""

    terms: tuple[Term, ...]

    @property
    def name(self) -> str:
        """As `evaluator` reads it."""
        return " + ".join(map(spell_term, self.terms))

    @property
    def spec(self) -> str:
        """As `evaluator` reads it: terms are no parameters that could stand in brackets."""
        return self.name

    def judge(self, game: Game) -> Judge:
        """Make it ready for a game."""
        kinds = [term.feature(game) for term in self.terms]
        scales = _scales.setdefault(game, {})
        if self.terms not in scales:
            scales[self.terms] = self._scale(game, kinds)
        looked_at = sheet(bridge(game).table, kinds, self._weights(len(game.roles), scales[self.terms]))
        calls = sum(kind.looks * (len(game.roles) if kind.kind == SAFE else 1) for kind in kinds)
        return Judge(score, looked_at, calls, scoring)

    def values(self, game: Game, states: Sequence[State], rng: Rng) -> Sequence[tuple[float, ...]]:
        """Judge states."""
        return values(self.judge(game), game, states, rng)

    def _weights(self, roles: int, scale: float) -> list[float]:
        """Per role: no constant, then own features as they are, less the average of the others'."""
        weights, share = [], -1.0 / max(1, roles - 1)
        for role in range(roles):
            weights.append(0.0)
            for term in self.terms:
                weights += [scale * term.weight * (1.0 if other == role else share) for other in range(roles)]
        return weights

    def _scale(self, game: Game, kinds: Sequence[Feature]) -> float:
        roles = len(game.roles)
        plain = self._weights(roles, 1.0)
        looked_at = sheet(bridge(game).table, kinds, plain)
        seen = sample(game, looked_at, Rng.keyed(0, "scale"), games=_GAMES, states=_STATES).features
        matrix = np.array(plain).reshape(roles, -1)[:, 1:]
        spread = float(np.sqrt(np.mean((seen @ matrix.T) ** 2))) if len(seen) else 0.0
        counted = [abs(term.weight) for term, kind in zip(self.terms, kinds, strict=True) if kind.kind != GOALS]
        return 1.0 / (_SPREAD * max(spread, _LEAST * max(counted, default=0.0), 1e-9))


@dataclass(frozen=True)
class Auto:
    """What suits the game: Ludii's default, material + 0.001*mobility; without pieces that come and go goals, else mobility."""

    name = "auto"

    def judge(self, game: Game) -> Judge:
        """Make it ready for a game."""
        return Own().judge(game) if ways(game) else self.chosen(game).judge(game)

    def chosen(self, game: Game) -> Sum:
        """The first that has something to say about the game."""
        pieces, goals = pieces_of(game), game.offers.formulas is not None
        if pieces and (not goals or _vary(game)):
            return Sum((Material(), Mobility(weight=0.001)))
        return Sum((Goals(),)) if goals else Sum((Mobility(),))

    def values(self, game: Game, states: Sequence[State], rng: Rng) -> Sequence[tuple[float, ...]]:
        """Judge states."""
        return values(self.judge(game), game, states, rng)


def in_spreads(game: Game, terms: Sequence[Term]) -> Sum:
    """A sum of terms whose weights are in units of what each differs between roles in random games.

    Terms that never differ there are left out.
    """
    kinds = [term.feature(game) for term in terms]
    roles = len(game.roles)
    looked_at = sheet(bridge(game).table, kinds, [0.0] * roles * (1 + len(kinds) * roles))
    seen = sample(game, looked_at, Rng.keyed(0, "scale"), games=_GAMES, states=_STATES).features
    each = seen.reshape(len(seen), -1, roles)
    apart = each - (each.sum(axis=2, keepdims=True) - each) / max(1, roles - 1) if roles > 1 else each
    spreads = np.sqrt(np.mean(apart**2, axis=(0, 2))) if len(seen) else np.zeros(len(terms))
    scaled: list[Any] = [
        replace(term, weight=float(f"{term.weight / spread:.3g}"))  # type: ignore[type-var]
        for term, spread in zip(terms, spreads, strict=True)
        if spread > 1e-9
    ]
    return Sum(tuple(scaled))


def _vary(game: Game) -> bool:
    """Whether the pieces of the roles come and go."""
    kinds = [Material().feature(game)]
    looked_at = sheet(bridge(game).table, kinds, [0.0] * len(game.roles) * (1 + len(game.roles)))
    seen = sample(game, looked_at, Rng.keyed(0, "scale"), games=_GAMES, states=_STATES).features
    return len(seen) > 0 and float(np.max(np.std(seen - seen.mean(axis=1, keepdims=True), axis=0))) > _CLOCK / 2


def spell_term(term: Term) -> str:
    """Write a term as `evaluator` reads it."""
    parameters: Any = term
    changed = [
        f"{each.name}={getattr(term, each.name)!r}"
        for each in fields(parameters)
        if each.name != "weight" and getattr(term, each.name) != each.default
    ]
    call = f"{term.name}({', '.join(changed)})" if changed else term.name
    return call if term.weight == 1.0 else f"{term.weight!r}*{call}"
