"""Plane geometry with the tolerances that the numbering of boards depends on."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin, sqrt
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]

EPSILON = 1e-7
_INSIDE = 0.01  # lines that cross nearer to an end than this share of their length only touch


def distance(a: Point, b: Point) -> float:
    """How far points are apart."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    return sqrt(dx * dx + dy * dy)


def distance_to_line(point: Point, a: Point, b: Point) -> float:
    """How far a point is from the line through two others."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    if abs(dx) + abs(dy) < EPSILON:
        return distance(point, a)
    area = (point[1] - a[1]) * dx - (point[0] - a[0]) * dy
    return sqrt(area * area / (dx * dx + dy * dy))


def is_clockwise(a: Point, b: Point, c: Point) -> bool:
    """Whether three points turn to the right, or not at all."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]) < EPSILON


def side_of(point: Point, a: Point, b: Point) -> int:
    """On which side of the line from a to b a point is: 1 on the left, -1 on the right, 0 on it."""
    area = (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
    return (area > EPSILON) - (area < -EPSILON)


def crossing(a: Point, b: Point, c: Point, d: Point) -> tuple[float, float] | None:
    """How far along each of two lines they meet, as shares of their lengths; None if they are parallel."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    ex, ey = d[0] - c[0], d[1] - c[1]
    fx, fy = c[0] - a[0], c[1] - a[1]
    determinant = ex * dy - ey * dx
    if abs(determinant) < EPSILON:
        return None
    inverse = 1.0 / determinant
    return (ex * fy - ey * fx) * inverse, (dx * fy - dy * fx) * inverse


def segments_meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two lines have a point in common, ends included."""
    at = crossing(a, b, c, d)
    return at is not None and all(-EPSILON <= share <= 1 + EPSILON for share in at)


def crossing_point(a: Point, b: Point, c: Point, d: Point) -> Point | None:
    """Where two lines cross, unless that is at an end."""
    at = crossing(a, b, c, d)
    if at is None or not all(_INSIDE < share < 1 - _INSIDE for share in at):
        return None
    return a[0] + at[0] * (b[0] - a[0]), a[1] + at[0] * (b[1] - a[1])


def between(share: float, a: Point, b: Point) -> Point:
    """The point that far on the way from one to another."""
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def turned(angle: float, point: Point) -> Point:
    """A point turned around the origin, counter-clockwise."""
    x, y = point
    return x * cos(angle) - y * sin(angle), y * cos(angle) + x * sin(angle)


def contains(polygon: Sequence[Point], point: Point) -> bool:
    """Whether a point is inside of a polygon."""
    x, y = point
    inside = False
    bx, by = polygon[-1] if polygon else (0.0, 0.0)
    for ax, ay in polygon:
        if ((ay < y <= by) or (by < y <= ay)) and (ax <= x or bx <= x):
            inside ^= ax + (y - ay) / (by - ay) * (bx - ax) < x
        bx, by = ax, ay
    return inside


def inflated(polygon: Sequence[Point], amount: float = 0.1) -> list[Point]:
    """A polygon a little larger, so that no point of a tiling is on its outline."""
    moved = []
    count = len(polygon)
    for k in range(count):
        a, b, c = polygon[k - 1], polygon[k], polygon[(k + 1) % count]
        sign = 1.0 if is_clockwise(a, b, c) else -1.0
        ux, uy = _unit(b[0] - a[0], b[1] - a[1])
        vx, vy = _unit(b[0] - c[0], b[1] - c[1])
        moved.append((b[0] + sign * (ux * amount + vx * amount) * 0.5, b[1] + sign * (uy * amount + vy * amount) * 0.5))
    return moved


def repeated(polygon: Sequence[Point], turns: int) -> list[Point]:
    """The points of a polygon again and again, as Ludii repeats them for `rotns`: its y leaves out a cosine."""
    points = list(reversed(polygon)) if turns < 0 else list(polygon)
    step = 2.0 * pi / turns if turns else 0.0
    angle, once = step, len(points)
    for _ in range(1, abs(turns)):
        for x, y in points[:once]:
            points.append((x * cos(angle) - y * sin(angle), x * sin(angle) + y * sin(angle)))
        angle += step
    return points


def bounding_box(points: Sequence[Point]) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of several points."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _unit(x: float, y: float) -> Point:
    length = sqrt(x * x + y * y)
    return (x, y) if length < EPSILON else (x / length, y / length)
