"""Conditions that look at what they compare or deny."""

from __future__ import annotations

from ludarium.ludii.concepts.raising import Case, Raised, raises
from ludarium.ludii.grammar.binder import Array, Bound, Constant, Symbol, Value

_HIDDEN = {
    "What": "HidePieceType", "Who": "HidePieceOwner", "Count": "HidePieceCount", "Rotation": "HidePieceRotation",
    "Value": "HidePieceValue", "State": "HidePieceState",
}  # fmt: skip


@raises("bool:not")
def _not(case: Case) -> None:
    """What is not one of friend, enemy and empty is one of the others."""
    sides = ("IsFriend", "IsEnemy", "IsEmpty")
    denied = next((each for each in sides if each in case.found), None)
    if denied:
        case.found.update(each for each in sides if each != denied)
        case.found.discard(denied)
    if "CanMove" in case.found:
        case.found.discard("CanMove")
        case.found.add("CanNotMove")
    case.found.discard("NoTargetPiece")


@raises("bool:and")
def _and(case: Case) -> None:
    """To be somewhere and something else is not to reach a place; pieces that have to stand at several sites fill them."""
    case.found.discard("Contains")
    listed = case.node.arguments.get("list")
    parts = listed.items if isinstance(listed, Array) else list(case.node.arguments.values())
    if all("IsPieceAt" in case.raiser.of(each) for each in parts):
        case.found.add("Fill")


@raises("bool:=")
def _equal(case: Case) -> None:
    given = case.node.arguments
    if "regionA" in given:
        case.found.add("Fill")
        return
    _compare(case)
    for one, other in _both_ways(given.get("valueA"), given.get("valueB")):
        unit = _unit(one)
        plain = isinstance(other, Constant)
        if unit == "count Pieces" and plain and _number(other) == 0:
            case.found.add("NoPiece")
            role = _role(one)
            case.found.update({"Mover": ["NoPieceMover"], "Next": ["NoPieceNext"]}.get(role, []))
            break
        if unit == "counter" and plain:
            case.found.add("ProgressCheck")
            break
    for one, other in _both_ways(given.get("valueA"), given.get("valueB")):
        if _unit(one).startswith("where") and _number(other) == -1:
            case.found.add("NoTargetPiece")
            break
        if _unit(one).startswith("where") and _unit(other) == "mapEntry":
            case.found.add("Contains")
            break
        if _unit(one) == "what" and _unit(other).startswith("id"):
            case.found.add("IsPieceAt")
            break


@raises("bool:<", "bool:<=", "bool:>", "bool:>=")
def _compare(case: Case) -> None:
    """Somebody's pieces are counted, and compared."""
    for one in (case.node.arguments.get("valueA"), case.node.arguments.get("valueB")):
        if _unit(one) == "count Pieces":
            case.found.add("CountPiecesComparison")
            named = {"Mover": "Mover", "Next": "Next", "Player": "Next"}.get(_role(one))
            if named:
                case.found.add(f"CountPieces{named}Comparison")
            return


@raises("bool:no Moves")
def _no_moves(case: Case) -> None:
    role = _word(case.node.arguments["playerFn"])
    if role in ("Mover", "Next"):
        case.found.add(f"NoMoves{role}")


@raises("bool:no Pieces")
def _no_pieces(case: Case) -> None:
    role = _word(case.node.arguments.get("role"))
    if role in ("Mover", "Next"):
        case.found.add(f"NoPiece{role}")


@raises("bool:all Sites")
def _all_sites(case: Case) -> None:
    if _unit(case.node.arguments.get("region")) == "sites Board" and "PieceCount" in case.raiser.of(
        case.node.arguments["If"]
    ):
        case.found.add("NoPiece")


@raises("bool:is Triggered")
def _triggered(case: Case) -> None:
    event = case.node.arguments["event"]
    if isinstance(event, Constant) and event.value == "Connected":
        case.found.add("Connection")


@raises("bool:is Hidden", "region:sites Hidden")
def _hidden(case: Case) -> None:
    case.found.add("HiddenInformation")
    case.found.add(_HIDDEN.get(_word(case.node.arguments.get("dataType")), "InvisiblePiece"))


def hide(node: Bound, found: Raised, *, setting: bool) -> None:
    """What a rule that hides something raises."""
    given = node.arguments
    found.add("HiddenInformation")
    listed = given.get("dataTypes")
    what = list(listed.items) if isinstance(listed, Array) else [given["dataType"]] if "dataType" in given else []
    found.update(_HIDDEN[_word(each)] for each in what)
    found.update(f"SetHidden{_word(each)}" for each in what if setting)
    if not what:
        found.update(["InvisiblePiece", *(["SetInvisible"] if setting else [])])


def _both_ways(one: Value | None, other: Value | None) -> tuple[tuple[Value | None, Value | None], ...]:
    return (one, other), (other, one)


def _unit(value: Value | None) -> str:
    return value.unit if isinstance(value, Bound) else ""


def _number(value: Value | None) -> float | None:
    return value.value if isinstance(value, Constant) and not isinstance(value.value, str) else None


def _word(value: Value | None) -> str:
    return value.word if isinstance(value, Symbol) else ""


def _role(value: Value | None) -> str:
    return _word(value.arguments.get("role")) if isinstance(value, Bound) else ""
