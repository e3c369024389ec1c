import math
import subprocess
import sys
from dataclasses import replace

import pytest

from ludarium import agent, game, play
from ludarium.agents.tree.growth import Child
from ludarium.agents.tree.mcts import final_move
from ludarium.agents.uct import UCT
from ludarium.core import BadParameter, GameError, Limit, Rng, UnsupportedGame
from ludarium.games.nim import Nim, NimState
from tests.agents.positions import after, decide, facing
from tests.agents.small_games import faulty, matching_pennies, several_at_once, walk, weather

CONNECT_FOUR = game("connect-four")
TIC_TAC_TOE = game("tic-tac-toe")


@pytest.mark.parametrize(
    ("made", "moves", "best"),
    [
        pytest.param(CONNECT_FOUR, "a b a b a b", "a", id="connect-four wins upwards"),
        pytest.param(CONNECT_FOUR, "a a b b c c", "d", id="connect-four wins sideways"),
        pytest.param(CONNECT_FOUR, "a g a g a", "a", id="connect-four blocks"),
        pytest.param(TIC_TAC_TOE, "a1 a2 b1 b2", "c1", id="tic-tac-toe wins"),
        pytest.param(TIC_TAC_TOE, "a1 b2 b1", "c1", id="tic-tac-toe blocks"),
    ],
)
@pytest.mark.parametrize("final", ["visits", "value"])
@pytest.mark.parametrize("unvisited", ["parent", "first"])
def test_it_wins_at_once_or_blocks(made, moves, best, final, unvisited):
    state = after(made, moves)
    for seed in range(5):
        chosen = decide(UCT(final=final, unvisited=unvisited), state, seed=seed, iterations=2000)
        assert made.text(chosen.move) == best


@pytest.mark.parametrize("seed", range(8))
def test_tic_tac_toe_between_two_uct_is_a_draw(seed):
    assert play(TIC_TAC_TOE, [UCT(), UCT()], iterations=3000, seed=seed).utilities == (0.5, 0.5)


def test_it_finds_the_only_winning_move_of_nim():
    nim = game("nim(heaps=(1, 3, 4))")
    chosen = decide(UCT(c=1.4), nim.initial(), iterations=2000)
    assert nim.text(chosen.move) == "2 from c"


@pytest.mark.parametrize("iterations", [1, 7, 8, 1000, 20_000])
def test_every_iteration_visits_one_move_at_the_root(iterations):
    chosen = decide(UCT(), CONNECT_FOUR.initial(), iterations=iterations)
    assert chosen.iterations == sum(chosen.visits.values()) == iterations
    assert set(chosen.visits) == set(chosen.values) == set(CONNECT_FOUR.initial().legal(0))


def test_one_forward_call_is_enough_to_decide():
    chosen = decide(UCT(), CONNECT_FOUR.initial(), forward_calls=1)
    assert (chosen.iterations, chosen.forward_calls) == (1, 1)


def nodes(decision):
    return int(decision.note.split()[0])


@pytest.mark.parametrize("limit", [1, 2, 10, 300])
def test_the_tree_stops_at_its_limit_and_the_search_goes_on(limit):
    chosen = decide(UCT(max_nodes=limit), CONNECT_FOUR.initial(), iterations=5000)
    assert nodes(chosen) == limit
    assert chosen.iterations == sum(chosen.visits.values()) == 5000


@pytest.mark.parametrize("spec", ["connect-four", "breakthrough", "goofspiel", "nim(heaps=(4, 5, 6))"])
def test_the_pools_grow_with_the_tree(spec):
    made = game(spec)
    state = made.initial(Rng(0))
    info = facing(state)
    player = UCT().seat(made, info.role, Rng(3))
    iterations = 2000 if "nim" in spec else 30_000
    chosen = player.choose(info, Limit(iterations=iterations).start())
    tree = player.growth.tree
    assert tree.node_count > 256
    assert tree.edge_count > 1024
    assert tree.node_count <= len(tree.nodes)
    assert tree.edge_count <= len(tree.edges)
    assert not tree.together or 2 * tree.node_count <= len(tree.pairs)
    assert sum(chosen.visits.values()) == iterations


def test_a_search_does_not_depend_on_how_it_was_sliced():
    state = CONNECT_FOUR.initial()
    trees = []
    for slices in ([5000], [1] * 100 + [4900], [256, 744, 4000]):
        growth = UCT().seat(CONNECT_FOUR, 0, Rng(1)).growth
        growth.reset(state)
        for iterations in slices:
            growth.run(iterations, 1 << 62)
        trees.append(growth.at_root(0).children())
    assert trees[0] == trees[1] == trees[2]


@pytest.mark.parametrize(("reuse", "visits"), [(False, 500), (True, 1000)])
def test_a_player_goes_on_in_the_tree_there_is_only_if_wanted(reuse, visits):
    player = UCT(reuse=reuse).seat(CONNECT_FOUR, 0, Rng(1))
    info = facing(CONNECT_FOUR.initial())
    for _ in range(2):
        chosen = player.choose(info, Limit(iterations=500).start())
    assert sum(chosen.visits.values()) == visits


def test_an_only_move_needs_no_thinking():
    goofspiel = game("goofspiel(cards=2, order=rising)")
    state = goofspiel.initial().after({0: 1, 1: 2})
    chosen = decide(UCT(), state, iterations=100)
    assert (chosen.move, chosen.iterations, chosen.note) == (2, 0, "only move")


@pytest.mark.parametrize(
    ("rule", "expected"),
    [("visits", 1), ("value", 2)],
)
def test_the_final_move_has_most_visits_or_the_best_value(rule, expected):
    children = [Child(0, 0, 0.5), Child(1, 90, 0.4), Child(2, 10, 0.6)]
    assert final_move(children, rule, Rng(0)) == expected


