from collections import Counter
from fractions import Fraction

import pytest

from ludarium import game
from ludarium.core import Rng, Traits, UnsupportedGame
from ludarium.hidden.chance import Chance
from ludarium.kernel import Stream, draw, i64, kernel, u64, uniform, using, view
from tests.agents.small_games import Spot, first_once, made, walk


def shares(outcomes):
    total = Counter()
    for state, likely in outcomes:
        if state is not None:
            total[str(state)] += Fraction(likely).limit_denominator(1000)
    return dict(total)


@pytest.mark.parametrize("way", ["native", "check", "python"])
def test_all_deals_of_kuhn_poker_are_listed_once(way):
    with using(way):
        found = shares(Chance(game("kuhn-poker")).beginnings())
    assert len(found) == 6
    assert set(found.values()) == {Fraction(1, 6)}


def test_moves_with_chance_have_several_outcomes_and_moves_without_have_one():
    gamble = walk()
    state = gamble.initial(Rng(0))
    assert shares(Chance(gamble).outcomes(state, {0: 1})) == {"1 2": Fraction(1, 4), "1 0": Fraction(3, 4)}
    assert shares(Chance(gamble).outcomes(state, {0: 0})) == {"1 1": 1}
    assert len(list(Chance(gamble).outcomes(state, {0: 0}))) == 1


def test_the_outcomes_are_those_of_playing_on():
    meier = game("monty-hall")
    state = meier.initial(Rng(0))
    listed = {each for each, _ in Chance(meier).outcomes(state, {0: state.legal(0)[0]}) if each is not None}
    assert listed == {state.after(state.legal(0)[0], Rng(seed)) for seed in range(60)}


def test_draws_that_depend_on_draws_are_followed():
    cards = game("goofspiel(cards=3)")
    first = {str(state): state for state, _ in Chance(cards).beginnings() if state is not None}
    assert len(first) == 3
    for state in first.values():
        assert set(shares(Chance(cards).outcomes(state, {0: 1, 1: 2})).values()) == {Fraction(1, 2)}


@kernel
def raw(state: Spot, joint: view[u64], rng: Stream) -> None:
    state.place = i64(draw(rng) & 1)
    state.plies += 1


@kernel
def fraction(state: Spot, joint: view[u64], rng: Stream) -> None:
    state.place = 1 if uniform(rng) < 0.25 else 0
    state.plies += 1


@pytest.mark.parametrize("apply", [raw, fraction])
def test_chance_that_cannot_be_listed_is_refused(apply):
    odd = made("odd", Traits(turn_taking=True, perfect_information=True), movers=first_once, apply=apply)
    with pytest.raises(UnsupportedGame, match="enumeration cannot list the chance of odd"):
        list(Chance(odd).outcomes(odd.initial(Rng(0)), {0: 1}))


def test_plain_python_games_are_listed_too():
    nim = game("nim")
    (only,) = Chance(nim).beginnings()
    assert only == (nim.initial(), 1.0)
