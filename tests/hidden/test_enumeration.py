from collections import Counter

import pytest

from ludarium import game
from ludarium.core import BadParameter, InformationSet, Rng
from ludarium.hidden import Enumeration, NoSuchState, TooManyStates
from ludarium.testing.determinizer import positions
from tests.hidden.knowledge import holding

POKER = game("kuhn-poker")


def cost(sampler, info):
    """Forward calls until the states are listed; a busy machine may cut the work into pieces."""
    calls, states = 0, []
    while not states:
        states, used, _ = sampler.draw(info, 1, Rng(0))
        calls += used
    return calls


@pytest.mark.parametrize("moves", ["", "pass", "bet", "pass bet"])
@pytest.mark.parametrize("card", "JQK")
def test_both_other_cards_are_equally_likely_in_kuhn_poker(card, moves):
    info = holding(POKER, card, moves)
    found = Enumeration().sampler(POKER, info.role).likelihoods(info)
    assert len(found) == 2
    assert set(found.values()) == {0.5}
    for state in found:
        assert state.observe(info.role) == info.seen[-1]


def test_likelihoods_follow_the_rule_of_bayes():
    """The host never opens the door with the car, nor the one chosen: the other one has it in two of three cases."""
    monty = game("monty-hall")
    *_, (info,) = positions(monty, 0, 2)
    found = Enumeration().sampler(monty, 0).likelihoods(info)
    assert sorted(found.values()) == [pytest.approx(1 / 3), pytest.approx(2 / 3)]
    assert [monty.text(move) for move in info.played] == ["(choose 1)", "noop"]
    (stays,) = (state for state, share in found.items() if share < 0.5)
    assert "(car 1)" in stays.facts()


def test_a_sampler_that_is_carried_on_finds_what_a_new_one_finds():
    kriegspiel = game("kriegspiel-tic-tac-toe")
    carried = [Enumeration().sampler(kriegspiel, role) for role in (0, 1)]
    for infos in positions(kriegspiel, 3, 7):
        for info in infos:
            anew = Enumeration().sampler(kriegspiel, info.role).likelihoods(info)
            on = carried[info.role].likelihoods(info)
            assert on.keys() == anew.keys()
            assert all(on[state] == pytest.approx(anew[state]) for state in on)


def test_carrying_on_costs_only_the_plies_that_are_new():
    kriegspiel = game("kriegspiel-tic-tac-toe")
    infos = [info for infos in positions(kriegspiel, 3, 6) for info in infos if info.role == 0]
    carried = Enumeration().sampler(kriegspiel, 0)
    for info in infos[:-1]:
        carried.likelihoods(info)
    assert 0 < cost(carried, infos[-1]) < cost(Enumeration().sampler(kriegspiel, 0), infos[-1])


def test_another_match_is_no_continuation():
    sampler = Enumeration().sampler(POKER, 0)
    for card in "JKQ":
        for state in sampler.likelihoods(holding(POKER, card)):
            assert str(state).startswith(f"first {card}")


def test_draws_are_as_likely_as_the_states():
    monty = game("monty-hall")
    *_, (info,) = positions(monty, 0, 2)
    sampler = Enumeration().sampler(monty, 0)
    counts = Counter(sampler.sample(info, 3000, Rng(1)))
    for state, share in sampler.likelihoods(info).items():
        assert counts[state] / 3000 == pytest.approx(share, abs=0.05)


def test_forward_calls_are_kept_to_the_last():
    info = holding(POKER, "Q", "pass bet")
    for allowed in (0, 1, 3):
        sampler, calls = Enumeration().sampler(POKER, 0), []
        for _ in range(100):
            made = sampler.draw(info, 2, Rng(0), allowed)
            calls.append(made.calls)
            if made.states:
                break
        assert max(calls) == allowed
        assert bool(made.states) == (allowed > 0)


def test_what_cannot_have_been_seen_is_an_error():
    impossible = InformationSet(game=POKER, role=0, legal=(0, 1), seen=(bytes([7]),))
    with pytest.raises(NoSuchState, match="no state agrees with what first in kuhn-poker has seen"):
        Enumeration().sampler(POKER, 0).likelihoods(impossible)
    other_moves = InformationSet(game=POKER, role=0, legal=(0, 5), seen=(bytes([1]),))
    with pytest.raises(NoSuchState, match="it would not have to choose among these moves now"):
        Enumeration().sampler(POKER, 0).likelihoods(other_moves)


def test_too_many_states_are_an_error():
    battleship = game("gdl:battleship")
    *_, infos = positions(battleship, 0, 2)
    with pytest.raises(TooManyStates, match="more than 20 states agree with what red in gdl:battleship has seen"):
        Enumeration(limit=20).sampler(battleship, 0).sample(infos[0], 1, Rng(0))


def test_somebody_else_is_refused():
    with pytest.raises(BadParameter, match="this sampler is for first in kuhn-poker"):
        Enumeration().sampler(POKER, 0).sample(holding(POKER, "Q", "pass"), 1, Rng(0))
    with pytest.raises(BadParameter, match="has no observations"):
        Enumeration().sampler(POKER, 0).sample(InformationSet(game=POKER, role=0, legal=(0, 1)), 1, Rng(0))
