"""Where facts and moves lie: those that differ in their coordinates alone share words, a bit per cell.

`(cell 3 4 white)` is a bit of the word of `(cell ? ? white)`, at the same place as `(cell 3 4 black)` is in its word.
Words of bits can then be worked on at once. All that this decides is an order, so it may guess from names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import combinations, pairwise
from math import prod
from typing import NamedTuple

_LARGE = 10000  # facts, or moves of a group: such a game gains nothing from an order
_LEAST = 4  # facts that are worth a word of their own
_CELLS, _STEPS = 256, 2048  # places on a board, and of facts with one argument such as a count of moves
_AXES = 3
_WIDE = 5  # arguments, among which there is time to look for more than two coordinates
_GAPS = 3
_APART = 6  # moves that a word has at least: with fewer it takes less to work out each by itself
_OWN = "( "  # how facts begin that no description has
GAP = "( gap"
"""How the names of facts begin that only fill a place."""

Words = tuple[str, ...]


class Board(NamedTuple):
    """The places of cells: the numbers of the coordinates along each axis, and how far apart they lie."""

    number: int
    axes: tuple[dict[str, int], ...]
    strides: tuple[int, ...]

    @property
    def cells(self) -> int:
        """How many places there are."""
        return prod(map(len, self.axes))

    def places(self, columns: Sequence[Sequence[str]]) -> list[int]:
        """The places of cells, whose coordinates are given axis by axis."""
        parts = []
        for axis, coordinates, step in zip(self.axes, columns, self.strides, strict=True):
            part = {word: number * step for word, number in axis.items()}
            parts.append(map(part.__getitem__, coordinates))
        return list(map(sum, zip(*parts, strict=True)))


class Row(NamedTuple):
    """Facts with a place each, in the order of their places."""

    board: int
    facts: dict[int, str]


class Slot(NamedTuple):
    """The bit of a move in its group; the board on which it has a place and the first bit of that, or -1."""

    bit: int
    board: int
    first: int
    move: str


class Order(NamedTuple):
    """Boards, the facts that have places on them, and the other facts."""

    boards: list[Board]
    rows: list[Row]
    others: list[str]

    @property
    def facts(self) -> list[str]:
        """All facts: row by row, then the others."""
        return [text for row in self.rows for text in row.facts.values()] + self.others


def arrange(facts: Iterable[str], moves: Iterable[str]) -> Order:
    """Find boards, and put the facts in order; a coordinate that moves name alone runs fastest."""
    names = sorted(facts)
    order = Order([], [], [])
    if len(names) > _LARGE:
        return order._replace(others=names)
    spoken = [_words(text) for text in moves]
    alone = {words[1:] for words in spoken if len(words) == 2}
    columns = {word for (word,) in alone} if len(alone) > 1 else set()
    named = _named(spoken)
    by_shape: dict[tuple[str, int], dict[Words, str]] = defaultdict(dict)
    for text in names:
        words = _words(text)
        same = by_shape[words[0], len(words)] if words else {}
        if words[1:] in same or len(words) < 2 or text.startswith(_OWN):
            order.others.append(text)
        else:
            same[words[1:]] = text
    for _, members in sorted(by_shape.items(), key=lambda item: (-len(item[1]), item[0])):
        _lay(members, columns, named, order)
    order.others.sort()
    return order


def _named(moves: Iterable[Words]) -> list[set[str]]:
    """What moves name, argument by argument, if it is more than one thing."""
    found: dict[tuple[str, int, int], set[str]] = defaultdict(set)
    for words in moves:
        for at, word in enumerate(words[1:]):
            found[words[0], len(words), at].add(word)
    return [words for words in found.values() if len(words) > 1]


def _lay(members: dict[Words, str], columns: set[str], named: Sequence[set[str]], order: Order) -> None:
    """Find the coordinates of facts with one name, and give the facts their places."""
    chosen = _coordinates(list(members), named) if len(members) >= _LEAST else None
    if chosen is None:
        order.others.extend(members.values())
        return
    values = [{words[at] for words in members} for at in chosen]
    board = next((b for b in order.boards if _fits(b, values)), None)
    if board is None:
        board = _board(len(order.boards), values, columns)
        order.boards.append(board)
    rows: dict[Words, dict[int, str]] = defaultdict(dict)
    places = board.places([[words[at] for words in members] for at in chosen])
    for place, (words, text) in zip(places, members.items(), strict=True):
        rows[tuple(word for at, word in enumerate(words) if at not in chosen)][place] = text
    for kind in sorted(rows):
        order.rows.append(Row(board.number, _filled(rows[kind], len(order.rows))))


def _filled(row: dict[int, str], number: int) -> dict[int, str]:
    """A row in the order of its places; one with many gaps gets facts that never hold, so that it can be copied whole."""
    places = sorted(row)
    if sum(there - here > 1 for here, there in pairwise(places)) > _GAPS:
        places = list(range(places[0], places[-1] + 1))
    return {place: row.get(place) or f"{GAP} {number} {place})" for place in places}


def _coordinates(members: list[Words], named: Sequence[set[str]]) -> tuple[int, ...] | None:
    """The arguments that are coordinates: with those taken out, the fewest kinds remain; two are likeliest.

    What moves name is a coordinate sooner than what they do not.
    """
    width = len(members[0])
    found = [{words[at] for words in members} for at in range(width)]
    values = list(map(len, found))
    spoken = [any(words <= each for words in named) for each in found]
    best: tuple[int, tuple[int, ...]] | None = None
    for count in range(1, min(_AXES if width <= _WIDE else 2, width) + 1):
        for chosen in combinations(range(width), count):
            cells = prod(values[at] for at in chosen)
            passed_over = any(spoken[at] for at in range(width) if at not in chosen)
            if 1 < cells <= (_STEPS if width == 1 else _CELLS) and not (
                passed_over and not all(spoken[at] for at in chosen)
            ):
                kinds = len({tuple(w for at, w in enumerate(words) if at not in chosen) for words in members})
                cost = kinds * -(-cells // 64) + (0, 1, 0, 2)[count]
                if best is None or cost < best[0]:
                    best = cost, chosen
    return best[1] if best else None


def _board(number: int, values: Sequence[set[str]], columns: set[str]) -> Board:
    axes = tuple({word: place for place, word in enumerate(sorted(each, key=_natural))} for each in values)
    inward = sorted(range(len(axes)), key=lambda k: (not columns or columns != set(axes[k]), -k))
    strides, step = [0] * len(axes), 1
    for k in inward:
        strides[k] = step
        step *= len(axes[k])
    return Board(number, axes, tuple(strides))


def _fits(board: Board, values: Sequence[set[str]]) -> bool:
    return len(values) == len(board.axes) and all(
        each <= axis.keys() for each, axis in zip(values, board.axes, strict=True)
    )


def slots(names: Sequence[str], boards: Sequence[Board]) -> list[Slot]:
    """Give the moves of a group bits, in rising order; moves in one direction share words."""
    by_shape: dict[tuple[str, int], dict[Words, str]] = defaultdict(dict)
    rest, found, first = [], [], 0
    for text in names:
        words = _words(text)
        same = by_shape[words[0], len(words)] if words else {}
        if words[1:] in same or not words or len(names) > _LARGE:
            rest.append(text)
        else:
            same[words[1:]] = text
    for _, members in sorted(by_shape.items()):
        laid = _directions(members, boards) if len(members) >= _LEAST else None
        if laid is None:
            rest += members.values()
            continue
        board, kinds = laid
        for kind in sorted(kinds):
            at = 64 * first
            found += [Slot(at + place, board.number, at, text) for place, text in sorted(kinds[kind].items())]
            first += -(-board.cells // 64)
    return found + [Slot(64 * first + place, -1, -1, text) for place, text in enumerate(sorted(rest))]


def _directions(
    members: dict[Words, str], boards: Sequence[Board]
) -> tuple[Board, dict[tuple[str, ...], dict[int, str]]] | None:
    """Moves by direction, if that takes few words more than a dense list would."""
    columns = list(zip(*members, strict=True))
    values = list(map(set, columns))
    most = 4 + len(members) // _APART
    best: tuple[Board, tuple[int, ...], list[tuple[str, ...]]] | None = None
    for board in boards:
        ways = cache(partial(_ways, columns, board))
        for chosen in combinations(range(len(columns)), len(board.axes)):
            if len(chosen) > 1 and _fits(board, [values[at] for at in chosen]):
                each = -(-board.cells // 64)
                told = _told(columns, chosen, ways, most // each)
                if told is not None:
                    most, best = len(set(told)) * each - 1, (board, chosen, told)
    if best is None:
        return None
    board, chosen, told = best
    kinds: dict[tuple[str, ...], dict[int, str]] = defaultdict(dict)
    for place, kind, text in zip(board.places([columns[at] for at in chosen]), told, members.values(), strict=True):
        kinds[kind][place] = text
    return board, kinds


_Way = tuple[Sequence[str], int]  # a column, and how many things it tells apart


def _told(
    columns: Sequence[Words], chosen: tuple[int, ...], ways: Callable[[int, int, int], list[_Way]], most: int
) -> list[tuple[str, ...]] | None:
    """What each move differs in from others besides where it starts, told in the fewest ways; None if these are too many.

    The end of a move is told by its distance.
    """
    tried = []
    for at in (at for at in range(len(columns)) if at not in chosen):
        tried.append([way for axis, start in enumerate(chosen) for way in ways(at, start, axis)] + ways(at, at, -1))
        if min(least for _, least in tried[-1]) > most:
            return None
    best = _fewest(tried, most)
    return None if best is None else list(zip(*best, strict=True)) if best else [()] * len(columns[0])


def _ways(columns: Sequence[Words], board: Board, at: int, start: int, number: int) -> list[_Way]:
    """A column as distances from another along an axis, if it has coordinates of that; as it is where there is no axis."""
    if number < 0:
        return [(columns[at], len(set(columns[at])))]
    axis = board.axes[number]
    if not axis.keys() >= set(columns[at]):
        return []
    far = {
        (end, begin): f"{axis[end] - axis[begin]:+04}"
        for end, begin in set(zip(columns[at], columns[start], strict=True))
    }
    return [(list(map(far.__getitem__, zip(columns[at], columns[start], strict=True))), len(set(far.values())))]


def _fewest(tried: Sequence[Sequence[_Way]], most: int) -> list[Sequence[str]] | None:
    """A column of each choice, so that the fewest rows differ, the first such; None if more would differ than may.

    Rows that differ in some columns differ in more of them, so a beginning with too many is not gone on with.
    """
    if not tried:
        return [] if most > 0 else None
    best: list[Sequence[str]] | None = None

    def choose(before: Sequence[int | str], begun: list[Sequence[str]]) -> None:
        nonlocal best, most
        for column, least in tried[len(begun)]:
            if least > most:
                continue
            kinds = set(pairs := list(zip(before, column, strict=True)))
            if len(kinds) > most:
                continue
            made = [*begun, column]
            if len(made) == len(tried):
                best, most = made, len(kinds) - 1
            else:
                number = dict(zip(kinds, range(len(kinds)), strict=True))
                choose(list(map(number.__getitem__, pairs)), made)

    for column, least in tried[0]:
        if len(tried) > 1 and least <= most:
            choose(column, [column])
        elif least <= most:
            best, most = [column], least - 1
    return best


def _words(text: str) -> Words:
    return tuple(text.replace("(", " ").replace(")", " ").split())


def _natural(word: str) -> tuple[int, str]:
    """Numbers in the order of their values, before other words."""
    return (int(word), "") if word.isdecimal() and word.isascii() else (1 << 60, word)
