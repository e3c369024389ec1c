"""Sets of facts of which one may hold at a time, as far as some random playouts show.

Candidates are facts of one relation that differ in some arguments only (what a cell contains, whose turn it is), and unions of
such sets over several relations. Playouts sort out most of those that are wrong; what is left is for a proof.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from ludarium.core import GameError, Rng
from ludarium.gdl.facts.proof import engine_fact
from ludarium.gdl.text.reader import parse_term
from ludarium.gdl.text.syntax import Term
from ludarium.kernel import KernelState

if TYPE_CHECKING:
    from ludarium.gdl.game import GdlGame

_PLIES = 400  # states visited, in playouts of any length
_ARITY = 5  # with more arguments than this, only one of them is left open

Key = tuple[str, ...]


@dataclass(frozen=True)
class Shape:
    """Facts of a relation, told apart by the arguments at some places: (cell ? ? _) gives a set of facts per cell."""

    relation: str
    arity: int
    key: tuple[int, ...]

    def __str__(self) -> str:
        """The form of the facts: `*` for what tells sets apart, `?` for what is different within a set."""
        parts = ["*" if place in self.key else "?" for place in range(self.arity)]
        return f"({' '.join([self.relation, *parts])})" if parts else self.relation


@dataclass(frozen=True)
class Candidate:
    """A set of facts, by their numbers in the network, that was seen to be exclusive."""

    shapes: tuple[Shape, ...]
    key: Key
    facts: frozenset[int]
    covering: bool
    """Whether one of them held in every state seen."""

    regular: bool
    """Whether all sets of the same shape are exclusive, too."""


def visited(game: GdlGame, *, plies: int = _PLIES, seed: int = 1) -> list[int]:
    """The facts of the states of some random playouts, a bit per fact."""
    states: list[int] = []
    width = 8 * -(-len(game.network.facts) // 64)
    number = 0
    while len(states) < plies:
        rng = Rng.keyed(seed, "groups", number)
        state = game.initial(rng)
        number += 1
        try:
            while True:
                assert isinstance(state, KernelState)
                states.append(int.from_bytes(state.block[:width], "little"))
                if state.over or len(states) >= plies:
                    break
                state = state.after({role: rng.choice(state.legal(role)) for role in state.movers}, rng)
        except GameError:  # what a broken game does up to there counts all the same
            continue
    return states


def relations(facts: Sequence[str]) -> dict[tuple[str, int], list[tuple[int, Key]]]:
    """The facts by relation and arity, each as its number and its arguments; those that the engine adds are left out."""
    found: dict[tuple[str, int], list[tuple[int, Key]]] = defaultdict(list)
    for number, text in enumerate(facts):
        if not engine_fact(text):
            term = parse_term(text)
            assert isinstance(term, Term)
            found[term.name, term.arity].append((number, tuple(map(str, term.args or ()))))
    return found


def candidates(facts: Sequence[str], states: Sequence[int], *, whole: bool = False) -> list[Candidate]:
    """All sets that the states do not refute, largest first; or only those of all facts of some relations."""
    found: dict[frozenset[int], Candidate] = {}
    nodes: dict[tuple[Key, ...], list[tuple[Shape, dict[Key, int]]]] = defaultdict(list)
    for (name, arity), members in relations(facts).items():
        held = _union(states) & sum(1 << number for number, _ in members)
        for key in [()] if whole else _keys(arity):
            shape = Shape(name, arity, key)
            groups: dict[Key, int] = defaultdict(int)
            for number, args in members:
                groups[tuple(args[k] for k in key)] |= 1 << number
            good = {k: group for k, group in groups.items() if _exclusive(group, states)}
            regular = len(good) == len(groups)
            if regular and held:
                nodes[tuple(sorted(groups))].append((shape, groups))
            for k, group in good.items():
                if regular or group & held:
                    _note(found, (shape,), k, group, states, regular=regular)
    for same in nodes.values():
        for shapes, groups in _unions(same, states):
            for k, group in groups.items():
                _note(found, shapes, k, group, states, regular=True)
    return sorted(found.values(), key=lambda c: (-len(c.facts), min(c.facts)))


def _keys(arity: int) -> Iterator[tuple[int, ...]]:
    """Places that may tell sets apart, few first."""
    for size in range(arity + 1) if arity <= _ARITY else (arity - 1, arity):
        yield from combinations(range(arity), size)


def _note(
    found: dict[frozenset[int], Candidate],
    shapes: tuple[Shape, ...],
    key: Key,
    group: int,
    states: Sequence[int],
    *,
    regular: bool,
) -> None:
    facts = frozenset(_bits(group))
    if len(facts) > 1 and facts not in found:
        covering = all(state & group for state in states)
        found[facts] = Candidate(shapes, key, facts, covering, regular)


def _unions(
    nodes: Sequence[tuple[Shape, dict[Key, int]]], states: Sequence[int]
) -> Iterator[tuple[tuple[Shape, ...], dict[Key, int]]]:
    """Unions over relations whose sets have the same keys, taken together one by one while they stay exclusive."""
    left = list(nodes)
    while left:
        shape, groups = left.pop(0)
        shapes, rest = [shape], []
        for other, more in left:
            both = {k: group | more[k] for k, group in groups.items()}
            fits = other.relation not in {s.relation for s in shapes} and all(
                _exclusive(g, states) for g in both.values()
            )
            if fits:
                shapes.append(other)
                groups = both
            else:
                rest.append((other, more))
        left = rest
        covering = all(state & group for group in groups.values() for state in states)
        if len(shapes) > 1 and (covering or shapes[0].key):
            yield tuple(shapes), groups


def _exclusive(group: int, states: Iterable[int]) -> bool:
    for state in states:
        held = state & group
        if held & (held - 1):
            return False
    return True


def _union(states: Iterable[int]) -> int:
    whole = 0
    for state in states:
        whole |= state
    return whole


def _bits(group: int) -> Iterator[int]:
    while group:
        low = group & -group
        yield low.bit_length() - 1
        group ^= low
