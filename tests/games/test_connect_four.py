import pytest

from ludarium.core import IllegalMove
from ludarium.games.connect_four import connect_four
from tests.games.matches import follow, perft, same_as_reference, slow_perft
from tests.reference.connect_four import ConnectFour


def test_a_short_match():
    state = follow(connect_four(), "d, d, e, c, f, g, c, b, d, e, b, e, f, f")
    assert str(state) == (
        ". . . . . . .\n. . . . . . .\n. . . . . . .\n. . . X O O .\n. X X O O X .\n. O O X X X O\na b c d e f g"
    )
    assert not state.over


@pytest.mark.parametrize(
    ("moves", "line"),
    [
        ("a, b, a, b, a, b, a", "up"),
        ("a, a, b, b, c, c, d", "across"),
        ("a, b, b, c, c, d, c, d, d, f, d", "diagonally up"),
        ("g, f, f, e, e, d, e, d, d, b, d", "diagonally down"),
        ("d, a, d, b, e, b, e, c, f, c, g", "across at the right edge"),
    ],
)
def test_four_in_a_line_win(moves, line):
    state = follow(connect_four(), moves)
    assert state.over, line
    assert state.utilities() == (1.0, 0.0)
    assert not follow(connect_four(), moves.rpartition(", ")[0]).over


def test_the_second_player_can_win():
    assert follow(connect_four(), "a, b, a, b, a, b, c, b").utilities() == (0.0, 1.0)


def test_discs_in_different_columns_make_no_line_upwards():
    # Three on top of column a and one at the foot of column b are neighbours but for the empty row between.
    assert not follow(connect_four(), "a, a, a, a, g, a, g, a, f, b").over


def test_a_full_board_is_a_draw():
    state = follow(connect_four(), ", ".join("abababbababacdcdcddcdcdcefefeffefefegggggg"))
    assert state.over
    assert state.utilities() == (0.5, 0.5)


def test_a_full_column_is_refused():
    with pytest.raises(IllegalMove, match="'a' is not legal for red: legal is b, c, d, e, f, g"):
        follow(connect_four(), "a, a, a, a, a, a, a")


@pytest.mark.parametrize("text", ["", "h", "ab", "1"])
def test_what_is_no_column_is_told(text):
    with pytest.raises(IllegalMove, match="a move is a letter from a to g"):
        connect_four().parse(text)


def test_the_number_of_ways_to_play_by_length():
    counts = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
    assert [perft(connect_four(), depth) for depth in range(1, 9)] == counts
    assert [slow_perft(ConnectFour(), depth) for depth in range(1, 6)] == counts[:5]


@pytest.mark.parametrize("seed", range(30))
def test_random_matches_go_as_in_the_reference(seed):
    same_as_reference(connect_four(), ConnectFour(), seed)
