from collections import Counter

import pytest

from ludarium.core import BadParameter, IllegalMove, Rng
from ludarium.games.goofspiel import State, goofspiel
from tests.games.matches import follow


def points(state):
    made = State(bytearray(state.block))
    return made.points[0], made.points[1]


def prizes(game, seed):
    """The prizes in the order in which they are turned up."""
    rng = Rng(seed)
    state = game.initial(rng)
    shown = []
    while not state.over:
        shown.append(State(bytearray(state.block)).prize)
        state = state.after({role: state.legal(role)[0] for role in state.movers}, rng)
    return tuple(shown)


def test_a_short_match():
    game = goofspiel(cards=4, order="falling")
    state = follow(game, "4 + 3, 1 + 2")
    assert str(state) == "prize 2\nfirst    4 points, holds 2 3\nsecond   3 points, holds 1 4"
    end = follow(game, "4 + 3, 1 + 2, 2 + 4, 3 + 1")
    assert str(end) == "no prizes left\nfirst    5 points, holds nothing\nsecond   5 points, holds nothing"
    assert end.utilities() == (0.5, 0.5)


def test_both_bid_at_once():
    state = goofspiel().initial(Rng(0))
    assert state.movers == (0, 1)
    with pytest.raises(IllegalMove, match="first and second move at once"):
        state.after(1, Rng(0))


def test_the_higher_card_wins_the_prize():
    game = goofspiel(cards=3, order="rising")
    assert points(follow(game, "2 + 1")) == (1, 0)
    assert points(follow(game, "2 + 3")) == (0, 1)


def test_equal_cards_throw_the_prize_away():
    game = goofspiel(cards=3, order="rising")
    assert points(follow(game, "2 + 2")) == (0, 0)
    state = follow(game, "2 + 2, 1 + 1, 3 + 3")
    assert state.over
    assert state.utilities() == (0.5, 0.5)


def test_more_points_win():
    assert follow(goofspiel(cards=2, order="rising"), "1 + 2, 2 + 1").utilities() == (1.0, 0.0)
    assert follow(goofspiel(cards=2, order="falling"), "1 + 2, 2 + 1").utilities() == (0.0, 1.0)


def test_a_card_is_played_once():
    with pytest.raises(IllegalMove, match="'2' is not legal for second: legal is 1, 3"):
        follow(goofspiel(cards=3, order="rising"), "1 + 2, 2 + 2")


def test_fixed_orders():
    assert prizes(goofspiel(cards=5, order="rising"), 0) == (1, 2, 3, 4, 5)
    assert prizes(goofspiel(cards=5, order="falling"), 0) == (5, 4, 3, 2, 1)
    assert goofspiel(cards=5, order="rising").traits.deterministic


@pytest.mark.statistical
def test_every_random_order_is_equally_likely():
    """Six orders, 1200 trials: chi squared with 5 degrees of freedom, false alarm 1 in 1000."""
    game = goofspiel(cards=3)
    counts = Counter(prizes(game, seed) for seed in range(1200))
    assert len(counts) == 6
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 20.52


def test_the_deck_does_not_lie_in_the_state():
    # The same position follows from decks that go on differently, so nothing in it can tell them apart.
    game = goofspiel(cards=5)
    beginnings = {}
    for seed in range(200):
        beginnings.setdefault(game.initial(Rng(seed)), set()).add(prizes(game, seed))
    assert len(beginnings) == 5
    assert all(len(orders) > 10 for orders in beginnings.values())


@pytest.mark.parametrize("text", ["", "0", "14", "x", "-1", "1.0", "²"])
def test_what_is_no_card_is_told(text):
    with pytest.raises(IllegalMove, match="a move is a number from 1 to 13"):
        goofspiel().parse(text)


@pytest.mark.parametrize("cards", [1, 17, 0, "5", 5.0, True])
def test_numbers_of_cards_that_cannot_be_dealt_are_refused(cards):
    with pytest.raises(BadParameter, match="played with 2 to 16 cards each, not"):
        goofspiel(cards)


def test_an_unknown_order_is_refused():
    with pytest.raises(BadParameter, match="random, rising or falling order, not 'up'"):
        goofspiel(order="up")
