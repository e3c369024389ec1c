"""Terms as the slow GDL reference handles them.

A constant is a string, a compound term a tuple of its name and arguments, and a variable an int: its slot in
the row of values of a rule.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludarium.gdl.text.syntax import Term, Variable

Value = str | tuple  # a ground term
Template = int | str | tuple  # a term that may have variables
Relation = tuple  # name, number of arguments; for the facts of a state ("true", name, number of arguments)


def variables(template: Template) -> list[int]:
    if isinstance(template, int):
        return [template]
    return [] if isinstance(template, str) else [v for arg in template[1:] for v in variables(arg)]


def fill(template: Template, row: Sequence[Value | None]) -> Value | None:
    """The ground term that a row of values makes of a template, None if a variable is missing."""
    if isinstance(template, int):
        return row[template]
    if isinstance(template, str):
        return template
    filled = tuple(fill(arg, row) for arg in template[1:])
    return None if None in filled else (template[0], *filled)


def match(template: Template, value: Value, row: list[Value | None]) -> bool:
    """Whether a template can become a ground term, binding variables of the row on the way."""
    if isinstance(template, int):
        if row[template] is None:
            row[template] = value
        return row[template] == value
    if isinstance(template, str) or isinstance(value, str):
        return template == value
    return (
        template[0] == value[0]
        and len(template) == len(value)
        and all(match(arg, part, row) for arg, part in zip(template[1:], value[1:], strict=True))
    )


def split(atom: Term, slots: dict[Variable, int]) -> tuple[Relation, tuple[Template, ...]]:
    """An atom taken apart; facts of a state are told apart by their own name, so that they are found fast."""
    if atom.name == "true" and atom.args is not None and isinstance(atom.args[0], Term):
        fact = atom.args[0]
        return ("true", fact.name, None if fact.args is None else fact.arity), _inner_args(fact, slots)
    return (atom.name, atom.arity), _inner_args(atom, slots)


def _inner_args(term: Term, slots: dict[Variable, int]) -> tuple[Template, ...]:
    return tuple(inner(arg, slots) for arg in term.args or ())


def inner(term: Term | Variable, slots: dict[Variable, int]) -> Template:
    if isinstance(term, Variable):
        return slots.setdefault(term, len(slots))
    return term.name if term.args is None else (term.name, *_inner_args(term, slots))


def term(value: Value) -> Term:
    return Term(value) if isinstance(value, str) else Term(value[0], tuple(term(arg) for arg in value[1:]))
