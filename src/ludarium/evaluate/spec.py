"""Evaluators by their names: `evaluator("material + 0.001*mobility")`."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ludarium.core import BadParameter, Game, UnknownName, WrongAnswer
from ludarium.core.answers import asked
from ludarium.core.syntax import is_place, parse_call, parse_expression
from ludarium.evaluate.judge import Evaluator, Judge
from ludarium.evaluate.named import LUDII
from ludarium.kernel import Kernel
from ludarium.registry import Entry, listed, make

if TYPE_CHECKING:
    from ludarium.evaluate.terms import Term

TERMS: dict[str, Entry] = {
    "mobility": Entry("ludarium.evaluate.terms:Mobility", "legal moves of roles that move"),
    "advanced": Entry("ludarium.evaluate.terms:AdvancedMobility", "legal moves of all roles"),
    "material": Entry("ludarium.evaluate.terms:Material", "pieces, where a game tells them"),
    "centre": Entry("ludarium.evaluate.terms:Centre", "pieces, by how near they are to the centre"),
    "corners": Entry("ludarium.evaluate.terms:Corners", "pieces, by how near they are to corners"),
    "sides": Entry("ludarium.evaluate.terms:Sides", "pieces, by how near they are to the sides"),
    "region": Entry("ludarium.evaluate.board_terms:Region", "pieces, by how near they are to a region"),
    "player_regions": Entry(
        "ludarium.evaluate.board_terms:PlayerRegions", "pieces, by how near they are to a player's regions"
    ),
    "own_regions": Entry("ludarium.evaluate.board_terms:OwnRegions", "what is in one's own regions"),
    "site_map": Entry("ludarium.evaluate.board_terms:SiteMap", "what is on the sites that maps give a player"),
    "score": Entry("ludarium.evaluate.board_terms:Score", "scores, where a game keeps them"),
    "values": Entry("ludarium.evaluate.board_terms:ComponentValues", "values of pieces, where they have any"),
    "influence": Entry("ludarium.evaluate.board_terms:Influence", "the sites that moves lead to"),
    "lines": Entry("ludarium.evaluate.board_terms:LineCompletion", "how far lines of pieces have come"),
    "unthreatened": Entry("ludarium.evaluate.board_terms:Unthreatened", "pieces that nobody can take"),
    "mover": Entry("ludarium.evaluate.board_terms:Mover", "who is to move"),
    "null": Entry("ludarium.evaluate.board_terms:Null", "nothing at all"),
    "goals": Entry("ludarium.evaluate.terms:Goals", "how nearly goals are reached, where rules are formulas"),
}
"""What can be summed, of those that come along."""

EVALUATORS: dict[str, Entry] = TERMS | {
    "auto": Entry("ludarium.evaluate.sums:Auto", "what suits the game"),
    "blended": Entry("ludarium.hyper.heuristics:Blended", "heuristics weighted by what a model expects of them"),
    "evolved": Entry("ludarium.evaluate.evolved.evaluator:Evolved", "networks that were evolved, from a file"),
    "generated": Entry("ludarium.evaluate.generated:Generated", "a sum found by random games"),
    "linear": Entry("ludarium.evaluate.linear:Linear", "weights learned from random games"),
    "predicted": Entry("ludarium.hyper.heuristics:Predicted", "the heuristic that a model expects to do best"),
    "own": Entry("ludarium.evaluate.own:Own", "what the game itself offers"),
    "result": Entry("ludarium.evaluate.judge:Result", "what the rules say of a state, finished or not"),
}


_FILE = re.compile(r"""evolved\(\s*(?:['"]([^'"]+)['"]|([^'"=,()]+?))\s*(,.*)?\)""", re.DOTALL)
"""A file may stand in the brackets without a name and without quotes: `evolved(champions.json)`."""


def judging(spec: str | Evaluator, game: Game) -> Judge:
    """Let an evaluator judge a game; an error that says what it gives if that is no judge.

    >>> from ludarium import game
    >>> judging("result", game("nim")).kernel.name
    'result'
    """
    made = evaluator(spec)
    given: Any = asked(lambda: f"evaluator '{made.name}'", "judge(game)", made.judge, game)
    if not isinstance(given, Judge):
        raise WrongAnswer(f"evaluator '{made.name}': judge gives {given!r}; expected a Judge")
    kernel: Any = given.kernel
    if not isinstance(kernel, Kernel):
        told = f"its Judge has {kernel!r} for a kernel; @kernel makes one of a function"
        raise WrongAnswer(f"evaluator '{made.name}': {told}")
    return given


def evaluator(spec: str | Evaluator) -> Evaluator:
    """Make an evaluator from its text: a name with parameters if wanted, a place, or a sum of terms with factors.

    >>> evaluator("material + 0.001*mobility").name
    'material + 0.001*mobility'
    >>> evaluator("goals(weight=2, power=10)").terms
    (Goals(weight=2, truth=0.75, power=10),)
    >>> evaluator("CornerProximityNeg").name
    '-1.0*corners'
    """
    if isinstance(spec, str) and spec.strip() in LUDII:
        return evaluator(LUDII[spec.strip()])
    if not isinstance(spec, str) or is_place(spec.strip()) or _is_hyphenated(spec) or _FILE.fullmatch(spec.strip()):
        return _whole(_make_term(spec))
    text = spec.strip()
    try:
        tree = parse_expression(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _unreadable(spec) from None
    return _whole(_make_term(text)) if isinstance(tree, ast.Name | ast.Call) else _sum(_terms(tree, 1.0, text))


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
            term = _make_term(ast.get_source_segment(spec, node))
            if not hasattr(term, "feature"):
                raise BadParameter(f"evaluator '{spec}': {term.name} stands alone and cannot be part of a sum")
            return [replace(term, weight=factor * term.weight) if factor != 1.0 else term]
    raise _unreadable(spec)


def _make_term(spec: Any) -> Any:
    """Make what `name` or `name(parameter=value, ...)` stands for."""
    if isinstance(spec, str) and (file := _FILE.fullmatch(spec.strip())):
        spec = f"evolved(file={(file[1] or file[2])!r}{file[3] or ''})"
    try:
        return make("evaluator", spec)
    except UnknownName as unknown:
        raise BadParameter(str(unknown)) from None


def _whole(made: Any) -> Evaluator:
    """Make an evaluator of a single term."""
    whole: Evaluator = _sum([made]) if hasattr(made, "feature") else made
    return whole


def _sum(terms: list[Term]) -> Evaluator:
    from ludarium.evaluate.sums import Sum  # noqa: PLC0415 (which most searches do without)

    return Sum(tuple(terms))


def _is_hyphenated(spec: str) -> bool:
    """Whether this is a name with hyphens, and no difference: only others have such names."""
    call = parse_call(spec)
    return call is not None and "-" in call[0] and call[0] in listed("evaluator")


def _number(node: ast.expr, spec: str) -> float:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        raise _unreadable(spec) from None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _unreadable(spec)
    return value


def _unreadable(spec: str) -> BadParameter:
    return BadParameter(
        f"cannot read evaluator '{spec}'; expected a name such as mobility, or a sum such as material + 0.001*mobility"
    )
