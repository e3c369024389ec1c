import pytest

from ludarium import game

CHESS = {f"{colour}{piece}": role for role, colour in enumerate("wb") for piece in "pnbrqk"}


@pytest.mark.parametrize(
    ("name", "owners"),
    [
        ("gdl:breakthrough", {"white": 0, "black": 1}),
        ("gdl:tic-tac-toe", {"x": 0, "o": 1}),
        ("reversi", {"black": 0, "white": 1}),
        ("checkers", {"bm": 0, "bk": 0, "wm": 1, "wk": 1}),
        ("skirmish", CHESS),
        ("brandubh", {"attacker": 0, "defender": 1, "king": 1}),
        ("blocker", {"bridge": 0, "wall": 1}),
        ("tron", {"red": 0, "blue": 1}),
        ("three-player-connect-four", {"red": 0, "yellow": 1, "green": 2}),
        ("eight-puzzle", {}),
        ("gdl:nim", {}),
        ("rock-paper-scissors", {}),
    ],
)
def test_pieces_are_found_with_their_owners(name, owners):
    rules = game(name)
    assert dict(rules.stock.owners) == owners
    assert {(each.name, each.role) for each in rules.offers.pieces()} == set(owners.items())


def test_masks_are_the_facts_of_the_state():
    rules = game("gdl:breakthrough")
    white = next(each for each in rules.offers.pieces() if each.role == 0)
    assert white.offset == 0
    facts = [text for k, text in enumerate(rules.network.facts) if white.mask >> k & 1]
    assert len(facts) == 64
    assert all(text.endswith(" white)") for text in facts)
    first = int.from_bytes(rules.initial().block, "little")
    assert (first & white.mask).bit_count() == 16


def test_empty_cells_are_no_pieces():
    rules = game("gdl:breakthrough")
    assert set(rules.stock.masks) == {"b", "black", "white"}
    assert "b" not in rules.stock.owners


def test_facts_of_the_engine_are_no_facts_of_the_rules():
    rules = game("brandubh")
    hidden = [k for k, text in enumerate(rules.network.facts) if text[0] == " " or text[:2] == "( "]
    assert hidden
    assert all(not rules.facts_mask >> k & 1 for k in hidden)
    assert rules.facts_mask.bit_count() == len(rules.network.facts) - len(hidden)
