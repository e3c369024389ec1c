"""Compiled games: the same as the slow reference, in all ways to run kernels; and what bad rules are told."""

from random import Random

import pytest

from ludarium import library
from ludarium.agents.flat import Flat
from ludarium.agents.random import Random as RandomAgent
from ludarium.agents.uct import UCT
from ludarium.arena import play
from ludarium.core import GameError, IllegalMove, Rng
from ludarium.core.problems import RulesError
from ludarium.gdl import stored
from ludarium.gdl.game import GdlGame, load
from ludarium.gdl.ground.large import GroundingTooLarge
from ludarium.gdl.text.reader import parse, read
from ludarium.testing import check_game
from ludarium.testing.table import check_ways
from tests.reference.gdl import Reference

COUNT = """
(role x) (init (n 0)) (succ 0 1) (succ 1 2)
(<= (legal x go) (true (n ?m)))
(<= (next (n ?b)) (true (n ?a)) (succ ?a ?b) (does x go))
(<= terminal (true (n 2)))
(<= (goal x 100) (true (n 2)))
"""
"""A game for one: go, go."""

NETWORK = """
(role a) (role b) (init (at b a)) (init (control a))
(node 1) (node 2) (node 3) (node 4) (node 5) (turn a b) (turn b a)
(<= (init (at 1 a)) (role ?p))
(<= (legal ?p (link ?x ?y)) (true (control ?p)) (node ?x) (node ?y) (distinct ?x ?y)
    (not (true (link ?x ?y))) (reached ?x))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (link ?x ?y)) (does ?p (link ?x ?y)))
(<= (next (link ?x ?y)) (true (link ?x ?y)))
(<= (next (control ?q)) (true (control ?p)) (turn ?p ?q))
(<= (reached 1))
(<= (reached ?y) (reached ?x) (true (link ?x ?y)))
(<= (circle ?x) (path ?x ?x))
(<= (path ?x ?y) (true (link ?x ?y)))
(<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
(<= round (circle ?x))
(<= terminal round)
(<= (goal ?p 100) round (true (control ?p)))
(<= (goal ?p 0) round (role ?p) (not (true (control ?p))))
(<= (goal ?p 50) (role ?p) (not round))
"""
"""Two players draw arrows from where arrows lead; who closes a circle loses. Recursion within a turn."""

PLIES = {
    **dict.fromkeys(["hnefatafl", "chess", "reversi"], 3),
    **dict.fromkeys(["skirmish", "brandubh", "tablut", "hnefatafl-5x5"], 6),
    **dict.fromkeys(["breakthrough", "checkers", "chinese-checkers-six", "battleship", "tron"], 12),
}
"""How far the slow reference goes in the time there is, where that is not to the end."""


def lockstep(name, rules, game, seed, plies):
    """Play at random in both, and compare all that can be asked; the number of plies."""
    slow = Reference(rules)
    random = Random(f"{name} {seed}")
    facts, state = slow.initial(), game.initial()
    assert game.roles == slow.roles
    for ply in range(plies):
        assert state.facts() == sorted(map(str, facts))
        assert state.over == slow.terminal(facts)
        legal = {}
        for role, player in enumerate(slow.roles):
            legal[player] = sorted(slow.legal(facts, player), key=str)
            choice = role in state.movers or len(legal[player]) == 1
            assert sorted(map(game.text, state.legal(role))) == sorted(map(str, legal[player] if choice else ()))
            assert state.goals(role) == sorted(set(slow.goal(facts, player)))
        if state.over:
            return ply
        joint = {player: random.choice(moves) for player, moves in legal.items()}
        movers = {role: game.parse(str(joint[game.roles[role]])) for role in state.movers}
        state = state.after(movers)
        for role, player in enumerate(slow.roles):
            assert state.percepts(role) == sorted(map(str, slow.sees(facts, joint, player)))
        facts = slow.next(facts, joint)
    return plies


def variants():
    """All games; of hnefatafl with other rules only a small one unless there is time."""
    for name in library.names():
        slow = name.startswith("hnefatafl-") and name != "hnefatafl-5x5"
        yield pytest.param(name, marks=[pytest.mark.slow] * slow)


