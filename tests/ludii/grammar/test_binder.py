"""Arguments in their slots."""

import csv

import pytest

from ludarium.core.problems import RulesError
from ludarium.ludii.grammar.binder import Array, Binder, Bound, Constant, Symbol
from ludarium.ludii.grammar.checker import bind
from ludarium.ludii.grammar.signatures import Grammar, rules
from ludarium.ludii.library import open_library
from ludarium.ludii.text.expander import expand
from tests.ludii.texts import HOPS, LINES


def bound(text, kind, depth=0):
    node = expand(f"(top {text})").root.parts[0]
    return Binder(rules()).bind(node, kind, depth)


def every(value):
    """All values of a tree."""
    yield value
    inner = value.arguments.values() if isinstance(value, Bound) else value if isinstance(value, Array) else ()
    for each in inner:
        yield from every(each)


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("7", "int", "7"),
        ("-7", "dim", "-7"),
        ("7", "float", "7"),
        ("0.5", "float", "0.5"),
        (".5", "decimal", "0.5"),
        ("Off", "int", "-1"),
        ("End", "integer", "-2"),
        ("Infinity", "int", "1000000000"),
        ("true", "bool", "True"),
        ("False", "truth", "False"),
        ('"x"', "string", "'x'"),
        ("mover", "RoleType", "Mover"),
        ("N", "direction", "N"),
        ("(mover)", "int", "(mover)"),
        ("(+ 1 2)", "int", "(+ a=1 b=2)"),
        ("(add 1 2)", "dim", "(+ a=1 b=2)"),
        ("(- 3)", "int", "(- valueB=3)"),
        ("(state at:3)", "int", "(state at=3)"),
        ("(to if:(is Empty (to)) (apply (remove (to))))", "To", None),
    ],
)
def test_a_value_in_a_slot(text, kind, expected):
    value = bound(text, kind)
    assert value is not None
    assert expected is None or repr(value) == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("0.5", "int"),
        ("3000000000", "int"),
        ("99999999999999999999", "int"),
        ("True", "int"),
        ("1", "bool"),
        ("x", "string"),
        ('"x"', "RoleType"),
        ("Nobody", "RoleType"),
        ("(mover)", "bool"),
        ("(mover 1)", "int"),
        ("(nothing)", "int"),
        ("{1 2}", "int"),
        ("(state 3)", "int"),  # it needs its label
        ("(state at:3 at:4)", "int"),
        ("(= 1)", "bool"),  # a number or a role is needed
        ("(= 1 2 Mover)", "bool"),  # but not both
    ],
)
def test_what_does_not_fit(text, kind):
    assert bound(text, kind) is None


def test_arrays_are_as_deep_as_their_slots():
    assert repr(bound("{1 2 3}", "int", 1)) == "{1 2 3}"
    assert repr(bound("{{1 2} {}}", "int", 2)) == "{{1 2} {}}"
    assert bound("{1 {2}}", "int", 1) is None
    assert bound("{1 2}", "int", 2) is None
    assert bound("1", "int", 1) is None
    assert bound("{at:1}", "int", 1) is None
    assert repr(bound("{}", "region", 1)) == "{}"


def test_the_slot_selects_among_ludemes_of_one_name():
    assert {
        kind: bound("(if True 1 2)", kind) and bound("(if True 1 2)", kind).family for kind in ("int", "bool", "moves")
    } == {
        "int": "int",
        "bool": None,
        "moves": None,
    }
    assert bound("(if True (move Pass))", "moves").family == "moves"


def test_an_argument_goes_into_a_later_slot_where_the_first_leads_nowhere():
    assert repr(bound("(- 5 3)", "int")) == "(- valueA=5 valueB=3)"
    assert repr(bound("(rectangle 3)", "graph")) == "(rectangle dimA=3)"
    assert repr(bound("(where 3)", "int")) == "(where what=3)"
    assert repr(bound('(where "Stone" P2)', "int")) == "(where namePiece='Stone' role=P2)"


