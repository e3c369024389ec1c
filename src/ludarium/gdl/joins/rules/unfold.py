"""Relations that are too wide for a table are put into the rules that use them, where one rule defines them."""

from __future__ import annotations

from collections import defaultdict
from math import prod

from ludarium.gdl.check.analysis import components
from ludarium.gdl.joins.rules.columns import Rows, domains
from ludarium.gdl.joins.rules.flat import DISTINCT, Atom, Flat, FlatRule, Leaf
from ludarium.gdl.text.syntax import Variable

WIDE = 1 << 18
"""A relation that may have more rows than this is unfolded if it can be."""

MOST = 400
"""Rules longer than this are not made longer."""


def unfold(flat: Flat, rows: Rows) -> None:
    """Unfold relations that have one rule, and more possible rows than are worth a table."""
    rules: dict[int, list[FlatRule]] = defaultdict(list)
    for rule in flat.rules:
        rules[rule.head.relation].append(rule)
    wide = {r for r, masks in domains(flat, rows).items() if prod(x.bit_count() for x in masks) > WIDE}
    wide = {r for r in wide if len(rules[r]) == 1 and flat.relations[r].name not in ("next", "legal", "sees", "goal")}
    graph = {str(r): [str(x.relation) for rule in rules[r] for x in rule.body] for r in list(rules)}
    order = [int(name) for group in components(graph) if len(group) == 1 for name in group]
    wide &= {r for r in order if str(r) not in graph.get(str(r), ())}
    for relation in order:
        rules[relation] = [_unfolded(rule, wide, rules) for rule in rules[relation]]
    flat.rules = [rule for some in rules.values() for rule in some]


def _unfolded(rule: FlatRule, wide: set[int], rules: dict[int, list[FlatRule]]) -> FlatRule:
    count = 0
    while True:
        place = next((k for k, x in enumerate(rule.body) if x.relation in wide and not x.negative), None)
        if place is None or len(rule.body) > MOST:
            return rule
        count += 1
        definition = _renamed(rules[rule.body[place].relation][0], count)
        same = _unified(definition.head.args, rule.body[place].args)
        if same is None:
            never = Atom(DISTINCT, ("a", "b"), negative=True)
            return FlatRule(rule.head, (*rule.body[:place], *rule.body[place + 1 :], never), rule.place)
        body = (*rule.body[:place], *definition.body, *rule.body[place + 1 :])
        put = [Atom(x.relation, tuple(_followed(y, same) for y in x.args), x.negative) for x in (rule.head, *body)]
        rule = FlatRule(put[0], tuple(dict.fromkeys(put[1:])), rule.place)


def _renamed(rule: FlatRule, count: int) -> FlatRule:
    def put(atom: Atom) -> Atom:
        args = tuple(Variable(f"{x.name} {count}") if isinstance(x, Variable) else x for x in atom.args)
        return Atom(atom.relation, args, atom.negative)

    return FlatRule(put(rule.head), tuple(map(put, rule.body)), rule.place)


def _unified(left: tuple[Leaf, ...], right: tuple[Leaf, ...]) -> dict[Variable, Leaf] | None:
    """What variables must stand for to make two rows the same; None if they cannot be."""
    same: dict[Variable, Leaf] = {}
    for one, other in zip(left, right, strict=True):
        a, b = _followed(one, same), _followed(other, same)
        if a == b:
            continue
        if isinstance(a, Variable):
            same[a] = b
        elif isinstance(b, Variable):
            same[b] = a
        else:
            return None
    return same


def _followed(leaf: Leaf, same: dict[Variable, Leaf]) -> Leaf:
    while isinstance(leaf, Variable) and leaf in same:
        leaf = same[leaf]
    return leaf
