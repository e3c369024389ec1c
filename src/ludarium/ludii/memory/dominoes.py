"""Dominoes: where the next one may lie, whether pips match, and which are in the bag, as kernels over the layout of a game.

A domino covers two times four sites: the first half of its walk shows one number, the second half the other. Nothing of this
is kept: what lies where tells it all, so that nothing can be seen that is hidden.
"""

from __future__ import annotations

from typing import Any

from ludarium.kernel import Kernel, array, constant, ctz, i32, i64, kernel, popcount, u8, u64, view
from ludarium.ludii.memory.state import Layout

_WAYS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
_HALF, _WHOLE = 4, 8
_REACH = 4
"""A line of play goes on as far as a domino is long."""


def domino_kernels(layout: Layout, given: dict[str, Kernel[Any]]) -> dict[str, Kernel[Any]]:
    """Make the kernels that ask about dominoes; where there are none, nobody asks."""
    State: Any = layout.state
    model, board, words = layout.model, layout.model.board_sites, layout.spot_words
    dominoes, all_sites, shared = model.dominoes, layout.spots, layout.players + 1
    if not dominoes:
        return {}
    steps = [model.topology.steps("Cell", way) for way in _WAYS]
    nexts = constant(i32, [row[x][0] if row[x] else -1 for row in steps for x in range(board)])
    pips = constant(
        u8, [n for each in (None, *model.components) for n in (each.pips if each and each.pips else (0, 0))]
    )
    is_domino = constant(u8, [0, *(int(bool(each.pips)) for each in model.components)])
    kinds, room = len(is_domino), -(-len(is_domino) // 64)
    centre = min(model.topology.sites().centre)
    is_empty, covers = given["is_empty"], given["covers"]

    @kernel
    def next_to(x: i64, way: i64) -> i64:
        """The next site in one of eight directions, clockwise from north; -1 off the board."""
        if x < 0:
            return -1
        return i64(nexts[(way & 7) * board + x])

    @kernel
    def may_lie(s: State, x: i64, out: view[u64]) -> None:
        if x >= 0:
            if is_empty(s, x):
                out[x >> 6] |= u64(1) << u64(x & 63)

    @kernel
    def line_from(s: State, a: i64, b: i64, way: i64, across: i64, out: view[u64]) -> None:
        """The free sites on from two sites of a domino, and at its ends those beside them: `across` is where they are."""
        x = next_to(a, way)
        y = next_to(b, way)
        if next_to(x, way) < 0 or next_to(y, way) < 0:
            return
        if across != 0 and is_empty(s, x) and is_empty(s, y):
            may_lie(s, next_to(a, way + across), out)
            may_lie(s, next_to(b, way - across), out)
        for _ in range(_REACH):
            if x < 0 or y < 0:
                return
            if not is_empty(s, x) or not is_empty(s, y):
                return
            may_lie(s, x, out)
            may_lie(s, y, out)
            x = next_to(x, way)
            y = next_to(y, way)

    @kernel
    def line_of_play(s: State, out: view[u64]) -> None:
        """The sites that the next domino may cover; before the first one the centre."""
        none = True
        for k in range(words):
            bits = s.owned[shared * words + k]
            while bits != u64(0):
                x = k * 64 + i64(ctz(bits))
                bits &= bits - u64(1)
                piece = i64(s.what[x])
                if x < board and piece > 0:
                    if is_domino[piece] == 1:
                        none = False
                        state = i64(s.state[x])
                        turn = 2 * state
                        line_from(s, x, covers(piece, state, x, 1), 6 + turn, -1, out)
                        line_from(s, covers(piece, state, x, 7), covers(piece, state, x, 6), 2 + turn, 1, out)
                        if pips[2 * piece] == pips[2 * piece + 1]:
                            line_from(s, covers(piece, state, x, 2), covers(piece, state, x, 5), turn, 0, out)
                            line_from(s, covers(piece, state, x, 3), covers(piece, state, x, 4), 4 + turn, 0, out)
        if none:
            out[centre >> 6] |= u64(1) << u64(centre & 63)

    @kernel
    def domino_on(s: State, x: i64) -> i64:
        """Which domino covers a site: eight times its kind, plus which of its sites that is; 0 if there is none."""
        for k in range(words):
            bits = s.owned[shared * words + k]
            while bits != u64(0):
                root = k * 64 + i64(ctz(bits))
                bits &= bits - u64(1)
                piece = i64(s.what[root])
                if root < board and piece > 0:
                    if is_domino[piece] == 1:
                        for j in range(_WHOLE):
                            if covers(piece, i64(s.state[root]), root, j) == x:
                                return piece * _WHOLE + j
        return 0

    @kernel
    def pips_on(found: i64) -> i64:
        return i64(pips[2 * (found // _WHOLE) + (1 if found % _WHOLE >= _HALF else 0)])

    @kernel
    def pips_match(s: State, x: i64) -> bool:
        """Whether a domino shows what all its neighbours show, and lies with a whole side at another, if it is not the first."""
        if x < 0 or x >= board:
            return True
        piece = i64(s.what[x])
        if is_domino[piece] == 0:
            return True
        state = i64(s.state[x])
        around = array(i64, 16)
        kind = array(i64, 16)
        many = 0
        for j in range(_WHOLE):
            at = covers(piece, state, x, j)
            shown = i64(pips[2 * piece + (1 if j >= _HALF else 0)])
            for turn in range(4):
                to = next_to(at, 2 * turn)
                if to >= 0:
                    found = domino_on(s, to)
                    if found > 0 and found // _WHOLE != piece:
                        if pips_on(found) != shown:
                            return False
                        around[many] = to
                        kind[many] = found // _WHOLE
                        many += 1
        if s.moves <= 1:
            return True
        matches = False
        for i in range(many):  # of the sites that it touches, two in a line have to be those of one domino
            beside = 0
            other = 0
            for turn in range(4):
                at = next_to(around[i], 2 * turn)
                while at >= 0:
                    for j in range(many):
                        if around[j] == at:
                            beside += 1
                            other = kind[j] if beside == 1 else other
                    at = next_to(at, 2 * turn)
                if beside > 1:
                    return False
                if beside == 1:
                    matches = kind[i] == other
        return matches

    @kernel
    def find_bag(s: State, bag: view[u64]) -> i64:
        """The dominoes that lie nowhere, and how many they are."""
        for piece in range(1, kinds):
            if is_domino[piece] == 1:
                bag[piece >> 6] |= u64(1) << u64(piece & 63)
        for x in range(all_sites):
            piece = i64(s.what[x])
            bag[piece >> 6] &= ~(u64(1) << u64(piece & 63))
        many = 0
        for k in range(room):
            many += i64(popcount(bag[k]))
        return many

    @kernel
    def bag_size(s: State) -> i64:
        bag = array(u64, room)
        return find_bag(s, bag)

    @kernel
    def in_bag(s: State, rank: i64) -> i64:
        """One of the dominoes in the bag, by its rank."""
        bag = array(u64, room)
        find_bag(s, bag)
        left = rank
        for piece in range(1, kinds):
            if (bag[piece >> 6] >> u64(piece & 63)) & u64(1) == u64(1):
                if left == 0:
                    return piece
                left -= 1
        return 0

    made: list[Kernel[Any]] = [
        next_to, may_lie, line_from, line_of_play, domino_on, pips_on, pips_match, find_bag, bag_size, in_bag,
    ]  # fmt: skip
    return {each.name: each for each in made}
