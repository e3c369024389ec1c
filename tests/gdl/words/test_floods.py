"""Gates that depend on each other on words: what is reached spreads by shifts until nothing is new."""

import pytest

from ludarium.core import Rng
from ludarium.gdl.game import GdlGame
from ludarium.gdl.text.reader import parse
from tests.gdl.network.ways import by_gates
from tests.gdl.test_game import lockstep
from tests.gdl.words.test_words import compare

BOARD = """
(role red) (role blue) (other red blue) (other blue red) (init (control red))
(after 1 2) (after 2 3) (after 3 4) (after 4 5) (index 1) (index 2) (index 3) (index 4) (index 5)
(<= (init (cell ?x ?y free)) (index ?x) (index ?y))
(<= (near ?x ?y ?u ?y) (after ?x ?u) (index ?y)) (<= (near ?x ?y ?u ?y) (after ?u ?x) (index ?y))
(<= (near ?x ?y ?x ?v) (after ?y ?v) (index ?x)) (<= (near ?x ?y ?x ?v) (after ?v ?y) (index ?x))
(<= (legal ?p (put ?x ?y)) (true (control ?p)) (true (cell ?x ?y free)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= (put-at ?x ?y) (does ?p (put ?x ?y)))
(<= (next (cell ?x ?y ?p)) (does ?p (put ?x ?y)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (put-at ?x ?y)))
(<= terminal (role ?p) (wins ?p)) (<= some-free (true (cell ?x ?y free))) (<= terminal (not some-free))
(<= (goal ?p 100) (wins ?p)) (<= (goal ?p 0) (role ?p) (not (wins ?p)))
"""
FLOOD = """
(<= (joined ?p 1 ?y) (role ?p) (true (cell 1 ?y ?p)))
(<= (joined ?p ?u ?v) (joined ?p ?x ?y) (near ?x ?y ?u ?v) (true (cell ?u ?v ?p)))
(<= (wins ?p) (joined ?p 5 ?y))
"""
BOTH_SIDES = """
(<= (held ?p ?x 1) (role ?p) (true (cell ?x 1 ?p))) (<= (held ?p ?x 5) (role ?p) (true (cell ?x 5 ?p)))
(<= (held ?p ?x ?v) (after ?u ?v) (after ?v ?w) (true (cell ?x ?v ?p)) (held ?p ?x ?u) (held ?p ?x ?w))
(<= (held ?p ?u ?v) (held ?p ?x ?y) (near ?x ?y ?u ?v) (true (cell ?u ?v ?p)) (not (true (cell ?x 3 ?p))))
(<= (wins ?p) (held ?p ?x 2) (held ?p ?x 3) (held ?p ?x 4))
"""


@pytest.mark.parametrize("way", ["native", "check", "python"])
@pytest.mark.parametrize("rules", [FLOOD, BOTH_SIDES], ids=["from one place to the next", "from two places at once"])
def test_floods_play_what_gates_play(rules, way):
    game = GdlGame("flood", parse(BOARD + rules))
    assert game.network.components
    assert game.words
    assert "while old" in game.words.text
    compare(game, way, 6 if way == "native" else 1, 30)


@pytest.mark.parametrize("rules", [FLOOD, BOTH_SIDES], ids=["one", "two"])
def test_floods_mean_what_the_rules_say(rules):
    parsed = parse(BOARD + rules)
    assert lockstep("flood", parsed, GdlGame("flood", parsed), 3, 25) > 5


def test_gates_of_a_loop_without_places_of_their_own_are_no_flood():
    rules = """(<= (joined ?p 1 ?y ?k) (role ?p) (true (cell 1 ?y ?p)) (index ?k))
               (<= (joined ?p ?u ?v ?k) (joined ?p ?x ?y ?j) (near ?x ?y ?u ?v) (true (cell ?u ?v ?p)) (near 1 ?k 1 ?j))
               (<= (wins ?p) (joined ?p 5 ?y 2))"""
    game = GdlGame("flood", parse(BOARD + rules))
    gates = by_gates(GdlGame("flood", parse(BOARD + rules)))
    assert game.words is None
    assert (
        game.initial().after(game.parse("(put 1 1)"), Rng(1)).facts()
        == gates.initial().after(gates.parse("(put 1 1)"), Rng(1)).facts()
    )
