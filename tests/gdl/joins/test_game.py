"""Games whose rules are evaluated without grounding: the same as the slow reference, and what cannot be had is told."""

import ast
import contextlib
import re
from array import array

import pytest

from ludarium import library
from ludarium.core import GameError, IllegalMove, LudariumError, Rng
from ludarium.gdl.check.definition import prepared
from ludarium.gdl.check.trial import GameWalk
from ludarium.gdl.game import GdlGame
from ludarium.gdl.joins import game_kernels
from ludarium.gdl.joins.game import load_rules
from ludarium.gdl.joins.rules.flat import flatten
from ludarium.gdl.text.reader import parse, read
from ludarium.kernel import Kernel
from ludarium.terminal.listing import listing
from ludarium.testing import check_game
from ludarium.testing.table import check_ways
from tests.gdl.test_game import COUNT, NETWORK, lockstep
from tests.gdl.traces import check_trace, traces

TOO_LARGE = [
    "alexChess", "amazons", "amazonsSuicide", "chess", "gt_two_thirds_6p", "laikLee_hex", "merrills", "ruleDepthExponential",
    "skirmishFinal1", "skirmishFinal2", "skirmishFinal3", "slaughter", "strangeSkirmish", "sudoku", "urmAdd",
]  # fmt: skip
"""Games of the corpus that are hard to ground or not to be grounded at all."""

WIDE = [name for name in library.names() if name.startswith("hnefatafl") or name == "brandubh"]
"""Games that remember positions: a fact with a column per square has too many values to be a bit."""

PLIES = dict.fromkeys(["chess", "reversi"], 3) | dict.fromkeys(["skirmish", "tablut", "checkers", "battleship"], 6)
QUICK = ["tic-tac-toe", "nim", "rock-paper-scissors", "tron", "meier", "chinese-checkers", "reversi", "skirmish"]


def lists():
    """Words of letters, as lists in lists: functions within functions, wide relations and negation."""
    return parse("""
    (role r) (init (word nil)) (letter a) (letter b)
    (<= (legal r (add ?x)) (letter ?x) (true (word ?w)) (longer ?w))
    (<= (legal r stop) (true (word (cons ?x ?w))))
    (longer nil) (<= (longer (cons ?x nil)) (letter ?x))
    (<= (longer (cons ?x (cons ?y nil))) (letter ?x) (letter ?y))
    (<= (next (word (cons ?x ?w))) (does r (add ?x)) (true (word ?w)) (longer ?w))
    (<= (next (word ?w)) (does r stop) (true (word ?w)))
    (<= (next over) (does r stop))
    (<= (member ?x (cons ?x ?w)) (letter ?x) (true (word (cons ?x ?w))))
    (<= (tail (cons ?x ?w) ?w) (true (word (cons ?x ?w))))
    (<= pure (true (word (cons ?x ?w))) (not (mixed ?x)))
    (<= (mixed ?x) (true (word ?w)) (tail ?w (cons ?y ?v)) (letter ?x) (distinct ?x ?y))
    (<= terminal (true over))
    (<= (goal r 100) (true over) pure) (<= (goal r 50) (not (true over))) (<= (goal r 0) (true over) (not pure))
    """)


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.slow] * (n not in QUICK)) for n in library.names() if n not in WIDE],
)
def test_a_game_of_the_library_is_what_its_rules_say(name):
    rules = read(library.path(name))
    assert lockstep(name, rules, load_rules(name, rules, chance=False), 1, PLIES.get(name, 40)) > 0


@pytest.mark.parametrize("seed", range(3))
def test_recursion_within_a_turn(seed):
    rules = parse(NETWORK)
    assert lockstep("network", rules, load_rules("network", rules), seed, 50) >= 2


@pytest.mark.parametrize("seed", range(4))
def test_functions_within_functions(seed):
    rules = lists()
    assert lockstep("lists", rules, load_rules("lists", rules), seed, 10) >= 2


@pytest.mark.parametrize("name", ["network", "lists", "tic-tac-toe", "monty-hall"])
def test_kernels_mean_the_same_in_all_ways_to_run_them(name):
    rules = {"network": lambda: parse(NETWORK), "lists": lists}.get(name, lambda: read(library.path(name)))()
    check_ways(load_rules(name, rules), [1, 2], 12)


@pytest.mark.parametrize("name", ["tic-tac-toe", "rock-paper-scissors", "monty-hall", "kriegspiel-tic-tac-toe"])
def test_a_game_conforms(name):
    check_game(load_rules(name, read(library.path(name))), seeds=[1, 2], plies=20)


def test_a_relation_may_deny_itself_for_other_arguments():
    text = COUNT.replace("(<= (goal x 100)", "(<= (goal ?p 0) (role ?p) (not (goal ?p 100))) (<= (goal x 100)")
    rules = parse(text)
    assert lockstep("denied", rules, load_rules("denied", rules), 1, 5) == 2


