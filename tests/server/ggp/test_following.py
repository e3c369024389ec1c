"""Followers know the legal moves of their role from what a host tells, and from nothing else."""

from random import Random

import pytest

from ludarium import catalog
from ludarium.core import LudariumError, Rng
from ludarium.gdl.interpreter import Interpreter
from ludarium.gdl.text.reader import parse
from ludarium.gdl.text.writer import prefix
from ludarium.server.ggp.following import Compiled, Follower, Lost, Step
from ludarium.server.ggp.thinking import Thinker

DICE = """
(role runner) (role random) (init (at 0)) (init (turn 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(face 0) (face 1) (<= (sum ?a 0 ?a) (place ?a)) (<= (sum ?a 1 ?b) (succ ?a ?b)) (place 0) (place 1) (place 2) (place 3)
(<= (legal runner (bet ?n)) (face ?n)) (<= (legal random (roll ?n)) (face ?n))
(<= (next (at ?b)) (true (at ?a)) (does random (roll ?n)) (sum ?a ?n ?b))
(<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m))
(<= terminal (true (turn 3)))
(<= (goal runner 100) (true (at 2))) (<= (goal runner 0) (not (true (at 2)))) (goal random 0)
"""


def walks(clauses):
    return Compiled(clauses), Interpreter(clauses)


def steps(clauses, seed=1):
    """A random match: per step the moves of all, what each role saw, and what is legal afterwards."""
    walk, random = Interpreter(clauses), Random(seed)
    state = walk.initial()
    while True:
        joint = [random.choice(walk.legal(state, role)) for role in range(len(walk.roles))]
        state = walk.after(state, joint)
        if walk.over(state):
            return
        yield (
            joint,
            [walk.percepts(state, role) for role in range(len(joint))],
            [walk.legal(state, r) for r in range(len(joint))],
        )


@pytest.mark.parametrize("name", ["gdl:tic-tac-toe", "rock-paper-scissors", "tron"])
def test_told_all_moves_a_follower_knows_what_is_legal(name):
    clauses = catalog.game(name).clauses
    for walk in walks(clauses):
        follower = Follower(walk, walk.roles[1], Rng(1))
        for joint, _, legal in list(steps(clauses))[:6]:
            follower.advance(Step([move.upper() for move in joint]))
            assert sorted(follower.legal) == legal[1]


@pytest.mark.parametrize("name", ["kriegspiel-tic-tac-toe", "meier", "blind-tic-tac-toe"])
def test_told_what_it_saw_a_follower_knows_what_is_legal(name):
    clauses = catalog.game(name).clauses
    for seed in range(3):
        follower = Follower(Compiled(clauses), catalog.game(name).roles[1], Rng(seed))
        for joint, seen, legal in steps(clauses, seed):
            follower.advance(Step(None, joint[follower.role], sorted(seen[follower.role])))
            assert sorted(follower.legal) == legal[follower.role]


def test_the_old_form_tells_what_was_seen_and_the_own_answer_is_known():
    clauses = catalog.game("kriegspiel-tic-tac-toe").clauses
    follower = Follower(Compiled(clauses), "x", Rng(1))
    for joint, seen, legal in list(steps(clauses))[:4]:
        follower.advance(Step(sorted(seen[0])), joint[0])
        assert sorted(follower.legal) == legal[0]


def test_a_game_that_hides_can_be_told_openly_as_well():
    clauses = catalog.game("meier").clauses
    follower = Follower(Compiled(clauses), "left", Rng(1))
    for joint, _, legal in steps(clauses):
        follower.advance(Step(joint))
        assert sorted(follower.legal) == legal[0]


def test_a_thinker_has_chance_fall_as_it_is_told():
    thinker = Thinker(DICE, "runner", "random", 1)
    for roll, place in ((1, 1), (0, 1), (1, 2)):
        thinker.advance(Step([f"(bet {1 - roll})", f"(roll {roll})"]), "")
        assert f"(at {place})" in thinker._position.state.facts()


def test_a_thinker_knows_in_hidden_games_what_the_game_itself_would_tell():
    game = catalog.game("kriegspiel-tic-tac-toe")
    thinkers = [Thinker(prefix(game.clauses), role, "random", 1) for role in game.roles]
    state, seen, played = game.initial(), [[] for _ in game.roles], [[] for _ in game.roles]
    for role in range(2):
        seen[role].append(state.observe(role))
    for joint, shown, _ in list(steps(game.clauses))[:5]:
        moves = {role: game.parse(joint[role]) for role in state.movers}
        state = state.after(moves)
        for role, thinker in enumerate(thinkers):
            seen[role].append(state.observe(role))
            played[role] += [moves[role]] if role in moves else []
            thinker.advance(Step(None, joint[role], sorted(shown[role])), "")
            info = thinker._information()
            assert [thinker.game.percepts(role, each) for each in info.seen] == [
                game.percepts(role, each) for each in seen[role]
            ]
            assert [each[-1] for each in info.seen] == [each[-1] for each in seen[role]]
            assert [thinker.game.text(move) for move in info.played] == [game.text(move) for move in played[role]]


def test_moves_that_cannot_be_are_told_as_such():
    follower = Follower(Compiled(catalog.game("gdl:tic-tac-toe").clauses), "x", Rng(1))
    with pytest.raises(Lost, match=r"the moves \(mark 9 9\) noop are not legal after 0 steps"):
        follower.advance(Step(["(mark 9 9)", "noop"]))
    with pytest.raises(Lost, match="not legal"):
        follower.advance(Step(["noop"]))
    hidden = Follower(Compiled(catalog.game("kriegspiel-tic-tac-toe").clauses), "x", Rng(1))
    with pytest.raises(Lost, match="no state was found"):
        hidden.advance(Step(None, "(mark 1 1)", ["(nothing like this)"]))


def test_a_role_that_is_none_is_refused():
    with pytest.raises(LudariumError, match="there is no role 'z' in these rules; roles are runner, random"):
        Follower(Interpreter(parse(DICE)), "z", Rng(1))
