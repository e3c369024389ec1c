"""Games that remember positions, on words: the same memory as gate by gate, and as the rules say."""

import pytest

from ludarium.gdl.game import GdlGame
from ludarium.gdl.text.reader import parse
from tests.gdl.test_game import lockstep
from tests.gdl.words.test_words import compare

LAMPS = """
(role solo) (lit on off) (lit off on) (number 1) (number 2) (number 3) (number 4) (number 5) (number 6)
(<= (init (lamp ?k off)) (number ?k)) (init (turn 0))
(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7) (after 7 8) (after 8 9)
(<= (legal solo (switch ?k)) (number ?k)) (<= (legal solo wait) (not repeated)) (legal solo wipe)
(<= wiped (does solo wipe))
(<= (next (lamp ?k ?b)) (does solo (switch ?k)) (true (lamp ?k ?a)) (lit ?a ?b))
(<= (next (lamp ?k ?a)) (true (lamp ?k ?a)) (not (does solo (switch ?k))))
(<= (next (turn ?n)) (true (turn ?m)) (after ?m ?n))
(<= (position (board ?a ?b ?c ?d ?e ?f)) (true (lamp 1 ?a)) (true (lamp 2 ?b)) (true (lamp 3 ?c)) (true (lamp 4 ?d))
    (true (lamp 5 ?e)) (true (lamp 6 ?f)))
(<= (next (past ?p first)) (position ?p))
(<= (next (past ?p again)) (position ?p) (true (past ?p first)))
(<= (next (past ?p ?n)) (true (past ?p ?n)) KEPT)
(<= repeated (position ?p) (true (past ?p again)))
(<= terminal (true (turn 9))) (<= (goal solo 100) repeated) (<= (goal solo 0) (not repeated))
"""


@pytest.mark.parametrize("way", ["native", "check", "python"])
@pytest.mark.parametrize("kept", ["(not wiped)", ""], ids=["kept or dropped", "always kept"])
def test_words_remember_what_gates_remember(kept, way):
    game = GdlGame("lamps", parse(LAMPS.replace("KEPT", kept)))
    assert game.history
    assert game.words
    compare(game, way, 30 if way == "native" else 3, 10)


@pytest.mark.parametrize("kept", ["(not wiped)", ""], ids=["kept or dropped", "always kept"])
@pytest.mark.parametrize("seed", range(4))
def test_positions_are_remembered_as_the_rules_say(kept, seed):
    rules = parse(LAMPS.replace("KEPT", kept))
    assert lockstep("lamps", rules, GdlGame("lamps", rules), seed, 10) > 5


def test_states_are_equal_if_they_remember_the_same():
    game = GdlGame("lamps", parse(LAMPS.replace("KEPT", "")))
    waited = game.initial().after(game.parse("wait"))
    switched = game.initial().after(game.parse("(switch 1)"))
    assert waited == game.initial().after(game.parse("wipe"))
    assert waited.facts() != switched.after(game.parse("(switch 1)")).facts()
    assert sum(fact.startswith("(past") for fact in waited.after(game.parse("wait")).facts()) == 2


def test_more_marks_than_fit_in_a_word_are_no_memory():
    marks = " ".join(f"(<= (next (past ?p m{k})) (position ?p))" for k in range(70))
    rules = LAMPS.replace("KEPT", "").replace(
        "(<= (next (past ?p first)) (position ?p))", f"(<= (next (past ?p first)) (position ?p)) {marks}"
    )
    assert GdlGame("lamps", parse(rules)).history is None