def test_a_word_selects_what_is_meant():
    assert bound("(sites Bottom)", "region").unit == "sites Bottom"
    assert bound("(sites {1 2})", "region").unit == "sites (SitesCustom)"
    assert bound("(sites)", "region").unit == "sites (SitesContext)"
    assert bound("(move Swap Pieces)", "moves").unit == "move Swap Pieces"
    assert bound("(count Pieces)", "int").unit == "count Pieces"
    assert bound("(count at:3)", "int").unit == "count (CountNumber)"
    assert bound("(forEach Site (sites Board) (move Pass))", "moves").unit == "forEach Site"


def test_if_several_ways_fit_the_last_counts_and_none_at_all_wins_at_once():
    grammar = Grammar("[int]\nf > int\n  a=int\n  b=int\ng > int\n  ()\n  c=int?\n")
    nodes = expand("(top (f 1) (g) (g 1))").root.parts
    binder = Binder(grammar)
    assert [repr(binder.bind(node, "int")) for node in nodes] == ["(f b=1)", "(g)", "(g c=1)"]
    assert binder.bind(nodes[1], "int").signature.slots == ()


def test_a_whole_game_is_bound_and_every_value_knows_its_place():
    rules_of_game = bind(expand(LINES, "lines.lud"))
    values = list(every(rules_of_game.root))
    assert {type(value) for value in values} == {Bound, Array, Symbol, Constant}
    assert {rules_of_game.place(value).file for value in values} == {"lines.lud"}
    assert [value.unit for value in values if isinstance(value, Bound) and value.family == "moves"] == ["move Add"]
    assert bind(expand(HOPS)).root.unit == "game"


def test_what_is_written_the_same_is_bound_once():
    text = '(game "x" (players 2) (equipment {(hand P1)}) (rules (play (or (move Pass) (move Pass))) (end (if True (result P1 Win)))))'
    play = bind(expand(text)).root.arguments["rules"].arguments["play"].arguments["moves"]
    assert play.arguments["movesA"] is play.arguments["movesB"]


PSEUDO = ("equip:board ", "graph:", "util:graph", "util:poly", "region:sites ", "int:id", "start:forEach ")
"""Units that tell more than which ludeme it is."""


@pytest.mark.corpus
def test_every_game_of_the_library_binds_to_the_ludemes_that_ludii_uses(ludii):
    library = open_library(ludii)
    with (ludii / "game_units.csv").open() as file:
        units = {row["path"]: set(row["units"].split(";")) for row in csv.DictReader(file)}
    failed = {}
    for path in library.paths:
        string, file = library.read(path)
        root = bind(expand(string, file, library=library.defines)).root
        found = {f"{value.family}:{value.unit}" for value in every(root) if isinstance(value, Bound)}
        expected = {unit for unit in units.get(path, ()) if not unit.startswith(PSEUDO)}
        found = {unit for unit in found if not unit.startswith(PSEUDO)}
        missing, more = expected - found, found - expected
        if path.startswith("experimental/"):  # their rarest ludemes are not in the list
            missing, more = missing - {"start:set"}, set()
        if missing or more:
            failed[path] = missing, more
    assert failed == {}


@pytest.mark.corpus
@pytest.mark.slow
def test_every_option_and_ruleset_of_the_library_binds_unless_it_is_to_be_completed(ludii):
    library = open_library(ludii)
    failed = []
    for path in library.paths:
        string, file = library.read(path)
        options = expand(string, file, library=library.defines).options
        choices = [each.choice(item) for each in options.categories for item in each.items if item is not each.default]
        for choice in [*choices, *(ruleset.name for ruleset in options.rulesets if ruleset.choices)]:
            try:
                bind(expand(string, file, [choice], library.defines))
            except RulesError as error:
                if "still to be completed" not in str(error):
                    failed.append((path, choice, str(error)))
    assert failed == []
