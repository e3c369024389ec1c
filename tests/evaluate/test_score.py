import math

import pytest

from ludarium import game
from ludarium.core import Rng
from ludarium.core.hints import Pieces
from ludarium.evaluate import evaluator, values
from ludarium.evaluate.judge import Judge
from ludarium.evaluate.layout import ADVANCED, MATERIAL, MOBILITY
from ludarium.evaluate.score import REACH, score
from ludarium.evaluate.sheet import Facts, Feature, sheet
from ludarium.evaluate.terms import Material
from ludarium.kernel import bridge, using
from tests.agents.mixed_games import random_states
from tests.agents.positions import after
from tests.agents.small_games import matching_pennies
from tests.evaluate.positions import counted

BREAKTHROUGH = game("breakthrough")
RULES = game("gdl:breakthrough")


def test_mobility_counts_the_moves_of_those_who_move():
    assert counted(Feature(MOBILITY), BREAKTHROUGH.initial()) == ([22.0, 0.0], 0)
    assert counted(Feature(MOBILITY), after(BREAKTHROUGH, "a2a3")) == ([0.0, 22.0], 0)
    assert counted(Feature(MOBILITY), matching_pennies().initial()) == ([2.0, 2.0], 0)


def test_advanced_mobility_asks_those_who_wait_too():
    assert counted(Feature(ADVANCED, looks=1), BREAKTHROUGH.initial()) == ([22.0, 22.0], 0)


@pytest.mark.parametrize("looks", [1, 2, 5])
def test_advanced_mobility_looks_ahead_for_those_without_a_choice(looks):
    assert counted(Feature(ADVANCED, looks=looks), RULES.initial()) == ([22.0, pytest.approx(22.0)], looks)


@pytest.mark.parametrize("name", ["breakthrough", "gdl:breakthrough"])
def test_material_counts_pieces_of_each_role(name):
    breakthrough = game(name)
    kind, symbols = Material().feature(breakthrough), "XO" if name == "breakthrough" else "○●"
    seen = set()
    for seed in range(5):
        rng, state = Rng(seed), breakthrough.initial()
        while not state.over:
            found, _ = counted(kind, state)
            assert found == [float(str(state).count(symbol)) for symbol in symbols]
            seen.add(tuple(found))
            state = state.after(rng.choice(state.legal(state.movers[0])))
    assert len(seen) > 5


def test_material_reads_states_that_are_no_whole_words():
    tic_tac_toe = game("tic-tac-toe")
    assert tic_tac_toe.state_size % 8 != 0
    state = after(tic_tac_toe, "b2 a1 c3")
    for way in ("native", "check", "python"):
        with using(way):
            assert counted(Material().feature(tic_tac_toe), state)[0] == [2.0, 1.0]


def test_weights_and_facts_add_up_before_they_are_squashed():
    connect_four = game("connect-four")
    table = bridge(connect_four).table
    red = Pieces(0, 0, (1 << 49) - 1)
    facts = Facts([(0, 1 << 21)], [x for bit in range(64) for x in (bit / 100, -bit / 50)])
    looked_at = sheet(table, [Feature(MATERIAL, pieces=[red])], [0.1, 0.2, 0.0, -0.3, 0.0, 0.4], facts)
    empty, centre = after(connect_four, ""), after(connect_four, "d a")
    found = values(Judge(score, looked_at), connect_four, [empty, centre], Rng(0))
    assert found[0] == pytest.approx((0.5 + REACH * math.tanh(0.1), 0.5 + REACH * math.tanh(-0.3)))
    first, second = 0.1 + 0.2 + 0.21, -0.3 - 0.42
    assert found[1] == pytest.approx((0.5 + REACH * math.tanh(first), 0.5 + REACH * math.tanh(second)))


@pytest.mark.parametrize("name", ["breakthrough", "connect-four", "tic-tac-toe"])
@pytest.mark.parametrize("spec", ["material + 0.001*mobility", "mobility", "material"])
def test_what_is_remembered_is_what_was_worked_out(name, spec):
    made = game(name)
    states = random_states(made.initial(), 3, tuple(range(0, 40, 3)))
    judge, plain = evaluator(spec).judge(made), evaluator(spec).judge(made)
    plain.judging.countable = False
    wanted = values(plain, made, states, Rng(0))
    for _ in range(2):
        assert values(judge, made, states, Rng(0)) == wanted
    assert any(judge.judging.memos.memory)
