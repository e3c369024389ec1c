"""How a game ends: what the condition of an end is about, and who wins by it."""

from __future__ import annotations

from ludarium.ludii.concepts.raising import Case, Raiser, raises
from ludarium.ludii.grammar.binder import Bound, Symbol

_KINDS = {
    "Line": "Line", "Connection": "Connection", "Group": "Group", "Loop": "Loop", "Pattern": "Pattern",
    "PathExtent": "PathExtent", "Territory": "Territory", "NoTargetPiece": "NoTargetPiece", "NoPieceMover": "NoOwnPieces",
    "Fill": "Fill", "Contains": "Reach", "Scoring": "Scoring", "NoMoves": "NoMoves", "ProgressCheck": "NoProgress",
}  # fmt: skip
"""Ends by the concept that their condition raises."""


def kinds(raised: frozenset[str]) -> set[str]:
    """The ways to end a game that a condition is about."""
    found = {kind for concept, kind in _KINDS.items() if concept in raised}
    if {"NoPieceNext", "CountPiecesNextComparison"} & raised or ("NoPiece" in raised and "NoPieceMover" not in raised):
        found.add("EliminatePieces")
    if {"CanNotMove", "Threat"} <= raised:
        found.add("Checkmate")
    return found


@raises("end:if", "end:forEach")
def _end(case: Case) -> None:
    test = case.node.arguments.get("test", case.node.arguments.get("If"))
    result = case.node.arguments.get("result")
    outcome = _outcome(case.raiser, result) if isinstance(result, Bound) else ""
    for kind in kinds(case.raiser.of(test)):
        case.found.add("Checkmate" if kind == "Checkmate" else f"{kind}End")
        if outcome:
            case.found.add(f"{kind}{outcome}")
    if isinstance(result, Bound) and result.unit == "result" and case.raiser.players == 2:
        said = _said(result)
        if said in (("Next", "Win"), ("Mover", "Loss")):
            case.found.add("Misere")


def _said(result: Bound) -> tuple[str, str]:
    who, what = result.arguments["who"], result.arguments["result"]
    assert isinstance(who, Symbol)
    assert isinstance(what, Symbol)
    return who.word, what.word


def _outcome(raiser: Raiser, result: Bound) -> str:
    """What a result is for the one who moved."""
    if result.unit != "result":
        return ""
    who, what = _said(result)
    if what == "Draw":
        return "Draw"
    if what not in ("Win", "Loss"):
        return ""
    if who == "Mover":
        return what
    if who == "Next" and raiser.players == 2:
        return {"Win": "Loss", "Loss": "Win"}[what]
    return ""


@raises("end:result")
def _result(case: Case) -> None:
    if _said(case.node)[1] == "Draw":
        case.found.add("Draw")


@raises("end:byScore")
def _by_score(case: Case) -> None:
    if "Territory" in case.found:
        case.found.update(["TerritoryEnd", "TerritoryWin"])


@raises("meta:no Repeat")
def _no_repeat(case: Case) -> None:
    given = case.node.arguments.get("repetitionType")
    kind = given.word if isinstance(given, Symbol) else "Positional"
    case.found.add(
        {
            "PositionalInTurn": "TurnKo",
            "SituationalInTurn": "SituationalTurnKo",
            "Situational": "SituationalSuperko",
        }.get(kind, "PositionalSuperko")
    )
