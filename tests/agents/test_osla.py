import pytest

from ludarium import agent, game
from ludarium.agents.osla import OSLA
from ludarium.agents.random import Random
from ludarium.arena import play
from ludarium.core import BadParameter, Rng, UnsupportedGame
from ludarium.hidden import revealed
from ludarium.testing import check_agent
from tests.agents.positions import after, decide
from tests.agents.small_games import matching_pennies, walk

CONNECT_FOUR = game("connect-four")
BREAKTHROUGH = game("breakthrough")


@pytest.mark.parametrize("evaluator", ["auto", "result", "mobility", "linear(games=20)"])
def test_it_wins_at_once_whatever_it_judges_by(evaluator):
    for seed in range(5):
        chosen = decide(OSLA(evaluator=evaluator), after(CONNECT_FOUR, "a b a b a b"), seed=seed, iterations=100)
        assert CONNECT_FOUR.text(chosen.move) == "a"
        assert chosen.values[chosen.move] == 1.0


def test_it_takes_what_it_can_take():
    state = after(BREAKTHROUGH, "a2b3 c7c6 b3b4 c6c5")  # b4 takes c5, and nothing else takes anything
    for seed in range(5):
        assert BREAKTHROUGH.text(decide(OSLA(), state, seed=seed, iterations=100).move) == "b4c5"


def test_every_move_is_tried_once_where_nothing_is_left_to_chance():
    chosen = decide(OSLA(), CONNECT_FOUR.initial(), iterations=1000)
    assert chosen.visits == dict.fromkeys(range(7), 1)
    assert (chosen.iterations, chosen.forward_calls, chosen.depth) == (7, 7, 1)
    assert chosen.line == ((0, chosen.move),)


def test_a_short_budget_tries_moves_at_random_and_plays_one_of_them():
    tried = set()
    for seed in range(60):
        chosen = decide(OSLA(), CONNECT_FOUR.initial(), seed=seed, iterations=2)
        assert sum(chosen.visits.values()) == chosen.iterations == 2
        assert chosen.visits[chosen.move] == 1
        tried |= {move for move, visits in chosen.visits.items() if visits}
    assert tried == set(range(7))


def test_equal_moves_are_drawn_from_at_random():
    state = CONNECT_FOUR.initial()
    assert {decide(OSLA("result"), state, seed=seed, iterations=7).move for seed in range(60)} == set(range(7))


def test_others_that_move_at_once_choose_at_random_until_the_budget_is_gone():
    for role in (0, 1):
        chosen = decide(OSLA(), matching_pennies().initial(), role=role, iterations=10_000)
        assert chosen.iterations == chosen.forward_calls == 10_000
        assert chosen.values == {0: pytest.approx(0.5, abs=0.05), 1: pytest.approx(0.5, abs=0.05)}


def test_chance_is_averaged_over_until_the_budget_is_gone():
    chosen = decide(OSLA(), walk().initial(Rng(0)), iterations=10_000)
    assert chosen.iterations == 10_000
    assert chosen.values == {0: 0.5, 1: pytest.approx(0.25, abs=0.05)}


def test_forward_calls_of_the_evaluator_count():
    rules = game("gdl:connect-four")
    chosen = decide(OSLA("advanced(looks=3)"), rules.initial(), forward_calls=1000)
    assert (chosen.iterations, chosen.forward_calls) == (7, 28)
    short = decide(OSLA("advanced(looks=3)"), rules.initial(), forward_calls=11)
    assert (short.iterations, short.forward_calls) == (2, 8)


def test_with_too_few_forward_calls_to_judge_a_move_it_plays_any():
    rules = game("gdl:connect-four")
    chosen = [decide(OSLA("advanced"), rules.initial(), seed=seed, forward_calls=1) for seed in range(40)]
    assert len({each.move for each in chosen}) > 4
    assert all((each.iterations, each.forward_calls, each.visits) == (0, 0, {}) for each in chosen)
    assert "too few forward calls" in chosen[0].note


