"""Heaps on Ludii's list of pieces: those that were moved at once may be there twice, and after they have gone."""

from ludarium.core import Rng
from ludarium.ludii.replaying import LudReplay
from ludarium.ludii.trial.replay import Outcomes
from tests.ludii.ludemes.small import made

GATHER = "(move (from (sites {{0 1}})) (to (sites {{2}})) count:{count})"
PLAY = "(if (is Mover P2) (move Pass) (if (< (count Moves) 4) {gather} {then}))"


def played(then, ends, count="(count at:(from))", moves=4):
    """The heaps of the first player on two sites are brought to a third."""
    play = PLAY.format(gather=GATHER.format(count=count), then=then)
    start = '(place "Man1" 0 count:2) (place "Man1" 1 count:2) (place "Man2" 4)'
    replay = LudReplay(made(play, start=start, ends=ends))
    replay.start(Outcomes(()))
    for _ in range(moves):
        if replay.over:
            break
        replay.play([replay.legal()[0]], Outcomes())
    return replay


def test_a_heap_that_was_brought_to_another_is_there_twice():
    step = "(forEach Piece (move Step (to if:(is Empty (to)))))"
    replay = played(step, "(if (no Pieces P1) (result P2 Win))")
    assert [choice.times for choice in replay.legal()] == [2] * len(replay.legal())
    assert {choice.action.fields["from"] for choice in replay.legal()} == {2}


def test_a_heap_that_has_gone_is_still_there_for_who_asks_for_all_pieces():
    """The heap on the third site is taken away, but it was on the list twice."""
    away = "(move Remove (sites {2}))"
    goes_on = played(away, "(if (no Pieces All in:(sites {0 1 2})) (result P1 Win))", moves=5)
    assert not goes_on.over
    ended = played(away, "(if (no Pieces P1 in:(sites {0 1 2})) (result P1 Win))", moves=5)
    assert ended.winner == 1


def test_what_is_chosen_is_chosen_once():
    """However often a move is listed, it is one move to choose."""
    game = played("(forEach Piece (move Step (to if:(is Empty (to)))))", "(if (no Pieces P1) (result P2 Win))").game
    state = game.initial(Rng(1))
    for _ in range(4):
        state = state.after(state.legal(state.movers[0])[0], Rng(1))
    moves = list(state.legal(0))
    assert len(moves) == len(set(moves)) > 0