def test_terms_that_are_not_distinct_are_the_same():
    same = "(<= (legal x (same ?a ?b)) (succ ?a ?c) (succ ?d ?b) (not (distinct ?c ?d)) (not (distinct 1 ?c)))"
    game = load_rules("same", parse(COUNT + same))
    assert sorted(map(game.text, game.initial().legal(0))) == ["(same 0 2)", "go"]


def test_the_same_states_and_moves_as_by_grounding():
    rules = read(library.path("connect-four"))
    grounded, joined = GdlGame("c", rules), load_rules("c", rules)
    one, other = grounded.initial(), joined.initial()
    rng = Rng(7)
    while not one.over:
        assert one.facts() == other.facts()
        texts = sorted(map(grounded.text, one.legal(one.movers[0])))
        assert texts == sorted(map(joined.text, other.legal(other.movers[0])))
        move = texts[rng.below(len(texts))]
        one, other = one.after(grounded.parse(move)), other.after(joined.parse(move))
    assert other.over
    assert one.utilities() == other.utilities()


def test_a_move_is_written_and_read_as_a_prefix_term():
    game = load_rules("t", read(library.path("tic-tac-toe")))
    assert game.text(game.parse(" ( mark   1 2 ) ")) == "(mark 1 2)"
    assert game.text(game.parse("noop")) == "noop"
    for text in ("", "(mark 1", "mark", "(mark 4 4)", "(mark 1 1) x", "?x", "(mark ?x 1)", "(mark 1 (1))"):
        with pytest.raises(IllegalMove):
            game.parse(text)


def test_states_are_equal_by_their_facts():
    game = load_rules("t", read(library.path("tic-tac-toe")))

    def after(*moves):
        state = game.initial()
        for move in moves:
            state = state.after(game.parse(move))
        return state

    one = after("(mark 1 1)", "(mark 2 2)", "(mark 3 3)")
    other = after("(mark 3 3)", "(mark 2 2)", "(mark 1 1)")
    assert one == other
    assert hash(one) == hash(other)
    assert one != after("(mark 1 1)", "(mark 2 2)", "(mark 3 2)")


def test_chance_plays_the_role_random():
    text = COUNT + "(role random) (legal random heads) (legal random tails) (<= (next ?c) (does random ?c))"
    game = load_rules("t", parse(text))
    assert game.roles == ("x",)
    start = game.initial(Rng(0))
    ends = {tuple(start.after(start.legal(0)[0], Rng(seed)).facts()) for seed in range(40)}
    assert ends == {("(n 1)", "heads"), ("(n 1)", "tails")}
    assert load_rules("t", parse(text), chance=False).roles == ("x", "random")


@pytest.mark.parametrize(
    "name", ["None", "__import__", "w", "i64", "q1", "'''", "'+exit+'", "\\n", "naïve", "🙂", "{x}", "%"]
)
def test_any_name_is_just_a_name(name):
    game = load_rules("t", parse(COUNT.replace(" go)", f" {name})").replace("(n ", f"({name} ")))
    state = game.initial()
    assert state.facts() == [f"({name} 0)"]
    assert [game.text(move) for move in state.legal(0)] == [name]
    assert state.after(game.parse(name)).facts() == [f"({name} 1)"]


def test_kernels_are_written_without_a_word_of_the_description():
    words = {"zebra": "count", "quagga": "cell", "okapi": "mark"}
    rules = parse(COUNT.replace("(n ", "(zebra ").replace("succ", "quagga").replace(" go)", " okapi)"))
    text = listing(load_rules("t", rules))
    assert "def decode(" in text
    assert not any(word in text for word in words)


SPREAD = """
(role p) (init open) (edge 1 2) (edge 2 3) (edge 3 4) (edge 4 5) (edge 5 6) (node 1) (node 5) (node 6)
(<= (legal p (start ?x)) (node ?x))
(<= (spread ?x) (does p (start ?x)))
(<= (spread ?y) (spread ?x) (edge ?x ?y))
(<= (path ?x ?y) (edge ?x ?y) (true open))
(<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
(<= (next (mark ?y)) (spread ?x) (path ?x ?y))
(<= (next open) (true open))
(<= terminal (true (mark 2)))
(goal p 50)
"""


def test_what_an_error_left_in_scratch_memory_changes_no_answer(monkeypatch):
    monkeypatch.setattr(game_kernels, "QUESTIONS", 4)
    game = load_rules("t", parse(SPREAD))
    start = game.initial()
    first, fifth, sixth = start.legal(0)
    for _ in range(2):
        with pytest.raises(GameError, match="raises more questions than there is room for"):
            start.after(first)
        assert start.after(fifth).facts() == ["(mark 6)", "open"]
        assert start.after(sixth).facts() == ["open"]
        assert start.utilities() == (0.5,)


