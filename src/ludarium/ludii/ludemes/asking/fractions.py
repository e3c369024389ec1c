"""Numbers with a fraction, which only what players are paid in the end is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce

from ludarium.kernel import cos, exp, f64, log, sin, sqrt
from ludarium.ludii.code.script import Script
from ludarium.ludii.grammar.binder import Array, Bound, Constant, Value

_OF_TWO: Mapping[str, str] = {
    "+": "({} + {})",
    "-": "({} - {})",
    "*": "({} * {})",
    "/": "({} / {})",
    "max": "max({}, {})",
    "min": "min({}, {})",
}

_OF_ONE: Mapping[str, str] = {
    "abs": "max({0}, -{0})",
    "cos": "cos({0})",
    "exp": "exp({0})",
    "log": "log({0})",
    "log10": "(log({0}) / log(10.0))",
    "sin": "sin({0})",
    "sqrt": "sqrt({0})",
    "tan": "(sin({0}) / cos({0}))",
}

_WORDS: Mapping[str, Callable[..., object]] = {"f64": f64, "cos": cos, "exp": exp, "log": log, "sin": sin, "sqrt": sqrt}


def fraction(script: Script, value: Value) -> str:
    """A number with a fraction, as an expression."""
    script.scope.update(_WORDS)
    if isinstance(value, Constant):
        return repr(float(value.value))
    if not isinstance(value, Bound):
        raise script.model.unsupported(value)
    head = value.signature.ludeme.names[0]
    if head == "toFloat":
        if "intFn" in value.arguments:
            return f"f64({script.number(value.arguments['intFn'])})"
        return f"(1.0 if {script.truth(value.arguments['boolFn'])} else 0.0)"
    operands: list[Value] = []
    for argument in value.arguments.values():
        operands += argument.items if isinstance(argument, Array) else [argument]
    written = [script.local("part", fraction(script, each)) for each in operands]
    if head in _OF_ONE:
        return _OF_ONE[head].format(*written)
    if head not in _OF_TWO:
        raise script.model.unsupported(value, why="in what is paid")
    return reduce(_OF_TWO[head].format, written)
