"""Rows that are looked at as bits of words: the same game, the same moves in the same order, whatever fits into a word."""

import re
import sys

import pytest

from ludarium import library
from ludarium.core import Rng
from ludarium.gdl.joins.code.blocks import Blocks
from ludarium.gdl.joins.code.plan import Planner
from ludarium.gdl.joins.code.steps import Query
from ludarium.gdl.joins.game import load_rules
from ludarium.gdl.joins.rules.columns import number
from ludarium.gdl.joins.rules.flat import flatten
from ludarium.gdl.joins.rules.static import work_out
from ludarium.gdl.text.reader import parse, read
from ludarium.testing.table import check_ways
from tests.gdl.test_game import lockstep

RULES = """
(role white) (role black) (init (control white)) (other white black) (other black white)
(kind right straight) (kind up straight) (kind down straight) (kind slant slanting) (rook white wr) (rook black br)
(bishop white wb) (bishop black bb) (low 1) (low 2)
(<= (owns ?p ?m) (rook ?p ?m)) (<= (owns ?p ?m) (bishop ?p ?m))
(<= (glides ?p ?m straight) (rook ?p ?m)) (<= (glides ?p ?m slanting) (bishop ?p ?m))
(<= (index ?x) (next-to ?x ?y)) (<= (index ?y) (next-to ?x ?y))
(<= (init (cell ?x ?y b)) (index ?x) (index ?y) (not (man ?x ?y)))
(<= (man ?x ?y) (piece ?x ?y ?m)) (<= (init (cell ?x ?y ?m)) (piece ?x ?y ?m))
(piece 1 1 wr) (piece 3 2 wb) (piece 2 4 br) (piece 4 4 bb) (piece 4 1 br)
(<= (step ?x ?y right ?z ?y) (next-to ?x ?z) (index ?y))
(<= (step ?x ?y up ?x ?z) (next-to ?y ?z) (index ?x)) (<= (step ?x ?y down ?x ?z) (next-to ?z ?y) (index ?x))
(<= (step ?x ?y slant ?u ?v) (next-to ?x ?u) (next-to ?y ?v))
(<= (mine ?x ?y) (true (control ?p)) (owns ?p ?m) (true (cell ?x ?y ?m)))
(<= (theirs ?x ?y) (true (control ?p)) (other ?p ?q) (owns ?q ?m) (true (cell ?x ?y ?m)))
(<= (free ?x ?y) (true (cell ?x ?y b))) (<= (free ?x ?y) (theirs ?x ?y))
(<= (sight ?x ?y ?d ?u ?v) (step ?x ?y ?d ?u ?v))
(<= (sight ?x ?y ?d ?s ?t) (sight ?x ?y ?d ?u ?v) (true (cell ?u ?v b)) (step ?u ?v ?d ?s ?t))
(<= (attacked ?u ?v) (true (control ?p)) (other ?p ?q) (glides ?q ?m ?k) (true (cell ?x ?y ?m)) (kind ?d ?k)
    (sight ?x ?y ?d ?u ?v))
(<= (home ?x ?y) (true (control black)) (low ?y) (true (cell ?x ?y b)))
(<= (near ?x ?y ?u ?v) (step ?x ?y ?d ?u ?v)) (<= (near ?x ?y ?u ?v) (step ?u ?v ?d ?x ?y))
(<= (goes ?x ?y ?u ?v) (true (control ?p)) (glides ?p ?m ?k) (true (cell ?x ?y ?m)) (kind ?d ?k)
    (sight ?x ?y ?d ?u ?v) (free ?u ?v))
(<= (goes ?x ?y ?u ?v) (mine ?x ?y) (near ?x ?y ?u ?v) (free ?u ?v) (not (attacked ?u ?v)) (not (home ?u ?v)))
(<= (safe ?x ?y) (mine ?x ?y) (not (attacked ?x ?y)) (calm ?x)) (<= (calm ?x) (true (cell ?x ?y b)))
(<= (legal ?p (move ?x ?y ?u ?v)) (true (control ?p)) (goes ?x ?y ?u ?v) (not (safe ?x ?y)))
(<= (legal ?p wait) (true (control ?p))) (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= (next (cell ?x ?y b)) (does ?p (move ?x ?y ?u ?v)))
(<= (next (cell ?u ?v ?m)) (does ?p (move ?x ?y ?u ?v)) (true (cell ?x ?y ?m)))
(<= (touched ?x ?y) (does ?p (move ?x ?y ?u ?v))) (<= (touched ?u ?v) (does ?p (move ?x ?y ?u ?v)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (touched ?x ?y)))
(<= (alive ?p) (owns ?p ?m) (true (cell ?x ?y ?m)))
(<= terminal (role ?p) (not (alive ?p)))
(<= (goal ?p 100) (alive ?p)) (<= (goal ?p 0) (role ?p) (not (alive ?p)))
"""


def board(size):
    """Rooks and bishops on a board; a row of it, all of it, or half of it fits into a word."""
    return parse(RULES + "".join(f"(next-to {x} {x + 1})" for x in range(1, size)))