@pytest.mark.parametrize("rule", ["visits", "value"])
def test_ties_for_the_final_move_are_broken_at_random(rule):
    children = [Child(0, 5, 0.5), Child(1, 5, 0.5), Child(2, 4, 0.4)]
    rng = Rng(0)
    assert {final_move(children, rule, rng) for _ in range(50)} == {0, 1}


def test_unvisited_moves_come_first_if_wanted():
    chosen = decide(UCT(unvisited="first", c=0.0), after(CONNECT_FOUR, "a b a b a b"), iterations=7)
    assert set(chosen.visits.values()) == {1}


def test_without_exploration_a_sure_win_takes_all_visits():
    chosen = decide(UCT(c=0.0, playout_limit=0), after(CONNECT_FOUR, "a b a b a b"), iterations=200)
    assert chosen.visits[CONNECT_FOUR.parse("a")] > 190
    assert chosen.values[CONNECT_FOUR.parse("a")] == 1.0


@pytest.mark.parametrize(("both_first", "both_second", "equilibrium"), [(2, 2, 1 / 2), (2, 1, 1 / 3), (1, 2, 2 / 3)])
@pytest.mark.parametrize("role", [0, 1])
def test_where_both_choose_at_once_visits_approach_the_equilibrium(role, both_first, both_second, equilibrium):
    state = matching_pennies(both_first, both_second).initial()
    chosen = decide(UCT(), state, role=role, iterations=50_000)
    assert chosen.visits[0] / 50_000 == pytest.approx(equilibrium, abs=0.03)
    value = both_first / 2 * equilibrium if role == 0 else 1 - both_first / 2 * equilibrium
    assert chosen.values[chosen.move] == pytest.approx(value, abs=0.03)


def test_with_everything_to_win_the_high_card_is_bid():
    """Goofspiel with two cards and the prizes 2, then 1: the 2 is a dominant bid."""
    goofspiel = game("goofspiel(cards=2, order=falling)")
    for role in (0, 1):
        chosen = decide(UCT(), goofspiel.initial(), role=role, iterations=2000)
        assert goofspiel.text(chosen.move) == "2"


def test_chance_is_averaged_over():
    """A walk with dice: the sure half against a gamble that wins once in four."""
    made = walk()
    chosen = decide(UCT(), made.initial(Rng(0)), iterations=20_000)
    assert chosen.values == {0: 0.5, 1: pytest.approx(0.25, abs=0.03)}
    assert chosen.move == 0


@pytest.mark.parametrize("spec", ["uct", "mast", "grave", "uct(max_nodes=3)", "uct(unvisited=first)"])
def test_what_may_be_done_depends_on_chance(spec):
    """Two kinds of weather, and a win in one of them: whatever is rolled, a search makes the move that is legal then."""
    made = weather()
    chosen = decide(agent(spec), made.initial(Rng(0)), iterations=2000)
    assert sum(chosen.visits.values()) == 2000
    average = sum(chosen.values[move] * visits for move, visits in chosen.visits.items()) / 2000
    assert average == pytest.approx(0.75, abs=0.03)


def test_hidden_states_are_refused():
    with pytest.raises(UnsupportedGame, match="uct cannot play kuhn-poker: it searches from the present"):
        UCT().seat(game("kuhn-poker"), 0, Rng(0))


class Trap(Nim):
    """Raises when somebody looks at what comes after the third move."""

    def _initial(self, rng):
        return TrapState(self, self.heaps, 0)


class TrapState(NimState):
    def _after(self, joint, rng):
        if sum(self.heaps) < 10:
            raise RuntimeError("the trap")
        following = super()._after(joint, rng)
        return TrapState(self.game, following.heaps, following.turn)


@pytest.mark.parametrize("name", ["uct", "flat"])
def test_what_a_python_game_raises_in_a_search_is_raised_again(name):
    made = Trap((3, 5, 7), misere=False)
    with pytest.raises(RuntimeError, match="the trap"):
        decide(agent(name), made.initial(), iterations=100)


@pytest.mark.parametrize("name", ["uct", "flat"])
@pytest.mark.parametrize(
    ("fault", "complaint"),
    [
        ("no move", "game 'faulty' cannot be searched: .*a mover has no legal move"),
        ("too many moves", "game 'faulty' cannot be searched"),
    ],
)
def test_a_game_whose_legal_lies_is_blamed(name, fault, complaint):
    with pytest.raises(GameError, match=complaint):
        decide(agent(name), faulty(fault).initial(), iterations=100)


def test_a_game_that_lies_about_turns_is_blamed():
    with pytest.raises(GameError, match="says turn_taking, but several roles move at once"):
        decide(UCT(), several_at_once().initial(), iterations=100)


@pytest.mark.parametrize(
    "wrong",
    [
        {"c": -0.1},
        {"c": math.nan},
        {"c": math.inf},
        {"playout_limit": -1},
        {"playout_limit": 1 << 70},
        {"max_nodes": 0},
        {"max_nodes": 1 << 40},
        {"final": "best"},
        {"unvisited": ""},
    ],
    ids=str,
)
def test_parameters_that_make_no_sense_are_refused(wrong):
    (name,) = wrong
    with pytest.raises(BadParameter, match=f"uct: {name} is .*; expected"):
        UCT(**wrong)
    with pytest.raises(BadParameter):
        replace(UCT(), **wrong)


def test_a_search_does_not_wait_for_numpy():
    code = (
        "import sys; from ludarium import agent, game; from ludarium.core import Rng; played = game('connect-four'); "
    )
    code += "agent('uct').seat(played, 0, Rng(1)); print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
