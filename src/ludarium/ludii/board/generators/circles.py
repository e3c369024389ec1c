"""Round boards: circles around a middle, targets, and the spiral. Their points know the middle they turn around."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import cos, pi, sin
from typing import TypeAlias

from ludarium.ludii.board.arguments import Arguments
from ludarium.ludii.board.faces import make_faces
from ludarium.ludii.board.geometry import Point, distance
from ludarium.ludii.board.graph import Graph, Vertex, within_limit

_TOP = pi / 2
_TOLERANCE = 0.001
_NEAR = 0.1
_MOST_SITES = 1000  # of a spiral

Sample: TypeAlias = tuple[float, Point]
"""A point of a circle, behind its angle."""


def circles(given: Arguments, counts: Sequence[int], *, stagger: bool = False) -> Graph:
    """Circles of so many cells or points each, from the middle outwards."""
    graph = Graph()
    within_limit(sum(map(abs, counts)))
    if given.use == "Cell":
        _cells(graph, counts, stagger=stagger)
    elif len(counts) == 1:
        if counts[0] < 3:
            given.fail(f"{counts[0]} points make no circle", "three is the least")
        graph = polygon(counts[0])
        graph.reorder()
    elif counts:
        _points(graph, [0, *counts] if abs(counts[0]) > 1 else list(counts), stagger=stagger)
    return graph


def _cells(graph: Graph, counts: Sequence[int], *, stagger: bool) -> None:
    """Cells between circles: every line between two cells of a ring begins and ends at a point."""
    if not counts:
        return
    pivot = graph.add_vertex(0.0, 0.0)
    spokes = [(ring, angle) for ring, angles in _spokes(counts, stagger=stagger) for angle in angles]
    rings: list[list[Sample]] = [[] for _ in range(len(counts) + 1)]
    for ring, angle in spokes:
        within = _within(angle)
        rings[ring].append((within, _at(max(0, ring - 0.5), within)))
        rings[ring + 1].append((within, _at(ring + 0.5, within)))
    for samples in rings:
        _tidy(samples, _TOLERANCE)
    _place(graph, rings)
    for samples in rings:
        _close(graph, samples)
    for ring, angle in spokes:
        a = graph.vertex_at(*_at(max(0, ring - 0.5), angle))
        b = graph.vertex_at(*_at(ring + 0.5, angle))
        if a is not b:
            graph.join(a, b)
    for vertex in graph.vertices:
        vertex.pivot = pivot
    make_faces(graph, planar=True)


def _points(graph: Graph, counts: Sequence[int], *, stagger: bool) -> None:
    """Points on circles; a negative number leaves out the lines along its circle."""
    rings = []
    for ring, count in enumerate(counts):
        angles = _around(abs(count), _offset(ring, abs(count), stagger=stagger))
        rings.append([(angle, _at(ring, angle)) for angle in angles])
    for samples in rings[1:]:
        _tidy(samples, _NEAR)
    _place(graph, rings)
    for samples, count in zip(rings[1:], counts[1:], strict=True):
        if count >= 2:
            _close(graph, samples)
    for ring in range(len(rings) - 1):
        for here, further in _outwards(graph, rings, ring):
            graph.join(here, further)
            if ring and counts[0] == 0:
                further.pivot = here
    if counts[0] != 0:
        pivot = graph.find_vertex(0.0, 0.0)
        for vertex in graph.vertices:
            vertex.pivot = pivot


def _place(graph: Graph, rings: Sequence[Sequence[Sample]]) -> None:
    for samples in rings:
        for _, point in samples:
            graph.vertex_at(*point)


def _outwards(graph: Graph, rings: Sequence[Sequence[Sample]], ring: int) -> Iterator[tuple[Vertex, Vertex]]:
    """The points of a ring, and those that are straight outwards on the next; from the middle all."""
    for _, (x, y) in rings[ring]:
        here = graph.vertex_at(x, y)
        ratio = (ring + 1) / ring if ring else 0.0
        for point in [(x * ratio, y * ratio)] if ring else [point for _, point in rings[1]]:
            further = graph.find_vertex(*point)
            if further is not None:
                yield here, further


def polygon(sides: int, reach: int = 1) -> Graph:
    """Points around a circle, each joined to the one so many further on."""
    graph = Graph()
    radius = sides / (2 * pi)
    first = pi / 4 if sides == 4 else pi / 2
    for k in range(sides):
        angle = first + k / sides * 2 * pi
        graph.add_vertex(radius * cos(angle), radius * sin(angle))
    for k in range(sides):
        graph.add_edge(graph.vertices[k], graph.vertices[(k + reach) % sides])
    return graph


def target(given: Arguments, rings: int) -> Graph:
    """One cell for each ring of a target."""
    graph = Graph()
    if rings < 1:
        return graph
    if given.use != "Cell":
        given.fail("a target is played on its cells", "leave out use:")
    for ring in range(rings):
        points = [
            graph.add_vertex((ring + 1) * cos(_TOP + pi / 4 * k), (ring + 1) * sin(_TOP + pi / 4 * k)) for k in range(8)
        ]
        for a, b in zip(points, (*points[1:], points[0]), strict=True):
            graph.add_edge(a, b, curved=True)
    make_faces(graph, planar=True)
    for k, face in enumerate(graph.faces):
        face.x, face.y, face.z = 0.0, -k - 0.5 if k else 0.0, 0.0
    return graph


def spiral(given: Arguments) -> Graph:
    """`(spiral turns:3 sites:40)`: one line of points from the middle outwards."""
    turns, sites = given.size("turns"), given.size("sites")
    if not 3 <= sites <= _MOST_SITES or not 1 <= turns <= sites:
        given.fail(
            f"{turns} turns of {sites} sites make no spiral", f"at least 3 sites and at most {_MOST_SITES} are possible"
        )
    angles = _spiral_angles(turns, sites)
    clockwise = given.flag("clockwise", default=True)
    graph = Graph()
    pivot = graph.add_vertex(0.0, 0.0)
    for angle in angles[1:sites]:
        x = angle * cos(angle)
        graph.add_vertex(-x if clockwise else x, angle * sin(angle))
    for a, b in pairwise(graph.vertices):
        graph.add_edge(a, b, curved=True)
    for vertex in graph.vertices:
        vertex.pivot = pivot
    return graph


def _spiral_angles(turns: int, sites: int) -> list[float]:
    angles = [0.0] * (4 * sites)
    at, steps = 1, _first_turn(turns, sites)
    for ring in range(1, turns + 2):
        arc = pi * 2 / steps if steps else 0.0
        angle = pi * 2 * ring
        if ring <= 2 or ring % 2 == 1:
            angle -= arc / 2
        for _ in range(steps):
            if at < len(angles):
                angles[at] = angle
            at += 1
            angle += arc
        if ring <= 2:
            steps *= 2
    for _ in range(2):  # even out the steps
        for k in range(2, sites):
            angles[k] = (angles[k - 1] + angles[k + 1]) / 2.0
    angles[1] -= 0.5 * (angles[2] - angles[1])
    return angles


def _first_turn(turns: int, sites: int) -> int:
    """How many sites the first turn has; the second and third have twice as many as the one before."""
    for first in range(1, sites):
        steps, total = first, 1
        for ring in range(1, turns):
            total += steps
            if total > sites:
                return first - 1
            if ring <= 2:
                steps *= 2
    return 0


def _spokes(counts: Sequence[int], *, stagger: bool) -> Iterator[tuple[int, list[float]]]:
    """The angles of the lines between the cells of each ring."""
    for ring, count in enumerate(map(abs, counts)):
        if count >= 2:
            yield ring, _around(count, _offset(ring, count, stagger=stagger))


def _around(count: int, offset: float) -> list[float]:
    """Angles clockwise from the top."""
    return [_TOP + offset - 2 * pi * step / count for step in range(count)]


def _offset(ring: int, count: int, *, stagger: bool) -> float:
    return 2 * pi / count / 2 if stagger and ring % 2 == 1 and count else 0.0


def _at(radius: float, angle: float) -> Point:
    return radius * cos(angle), radius * sin(angle)


def _within(angle: float) -> float:
    while angle < -pi:
        angle += 2 * pi
    while angle > pi:
        angle -= 2 * pi
    return angle


def _tidy(samples: list[Sample], tolerance: float) -> None:
    """Sort by angle, and leave out what is where another is."""
    samples.sort(key=lambda sample: sample[0])
    for k in range(len(samples) - 1, 0, -1):
        if distance(samples[k][1], samples[k - 1][1]) < tolerance:
            del samples[k]


def _close(graph: Graph, samples: Sequence[Sample]) -> None:
    """Join the points of a circle by bent lines."""
    if len(samples) < 2:
        return
    for (_, here), (_, further) in zip(samples, (*samples[1:], samples[0]), strict=True):
        a, b = graph.vertex_at(*here), graph.vertex_at(*further)
        if a is not b:
            graph.join(a, b, curved=True)
