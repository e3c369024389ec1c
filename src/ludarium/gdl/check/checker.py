"""Checking a description: all that is wrong or odd in one run, each with its place and a hint.

Errors break the definition of GDL (Love et al. 2008; GDL-II: Thielscher 2010) so that the game cannot be played,
warnings are what a slip of the pen looks like, and what is mended when a game is loaded. A strict check takes the
definition by its letter, as ggp-base's validator does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ludarium.core.problems import Problem, RulesError
from ludarium.gdl.check import suspicions, trial
from ludarium.gdl.check.analysis import Dependencies
from ludarium.gdl.check.definition import broken, errors, required
from ludarium.gdl.check.repair import mended
from ludarium.gdl.text.reader import load, parse_source
from ludarium.gdl.text.sheet import Source
from ludarium.gdl.text.syntax import Rule
from ludarium.gdl.view import view


def check(
    rules: Sequence[Rule], *, play: Callable[[], trial.Walk] | None = None, strict: bool = False
) -> list[Problem]:
    """List all problems in the order of the file; `play` makes an engine to try the game with.

    Errors are what the game is refused for. What is against the definition and played all the same is an error only if
    the check is `strict`, and else a warning.
    """
    dependencies = Dependencies(rules)
    found = [*broken(rules, dependencies), *required(rules), *suspicions.check(rules, dependencies)]
    if not strict:
        found = _as_played(found, rules)
    if play is not None and not any(not problem.warning for problem in found):
        found += trial.check(play(), rules, strict=strict)
    return sorted(dict.fromkeys(found), key=_order)


def check_file(path: Path, *, play: bool = True, strict: bool = False) -> list[Problem]:
    """List all problems of a file, those of reading it included."""
    drawn: list[Problem] = []
    try:
        source = load(path)
        drawn += _pictured(source)
        rules = parse_source(source, path.suffix)
        walk = (lambda: trial.compiled(path.stem, rules)) if play else None
        return sorted([*drawn, *check(rules, play=walk, strict=strict)], key=_order)
    except RulesError as error:
        return sorted([*drawn, *error.problems], key=_order)


def _pictured(source: Source) -> list[Problem]:
    """List what is wrong with the lines that say how a board is drawn."""
    try:
        view(source.text, source.file)
    except RulesError as error:
        return error.problems
    return []


def _order(problem: Problem) -> tuple[str, int, int, bool]:
    return problem.place.file, problem.place.line, problem.place.column, problem.warning


def _as_played(found: Sequence[Problem], rules: Sequence[Rule]) -> list[Problem]:
    """Make warnings of errors that are mended when the game is loaded, and add what is refused then."""
    refused = errors(mended(rules))
    left = {(problem.place, problem.message) for problem in refused}
    kept = [p if p.warning or (p.place, p.message) in left else p._replace(warning=True) for p in found]
    told = {(problem.place, problem.message) for problem in kept}
    return kept + [problem for problem in refused if (problem.place, problem.message) not in told]


def lines(problems: Iterable[Problem]) -> list[str]:
    """Write problems for the terminal, one per line: `file:line:column: error: message (hint)`."""
    return [
        f"{p.place}: {'warning' if p.warning else 'error'}: {p.message}{f' ({p.hint})' if p.hint else ''}"
        for p in problems
    ]