@pytest.mark.parametrize("name", list(variants()))
def test_a_game_of_the_library_is_what_its_rules_say(name):
    rules = read(library.path(name))
    game = GdlGame(name, rules, chance=False)
    assert lockstep(name, rules, game, 1, PLIES.get(name, 40)) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", list(variants()))
def test_a_game_of_the_library_is_what_its_rules_say_for_longer(name):
    rules = read(library.path(name))
    game = GdlGame(name, rules, chance=False)
    for seed in range(2, 5):
        lockstep(name, rules, game, seed, 60)


@pytest.mark.parametrize("seed", range(5))
def test_recursion_within_a_turn(seed):
    rules = parse(NETWORK)
    assert lockstep("network", rules, GdlGame("network", rules), seed, 50) >= 2


SMALL = ["tic-tac-toe", "nim", "rock-paper-scissors", "monty-hall", "kriegspiel-tic-tac-toe"]


@pytest.mark.parametrize("name", [*SMALL, "network"])
def test_kernels_mean_the_same_in_all_ways_to_run_them(name):
    game = GdlGame(name, parse(NETWORK)) if name == "network" else load(library.path(name))
    check_ways(game, [1, 2], 12)


QUICK = {*SMALL, "battleship", "blind-tic-tac-toe", "blocker", "eight-puzzle", "meier", "two-board-tic-tac-toe"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK)) for name in library.names()]
)
def test_a_game_of_the_library_conforms(name):
    check_game(load(library.path(name)), seeds=[1, 2], plies=20)


def test_moves_are_written_and_read_as_prefix_terms():
    game = load(library.path("tic-tac-toe"))
    move = game.parse(" ( mark   1 ; the first\n 2 ) ")
    assert game.text(move) == "(mark 1 2)"
    assert game.text(game.parse("noop")) == "noop"


@pytest.mark.parametrize("text", ["", "(mark 1", "mark 1 2", "(mark 4 4)", "(mark 1 1) x", "?x", "(mark ?x 1)"])
def test_what_is_no_move_is_told(text):
    game = load(library.path("tic-tac-toe"))
    with pytest.raises(IllegalMove):
        game.parse(text)


def test_a_move_of_another_role_is_no_move_of_this_one():
    game = GdlGame("t", parse(COUNT + "(role y) (legal y up) (legal y down) (goal y 0)"))
    with pytest.raises(IllegalMove, match=r"'go' is not legal for y: legal is (up, down|down, up)"):
        game.initial().after(game.parse("go"))


def test_roles_are_in_the_order_of_the_file():
    text = COUNT.replace("(role x)", "(role z) (role x) (role a)")
    extra = "".join(f"(legal {role} wait) (goal {role} 0)" for role in "za")
    assert GdlGame("t", parse(text + extra)).roles == ("z", "x", "a")


def test_roles_may_be_given_by_rules():
    text = COUNT.replace("(role x)", "(seat b) (seat x) (role m) (<= (role ?p) (seat ?p))")
    extra = "".join(f"(legal {role} wait) (goal {role} 0)" for role in "mb")
    assert GdlGame("t", parse(text + extra)).roles == ("m", "b", "x")


def test_chance_plays_the_role_random_unless_it_should_not():
    text = COUNT + "(role random) (legal random heads) (legal random tails) (<= (next ?c) (does random ?c))"
    game = GdlGame("t", parse(text))
    assert (game.roles, game.traits.deterministic, game.traits.perfect_information) == (("x",), False, True)
    start = game.initial(Rng(0))
    ends = {tuple(start.after(start.legal(0)[0], Rng(seed)).facts()) for seed in range(40)}
    assert ends == {("(n 1)", "heads"), ("(n 1)", "tails")}
    assert GdlGame("t", parse(text), chance=False).roles == ("x", "random")


def test_forced_moves_are_filled_in_and_who_has_a_choice_moves():
    game = load(library.path("breakthrough"))
    state = game.initial()
    assert state.movers == (0,)
    state = state.after(state.legal(0)[0])
    assert state.movers == (1,)
    assert list(map(game.text, state.legal(0))) == ["noop"]


