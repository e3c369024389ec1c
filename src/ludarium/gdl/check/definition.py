"""The definition of GDL: what its keywords mean, where they may stand, and what a game cannot be played without.

Existing GDL-II games ask in `sees` for what holds `next`, so that is accepted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludarium.core.game import MAX_ROLES
from ludarium.core.problems import Place, Problem, RulesError
from ludarium.gdl.check import soundness
from ludarium.gdl.check.analysis import Dependencies
from ludarium.gdl.check.repair import mended
from ludarium.gdl.text.syntax import Literal, Rule, Term, Variable, role_names

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


def prepared(rules: Sequence[Rule]) -> list[Rule]:
    """Mend the rules; a `RulesError` with every problem if that is not enough."""
    ready = mended(rules)
    if problems := errors(ready):
        raise RulesError(problems)
    return ready


def errors(rules: Sequence[Rule]) -> list[Problem]:
    """List what keeps rules from being played at all."""
    found = [*broken(rules, Dependencies(rules)), *required(rules)]
    return [problem for problem in dict.fromkeys(found) if not problem.warning]


def broken(rules: Sequence[Rule], dependencies: Dependencies) -> Iterator[Problem]:
    """Find what is against the definition of GDL, and what is nearly so."""
    yield from _keywords(rules)
    yield from _arities(rules)
    yield from soundness.check(rules, dependencies)


def required(rules: Sequence[Rule]) -> Iterator[Problem]:
    """Find what is missing, and roles beyond what can be played."""
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