def test_random_replies_are_played_before_a_state_is_judged():
    state = after(CONNECT_FOUR, "a b a b a")  # yellow must block, but only sees what red answers if it waits
    chosen = decide(OSLA("result", reply="random"), state, iterations=7000)
    assert CONNECT_FOUR.text(chosen.move) == "a"
    assert chosen.iterations == 7000
    assert chosen.forward_calls > 7000
    at_once = decide(OSLA("result"), state, iterations=7000)
    assert set(at_once.values.values()) == {0.5}


def test_sampled_moves_are_tried_until_the_budget_is_gone():
    chosen = decide(OSLA(moves="sample"), CONNECT_FOUR.initial(), iterations=1000)
    assert chosen.iterations == chosen.forward_calls == sum(chosen.visits.values()) == 1000
    assert len(set(chosen.visits.values())) > 1  # by chance, not in turn
    assert (
        CONNECT_FOUR.text(decide(OSLA(moves="sample"), after(CONNECT_FOUR, "a b a b a b"), iterations=200).move) == "a"
    )


def test_of_equal_sampled_moves_those_drawn_more_often_are_played_more_often():
    state = revealed(game("rinascimento")).initial(Rng(1))  # nobody can have points after one move
    taken = {}
    for moves in ("list", "sample"):
        chosen = [decide(OSLA(moves=moves), state, seed=seed, forward_calls=300) for seed in range(100)]
        assert len({each.values[each.move] for each in chosen}) == 1
        taken[moves] = sum(state.game.text(each.move).startswith("take") for each in chosen)
    assert taken["list"] < 70 < taken["sample"]


def test_rounding_does_not_choose_among_equals():
    """Averages of equal values are equal, however many there are, also if they are no binary fractions."""
    state = revealed(game("rinascimento(goal=6)")).initial(Rng(1))
    while state.game.state_record(bytearray(state.block)).points[0] == 0 or state.movers != (0,):
        state = state.after(decide(OSLA(), state, forward_calls=30).move, Rng(0))
        assert not state.over
    chosen = decide(OSLA(moves="sample"), state, forward_calls=1000)
    values = [chosen.values[move] for move, visits in chosen.visits.items() if visits]
    assert len({round(value, 9) for value in values}) == len(set(values)) < len(values)


def test_sampling_keeps_all_promises_of_an_agent():
    for name in ("breakthrough", "goofspiel", "nim"):
        (checked,) = check_agent(OSLA(moves="sample"), [lambda name=name: game(name)])
        assert checked.supported == game(name).traits.perfect_information


@pytest.mark.statistical
@pytest.mark.parametrize("name", ["breakthrough", "gdl:breakthrough"])
def test_it_beats_random_play(name):
    """An agent that wins 95 % of its games fails this once in 300 times, with other seeds."""
    played = game(name)
    won = 0.0
    for seed in range(20):
        agents = [OSLA(), Random()] if seed % 2 == 0 else [Random(), OSLA()]
        won += play(played, agents, iterations=100, seed=seed).utilities[seed % 2]
    assert won >= 16


def test_hidden_states_are_refused():
    with pytest.raises(UnsupportedGame, match="osla cannot play kuhn-poker"):
        OSLA().seat(game("kuhn-poker"), 0, Rng(0))


def test_evaluators_that_cannot_judge_the_game_are_refused():
    with pytest.raises(UnsupportedGame, match="material cannot judge nim"):
        OSLA("material").seat(game("nim"), 0, Rng(0))


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("osla(reply=best)", "osla: reply is 'best'; expected one of none, random"),
        ("osla(moves=some)", "osla: moves is 'some'; expected one of auto, list, sample"),
        ("osla(evaluator=mobilty)", "unknown evaluator 'mobilty': did you mean 'mobility'?"),
        ("osla(evaluator=3)", "osla: evaluator is 3"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(spec, complaint):
    with pytest.raises(BadParameter) as told:
        agent(spec)
    assert complaint in str(told.value)
