"""Grounded games that are played by loops: the same game, facts where the network looks for them, moves with their codes."""

from itertools import pairwise

import pytest

from ludarium import library
from ludarium.core import Rng
from ludarium.gdl.game import GdlGame, load
from ludarium.gdl.ground.history import forgetting
from ludarium.gdl.joins import within
from ludarium.gdl.joins.game import load_rules
from ludarium.gdl.text.reader import parse
from ludarium.testing import check_game
from ludarium.testing.table import check_ways
from tests.gdl.network.ways import by_gates
from tests.gdl.test_game import lockstep

BOARD = """
(role white) (role black) (init (control white)) (other white black) (other black white)
(next-to 1 2) (next-to 2 3) (next-to 3 4) (next-to 4 5)
(<= (index ?x) (next-to ?x ?y)) (<= (index ?y) (next-to ?x ?y))
(<= (init (cell ?x ?y empty)) (index ?x) (index ?y) (not (man ?x ?y)))
(<= (init (cell ?x ?y white)) (man ?x ?y) (low ?y)) (<= (init (cell ?x ?y black)) (man ?x ?y) (not (low ?y)))
(man 1 1) (man 3 2) (man 5 5) (man 2 4) (low 1) (low 2)
(<= (step ?x ?y right ?z ?y) (next-to ?x ?z) (index ?y)) (<= (step ?x ?y left ?z ?y) (next-to ?z ?x) (index ?y))
(<= (step ?x ?y up ?x ?z) (next-to ?y ?z) (index ?x)) (<= (step ?x ?y down ?x ?z) (next-to ?z ?y) (index ?x))
(<= (step 5 ?y off 6 ?y) (index ?y))
"""
MOVES = """
(<= (legal ?p (move ?x ?y ?u ?v)) (true (control ?p)) (true (cell ?x ?y ?p)) (reach ?x ?y ?d ?u ?v) (index ?u))
(<= (legal ?p noop) (role ?p) (not (true (control ?p)))) (<= (legal ?p pass) (true (control ?p)))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= (next (cell ?x ?y empty)) (does ?p (move ?x ?y ?u ?v)))
(<= (next (cell ?u ?v ?p)) (does ?p (move ?x ?y ?u ?v)))
(<= (touched ?x ?y) (does ?p (move ?x ?y ?u ?v))) (<= (touched ?u ?v) (does ?p (move ?x ?y ?u ?v)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (touched ?x ?y)))
(<= (joined ?p ?x ?y) (true (cell ?x ?y ?p)) (role ?p) (low ?x))
(<= (joined ?p ?u ?v) (joined ?p ?x ?y) (step ?x ?y ?d ?u ?v) (true (cell ?u ?v ?p)))
(<= terminal (role ?p) (joined ?p 5 ?y))
(<= (goal ?p 100) (joined ?p 5 ?y)) (<= (goal ?p 50) (role ?p) (not (over ?p))) (<= (over ?p) (joined ?p 5 ?y))
"""
RAY = """
(<= (reach ?x ?y ?d ?u ?v) (step ?x ?y ?d ?u ?v) (true (cell ?u ?v empty)))
(<= (reach ?x ?y ?d ?s ?t) (reach ?x ?y ?d ?u ?v) (step ?u ?v ?d ?s ?t) (true (cell ?s ?t empty)))
"""
AHEAD = """
(<= (reach ?x ?y ?d ?u ?v) (step ?x ?y ?d ?u ?v) (not (man-on ?u ?v)))
(<= (reach ?x ?y ?d ?s ?t) (step ?x ?y ?d ?u ?v) (not (man-on ?u ?v)) (reach ?u ?v ?d ?s ?t))
(<= (man-on ?x ?y) (true (cell ?x ?y ?p)) (role ?p))
"""


@pytest.mark.parametrize("way", [RAY, AHEAD], ids=["from row to row", "from question to question, and off the board"])
@pytest.mark.parametrize("seed", range(2))
def test_walks_are_what_the_rules_say(way, seed):
    rules = parse(BOARD + MOVES + way)
    game = load_rules("walks", rules)
    assert "grow(" in game.compiled.text
    assert lockstep("walks", rules, game, seed, 25) > 5


@pytest.mark.parametrize("way", [RAY, AHEAD], ids=["ray", "ahead"])
def test_walks_mean_the_same_in_all_ways_to_run_them(way):
    check_ways(load_rules("walks", parse(BOARD + MOVES + way)), [1], 8)


@pytest.mark.parametrize("name", ["hex", "criss-cross", "skirmish"])
def test_loops_and_gates_are_one_game(name):
    loops, gates = load(library.path(name)), by_gates(load(library.path(name)))
    loops.words = None
    assert loops.joined
    one, other, rng = loops.initial(), gates.initial(), Rng(5)
    assert loops.layout.codes == gates.layout.codes
    for _ in range(30):
        assert one.facts() == other.facts()
        assert (one.over, one.movers) == (other.over, other.movers)
        roles = range(len(loops.roles))
        assert [one.goals(role) for role in roles] == [other.goals(role) for role in roles]
        if one.over:
            break
        moves = {}
        for role in roles:
            assert sorted(one.legal(role)) == sorted(other.legal(role))
            moves[role] = rng.choice(sorted(one.legal(role)))
        made = {role: moves[role] for role in one.movers}
        one, other = one.after(made), other.after(made)


