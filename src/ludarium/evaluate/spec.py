"""Evaluators by their names: `evaluator("material + 0.001*mobility")`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from ludarium.core import BadParameter, UnknownName
from ludarium.core.syntax import parse_expression
from ludarium.evaluate.generated import Generated
from ludarium.evaluate.judge import Evaluator, Result
from ludarium.evaluate.linear import Linear
from ludarium.evaluate.own import Own
from ludarium.evaluate.sums import Auto, Sum
from ludarium.evaluate.terms import AdvancedMobility, Goals, Material, Mobility, Term

TERMS: dict[str, Callable[..., Any]] = {kind.name: kind for kind in (Mobility, AdvancedMobility, Material, Goals)}
"""What can be summed."""

WHOLE: dict[str, Callable[..., Any]] = {kind.name: kind for kind in (Auto, Generated, Linear, Own, Result)}
"""What stands alone."""


def evaluator(spec: str) -> Evaluator:
    """Make an evaluator from its text: a name with parameters if wanted, or a sum of terms with factors.

    >>> evaluator("material + 0.001*mobility").name
    'material + 0.001*mobility'
    >>> evaluator("goals(weight=2, power=10)").terms
    (Goals(weight=2, truth=0.75, power=10),)
    """
    try:
        tree = parse_expression(spec.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _unreadable(spec) from None
    name = _name(tree)
    if name in WHOLE:
        made: Evaluator = _made(tree, spec)
        return made
    return Sum(tuple(_terms(tree, 1.0, spec)))


def _terms(node: ast.expr, factor: float, spec: str) -> list[Term]:
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            sign = 1.0 if isinstance(node.op, ast.Add) else -1.0
            return [*_terms(left, factor, spec), *_terms(right, sign * factor, spec)]
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            if isinstance(left, ast.Name | ast.Call):
                left, right = right, left
            return _terms(right, factor * _number(left, spec), spec)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _terms(operand, -factor, spec)
        case ast.Name() | ast.Call():
            if _name(node) in WHOLE:
                raise BadParameter(f"evaluator '{spec}': {_name(node)} stands alone and cannot be part of a sum")
            term = _made(node, spec)
            return [replace(term, weight=factor * term.weight) if factor != 1.0 else term]
    raise _unreadable(spec)


def _made(node: ast.expr, spec: str) -> Any:
    """Make what `name` or `name(parameter=value, ...)` stands for."""
    name = _name(node)
    known = {**TERMS, **WHOLE}
    if name is None:
        raise _unreadable(spec)
    if name not in known:
        raise BadParameter(str(UnknownName("evaluator", name, known)))
    kind: Any = known[name]
    allowed = [each.name for each in fields(kind)]
    given = {}
    for each in node.keywords if isinstance(node, ast.Call) else ():
        if each.arg not in allowed:
            listed = f"it has {', '.join(allowed)}" if allowed else "it has none"
            raise BadParameter(f"evaluator '{name}' has no parameter '{each.arg}'; {listed}")
        given[each.arg] = _value(each.value, spec)
    return kind(**given)


def _name(node: ast.expr) -> str | None:
    match node:
        case ast.Name(id=name) | ast.Call(func=ast.Name(id=name), args=[]):
            return name
    return None


def _value(node: ast.expr, spec: str) -> Any:
    if isinstance(node, ast.Name) and node.id not in ("True", "False"):
        return node.id
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise _unreadable(spec) from None


def _number(node: ast.expr, spec: str) -> float:
    value = _value(node, spec)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _unreadable(spec)
    return value


def _unreadable(spec: str) -> BadParameter:
    return BadParameter(
        f"cannot read evaluator '{spec}'; expected a name such as mobility, or a sum such as material + 0.001*mobility"
    )
