"""Traits of GDL games: what is proved, what must not be, and that promises are kept."""

import pytest

from ludarium import library
from ludarium.gdl.facts import plain
from ludarium.gdl.facts.groups import turns
from ludarium.gdl.facts.promises import traits
from ludarium.gdl.game import GdlGame, load
from ludarium.gdl.text.reader import parse
from ludarium.testing import check_game

RACE = """
(role a) (role b) (init (control a)) (init (at 0)) (next_of 0 1) (next_of 1 2) (next_of 2 3) (next_of 3 4)
(other a b) (other b a)
(<= (legal ?p one) (true (control ?p)))
(<= (legal ?p two) (true (control ?p)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (plus ?m ?n) (next_of ?m ?n))
(<= (plus2 ?m ?n) (next_of ?m ?k) (next_of ?k ?n))
(<= (plus2 3 4))
(<= (next (at ?n)) (true (at ?m)) (plus ?m ?n) (does ?p one))
(<= (next (at ?n)) (true (at ?m)) (plus2 ?m ?n) (does ?p two))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= terminal (true (at 4)))
(<= (goal ?p 100) (true (at 4)) (true (control ?p)))
(<= (goal ?p 0) (role ?p) (not (wins ?p)))
(<= (wins ?p) (true (at 4)) (true (control ?p)))
"""
"""Two roles in turn go one or two steps, up to 4."""

BONUS = RACE.replace(
    "(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))",
    """(<= (next (control ?p)) (true (control ?p)) (does ?p two))
    (<= (next (control ?q)) (true (control ?p)) (other ?p ?q) (does ?p one))""",
)
"""Who goes two steps goes on."""


def made(text):
    return GdlGame("test", parse(text))


def changed(text, *pairs):
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return made(text)


@pytest.mark.parametrize("text", [RACE, BONUS])
def test_turns_sums_and_lengths_are_proved(text):
    game = made(text)
    assert game.traits.turn_taking
    assert game.traits.constant_sum
    assert game.traits.deterministic
    assert game.traits.perfect_information
    check_game(game)


def test_some_things_are_plain_and_some_need_the_solver():
    race, bonus = made(RACE), made(BONUS)
    assert plain.takes_turns(race.network, race.seats)
    assert not plain.takes_turns(bonus.network, bonus.seats)
    assert not traits(bonus.network, bonus.seats, tuple, small=0).turn_taking


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(init (control a))", "(init (control a)) (init (control b))"),
        ("(<= (legal ?p one) (true (control ?p)))", "(<= (legal ?p one) (role ?p))"),
        (
            "(<= (legal ?p one) (true (control ?p)))",
            "(<= (legal ?p one) (true (control ?p))) (<= (legal b one) (true (at 2)))",
        ),
        ("(true (control ?p)) (other ?p ?q)", "(true (control ?p)) (role ?q)"),
    ],
)
@pytest.mark.parametrize("text", [RACE, BONUS])
def test_two_roles_that_may_choose_at_once_do_not_take_turns(text, old, new):
    assert not changed(text, (old, new)).traits.turn_taking


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(<= (goal ?p 100)", "(<= (goal ?p 90)"),  # 90 and 0, or 0 and 0 where b has no such goal
        (
            "(<= (goal ?p 0) (role ?p) (not (wins ?p)))",
            "(<= (goal a 0) (not (wins a))) (<= (goal b 10) (not (wins b)))",
        ),
    ],
)
def test_goals_that_do_not_add_up(old, new):
    game = changed(RACE, (old, new))
    assert game.traits.constant_sum == (old == "(<= (goal ?p 100)")  # 90 is as good a total as 100
    check_game(game)


def test_goals_that_add_up_in_most_states_only():
    gift = """(init flag) (<= (next flag) (true flag) (does a one)) (<= (goal a 100) gift)
        (<= gift (true (at 4)) (true (control b)) (true flag)) (<= (goal a 0) (not (wins a)) (not gift))"""
    loss = "(<= (goal ?p 0) (role ?p) (not (wins ?p)))"
    assert not changed(RACE, (loss, f"{gift} (<= (goal b 0) (not (wins b)))")).traits.constant_sum


COUNTER = """
(role p) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(<= (legal p wait) (true (step ?n)))
(<= (legal p work) (true (step ?n)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next done) (does p work))
(<= terminal (true (step 4)))
(<= (goal p 100) (true done))
(<= (goal p 0) (not (true done)))
"""


def test_a_counter_bounds_the_length_of_a_match():
    game = made(COUNTER)
    assert game.traits.max_plies == 3
    check_game(game)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(<= terminal (true (step 4)))", "(<= terminal (true done))"),  # it runs out, and the game goes on
        ("(true (step ?n)) (succ ?n ?m))", "(true (step ?n)) (succ ?n ?m) (does p work))"),  # it can stop
        ("(succ 3 4)", "(succ 3 1)"),
        ("(init (step 1))", ""),
        ("(<= terminal", "(<= (next (step 1)) (does p work)) (<= terminal"),
        ("(<= terminal (true (step 4)))", "(<= terminal (true (step 4)) (true done))"),
    ],
)
def test_what_is_no_counter_bounds_nothing(old, new):
    assert changed(COUNTER, (old, new)).traits.max_plies is None


def test_the_same_rules_promise_the_same():
    assert made(BONUS).traits == made(BONUS).traits


TRAITS = {
    "tic-tac-toe": (True, True, None),
    "breakthrough": (True, True, None),
    "connect-four": (True, True, None),
    "checkers": (True, True, 100),
    "tron": (False, None, None),
    "rock-paper-scissors": (False, None, None),
    "eight-puzzle": (True, None, 60),
    "monty-hall": (True, None, None),
}
"""Turns, sums, length; None where nothing is expected."""


@pytest.mark.parametrize("name", TRAITS)
def test_bundled_games_promise_what_they_can(name):
    turn_taking, constant_sum, max_plies = TRAITS[name]
    found = load(library.path(name)).traits
    assert found.turn_taking == turn_taking
    assert constant_sum is None or found.constant_sum == constant_sum
    assert max_plies is None or found.max_plies is not None


def test_what_is_asked_for_to_prove_that_roles_take_turns_is_quick_and_true():
    game = made(BONUS)
    facts = [{game.network.facts[k] for k in claim.facts} for claim in turns(game)]
    assert {"(control a)", "(control b)"} in facts
