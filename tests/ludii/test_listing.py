"""Ludii's lists of pieces: heaps that are there twice, or after they have gone, and pieces of stacks that stay behind."""

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


ASKS = "(if (= 9 (count Stack at:0)) (result P2 Win))"


def haunted(first, *places, top=""):
    """After what the first player does first, his men may select the last site: so often as Ludii has them on its list."""
    men = f'(forEach Piece "Man" (move Select (from (sites {{24}}))) {top})'
    play = f"(if (is Mover P2) (move Pass) (if (= 0 (count Moves)) {first} (or {men} (move Pass))))"
    replay = LudReplay(made(play, *places, start='(place Stack "Man2" 12)', ends=ASKS))
    replay.start(Outcomes(()))
    for _ in range(2):
        replay.play([replay.legal()[0]], Outcomes())
    return sum(choice.times for choice in replay.legal() if choice.action.kind == "Select")


PROMOTE = '(move Select (from (sites {0})) (then (promote 0 (piece {"Rook"}) Mover)))'


def test_a_single_piece_that_was_promoted_is_still_what_it_was():
    assert haunted(PROMOTE, ("Man1", [0])) == 1
    assert haunted(PROMOTE, ("Man1", [0]), top="top:True") == 1
    assert haunted(PROMOTE, ("Man1", [0, 6])) == 2


def test_what_takes_the_place_of_a_ghost_takes_it_away():
    """The rook is changed into a man, who is taken away: with him goes the man that had stayed on the list."""
    back = '(move Select (from (sites {0})) (then (and {(promote 0 (piece {"Rook"}) Mover)} (then (and {%s})))))'
    twice = '(promote 0 (piece {"Man"}) Mover)'
    assert haunted(back % twice, ("Man1", [0])) == 2
    assert haunted(back % f"{twice} (remove 0)", ("Man1", [0])) == 0


def test_of_a_stack_that_is_taken_at_the_end_of_a_turn_one_stays():
    """Of two men the lower one is taken off the list first; then the other is the lowest, and looked for above."""
    take = "(move Select (from (sites {7})) (then (and (remove 7 at:EndOfTurn) (remove 7 at:EndOfTurn))))"
    assert haunted(take, ("Man1", [7, 7])) == 1
    one = "(move Select (from (sites {7})) (then (remove 7 at:EndOfTurn)))"
    assert haunted(one, ("Man1", [7])) == 0


def test_a_whole_stack_is_moved_whatever_its_consequences_ask():
    """That they speak of levels does not make it a move of one level."""
    then = "(then (if (= 1 (count Stack at:(last To) if:(= 1 (level)))) (moveAgain)))"
    play = f"(forEach Piece (move (from) (to (sites {{24}})) stack:True {then}) top:True)"
    replay = LudReplay(made(play, ("Man1", [7, 7]), ("Man2", [12]), ends=ASKS))
    replay.start(Outcomes(()))
    replay.play([replay.legal()[0]], Outcomes())
    assert replay.state.height[24] == 2
    assert replay.movers == (1,)
