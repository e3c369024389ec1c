from time import thread_time

import pytest

from ludarium import agent, game, play
from ludarium.agents.bmrh import BMRH
from ludarium.agents.flat import Flat
from ludarium.agents.osla import OSLA
from ludarium.agents.random import Random
from ludarium.agents.rhea import RHEA
from ludarium.agents.rmhc import RMHC
from ludarium.agents.rolling.opponents import Nothing, passes
from ludarium.agents.srh import SRH
from ludarium.agents.widening import WideningMCTS
from ludarium.core import BadParameter, Limit, Rng, UnsupportedGame
from ludarium.games.nim import Nim
from tests.agents.positions import decide, facing
from tests.agents.rolling_games import (
    DOWN,
    PASS,
    UP,
    offer,
    rope,
    rope_for_one,
    rope_together,
    rope_without_pass,
    wait,
)

PLANNERS = (BMRH, RHEA, RMHC, SRH, WideningMCTS)


def replies(opponent, made, seeds=range(10), **limit):
    """What the opponent is expected to answer, in the best plans of some searches."""
    found = []
    for seed in seeds:
        chosen = decide(BMRH(opponent=opponent, evaluator="result"), made.initial(), seed=seed, **limit)
        found += [move for role, move in chosen.line if role == 1]
    return found


def test_nothing_passes_where_it_may():
    assert set(replies("nothing", rope(), iterations=50)) == {PASS}
    assert set(replies(Nothing(), rope_together(), iterations=50)) == {PASS}


def test_nothing_plays_at_random_where_it_must_move():
    assert set(replies("nothing", rope_without_pass(), iterations=1)) == {UP, DOWN}


def test_a_game_may_know_how_to_do_nothing_where_nobody_may():
    made = rope_without_pass()
    offer(made, do_nothing=wait)
    chosen = decide(BMRH(evaluator="result", length=3), made.initial(), iterations=100)
    assert chosen.line == ((0, UP), (0, UP), (0, UP))
    assert chosen.forward_calls == 100 * 3, "doing nothing is no forward call"
    assert chosen.depth == 6


def test_random_draws_from_all_moves():
    assert set(replies("random", rope(), iterations=1)) == {PASS, UP, DOWN}


@pytest.mark.parametrize("opponent", ["osla", OSLA(evaluator="result")])
def test_osla_answers_with_what_is_best_for_itself(opponent):
    assert set(replies(opponent, rope(), iterations=20)) == {DOWN}


def test_osla_tries_as_many_moves_as_its_share_pays_for():
    bmrh = BMRH(opponent="osla", opponent_share=0.01, evaluator="result", length=1, evaluations=0)
    assert set(replies_of(bmrh, forward_calls=99)) == {PASS, UP, DOWN}  # a share below one call
    assert set(replies_of(bmrh, forward_calls=300)) == {DOWN}


def replies_of(planner, **limit):
    lines = [decide(planner, rope().initial(), seed=seed, **limit).line for seed in range(15)]
    return [move for line in lines for role, move in line if role == 1]


@pytest.mark.parametrize("kind", PLANNERS)
def test_any_other_agent_thinks_with_a_share_of_the_budget(kind):
    planner = kind(opponent=Flat(), evaluator="result", opponent_share=0.05)
    budget = Limit(iterations=2000).start()
    state = rope().initial()
    chosen = planner.seat(state.game, 0, Rng(1)).choose(facing(state), budget)
    assert (chosen.iterations, chosen.forward_calls) == budget.spent[:2]
    assert chosen.iterations <= 2000
    own = sum(chosen.visits.values())
    assert 4 < own < 40, "each reply is worth 100 iterations"


def test_an_agent_that_thinks_expects_better_replies_than_chance():
    found = replies(Flat(), rope(), iterations=3000, seeds=range(3))
    assert found.count(DOWN) > 0.8 * len(found)


