"""Boards on tilings of two or three kinds of polygons; their names say which polygons meet at a point."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import cos, pi, radians, sin, sqrt

from ludarium.ludii.board.arguments import Arguments
from ludarium.ludii.board.generators.hexagons import POINTED
from ludarium.ludii.board.generators.lattice import Cell, Lattice, hexagon, parallelogram, walked
from ludarium.ludii.board.geometry import Point
from ludarium.ludii.board.graph import Graph
from ludarium.ludii.board.operators.cutting import kept

_H = sqrt(3) / 2
_ROOT = sqrt(3)
_V = 1 + 2 / sqrt(2)
_LEAST = 1 / sqrt(2 - sqrt(3))  # the radius of a polygon with twelve sides


def _swapped(points: list[Point]) -> list[Point]:
    return [(y, x) for x, y in points]


def _twelve() -> list[Point]:
    """The corners of a polygon with twelve sides."""
    angles = [pi / 12 + k / 12.0 * 2 * pi for k in range(12)]
    return [(_LEAST * cos(angle), _LEAST * sin(angle)) for angle in angles]


def _wreath() -> list[Point]:
    """The corners of a hexagon, then of the squares around it."""
    hexagonal = [(-0.5, _H), (0.5, _H), (1.0, 0.0), (0.5, -_H), (-0.5, -_H), (-1.0, 0.0)]
    away = (1.0 + sqrt(3) / 2.0) / cos(radians(15))
    angles = [radians(15 + k * 30) for k in range(12)]
    return hexagonal + [(away * cos(angle), away * sin(angle)) for angle in angles]


def _snub() -> list[Point]:
    """The corners of a hexagon and of the triangles around it."""
    halves = [(-1, 1), (1, 1), (2, 0), (1, -1), (-1, -1), (-2, 0), (-2, 2), (0, 2), (2, 2)]
    halves += [(3, 1), (4, 0), (3, -1), (2, -2), (0, -2), (-2, -2), (-3, -1), (-4, 0), (-3, 1)]
    return [(x * 0.5, y * _H) for x, y in halves]


def _pairs() -> list[Point]:
    """The corners of four squares and of the triangles between them."""
    signs = [
        (-1, 0, -1, -1),
        (1, 0, -1, -1),
        (-1, -1, 0, -1),
        (1, 1, 0, -1),
        (0, 0, -1, 0),
        (-2, -1, 0, 0),
        (0, -1, 0, 0),
    ]
    signs += [(0, 1, 0, 0), (2, 1, 0, 0), (0, 0, 1, 0), (-1, -1, 0, 1), (1, 1, 0, 1), (-1, 0, 1, 1), (1, 0, 1, 1)]
    return [(a * 0.5 + b * _H, c * 0.5 + d * _H) for a, b, c, d in signs]


def _octagon() -> list[Point]:
    u, v = 0.5, _V / 2
    return [(u, v), (v, u), (v, -u), (u, -v), (-u, -v), (-v, -u), (-v, u), (-u, v)]


def _twelves(step: float) -> Lattice:
    return Lattice(lambda row, column: ((column - 0.5 * row) * step, row * (step * sqrt(3) / 2)), _twelve())


_WREATHS = Lattice(
    lambda row, column: ((3 + _ROOT) / 2 * (column - row), (1 + _ROOT) * (row + column) * 0.5), _wreath()
)
_WREATHS_UPRIGHT = Lattice(
    lambda row, column: ((1 + _ROOT) * (column - 0.5 * row), (3 + _ROOT) / 2 * row), _swapped(_wreath())
)
_KAGOME = Lattice(lambda row, column: (2 * (column - 0.5 * row), _ROOT * row), _swapped(list(POINTED.corners)))
_ROWS = Lattice(
    lambda row, column: (column + 0.5 * row, row * (1 + sqrt(3) / 2)), [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
)
_OCTAGONS = Lattice(lambda row, column: (column * _V, row * _V), _octagon())


@dataclass(frozen=True)
class _Kind:
    """A tiling, which shape it has by default, and how large outlines of one's own are looked through."""

    lattice: Lattice
    shape: Callable[[int], Iterator[Cell]] = hexagon
    default: int = 3
    """The size where an outline is given that is not heeded."""


_KINDS: Mapping[str, _Kind] = {
    "T31212": _Kind(_twelves(3.7320508)),
    "T4612": _Kind(_twelves(4.7320508)),
    "T33336": _Kind(
        Lattice(lambda row, column: (column * 5 * 0.5 - row * 4 * 0.5, row * 2 * _H + column * _H), _snub())
    ),
    "T33434": _Kind(
        Lattice(
            lambda row, column: ((1 + _ROOT) / 2 * (column - row), (1 + _ROOT) / 2 * (row + column)),
            _pairs(),
        ),
        lambda size: parallelogram(size, size),
    ),
    "T333333_33434": _Kind(
        Lattice(lambda row, column: ((1.5 + _ROOT) * (column - row), (2 + _ROOT) * (row + column) * 0.5), _wreath()),
        default=2,
    ),
}

_CUSTOM: Mapping[str, Lattice] = {"T3636": _KAGOME, "T3464": _WREATHS_UPRIGHT, "T33344": _ROWS, "T488": _OCTAGONS}
_MARGIN = 2
_STEPS = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))


def tiling(given: Arguments) -> Graph:
    """`(tiling T3636 size)`, `(tiling T488 (poly ..))` and so on."""
    name = given.word("tiling")
    if given.has("poly") or given.has("sides"):
        return _custom(given, name)
    size = given.size("dimA")
    other = given.size("dimB", size)
    if name in _KINDS:
        return _KINDS[name].lattice.graph(_KINDS[name].shape(size))
    if name == "T3464":
        return _WREATHS.graph(parallelogram(size, other) if given.has("dimB") else hexagon(size))
    if name == "T3636":
        rhombus = parallelogram(2 * size - 1, 2 * other - 1)
        return _KAGOME.graph(rhombus if given.has("dimB") else hexagon(size))
    if name == "T33344":
        return _ROWS.graph(parallelogram(size, other))
    return _OCTAGONS.graph(parallelogram(size, other), reorder=False)


def _custom(given: Arguments, name: str) -> Graph:
    """An outline of one's own; some tilings do not heed it."""
    if name in _KINDS:
        kind = _KINDS[name]
        if name == "T33434" and given.has("poly"):
            return kept(kind.lattice.graph(kind.shape(5)), given.polygon("poly"))
        return kind.lattice.graph(kind.shape(kind.default))
    lattice = _CUSTOM[name]
    if given.has("poly"):
        outline = given.polygon("poly")
    elif name == "T488":
        outline = walked(given.sides(), _STEPS)
    else:
        outline = lattice.outline(given.sides())
    return lattice.graph(lattice.inside(outline, _MARGIN))