def test_what_the_rules_declare():
    game = load(library.path("monty-hall"))
    assert "(car 3)" in game.declared("base")
    assert {"random (hide 1)", "candidate stay", "candidate noop"} <= game.declared("input")
    assert GdlGame("t", parse(COUNT)).declared("base") is None


def test_what_base_and_input_leave_out_comes_up_nevertheless():
    game = GdlGame("t", parse(COUNT + "(base (n 0)) (base (n 1)) (input x stop)"))
    end = game.initial().after(game.parse("go")).after(game.parse("go"))
    assert end.facts() == ["(n 2)"]
    assert end.utilities() == (1.0,)


def wide(leaves_out):
    """Rules by which far more facts seem possible than are, and declarations that leave something out."""
    numbers = " ".join(f"(number {k}) (succ {k} {k + 1})" for k in range(30))
    declared = f"(<= (base (n ?a)) (number ?a) (distinct ?a {leaves_out})) (input x go)"
    never = "(<= never (true (n 0)) (not (true (n 0))))"
    more = "(<= (next (m ?a ?b)) (number ?a) (number ?b) (true (n ?c)) (not (true (m ?a ?c))) never)"
    return parse(COUNT.replace("(succ 0 1) (succ 1 2)", numbers) + declared + never + more)


def test_what_is_declared_is_trusted_where_that_saves_much():
    game = GdlGame("wide", wide(leaves_out=50))
    assert game.trusts
    assert game.initial().after(game.parse("go")).after(game.parse("go")).facts() == ["(n 2)"]


def test_a_game_that_trusts_its_declarations_tells_what_they_leave_out():
    game = GdlGame("wide", wide(leaves_out=1))
    state = game.initial().after(game.parse("go"))
    assert state.facts() == ["(n 1)"]
    with pytest.raises(GameError, match=r"'base' leaves out \(n 1\)"):
        state.after(game.parse("go"))


# Bad rules


def told(text, name="t.kif"):
    with pytest.raises(RulesError) as problem:
        GdlGame("t", parse(text, name))
    return str(problem.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("(role x)", "", "t.kif:1:1: there is no 'role'"),
        ("(role x)", "(role ?x)", "t.kif:2:1: a role cannot be a variable: (role ?x)"),
        ("(role x)", "(<= (role x) (true (n 0)))", "t.kif:2:1: 'role' cannot be the head of a rule"),
        ("(<= (goal x 100) (true (n 2)))", "", "t.kif:1:1: there is no 'goal'"),
        ("(<= terminal (true (n 2)))", "", "there is no 'terminal'"),
        ("(<= (legal x go) (true (n ?m)))", "", "there is no 'legal'"),
        ("(next (n ?b))", "(next (n ?c))", "t.kif:4:1: unsafe rule: nothing says what ?c in the head may be"),
        ("(<= terminal (true", "(<= p (not q)) (<= q (not p)) (<= terminal p (true", "recursion through neg"),
        ("(succ 0 1)", "(succ 0)", "'succ' has 2 arguments here and 1 at line 2"),
        ("(true (n 2))", "(next (n 2))", "'next' cannot be a condition"),
    ],
)
def test_rules_that_cannot_be_played_are_told(old, new, message):
    assert old in COUNT
    assert message in told(COUNT.replace(old, new))


def test_all_problems_are_told_at_once():
    text = told(COUNT.replace("(role x)", "(role ?x)").replace("(next (n ?b))", "(next (n ?c))"))
    assert text.count("t.kif:") == 2


def test_terms_that_grow_for_ever_are_stopped():
    endless = "(<= (next (n (s ?a))) (true (n ?a)))"
    with pytest.raises(GroundingTooLarge, match="'true'"):
        GdlGame("endless", parse(COUNT + endless))


def test_no_test_here_takes_or_leaves_what_is_kept(monkeypatch):
    used = []
    monkeypatch.setattr(stored.files, "load", used.append)
    monkeypatch.setattr(stored.files, "store", lambda key, data: used.append(key))
    assert load(library.path("tic-tac-toe")).words
    assert not [key for key in used if key.endswith(("-large", "-rules", "-words", "-joins"))]


