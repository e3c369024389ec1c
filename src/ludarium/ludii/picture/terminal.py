"""Boards drawn with letters: every site at its own place, squares and hexagons alike, with coordinates around them.

Sites on one height are one line; the smallest gap between two of them is two characters or more. A board whose sites fall on
too many lines or columns for that is scaled, and one whose sites would then cover each other is listed.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ludarium.ludii.model import Model
from ludarium.ludii.picture.cards import held, trumps
from ludarium.ludii.picture.letters import EMPTY, letters
from ludarium.ludii.picture.position import Place, Position

_WIDEST, _HIGHEST = 96, 40  # characters and lines of the largest picture
_LABEL = re.compile(r"([a-z]+)(\d+)\Z")
_NEAR = 1e-3  # coordinates that differ by less are the same

Spots = Sequence[tuple[int, int]]
"""Line and column of each site, counted from the top left."""
Around = Mapping[tuple[int, int], str]
"""What is written beside the sites, by line and column."""


def draw(model: Model, position: Position, labels: Sequence[str]) -> str:
    """Draw a board and what is beside it."""
    board = model.board_sites
    texts = [shown(model, place) for place in position.places]
    frame = _frame(model, max(len(text) for text in texts[:board]), tuple(labels))
    lines = _listed(texts[:board], labels) if frame is None else _drawn(texts[:board], *frame)
    lines += _others(model, texts, labels)
    lines += _stacks(model, position, labels)
    lines += beside(model, position, texts)
    return "\n".join(lines)


def shown(model: Model, place: Place) -> str:
    """A site in a few letters: the piece on top, and how many there are."""
    if not place.pieces:
        return place.told or EMPTY
    top = place.pieces[-1]
    if len([each for each in model.components if not each.faces]) == 1 and model.counting:
        return str(place.count)
    letter = letters(model).get(top, "?")
    return letter if place.count == 1 else f"{letter}{place.count}"


def beside(model: Model, position: Position, texts: Sequence[str]) -> list[str]:
    """Hands, dice and scores, a line each."""
    lines = []
    for container in model.topology.containers[1:]:
        inside = [text for text in texts[container.first : container.first + container.count] if text != EMPTY]
        if container.kind == "dice" or not inside:
            continue
        what = held(container, position, letters(model)) if model.cards else " ".join(inside)
        shared_deck = container.kind == "deck" and not 0 < container.owner <= model.players
        lines.append(f"deck: {what}" if shared_deck else f"{owner_name(model, container.owner)} holds {what}")
    lines += filter(None, [trumps(position)])
    if position.dice:
        lines.append("dice: " + " ".join(f"{face}" if free else f"({face})" for face, free in position.dice))
    if any(position.scores):
        lines.append("score: " + ", ".join(f"{k} {score}" for k, score in enumerate(position.scores, 1)))
    return ["", *lines] if lines else []


def owner_name(model: Model, owner: int) -> str:
    """Whose something is."""
    return f"player {owner}" if 0 < owner <= model.players else "everybody"


def _others(model: Model, texts: Sequence[str], labels: Sequence[str]) -> list[str]:
    """What stands on sites of other types than the usual one, a line for each type."""
    lines = []
    for kind in model.types[1:]:
        first, count = model.spot(kind, 0), model.topology.sites(kind).count
        told = [f"{labels[k]} {texts[k]}" for k in range(first, first + count) if texts[k] != EMPTY]
        lines += [", ".join(told)] if told else []
    return ["", *lines] if lines else []


def _stacks(model: Model, position: Position, labels: Sequence[str]) -> list[str]:
    """The stacks that are not of one kind, from below."""
    board = zip(labels, position.places[: model.board_sites], strict=False)
    mixed = [(label, place) for label, place in board if len(set(place.pieces)) > 1]
    known = letters(model)
    gap = " " if model.cards else ""
    told = [f"{label} {gap.join(known.get(each, '?') for each in place.pieces)}" for label, place in mixed]
    return ["", f"stacks, from below: {', '.join(told)}"] if told else []


def _listed(texts: Sequence[str], labels: Sequence[str]) -> list[str]:
    told = [f"{label} {text}" for label, text in zip(labels, texts, strict=False) if text != EMPTY]
    return [", ".join(told) or "an empty board"]


@lru_cache(maxsize=8)
def _frame(model: Model, width: int, labels: tuple[str, ...]) -> tuple[Spots, Around] | None:
    """Where sites and coordinates are drawn, whatever lies there."""
    spots = _spots(model, width)
    return None if spots is None else (spots, _coordinates(spots, labels))


def _spots(model: Model, width: int) -> Spots | None:
    """Where the sites of the board are drawn; None if there is no room for them."""
    sites = model.topology.sites()
    rows, columns = _ranks(-sites.y), _units(sites.x)
    least = -(-(width + 1) // _gap_in_a_line(rows, columns))
    fair = round(2 * _step_of(sites.x) / _step_of(sites.y))  # a line is twice as high as a letter is wide
    scale = max(least, min(fair, _WIDEST // max(1, int(columns.max(initial=0)))))
    if columns.max(initial=0) * scale > _WIDEST or rows.max(initial=0) > _HIGHEST:
        across, down = (np.ptp(each) or 1.0 for each in (sites.x, sites.y))
        most = min(_WIDEST / across, 2 * _HIGHEST / down)
        rows = np.rint((sites.y.max() - sites.y) * most / 2).astype(np.int64)
        columns, scale = np.rint((sites.x - sites.x.min()) * most).astype(np.int64), 1
    spots = [(int(row), int(column) * scale) for row, column in zip(rows, columns, strict=True)]
    return None if _overlap(spots, width) else spots


def _overlap(spots: Spots, width: int) -> bool:
    ordered = sorted(spots)
    return any(a[0] == b[0] and b[1] - a[1] <= width for a, b in itertools.pairwise(ordered))


def _gap_in_a_line(rows: NDArray[np.int64], columns: NDArray[np.int64]) -> int:
    """The smallest number of columns between two sites of a line."""
    ordered = sorted(zip(rows.tolist(), columns.tolist(), strict=True))
    gaps = [b[1] - a[1] for a, b in itertools.pairwise(ordered) if a[0] == b[0] and b[1] > a[1]]
    return min(gaps, default=1)


def _ranks(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """The place of each number among the different ones."""
    order = np.argsort(values, kind="stable")
    steps = np.concatenate([[0], np.cumsum(np.diff(values[order]) > _NEAR)]) if len(values) else np.zeros(0)
    ranks = np.empty(len(values), np.int64)
    ranks[order] = steps
    return ranks


def _units(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Each number as a multiple of the smallest gap between two of them, or of the usual one where that fits better."""
    if not len(values):
        return np.zeros(0, np.int64)
    gaps = np.diff(np.sort(values))
    usual = float(np.median(gaps[gaps > _NEAR])) if (gaps > _NEAR).any() else 1.0
    multiples = (values - values.min()) / _step_of(values)
    units: NDArray[np.int64] = np.rint(multiples).astype(np.int64)
    others: NDArray[np.int64] = np.rint((values - values.min()) / usual).astype(np.int64)
    uneven = bool((np.abs(multiples - units) > 0.2).any())
    return others if uneven and len(np.unique(others)) == len(np.unique(_ranks(values))) else units


