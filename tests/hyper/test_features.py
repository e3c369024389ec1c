import pytest

from ludarium import game
from ludarium.hyper.features import features
from ludarium.hyper.features.taxonomy import concepts
from tests.commands import run


def test_the_taxonomy_is_a_tree_of_511_concepts():
    known = concepts()
    assert len(known) == 511
    assert all(not each.parent or each.parent in known for each in known.values())
    assert sum(each.kind != "yes or no" for each in known.values()) == 31


def test_a_game_in_ludiis_language_has_nothing_unknown():
    found = features(game("lud:hex"))
    assert found.count("unknown") == 0
    assert found["ConnectionWin"].value == 1
    assert found["SpaceEnd"].value == 1, "it stands above the former"
    assert found["LineEnd"].status == "absent"
    assert "Hex_game.functions.graph.generators.basis.hex.Hex" in found.ludemes


@pytest.mark.parametrize("name", ["breakthrough", "gdl:breakthrough"])
def test_what_happens_to_pieces_is_seen_in_random_games(name):
    found = features(game(name))
    seen = {each: found[each].status for each in ("Capture", "TwoSitesMoves", "AddDecision", "HopCapture")}
    assert seen == {"Capture": "found", "TwoSitesMoves": "found", "AddDecision": "absent", "HopCapture": "unknown"}


def test_the_board_of_rules_in_gdl_is_measured_by_its_coordinates():
    found = features(game("gdl:tic-tac-toe"))
    numbers = {each: found[each].value for each in ("NumRows", "NumColumns", "NumCells", "NumCorners", "NumInnerSites")}
    assert numbers == {"NumRows": 3, "NumColumns": 3, "NumCells": 9, "NumCorners": 4, "NumInnerSites": 1}
    assert found["AddDecision"].status == "found"
    assert found["Capture"].status == "absent"


def test_promises_of_hidden_games():
    found = features(game("kuhn-poker"))
    assert (found["HiddenInformation"].value, found["Stochastic"].value) == (1, 1)
    assert features(game("goofspiel"))["Simultaneous"].value == 1


def test_features_are_the_same_every_time():
    assert features(game("connect-four")) == features(game("connect-four"))


def test_the_command_says_where_each_comes_from():
    shown = run("features", "lud:hex", columns=140).output
    assert "ConnectionWin" in shown
    assert "hex.lud:" in shown
    assert "0 unknown" in shown
    assert "LineEnd" not in shown
    assert "LineEnd" in run("features", "lud:hex", "--all").output
    assert "Hex_game" in run("features", "lud:hex", "--ludemes", columns=140).output
    assert "not written in Ludii's language" in run("features", "nim", "--ludemes").output
