"""What descriptions of our own raise; against published tables the benchmark compares."""

import pytest

from ludarium.ludii.concepts import features
from ludarium.ludii.concepts.raising import table
from ludarium.ludii.concepts.words import columns
from ludarium.ludii.grammar.checker import bind
from ludarium.ludii.grammar.signatures import rules as grammar
from ludarium.ludii.text.expander import expand

GAME = """
(game "Test" (players {players})
  (equipment {{ {board} (piece "Pawn" Each {moves}) {more} }})
  (rules {meta} (start (place "Pawn1" (sites Bottom))) (play {play}) (end {end})))
{after}
"""


def found(**parts):
    given = {
        "players": "2",
        "board": "(board (square 4))",
        "moves": "(move Step (to if:(is Empty (to))))",
        "more": "",
        "meta": "",
        "play": "(forEach Piece)",
        "end": "(if (no Moves Mover) (result Mover Loss))",
        "after": "",
        **parts,
    }
    told = features(bind(expand(GAME.format(**given), "test.lud")))
    return {name: feature.value for name, feature in told.items() if feature.value}


@pytest.mark.parametrize(
    ("parts", "there", "absent"),
    [
        ({}, ["StepDecision", "StepDecisionToEmpty", "NoMovesLoss", "Misere", "PawnComponent"], ["Capture", "HopDecision"]),
        (
            {"moves": "(move Step (to if:(is Enemy (who at:(to))) (apply (remove (to)))))"},
            ["StepDecisionToEnemy", "ReplacementCapture", "RemoveEffect"],
            ["StepDecisionToEmpty"],
        ),
        (
            {"moves": "(move Step (to if:(not (is Friend (who at:(to))))))"},
            ["StepDecisionToEnemy", "StepDecisionToEmpty", "Negation"],
            ["StepDecisionToFriend", "IsFriend"],
        ),
        (
            {"moves": "(move Hop (between if:(is Enemy (who at:(between))) (apply (remove (between)))) (to if:(is Empty (to))))"},
            ["HopDecisionEnemyToEmpty", "HopCapture"],
            ["HopDecisionMoreThanOne"],
        ),
        ({"end": "(if (is Line 3) (result Mover Win))"}, ["LineEnd", "LineWin", "Line"], ["LineLoss", "Misere"]),
        ({"end": "(if (is Line 3) (result Next Win))"}, ["LineEnd", "LineLoss", "Misere"], ["LineWin"]),
        ({"end": "(if (no Pieces Next) (result Mover Win))"}, ["EliminatePiecesWin", "NoPieceNext"], ["NoOwnPiecesEnd"]),
        ({"board": "(board (hex 3))"}, ["HexTiling", "HexShape"], ["SquareTiling"]),
        ({"board": "(board (merge (square 3) (shift 4 0 (square 3))))"}, [], ["SquareTiling", "SquareShape"]),
        ({"board": "(board (rectangle 3 4) use:Vertex)"}, ["RectangleShape", "Vertex", "GraphStyle"], ["Cell", "SquareShape"]),
        ({"more": "(dice d:6 num:2)", "play": "(do (roll) next:(forEach Piece))"}, ["Stochastic", "DiceD6", "Roll"], ["DiceD2"]),
        ({"meta": "(meta (swap))"}, ["SwapOption"], ["AutoMove"]),
        ({"players": "{(player N) (player S)}"}, ["PlayersWithDirections", "TwoPlayer"], ["Solitaire"]),
        ({"more": '(piece "King" P1)'}, ["AsymmetricPiecesType", "KingComponent"], []),
        ({"after": "(metadata (graphics {(board Style Chess)}))"}, ["ChessStyle"], ["GoStyle"]),
    ],
)  # fmt: skip
def test_what_a_description_raises(parts, there, absent):
    told = found(**parts)
    assert [name for name in there if name not in told] == []
    assert [name for name in absent if name in told] == []


def test_counts_on_the_board():
    told = found()
    counted = {name: told.get(name, 0) for name in ("NumPlayers", "NumCells", "NumRows", "NumCorners", "NumInnerSites")}
    assert counted == {"NumPlayers": 2, "NumCells": 16, "NumRows": 4, "NumCorners": 4, "NumInnerSites": 4}
    assert told["NumOrthogonalDirections"] == 3.0
    assert told["NumPlayableSites"] == 16
    assert found(more="(hand Each)")["NumPlayableSites"] == 18


def test_each_concept_says_where_it_comes_from():
    told = features(bind(expand(GAME.format(
        players=2, board="(board (square 4))", moves="", more="", meta="", play="(move Pass)",
        end="(if (no Moves Mover) (result Mover Loss))", after="",
    ), "test.lud")))  # fmt: skip
    assert told["PassDecision"].source == "move Pass, test.lud:4"
    assert told["NumPlayers"].source == "the board and the equipment"


def test_ludemes_by_the_names_of_their_columns():
    told = found()
    assert {
        "Step_game.rules.play.moves.decision.MoveStepType",
        "Square_game.functions.graph.generators.basis.square.Square",
    } <= told.keys()
    assert "Hop_game.rules.play.moves.decision.MoveHopType" not in told
    assert {"int_int", "String_java.lang.String", "P2_game.types.play.RoleType"} & told.keys() == {
        "int_int",
        "String_java.lang.String",
    }
    assert len(columns()) == 598


def test_the_table_names_ludemes_that_exist():
    known = {(ludeme.family, ludeme.names[0]) for several in grammar().heads.values() for ludeme in several}
    for unit in table():
        family, _, name = unit.partition(":")
        assert family == "symbols" or (family, name.split(" ")[0]) in known, unit
