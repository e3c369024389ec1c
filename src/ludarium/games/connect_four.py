"""Connect Four on bit boards: 7 columns of 7 bits each, and a line is found with four shifts."""

from __future__ import annotations

from ludarium.core import ActionKernels, IllegalMove, Offers, Role, Traits
from ludarium.core.hints import Pieces
from ludarium.kernel import KernelGame, Record, Stream, array, buffer, f64, i64, kernel, popcount, u8, u64, view

RULES = """\
Red (X) and yellow (O) take turns to drop a disc into one of seven columns, where it falls onto the discs
below. Four of one's discs in a line, across, up or diagonally, win; a full board is a draw.
A move is written as a column: a to g."""

COLUMNS = 7
ROWS = 6
LETTERS = "abcdefg"
STRIDE = ROWS + 1  # an empty row on top keeps columns apart
TOP = sum(1 << (column * STRIDE + ROWS - 1) for column in range(COLUMNS))


class State(Record):
    """The discs of each side, a bit per cell; how many discs each column holds; 1 + the winner."""

    discs = array(u64, 2)
    height = array(u8, COLUMNS)
    plies: u8
    winner: u8


@kernel
def init(state: State, rng: Stream) -> None:
    """Begin with an empty board."""
    state.discs[0] = 0
    state.discs[1] = 0
    for column in range(COLUMNS):
        state.height[column] = 0
    state.plies = 0
    state.winner = 0


@kernel
def movers(state: State) -> i64:
    """Red moves first; the game ends with a line or a full board."""
    if state.winner != 0 or state.plies == COLUMNS * ROWS:
        return 0
    return 1 << (state.plies & 1)


@kernel
def legal(state: State, role: i64, out: buffer[u64]) -> i64:
    """Any column with room."""
    count = 0
    for column in range(COLUMNS):
        if state.height[column] < ROWS:
            out[count] = u64(column)
            count += 1
    return count


@kernel
def is_legal(state: State, role: i64, move: u64) -> i64:
    """Whether the column exists and has room."""
    return 1 if move < COLUMNS and state.height[i64(move)] < ROWS else 0


@kernel
def count_moves(state: State, role: i64) -> i64:
    """Count the columns with room: those whose top cell is empty."""
    return popcount(TOP & ~(state.discs[0] | state.discs[1]))


@kernel
def apply(state: State, joint: view[u64], rng: Stream) -> None:
    """Drop a disc, and see whether it makes a line."""
    side = state.plies & 1
    column = i64(joint[side])
    mine = state.discs[side] | (u64(1) << (column * STRIDE + state.height[column]))
    state.discs[side] = mine
    state.height[column] += 1
    state.plies += 1
    if has_line(mine):
        state.winner = side + 1


@kernel
def has_line(discs: u64) -> bool:
    """Whether four discs stand in a line: vertical, horizontal or diagonal."""
    a = discs & (discs >> 1)
    b = discs & (discs >> STRIDE)
    c = discs & (discs >> (STRIDE - 1))
    d = discs & (discs >> (STRIDE + 1))
    a &= a >> 2
    b &= b >> (2 * STRIDE)
    c &= c >> (2 * (STRIDE - 1))
    d &= d >> (2 * (STRIDE + 1))
    return a | b | c | d != 0


@kernel
def utilities(state: State, out: view[f64]) -> None:
    """Give the game to a line; anything else is worth a half."""
    out[0] = 0.5 if state.winner == 0 else 1.0 if state.winner == 1 else 0.0
    out[1] = 1.0 - out[0]


@kernel
def hash_state(state: State) -> u64:
    """Mix the discs: they tell all the rest."""
    mixed = (state.discs[0] * 0x9E3779B97F4A7C15) ^ (state.discs[1] * 0xD6E8FEB86659FD93)
    mixed = (mixed ^ (mixed >> 32)) * 0xD6E8FEB86659FD93
    return mixed ^ (mixed >> 32)


def text(move: int) -> str:
    """Columns are a to g."""
    return LETTERS[move]


def parse(written: str) -> int:
    """Read a column."""
    if len(written) != 1 or written not in LETTERS:
        raise IllegalMove(f"'{written}' is not a column: a move is a letter from a to g")
    return LETTERS.index(written)


def picture(state: State, role: Role | None) -> str:
    """Draw the board."""
    lines = []
    for row in reversed(range(ROWS)):
        bits = [1 << (column * STRIDE + row) for column in range(COLUMNS)]
        cells = ["X" if state.discs[0] & b else "O" if state.discs[1] & b else "." for b in bits]
        lines.append(" ".join(cells))
    return "\n".join([*lines, " ".join(LETTERS)])


def connect_four() -> KernelGame:
    """Make the game."""
    return KernelGame(
        "connect-four",
        ("red", "yellow"),
        Traits(
            turn_taking=True,
            deterministic=True,
            perfect_information=True,
            constant_sum=True,
            max_plies=COLUMNS * ROWS,
        ),
        state=State,
        max_moves=COLUMNS,
        init=init,
        movers=movers,
        legal=legal,
        apply=apply,
        utilities=utilities,
        hash=hash_state,
        text=text,
        parse=parse,
        picture=picture,
        offers=Offers(
            rules=RULES,
            pieces=lambda: [
                Pieces(side, State.fields["discs"][1] + 8 * side, (1 << COLUMNS * STRIDE) - 1) for side in (0, 1)
            ],
            actions=lambda: ActionKernels(is_legal=is_legal, count_moves=count_moves),
        ),
    )