def _step_of(values: NDArray[np.float64]) -> float:
    """The smallest gap between two different numbers."""
    gaps = np.diff(np.sort(values))
    return float(gaps[gaps > _NEAR].min(initial=np.inf)) if (gaps > _NEAR).any() else 1.0


def _drawn(texts: Sequence[str], spots: Spots, around: Around) -> list[str]:
    drawn = dict(zip(spots, texts, strict=True))
    top, left = (min([0, *(spot[k] for spot in around)]) for k in (0, 1))
    lines: dict[int, str] = {}
    for (row, column), text in sorted((drawn | dict(around)).items()):
        line = lines.get(row - top, "")
        lines[row - top] = line.ljust(column - left) + text
    return [lines.get(row, "").rstrip() for row in range(max(lines, default=0) + 1)]


def _coordinates(spots: Spots, labels: Sequence[str]) -> Around:
    """Numbers before the rows and letters below the columns, where sites are named by such: one step further on."""
    found: dict[tuple[int, int], str] = {}
    matches = [_LABEL.match(label) for label in labels[: len(spots)]]
    if not all(matches):
        return found
    taken = {(row, column + k) for row, column in spots for k in (-1, 0, 1)}
    for part, first in ((2, True), (1, False)):
        groups: dict[str, list[tuple[int, int]]] = {}
        for match, spot in zip(matches, spots, strict=True):
            assert match is not None
            groups.setdefault(match[part], []).append(spot)
        steps = [_step(group, first=first) for group in groups.values()]
        usual = next((step for step in steps if step), (0, -3) if first else (1, 0))
        for (name, group), step in zip(groups.items(), steps, strict=True):
            row, column = _ends(group, first=first)[0]
            down, across = step or usual
            text = name.rjust(2) if first else name
            spot = (row + down, column + across - (len(text) - 1 if first else 0))
            inline = [each for line, each in spots if line == spot[0]]
            outside = not inline or not min(inline) < spot[1] < max(inline)
            if outside and all((spot[0], spot[1] + k) not in taken for k in range(len(text))):
                found[spot] = text
                taken |= {(spot[0], spot[1] + k) for k in range(len(text))}
    return found


def _ends(group: Sequence[tuple[int, int]], *, first: bool) -> list[tuple[int, int]]:
    """The sites of a row from the left, or of a column from below."""
    return sorted(group, key=lambda spot: (spot[1], spot[0]) if first else (-spot[0], spot[1]))


def _step(group: Sequence[tuple[int, int]], *, first: bool) -> tuple[int, int] | None:
    """From the second site of a row or a column to its first one."""
    if len(group) < 2:
        return None
    ends = _ends(group, first=first)
    steps = [(one[0] - two[0], one[1] - two[1]) for one, two in itertools.pairwise(ends[:3])]
    return steps[0] if steps[0] == steps[-1] or (steps[0][0] == 0) == (steps[-1][0] == 0) else None
