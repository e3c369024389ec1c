"""Where rows are kept and how generated code reaches them: tables of fixed relations, bits for facts and for answers."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from ludarium.gdl.joins.rules.columns import Column, Columns, Rows
from ludarium.gdl.joins.rules.flat import Flat, too_large
from ludarium.kernel import data, i32, i64, u16, u32, u64

MAX_BITS = 1 << 26
MAX_FACTS = 1 << 24
MAX_KEYS = 1 << 22
MAX_SINGLE = 1 << 14

Value = int | str
"""A number that is known, or the name of a local."""


def weighted(columns: Sequence[Column], values: Sequence[Value], stride: int = 1) -> str:
    """The number of a row among all that its columns allow, times a stride, as an expression."""
    known, factor = 0, stride
    parts: list[str] = []
    for column, value in zip(reversed(columns), reversed(values), strict=True):
        if isinstance(value, int):
            known += (value - column.low) * factor
        elif column.width > 1:
            parts.insert(0, value if factor == 1 else f"{value} * {factor}")
            known -= column.low * factor
        factor *= column.width
    text = " + ".join(parts)
    if not text:
        return str(known)
    return text if known == 0 else f"{text} {'+' if known > 0 else '-'} {abs(known)}"


def space(columns: Sequence[Column]) -> int:
    """How many rows columns allow."""
    return prod(column.width for column in columns)


@dataclass(frozen=True, slots=True)
class Bits:
    """Rows as bits, in groups by the columns that are given; a group begins at a word or lies within one."""

    offset: int
    """The first word."""

    given: tuple[int, ...]
    open: tuple[int, ...]
    stride: int
    """Bits from one group to the next."""

    @property
    def inside(self) -> bool:
        """Whether a group lies within a word."""
        return self.stride <= 64


def stride_of(size: int) -> int:
    """The room for a group of bits: a power of two within a word, or whole words."""
    return 1 << (size - 1).bit_length() if size <= 64 else -(-size // 64) * 64


class Store:
    """The tables and places of one game."""

    def __init__(self, flat: Flat, columns: Columns, rows: Rows) -> None:
        self.flat, self.columns = flat, columns
        self._rows = rows
        self._numbers: dict[int, list[tuple[int, ...]]] = {}
        self.tables: dict[str, Any] = {}
        self._made: dict[Any, Any] = {}
        self.words = 0
        self.facts: dict[int, dict[tuple[int, ...], Bits]] = {}
        for relation in flat.named("true"):
            self.facts[relation] = {}
            self.bits(relation, ())
        self.state_words = self.words

    def rows(self, relation: int) -> list[tuple[int, ...]]:
        """The rows of a fixed relation as numbers."""
        if relation not in self._numbers:
            kinds = [self.columns.numbers[c.kind] for c in self.columns.columns[relation]]
            self._numbers[relation] = [
                tuple(kind[x] for kind, x in zip(kinds, row, strict=True)) for row in self._rows[relation]
            ]
        return self._numbers[relation]

    def bits(self, relation: int, given: tuple[int, ...]) -> Bits:
        """Where the facts of a relation are, grouped by some columns."""
        kept = self.facts[relation]
        if given not in kept:
            columns = self.columns.columns[relation]
            rest = tuple(k for k in range(len(columns)) if k not in given)
            stride = stride_of(space([columns[k] for k in rest]))
            total = space([columns[k] for k in given]) * stride
            if total > MAX_FACTS:
                name = self.flat.relations[relation].shapes[0]
                label = name[0] if name else "true"
                raise too_large(self.flat.place(relation), f"there are too many possible facts '{label}' ({total})")
            kept[given] = Bits(self.words, given, rest, stride)
            self.words += -(-total // 64)
        return kept[given]

    def _table(self, element: Any, code: str, values: Any) -> str:
        name = f"t{len(self.tables)}"
        self.tables[name] = data(name, element, array(code, values))
        return name

    def set_table(self, relation: int, given: tuple[int, ...]) -> tuple[str, bool]:
        """A table that says which values of some columns a fixed relation has: as bits, or as sorted codes."""
        key = "set", relation, given
        if key not in self._made:
            codes = sorted({self._code(relation, given, row) for row in self.rows(relation)})
            total = space([self.columns.columns[relation][k] for k in given])
            if total <= MAX_BITS:
                words = array("Q", bytes(8 * -(-total // 64)))
                for code in codes:
                    words[code >> 6] |= 1 << (code & 63)
                self._made[key] = self._table(u64, "Q", words), True
            else:
                self._made[key] = self._table(i64, "q", codes), False
        made: tuple[str, bool] = self._made[key]
        return made

    def lanes(
        self, relation: int, given: tuple[int, ...], spots: tuple[tuple[int, ...], ...], block: tuple[Column, ...]
    ) -> str:
        """A table with rows of a fixed relation as words: for given columns, those of a block, each at some places or none."""
        key = "lanes", relation, given, spots, tuple((c.low, c.width) for c in block)
        if key not in self._made:
            words = -(-space(block) // 64)
            table = array("Q", bytes(8 * words * space([self.columns.columns[relation][k] for k in given])))
            for row in self.rows(relation):
                choices = [
                    {row[k] - c.low for k in at} if at else set(range(c.width))
                    for at, c in zip(spots, block, strict=True)
                ]
                if all(len(some) == 1 for some, at in zip(choices, spots, strict=True) if at):
                    first = 64 * words * self._code(relation, given, row)
                    for values in product(*choices):
                        code = 0
                        for value, column in zip(values, block, strict=True):
                            code = code * column.width + value if 0 <= value < column.width and code >= 0 else -1
                        if code >= 0:
                            table[(first + code) >> 6] |= 1 << (code & 63)
            self._made[key] = self._table(u64, "Q", table)
        name: str = self._made[key]
        return name

    def index(self, relation: int, given: tuple[int, ...], wanted: tuple[int, ...]) -> tuple[str, str, list[str]]:
        """Tables that lead from given columns to the wanted ones: sorted keys (or none), starts, a table per column."""
        key = "index", relation, given, wanted
        if key not in self._made:
            groups: dict[int, dict[tuple[int, ...], None]] = {}
            for row in self.rows(relation):
                group = groups.setdefault(self._code(relation, given, row), {})
                group[tuple(row[k] for k in wanted)] = None
            total = space([self.columns.columns[relation][k] for k in given])
            sparse = total > MAX_KEYS
            places = sorted(groups) if sparse else range(total)
            starts, items = array("I", [0]), [array("H") for _ in wanted]
            for place in places:
                for row in groups.get(place, ()):
                    for item, x in zip(items, row, strict=True):
                        item.append(x)
                starts.append(starts[-1] + len(groups.get(place, ())))
            keys = self._table(i64, "q", sorted(groups)) if sparse else ""
            self._made[key] = keys, self._table(u32, "I", starts), [self._table(u16, "H", x) for x in items]
        made: tuple[str, str, list[str]] = self._made[key]
        return made

    def single(self, relation: int, given: tuple[int, ...], wanted: tuple[int, ...]) -> str:
        """A table from given columns to the number of the only row of the wanted ones, or -1; none if there may be more."""
        key = "single", relation, given, wanted
        if key not in self._made:
            columns = self.columns.columns[relation]
            total, found = space([columns[k] for k in given]), dict[int, int]()
            fits = total <= MAX_SINGLE and space([columns[k] for k in wanted]) < 1 << 31
            for row in self.rows(relation) if fits else ():
                code = self._code(relation, wanted, row)
                fits = fits and found.setdefault(self._code(relation, given, row), code) == code
            made = [found.get(code, -1) for code in range(total)] if fits else []
            self._made[key] = self._table(i32, "i", made) if fits else ""
        name: str = self._made[key]
        return name

    def numbers(self, values: Sequence[int]) -> str:
        """A table of numbers."""
        key = "numbers", tuple(values)
        if key not in self._made:
            self._made[key] = self._table(i64, "q", values)
        name: str = self._made[key]
        return name

    def role_at(self, kind: int, roles: Sequence[str]) -> str:
        """A table from constants to roles; what is no role comes after the last one."""
        places = {role: place for place, role in enumerate(roles)}
        return self.numbers([places.get(name, len(roles)) for name in self.columns.names[kind]])

    def role_value(self, kind: int, roles: Sequence[str]) -> str:
        """A table from roles to constants; -1 for a role that does not come there."""
        return self.numbers([self.columns.numbers[kind].get(role, -1) for role in roles])

    def _code(self, relation: int, given: tuple[int, ...], row: tuple[int, ...]) -> int:
        code = 0
        for k in given:
            column = self.columns.columns[relation][k]
            code = code * column.width + row[k] - column.low
        return code
