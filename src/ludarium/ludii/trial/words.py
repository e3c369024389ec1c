"""Moves and states of a trial in words, for people."""

from __future__ import annotations

from collections.abc import Iterator

from ludarium.ludii.trial.facts import CELL, GameFacts, Site
from ludarium.ludii.trial.position import Piece, Position
from ludarium.ludii.trial.record import Action, Move, written

_SILENT = frozenset({"decision", "forced", "type", "typeFrom", "typeTo"})
_PLAIN = {"SetStateAndUpdateDice", "SetDiceAllEqual"}


def told(move: Move, facts: GameFacts) -> str:
    """A move: who made it, what was chosen, and what came of it."""
    actions = list(move.flat)
    chosen = move.decision
    rolled = [action.number("state") for action in actions if action.kind == "SetStateAndUpdateDice"]
    rest = [action for action in actions if action is not chosen and action.kind not in _PLAIN]
    parts = [f"rolls {', '.join(map(str, rolled))}"] if rolled else []
    parts += [words(action, facts) for action in ([chosen] if chosen else []) + rest]
    who = f"player {move.mover}" if move.mover else "start"
    return f"{who}: {'; '.join(parts) or 'nothing'}"


def words(action: Action, facts: GameFacts) -> str:
    """One action."""
    what = facts.name(action.number("what"))
    origin, target = action.number("from"), action.number("to")
    match action.kind:
        case "Move" | "Copy" | "StackMove":
            verb = {"Move": "moves", "Copy": "copies", "StackMove": "moves a stack"}[action.kind]
            count = f" {action.number('count')} pieces" if "count" in action.fields else ""
            return f"{verb}{count} from {origin} to {target}{_more(action, 'from', 'to', 'count')}"
        case "Add" | "Insert":
            return f"puts {what} on {target}{_more(action, 'to', 'what')}"
        case "Promote":
            return f"makes {what} on {target}{_more(action, 'to', 'what')}"
        case "Remove":
            later = " later" if action.fields.get("applied") is False else ""
            return f"clears {target}{later}{_more(action, 'to', 'applied')}"
        case "Select":
            return f"selects {origin}" + (f" and {target}" if target >= 0 else "") + _more(action, "from", "to")
        case "Pass":
            return "must pass" if action.forced else "passes"
        case "SetScore":
            sign = "+" if action.fields.get("add") is True else ""
            return f"score of player {action.number('player')} {sign}{action.number('score')}"
        case "SetNextPlayer":
            return f"player {action.number('player')} is next"
        case "Note":
            return f"says {action.word('message')!r}"
        case _:
            return f"{action.kind}{_more(action)}"


def contents(position: Position) -> Iterator[str]:
    """What is in a state, a line for each site and value."""
    for site, pieces in sorted(position.sites.items()):
        yield f"{site}: {' under '.join(_piece(piece, position.facts) for piece in pieces)}"
    for number, shown in sorted(position.dice.items()):
        yield f"die on {Site(CELL, number)}: {shown or 'used'}"
    for name, values in (
        ("score of", position.scores),
        ("value of", position.player_values),
        ("amount of", position.amounts),
    ):
        for player, value in sorted(values.items()):
            yield f"{name} player {player}: {value}"
    for variable, value in sorted(position.variables.items()):
        yield f"variable {variable}: {value}"
    for name, found in sorted(position.remembered.items()):
        yield f"remembered {name}: {', '.join(map(str, sorted(found)))}"


def _piece(piece: Piece, facts: GameFacts) -> str:
    name = facts.name(piece.what) if piece.what else "nothing"
    number = f"{piece.count} {name}" if piece.count > 1 else name
    rest = [f"{field} {value}" for field in ("state", "rotation", "value") if (value := getattr(piece, field))]
    return f"{number} ({', '.join(rest)})" if rest else number


def _more(action: Action, *told: str) -> str:
    """The fields that were not told yet."""
    rest = [
        f"{name} {written(value)}" for name, value in action.fields.items() if name not in _SILENT and name not in told
    ]
    return f" ({', '.join(rest)})" if rest else ""
