from collections import Counter

import pytest

from ludarium import agent, game
from ludarium.agents.random import Random
from ludarium.core import BadParameter, BudgetExceeded, Limit, Rng, UnsupportedGame
from ludarium.hidden import revealed
from ludarium.testing import check_agent
from tests.agents.positions import decide, facing

SAMPLING = agent("random(draw=sample)")


@pytest.mark.statistical
def test_all_legal_moves_are_equally_likely():
    """A chi-square test with 6 degrees of freedom; fails by chance once in 100,000, for one fixed seed."""
    state = game("connect-four").initial()
    info, limit = facing(state), Limit(iterations=1)
    player = Random().seat(info.game, 0, Rng(2024))
    draws = 14_000
    counts = Counter(player.choose(info, limit.start()).move for _ in range(draws))
    expected = draws / len(info.legal)
    assert set(counts) == set(info.legal)
    assert sum((counts[move] - expected) ** 2 / expected for move in info.legal) < 32.4


def test_it_plays_where_something_is_hidden():
    made = game("kuhn-poker")
    assert Random().seat(made, 0, Rng(0))


def test_it_uses_no_budget():
    chosen = decide(Random(), game("nim").initial(), iterations=1)
    assert (chosen.iterations, chosen.forward_calls) == (0, 0)


def test_an_expired_budget_is_an_error():
    info = facing(game("nim").initial())
    budget = Limit(iterations=1).start()
    budget.charge(iterations=1)
    with pytest.raises(BudgetExceeded):
        Random().seat(info.game, 0, Rng(0)).choose(info, budget)


def test_sampled_moves_are_as_likely_as_the_games_own_generator_makes_them():
    """In the first position of Rinascimento tokens are taken 9 times in 10, where most moves of the list are reserves."""
    state = revealed(game("rinascimento")).initial(Rng(1))
    info, limit = facing(state), Limit(iterations=1)
    taken = {}
    for made in (Random(), SAMPLING):
        player = made.seat(info.game, 0, Rng(5))
        moves = [player.choose(info, limit.start()).move for _ in range(500)]
        assert set(moves) <= set(info.legal)
        taken[made] = sum(info.game.text(move).startswith("take") for move in moves) / 500
    assert taken[Random()] < 0.65
    assert taken[SAMPLING] > 0.75


def test_without_a_generator_sampled_moves_come_from_the_list():
    state = game("connect-four").initial()
    assert {decide(SAMPLING, state, seed=seed, iterations=1).move for seed in range(60)} == set(range(7))


def test_sampling_keeps_all_promises_of_an_agent():
    for name in ("breakthrough", "nim"):
        (checked,) = check_agent(SAMPLING, [lambda name=name: game(name)])
        assert checked.supported


def test_sampling_needs_a_state_and_is_lent_one_by_determinization():
    with pytest.raises(UnsupportedGame, match="random cannot play rinascimento"):
        SAMPLING.seat(game("rinascimento"), 0, Rng(0))
    lent = agent("determinized(inner=random(draw=sample), determinizer=redeal, samples=1)")
    assert lent.seat(game("rinascimento"), 0, Rng(0))


def test_other_ways_to_draw_are_refused():
    with pytest.raises(BadParameter, match="random: draw is 'dice'; expected one of list, sample"):
        agent("random(draw=dice)")
