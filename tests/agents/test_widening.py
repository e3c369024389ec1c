from functools import partial

import pytest

from ludarium import agent, catalog, game, play
from ludarium.agents.rolling.player import PATIENCE
from ludarium.agents.widening import WideningMCTS
from ludarium.core import BadParameter, GameError, Limit, Rng, UnsupportedGame
from ludarium.core.parameters import domains
from ludarium.testing import check_agent
from tests.agents.positions import after, decide, facing
from tests.agents.rolling_games import (
    DOWN,
    PASS,
    UP,
    always_up,
    charging,
    offer,
    rope,
    rope_together,
    rope_with_luck,
    rope_without_end,
)
from tests.agents.small_games import faulty

CONNECT_FOUR = game("connect-four")

VARIANTS = (
    "widening(c=1.0, depth=6, samples=3, final=robust)",
    "widening(opponent=osla, final=max, max_nodes=3)",
    "widening(opponent=flat, evaluator=advanced, c=0.3, epsilon=0.0)",
    "widening(expansion=0.0, samples=20, c=2.0)",
)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("made", ["tic-tac-toe", "goofspiel(cards=4)", "nim(heaps=(2, 3))"])
def test_variants_keep_their_promises(variant, made):
    (checked,) = check_agent(catalog.agent(variant), [partial(catalog.game, made)])
    assert checked.supported


def test_the_parameters_are_those_of_the_paper():
    tries = {name: domain.tries for name, domain in domains(WideningMCTS).items()}
    assert tries["depth"] == (2, 3, 6, 11, 21)
    assert tries["c"] == (0.0, 1.41, 4.0, 9.0, 15.0, 20.0)
    assert tries["epsilon"] == (1e-6,)
    assert tries["expansion"] == (0.1, 0.2, 0.3, 0.4)
    assert tries["samples"] == (1, 3, 5, 10, 15)
    assert tries["opponent_share"] == (0.01, 0.05, 0.1)
    best = WideningMCTS()
    assert (best.depth, best.c, best.expansion, best.samples, best.opponent) == (2, 0.0, 0.4, 1, "nothing")


@pytest.mark.parametrize("final", ["max", "robust", "secure"])
def test_it_wins_at_once_or_blocks(final):
    for moves, best in (("a b a b a b", "a"), ("a a b b c c", "d"), ("a g a g a", "a")):
        for seed in range(5):
            wide = WideningMCTS(c=0.5, opponent="osla", evaluator="result", final=final)
            chosen = decide(wide, after(CONNECT_FOUR, moves), seed=seed, iterations=2000)
            assert CONNECT_FOUR.text(chosen.move) == best


@pytest.mark.parametrize("made", [rope(), rope_together()], ids=lambda made: made.name)
@pytest.mark.parametrize("role", [0, 1])
def test_it_finds_the_best_line(made, role):
    state = made.initial() if made.name != "rope" or role == 0 else made.initial().after(PASS)
    chosen = decide(WideningMCTS(depth=3, c=0.05, evaluator="result"), state, role=role, iterations=2000)
    assert chosen.line == ((role, DOWN if role else UP),) * 3
    assert sum(chosen.visits.values()) == chosen.iterations == 2000
    assert chosen.depth == (6 if made.name == "rope" else 3)


def tree(samples, expansion, iterations, **more):
    wide = WideningMCTS(samples=samples, expansion=expansion, evaluator="result", **more)
    player = wide.seat(CONNECT_FOUR, 0, Rng(4))
    return player, player.choose(facing(CONNECT_FOUR.initial()), Limit(iterations=iterations).start())


def test_a_node_is_widened_by_so_many_samples():
    assert len(tree(1, 0.0, 500)[1].visits) == 1, "the first sample, and never another"
    player, _ = tree(3, 0.0, 1)
    assert 1 <= len(player._children(player.tree.nodes[0])) <= 3
    assert len(tree(1, 1.0, 500)[1].visits) == 7, "always another, until there are no more"


def test_what_is_sampled_twice_is_one_child():
    player, chosen = tree(15, 0.4, 1000)
    moves = [leaf.move for leaf in player._children(player.tree.nodes[0])]
    assert len(moves) == len(set(moves)) == player.tree.nodes[0].children == 7
    assert set(chosen.visits) <= set(moves)


def test_without_exploration_the_best_average_is_tried_on():
    _, greedy = tree(15, 0.0, 2000, c=0.0, depth=1)
    _, curious = tree(15, 0.0, 2000, c=20.0, depth=1)
    assert max(greedy.visits.values()) > 1900
    assert max(curious.visits.values()) < 400


