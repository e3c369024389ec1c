"""The parts of a GDL description: terms, literals, rules, each knowing where it stands in the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ludarium.core.fingerprint import digest
from ludarium.core.problems import Place

KEYWORDS = frozenset(
    {"role", "init", "true", "next", "legal", "does", "goal", "terminal", "base", "input"}
    | {"sees", "percept", "distinct", "not", "or", "random"}
)
"""Words with a meaning of their own, in any case; all other names are taken as they are written."""


NOWHERE = Place("<rules>", 1, 1)


class Variable(NamedTuple):
    """A variable, its name without the question mark; a tuple, as sets of them are made by the thousand."""

    name: str

    def __str__(self) -> str:
        return f"?{self.name}"


@dataclass(frozen=True, slots=True)
class Term:
    """A constant (`args` is None), or a function or relation with its arguments; `(f)` has none, and is not `f`."""

    name: str
    args: tuple[Term | Variable, ...] | None = None

    def __str__(self) -> str:
        """The prefix form, with single spaces."""
        return self.name if self.args is None else f"({' '.join([self.name, *map(str, self.args)])})"

    @property
    def arity(self) -> int:
        """The number of arguments."""
        return len(self.args or ())

    @property
    def ground(self) -> bool:
        """Whether it has no variables."""
        return all(isinstance(arg, Term) and arg.ground for arg in self.args or ())

    def variables(self) -> Iterator[Variable]:
        """All variables, in order, with repeats."""
        for arg in self.args or ():
            if isinstance(arg, Variable):
                yield arg
            else:
                yield from arg.variables()


Argument = Term | Variable


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom in a rule's body, or its negation; `distinct` is a relation like any other here."""

    atom: Term
    negative: bool = False
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"(not {self.atom})" if self.negative else str(self.atom)


@dataclass(frozen=True, slots=True)
class Rule:
    """A head that holds whenever all of the body does; a fact has no body. `or` is spelt out as several rules."""

    head: Term
    body: tuple[Literal, ...] = ()
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return str(self.head) if not self.body else f"(<= {' '.join(map(str, (self.head, *self.body)))})"


def fingerprint(rules: Sequence[Rule], *, chance: bool) -> str:
    """Give a few letters that stand for rules, in their order, and for whether the role `random` is chance."""
    return digest([f"GDL, chance {chance}", *map(str, rules)])


def key(atom: Term) -> str:
    """The relation of an atom, with its arity; for true, next, init, base: that of the fact inside (`true cell/3`)."""
    inner = atom.args[0] if atom.name in ("true", "next", "init", "base") and atom.args else None
    if isinstance(inner, Term):
        return f"{atom.name} {inner.name}/{inner.arity}"
    return f"{atom.name}/{atom.arity}"


def role_names(rules: Iterable[Rule]) -> list[str]:
    """The roles, in the order of the file; who is named twice is one role."""
    heads = (rule.head for rule in rules if rule.head.name == "role")
    return list(dict.fromkeys(str(head.args[0]) for head in heads if head.args))
