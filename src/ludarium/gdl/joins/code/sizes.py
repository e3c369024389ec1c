"""About how many rows relations have, by which the order of conditions is chosen.

The usual estimate for joins: conditions are taken to be independent, and values to be spread evenly over a column. What is
known for certain are the relations that never change, and the initial state.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ludarium.gdl.check.analysis import components
from ludarium.gdl.joins.rules.columns import Columns, Rows
from ludarium.gdl.joins.rules.flat import DISTINCT, Atom, Flat, FlatRule
from ludarium.gdl.text.syntax import Variable

_ROUNDS = 4  # in which recursive relations grow
PASSING = 0.8  # share of rows that a negative condition leaves


@dataclass
class Size:
    """The number of rows of a relation, and of different values in each column."""

    rows: float
    values: list[float]


class Estimates:
    """Estimates for the relations of a description."""

    def __init__(self, flat: Flat, columns: Columns, rows: Rows) -> None:
        self._columns = columns
        self.known: dict[int, Sequence[tuple[str, ...]]] = dict(rows)
        for relation in flat.named("init"):
            twin = flat.number("true", flat.relations[relation].shapes)
            if rows.get(relation):
                self.known[twin] = rows[relation]
        self._spreads: dict[tuple[int, tuple[str | None, ...], str], float] = {}
        self.sizes: dict[int, Size] = {}
        self.recursive: set[int] = set()
        for number, shape in enumerate(flat.relations):
            if number in self.known:
                found = self.known[number]
                values = [float(len(set(column))) for column in zip(*found, strict=True)]
                self.sizes[number] = Size(len(found), values or [1.0] * shape.arity)
            elif shape.name in ("true", "does"):
                space = columns.space(number)
                count = 1.0 if shape.name == "does" else max(1.0, space**0.25)
                self.sizes[number] = Size(count, [min(count, c.size) for c in columns.columns[number]])
        self._derive(flat)

    def _derive(self, flat: Flat) -> None:
        rules: dict[int, list[FlatRule]] = defaultdict(list)
        for rule in flat.rules:
            rules[rule.head.relation].append(rule)
        graph = {str(r): [str(x.relation) for rule in some for x in rule.body] for r, some in rules.items()}
        for group in components(graph):
            members = [int(name) for name in group if int(name) in rules and int(name) not in self.sizes]
            inside = set(members)
            loops = any(x.relation in inside for r in members for rule in rules[r] for x in rule.body)
            self.recursive |= inside if loops else set()
            for _ in range(_ROUNDS if loops else 1):
                for relation in members:
                    self.sizes[relation] = self._union(relation, rules[relation])

    def _union(self, relation: int, rules: Sequence[FlatRule]) -> Size:
        total = Size(0.0, [0.0] * len(self._columns.columns[relation]))
        for rule in rules:
            made = self._rule(rule)
            total.rows += made.rows
            total.values = [a + b for a, b in zip(total.values, made.values, strict=True)]
        limits = [float(c.size) for c in self._columns.columns[relation]]
        total.values = [min(a, b) for a, b in zip(total.values, limits, strict=True)]
        total.rows = min(total.rows, _product(total.values))
        return total

    def _rule(self, rule: FlatRule) -> Size:
        rows = 1.0
        seen: dict[Variable, list[float]] = defaultdict(list)
        for atom in rule.body:
            if atom.negative or atom.relation == DISTINCT:
                rows *= PASSING
                continue
            size = self.sizes.get(atom.relation, Size(0.0, [0.0] * len(atom.args)))
            rows *= size.rows
            for leaf, values in zip(atom.args, size.values, strict=True):
                if isinstance(leaf, Variable):
                    seen[leaf].append(max(1.0, values))
                else:
                    rows /= max(1.0, values)
        for found in seen.values():
            for values in sorted(found)[1:]:
                rows /= values
        made = [min(seen[x]) if isinstance(x, Variable) and seen[x] else 1.0 for x in rule.head.args]
        made = [min(values, max(rows, 0.01)) for values in made]
        return Size(min(rows, _product(made)), made)

    def fan(self, atom: Atom, modes: str) -> float:
        """About how many rows there are for given values."""
        constants = tuple([x if isinstance(x, str) else None for x in atom.args])
        key = atom.relation, constants, modes
        if key not in self._spreads:
            self._spreads[key] = self._fan(atom, constants, modes)
        return self._spreads[key]

    def share(self, atom: Atom) -> float:
        """About how likely it is that values that come there make up a row."""
        if atom.relation == DISTINCT:
            return PASSING
        variables = [k for k, x in enumerate(atom.args) if isinstance(x, Variable)]
        all_open = "".join("f" if k in variables else "b" for k in range(len(atom.args)))
        size = self.sizes.get(atom.relation)
        values = [size.values[k] for k in variables] if size else []
        return min(1.0, self.fan(atom, all_open) / _product(values))

    def keys(self, atom: Atom, modes: str) -> float:
        """How many different values can be given."""
        columns = zip(self._columns.columns[atom.relation], atom.args, modes, strict=True)
        return _product([c.size for c, leaf, mode in columns if mode == "b" and isinstance(leaf, Variable)])

    def _fan(self, atom: Atom, constants: Sequence[str | None], modes: str) -> float:
        if atom.relation in self.known:
            found = self.known[atom.relation]
            fits = [r for r in found if all(c is None or c == x for c, x in zip(constants, r, strict=True))]
            given = [k for k, mode in enumerate(modes) if mode == "b" and constants[k] is None]
            keys = {tuple(r[k] for k in given) for r in fits}
            if keys or atom.relation not in self.sizes:
                return len(fits) / len(keys) if keys else 0.0
        size = self.sizes.get(atom.relation, Size(0.0, [0.0] * len(atom.args)))
        rows = size.rows
        for values, mode in zip(size.values, modes, strict=True):
            if mode == "b":
                rows /= max(1.0, values)
        return rows


def _product(values: Sequence[float]) -> float:
    result = 1.0
    for value in values:
        result *= max(1.0, value)
    return result
