from collections import Counter

import pytest

from ludarium.core import IllegalMove, Rng
from ludarium.games.leduc_poker import State, leduc_poker
from ludarium.kernel import KernelState

GAME = leduc_poker()


def dealt(first, second):
    """The beginning with these cards, J, Q or K."""
    state = State(bytearray(GAME.initial(Rng(0)).block))
    state.cards[0], state.cards[1] = "JQK".index(first), "JQK".index(second)
    return KernelState(GAME, bytes(state.memory))


def play(state, moves, common=None):
    """Play moves; the card for all is what it is said to be."""
    for text in moves.split():
        state = state.after(GAME.parse(text), Rng(0))
        made = State(bytearray(state.block))
        if common and made.common != 3:
            made.common = "JQK".index(common)
            state = KernelState(GAME, bytes(made.memory))
    return state


def coins(state):
    return round(state.utilities()[0] * 26 - 13)


@pytest.mark.parametrize(
    ("cards", "moves", "common", "gain"),
    [
        ("KQ", "raise fold", None, 1),
        ("KQ", "raise raise fold", None, -3),
        ("KQ", "check check check check", "J", 1),
        ("KQ", "check check check check", "Q", -1),
        ("JJ", "check raise call raise call", "K", 0),
        ("QJ", "raise raise call raise raise call", "Q", 13),
        ("QJ", "raise raise call raise raise fold", "Q", -9),
    ],
)
def test_payoffs(cards, moves, common, gain):
    state = play(dealt(*cards), moves, common)
    assert state.over
    assert coins(state) == gain
    assert sum(state.utilities()) == 1


def test_there_are_as_many_ways_to_bet_as_in_the_literature():
    """Nine sequences of a round end in a fold or an agreement: five agreements and four folds."""

    def ends(state, depth):
        if state.over or (depth and State(bytearray(state.block)).round == 1):
            return Counter([state.over])
        return sum((ends(state.after(move, Rng(0)), depth) for move in state.legal(state.movers[0])), Counter())

    assert ends(dealt("K", "Q"), 1) == {False: 5, True: 4}
    assert ends(dealt("K", "Q"), 0) == {True: 4 + 5 * 9}


def test_nobody_folds_for_nothing_nor_raises_a_third_time():
    texts = {
        moves: [GAME.text(move) for move in play(dealt("J", "Q"), moves).legal(play(dealt("J", "Q"), moves).movers[0])]
        for moves in ("", "raise", "raise raise", "call")
    }
    assert texts == {
        "": ["call", "raise"],
        "raise": ["fold", "call", "raise"],
        "raise raise": ["fold", "call"],
        "call": ["call", "raise"],
    }


@pytest.mark.statistical
def test_every_deal_is_as_likely_as_two_cards_of_each_kind_make_it():
    """Nine deals, 9000 trials: five standard deviations each."""
    rng, counts = Rng(5), Counter()
    for _ in range(9000):
        state = State(bytearray(GAME.initial(rng).block))
        counts[state.cards[0], state.cards[1]] += 1
    for (first, second), count in counts.items():
        share = (1 if first == second else 2) / 15
        assert abs(count - 9000 * share) < 5 * (9000 * share * (1 - share)) ** 0.5
    assert len(counts) == 9


def test_the_card_for_all_is_one_that_is_left():
    for seed in range(40):
        state = dealt("K", "K").after(1, Rng(0)).after(1, Rng(seed))
        assert State(bytearray(state.block)).common in (0, 1)


def test_a_role_sees_all_but_the_other_card():
    one, other = (play(dealt("Q", card), "call raise call", "J") for card in "JK")
    assert one.observe(0) == other.observe(0)
    assert one.observe(1) != other.observe(1)
    assert GAME.picture(one, 0) == "first  Q   3 coins\nsecond ?   3 coins\nfor all J, round 2"
    assert str(one) == "first  Q   3 coins\nsecond J   3 coins\nfor all J, round 2"


def test_other_words_are_no_moves():
    with pytest.raises(IllegalMove, match="'bet' is not a move: write fold, call or raise"):
        GAME.parse("bet")
