"""Checking a game by playing it: whether all can always move, the game ends, and its end has a value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from random import Random
from typing import Any, Protocol

from ludarium.core import GameError
from ludarium.core.problems import Place, Problem
from ludarium.gdl.text.syntax import NOWHERE, Rule, Term

PLAYOUTS = 20
MAX_STEPS = 1000
"""A playout that is longer than this counts as one that does not end."""

MAX_WORK = 4000
"""No new playout begins after this many moves in all."""


class Walk(Protocol):
    """A way through the states of a game, all in texts in prefix form; roles are indexes."""

    @property
    def roles(self) -> Sequence[str]:
        """The names of the roles."""

    @property
    def trusts(self) -> bool:
        """Whether the game cannot go on from what is not declared."""

    def start(self) -> None:
        """Go to the initial state."""

    def facts(self) -> list[str]:
        """List the facts of the state."""

    def terminal(self) -> bool:
        """Whether the game is over."""

    def legal(self, role: int) -> list[str]:
        """List the legal moves of a role."""

    def play(self, moves: Sequence[str]) -> None:
        """Go on to the state after a joint move, a move per role."""

    def goals(self, role: int) -> list[int] | None:
        """All values of the state for a role; None if that cannot be said."""

    def declared(self, relation: str) -> frozenset[str] | None:
        """List what the rules derive for `base` or `input`, without that word; None if not known."""


class GameWalk:
    """A walk through a compiled game, whose states fill in forced moves."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.roles: tuple[str, ...] = game.roles
        self.trusts = bool(getattr(game, "trusts", False))
        self.start()

    def start(self) -> None:
        """Go to the initial state."""
        self.state = self.game.initial()

    def facts(self) -> list[str]:
        """List the facts of the state."""
        return list(self.state.facts())

    def terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.state.over)

    def legal(self, role: int) -> list[str]:
        """List the legal moves of a role."""
        return [self.game.text(move) for move in self.state.legal(role)]

    def play(self, moves: Sequence[str]) -> None:
        """Go on to the state after a joint move; the texts may be in lower case."""
        joint = {}
        for role in self.state.movers:
            wanted = moves[role].lower()
            joint[role] = next(move for move in self.state.legal(role) if self.game.text(move).lower() == wanted)
        self.state = self.state.after(joint)

    def goals(self, role: int) -> list[int] | None:
        """All values of the state for a role; a state without `goals` knows them at the end only."""
        if hasattr(self.state, "goals"):
            return list(self.state.goals(role))
        return [round(self.state.utilities()[role] * 100)] if self.state.over else None

    def declared(self, relation: str) -> frozenset[str] | None:
        """List what the rules derive for `base` or `input`, if the game keeps it."""
        return self.game.offers.declared(relation) if self.game.offers.declared else None


def compiled(name: str, rules: Sequence[Rule]) -> Walk:
    """Make a walk through the game as it is played, with chance as a role like any other."""
    return GameWalk(import_module("ludarium.gdl.game").from_rules(name, rules, chance=False))


def check(walk: Walk, rules: Sequence[Rule], *, seed: int = 1, strict: bool = False) -> list[Problem]:
    """All problems that some random playouts show, one of each kind."""
    found: dict[tuple[str, str], Problem] = {}
    work = 0
    for number in range(PLAYOUTS):
        if work > MAX_WORK:
            break
        history: list[str] = []
        for kind, role, message, hint in _playout(walk, Random(f"{seed} {number}"), history):  # noqa: S311
            place = _place(rules, kind, role)
            after = f" after {', '.join(history[-3:])}" if history else " at the beginning"
            count = f" ({len(history)} moves)" if len(history) > 3 else ""
            warning = kind == "terminal" or (kind in ("base", "input") and not (walk.trusts or strict))
            found.setdefault((kind, role), Problem(place, message + after + count, hint, warning))
        work += len(history)
    return list(found.values())


def _playout(walk: Walk, random: Random, history: list[str]) -> Iterator[tuple[str, str, str, str]]:
    """Play once; the relation that a problem is about, the role, what is wrong and a hint."""
    walk.start()
    base, inputs = walk.declared("base"), walk.declared("input")
    while not walk.terminal():
        yield from _outside("base", base, walk.facts() if base else [])
        if len(history) >= MAX_STEPS:
            yield "terminal", "", "the game has not ended", "count the moves, and end the game at some number"
            return
        moves = []
        for role, name in enumerate(walk.roles):
            legal = walk.legal(role)
            if not legal:
                hint = f"give it something to do, as (legal {name} noop), or end the game there"
                yield "legal", name, f"{name} has no legal move", hint
                return
            yield from _outside("input", inputs, [f"{name} {move}" for move in legal])
            moves.append(random.choice(sorted(legal)))
        try:
            walk.play(moves)
        except GameError:  # a game that trusts what is declared cannot go on from anything else, which has been told
            made = {f"{name} {move}" for name, move in zip(walk.roles, moves, strict=True)}
            if (base and not base.issuperset(walk.facts())) or (inputs and not inputs.issuperset(made)):
                return
            raise
        history.append(f"({' '.join(moves)})")
    yield from _outside("base", base, walk.facts() if base else [])
    for role, name in enumerate(walk.roles):
        values = walk.goals(role)
        if values is not None and name != "random":
            yield from _goal_problems(name, values)


def _outside(relation: str, declared: frozenset[str] | None, found: list[str]) -> Iterator[tuple[str, str, str, str]]:
    for text in sorted(set(found) - declared) if declared else ():
        yield relation, text, f"'{relation}' leaves out {text}, which comes up", "declare it, too"


def _goal_problems(name: str, values: Sequence[int]) -> Iterator[tuple[str, str, str, str]]:
    if not values:
        yield (
            "goal",
            name,
            f"the game is over and {name} has no goal value",
            "every end needs one value per role",
        )
    elif len(values) > 1:
        listed = " and ".join(map(str, values))
        yield (
            "goal",
            name,
            f"the game is over and {name} has the goal values {listed}",
            "make the rules exclusive",
        )
    elif not 0 <= values[0] <= 100:
        yield "goal", name, f"{name} has the goal value {values[0]}", "goals are whole numbers from 0 to 100"


def _place(rules: Sequence[Rule], relation: str, role: str) -> Place:
    """Find the first rule about a relation and a role, or else about the relation."""
    about = [rule for rule in rules if rule.head.name == relation]
    named = [r for r in about if r.head.args and isinstance(r.head.args[0], Term) and str(r.head.args[0]) == role]
    return next((rule.place for rule in [*named, *about]), NOWHERE)