@pytest.mark.parametrize("made", [rope(), rope_together(), Nim((2, 3), misere=False)], ids=lambda made: made.name)
@pytest.mark.parametrize("limit", [1, 2, 3, 10, 100])
def test_what_others_think_is_charged_to_the_last_call(made, limit):
    for kind in (BMRH, WideningMCTS):
        budget = Limit(forward_calls=limit).start()
        state = made.initial()
        chosen = kind(opponent=Flat()).seat(made, 0, Rng(1)).choose(facing(state, 0), budget)
        assert chosen.forward_calls == budget.spent.forward_calls == limit
        assert chosen.iterations == budget.spent.iterations


def test_an_opponent_keeps_no_plan_between_states_that_do_not_follow_one_another():
    player = BMRH(opponent=RMHC(shift_buffer=True)).seat(rope(), 0, Rng(0))
    assert player.scene.opponents.thinking.players[1].agent == RMHC(shift_buffer=False)


def test_a_thinking_opponent_keeps_the_clock():
    state = game("connect-four").initial()
    player = BMRH(opponent=Flat(), evaluations=10**9).seat(state.game, 0, Rng(1))
    budget, worked = Limit(seconds=0.2).start(), thread_time()
    chosen = player.choose(facing(state), budget)
    assert (
        min(budget.spent.seconds, thread_time() - worked) < 0.2 + 0.5
    )  # a busy machine may make it late, but not work
    assert chosen.visits


def test_an_osla_with_replies_thinks_as_it_does_elsewhere():
    player = BMRH(opponent=OSLA(reply="random")).seat(rope(), 0, Rng(0))
    assert player.scene.opponents.thinking is not None
    assert BMRH(opponent=OSLA()).seat(rope(), 0, Rng(0)).scene.opponents.thinking is None


@pytest.mark.parametrize("kind", PLANNERS)
def test_a_game_for_one_has_no_opponents(kind):
    alone = rope_for_one()
    assert decide(kind(evaluator="result"), alone.initial(), iterations=200).move == UP
    for opponent in (Nothing(), Random(), Flat(), "osla"):
        with pytest.raises(UnsupportedGame, match=r"cannot play rope for one with the opponent model .*game for one"):
            kind(opponent=opponent).seat(alone, 0, Rng(0))


@pytest.mark.parametrize("kind", PLANNERS)
def test_unknown_evaluators_are_refused(kind):
    with pytest.raises(BadParameter, match="unknown evaluator 'mobilty': did you mean 'mobility'"):
        kind(evaluator="mobilty")


def test_words_that_are_no_model_are_refused():
    with pytest.raises(BadParameter, match="bmrh: opponent is 'uct'; expected nothing, random, osla, or an agent"):
        BMRH(opponent="uct")
    with pytest.raises(BadParameter, match="opponent is 3"):
        agent("rhea(opponent=3)")
    assert agent("bmrh(opponent=flat(playout_limit=3))").opponent == Flat(playout_limit=3)
    assert agent("bmrh(opponent=nothing)").opponent == Nothing()


def test_an_opponent_that_cannot_play_the_game_says_so():
    with pytest.raises(UnsupportedGame, match="cannot play kuhn-poker"):
        BMRH(opponent=Flat()).seat(game("kuhn-poker"), 0, Rng(0))


@pytest.mark.parametrize("opponent", ["osla", "flat", "nothing"])
def test_planners_play_hidden_games_where_states_are_imagined(opponent):
    inner = f"bmrh(opponent={opponent})"
    match = play(game("kuhn-poker"), [agent(f"determinized(inner={inner})"), agent("random")], iterations=200, seed=1)
    assert not match.faults


def test_moves_that_do_nothing_are_known_by_their_text():
    assert passes(rope()) == [PASS]
    assert passes(game("connect-four")) == []
    assert passes(game("gdl:tic-tac-toe")) == [game("gdl:tic-tac-toe").parse("noop")]


def test_the_nothing_agent_passes_or_draws():
    assert {decide(Nothing(), rope().initial(), seed=seed, iterations=1).move for seed in range(20)} == {PASS}
    others = {decide(Nothing(), rope_without_pass().initial(), seed=seed, iterations=1).move for seed in range(20)}
    assert others == {UP, DOWN}
