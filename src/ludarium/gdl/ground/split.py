"""Rewriting rules so that they ground small, without changing what they mean.

A rule that joins a move with facts that hardly depend on it, like "a cell keeps its content if the move was
elsewhere", has an instance for every pair of a move and a cell. Such a rule is split: what concerns the move alone
becomes a relation of its own. Where the link is "different from", the complement is far smaller: exactly one move is
made by each role, so "a move was made that is different" is "a move was made, and it is none of the few that are the
same".
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ludarium.gdl.text.syntax import Argument, Literal, Rule, Term, Variable, role_names

_ROLES = 4  # with more roles than this, "none or a linked one" is not spelt out for each
_DENSE = 0.5  # a link that holds for more than this share of all pairs is better said by its complement

Density = Callable[[Term, frozenset[str], frozenset[str]], float]
"""The share of all pairs of (values of some variables, values of others) for which a static atom holds."""


@dataclass
class Split:
    """The rewritten rules, and the relations that were added, each with the domain of its arguments."""

    roles: list[str]
    rules: list[Rule] = field(default_factory=list)
    count: int = 0

    def name(self) -> str:
        """A relation that no description can contain."""
        self.count += 1
        return f" aux{self.count}"


def split(rules: Iterable[Rule], dynamic: frozenset[str], density: Density) -> list[Rule]:
    """Split all rules; `dynamic` are the relations that depend on the state or on moves.

    This nearly always makes them ground smaller, but not always: what is taken out of a rule may be what kept it small.
    """
    rules = list(rules)
    done = Split(role_names(rules))
    for rule in rules:
        _split(rule, dynamic, density, done)
    whole, done.rules = done.rules, []
    for rule in whole:
        small = _eliminate(rule, done) if rule.head.name in dynamic else rule
        done.rules.append(small)
    return done.rules


def is_dynamic(literal: Literal, dynamic: frozenset[str]) -> bool:
    """Whether a literal depends on the state or on moves."""
    return literal.atom.name in dynamic


def _split(rule: Rule, dynamic: frozenset[str], density: Density, done: Split) -> None:
    for move in rule.body:
        if move.atom.name != "does" or move.negative:
            continue
        rest = [x for x in rule.body if x is not move and is_dynamic(x, dynamic) and not x.negative]
        local = _names(move.atom.variables()) - _names(rule.head.variables()) - _all_names(rest)
        links = [x for x in rule.body if x is not move and x not in rest and _names(x.atom.variables()) & local]
        if links:
            others = [x for x in rule.body if x is not move and x not in links]
            new = _complement(rule, move, links, others, _cautious(density, dynamic), done)
            if new is not None:
                _split(new, dynamic, density, done)
                return
    done.rules.append(rule)


def _eliminate(rule: Rule, done: Split) -> Rule:
    """Take out variables that concern few literals: those literals become a relation over the variables they share."""
    fixed = _names(rule.head.variables())
    while True:
        inner = [_names(x.atom.variables()) for x in rule.body]
        holders: dict[str, list[int]] = {}
        for place, names in enumerate(inner):
            for name in names:
                holders.setdefault(name, []).append(place)
        every = fixed | set(holders)
        best: tuple[set[str], list[int]] | None = None
        for name in sorted(set(holders) - fixed):
            inside = set().union(*(inner[place] for place in holders[name]))
            if len(inside) < (len(every) if best is None else len(best[0])):
                bound = set().union(*(inner[place] for place in holders[name] if _binds(rule.body[place])))
                best = best if inside - bound else (inside, holders[name])
        if best is None:
            return rule
        inside, places = best
        part = [rule.body[place] for place in places]
        chosen = set(places)
        others = [x for place, x in enumerate(rule.body) if place not in chosen]
        shared = sorted(inside & (_names(rule.head.variables()) | _all_names(others)))
        aux = Term(done.name(), tuple(Variable(v) for v in shared))
        done.rules.append(Rule(aux, tuple(part), rule.place))
        rule = Rule(rule.head, (*others, Literal(aux)), rule.place)


def _complement(  # noqa: PLR0917
    rule: Rule, move: Literal, links: list[Literal], others: list[Literal], density: Density, done: Split
) -> Rule | None:
    """Say "none of the few moves that are linked the other way" instead of "one of the many"."""
    of_move = frozenset(_names(move.atom.variables()))
    needed = _names(rule.head.variables()) | _all_names(others)
    free = frozenset((_all_names(links) & needed) - of_move)
    if not free or any(_names(x.atom.variables()) - of_move - free for x in links):
        return None
    if min(_share(x, of_move, free, density) for x in links) < _DENSE:
        return None
    domain = _domain(set(free), others, done)
    if len(domain) == 0:
        return None
    common = tuple(Variable(v) for v in sorted(of_move & needed))
    role = move.atom.args[0] if move.atom.args else None
    everyone = isinstance(role, Variable) and role.name not in needed
    args = (*([role] if everyone and role else []), *common)
    made = Term(done.name(), args or None)
    done.rules.append(Rule(made, (move,), rule.place))
    linked = Term(done.name(), args + tuple(Variable(v) for v in sorted(free)))
    for link in links:
        against = Literal(link.atom, not link.negative, link.place)
        done.rules.append(Rule(linked, (move, *domain, against), rule.place))
    if not everyone or common or len(done.roles) > _ROLES:
        return Rule(rule.head, (*others, Literal(made), Literal(linked, negative=True)), rule.place)
    return _by_nobody(rule, others, made, linked, done)


def _by_nobody(rule: Rule, others: list[Literal], made: Term, linked: Term, done: Split) -> Rule:
    """Some role made a move that is not linked: it is not so that all roles made a linked one, or none.

    Said this way, nothing changes for the many things that a move leaves alone, whoever makes it.
    """
    free = (linked.args or ())[1:]
    each = [Term(role) for role in done.roles]
    nobody = Term(done.name())
    done.rules.append(Rule(nobody, tuple(Literal(Term(made.name, (r,)), negative=True) for r in each), rule.place))
    blocked = Term(done.name(), free)
    for first in range(len(each)):
        mine = Literal(Term(linked.name, (each[first], *free)))
        rest = [r for k, r in enumerate(each) if k != first]
        for idle in itertools.product((True, False), repeat=len(rest)):
            pairs = zip(rest, idle, strict=True)
            body = [
                Literal(Term(made.name, (r,)), negative=True) if still else Literal(Term(linked.name, (r, *free)))
                for r, still in pairs
            ]
            done.rules.append(Rule(blocked, (mine, *body), rule.place))
    return Rule(rule.head, (*others, Literal(blocked, negative=True), Literal(nobody, negative=True)), rule.place)


def _cautious(density: Density, dynamic: frozenset[str]) -> Density:
    """What depends on the state is taken to hold for few pairs."""
    return lambda atom, left, right: 0.0 if atom.name in dynamic else density(atom, left, right)


def _share(link: Literal, of_move: frozenset[str], free: frozenset[str], density: Density) -> float:
    names = frozenset(_names(link.atom.variables()))
    if link.atom.name == "distinct":
        return 0.0 if link.negative else 1.0
    share = density(link.atom, names & of_move, names & free)
    return 1.0 - share if link.negative else share


def _domain(free: set[str], others: list[Literal], done: Split) -> list[Literal]:
    """A literal that holds for all values that the given variables can take, by one of the rule that binds them."""
    literals = []
    for other in others:
        covered = free & _names(other.atom.variables())
        if other.negative or other.atom.name == "distinct" or not covered:
            continue
        relation = Term(done.name() + " domain", tuple(Variable(v) for v in sorted(covered)))
        done.rules.append(Rule(relation, (other,), other.place))
        literals.append(Literal(relation))
        free = free - covered
    return [] if free else literals


def _binds(literal: Literal) -> bool:
    return not literal.negative and literal.atom.name != "distinct"


def _names(variables: Iterable[Argument]) -> set[str]:
    return {v.name for v in variables if isinstance(v, Variable)}


def _all_names(literals: Iterable[Literal]) -> set[str]:
    return {v.name for x in literals for v in x.atom.variables()}
