"""Dominoes: dealt and drawn, laid at the ends of a line, with pips that match."""

import pytest

from ludarium.core import Rng
from ludarium.core.problems import RulesError
from ludarium.ludii.game import from_text
from ludarium.testing import check_game
from tests.ludii.ludemes import small

GAME = """
(game "Bones"
    (players 2)
    (equipment {{ {board} (hand Each size:{size}) (dominoes upTo:{up_to}) {more} }})
    (rules
        (start {{ {start} }})
        (play (priority {{ {play} (move Pass (then {passing})) }}))
        (end {{ (if (all Sites (sites Hand Mover) if:(= 0 (count at:(site)))) (result Mover Win)) (if (all Passed) (result Mover Draw)) }})
    )
)
"""
SHOW = "(then (and (set Hidden What at:(last To) False to:P1) (set Hidden What at:(last To) False to:P2)))"
LAID = "(move (from (sites Hand Mover) if:(is Occupied (from))) (to (sites LineOfPlay)) {})"
LAY, LAY_OPEN = (f"(do {LAID.format(then)} ifAfterwards:(is PipsMatch))" for then in ("", SHOW))
DRAW = '(if (!= 0 (count Pieces "Bag")) (and (take Domino) (moveAgain)))'
HIDE = "(set Hidden What (sites Hand P1) to:P2) (set Hidden What (sites Hand P2) to:P1)"


def made(start="", play=LAY, passing=DRAW, up_to=2, size=4, board="(boardless Square 21)", more=""):
    return from_text(
        GAME.format(start=start, play=play, passing=passing, up_to=up_to, size=size, board=board, more=more)
    )


def record(game, state):
    return game.compiled.layout.state(bytearray(state.block))


def hands(game, state):
    """The kinds in the hands, and those that are nowhere."""
    at, board = record(game, state), game.model.board_sites
    held = [[at.what[board + 4 * player + k] for k in range(4)] for player in range(2)]
    known = {at.what[site] for site in range(game.model.sites)}
    return held, [each.index for each in game.model.components if each.index not in known]


def texts(game, state):
    return [game.text(move) for move in state.legal(state.movers[0])]


def only(first, second):
    """A game in which the first player has one domino that counts, and the second another."""
    return made(f'(place "{first}" 441) (place "Domino00" 442) (place "{second}" 445)', size=4)


def test_there_is_one_domino_for_every_pair():
    assert [each.name for each in made().model.components] == [
        f"Domino{k}" for k in ("00", "01", "02", "11", "12", "22")
    ]
    assert len(made(up_to=6).model.components) == 28


def test_dominoes_are_dealt_in_turn_and_each_is_as_likely():
    game, seen = made("(deal Dominoes 2)"), set()
    for seed in range(60):
        held, bag = hands(game, game.initial(Rng(seed)))
        assert [sum(map(bool, hand)) for hand in held] == [2, 2]
        assert len(bag) == 2
        seen.add(held[0][0])
    assert seen == {1, 2, 3, 4, 5, 6}


def test_the_first_domino_lies_at_the_centre_in_any_direction():
    game = only("Domino01", "Domino12")
    assert texts(game, game.initial(Rng(1)))[:4] == [f"hand1.1-k11 state={state}" for state in range(4)]


def test_a_domino_covers_two_times_four_sites():
    game = only("Domino01", "Domino12")
    state = game.initial(Rng(1))
    state = state.after(state.legal(0)[0], Rng(2))
    at = record(game, state)
    covered = {site for site in range(441) if at.covered[site >> 6] >> (site & 63) & 1 or at.what[site]}
    assert covered == {21 * row + column for row in (10, 11) for column in range(10, 14)}


def test_halves_that_touch_show_the_same():
    """Beside 0-1 a 1-2 lies with its 1 at the 1: behind the end, lengthwise."""
    game = only("Domino01", "Domino12")
    state = game.initial(Rng(1))
    state = state.after(state.legal(0)[0], Rng(2))
    assert texts(game, state) == ["hand2.1-o11 state=0"]


def test_a_double_is_laid_at_from_its_sides_too():
    game = only("Domino11", "Domino12")
    state = game.initial(Rng(1))
    state = state.after(state.legal(0)[0], Rng(2))
    assert len(texts(game, state)) == 4


def test_who_cannot_lay_draws_from_the_bag():
    """The second player has no 0 and no 1, and takes what is left until something fits."""
    game = only("Domino01", "Domino22")
    state = game.initial(Rng(1))
    state = state.after(state.legal(0)[0], Rng(2))
    assert [text[:4] for text in texts(game, state)] == ["pass"]
    before = hands(game, state)[1]
    state = state.after(state.legal(1)[0], Rng(3))
    held, bag = hands(game, state)
    assert len(bag) == len(before) - 1
    assert held[1][1] in before
    assert state.movers == (1,)


def test_nobody_is_told_what_others_hold():
    """What is in the bag is found from what lies where, and would tell it: it is nowhere in what a player sees."""
    game = made(f"(deal Dominoes 2) {HIDE}", LAY_OPEN, board="(boardless Square 13)")
    check_game(game, seeds=[1], plies=30)
    assert not game.traits.perfect_information


def test_a_pass_and_one_more_move_count_as_a_pass_in_the_turn_before():
    """As in Ludii: who passed and did something else in the same turn has passed, if the next player passes."""
    play = """(if (= 1 (count Moves)) (move Select (from (sites {0})))
        (move Pass (then (if (= 1 (count Moves)) (moveAgain)))))"""
    game = small.made(play, ("Man1", [0]), ends="(if (all Passed) (result P2 Win))")
    state = game.initial()
    for _ in range(3):
        assert state.movers
        state = state.after(state.legal(state.movers[0])[0])
    assert state.utilities() == (0.0, 1.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"board": "(board (square 21))"}, "boardless Square"),
        ({"more": '(piece "Man" Each)'}, "beside other pieces"),
        ({"start": "(deal Dominoes 4)"}, "not so many dominoes"),
        ({"start": "(deal Cards 1)"}, "cards"),
        ({"up_to": 40}, "pips are possible"),
        ({"passing": "(remove 0)"}, "with dominoes"),
        ({"play": "(move (from (sites Hand Mover)) (to (sites Empty)))"}, "without (sites LineOfPlay)"),
    ],
)
def test_what_cannot_be_played_is_refused(options, message):
    with pytest.raises(RulesError, match=".*") as error:
        made(**options)
    assert message in str(error.value)


def test_rules_about_dominoes_need_some():
    text = GAME.format(start="", play="(move Pass)", passing=DRAW, up_to=2, size=4, board="(boardless Square)", more="")
    with pytest.raises(RulesError, match="there are none"):
        from_text(text.replace("(dominoes upTo:2)", '(piece "Man" Each)'))
