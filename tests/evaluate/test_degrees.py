from array import array
from itertools import product

import pytest

from ludarium import game
from ludarium.core import Rng
from ludarium.core.hints import Formulas
from ludarium.evaluate.degrees import net_of, work_out
from ludarium.gdl.game import GdlGame
from ludarium.kernel import using
from tests.evaluate.positions import judged

A, B, C = 2, 4, 6  # the literals of three facts
GATES = 8


def degrees(formulas: Formulas, facts: int, *, power: int = 25) -> list[float]:
    """The degree of every node, the constant first."""
    net, out = net_of(formulas, 1), array("d", [0.0])
    work_out(net, array("Q", [facts]), 0.75, power, out)
    return list(net.degrees)[::3]


def formulas(*gates, loops=(), nearer=()) -> Formulas:
    return Formulas([0, 1, 2], gates, 1, [(0, 1.0, GATES)], loops, nearer)


def test_a_formula_holds_exactly_if_its_degree_is_above_a_half():
    gates = [
        (True, (A, B, C)),
        (False, (A, B, C)),
        (True, (A, B ^ 1)),
        (False, (A ^ 1, GATES + 4)),
        (True, (GATES + 1, C)),
    ]
    net = formulas(*gates)
    for a, b, c in product((False, True), repeat=3):
        found = degrees(net, a | b << 1 | c << 2)
        every = a and b and c
        holds = [a, b, c, every, a or b or c, a and not b, not a or (a and not b), not every and c]
        assert [degree > 0.5 for degree in found[1:]] == holds


def test_the_less_is_missing_the_truer_a_conjunction_is():
    net = formulas((True, (A, B, C)), (False, (A, B, C)))
    all_of = [degrees(net, facts)[4] for facts in (0b000, 0b001, 0b011, 0b111)]
    any_of = [degrees(net, facts)[5] for facts in (0b000, 0b001, 0b011, 0b111)]
    assert all_of == sorted(set(all_of))
    assert any_of == sorted(set(any_of))


def test_formulas_that_depend_on_themselves_are_worked_out_from_nothing():
    # Two gates, each of which holds if the other does, or if a fact does.
    loop = formulas((False, (A, GATES + 2)), (False, (B, GATES)), loops=[(4, 6)])
    assert all(degree < 0.5 for degree in degrees(loop, 0b000)[4:])
    assert all(degree > 0.5 for degree in degrees(loop, 0b010)[4:])


def test_a_fact_is_the_truer_the_fewer_steps_bring_it_about():
    near = formulas((True, (A,)), nearer=[[0b010, 0b100], [], []])
    nothing, two, one, now = (degrees(near, facts)[1] for facts in (0b000, 0b100, 0b010, 0b001))
    assert 0.25 == nothing < two < one < 0.5 < now


def test_all_kinds_of_code_agree():
    loop = formulas((False, (A, GATES + 2)), (False, (B, GATES)), loops=[(4, 6)], nearer=[[0b010, 0b100], [], []])
    found = []
    for way in ("native", "check", "python"):
        with using(way):
            found.append([degrees(loop, facts) for facts in range(8)])
    assert found[0] == found[1] == found[2]


def test_degrees_agree_with_the_rules():
    rules = game("gdl:tic-tac-toe")
    assert isinstance(rules, GdlGame)
    net = net_of(rules.formulas, 2)
    ends = set()
    for seed in range(30):
        rng, state = Rng(seed), rules.initial()
        while True:
            out = array("d", [0.0, 0.0])
            work_out(net, array("Q", state.block[: 8 * (len(state.block) // 8)]), 0.75, 25, out)
            found = list(net.degrees)[::3]

            def holds(literal, found=found):
                return (found[literal >> 1] > 0.5) != bool(literal & 1)

            assert holds(net.terminal) == state.over
            for role, value, literal in rules.formulas.goals:
                assert holds(literal) == (round(100 * value) in state.goals(role))
            if state.over:
                ends.add(state.utilities())
                break
            state = state.after(rng.choice(state.legal(state.movers[0])))
    assert len(ends) == 3


@pytest.mark.parametrize(
    ("name", "worse", "better"),
    [
        ("gdl:tic-tac-toe", "(mark 1 2), (mark 2 2), (mark 3 2)", "(mark 2 2), (mark 1 2), (mark 1 1)"),
        (
            "gdl:connect-four",
            "(drop 1), (drop 3), (drop 7), (drop 4)",
            "(drop 3), (drop 1), (drop 4), (drop 7)",
        ),
        (
            "gdl:breakthrough",
            "(move 1 2 1 3), (move 8 7 8 6)",
            "(move 1 2 1 3), (move 8 7 8 6), (move 1 3 1 4)",
        ),
    ],
)
def test_what_is_nearer_to_a_goal_is_judged_better(name, worse, better):
    rules = game(name)
    (low, _), (high, other) = judged("goals", played(rules, worse), played(rules, better))
    assert low < high
    assert high > 0.5
    assert other < 0.5


def played(rules, moves):
    state = rules.initial()
    for move in moves.split(", "):
        state = state.after(rules.parse(move))
    return state
