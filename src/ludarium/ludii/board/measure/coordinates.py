"""Rows, columns, layers and labels, found from where sites are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from ludarium.ludii.board.geometry import EPSILON

Places = NDArray[np.float64]
"""Per site x, y and z."""

_MARGIN = 0.6  # sites this part of the usual distance apart, or nearer, are in the same row
_SAME = 0.001


@dataclass
class Coordinates:
    """Row, column and layer of each site, and how a rule may call it."""

    rows: list[int]
    columns: list[int]
    layers: list[int]
    labels: list[str]
    row_angle: float = 0.0
    column_angle: float = 0.5


def coordinates(places: Places, angles: tuple[float, float] | None = None) -> Coordinates:
    """Sort sites into rows and columns: along the angles that fit best, unless angles are given."""
    count = len(places)
    if not count:
        return Coordinates([], [], [], [])
    low, size = places[:, :2].min(axis=0), np.ptp(places[:, :2], axis=0)
    width, height = float(size[0]), float(size[1])
    margin = _MARGIN * ((width + height) / 2 / sqrt(count))
    below = (float(low[0]) + width / 2, float(low[1]) - height)
    beside = (float(low[0]) - width, float(low[1]) + height / 2)

    def along(origin: tuple[float, float], angle: float) -> tuple[float, list[int]]:
        return _clusters(_away(places, origin, width, angle), margin)

    if angles is None:
        row_angle = _best(lambda angle: along(below, angle)[0], [k / 180.0 * pi for k in range(0, 61, 15)])
        steps = [row_angle + k / 180.0 * pi for k in range(90, 121, 15)]
        angles = row_angle, _best(lambda angle: along(beside, angle)[0], steps)
    rows, columns = along(below, angles[0])[1], along(beside, angles[1])[1]
    layers = _clusters(places[:, 2], margin)[1]
    found = Coordinates(rows, columns, layers, [], *angles)
    several = any(a != b for a, b in pairwise(layers))
    for row, column, layer in zip(rows, columns, layers, strict=True):
        found.labels.append(f"{_letters(column)}{row + 1}" + (f"/{layer}" if several else ""))
    return found


def straighten(found: Coordinates, places: Places, *, labels: bool = True, layers: bool = True) -> None:
    """Number rows and columns by the different heights and widths on the ground instead, where labels were not unique."""
    for values, axis in ((found.rows, 1), (found.columns, 0)):
        for number, value in enumerate(sorted(_different(places[places[:, 2] == 0, axis]))):
            for site in np.flatnonzero(np.abs(places[:, axis] - value) < _SAME):
                values[site] = number
    if layers:
        found.layers[:] = [int(k) for k in np.unique(places[:, 2], return_inverse=True)[1]]
    if labels:
        found.labels[:] = [
            f"{_two_letters(column)}{row + 1}" for row, column in zip(found.rows, found.columns, strict=True)
        ]


def _different(values: NDArray[np.float64]) -> list[float]:
    """Values without those that are almost an earlier one."""
    known: dict[int, list[float]] = {}
    for value in values.tolist():
        patch = int(value // _SAME)
        if all(abs(value - other) >= _SAME for k in (patch - 1, patch, patch + 1) for other in known.get(k, ())):
            known.setdefault(patch, []).append(value)
    return [value for group in known.values() for value in group]


def _away(places: Places, origin: tuple[float, float], width: float, angle: float) -> NDArray[np.float64]:
    """How far sites are from a line."""
    end_x, end_y = origin[0] + width * cos(angle), origin[1] + width * sin(angle)
    dx, dy = end_x - origin[0], end_y - origin[1]
    from_x, from_y = places[:, 0] - origin[0], places[:, 1] - origin[1]
    if abs(dx) + abs(dy) < EPSILON:
        nearest: NDArray[np.float64] = np.sqrt(from_x * from_x + from_y * from_y)
        return nearest
    area = from_y * dx - from_x * dy
    away: NDArray[np.float64] = np.sqrt(area * area / (dx * dx + dy * dy))
    return away


def _clusters(values: NDArray[np.float64], margin: float) -> tuple[float, list[int]]:
    """Groups of values that are near to each other, numbered upwards, and how far they are from being exact."""
    order = np.argsort(values, kind="stable")
    numbers = [0] * len(values)
    error, total, size, last, group = 0.0, 0.0, 0, 0.0, -1
    for site, value in zip(order.tolist(), values[order].tolist(), strict=True):
        if group < 0 or abs(value - total / size) > margin:
            if group >= 0:
                error += (total / size - last) ** 2 / size
            group, total, size = group + 1, 0.0, 0
        total += value
        size += 1
        last = value
        numbers[site] = group
    error += (total / size - last) ** 2 / size
    return error + 0.01 * (group + 1), numbers


def _best(error: Callable[[float], float], angles: Sequence[float]) -> float:
    best, least = 0.0, 1000.0
    for angle in angles:
        found = error(angle)
        if found < least:
            best, least = angle, found
            if found < 0.01:
                break
    return best


def _letters(column: int) -> str:
    text = chr(ord("A") + column % 26)
    while column >= 26:
        column //= 26
        text = chr(ord("A") + column % 26 - 1) + text
    return text


def _two_letters(column: int) -> str:
    first = chr(ord("A") + column // 26 - 1) if column >= 26 else ""
    return first + chr(ord("A") + column % 26)
