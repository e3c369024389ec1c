"""Relations that are denied by their own rules, for other arguments: `(goal ?p 0)` if not `(goal ?p 100)`.

Where every rule of such a relation has a constant in some place, there is a relation for each of these constants.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ludarium.gdl.check.analysis import components
from ludarium.gdl.text.syntax import Argument, Literal, Rule, Term

_FREE = ("true", "does", "next", "init", "legal", "role", "terminal", "distinct")
"""Relations whose arguments mean something outside."""


def split_relations(rules: Sequence[Rule]) -> list[Rule]:
    """Make functions of the constants that tell the parts of a relation apart."""
    places = _places(rules)
    if not places:
        return list(rules)
    return [
        Rule(
            _marked(rule.head, places),
            tuple(Literal(_marked(x.atom, places), x.negative, x.place) for x in rule.body),
            rule.place,
        )
        for rule in rules
    ]


def _places(rules: Sequence[Rule]) -> dict[tuple[str, int], set[int]]:
    """Where the relations that lead to their own negation have constants in all heads."""
    edges: dict[str, dict[str, bool]] = defaultdict(dict)
    heads: dict[str, list[Term]] = defaultdict(list)
    for rule in rules:
        heads[_name(rule.head)].append(rule.head)
        for literal in rule.body:
            target = _name(literal.atom)
            edges[_name(rule.head)][target] = edges[_name(rule.head)].get(target, False) or literal.negative
    found = {}
    for group in components({name: list(targets) for name, targets in edges.items()}):
        if not any(edges[a].get(b) for a in group for b in group):
            continue
        for some in (heads[name] for name in group if heads[name][0].name not in _FREE):
            first = 1 if some[0].name in ("goal", "sees") else 0  # whose roles are roles
            every = range(first, min(head.arity for head in some))
            fixed = {k for k in every if all(_constant((head.args or ())[k]) for head in some)}
            if fixed:
                found[some[0].name, some[0].arity] = fixed
    return found


def _name(atom: Term) -> str:
    return f"{atom.name}/{atom.arity}"


def _constant(term: Argument) -> bool:
    return isinstance(term, Term) and term.args is None


def _marked(atom: Term, places: dict[tuple[str, int], set[int]]) -> Term:
    fixed = places.get((atom.name, atom.arity), ())
    if not fixed or atom.args is None:
        return atom
    args = [
        Term(x.name, ()) if k in fixed and isinstance(x, Term) and x.args is None else x
        for k, x in enumerate(atom.args)
    ]
    return Term(atom.name, tuple(args))
