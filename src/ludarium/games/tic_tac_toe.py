"""Tic-tac-toe: the smallest model of a game in kernels."""

from __future__ import annotations

from ludarium.core import IllegalMove, Offers, Role, Traits
from ludarium.core.hints import Pieces
from ludarium.kernel import KernelGame, Record, Stream, array, buffer, f64, i64, kernel, u8, u16, u64, view

RULES = """\
X and O take turns to mark one of nine cells. Three of one's marks in a line, across, down or diagonally, win;
a full board is a draw. A move is written as a cell: a1 is the lower left one, b2 the centre."""

FULL = 0b111_111_111


class State(Record):
    """The marks of each side, a bit per cell, row by row from a1."""

    marks = array(u16, 2)
    plies: u8


@kernel
def init(state: State, rng: Stream) -> None:
    """Begin with an empty board."""
    state.marks[0] = 0
    state.marks[1] = 0
    state.plies = 0


@kernel
def movers(state: State) -> i64:
    """X moves first; a line or a full board ends the game."""
    if state.plies == 9 or has_line(state.marks[0]) or has_line(state.marks[1]):
        return 0
    return 1 << (state.plies & 1)


@kernel
def legal(state: State, role: i64, out: buffer[u64]) -> i64:
    """Any empty cell."""
    empty = FULL ^ state.marks[0] ^ state.marks[1]
    count = 0
    for cell in range(9):
        if empty >> cell & 1 != 0:
            out[count] = u64(cell)
            count += 1
    return count


@kernel
def apply(state: State, joint: view[u64], rng: Stream) -> None:
    """Mark a cell."""
    side = state.plies & 1
    state.marks[side] |= 1 << i64(joint[side])
    state.plies += 1


@kernel
def has_line(marks: i64) -> bool:
    """Whether three marks stand in a line; the masks keep lines from running over the edge."""
    across = marks & (marks >> 1) & (marks >> 2) & 0b001_001_001
    down = marks & (marks >> 3) & (marks >> 6)
    diagonal = marks & (marks >> 4) & (marks >> 8)
    other = marks & (marks >> 2) & (marks >> 4) & 0b000_000_100
    return across | down | diagonal | other != 0


@kernel
def utilities(state: State, out: view[f64]) -> None:
    """Give the game to a line; anything else is worth a half."""
    out[0] = 1.0 if has_line(state.marks[0]) else 0.0 if has_line(state.marks[1]) else 0.5
    out[1] = 1.0 - out[0]


def text(move: int) -> str:
    """Cells are a1 to c3."""
    return f"{'abc'[move % 3]}{move // 3 + 1}"


def parse(written: str) -> int:
    """Read a cell."""
    if len(written) != 2 or written[0] not in "abc" or written[1] not in "123":
        raise IllegalMove(f"'{written}' is not a cell: a move is written as a letter and a number, a1 to c3")
    return "abc".index(written[0]) + 3 * "123".index(written[1])


def picture(state: State, role: Role | None) -> str:
    """Draw the board."""
    lines = []
    for row in reversed(range(3)):
        bits = [1 << (row * 3 + column) for column in range(3)]
        cells = ["X" if state.marks[0] & b else "O" if state.marks[1] & b else "." for b in bits]
        lines.append(f"{row + 1} {' '.join(cells)}")
    return "\n".join([*lines, "  a b c"])


def tic_tac_toe() -> KernelGame:
    """Make the game."""
    return KernelGame(
        "tic-tac-toe",
        ("x", "o"),
        Traits(
            turn_taking=True,
            deterministic=True,
            perfect_information=True,
            constant_sum=True,
            max_plies=9,
        ),
        state=State,
        max_moves=9,
        init=init,
        movers=movers,
        legal=legal,
        apply=apply,
        utilities=utilities,
        text=text,
        parse=parse,
        picture=picture,
        offers=Offers(
            rules=RULES,
            pieces=lambda: [Pieces(side, State.fields["marks"][1] + 2 * side, FULL) for side in (0, 1)],
        ),
    )