def without(monkeypatch):
    """Have rows looked at one by one."""
    monkeypatch.setattr(Blocks, "best", lambda _self, _rule, _query, steps, _given: tuple(steps))


@pytest.mark.parametrize("size", [4, 8, 9])
@pytest.mark.parametrize("seed", [1])
def test_words_are_what_the_rules_say(size, seed):
    rules = board(size)
    game = load_rules("words", rules)
    cut = re.findall(r"^ +b\d+ &= ~?[^b\d]", game.compiled.text, re.MULTILINE)
    assert len(cut) > 2
    assert lockstep("words", rules, game, seed, 25) > 5


@pytest.mark.parametrize("size", [4, 8, 9])
def test_words_mean_the_same_in_all_ways_to_run_them(size):
    check_ways(load_rules("words", board(size)), range(2), 6)


def test_all_forms_of_words_are_written():
    texts = {size: load_rules("words", board(size)).compiled.text for size in (4, 8, 9)}
    assert "add_word(" in texts[8], "an answer of many words takes in one of them"
    assert re.search(r"w\.pool\[place.*\] \|= b\d+", texts[4]), "so does a small one"
    assert re.search(r"for k\d+ in range\(2\):\n +b\d+ = ", texts[9]), "a board of two words"
    assert "fresh(" in texts[9], "a ray without a stack"


@pytest.mark.parametrize("name", ["words", "chess", "checkers", "chinese-checkers"])
def test_moves_come_in_the_same_order_as_row_by_row(name, monkeypatch):
    rules = board(8) if name == "words" else read(library.path(name))
    games = [load_rules(name, rules)]
    without(monkeypatch)
    games.append(load_rules(name, rules))
    assert games[0].compiled.text != games[1].compiled.text
    rng, states = Rng(4), [game.initial(Rng(1)) for game in games]
    for _ in range(12):
        lists = [
            [list(map(game.text, state.legal(role))) for role in (0, 1)]
            for game, state in zip(games, states, strict=True)
        ]
        assert lists[0] == lists[1]
        role = states[0].movers[0]
        move = lists[0][role][rng.below(len(lists[0][role]))]
        states = [state.after(game.parse(move)) for game, state in zip(games, states, strict=True)]
        if states[0].over:
            break
    ends = [game.playouts(game.initial(Rng(1)), 2, Rng(5), limit=60) for game in games]
    assert ends[0] == ends[1]


def test_a_ray_round_a_ring_comes_to_an_end():
    rules = parse("""
    (role r) (init (at 1)) (init (free 1)) (init (free 2)) (init (free 3)) (after 1 2) (after 2 3) (after 3 1)
    (<= (reach ?x ?y) (after ?x ?y)) (<= (reach ?x ?z) (reach ?x ?y) (true (free ?y)) (after ?y ?z))
    (<= (legal r (go ?y)) (true (at ?x)) (reach ?x ?y)) (<= (legal r (block ?x)) (true (free ?x)))
    (<= (next (at ?y)) (does r (go ?y))) (<= (next (at ?x)) (true (at ?x)) (does r (block ?y)))
    (<= (next (free ?x)) (true (free ?x)) (not (blocked ?x))) (<= (blocked ?x) (does r (block ?x)))
    (<= some (true (free ?x))) (<= terminal (not some)) (<= (goal r 100) (true (at ?x)))
    """)
    game = load_rules("ring", rules)
    assert "fresh(" in game.compiled.text
    assert lockstep("ring", rules, game, 1, 20) > 2


def test_what_is_only_weighed_changes_no_plan():
    flat = flatten(board(4))
    rows = work_out(flat)
    planner = Planner(flat, number(flat, rows), rows)
    (goes,) = flat.named("goes")
    moves = next(k for k in flat.named("legal") if flat.relations[k].arity == 5)
    planner._common[goes] = frozenset({0, 1})
    planner.weighed(Query(moves, "bffff"))
    assert planner._common == {goes: frozenset({0, 1})}


def test_long_chains_of_relations_are_weighed_only_so_far():
    chain = "".join(
        f"(<= (r{k} ?x) (r{k - 1} ?x) (true (on ?x))) (<= (r{k} ?x) (near ?x ?y) (r{k - 1} ?y) (not (true (on ?x))))"
        for k in range(1, 150)
    )
    text = f"""
    (role r) {"".join(f"(cell {k}) (near {k} {(k + 1) % 8}) (near {k} {(k + 3) % 8})" for k in range(8))}
    (init (on 0)) (<= (r0 ?x) (true (on ?x))) {chain} (<= (legal r (flip ?x)) (cell ?x))
    (<= (next (on ?x)) (does r (flip ?x))) (<= (next (on ?x)) (true (on ?x)) (not (does r (flip ?x))))
    (<= (goal r 100) (r149 ?x) (r149 ?y) (near ?x ?y)) (<= (goal r 50) (role r)) (<= terminal (true (on 7)))
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)  # what programs have before anything is compiled
    try:
        game = load_rules("chain", parse(text))
    finally:
        sys.setrecursionlimit(before)
    assert len(game.initial().legal(0)) == 8
