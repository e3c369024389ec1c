"""Boards: relations in which every pair of coordinates has one content, as far as groups tell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from ludarium.gdl.facts.candidates import Key, Shape
from ludarium.gdl.facts.groups import Group, Standing

_FEWEST = 4  # cells; fewer are no board


@dataclass(frozen=True)
class Board:
    """Cells with coordinates, each with the group of facts that say what is in it."""

    shapes: tuple[Shape, ...]
    """The relations of the board: one with the content as an argument, or one for each content."""

    axes: tuple[int, int]
    """The places of the two coordinates among the arguments that tell cells apart."""

    name: str
    """What tells the board from others of the same relation, if anything does."""

    cells: Mapping[tuple[str, str], Group]

    @property
    def columns(self) -> tuple[str, ...]:
        """The first coordinates, in order."""
        return _in_order(x for x, _ in self.cells)

    @property
    def rows(self) -> tuple[str, ...]:
        """The second coordinates, in order."""
        return _in_order(y for _, y in self.cells)

    @property
    def standing(self) -> Standing:
        """Whether it is proved that no cell ever has two contents."""
        proved = all(group.exclusive is Standing.PROVED for group in self.cells.values())
        return Standing.PROVED if proved else Standing.OBSERVED

    @property
    def full(self) -> bool:
        """Whether every cell always has a content, if only that it is empty, as far as is known."""
        return all(group.covering is not Standing.FALSE for group in self.cells.values())


def boards(groups: Iterable[Group]) -> list[Board]:
    """Find the boards among groups, the one with most cells first; a relation is looked at in one way, the most thorough."""
    by_shape: dict[tuple[Shape, ...], dict[Key, Group]] = defaultdict(dict)
    for group in groups:
        by_shape[group.shapes][group.key] = group
    ways: dict[str, list[Board]] = {}
    for shapes, cells in by_shape.items():
        relation = shapes[0].relation
        found = _boards(shapes, cells)
        if _facts(found) > _facts(ways.get(relation, [])):
            ways[relation] = found
    every = [board for found in ways.values() for board in found]
    return sorted(every, key=lambda board: (-len(board.cells), str(board.shapes), board.name))


def _facts(found: Iterable[Board]) -> int:
    return sum(len(group.facts) for board in found for group in board.cells.values())


def _boards(shapes: tuple[Shape, ...], cells: Mapping[Key, Group]) -> list[Board]:
    axes = _axes(cells)
    if axes is None:
        return []
    x, y = axes
    parts: dict[str, dict[tuple[str, str], Group]] = defaultdict(dict)
    for key, group in cells.items():
        name = " ".join(label for place, label in enumerate(key) if place not in axes)
        parts[name][key[x], key[y]] = group
    return [Board(shapes, axes, name, part) for name, part in parts.items() if _is_board(part)]


def _axes(cells: Mapping[Key, Group]) -> tuple[int, int] | None:
    """The two places, of all that tell cells apart, that make up most coordinates; the last ones if several do."""
    width = len(next(iter(cells)))
    known = {place: {key[place] for key in cells} for place in range(width)}
    axes = [place for place, labels in known.items() if all(map(_is_coordinate, labels)) and len(labels) > 1]
    pairs = list(combinations(axes, 2))
    return max(pairs, key=lambda pair: (len({(key[pair[0]], key[pair[1]]) for key in cells}), pair), default=None)


def _is_board(cells: Mapping[tuple[str, str], Group]) -> bool:
    return len(cells) >= _FEWEST and len({x for x, _ in cells}) > 1 and len({y for _, y in cells}) > 1


def _is_coordinate(label: str) -> bool:
    return label.isdecimal() or (len(label) == 1 and label.isalpha()) or (label[:1].isalpha() and label[1:].isdecimal())


def _in_order(labels: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(labels), key=lambda label: (int(label) if label.isdecimal() else 0, len(label), label)))
