"""The patterns of `match` in the kernel language: integers, names of integers, several of them, and at last `_`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ludarium.kernel import types as t
from ludarium.kernel.compiler.expressions import Expressions

Case = tuple[list[int] | None, list[ast.stmt]]
"""The numbers to which a case belongs, None for all others, and what is done then."""


def read_cases(checker: Expressions, node: ast.Match, kind: t.Scalar) -> list[Case]:
    """The cases of a `match` over integers of a type; no number comes twice."""
    cases: list[Case] = []
    seen: set[int] = set()
    for case in node.cases:
        if case.guard is not None:
            raise checker.fault(case.guard, "a case has no condition; write an 'if' inside it")
        if isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and case.pattern.name is None:
            cases.append((None, case.body))  # Python itself sees to it that it is the last one
            continue
        numbers = []
        for place, number in _numbers(checker, case.pattern):
            if not kind.low <= number <= kind.high:
                raise checker.fault(place, f"{number} does not fit {kind}, which this 'match' is over")
            if number in seen:
                raise checker.fault(place, f"there is a case for {number} already")
            seen.add(number)
            numbers.append(number)
        cases.append((numbers, case.body))
    return cases


def _numbers(checker: Expressions, pattern: ast.pattern) -> Iterator[tuple[ast.pattern, int]]:
    if isinstance(pattern, ast.MatchOr):
        for part in pattern.patterns:
            yield from _numbers(checker, part)
        return
    if isinstance(pattern, ast.MatchAs) and pattern.name is not None:
        complaint = (
            f"'{pattern.name}' would be a new name for whatever it is; constants have a dot here, as in 'pieces.KING'"
        )
        raise checker.fault(pattern, complaint)
    known = checker.value(pattern.value).known if isinstance(pattern, ast.MatchValue) else None
    if not isinstance(known, int) or isinstance(known, bool):
        complaint = f"a case is an integer, a dotted name of one, 'a | b' or '_'; not '{ast.unparse(pattern)}'"
        raise checker.fault(pattern, complaint)
    yield pattern, known
