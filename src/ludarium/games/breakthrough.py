"""Breakthrough on a board of any size up to 8x8, on bit boards; a model for games with parameters.

Its kernels are closures: `width` and `height` are constants to the compiler. Its playout draws a move by its
number and never lists the others, nearly three times as fast; it follows the order of `legal`, so that both
ways of playing at random make the same moves from the same seed.
"""

from __future__ import annotations

import re
from typing import Any

from ludarium.core import ActionKernels, BadParameter, IllegalMove, Offers, Role, Traits
from ludarium.core.hints import Pieces
from ludarium.kernel import (
    KernelGame,
    Record,
    Stream,
    array,
    below,
    buffer,
    ctz,
    f64,
    i64,
    kernel,
    popcount,
    u8,
    u64,
    view,
)

RULES = """\
Each side begins with two full rows. A piece moves one step ahead, straight or diagonally, onto an empty cell;
it captures an enemy by a diagonal step only. Whoever reaches the far row, or captures every enemy, wins.
White (X) begins and moves up. A move is written as two cells: a2a3."""


class State(Record):
    """The pieces of each side, a bit per cell, row by row from a1; whose turn it is; 1 + the winner."""

    pieces = array(u64, 2)
    turn: u8
    winner: u8


def breakthrough(width: int = 8, height: int = 8) -> KernelGame:
    """Make the game for a board of this size."""
    for name, size, least in (("width", width, 2), ("height", height, 4)):
        if type(size) is not int or not least <= size <= 8:
            raise BadParameter(f"the {name} of Breakthrough's board goes from {least} to 8: not {size}")
    columns = "abcdefgh"[:width]

    def text(move: int) -> str:
        places = (move // 64, move % 64)
        return "".join(f"{columns[place % width]}{place // width + 1}" for place in places)

    def parse(written: str) -> int:
        match = re.fullmatch(r"([a-h])([1-8])[-x]?([a-h])([1-8])", written)
        if not match:
            raise IllegalMove(f"'{written}' is not a move: write two cells, like a2a3")
        column, row, to_column, to_row = match.groups()
        if max(column, to_column) > columns[-1] or max(int(row), int(to_row)) > height:
            raise IllegalMove(f"'{written}' leaves the board, which ends at {columns[-1]}{height}")
        start = (int(row) - 1) * width + columns.index(column)
        return start * 64 + (int(to_row) - 1) * width + columns.index(to_column)

    def picture(state: State, role: Role | None) -> str:
        lines = []
        for row in reversed(range(height)):
            bits = [1 << (row * width + column) for column in range(width)]
            cells = ["X" if state.pieces[0] & b else "O" if state.pieces[1] & b else "." for b in bits]
            lines.append(f"{row + 1} {' '.join(cells)}")
        return "\n".join([*lines, f"  {' '.join(columns)}"])

    # At most height - 2 steps from the first row and height - 3 from the second; one more step wins.
    plies = 2 * width * (2 * height - 5) + 1
    board, (kernels, actions) = (1 << width * height) - 1, _kernels(width, height)
    return KernelGame(
        "breakthrough" if width == height == 8 else f"breakthrough(width={width}, height={height})",
        ("white", "black"),
        Traits(
            turn_taking=True,
            deterministic=True,
            perfect_information=True,
            constant_sum=True,
            max_plies=plies,
        ),
        state=State,
        max_moves=6 * width,
        text=text,
        parse=parse,
        picture=picture,
        offers=Offers(
            rules=RULES,
            pieces=lambda: [Pieces(role, State.fields["pieces"][1] + 8 * role, board) for role in (0, 1)],
            actions=lambda: ActionKernels(**actions),
        ),
        **kernels,
    )


def _kernels(width: int, height: int) -> tuple[dict[str, Any], dict[str, Any]]:
    row = (1 << width) - 1
    far = row << width * (height - 1)
    board = (1 << width * height) - 1
    left_column = sum(1 << width * y for y in range(height))
    not_left = board ^ left_column
    not_right = board ^ (left_column << (width - 1))

    @kernel
    def init(state: State, rng: Stream) -> None:
        """Begin with two rows each."""
        state.pieces[0] = row | (row << width)
        state.pieces[1] = far | (far >> width)
        state.turn = 0
        state.winner = 0

    @kernel
    def movers(state: State) -> i64:
        """Take turns until a side has won."""
        return 0 if state.winner != 0 else 1 << state.turn

    @kernel
    def ahead(pieces: u64, role: i64, aside: i64) -> u64:
        """Move all pieces one row ahead and -1, 0 or 1 columns to the right."""
        return (pieces << (width + aside)) & board if role == 0 else pieces >> (width - aside)

    @kernel
    def legal(state: State, role: i64, out: buffer[u64]) -> i64:
        """List the steps to the left, then straight ahead, then to the right."""
        mine = state.pieces[role]
        back = width * (2 * role - 1)  # from a target to where the step began
        count = put(ahead(mine & not_left, role, -1) & ~mine, back + 1, out, 0)
        count = put(ahead(mine, role, 0) & ~(mine | state.pieces[1 - role]), back, out, count)
        return put(ahead(mine & not_right, role, 1) & ~mine, back - 1, out, count)

    @kernel
    def put(targets: u64, back: i64, out: buffer[u64], count: i64) -> i64:
        """Write a move for every target."""
        while targets != 0:
            to = ctz(targets)
            out[count] = u64((to + back) * 64 + to)
            count += 1
            targets &= targets - 1
        return count

    @kernel
    def apply(state: State, joint: view[u64], rng: Stream) -> None:
        """Move a piece, and take what stands there."""
        role = state.turn
        to = u64(1) << (joint[role] & 63)
        state.pieces[role] ^= to | (u64(1) << (joint[role] >> 6))
        state.pieces[1 - role] &= ~to
        state.turn = 1 - role
        if to & (row | far) != 0 or state.pieces[1 - role] == 0:
            state.winner = role + 1

    @kernel
    def utilities(state: State, out: view[f64]) -> None:
        """There are no draws; a game that goes on is worth a half."""
        out[0] = 0.5 if state.winner == 0 else 1.0 if state.winner == 1 else 0.0
        out[1] = 1.0 - out[0]

    @kernel
    def hash_state(state: State) -> u64:
        """Mix the pieces and the turn; whoever has won, the pieces tell."""
        mixed = (state.pieces[0] * 0x9E3779B97F4A7C15) ^ ((state.pieces[1] ^ u64(state.turn)) * 0xD6E8FEB86659FD93)
        mixed = (mixed ^ (mixed >> 32)) * 0xD6E8FEB86659FD93
        return mixed ^ (mixed >> 32)

    @kernel
    def sample_action(state: State, role: i64, out: buffer[u64], rng: Stream) -> i64:
        """Draw a step without listing them all."""
        mine = state.pieces[role]
        left = ahead(mine & not_left, role, -1) & ~mine
        straight = ahead(mine, role, 0) & ~(mine | state.pieces[1 - role])
        right = ahead(mine & not_right, role, 1) & ~mine
        first = popcount(left)
        second = first + popcount(straight)
        n = below(rng, second + popcount(right))
        targets = right if n >= second else (straight if n >= first else left)
        aside = (1 if n >= second else 0) - (1 if n < first else 0)
        n -= second if n >= second else (first if n >= first else 0)
        for _ in range(n):
            targets &= targets - 1
        to = ctz(targets)
        out[0] = u64((to + width * (2 * role - 1) - aside) * 64 + to)
        return 1

    @kernel
    def is_legal(state: State, role: i64, move: u64) -> i64:
        """Whether a piece of the role stands where the step begins, and may make it."""
        if move >> 12 != 0:
            return 0
        mine = state.pieces[role]
        start = mine & (u64(1) << (move >> 6))
        to = u64(1) << (move & 63)
        left = ahead(start & not_left, role, -1) & ~mine
        straight = ahead(start, role, 0) & ~(mine | state.pieces[1 - role])
        right = ahead(start & not_right, role, 1) & ~mine
        return 1 if (left | straight | right) & to != 0 else 0

    @kernel
    def count_moves(state: State, role: i64) -> i64:
        """Count the steps without listing them."""
        mine = state.pieces[role]
        left = ahead(mine & not_left, role, -1) & ~mine
        straight = ahead(mine, role, 0) & ~(mine | state.pieces[1 - role])
        right = ahead(mine & not_right, role, 1) & ~mine
        return popcount(left) + popcount(straight) + popcount(right)

    @kernel
    def playout(state: State, rng: Stream, limit: i64) -> i64:
        """Play at random; what is chosen without branches cannot be mispredicted."""
        role = state.turn
        mine = state.pieces[role]
        theirs = state.pieces[1 - role]
        plies = 0
        while plies < limit and state.winner == 0:
            left = ahead(mine & not_left, role, -1) & ~mine
            straight = ahead(mine, role, 0) & ~(mine | theirs)
            right = ahead(mine & not_right, role, 1) & ~mine
            first = popcount(left)
            second = first + popcount(straight)
            n = below(rng, second + popcount(right))
            targets = right if n >= second else (straight if n >= first else left)
            aside = (1 if n >= second else 0) - (1 if n < first else 0)
            n -= second if n >= second else (first if n >= first else 0)
            for _ in range(n):
                targets &= targets - 1
            to = targets & (0 - targets)
            mine ^= to | ahead(to, 1 - role, -aside)
            theirs &= ~to
            if to & (row | far) != 0 or theirs == 0:
                state.winner = role + 1
            swap = mine
            mine = theirs
            theirs = swap
            role = 1 - role
            plies += 1
        state.turn = role
        state.pieces[role] = mine
        state.pieces[1 - role] = theirs
        return plies

    return {
        "init": init,
        "movers": movers,
        "legal": legal,
        "apply": apply,
        "utilities": utilities,
        "hash": hash_state,
        "playout": playout,
    }, {"sample": sample_action, "is_legal": is_legal, "count_moves": count_moves}
