"""What is hidden: observations and pictures give nothing away, and states dealt anew agree with them."""

from collections import Counter

import pytest

from ludarium.arena.position import Position
from ludarium.core import BudgetExceeded, Rng, UnsupportedGame
from ludarium.core.budget import Budget, Limit
from ludarium.games.connect_four import connect_four
from ludarium.games.rinascimento.game import rinascimento
from ludarium.hidden import NoSuchState, determinizer
from tests.games.rinascimento.states import beginning, edited, play, record

AROUND = ("take white blue green", "take red black white", "take blue green red")


def later(game, seed, plies):
    state, rng = game.initial(Rng(seed)), Rng(seed + 1)
    for _ in range(plies):
        if state.over:
            break
        (role,) = state.movers
        state = state.after(rng.choice(state.legal(role)), rng)
    return state


@pytest.mark.parametrize("preset", ["standard", "two", "seven-colours", "published"])
def test_a_state_dealt_anew_looks_the_same(preset):
    game = rinascimento(preset=preset)
    for seed in range(12):
        state = later(game, seed, 6 * seed)
        for role in range(len(game.roles)):
            other = game.hidden_swap(state, role, Rng(seed))
            assert other.observe(role) == state.observe(role)
            assert other.movers == state.movers
            assert other.legal(role) == state.legal(role)
            assert game.picture(other, role) == game.picture(state, role)
            assert game.svg(other, role) == game.svg(state, role)


def test_no_card_is_lost_or_doubled_by_dealing_anew():
    game = rinascimento()
    for seed in range(6):
        state = later(game, seed, 50)
        for each in (state, game.hidden_swap(state, 0, Rng(1))):
            made = record(each)
            cards = [made.shown[k] for k in range(12)] + [made.reserved[k] for k in range(12)]
            cards = [number - 1 for number in cards if number]
            left = [k for d, deck in enumerate(game.content.decks) for k in deck if made.decks[d] >> k - deck.start & 1]
            assert len(set(cards + left)) == len(cards + left)
            assert len(cards + left) + sum(made.bought[p] for p in range(4)) == 90


def test_the_owner_keeps_what_others_get_anew():
    _, state = beginning()
    state = play(state, "reserve deck 1", *AROUND)
    kept = record(state).reserved[0]
    dealt = [{record(state.game.hidden_swap(state, role, Rng(k))).reserved[0] for k in range(60)} for role in (0, 1)]
    assert dealt[0] == {kept}
    assert len(dealt[1]) > 20
    assert kept in {record(state.game.hidden_swap(state, 1, Rng(k))).reserved[0] for k in range(600)}


@pytest.mark.statistical
def test_every_hidden_card_is_equally_likely():
    """16 cards, 3200 deals: chi squared with 16 degrees of freedom, false alarm 1 in 1000."""
    game, state = beginning()
    state = play(state, "reserve deck 3")
    rng = Rng(0)
    counts = Counter(record(game.hidden_swap(state, 1, rng)).reserved[0] for _ in range(3200))
    assert len(counts) == 16
    assert sum((n - 200) ** 2 / 200 for n in counts.values()) < 39.25


def test_the_order_of_decks_lies_in_no_state():
    _, state = beginning()
    nexts = {record(play(state, "reserve deck 1", seed=seed)).reserved[0] for seed in range(300)}
    assert len(nexts) == 36


def test_the_determinizer_deals_states_that_agree():
    game = rinascimento(preset="two")
    position = Position(game, 3)
    for text in ("reserve deck 1", "reserve deck 2", "reserve deck 3", "take white blue green"):
        position.play({position.state.movers[0]: game.parse(text)})
    info = position.information_set(0)
    assert info.state is None
    states = determinizer("redeal").sampler(game, 0).sample(info, 300, Rng(0))
    assert len(states) == 300
    assert len(set(states)) > 10
    assert {state.observe(0) for state in states} == {info.seen[-1]}
    again = determinizer("redeal").sampler(game, 0).sample(info, 300, Rng(0))
    assert states == again


def test_what_cannot_have_been_seen_is_told():
    game = rinascimento(preset="two")
    info = Position(game, 0).information_set(0)
    longer = type(info)(game=game, role=0, legal=info.legal, seen=(info.seen[0] + b"?",))
    with pytest.raises(NoSuchState, match="no state agrees with what first in rinascimento"):
        determinizer("redeal").sampler(game, 0).sample(longer, 1, Rng(0))
    empty = game.state_record(bytearray(info.seen[0]))
    empty.reserved[3] = 0x8000
    empty.decks[0] = 0
    wrong = type(info)(game=game, role=0, legal=info.legal, seen=(bytes(empty.memory),))
    with pytest.raises(NoSuchState):
        determinizer("redeal").sampler(game, 0).sample(wrong, 1, Rng(0))


def test_games_that_do_not_deal_are_refused():
    with pytest.raises(UnsupportedGame, match="connect-four: the game does not say how to deal anew"):
        determinizer("redeal").sampler(connect_four(), 0)


def test_another_mover_who_could_do_nothing_is_dealt_a_card_that_can_be_bought():
    game, state = beginning()

    def change(made):
        made.stacks = 0
        made.tick = 1
        made.unseen[1] = 0b1
        for place in range(3, 6):
            made.reserved[place] = game.content.names.index("3w1") + 1
        made.reserved[3] = game.content.names.index("1w2") + 1
        made.tokens[1] = 3 << 8
        made.decks[0] &= ~(1 << game.content.names.index("1w2"))
        for place in range(12):
            made.shown[place] = 0

    state = edited(state, change)
    assert state.legal(1)
    for seed in range(20):
        assert game.hidden_swap(state, 0, Rng(seed)).legal(1)


def test_a_thousand_calls_are_split_for_models_of_opponents():
    budget = Budget(Limit(forward_calls=1000))
    part = Budget(Limit(forward_calls=20), parent=budget)
    part.charge(forward_calls=20)
    assert budget.forward_calls_left == 980
    with pytest.raises(BudgetExceeded):
        part.charge(forward_calls=1)