@pytest.mark.parametrize("name", ["tic-tac-toe", "tron", "blocker", "breakthrough-small"])
def test_answers_that_are_kept_in_scratch_memory_are_those_about_the_same_state(name):
    game = load_rules(name, read(library.path(name)))
    unit, rng, kept = game.bridge.unit, Rng(1), bytearray(game.scratch_size)
    block = bytearray(game.initial().block)

    def ask(function, state, *more):
        states = bytearray(state), bytearray(state)
        answers = [
            unit.call(function, each, *more, scratch)
            for each, scratch in zip(states, (kept, bytearray(len(kept))), strict=True)
        ]
        assert answers[0] == answers[1]
        assert states[0] == states[1]
        return states[0]

    for ply in range(12):
        for _ in range(3):  # several moves from the same state
            joint = array(
                "Q", [rng.choice(game.state(bytes(block)).legal(role) or [0]) for role in range(len(game.roles))]
            )
            after = ask("apply", block, joint, Rng(ply))
            values = array("d", bytes(8 * len(game.roles))), array("d", bytes(8 * len(game.roles)))
            unit.call("utilities", after, values[0], kept)
            unit.call("utilities", after, values[1], bytearray(len(kept)))
            assert values[0] == values[1]
        block = after
        if not game.state(bytes(block)).movers:
            break


def test_kernels_name_the_rule_that_they_came_from():
    game = load_rules("t", parse(SPREAD, "spread.kif"))
    found, todo = {}, list(game.functions().values())
    while todo:
        each = todo.pop()
        if each in found:
            continue
        found[each] = str(each.source.fault(each.source.tree, "here"))
        for node in ast.walk(each.source.tree):
            with contextlib.suppress(KeyError):
                todo += [x for x in [each.source.lookup(getattr(node, "id", ""))] if isinstance(x, Kernel)]
    facts = {message[:12] for each, message in found.items() if re.fullmatch(r"n\d+_\d+", each.name)}
    assert facts == {"spread.kif:8", "spread.kif:9"}


# What cannot be had


def told(text):
    with pytest.raises(LudariumError) as problem:
        load_rules("t", parse(text, "t.kif"))
    return str(problem.value)


def test_terms_that_grow_without_end_are_told():
    text = COUNT.replace("(<= (next (n ?b)) (true (n ?a)) (succ ?a ?b)", "(<= (next (n (s ?a))) (true (n ?a))")
    assert told(text) == "t.kif:4:1: the terms in 'next' grow without end"


def test_a_rule_that_does_not_say_what_a_variable_is_is_told():
    assert "t.kif:4:1: nothing in the rule says what ?c is" in told(COUNT.replace("(next (n ?b))", "(next (n ?c))"))


def test_recursion_through_negation_is_told():
    assert "depends on its own negation" in told(COUNT + "(<= p (true (n 0)) (not q)) (<= q (not p)) (<= (goal x 1) p)")


def test_facts_with_too_many_values_are_told():
    columns = " ".join(f"?x{k}" for k in range(12))
    values = " ".join(f"(v c{k})" for k in range(6))
    body = " ".join(f"(v ?x{k})" for k in range(12))
    text = f"{COUNT}{values}\n(<= (next (wide {columns})) (true (n 0)) {body})"
    line = len(text.splitlines())
    assert told(text).startswith(f"t.kif:{line}:1: there are too many possible facts 'wide'")
    assert "fewer arguments" in told(text)


def test_no_roles_are_told():
    assert told(COUNT.replace("(role x)", "")) == "game 't' has no roles"


def test_a_role_without_a_legal_move_is_told():
    game = load_rules("stuck", parse(COUNT.replace("(legal x go) (true (n ?m))", "(legal x go) (true (n 0))")))
    state = game.initial().after(game.parse("go"))
    with pytest.raises(GameError, match=r"game 'stuck': x has no legal move, in the state \(n 1\)"):
        state.after(game.parse("go"))


def test_an_end_without_one_goal_is_told():
    game = load_rules("odd", parse(COUNT.replace("(<= (goal x 100) (true (n 2)))", "(goal x 100) (goal x 0)")))
    state = game.initial().after(game.parse("go")).after(game.parse("go"))
    assert state.over
    with pytest.raises(GameError, match=r"x has the goal 0 and 100, not one"):
        state.utilities()


# The forms of terms


def test_a_relation_is_told_apart_by_the_shapes_of_its_arguments():
    flat = flatten(parse("(role r) (p a) (p (f a b)) (<= (legal r ?x) (p ?x)) (<= terminal (p (f ?x ?x)))"))
    assert sorted(flat.relations[k].arity for k in flat.named("legal")) == [2, 3]
    assert sorted(flat.relations[k].arity for k in flat.named("p")) == [1, 2]
    (terminal,) = (rule for rule in flat.rules if flat.relations[rule.head.relation].name == "terminal")
    assert len(set(terminal.body[0].args)) == 1


def test_terms_of_different_shapes_are_distinct():
    base = "(role r) (p a) (p (f a b)) (p (f b b)) (q (f a b)) "
    rules = flatten(parse(base + "(<= (legal r ?x) (p ?x) (q ?y) (distinct ?x ?y))")).rules
    assert sorted(len(rule.body) for rule in rules if rule.body) == [2, 3, 3]


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_game_that_is_hard_to_ground_plays_as_recorded(name, corpus):
    walk = GameWalk(load_rules(name, prepared(read(corpus / "games" / f"{name}.kif")), chance=False))
    assert [found for trace in traces(corpus, name) if (found := check_trace(walk, trace))] == []
