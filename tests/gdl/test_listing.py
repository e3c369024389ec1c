"""What rules became, written for people."""

import ast
from collections import defaultdict

import pytest

from ludarium import library
from ludarium.gdl.game import GdlGame, load
from ludarium.gdl.text.reader import parse
from ludarium.terminal.listing import listing


def evaluate(text, facts, moves):
    """Work a listing out as the Python that it is: the facts that come next, what is legal, and the end."""
    given = {"true": defaultdict(bool), "does": defaultdict(bool)}
    given["true"] |= dict.fromkeys(facts, True)
    given["does"] |= dict.fromkeys(moves, True)
    names = {**given, "legal": {}, "next": {}, "goal": {}, "sees": {}}
    exec(text, names)
    return names


@pytest.mark.parametrize("name", ["tic-tac-toe", "nim", "monty-hall", "blocker", "rock-paper-scissors"])
def test_a_listing_is_python_that_plays_the_game(name):
    game = GdlGame(name, load(library.path(name)).clauses, chance=False)
    text = game.listing()
    state = game.initial()
    for _ in range(4):
        if state.over:
            break
        moves = {role: state.legal(role)[-1] for role in range(len(game.roles))}
        does = {(game.roles[role], game.text(move)) for role, move in moves.items()}
        names = evaluate(text, state.facts(), does)
        legal = {key for key, holds in names["legal"].items() if holds}
        assert legal == {(n, game.text(m)) for r, n in enumerate(game.roles) for m in state.legal(r)}
        goals = {(role, value) for (role, value), holds in names["goal"].items() if holds}
        assert goals == {(n, value) for r, n in enumerate(game.roles) for value in state.goals(r)}
        assert names["terminal"] == state.over
        state = state.after({role: moves[role] for role in state.movers})
        assert state.facts() == sorted(fact for fact, holds in names["next"].items() if holds)


def test_the_initial_facts_are_listed():
    game = load(library.path("tic-tac-toe"))
    names = evaluate(game.listing(), [], [])
    assert sorted(names["initial"]) == game.initial().facts()


def test_numbers_sum_the_network_up():
    head = load(library.path("tic-tac-toe")).listing().splitlines()[:5]
    assert head[0] == "# tic-tac-toe"
    assert head[1].startswith("# 29 facts, 20 moves, ")
    assert "at most 10 moves" in head[4]


def test_a_large_network_is_summed_up_only():
    text = load(library.path("breakthrough")).listing()
    assert "too large" in text
    assert len(text) < 1500


@pytest.mark.parametrize(
    ("name", "kernel"), [("tic-tac-toe", "playout"), ("breakthrough", "playout"), ("meier", "apply")]
)
def test_the_kernels_are_listed_too(name, kernel):
    text = listing(load(library.path(name)))
    ast.parse(text)
    assert f"def {kernel}(" in text


def test_variables_of_kernels_are_explained():
    text = load(library.path("breakthrough")).listing()
    assert "# v0_0: '(cell 1 1 b)' at bit 0, " in text
    assert "# v3_0: all bits are '(control black)'" in text


def test_percepts_are_listed():
    assert "sees['candidate', '(opened 1)']" in load(library.path("monty-hall")).listing()


def test_names_cannot_break_out_of_their_quotes():
    rules = "(role x) (init ']+exit+[') (<= (legal x '''')) (<= terminal (not (true ']+exit+['))) (goal x 0)"
    text = GdlGame("t'", parse(rules)).listing()
    assert evaluate(text, [], [])["initial"] == ["']+exit+['"]
