import pytest

from ludarium.core import BadParameter, IllegalMove, Rng
from ludarium.games.breakthrough import breakthrough
from ludarium.kernel import bridge
from ludarium.testing.games import not_compiled
from tests.games.matches import follow, perft, same_as_reference, slow_perft
from tests.reference.breakthrough import Breakthrough


def test_a_short_match():
    game = breakthrough(width=4, height=5)
    state = follow(game, "b2b3, c4b3, a2b3, d4c3, b3a4, c3b2, a4b5")
    assert str(state) == "5 O X O O\n4 . O . .\n3 . . . .\n2 . O X X\n1 X X X X\n  a b c d"
    assert state.over
    assert state.utilities() == (1.0, 0.0)
    assert follow(game, "b2b3, c4b3, a2b3, d4c3, b3a4, c3b2").movers == (0,)


def test_black_wins_at_the_near_row():
    state = follow(breakthrough(width=3, height=5), "a2a3, b4a3, a1a2, a3b2, a2a3, b2a1")
    assert state.over
    assert state.utilities() == (0.0, 1.0)


def test_pieces_capture_diagonally_and_never_straight_ahead():
    game = breakthrough(width=3, height=5)
    legal = [game.text(move) for move in follow(game, "b2b3").legal(1)]
    assert sorted(legal) == ["a4a3", "a4b3", "b4a3", "b4c3", "c4b3", "c4c3"]
    taken = follow(game, "b2b3, a4b3")
    assert str(taken) == "5 O O O\n4 . O O\n3 . O .\n2 X . X\n1 X X X\n  a b c"


def test_no_step_leads_around_the_edge():
    game = breakthrough()
    legal = {game.text(move) for move in game.initial().legal(0)}
    assert {"a2a3", "a2b3", "h2h3", "h2g3"} <= legal
    assert not {"a2h3", "a2h2", "h2a4", "h2a3"} & legal


def test_capturing_everything_wins():
    # On the way the last enemy of a small board is taken before anybody reaches the far row.
    game = breakthrough(width=2, height=5)
    rng, found = Rng(1), set()
    for _ in range(400):
        state = game.initial()
        while not state.over:
            state = state.after(rng.choice(state.legal(state.movers[0])))
        rows = str(state).splitlines()
        winner = state.utilities().index(1.0)
        if ("X", "O")[1 - winner] not in str(state):
            found.add(winner)
        else:
            assert ("X", "O")[winner] in rows[0 if winner == 0 else 4]
    assert found == {0, 1}


def test_the_number_of_ways_to_play_by_length():
    counts = [22, 484, 11132, 256036, 6182818, 149264638]
    assert [perft(breakthrough(), depth) for depth in range(1, 7)] == counts
    assert [slow_perft(Breakthrough(), depth) for depth in range(1, 5)] == counts[:4]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("size", [(8, 8), (5, 6), (2, 4), (3, 8), (8, 4)])
def test_random_matches_go_as_in_the_reference(size, seed):
    same_as_reference(breakthrough(*size), Breakthrough(*size), seed)


@pytest.mark.parametrize("size", [(8, 8), (5, 6), (2, 4)])
def test_its_own_playout_makes_the_moves_of_listing_and_drawing(size):
    own = breakthrough(*size)
    listing = not_compiled(own)
    listing.kernels = {name: kernel for name, kernel in own.kernels.items() if name != "playout"}
    for seed in range(50):
        ends = []
        for game in (own, listing):
            rng, block = Rng(seed), bytearray(bridge(game).block(game.initial()))
            plies = game.bridge.call("playout", block, rng, seed * 4)
            ends.append((plies, bytes(block), list(rng.words)))
        assert ends[0] == ends[1]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "write two cells"),
        ("a2", "write two cells"),
        ("a2a9", "write two cells"),
        ("i2i3", "write two cells"),
    ],
)
def test_what_is_no_move_is_told(text, problem):
    with pytest.raises(IllegalMove, match=problem):
        breakthrough().parse(text)


def test_captures_may_be_written_with_a_cross():
    game = breakthrough()
    assert game.parse("A2xB3") == game.parse("a2-b3") == game.parse("a2b3")


@pytest.mark.parametrize("text", ["f2f3", "a2a7", "a7a8"])
def test_moves_off_a_small_board_are_told(text):
    with pytest.raises(IllegalMove, match="leaves the board, which ends at e6"):
        breakthrough(width=5, height=6).parse(text)


@pytest.mark.parametrize("size", [(1, 8), (9, 8), (8, 3), (8, 9), (0, 0), ("8", 8), (8.0, 8), (True, 8)])
def test_sizes_that_make_no_board_are_refused(size):
    with pytest.raises(BadParameter, match=r"goes from \d to 8: not "):
        breakthrough(*size)
