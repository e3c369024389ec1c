"""The concepts that rules raise, ludeme by ludeme.

A ludeme raises concepts of its own and passes on those of its arguments; a few ludemes look at what their arguments raise, add
to it or take some of it back: "not a friend" is about enemies and empty sites. Concepts of Piette, Stephenson, Soemers and
Browne, "General board game concepts" (2021).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import TypeAlias

from ludarium.ludii.board.topology import Topology
from ludarium.ludii.grammar.binder import Array, Bound, Symbol, Value
from ludarium.ludii.grammar.checker import Rules

Raised: TypeAlias = set[str]


class Raiser:
    """Finds what a description raises; what is written twice is looked at once."""

    def __init__(self, rules: Rules, players: int, topology: Topology) -> None:
        self.rules, self.players, self.topology = rules, players, topology
        self.sources: dict[str, Bound] = {}
        """By concept the first ludeme that raised it."""
        self._known: dict[int, frozenset[str]] = {}

    def of(self, value: Value | None) -> frozenset[str]:
        """What a value raises with all that is in it."""
        if isinstance(value, Bound):
            if id(value) not in self._known:
                self._known[id(value)] = frozenset(self._bound(value))
            return self._known[id(value)]
        if isinstance(value, Array):
            return frozenset().union(*map(self.of, value.items))
        if isinstance(value, Symbol):
            return table().get(f"symbols:{value.type} {value.word}", frozenset())
        return frozenset()

    @cached_property
    def pieces(self) -> frozenset[str]:
        """What the moves of all pieces raise."""
        equipment = self.rules.root.arguments["equipment"]
        assert isinstance(equipment, Bound)
        listed = equipment.arguments["items"]
        assert isinstance(listed, Array)
        moves = [
            each.arguments["generator"] for each in listed if isinstance(each, Bound) and "generator" in each.arguments
        ]
        return frozenset().union(*map(self.of, moves))

    def without(self, node: Bound, slot: str, inner: str) -> Raised:
        """What the arguments of a ludeme raise, but for one argument of an argument."""
        found: Raised = set()
        for name, value in node.arguments.items():
            if name == slot and isinstance(value, Bound):
                found = found.union(*(self.of(each) for other, each in value.arguments.items() if other != inner))
            else:
                found |= self.of(value)
        return found

    def _bound(self, node: Bound) -> Raised:
        found: Raised = set().union(*map(self.of, node.arguments.values()))
        name = f"{node.family}:{node.unit}"
        found |= table().get(name, frozenset())
        special = special_cases().get(name)
        if special is not None:
            case = Case(self, node, found)
            special(case)
            found = case.found
        for concept in found:
            self.sources.setdefault(concept, node)
        return found


@dataclass(slots=True)
class Case:
    """A ludeme that is looked at, and what it and its arguments raise so far."""

    raiser: Raiser
    node: Bound
    found: Raised


Special: TypeAlias = Callable[[Case], None]
_SPECIAL: dict[str, Special] = {}


def special_cases() -> Mapping[str, Special]:
    """The ludemes that raise more, or less, than their names and arguments say."""
    if not _SPECIAL:
        from ludarium.ludii.concepts import boards, conditions, ends, moves, starts  # noqa: F401, PLC0415  (they enter themselves)
    return _SPECIAL


def raises(*units: str) -> Callable[[Special], Special]:
    """Enter what ludemes raise beyond the table."""

    def enter(function: Special) -> Special:
        for unit in units:
            _SPECIAL[unit] = function
        return function

    return enter


@cache
def table() -> Mapping[str, frozenset[str]]:
    """What ludemes raise wherever they stand, by `family:unit`."""
    found: dict[str, frozenset[str]] = {}
    family = ""
    for line in files(__package__).joinpath("raised.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            family = line.strip("[]")
        elif line and not line.startswith("#"):
            unit, _, concepts = line.rpartition(" = ")
            found[f"{family}:{unit}"] = frozenset(concepts.split())
    return found