@pytest.mark.parametrize("change", ["(touched ?x ?y)", "(column ?x)", "(swept ?y ?x)"])
@pytest.mark.parametrize("seed", range(2))
def test_what_stays_is_copied(change, seed):
    stays = "(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (touched ?x ?y)))"
    more = "(<= (column ?x) (touched ?x ?y)) (<= (swept ?y ?x) (touched ?x ?v) (column ?y)) (<= (swept 7 8) (column 1))"
    rules = parse(BOARD + MOVES.replace(stays, stays.replace("(touched ?x ?y)", change)) + RAY + more)
    game = load_rules("stays", rules)
    assert "_stay(w" in game.compiled.text
    assert lockstep("stays", rules, game, seed, 25) > 2


def test_such_a_game_conforms():
    check_game(load(library.path("hex")), seeds=[1], plies=30)


def test_the_network_and_the_lanes_read_such_states():
    game, gates = load(library.path("criss-cross")), by_gates(load(library.path("criss-cross")))
    assert game.joined
    start = game.initial()
    bits = int.from_bytes(start.block, "little")
    assert sorted(text for k, text in enumerate(game.network.facts) if bits >> k & 1) == start.facts()
    game.__dict__["_lanes_from"] = gates.__dict__["_lanes_from"] = 0
    assert game.playouts(start, 300, Rng(3)) == gates.playouts(gates.initial(), 300, Rng(3))


@pytest.mark.parametrize("dear", [True, False])
def test_counts_choose(dear, monkeypatch):
    monkeypatch.setattr(within, "_STEP", 1e6 if dear else 0.0)
    game = load(library.path("criss-cross"))
    assert isinstance(game, GdlGame)
    assert (game.joined is None) == dear


def test_a_state_has_room_for_the_moves_that_the_network_knows_and_no_more():
    game = load(library.path("criss-cross"))
    assert game.joined
    assert game.state_size <= 64 + 8 * game.joined.written.sizes.state + 2 * len(game.network.does)


def test_all_possible_moves_may_be_legal_at_once(monkeypatch):
    monkeypatch.setattr(within, "_STEP", 0.0)
    rules = parse("""
(role left) (role right) (number 1) (number 2) (number 3) (number 4) (number 5) (init (at 1 1)) (init (turn left))
(<= (legal ?p (go ?x ?y)) (role ?p) (number ?x) (number ?y))
(<= (next (at ?x ?y)) (true (turn ?p)) (does ?p (go ?x ?y)))
(<= (next (turn right)) (true (turn left))) (<= (next (turn left)) (true (turn right)))
(<= terminal (true (at 5 5)) (true (turn left)) (true (turn right))) (<= (goal ?p 50) (role ?p))
""")
    game = GdlGame("wide", rules)
    game.words = None
    assert game.joined
    state = game.initial(Rng(1))
    for x in range(5):
        assert [len(state.legal(role)) for role in (0, 1)] == [25, 25]
        state = state.after({role: state.legal(role)[5 * x + role] for role in (0, 1)})
    assert sorted(state.facts()) == ["(at 5 1)", "(turn right)"]


def test_a_rule_that_costs_much_comes_first():
    slow = "(<= (next (sum ?a ?b ?c)) (true (control ?p)) (index ?a) (index ?b) (index ?c) (distinct ?a ?b))"
    game = GdlGame("slow", parse(BOARD + MOVES + RAY + slow))
    assert game.offers.costs
    costs = game.offers.costs()
    assert "(sum ?a ?b ?c)" in costs[0].rule
    assert all(more.rows >= less.rows > 0 for more, less in pairwise(costs))


@pytest.mark.parametrize("name", ["brandubh", "hnefatafl", "hnefatafl-leaps"])
def test_costs_are_told_of_games_that_remember_positions_and_of_large_ones(name):
    game = load(library.path(name))
    costs = game.offers.costs()
    assert costs[0].rows > 50
    assert not any("past" in each.rule for each in costs)
    assert any("slide" in each.rule or "lane" in each.rule for each in costs[:3])


def test_nothing_is_remembered_by_rules_that_forget():
    rules = load(library.path("brandubh")).prepared
    assert any("past" in str(rule) for rule in rules)
    forgetful = forgetting(rules)
    assert not any("past" in str(rule) or " known" in str(rule) or " keep" in str(rule) for rule in forgetful)
    assert {str(rule) for rule in forgetful if "position" not in str(rule)} < {str(rule) for rule in rules}
    assert forgetting(forgetful) == forgetful


def test_a_game_that_is_over_at_its_beginning_is_played_all_the_same():
    rules = parse(
        "(role me) (cell 1 1) (<= terminal (cell 1 1)) (<= (legal me noop) (cell 1 1)) (<= (goal me 100) (cell 1 1))"
    )
    state = GdlGame("over", rules).initial(Rng(0))
    assert (state.movers, state.utilities()) == ((), (1.0,))
