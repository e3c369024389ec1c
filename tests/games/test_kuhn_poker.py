from collections import Counter

import pytest

from ludarium.core import BadParameter, IllegalMove, Rng
from ludarium.games.kuhn_poker import State, kuhn_poker
from ludarium.kernel import KernelState
from tests.games.matches import follow

DEALS = [(first, second) for first in range(3) for second in range(3) if first != second]


def dealt(first, second):
    """The beginning with these cards, 0 to 2 for jack to king."""
    game = kuhn_poker()
    state = State(bytearray(game.initial(Rng(0)).block))
    state.cards[0], state.cards[1] = first, second
    return KernelState(game, bytes(state.memory))


def play(state, moves):
    for text in moves.split():
        state = state.after(state.game.parse(text), Rng(0))
    return state


@pytest.mark.statistical
def test_every_deal_is_equally_likely():
    """Six deals, 6000 trials: chi squared with 5 degrees of freedom, false alarm 1 in 1000."""
    game, rng = kuhn_poker(), Rng(5)
    counts = Counter()
    for _ in range(6000):
        state = State(bytearray(game.initial(rng).block))
        counts[state.cards[0], state.cards[1]] += 1
    assert sorted(counts) == DEALS
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 20.52


@pytest.mark.parametrize("cards", DEALS)
def test_all_payoffs(cards):
    higher = 1 if cards[0] > cards[1] else -1
    gains = {
        "pass pass": higher,
        "pass bet pass": -1,
        "pass bet bet": 2 * higher,
        "bet pass": 1,
        "bet bet": 2 * higher,
    }
    for moves, gain in gains.items():
        state = play(dealt(*cards), moves)
        assert state.over, moves
        assert state.utilities() == ((gain + 2) / 4, (2 - gain) / 4), moves


def test_nothing_else_ends_the_game():
    for moves, mover in (("", 0), ("pass", 1), ("bet", 1), ("pass bet", 0)):
        state = play(dealt(2, 0), moves)
        assert state.movers == (mover,)
        assert state.utilities() == (0.5, 0.5)


def test_a_role_sees_its_card_and_all_moves():
    state = play(dealt(2, 0), "pass bet")
    assert state.observe(0) == bytes([2, 0, 1])
    assert state.observe(1) == bytes([0, 0, 1])
    assert dealt(1, 0).observe(0) == dealt(1, 2).observe(0) == bytes([1])


def test_the_picture_for_a_role_hides_the_other_card():
    state = play(dealt(2, 0), "pass bet")
    assert str(state) == "first K  second J  moves: pass, bet"
    assert kuhn_poker().picture(state, 0) == "first K  second ?  moves: pass, bet"
    assert kuhn_poker().picture(state, 1) == "first ?  second J  moves: pass, bet"


def test_a_short_match():
    state = follow(kuhn_poker(), "pass, bet, bet", rng=Rng(1))
    assert str(state) == "first K  second Q  moves: pass, bet, bet"
    assert state.utilities() == (1.0, 0.0)


def test_it_needs_an_rng():
    with pytest.raises(BadParameter, match="kuhn-poker draws chance: give an Rng"):
        kuhn_poker().initial()


def test_other_words_are_no_moves():
    with pytest.raises(IllegalMove, match="'fold' is not a move: write pass or bet"):
        kuhn_poker().parse("fold")
