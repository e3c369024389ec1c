"""What stands in a ludeme that makes a graph, as plain values: numbers worked out, words, points, and inner graphs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

from ludarium.core.problems import Place, Problem, RulesError
from ludarium.ludii.board.geometry import Point, repeated
from ludarium.ludii.board.graph import MAX_VERTICES, Graph, single
from ludarium.ludii.board.topology import SiteType
from ludarium.ludii.grammar.binder import Array, Bound, Constant, Symbol, Value

Locate = Callable[[Value], Place]
"""Where a value is written."""

_LARGEST = 10**9


class Arguments:
    """The arguments of one ludeme, and what is needed to work them out."""

    def __init__(self, ludeme: Bound, use: SiteType, place: Locate, make: Callable[[Bound], Graph]) -> None:
        self.ludeme = ludeme
        self.use = use
        """What the board is played on: some graphs are larger by one if that is cells."""

        self._given = ludeme.arguments
        self._place = place
        self._make = make

    def has(self, name: str) -> bool:
        """Whether an argument is given."""
        return name in self._given

    def fail(self, message: str, hint: str = "", at: Value | None = None) -> NoReturn:
        """Say what is wrong, and where."""
        raise RulesError([Problem(self._place(at or self.ludeme), message, hint)])

    def dim(self, name: str, default: int | None = None) -> int:
        """A whole number."""
        if name not in self._given and default is not None:
            return default
        return self._whole(self._given[name])

    def size(self, name: str, default: int | None = None) -> int:
        """A whole number that says how large something is."""
        number = self.dim(name, default)
        if not 0 <= number <= MAX_VERTICES:
            limit = f"from 0 to {MAX_VERTICES} is possible"
            self.fail(f"a board cannot have a size of {number}", limit, self._given.get(name))
        return number

    def dims(self, name: str) -> list[int]:
        """Several whole numbers."""
        return [self._whole(value) for value in _items(self._given[name])]

    def sides(self) -> list[int]:
        """The lengths of the sides of an outline."""
        lengths = self.dims("sides")
        if not lengths or any(abs(length) > MAX_VERTICES for length in lengths):
            limit = f"each from {-MAX_VERTICES} to {MAX_VERTICES}"
            self.fail("there is no outline with such sides", limit, self._given["sides"])
        return lengths

    def dim_lists(self, name: str) -> list[list[int]]:
        """Several lists of whole numbers; none if they are not given."""
        return [[self._whole(value) for value in _items(item)] for item in self._several(name)]

    def number(self, name: str, default: float = 0.0) -> float:
        """A number, as 32 bits hold it."""
        return self._fraction(self._given[name]) if name in self._given else default

    def word(self, name: str, default: str = "") -> str:
        """A word of a few."""
        value = self._given.get(name)
        return value.word if isinstance(value, Symbol) else default

    def flag(self, name: str, *, default: bool = False) -> bool:
        """A truth value."""
        value = self._given.get(name)
        if value is None:
            return default
        if not isinstance(value, Constant):
            self.fail("whether a board is made like this cannot depend on the game", "write True or False", value)
        return bool(value.value)

    def points(self, name: str) -> list[list[float]]:
        """Several places of two or three numbers; none if they are not given."""
        return [self._point(item) for item in self._several(name)]

    def point_lists(self, name: str) -> list[list[list[float]]]:
        """Several lists of places; none if they are not given."""
        return [[self._point(point) for point in _items(item)] for item in self._several(name)]

    def polygon(self, name: str) -> list[Point]:
        """The corners of a polygon."""
        return self._polygon(self._given[name])

    def polygons(self, name: str) -> list[list[Point]]:
        """The corners of several polygons."""
        return [self._polygon(item) for item in _items(self._given[name])]

    def graph(self, name: str) -> Graph:
        """An inner graph."""
        value = self._given[name]
        assert isinstance(value, Bound)
        return self._make(value)

    def graphs(self) -> list[Graph]:
        """All inner graphs, one behind the other or in an array."""
        values = [self._given[name] for name in ("graphA", "graphB") if name in self._given]
        if "graphs" in self._given:
            values = list(_items(self._given["graphs"]))
        return [self._make(value) for value in values if isinstance(value, Bound)]

    def _several(self, name: str) -> Sequence[Value]:
        return _items(self._given[name]) if name in self._given else ()

    def _point(self, value: Value) -> list[float]:
        numbers = [self._fraction(number) for number in _items(value)]
        if not 2 <= len(numbers) <= 3:
            self.fail(f"a point has two or three numbers, not {len(numbers)}", at=value)
        return numbers

    def _polygon(self, value: Value) -> list[Point]:
        assert isinstance(value, Bound)
        points = [self._point(item) for item in _items(value.arguments["pts"])]
        turns = value.arguments.get("rotns")
        corners = [(point[0], point[1]) for point in points]
        if len(corners) < 3:
            self.fail(f"a polygon has at least three corners, not {len(corners)}", at=value)
        return repeated(corners, self._whole(turns)) if turns is not None else corners

    def _whole(self, value: Value) -> int:
        if isinstance(value, Constant) and isinstance(value.value, int):
            return value.value
        if not isinstance(value, Bound):
            self.fail("a whole number is expected here", at=value)
        numbers = self._operands(value, self._whole)
        try:
            number = _WHOLE[_head(value)](numbers)
        except (KeyError, ZeroDivisionError, ValueError, OverflowError):
            self.fail(f"{value.node} is not a number that a board can be made with", at=value)
        if abs(number) > _LARGEST:
            self.fail(f"{value.node} is too large", at=value)
        return number

    def _fraction(self, value: Value) -> float:
        if isinstance(value, Constant) and isinstance(value.value, int | float):
            return single(value.value)
        if not isinstance(value, Bound):
            self.fail("a number is expected here", at=value)
        if value.family == "dim":
            return float(self._whole(value))
        numbers = self._operands(value, self._fraction)
        try:
            number = single(_FRACTIONS[_head(value)](numbers))
        except (KeyError, ZeroDivisionError, ValueError, OverflowError, TypeError):
            self.fail(f"{value.node} is not a number that a board can be made with", at=value)
        if not math.isfinite(number):
            self.fail(f"{value.node} is too large", at=value)
        return number

    def _operands(self, value: Bound, work_out: Callable[[Value], float]) -> list:  # type: ignore[type-arg]
        values: list[Value] = []
        for argument in value.arguments.values():
            values += _items(argument) if isinstance(argument, Array) else [argument]
        return [work_out(each) for each in values]


def _items(value: Value) -> Sequence[Value]:
    assert isinstance(value, Array)
    return value.items


def _head(value: Bound) -> str:
    return value.signature.ludeme.names[0]


def _quotient(numbers: Sequence[int]) -> int:
    """Division towards zero."""
    a, b = numbers
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _power(numbers: Sequence[int]) -> int:
    a, b = numbers
    if abs(a) > 1 and b > 64:
        raise OverflowError
    return int(a**b)


_WHOLE: Mapping[str, Callable[[Sequence[int]], int]] = {
    "+": sum,
    "-": lambda numbers: numbers[0] - numbers[1],
    "*": math.prod,
    "/": _quotient,
    "^": _power,
    "abs": lambda numbers: abs(numbers[0]),
    "max": max,
    "min": min,
}

_FRACTIONS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "+": sum,
    "-": lambda numbers: numbers[0] - numbers[1],
    "*": math.prod,
    "/": lambda numbers: numbers[0] / numbers[1],
    "^": lambda numbers: numbers[0] ** numbers[1],
    "abs": lambda numbers: abs(numbers[0]),
    "max": max,
    "min": min,
    "cos": lambda numbers: math.cos(numbers[0]),
    "sin": lambda numbers: math.sin(numbers[0]),
    "tan": lambda numbers: math.tan(numbers[0]),
    "sqrt": lambda numbers: math.sqrt(numbers[0]),
    "exp": lambda numbers: math.exp(numbers[0]),
    "log": lambda numbers: math.log(numbers[0]),
    "log10": lambda numbers: math.log10(numbers[0]),
}
