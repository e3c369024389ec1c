"""Rules above the rules."""

import pytest

from ludarium.core.errors import GameError
from ludarium.kernel import using
from ludarium.ludii.game import from_text
from tests.ludii.ludemes.small import made, standing

KO = """
(game "Ko"
    (players 2)
    (equipment { (board (square 3)) (piece "Cart" Each) })
    (rules %s
        (start { (place "Cart1" {0}) (place "Cart2" {8}) })
        (play (or (forEach Site (sites Occupied by:Mover) (move (from (site)) (to (sites Empty)))) (move Pass)))
        (end (if (all Passed) (result Mover Draw)))
    )
)
"""


def positions(game, states=40):
    """How many positions of a game come again when always the first move is made that is no pass."""
    state, seen, again = game.initial(), [], 0
    for _ in range(states):
        seen.append(tuple(standing(game, state).items()))
        moves = state.legal(state.movers[0])
        moves = [move for move in moves if game.coordinates.leaf(move).kind != "Pass"]
        if not moves:
            break
        state = state.after(moves[0])
        again += tuple(standing(game, state).items()) in seen
    return again


def test_no_position_comes_again():
    assert positions(from_text(KO % "")) > 0
    assert positions(from_text(KO % "(meta (no Repeat))"), 30) == 0


# The ground of the pyramid is 0, 1, 2 / 5, 6, 8 / 11, 12, 13, and on it rest 3, 4 / 9, 10.
PYRAMID = {"board": "(square 3 pyramidal:True) use:Vertex"}


def test_pieces_fall_where_nothing_is_below():
    ground = ("Man1", [0, 1, 5, 6]), ("Man2", [3])
    game = made("(move Remove (sites {0}))", *ground, **PYRAMID)
    assert standing(game, _first(game))[3] == "Man2"
    game = made("(move Remove (sites {0}))", *ground, meta="(meta (gravity))", **PYRAMID)
    found = standing(game, _first(game))
    assert found[0] == "Man2"
    assert 3 not in found


def test_what_two_pieces_rest_on_is_pinned():
    places = ("Man1", [0, 1, 2, 5, 6, 8]), ("Man2", [3, 4])
    rules = "(move Remove (sites Occupied by:P1))"
    free = [len(_moves(made(rules, *places, meta=meta, **PYRAMID))) for meta in ("", "(meta (pin SupportMultiple))")]
    assert free == [6, 4]


def test_a_site_is_flat_if_all_below_it_are_taken():
    play = "(move Add (to (sites Empty) if:(is Flat)))"
    game = made(play, ("Man1", [0, 1, 5]), **PYRAMID)
    assert len(_moves(game)) == 6
    game = made(play, ("Man1", [0, 1, 5, 6]), **PYRAMID)
    assert len(_moves(game)) == 6  # one less on the ground, one more on top


def _moves(game):
    state = game.initial()
    return state.legal(state.movers[0])


def _first(game):
    state = game.initial()
    return state.after(state.legal(state.movers[0])[0])


def test_what_would_repeat_a_state_is_no_move_that_can_be_made():
    """The man goes to the next site, and again if he can go on without coming back: between two sites he cannot."""
    step = "(move Step (from (sites Occupied by:Mover)) Orthogonal (to if:(is Empty (to))))"
    play = f"(if (is Mover P1) (move Step (from (sites {{0}})) E (to if:True) (then (if (can Move {step}) (moveAgain)))) (move Pass))"
    for board, goes_on in (("(rectangle 1 2)", False), ("(rectangle 1 3)", True)):
        game = made(play, ("Man1", [0]), board=board, meta="(meta (no Repeat PositionalInTurn))")
        state = game.initial()
        state = state.after(state.legal(0)[0])
        assert state.movers == ((0,) if goes_on else (1,))
    game = made(play, ("Man1", [0]), board="(rectangle 1 2)")
    state = game.initial()
    assert state.after(state.legal(0)[0]).movers == (0,)


