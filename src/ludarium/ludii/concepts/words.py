"""Which of the language's keywords a game uses, under the names of the columns of published tables."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from ludarium.ludii.grammar.binder import NUMBERS, Array, Bound, Constant, Symbol, Value

_NUMBER, _STRING = "int_int", "String_java.lang.String"
_PUZZLE = "Set_game.rules.start.deductionPuzzle.Set"


def used(root: Bound) -> dict[str, Value]:
    """The columns that a description fills, each with the first value that does."""
    known = _columns()
    found: dict[str, Value] = {}
    seen: set[int] = set()
    waiting: list[tuple[Value, str]] = [(root, "")]  # each with the family of the ludeme around it
    while waiting:
        value, around = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Array):
            waiting += [(each, around) for each in reversed(value.items)]
            continue
        column = _column(value, around, known)
        if column:
            found.setdefault(column, value)
        if isinstance(value, Bound):
            waiting += [(each, value.family) for each in reversed(value.arguments.values())]
    return found


def columns() -> frozenset[str]:
    """All columns."""
    return frozenset(_columns().values()) | {_NUMBER, _STRING, _PUZZLE} | {f"{word}_int" for word in NUMBERS}


def _column(value: Value, around: str, known: Mapping[str, str]) -> str | None:
    match value:
        case Bound():
            if value.family == "start" and value.unit == "set":
                return _PUZZLE
            names = value.signature.ludeme.names
            return next((found for name in names if (found := known.get(f"{value.family} {name}"))), None)
        case Symbol():
            own = known.get(f"{around} {value.type} {value.word}")  # a type of words that several families have
            return own or known.get(f"symbols {value.type} {value.word}")
        case Constant() if isinstance(value.value, str):
            return _STRING
        case Constant() if type(value.value) is int:
            return f"{value.node.text}_int" if value.node.text in NUMBERS else _NUMBER
    return None


@cache
def _columns() -> Mapping[str, str]:
    """By family and head, or type and word: the name of the column."""
    found: dict[str, str] = {}
    family = ""
    for line in files(__package__).joinpath("columns.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            family = line.strip("[]")
        elif line and not line.startswith("#"):
            left, _, right = line.partition(" = ")
            if family == "symbols":
                kind = left.rpartition(".")[2]
                whose = "region" if "functions.region.foreach" in left else family
                found |= {f"{whose} {kind} {word}": f"{word}_{left}" for word in right.split()}
            elif not right.endswith(".deductionPuzzle.Set"):
                found[f"{family} {left}"] = f"{right.rpartition('.')[2]}_{right}"
    return found
