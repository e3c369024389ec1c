import re
from collections import Counter

import pytest

from ludarium.core import BadParameter, IllegalMove, Rng
from ludarium.games.whist import State, whist
from ludarium.kernel import KernelState

GAME = whist()
FOUR = whist(suits=4)


def holding(*hands, trump="c", game=GAME):
    """The beginning with these hands, such as '5h 6c'."""
    state = State(bytearray(game.initial(Rng(0)).block))
    for role, hand in enumerate(hands):
        state.hands[role] = sum(1 << game.parse(card) for card in hand.split())
        state.held[role] = len(hand.split())
    state.trump = "chsd".index(trump)
    return KernelState(game, bytes(state.memory))


def play(state, cards):
    for text in cards.split():
        state = state.after(state.game.parse(text), Rng(0))
    return state


def texts(state):
    return [GAME.text(move) for move in state.legal(state.movers[0])]


@pytest.mark.parametrize(
    ("cards", "winner"),
    [("2h 5h 3h", 1), ("2h 1c 6h", 1), ("6h 1s 5h", 0), ("1c 5h 6s", 0), ("1h 2c 3c", 2), ("2s 3s 6h", 1)],
)
def test_who_wins_a_trick(cards, winner):
    state = play(
        holding(*(f"{card} {rest}d" for card, rest in zip(cards.split(), "123", strict=True)), game=FOUR), cards
    )
    assert list(State(bytearray(state.block)).tricks)[:3] == [int(role == winner) for role in range(3)]
    assert state.movers == (winner,)


def test_suit_is_followed_if_possible():
    state = holding("2h 3s", "1h 4h 6c", "5s 6s")
    assert texts(state) == ["2h", "3s"]
    state = play(state, "2h")
    assert texts(state) == ["1h", "4h"]
    state = play(state, "4h")
    assert texts(state) == ["5s", "6s"]


def test_whoever_does_not_follow_is_known_to_lack_the_suit():
    state = play(holding("2h 3s", "1h 6c", "5s 6s"), "2h 1h 5s")
    assert "south 0 tricks, holds 1 cards, no h" in GAME.picture(state, 0)
    assert "south 0 tricks, holds 6s" in str(state)


def test_a_role_sees_its_hand_and_what_was_played():
    one, other = (play(holding("2h 3s", "1h 6c", hand), "2h") for hand in ("5s 6s", "1c 2c"))
    assert one.observe(0) == other.observe(0)
    assert one.observe(1) == other.observe(1)
    assert one.observe(2) != other.observe(2)


def test_utilities_are_shares_of_the_tricks():
    state = play(holding("6h 6s", "1h 1s", "2h 2s"), "6h 1h 2h 6s 1s 2s")
    assert state.over
    made = State(bytearray(state.block))
    assert list(made.tricks)[:3] == [2, 0, 0]
    assert sum(holding("6h", "1h", "2h").utilities()) == pytest.approx(1)


@pytest.mark.statistical
def test_every_card_is_dealt_as_often_as_any_other():
    """18 cards, 5 of them in a hand, 3600 deals: five standard deviations each."""
    rng, counts = Rng(5), Counter()
    for _ in range(3600):
        hands = State(bytearray(GAME.initial(rng).block)).hands
        assert sum(hand.bit_count() for hand in hands) == (hands[0] | hands[1] | hands[2]).bit_count() == 15
        counts.update((role, card) for role in range(3) for card in range(18) if hands[role] >> card & 1)
    assert all(abs(counts[role, card] - 1000) < 5 * 27 for role in range(3) for card in range(18))


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"players": 5}, "whist is played with 2 to 4 players, not 5"),
        ({"suits": 0}, "whist is played with 1 to 4 suits, not 0"),
        ({"ranks": 14}, "whist is played with 1 to 13 ranks, not 14"),
        ({"cards": 7}, "are dealt 1 to 6 cards each, not 7: the deck has 18"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(wrong, told):
    with pytest.raises(BadParameter, match=re.escape(told)):
        whist(**wrong)


@pytest.mark.parametrize("text", ["7h", "0c", "1d", "hh", "h5"])
def test_other_texts_are_no_cards(text):
    with pytest.raises(IllegalMove, match=f"'{text}' is not a card: write 1 to 6 and one of c, h, s"):
        GAME.parse(text)
