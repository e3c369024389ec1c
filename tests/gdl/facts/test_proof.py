"""The solver's view of a network: the same gates, one legal move per role, and no answer rather than a wrong one."""

import pytest

from ludarium.core import Rng
from ludarium.gdl.facts.proof import Solver, engine_fact, legal, make_moves
from ludarium.gdl.game import GdlGame
from ludarium.gdl.text.reader import parse
from tests.gdl.test_game import NETWORK

COIN = """
(role p) (role q) (init heads) (init (control p)) (turn p q) (turn q p)
(<= (legal ?r flip) (true (control ?r)))
(<= (legal ?r keep) (true (control ?r)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next heads) (true heads) (not (does p flip)) (not (does q flip)))
(<= (next heads) (not (true heads)) (does ?r flip))
(<= (next (control ?s)) (true (control ?r)) (turn ?r ?s))
(<= terminal (not (true heads)) (true (control p)))
(<= (goal ?r 50) (role ?r))
"""


def turn(text):
    net = GdlGame("test", parse(text)).network
    solver = Solver(net)
    make_moves(solver, legal(net))
    return net, solver


def place(net, fact):
    return 2 * net.facts.index(fact)


def does(net, role, move):
    return 2 * (len(net.facts) + net.does.index((role, move)))


WORK = 10**8


def test_only_legal_moves_are_made_and_one_by_each():
    net, solver = turn(COIN)
    mine, yours = solver.literal(place(net, "(control p)")), solver.literal(place(net, "(control q)"))
    flip, keep = solver.literal(does(net, 0, "flip")), solver.literal(does(net, 0, "keep"))
    assert solver.ask([mine, -yours, flip], work=WORK)[0] is True
    assert solver.ask([-mine, yours, flip], work=WORK)[0] is False
    assert solver.ask([flip, keep], work=WORK)[0] is False
    assert solver.ask([mine, -flip, -keep], work=WORK)[0] is False


def test_no_move_is_made_after_the_end():
    net, solver = turn(COIN)
    heads, mine = solver.literal(place(net, "heads")), solver.literal(place(net, "(control p)"))
    assert solver.ask([-heads, mine], work=WORK)[0] is False
    assert solver.ask([-heads, -mine], work=WORK)[0] is True


def test_the_state_after_a_turn_follows_from_the_moves():
    net, solver = turn(COIN)
    heads, later = solver.literal(place(net, "heads")), solver.later(place(net, "heads"))
    over = solver.later(net.terminal)
    mine, yours = solver.literal(place(net, "(control p)")), solver.literal(place(net, "(control q)"))
    flip = solver.literal(does(net, 0, "flip"))
    assert solver.ask([mine, -yours, heads, flip, later], work=WORK)[0] is False
    assert solver.ask([mine, -yours, heads, flip, -later], work=WORK)[0] is True
    assert solver.ask([mine, -yours, over], work=WORK)[0] is False
    assert solver.ask([-mine, yours, over], work=WORK)[0] is True


def test_without_work_there_is_no_answer():
    net, solver = turn(COIN)
    assert solver.ask([solver.literal(place(net, "heads"))], work=0)[0] is None


@pytest.mark.parametrize("text", [COIN, NETWORK])
def test_the_solver_agrees_with_the_compiled_game(text):
    """Along random playouts, loops within a turn included: the end, the legal moves and the facts that come."""
    game = GdlGame("test", parse(text))
    net = game.network
    solver = Solver(net)
    facts = [solver.literal(2 * k) for k in range(len(net.facts))]
    made = [solver.literal(2 * (len(net.facts) + k)) for k in range(len(net.does))]
    over = solver.literal(net.terminal)
    coming = [solver.later(2 * k) for k in range(len(net.facts))]
    can = {key: [solver.literal(x) for x in both] for key, both in legal(net).items()}
    every = sorted({abs(x) for both in can.values() for x in both} | {abs(x) for x in coming} | {over})
    rng = Rng(3)
    state = game.initial(rng)
    while not state.over:
        joint = {role: rng.choice(state.legal(role)) for role in state.movers}
        filled = {role: joint.get(role, state.legal(role)[0]) for role in range(2)}
        moves = [x if game.text(filled[role]) == move else -x for (role, move), x in zip(net.does, made, strict=True)]
        known = set(state.facts())
        now = [x if fact in known else -x for fact, x in zip(net.facts, facts, strict=True)]
        answer, held = solver.ask([*now, *moves], work=WORK, watched=every)
        assert answer
        true = {x for x in every if x in held} | {-x for x in every if x not in held}
        assert over not in true
        for role in range(2):
            expected = {game.text(move) for move in state.legal(role)}
            assert {move for (who, move), both in can.items() if who == role and true.issuperset(both)} == expected
        state = state.after(joint, rng)
        assert {fact for fact, x in zip(net.facts, coming, strict=True) if x in true} == set(state.facts())


def test_facts_of_the_engine_are_known():
    assert engine_fact("( known a)")
    assert engine_fact(" keep")
    assert not engine_fact("(cell 1 1 x)")