def test_moves_are_drawn_as_the_game_says():
    made = rope()
    offer(made, sample=always_up)
    assert set(decide(WideningMCTS(), made.initial(), iterations=200).visits) == {UP}


@pytest.mark.parametrize(("final", "expected"), [("max", 1), ("robust", 2), ("secure", 3)])
def test_the_final_move_is_recommended_by_the_rule(final, expected):
    player = WideningMCTS(c=1.0, final=final).seat(rope(), 0, Rng(0))
    assert player._chosen() is None
    player.tree.nodes[0].child = 1
    for move, visits, average in ((1, 1, 0.9), (2, 60, 0.5), (3, 40, 0.6), (4, 0, 0.0)):
        leaf = player.tree.nodes[move]
        leaf.move, leaf.visits, leaf.total, leaf.sibling = move, visits, visits * average, move + 1 if move < 4 else -1
    assert player._chosen().move == expected


@pytest.mark.parametrize("limit", [2, 5, 300])
def test_the_tree_stops_at_its_limit_and_the_search_goes_on(limit):
    player, chosen = tree(3, 0.4, 5000, max_nodes=limit, depth=8, c=1.0)
    assert player.tree.count == limit
    assert chosen.iterations == 5000


def test_the_pool_grows_with_the_tree():
    player, chosen = tree(5, 0.4, 3000, depth=8, c=1.0)
    assert player.tree.count > 2000
    assert player.tree.count <= len(player.tree.nodes)
    assert sum(chosen.visits.values()) == 3000


def test_a_child_that_is_not_legal_this_time_is_passed_over():
    """What can be taken from a heap depends on the reply; and Nim, being plain Python, raises at what cannot."""
    wide = WideningMCTS(depth=3, c=1.0, expansion=0.1, samples=3, opponent="random")
    chosen = decide(wide, game("nim(heaps=(4, 4))").initial(), iterations=1000)
    assert sum(chosen.visits.values()) == 1000


@pytest.mark.parametrize("calls", [1, 2, 10, 333])
def test_forward_calls_are_counted_to_the_last(calls):
    assert decide(WideningMCTS(depth=4), CONNECT_FOUR.initial(), forward_calls=calls).forward_calls == calls


@pytest.mark.parametrize("calls", range(1, 30))
def test_calls_are_kept_back_for_judging(calls):
    budget = Limit(forward_calls=calls).start()
    player = charging(WideningMCTS(depth=4).seat(CONNECT_FOUR, 0, Rng(0)))
    chosen = player.choose(facing(CONNECT_FOUR.initial()), budget)
    assert calls - 3 <= chosen.forward_calls == budget.spent.forward_calls <= calls
    assert (chosen.iterations > 0) == (calls > 3), "one to play, and three to judge"


def test_chance_is_rolled_anew_and_roles_may_wait_for_ever():
    chosen = decide(WideningMCTS(c=1.0, evaluator="result"), rope_with_luck().initial(Rng(0)), iterations=4000)
    assert chosen.values == {PASS: pytest.approx(0.5), UP: pytest.approx(0.25, abs=0.06)}
    assert decide(WideningMCTS(), rope_without_end().initial(), iterations=3).depth == 1 + PATIENCE


def test_hidden_states_and_broken_games_are_refused():
    with pytest.raises(UnsupportedGame, match="widening cannot play kuhn-poker"):
        WideningMCTS().seat(game("kuhn-poker"), 0, Rng(0))
    with pytest.raises(GameError, match="game 'faulty' cannot be searched"):
        decide(WideningMCTS(depth=5, evaluator="result"), faulty("no move").initial(), iterations=10)


@pytest.mark.parametrize("wrong", ["depth=0", "c=-1.0", "expansion=2.0", "samples=0", "final=best", "max_nodes=1"])
def test_parameters_that_make_no_sense_are_refused(wrong):
    with pytest.raises(BadParameter, match="widening: "):
        agent(f"widening({wrong})")


@pytest.mark.statistical
def test_it_beats_random_play():
    """Seeded; by chance 15 of 20 happen to an equal player in 2 % of all seeds."""
    won = 0.0
    for seed in range(20):
        seats = [agent("widening"), agent("random")] if seed % 2 == 0 else [agent("random"), agent("widening")]
        won += play(CONNECT_FOUR, seats, forward_calls=1000, seed=seed).utilities[seed % 2]
    assert won >= 15
