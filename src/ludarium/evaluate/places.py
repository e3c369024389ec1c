"""How near pieces stand to places of a board of which only coordinates are known, and which cells are in a line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from ludarium.core import Game
from ludarium.core.hints import Lines, Pieces

_DIGITS = 9

_PLACES: Mapping[str, Callable[[float, float], float]] = {
    "centre": lambda x, y: 1.0 - 2.0 * max(abs(x - 0.5), abs(y - 0.5)),
    "corners": lambda x, y: 1.0 - 2.0 * max(min(x, 1.0 - x), min(y, 1.0 - y)),
    "sides": lambda x, y: 1.0 - 2.0 * min(x, 1.0 - x, y, 1.0 - y),
}
"""From 1 at the place to 0 as far as one can be, by the larger of both distances: as a king walks."""


def by_coordinates(game: Game) -> Mapping[str, Sequence[tuple[Pieces, float]]]:
    """Pieces of the roles by how near they stand to places; nothing where a game does not tell where its facts stand."""
    cells = game.offers.cells() if game.offers.cells is not None else {}
    pieces = game.offers.pieces() if game.offers.pieces is not None else ()
    found: dict[str, Sequence[tuple[Pieces, float]]] = {}
    for place, near in _PLACES.items():
        groups: defaultdict[tuple[int, int, float], int] = defaultdict(int)
        for each in pieces:
            for bit in _bits(each.mask):
                if (at := cells.get(8 * each.offset + bit)) is not None:
                    groups[each.role, each.offset, round(near(*at), _DIGITS)] |= 1 << bit
        kept = sorted((key, mask) for key, mask in groups.items() if key[2] > 0)
        found[place] = [(Pieces(role, offset, mask), worth) for (role, offset, worth), mask in kept]
    return found


def lines_by_coordinates(game: Game, length: int) -> Lines:
    """Lines of cells that are evenly spaced in rows, columns and diagonals; 3 long if nothing is said."""
    cells = game.offers.cells() if game.offers.cells is not None else {}
    pieces = game.offers.pieces() if game.offers.pieces is not None else ()
    length = length or 3
    xs, ys = (sorted({round(at[axis], _DIGITS) for at in cells.values()}) for axis in (0, 1))
    grid = {bit: (xs.index(round(x, _DIGITS)), ys.index(round(y, _DIGITS))) for bit, (x, y) in cells.items()}
    number = {place: k for k, place in enumerate(sorted(set(grid.values())))}
    windows = []
    for x, y in number:
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            line = [number.get((x + k * dx, y + k * dy), -1) for k in range(-1, length + 1)]
            if -1 not in line[1:-1]:
                windows.append((tuple(line[1:-1]), line[0], line[-1]))
    placed = [
        Pieces(each.role, each.offset, sum(1 << bit for bit in _bits(each.mask) if 8 * each.offset + bit in grid))
        for each in pieces
    ]
    return Lines([each for each in placed if each.mask], {bit: number[place] for bit, place in grid.items()}, windows)


def _bits(mask: int) -> Sequence[int]:
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]
