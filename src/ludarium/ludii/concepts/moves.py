"""Moves: where they lead to, and whether they capture."""

from __future__ import annotations

from ludarium.ludii.concepts.conditions import hide
from ludarium.ludii.concepts.raising import Case, Raised, Raiser, raises, table
from ludarium.ludii.grammar.binder import Bound, Constant, Symbol, Value

_SIDES = {"Empty": "IsEmpty", "Enemy": "IsEnemy", "Friend": "IsFriend"}
_TAKES = {"RemoveEffect", "FromToEffect"}


def part(node: Bound, slot: str, inner: str) -> Value | None:
    """An argument of an argument: the condition of `(to if:...)`."""
    given = node.arguments.get(slot)
    return given.arguments.get(inner) if isinstance(given, Bound) else None


def _sides(raiser: Raiser, rule: Value | None) -> set[str]:
    """Which of empty sites, enemies and friends a condition is about; all of them if it always holds."""
    if isinstance(rule, Constant):
        return set(_SIDES) if rule.value is True else set()
    raised = raiser.of(rule)
    return {side for side, concept in _SIDES.items() if concept in raised}


def _adjacent(node: Bound, found: Raised, slot: str = "directions") -> None:
    if slot not in node.arguments:
        found.add("AdjacentDirection")


def _captures(raiser: Raiser, effect: Value | None) -> bool:
    return not _TAKES.isdisjoint(raiser.of(effect))


@raises("moves:step", "moves:move Step")
def _step(case: Case) -> None:
    rule = part(case.node, "to", "If")
    if case.node.unit == "move Step":
        sides = set(_SIDES) if rule is None else _sides(case.raiser, rule)
        case.found.update(f"StepDecisionTo{side}" for side in sides)
    _adjacent(case.node, case.found)
    if _captures(case.raiser, part(case.node, "to", "effect")):
        case.found.add("ReplacementCapture")


@raises("moves:slide", "moves:move Slide")
def _slide(case: Case) -> None:
    between = part(case.node, "between", "If")
    if between is None:
        case.found.add("Contains")  # it goes on as long as it is among the empty sites
    elif case.node.unit == "move Slide":
        case.found.update(f"SlideDecisionTo{side}" for side in _sides(case.raiser, between))
    _adjacent(case.node, case.found)
    if _captures(case.raiser, part(case.node, "to", "effect")):
        case.found.add("ReplacementCapture")


@raises("moves:leap", "moves:move Leap")
def _leap(case: Case) -> None:
    rule = part(case.node, "to", "If")
    if case.node.unit == "move Leap" and rule is not None:
        case.found.update(f"LeapDecisionTo{side}" for side in _sides(case.raiser, rule))
    if _captures(case.raiser, part(case.node, "to", "effect")):
        case.found.add("ReplacementCapture")


@raises("moves:fromTo", "moves:move (FromTo)")
def _from_to(case: Case) -> None:
    """Where it may go to says what kind of move it is, and is not passed on."""
    rule = part(case.node, "to", "If")
    if rule is not None:
        case.found.clear()
        case.found |= case.raiser.without(case.node, "to", "If") | table()[f"moves:{case.node.unit}"]
    if case.node.unit == "move (FromTo)" and isinstance(rule, Bound):
        case.found.update(f"FromToDecision{side}" for side in _sides(case.raiser, rule))
    if _captures(case.raiser, part(case.node, "to", "effect")):
        case.found.add("ReplacementCapture")


@raises("moves:hop", "moves:move Hop")
def _hop(case: Case) -> None:
    over, onto = part(case.node, "between", "If"), part(case.node, "to", "If")
    taken, replaced = part(case.node, "between", "effect"), part(case.node, "to", "effect")
    chained = "HopCapture" in case.found
    if _captures(case.raiser, taken):
        case.found.add("HopCapture")
    if _captures(case.raiser, replaced):
        case.found.add("ReplacementCapture")
    if case.node.unit == "move Hop":
        for hurdle in _sides(case.raiser, over) if isinstance(over, Bound) else ():
            for goal in _sides(case.raiser, onto):
                if hurdle != "Empty":
                    case.found.add(f"HopDecision{hurdle}To{goal}")
        if _far(case.node):
            case.found.add("HopDecisionMoreThanOne")
            if chained:
                case.found.add("HopCaptureMoreThanOne")
    _adjacent(case.node, case.found)