LOSING = "(if (is Line 2 through:(last To)) (result Mover Loss))"


def test_a_move_that_loses_is_no_move():
    add = "(move Add (to (sites Empty)))"
    men = ("Man1", [0]), ("Man2", [8])
    free, spared = (made(add, *men, board="(square 3)", meta=meta, ends=LOSING) for meta in ("", "(meta (no Suicide))"))
    assert len(_moves(free)) == 7
    assert len(_moves(spared)) == 4  # 1, 3 and 4 touch the man at 0
    assert not _first(spared).over


def test_who_can_only_lose_passes():
    add = "(move Add (to (sites Empty)))"
    game = made(add, ("Man1", [0]), board="(rectangle 1 2)", meta="(meta (no Suicide))", ends=LOSING)
    (only,) = _moves(game)
    assert game.text(only) == "pass"


def test_the_end_of_others_is_no_suicide():
    """The mover who wins leaves the other the last place, and may do so."""
    add = "(move Add (to (sites Empty)))"
    for result, moves in (("Mover Win", 7), ("Next Loss", 7), ("Next Win", 7), ("Mover Loss", 4)):
        ends = f"(if (is Line 2 through:(last To)) (result {result}))"
        game = made(add, ("Man1", [0]), ("Man2", [8]), board="(square 3)", meta="(meta (no Suicide))", ends=ends)
        assert len(_moves(game)) == moves, result


def test_who_could_only_lose_is_stalled():
    """Only the site beside his own man is left to the first player: the second wins, for that is no move."""
    add = "(move Add (to (sites Empty)))"
    ends = "(if (no Moves Next) (result Mover Win)) " + LOSING
    game = made(add, ("Man2", [0]), board="(rectangle 1 4)", meta="(meta (no Suicide))", ends=ends)
    state = game.initial()
    for text in ("add c1", "add d1"):
        assert not state.over
        state = state.after(next(move for move in state.legal(state.movers[0]) if game.text(move) == text))
    assert state.over
    assert state.utilities() == (0.0, 1.0)


def alone(play, *places, **options):
    """A game where moves follow by themselves, and its state after the first move."""
    game = made(play, *places, meta="(meta (automove))", **options)
    return game, _first(game)


def test_moves_that_are_the_only_ones_to_their_sites_follow():
    add = '(move Add (piece "{}") (to (sites {{{}}}) if:(is Empty (to))))'
    play = f"(or {add.format('Man1', '0 1 2')} {add.format('Rook1', '2 3 4')})"
    for way in ("native", "python"):
        with using(way):
            assert standing(*alone(play)) == {0: "Man1", 1: "Man1", 3: "Rook1", 4: "Rook1"}
            plain = made(play)
            assert standing(plain, _first(plain)) == {0: "Man1"}


def test_one_move_that_follows_makes_way_for_the_next():
    near = "(sites Around (to) Orthogonal if:(is Mover (who at:(to))))"
    play = f"(move Add (to (sites Empty) if:(< 0 (count Sites in:{near}))))"
    game, state = alone(play, ("Man1", [0]), board="(square 3)")
    assert standing(game, state) == dict.fromkeys(range(9), "Man1")


def test_what_comes_of_moves_that_follow_comes_and_the_last_move_is_the_one_that_was_chosen():
    play = "(move Add (to (sites {0 1 2}) if:(is Empty (to))) (then (addScore Mover 1)))"
    ends = "(if (= (sites {0 1 2}) (sites LastTo)) (result P2 Win))"
    game, state = alone(play, ends=ends)
    record = game.compiled.layout.state(bytearray(state.block))
    assert (record.score[1], record.last_to, record.seen_to) == (3, 0, 2)
    assert state.over
    assert state.utilities() == (0.0, 1.0)


def test_moves_that_follow_for_ever_are_told():
    with pytest.raises(GameError, match=r"<text>:\d+:\d+ .*: moves that follow by themselves have no end"):
        alone("(or (move Select (from (sites {0 1}))) (move Pass))")
