"""What steps are called: by the compass, around the middle of a round board, up and down."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from math import pi, sqrt

from ludarium.ludii.board.geometry import side_of
from ludarium.ludii.board.graph import Graph, Vertex
from ludarium.ludii.board.ways.steps import Site, Step

UP = ("U", "UN", "UNE", "UE", "USE", "US", "USW", "UW", "UNW")
DOWN = ("D", "DN", "DNE", "DE", "DSE", "DS", "DSW", "DW", "DNW")
_GROUPS = (
    "All",
    "Angled",
    "Adjacent",
    "Axial",
    "Orthogonal",
    "Diagonal",
    "OffDiagonal",
    "SameLayer",
    "Upward",
    "Downward",
)
_MAIN = ("N", "E", "S", "W", "NE", "SE", "NW", "SW", "NNW", "WNW", "WSW", "SSW", "SSE", "ESE", "ENE", "NNE")
ROUND = ("CW", "CCW", "In", "Out")

DIRECTIONS: tuple[str, ...] = (*_GROUPS, "Rotational", "Base", "Support", *_MAIN, *ROUND, *UP, *DOWN)
"""All absolute directions, in the order in which lines are looked for."""

SPECIFIC = frozenset((*_MAIN, *ROUND, *UP, *DOWN))
"""Those that mean one direction, not a group of them."""

_EIGHT = ("E", "NE", "N", "NW", "W", "SW", "S", "SE")
_SIXTEEN = ("E", "ENE", "NE", "NNE", "N", "NNW", "NW", "WNW", "W", "WSW", "SW", "SSW", "S", "SSE", "SE", "ESE")
_FOLDED = tuple(_EIGHT[k // 4 * 2 + (1 if k % 4 else 0)] for k in range(16))  # sixteen sectors, but only eight names
_EIGHTHS = [2 * pi / 16 + k * pi / 8 for k in range(0, 16, 2)]  # where one sector ends and the next begins
_SIXTEENTHS = [2 * pi / 32 + k * pi / 16 for k in range(0, 32, 2)]
_STEEP = 0.1  # in parts of the usual length of a line
_TOWARDS = 0.9


def name_steps(graph: Graph, elements: Sequence[Site], steps: Sequence[Sequence[Step]]) -> list[dict[str, list[Step]]]:
    """Per site its steps by name, in the order of finding."""
    unit = graph.average_length()
    flat = len({vertex.z for vertex in graph.vertices}) <= 1
    around = _Round(graph)
    found = []
    for site, each in zip(elements, steps, strict=True):
        by_name: dict[str, list[Step]] = {}
        for step in each:
            for name in step.relations:
                by_name.setdefault(name, []).append(step)
        for name, step in zip(_compass(site, each, 0.0 if flat else unit), each, strict=True):
            by_name.setdefault(name, []).append(step)
            level = "Upward" if name in UP else "Downward" if name in DOWN else "SameLayer"
            by_name.setdefault(level, []).append(step)
            step.names += (name,)
        for name, step in around.names(site, each):
            by_name.setdefault(name, []).append(step)
            step.names += (name,)
        found.append(by_name)
    return found


def _compass(site: Site, steps: Sequence[Step], unit: float) -> list[str]:
    """Eight names if no two steps share one, or else sixteen."""
    angles = [step.angle + 2 * pi if step.angle < 0 else step.angle for step in steps]
    levels = [_level(site, step.target, unit) for step in steps]
    coarse = [bisect_right(_EIGHTHS, angle) % 8 for angle in angles]
    names = [_name(level, _EIGHT[k]) for k, level in zip(coarse, levels, strict=True)]
    if len(set(names)) == len(names):
        return names
    fine = [bisect_right(_SIXTEENTHS, angle) % 16 for angle in angles]
    return [_name(level, (_FOLDED if level else _SIXTEEN)[k]) for k, level in zip(fine, levels, strict=True)]


def _level(site: Site, target: Site, unit: float) -> str:
    """Whether a step goes up or down, and whether straight."""
    if not unit:
        return ""
    rise = target.z - site.z
    if abs(rise) <= _STEEP * unit:
        return ""
    dx, dy = target.x - site.x, target.y - site.y
    straight = "!" if sqrt(dx * dx + dy * dy) < _STEEP * unit else ""
    return ("D" if rise < 0 else "U") + straight


def _name(level: str, name: str) -> str:
    return level[0] if level.endswith("!") else level + name


class _Round:
    """Directions around the middle of a round board."""

    def __init__(self, graph: Graph) -> None:
        self._pivots = {vertex.pivot for vertex in graph.vertices if vertex.pivot is not None}
        curved = [edge for edge in graph.edges if edge.curved] if self._pivots else []
        self._curves = {pair for edge in curved for pair in ((edge.a.id, edge.b.id), (edge.b.id, edge.a.id))}

    def names(self, site: Site, steps: Sequence[Step]) -> Iterator[tuple[str, Step]]:
        """The names of steps that have one."""
        if not self._pivots:
            return
        if site in self._pivots:
            for step in steps:
                yield "Out", step
                yield "Rotational", step
            return
        pivot = site.pivot
        if pivot is None:
            return
        for step in steps:
            name = "" if "Diagonal" in step.names else self._name(site, step.target, pivot)
            if name:
                yield name, step
                yield "Rotational", step

    def _name(self, site: Site, target: Site, pivot: Vertex) -> str:
        """In or out if a step points so, or else around if a bent line has its numbers, be they those of points or not."""
        ahead, inwards = _unit(site, target), _unit(site, pivot)
        towards = sum(a * b for a, b in zip(ahead, inwards, strict=True))
        if abs(towards) > _TOWARDS:
            return "In" if towards > 0 else "Out"
        if (site.id, target.id) not in self._curves:
            return ""
        return "CW" if side_of((site.x, site.y), (pivot.x, pivot.y), (target.x, target.y)) > 0 else "CCW"


def _unit(a: Site, b: Site) -> tuple[float, float, float]:
    x, y, z = b.x - a.x, b.y - a.y, b.z - a.z
    length = sqrt(x * x + y * y + z * z)
    return (x, y, z) if length < 1e-7 else (x / length, y / length, z / length)