def _far(node: Bound) -> bool:
    """Whether a hop may be longer than one site on any part of its way."""
    lengths = [part(node, "between", slot) for slot in ("before", "after")]
    extent = part(node, "between", "range")
    if isinstance(extent, Bound):
        lengths += extent.arguments.values()
    return any(each is not None and not (isinstance(each, Constant) and float(each.value) <= 1) for each in lengths)


@raises("moves:custodial", "moves:enclose", "moves:directional", "moves:intervene", "moves:surround")
def _surrounding(case: Case) -> None:
    kind = {"directional": "Direction"}.get(case.node.unit, case.node.unit.capitalize())
    given = case.node.arguments
    slot = "to" if case.node.unit in ("directional", "intervene") else "between"
    effect = part(case.node, slot, "effect")
    if _captures(case.raiser, effect) or effect is None:
        case.found.update([f"{kind}Capture", "RemoveEffect"] if effect is None else [f"{kind}Capture"])
    if case.node.unit != "surround" and not {"dirnChoice", "directions"} & given.keys():
        case.found.add("AdjacentDirection")


@raises(
    "bool:is Line", "bool:is Connected", "bool:is Loop", "region:sites Around", "region:sites Group", "region:sites Direction",
    "region:sites LineOfSight", "region:sites Loop", "int:count Groups", "int:count SizeBiggestGroup", "int:size Group",
    "int:count Liberties", "ints:sizes Group", "bool:all Groups", "int:countSizeBiggestGroup",
)  # fmt: skip
def _neighbours(case: Case) -> None:
    """Without a word about directions, all neighbours are meant."""
    if not {"directions", "dirn", "direction"} & case.node.arguments.keys():
        case.found.add("AdjacentDirection")


@raises("moves:forEach Group")
def _groups(case: Case) -> None:
    _adjacent(case.node, case.found)


@raises("moves:forEach Piece")
def _each_piece(case: Case) -> None:
    """The moves of the pieces stand with the pieces."""
    if "specificMoves" not in case.node.arguments:
        case.found |= case.raiser.pieces


@raises("moves:remove", "moves:move Remove")
def _remove(case: Case) -> None:
    if "at" in case.node.arguments:
        case.found.add("CaptureSequence")


@raises("moves:sow")
def _sow(case: Case) -> None:
    given = case.node.arguments
    effect = given.get("apply")
    if effect is not None:
        case.found.add("SowWithEffect")
        raised = case.raiser.of(effect)
        if "FromToEffect" in raised:
            case.found.add("SowCapture")
        if "RemoveEffect" in raised:
            case.found.add("SowRemove")
        case.found.add("CopyContext")
    if "backtracking" in given:
        case.found.add("SowBacktracking")
    include = given.get("includeSelf")
    if "skipIf" in given or (isinstance(include, Constant) and include.value is False):
        case.found.add("SowSkip")
    origin = given.get("origin")
    if origin is None or not (isinstance(origin, Constant) and origin.value is False):
        case.found.add("SowOriginFirst")


@raises("moves:set Hidden")
def _set_hidden(case: Case) -> None:
    hide(case.node, case.found, setting=True)


@raises("moves:set Value")
def _set_value(case: Case) -> None:
    """A piece has a value, and so has a player."""
    if "at" not in case.node.arguments:
        case.found.difference_update(["PieceValue", "SetValue"])
        case.found.add("PlayerValue")


@raises("moves:deal", "start:deal")
def _deal(case: Case) -> None:
    dealt = case.node.arguments["type"]
    case.found.add("Card" if isinstance(dealt, Symbol) and dealt.word == "Cards" else "Domino")