def test_no_rules_at_all():
    with pytest.raises(RulesError):
        GdlGame("empty", [])


@pytest.mark.parametrize(("role", "after"), [("x", "(n 1)"), ("y", "(n 0)"), ("random", "(n 0)")])
def test_a_role_without_a_legal_move_is_told_by_name_and_state(role, after):
    text = COUNT if role == "x" else f"{COUNT}(role {role})" + "(goal y 0)" * (role == "y")
    if role == "x":
        text = COUNT.replace("(legal x go) (true (n ?m))", "(legal x go) (true (n 0))")
    game = GdlGame("stuck", parse(text))
    state = game.initial(Rng(0))
    if role == "x":
        state = state.after(game.parse("go"))
    with pytest.raises(GameError) as problem:
        state.after(game.parse("go"), Rng(0))
    assert str(problem.value) == f"game 'stuck': {role} has no legal move, in the state {after}"


@pytest.mark.parametrize("agent", [Flat(), UCT(), UCT(leaf=64)], ids=["flat", "uct", "batches"])
def test_a_search_that_meets_a_role_without_a_legal_move_blames_the_game(agent):
    text = COUNT + "(legal x halt) (role y) (goal y 0) (<= (legal y wait) (true (n 0)))"
    game = GdlGame("stuck", parse(text))
    agent.seat(game, 0, Rng(1))  # of which nothing is said before it searches
    with pytest.raises(GameError, match=r"game 'stuck'.*a role has no legal move"):
        play(game, [agent, RandomAgent()], iterations=20)


@pytest.mark.parametrize(
    ("goals", "message"),
    [
        ("(<= (goal x 100) (true (n 1)))", "x has no goal, not one from 0 to 100, in the state (n 2)"),
        ("(goal x 100) (goal x 0)", "x has the goal 0 and 100, not one"),
        ("(value 500) (<= (goal x ?v) (value ?v))", "x has the goal 500, not one from 0 to 100"),
        ("(value much) (<= (goal x ?v) (value ?v))", "x has no goal"),
    ],
)
def test_an_end_without_one_goal_is_told(goals, message):
    game = GdlGame("odd", parse(COUNT.replace("(<= (goal x 100) (true (n 2)))", goals)))
    state = game.initial()
    while not state.over:
        state = state.after(game.parse("go"))
    with pytest.raises(GameError) as problem:
        state.utilities()
    assert message in str(problem.value)


def test_before_the_end_a_role_may_have_no_goal():
    assert GdlGame("t", parse(COUNT)).initial().utilities() == (0.5,)


@pytest.mark.parametrize(
    "name",
    [
        "None",
        "lambda",
        "import",
        "__import__",
        "c1",
        "f0",
        "V0",
        "r1_2",
        "ptrue",
        "#show",
        "{x}",
        "%",
        "a:-b.",
        "a,b",
        "\\",
        "\\n",
        "$id",
        "[0]",
        "=",
        "-1",
        "0.5",
        "_",
        "gehe",
        "naïve",
        "日本",
        "ж",
        "🙂",
        "'",
        "'''",
        "'+exit+'",
    ],
)
def test_any_name_is_just_a_name(name):
    """A name goes through the grounder, the listing and the move codes; it must come out as it went in."""
    rules = parse(COUNT.replace(" go)", f" {name})").replace("(n ", f"({name} "))
    game = GdlGame("t", rules)
    state = game.initial()
    assert state.facts() == [f"({name} 0)"]
    assert [game.text(move) for move in state.legal(0)] == [name]
    compile(game.listing(), "listing", "exec")
    after = state.after(game.parse(name))
    assert after.facts() == [f"({name} 1)"]


@pytest.mark.parametrize("name", ['"', 'a"b', '");import os;os.abort()#', "\u200b", "a\u2028b", "a\0b"])
def test_quotation_marks_and_what_cannot_be_seen_are_refused(name):
    with pytest.raises(RulesError):
        GdlGame("t", parse(COUNT.replace(" go)", f" {name})")))
