"""The table of signatures: every line means something, and it says what Ludii's own classes say."""

import collections
import json

import pytest

from ludarium.ludii.grammar.signatures import metadata, rules

NOTHING = {"TrackStep"}  # nothing in the language makes one
PLAIN = {"int", "integer", "dim", "float", "decimal", "bool", "truth", "string"}


@pytest.mark.parametrize("grammar", [rules, metadata])
def test_every_slot_can_be_filled(grammar):
    grammar = grammar()
    filled = PLAIN | NOTHING | set(grammar.symbols)
    for ludemes in grammar.heads.values():
        for ludeme in ludemes:
            filled |= ludeme.types
    for ludemes in grammar.heads.values():
        for ludeme in ludemes:
            assert ludeme.signatures
            for signature in ludeme.signatures:
                for slot in signature.slots:
                    assert slot.type in filled, (ludeme, slot)


def test_words_select_only_where_they_come_first():
    for ludemes in rules().heads.values():
        for ludeme in ludemes:
            for signature in ludeme.signatures:
                selecting = [k for k, slot in enumerate(signature.slots) if slot.selects]
                assert selecting == list(range(len(selecting)))
                assert all(signature.slots[k].type in rules().symbols for k in selecting)


def test_a_line_is_taken_apart():
    (ludeme,) = [each for each in rules().heads["sites"] if each.family == "region"]
    around = next(each for each in ludeme.signatures if each.selected == "SitesAroundType")
    slots = {slot.name: slot for slot in around.slots}
    assert slots["distance"].label == "distance"
    assert slots["If"].label == "if"
    assert not slots["regionType"].optional
    assert slots["where"].optional
    assert [(sorted(around.slots[k].name for k in limit.slots), limit.required) for limit in around.limits] == [
        (["regionWhere", "where"], True)
    ]
    walk = next(each for each in ludeme.signatures if each.makes == "SitesWalk")
    assert {slot.name: slot.depth for slot in walk.slots}["possibleSteps"] == 2


TYPES = {
    "const int": "integer",
    "const float": "decimal",
    "const bool": "truth",
    "BooleanConstant": "truth",
    "moves.Piece": "piece",
    "moves.Player": "player",
    "players.Player": "Player",
    "component.Piece": "PieceComponent",
    "component.Card": "CardComponent",
    "equipment.Card": "Card",
    "math.Pair": "Pair",
    "misc.Pair": "HeuristicPair",
    "enum foreach.ForEachLevelType": "ForEachLevelType",
}
"""What the facts call a type, and what we call it."""


@pytest.mark.corpus
def test_signatures_agree_with_ludii(ludii):
    facts = json.loads((ludii / "ludemes.json").read_text())

    def called(kind):
        return TYPES.get(kind, kind.removeprefix("enum "))

    expected = collections.Counter()
    for each in facts["classes"]:
        for overload in each["overloads"]:
            slots = tuple(
                (
                    slot["name"],
                    slot.get("label", ""),
                    called(facts["types"][slot["type"]]),
                    slot.get("array", 0),
                    bool(slot.get("opt")) or "or" in slot,
                )
                for slot in overload["params"]
            )
            expected[each["head"], each["name"], slots] += 1
    ours = collections.Counter()
    for ludeme in {id(each): each for several in metadata().heads.values() for each in several}.values():
        for signature in ludeme.signatures:
            slots = tuple((slot.name, slot.label, slot.type, slot.depth, slot.optional) for slot in signature.slots)
            ours[ludeme.names[0], ludeme.names[-1], slots] += 1
    assert ours == expected
    for name, enum in facts["enums"].items():
        for slot in enum["fits"]:
            kind = called(facts["types"].get(slot, slot))
            if kind in metadata().symbols and kind != "GraphicsItem":  # drawing is not ours
                words = {word for _, word in metadata().symbols[kind].values()}
                assert words.issuperset(enum["constants"]), name
