"""Checking a description: all that is wrong or odd in one run, each with its place and a hint.

Errors break the definition of GDL (Love et al. 2008; GDL-II: Thielscher 2010) so that the game cannot be played,
warnings are what a slip of the pen looks like, and what is mended when a game is loaded. A strict check takes the
definition by its letter, as ggp-base's validator does.
Existing GDL-II games ask in `sees` for what holds `next`, so that is accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from ludarium.core.game import MAX_ROLES
from ludarium.core.problems import Place, Problem, RulesError
from ludarium.gdl.check import soundness, suspicions, trial
from ludarium.gdl.check.analysis import Dependencies
from ludarium.gdl.check.repair import mended
from ludarium.gdl.text.reader import load, parse_source
from ludarium.gdl.text.sheet import Source
from ludarium.gdl.text.syntax import Literal, Rule, Term, Variable, role_names
from ludarium.gdl.view import view

ARITIES = {
    **dict.fromkeys(["terminal"], 0),
    **dict.fromkeys(["role", "init", "true", "next", "base"], 1),
    **dict.fromkeys(["legal", "does", "goal", "input", "sees", "percept", "distinct"], 2),
}
"""The keywords that are relations, with the number of their arguments."""

HEADS_ONLY = {
    "init": "it says what the game begins with",
    "next": "it says what holds after a move: ask for the present with (true ...)",
    "sees": "it says what a role is shown",
}
BODIES_ONLY = {
    "true": "write (init ...) for the beginning and (next ...) for what holds after a move",
    "does": "write (legal role move) for what a role may do",
    "distinct": "it is built in",
}
REQUIRED = {
    "role": "name the players: (role white)",
    "legal": "say what the roles may do: (<= (legal ?role ?move) ...)",
    "goal": "say what an end is worth: (<= (goal ?role 100) ...)",
    "terminal": "say when the game is over: (<= terminal ...)",
}
EXPECTED = {"init": "the game begins with no facts at all", "next": "no facts hold after any move"}


def check(
    rules: Sequence[Rule], *, play: Callable[[], trial.Walk] | None = None, strict: bool = False
) -> list[Problem]:
    """List all problems in the order of the file; `play` makes an engine to try the game with.

    Errors are what the game is refused for. What is against the definition and played all the same is an error only if
    the check is `strict`, and else a warning.
    """
    dependencies = Dependencies(rules)
    found = [*_broken(rules, dependencies), *_required(rules), *suspicions.check(rules, dependencies)]
    if not strict:
        found = _as_played(found, rules)
    if play is not None and not any(not problem.warning for problem in found):
        found += trial.check(play(), rules, strict=strict)
    return sorted(dict.fromkeys(found), key=_order)


def prepared(rules: Sequence[Rule]) -> list[Rule]:
    """Mend the rules; a `RulesError` with every problem if that is not enough."""
    ready = mended(rules)
    if problems := _errors(ready):
        raise RulesError(problems)
    return ready


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


def _errors(rules: Sequence[Rule]) -> list[Problem]:
    """List what keeps rules from being played at all."""
    found = [*_broken(rules, Dependencies(rules)), *_required(rules)]
    return [problem for problem in dict.fromkeys(found) if not problem.warning]


def _as_played(found: Sequence[Problem], rules: Sequence[Rule]) -> list[Problem]:
    """Make warnings of errors that are mended when the game is loaded, and add what is refused then."""
    refused = _errors(mended(rules))
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


def _broken(rules: Sequence[Rule], dependencies: Dependencies) -> Iterator[Problem]:
    """Find what is against the definition of GDL, and what is nearly so."""
    yield from _keywords(rules)
    yield from _arities(rules)
    yield from soundness.check(rules, dependencies)


def _required(rules: Sequence[Rule]) -> Iterator[Problem]:
    defined = {rule.head.name for rule in rules}
    start = Place(rules[0].place.file, 1, 1) if rules else Place("<rules>", 1, 1)
    for name, hint in REQUIRED.items():
        if name not in defined:
            yield Problem(start, f"there is no '{name}'", hint)
    for name, meaning in EXPECTED.items():
        if name not in defined:
            yield Problem(start, f"there is no '{name}': {meaning}", warning=True)
    yield from _too_many_roles(rules)


def _too_many_roles(rules: Sequence[Rule]) -> Iterator[Problem]:
    names = role_names(rule for rule in rules if not rule.body)
    if len(names) > MAX_ROLES:
        places = {str(rule.head): rule.place for rule in reversed(rules) if rule.head.name == "role"}
        first = places[f"(role {names[MAX_ROLES]})"]
        yield Problem(first, f"the game has {len(names)} roles, and cannot have more than {MAX_ROLES}")


def _keywords(rules: Sequence[Rule]) -> Iterator[Problem]:
    for rule in rules:
        head = rule.head
        if head.name in BODIES_ONLY:
            yield Problem(
                rule.place, f"'{head.name}' cannot be stated or be the head of a rule", BODIES_ONLY[head.name]
            )
        if head.name == "role":
            yield from _role(rule)
        if head.name == "goal" and head.arity == 2:
            yield from _goal(rule)
        for literal in rule.body:
            name = literal.atom.name
            if name == "next" and head.name == "sees":
                yield Problem(literal.place, "'next' as a condition of 'sees' is not in the definition", warning=True)
            elif name in HEADS_ONLY:
                yield Problem(literal.place, f"'{name}' cannot be a condition", HEADS_ONLY[name])
        for place, atom in _atoms(rule):
            yield from _inner_keywords(place, atom)


def _role(rule: Rule) -> Iterator[Problem]:
    hint = "the roles are fixed: state each by its name, as (role white)"
    if not rule.head.ground:
        yield Problem(rule.place, f"a role cannot be a variable: {rule.head}", hint)
    elif rule.body:
        yield Problem(rule.place, "'role' cannot be the head of a rule", hint)


def _goal(rule: Rule) -> Iterator[Problem]:
    value = (rule.head.args or ())[1]
    if isinstance(value, Term) and not is_goal(str(value)):
        yield Problem(rule.place, f"{value} is not a goal value", "goals are whole numbers from 0 to 100")


def is_goal(text: str) -> bool:
    """Whether a text is a goal value."""
    return text.isascii() and text.isdigit() and int(text) <= 100


def _inner_keywords(place: Place, atom: Term) -> Iterator[Problem]:
    """Keywords inside of terms, where they mean nothing."""
    for arg in atom.args or ():
        if isinstance(arg, Variable) or arg.args is None:
            continue
        if arg.name in ("not", "or", "distinct"):
            yield Problem(place, f"'{arg.name}' inside of '{atom.name}'", f"write ({arg.name} ... ({atom.name} ...))")
        elif arg.name in ("true", "next", "init", "legal", "goal"):
            yield Problem(place, f"the keyword '{arg.name}' means nothing inside of '{atom.name}'", warning=True)
        yield from _inner_keywords(place, arg)


def _arities(rules: Sequence[Rule]) -> Iterator[Problem]:
    first: dict[str, tuple[int, Place]] = {}
    functions: dict[str, tuple[int, Place]] = {}
    for rule in rules:
        for place, atom in _atoms(rule):
            name, arity = atom.name, atom.arity
            if name in ARITIES:
                if arity != ARITIES[name]:
                    yield Problem(place, f"'{name}' takes {_count(ARITIES[name])}, here are {arity}")
                    continue
            elif arity != first.setdefault(name, (arity, place))[0]:
                expected, where = first[name]
                yield Problem(
                    place,
                    f"'{name}' has {_count(arity)} here and {expected} at line {where.line}",
                    "a relation always has the same number of arguments",
                )
            for function in _functions(atom):
                expected, where = functions.setdefault(function.name, (function.arity, place))
                if function.arity != expected:
                    yield Problem(
                        place,
                        f"the term '{function.name}' has {_count(function.arity)} here and {expected} "
                        f"at line {where.line}",
                        "terms with different numbers of arguments are never the same",
                        warning=True,
                    )


def _functions(term: Term) -> Iterator[Term]:
    for arg in term.args or ():
        if isinstance(arg, Term) and arg.args is not None:
            yield arg
            yield from _functions(arg)


def _atoms(rule: Rule) -> Iterator[tuple[Place, Term]]:
    yield rule.place, rule.head
    for literal in rule.body:
        yield _place(rule, literal), literal.atom


def _place(rule: Rule, literal: Literal) -> Place:
    return literal.place if literal.place.file == rule.place.file else rule.place


def _count(number: int) -> str:
    return f"{number or 'no'} argument{'' if number == 1 else 's'}"
