"""Constants as numbers: which columns share their constants, and which of them can ever come in each column.

Columns that a variable connects are of one kind and number their constants alike. Within a kind the numbers are given so
that the constants of a column lie together, as far as that goes: a column then needs no more room than it has constants.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import log

from ludarium.gdl.joins.rules.flat import DISTINCT, Atom, Flat, FlatRule, Leaf
from ludarium.gdl.text.syntax import Variable

SAME = {"init": "true", "next": "true", "legal": "does"}
"""Relations whose rows are rows of another one, too."""


@dataclass(frozen=True, slots=True)
class Column:
    """The numbers that can come in a column: `low` and `width - 1` more; `kind` says what they stand for."""

    kind: int
    low: int
    width: int
    size: int
    """How many of them there really are."""


@dataclass
class Columns:
    """The columns of all relations."""

    columns: list[tuple[Column, ...]]
    names: list[list[str]]
    """The constants of each kind, by number."""

    numbers: list[dict[str, int]]

    def space(self, relation: int) -> int:
        """How many rows a relation can have."""
        result = 1
        for column in self.columns[relation]:
            result *= column.size
        return result

    def row(self, atom: Atom) -> tuple[int, ...]:
        """The numbers of an atom without variables."""
        pairs = zip(atom.args, self.columns[atom.relation], strict=True)
        return tuple(self.numbers[column.kind][str(name)] for name, column in pairs)


Place = tuple[int, int]
Rows = Mapping[int, Sequence[tuple[str, ...]]]


def number(flat: Flat, rows: Rows) -> Columns:
    """Number the constants of a description, some of whose relations are given by their rows."""
    kinds = _Kinds(flat)
    widest = [[0] * relation.arity for relation in flat.relations]
    for relation, masks in domains(flat, rows).items():
        widest[relation] = masks
    constants = list(_constants(flat, rows))
    members: list[dict[str, None]] = [{} for _ in range(kinds.count)]
    for place, kind in kinds.kind_of.items():
        mask = widest[place[0]][place[1]]
        for k in _bits(mask):
            members[kind][constants[k]] = None
    for kind, spoken in kinds.spoken.items():
        members[kind] |= dict.fromkeys(spoken)
    number_of = {name: k for k, name in enumerate(constants)}
    order = []
    for kind, names in enumerate(members):
        mine = [widest[r][c] for (r, c), k in kinds.kind_of.items() if k == kind]
        order.append(_ordered({name: number_of[name] for name in names}, mine))
    numbers = [{name: k for k, name in enumerate(names)} for names in order]
    columns = []
    for relation, shape in enumerate(flat.relations):
        row = []
        for column in range(shape.arity):
            kind = kinds.kind_of[relation, column]
            found = sorted(numbers[kind][constants[k]] for k in _bits(widest[relation][column]))
            low, high = (found[0], found[-1]) if found else (0, 0)
            row.append(Column(kind, low, high - low + 1, max(1, len(found))))
        columns.append(tuple(row))
    return Columns(columns, order, numbers)


def _ordered(places: dict[str, int], masks: list[int]) -> list[str]:
    """Put constants in an order in which those of a column lie close together, as far as that goes."""
    different = sorted(set(masks), key=int.bit_count)
    orders = [
        sorted(places, key=lambda name: _key(name, places[name], some)) for some in ([], different, different[::-1])
    ]
    return min(orders, key=lambda names: _room([places[name] for name in names], masks))


def _key(name: str, place: int, masks: list[int]) -> tuple[object, ...]:
    outside = tuple(not mask >> place & 1 for mask in masks)
    return (outside, not name.isdecimal(), int(name) if name.isdecimal() else 0, place)


def _room(order: list[int], masks: list[int]) -> float:
    """How much room columns take: the sum of the logarithms of their widths."""
    widths: dict[int, float] = {}
    for mask in set(masks):
        found = [k for k, place in enumerate(order) if mask >> place & 1]
        widths[mask] = log(found[-1] - found[0] + 1) if found else 0.0
    return sum(widths[mask] for mask in masks)


def _bits(mask: int) -> list[int]:
    return [k for k in range(mask.bit_length()) if mask >> k & 1]


def _constants(flat: Flat, rows: Rows) -> dict[str, None]:
    found: dict[str, None] = {}
    for some in rows.values():
        found |= dict.fromkeys(chain.from_iterable(some))
    for rule in flat.rules:
        for atom in (rule.head, *rule.body):
            found |= dict.fromkeys(x for x in atom.args if isinstance(x, str))
    return found


class _Kinds:
    """Columns that share their constants, by the variables that connect them."""

    def __init__(self, flat: Flat) -> None:
        self._parent: dict[object, object] = {}
        spoken: dict[Place, list[str]] = defaultdict(list)
        for relation, shape in enumerate(flat.relations):
            for column in range(shape.arity):
                self._find((relation, column))
            other = SAME.get(shape.name)
            if other:
                twin = flat.number(other, shape.shapes)
                for column in range(shape.arity):
                    self._join((relation, column), (twin, column))
        for number, rule in enumerate(flat.rules):
            self._connect(number, rule, spoken)
        roots: dict[object, int] = {}
        self.kind_of = {}
        for relation, shape in enumerate(flat.relations):
            for column in range(shape.arity):
                root = self._find((relation, column))
                self.kind_of[relation, column] = roots.setdefault(root, len(roots))
        self.count = len(roots)
        self.spoken: dict[int, list[str]] = defaultdict(list)
        for place, names in spoken.items():
            self.spoken[self.kind_of[place]] += names

    def _connect(self, number: int, rule: FlatRule, spoken: dict[Place, list[str]]) -> None:
        places: dict[Variable, Place] = {}
        for atom in (rule.head, *rule.body):
            if atom.relation == DISTINCT:
                continue
            for column, leaf in enumerate(atom.args):
                place = atom.relation, column
                if isinstance(leaf, Variable):
                    self._join((number, leaf), place)
                    places.setdefault(leaf, place)
                else:
                    spoken[place].append(leaf)
        for atom in rule.body:
            if atom.relation == DISTINCT:
                a, b = atom.args
                if isinstance(a, Variable) and isinstance(b, Variable):
                    self._join((number, a), (number, b))
                else:
                    name, variable = (a, b) if isinstance(b, Variable) else (b, a)
                    if isinstance(variable, Variable) and isinstance(name, str):
                        spoken[places[variable]].append(name)

    def _find(self, node: object) -> object:
        root = self._parent.setdefault(node, node)
        while root != self._parent[root]:
            root = self._parent[root]
        while self._parent[node] != root:
            self._parent[node], node = root, self._parent[node]
        return root

    def _join(self, one: object, other: object) -> None:
        self._parent[self._find(one)] = self._find(other)


def domains(flat: Flat, rows: Rows) -> dict[int, list[int]]:
    """Per relation and column the set of constants that may come there, as bits."""
    number_of = {name: k for k, name in enumerate(_constants(flat, rows))}
    domains: dict[int, list[int]] = {}
    for relation, some in rows.items():
        masks = [sum(1 << number_of[x] for x in set(column)) for column in zip(*some, strict=True)]
        if some:
            domains[relation] = masks
    users: dict[int, set[FlatRule]] = defaultdict(set)
    twins = {k: flat.number(SAME[r.name], r.shapes) for k, r in enumerate(flat.relations) if r.name in SAME}
    for rule in flat.rules:
        for atom in rule.body:
            users[atom.relation].add(rule)
    for relation in set(domains) & set(twins):
        domains[twins[relation]] = list(domains[relation])
    waiting = set(flat.rules)
    while waiting:
        changed: set[int] = set()
        for rule in waiting:
            bound = _bound(rule, domains, number_of)
            if bound is None:
                continue
            masks = [bound[x] if isinstance(x, Variable) else 1 << number_of[x] for x in rule.head.args]
            head = rule.head.relation
            for relation in (head, twins.get(head, head)):
                have = domains.get(relation)
                if have is None or any(mask & ~mine for mask, mine in zip(masks, have, strict=True)):
                    old = have or [0] * len(masks)
                    domains[relation] = [a | b for a, b in zip(masks, old, strict=True)]
                    changed.add(relation)
        waiting = set(chain.from_iterable(users[relation] for relation in changed))
    return domains


def _bound(rule: FlatRule, domains: dict[int, list[int]], number_of: dict[str, int]) -> dict[Leaf, int] | None:
    """What each variable can be by the positive conditions; None if one of them can never hold."""
    found: dict[Leaf, int] = {}
    for atom in rule.body:
        if atom.negative or atom.relation == DISTINCT:
            continue
        if atom.relation not in domains:
            return None
        for leaf, mask in zip(atom.args, domains[atom.relation], strict=True):
            if isinstance(leaf, Variable):
                found[leaf] = found.get(leaf, mask) & mask
                if not found[leaf]:
                    return None
            elif not mask >> number_of[leaf] & 1:
                return None
    return found
