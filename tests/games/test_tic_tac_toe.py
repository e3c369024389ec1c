import pytest

from ludarium.core import IllegalMove
from ludarium.games.tic_tac_toe import tic_tac_toe
from tests.games.matches import follow, perft

LINES = ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1"]
CELLS = [column + row for row in "123" for column in "abc"]


def test_a_short_match():
    state = follow(tic_tac_toe(), "b2, a1, c3, c1, b1, b3, a2, c2, a3")
    assert str(state) == "3 X O X\n2 X X O\n1 O X O\n  a b c"
    assert state.over
    assert state.utilities() == (0.5, 0.5)


def test_the_number_of_ways_to_play_by_length():
    counts = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert [perft(tic_tac_toe(), depth) for depth in range(1, 10)] == counts


def test_the_number_of_different_positions():
    seen, edge = set(), {tic_tac_toe().initial()}
    while edge:
        seen |= edge
        edge = {state.after(move) for state in edge if not state.over for move in state.legal(state.movers[0])}
    assert len(seen) == 5478
    ends = [state.utilities()[0] for state in seen if state.over]
    assert [ends.count(value) for value in (1.0, 0.0, 0.5)] == [626, 316, 16]


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("side", [0, 1])
def test_every_line_wins_for_both_sides(line, side):
    mine = line.split()
    rest = [cell for cell in CELLS if cell not in mine]
    # The other side takes cells that make no line of its own.
    others = next(
        [a, b, c]
        for a in rest
        for b in rest
        for c in rest
        if len({a, b, c}) == 3 and sorted([a, b, c]) not in [sorted(each.split()) for each in LINES]
    )
    first, second = (mine, others) if side == 0 else (others, mine)
    moves = [move for pair in zip(first, second, strict=True) for move in pair][: 5 + side]
    state = follow(tic_tac_toe(), ", ".join(moves))
    assert state.over
    assert state.utilities() == ((1.0, 0.0) if side == 0 else (0.0, 1.0))
    assert not follow(tic_tac_toe(), ", ".join(moves[:-1])).over


@pytest.mark.parametrize("text", ["", "a", "a4", "d1", "1a", "a1 ,", "b22"])
def test_what_is_no_cell_is_told(text):
    with pytest.raises(IllegalMove, match=r"is not a cell: .* a1 to c3"):
        tic_tac_toe().parse(text)


def test_a_taken_cell_is_refused():
    with pytest.raises(IllegalMove, match="'b2' is not legal for o: legal is a1, b1, c1, a2"):
        follow(tic_tac_toe(), "b2, b2")
