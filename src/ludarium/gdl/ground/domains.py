"""What can stand where: per argument of a relation the constants and functions that may ever come there.

The domains are too large rather than too small: a condition that finds nothing in them can never hold. The
facts of a state are what `init` and `next` make; what somebody `does` is what is `legal`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ludarium.gdl.text.syntax import Argument, Rule, Term, Variable

MAX_DEPTH = 4
"""Functions nested deeper than this are taken to hold anything."""


class Label(NamedTuple):
    """A constant (no arity), or a function and the number of its arguments."""

    name: str
    arity: int | None

    def __str__(self) -> str:
        return self.name if self.arity is None else f"({' '.join([self.name, *['_'] * self.arity])})"


Domain = dict[Label, list["Domain"]]
"""The constants and functions that may come somewhere, with the domains of the functions' arguments."""

Bindings = dict[Variable, Domain]

ANYTHING = Label("", None)
"""What a domain holds that is not known."""


class Domains:
    """The domains of the arguments of all relations of a description."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._relations: dict[Label, list[Domain]] = {}
        distinct_rules = list(dict.fromkeys(rules))
        users: dict[Label, list[int]] = {}
        for number, rule in enumerate(distinct_rules):
            for relation in {_relation(x.atom) for x in rule.body if not x.negative}:
                users.setdefault(relation, []).append(number)
        waiting = dict.fromkeys(range(len(distinct_rules)))
        while waiting:
            rule = distinct_rules[next(iter(waiting))]
            del waiting[next(iter(waiting))]
            bindings = self.bindings(rule)
            if bindings is not None and self._take_in(rule.head, bindings):
                waiting |= dict.fromkeys(users.get(_relation(rule.head), ()))

    def admits(self, atom: Term) -> bool:
        """Whether an atom may ever hold, for all that can be told without playing."""
        domains = self._relations.get(_relation(atom))
        return domains is not None and all(map(_fits, atom.args or (), domains))

    def misfit(self, atom: Term) -> tuple[Label, list[Label]] | None:
        """Find the first name in an atom that never comes where it stands, and the names that do."""
        domains = self._relations.get(_relation(atom), ())
        return next((found for found in map(_misfit, atom.args or (), domains) if found), None)

    def fires(self, rule: Rule) -> bool:
        """Whether the positive conditions of a rule may ever hold together, for all that can be told."""
        return self.bindings(rule) is not None

    def bindings(self, rule: Rule) -> Bindings | None:
        """Say what each variable may be, as the positive conditions have it; None if one cannot hold."""
        bindings: Bindings = {}
        for literal in rule.body:
            atom = literal.atom
            if not literal.negative and atom.name != "distinct":
                if not self.admits(atom):
                    return None
                for arg, domain in zip(atom.args or (), self._relations[_relation(atom)], strict=True):
                    _bind(arg, domain, bindings)
        return bindings if all(bindings.values()) else None

    def _take_in(self, head: Term, bindings: Bindings) -> bool:
        relation = _relation(head)
        changed = relation not in self._relations
        domains = self._relations.setdefault(relation, [{} for _ in head.args or ()])
        for arg, domain in zip(head.args or (), domains, strict=True):
            changed |= _add(domain, arg, bindings, 0)
        return changed


def _relation(atom: Term) -> Label:
    """Name the relation of an atom; those that share their contents count as one."""
    return Label({"init": "true", "next": "true", "does": "legal"}.get(atom.name, atom.name), atom.arity)


def _label(term: Term) -> Label:
    return Label(term.name, None if term.args is None else term.arity)


def _fits(term: Argument, domain: Domain) -> bool:
    if isinstance(term, Variable) or ANYTHING in domain:
        return bool(domain)
    label = _label(term)
    return label in domain and all(map(_fits, term.args or (), domain[label]))


def _misfit(term: Argument, domain: Domain) -> tuple[Label, list[Label]] | None:
    if isinstance(term, Variable) or not domain or ANYTHING in domain:
        return None
    label = _label(term)
    if label not in domain:
        return label, list(domain)
    return next((found for found in map(_misfit, term.args or (), domain[label]) if found), None)


def _bind(term: Argument, domain: Domain, bindings: Bindings) -> None:
    """Take note of what the variables of a term may be; the term is known to fit."""
    if isinstance(term, Variable):
        bindings[term] = _common(bindings[term], domain) if term in bindings else domain
    elif ANYTHING not in domain:
        for arg, part in zip(term.args or (), domain[_label(term)], strict=True):
            _bind(arg, part, bindings)
    else:
        for variable in term.variables():
            bindings.setdefault(variable, {ANYTHING: []})


def _common(one: Domain, other: Domain) -> Domain:
    if ANYTHING in one or ANYTHING in other:
        return other if ANYTHING in one else one
    result = {label: list(map(_common, one[label], other[label])) for label in one if label in other}
    return {label: parts for label, parts in result.items() if all(parts)}


def _add(domain: Domain, term: Argument, bindings: Bindings, depth: int) -> bool:
    """Take a term into a domain; whether that was new."""
    if isinstance(term, Variable):
        return _merge(domain, bindings.get(term, {ANYTHING: []}), depth)
    if ANYTHING in domain:
        return False
    if depth > MAX_DEPTH:
        domain[ANYTHING] = []
        return True
    label = _label(term)
    changed = label not in domain
    parts = domain.setdefault(label, [{} for _ in term.args or ()])
    for arg, part in zip(term.args or (), parts, strict=True):
        changed |= _add(part, arg, bindings, depth + 1)
    return changed


def _merge(domain: Domain, more: Domain, depth: int) -> bool:
    """Take all of a domain into another; whether there was anything new."""
    if domain is more or ANYTHING in domain or not more:
        return False
    if depth > MAX_DEPTH:
        domain[ANYTHING] = []
        return True
    changed = False
    for label, parts in list(more.items()):
        if label not in domain:
            domain[label] = [{} for _ in parts]
            changed = True
        for mine, theirs in zip(domain[label], parts, strict=True):
            changed |= _merge(mine, theirs, depth + 1)
    return changed
