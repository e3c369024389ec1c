"""The game table of a description: generated kernels for its rules, and the turns of a game around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from ludarium.gdl.joins.code.body import plus, unpacked
from ludarium.gdl.joins.code.frames import frame
from ludarium.gdl.joins.code.frames import write as write_frame
from ludarium.gdl.joins.code.plan import Planner
from ludarium.gdl.joins.code.steps import Query
from ludarium.gdl.joins.code.store import Store, space, weighted
from ludarium.gdl.joins.code.writer import Writer
from ludarium.gdl.joins.rules.columns import Columns, Rows
from ludarium.gdl.joins.rules.flat import Flat, too_large
from ludarium.gdl.joins.tables import NO_GOAL, Records, Sizes
from ludarium.gdl.joins.written import Written
from ludarium.kernel import Kernel

MAX_MOVES = 4096
QUESTIONS = 8192
POOL = 32768
MOST_WORK = 15 << 16
"""Bytes of the memory in which questions are answered."""
_AMPLE = 128
"""Times as much of both, where costs are counted and speed does not matter."""


@dataclass
class Form:
    """The moves of one form: their codes begin at `base`."""

    relation: int
    base: int
    size: int


@dataclass
class Compiled:
    """A description as kernels."""

    text: str
    written: Written
    records: Records
    functions: dict[str, Kernel[Any]]
    sizes: Sizes
    forms: list[Form]
    store: Store
    codes: int
    percepts: list[tuple[int, int]]
    """Relations of what is seen, and the first number of each."""

    counters: dict[str, int]
    """The number of the counter of each rule, by its place."""


def compile_rules(
    flat: Flat,
    columns: Columns,
    rows: Rows,
    roles: Sequence[str],
    chance: int,
    *,
    counting: bool = False,
    frugal: bool = False,
) -> Compiled:
    """Write and load the kernels of a description; if they count, they tell what each rule costs."""
    store = Store(flat, columns, rows)
    planner = Planner(flat, columns, rows, frugal=frugal)
    roots = _roots(flat, planner)
    plan = planner.run([q for group in roots.values() for q in group])
    forms, codes = _forms(flat, columns)
    width = 1 + max((len(columns.columns[f.relation]) - 1 for f in forms), default=0)
    writer = Writer(planner, plan, store, roles, width)
    writer.counting = counting
    ample = _AMPLE if counting else 1
    writer.write()
    game = _Game(writer, roots, forms, store, roles)
    game.write()
    seen = -(-sum(space(columns.columns[k]) for k in flat.named("sees")) // 64)
    sizes = Sizes(
        facts=store.words,
        state=store.state_words,
        questions=QUESTIONS if plan.groups or writer.hashed else 2,
        stamps=writer.stamps,
        pool=POOL * ample,
        roles=len(roles),
        width=width,
        moves=min(MAX_MOVES * ample + len(roles), codes * len(roles)),
        offers=1 << min(MAX_MOVES * ample, codes).bit_length(),
        seen=seen,
        codes=codes,
        rules=len(writer.counters),
        wide=codes >= 1 << 32,
    )
    initial = store.numbers(_initial(store))
    out = writer.out
    written = Written(out.name, out.text, out.origins, store.tables, initial, sizes, chance)
    _check_size(written.records, store, MOST_WORK * ample)
    return Compiled(
        out.text,
        written,
        written.records,
        written.functions(),
        sizes,
        forms,
        store,
        codes,
        [(q.relation, base) for q, base in game.seen()],
        writer.counters,
    )


def _roots(flat: Flat, planner: Planner) -> dict[str, list[Query]]:
    """What is asked of a description."""

    def ask(name: str, first: str) -> list[Query]:
        found = [k for k in flat.named(name) if planner.rules[k]]
        return [Query(k, (first + "f" * flat.relations[k].arity)[: flat.relations[k].arity]) for k in found]

    roots = {"terminal": ask("terminal", ""), "next": ask("next", ""), "sees": ask("sees", "")}
    return roots | {"legal": ask("legal", "b"), "goal": ask("goal", "b")}


def _forms(flat: Flat, columns: Columns) -> tuple[list[Form], int]:
    forms, base = [], 0
    for relation in flat.named("does"):
        size = prod(c.width for c in columns.columns[relation][1:])
        forms.append(Form(relation, base, size))
        base += size
    if base * 64 >= 1 << 62:
        largest = max(forms, key=lambda form: form.size).relation
        shape = flat.relations[largest].shapes[1]
        like = f"({shape[0]} ...)" if shape else "this"
        raise too_large(flat.place(largest), f"there are too many possible moves like {like}")
    return forms, base


class _Game:
    """Writes the kernels that put the parts of a turn together."""

    def __init__(
        self, writer: Writer, roots: dict[str, list[Query]], forms: list[Form], store: Store, roles: Sequence[str]
    ) -> None:
        self.writer, self.roots, self.forms, self.store, self.roles = writer, roots, forms, store, roles
        self.columns = store.columns.columns
        self.flat = store.flat

    def write(self) -> None:
        """Write them all."""
        self._decode()
        self._terminal()
        self._legal()
        self._advance()
        self._goals()
        self._observe()
        self._load()  # last: by now it is known in which orders facts are looked up

    def _load(self) -> None:
        lines = [
            "    forget(w)",
            f"    w.joint[{len(self.roles) * self.writer.width}] = -1",
        ]
        for relation, kept in self.store.facts.items():
            others = [b for given, b in kept.items() if given]
            columns, main = self.columns[relation], kept[()]
            words = -(-main.stride // 64)
            lines += [f"    for k in range({main.offset}, {main.offset + words}):"]
            if not others:
                lines += ["        w.facts[k] = facts[k]"]
                continue
            lines += ["        b = w.facts[k] ^ facts[k]", "        w.facts[k] = facts[k]"]
            lines += ["        while b != 0:", f"            c = ((k - {main.offset}) << 6) + ctz(b)"]
            lines += ["            b &= b - 1"]
            lines += [f"            v{k} = {text}" for k, text in enumerate(unpacked("c", columns))]
            for bits in others:
                group = weighted([columns[k] for k in bits.given], [f"v{k}" for k in bits.given], bits.stride)
                inside = weighted([columns[k] for k in bits.open], [f"v{k}" for k in bits.open])
                lines += [f"            flip(w.facts, {group} + {plus(inside, 64 * bits.offset)})"]
        self.writer.kernel("load(w: Work, facts: view[u64]) -> None", lines)

    def _decode(self) -> None:
        """From the code of a move to its form and columns."""
        lines = [f"    at = role * {self.writer.width}"]
        for form in self.forms:
            columns = self.columns[form.relation][1:]
            lines += [f"    if code < {form.base + form.size}:", f"        c = code - {form.base}"]
            lines += [f"        w.joint[at] = {self.writer.forms[form.relation]}"]
            texts = unpacked("c", columns)
            lines += [f"        w.joint[at + {k + 1}] = {text}" for k, text in enumerate(texts)]
            lines += ["        return"]
        lines += ['    assert False, "there is no such move"']
        self.writer.kernel("decode(w: Work, role: i64, code: i64) -> None", lines)

    def _terminal(self) -> None:
        calls = [f"q{self.writer.number[q]}(w)" for q in self.roots["terminal"] if not q.modes]
        self.writer.kernel("terminal(w: Work) -> bool", [f"    return {' or '.join(calls) or 'False'}"])

    def _legal(self) -> None:
        lines = []
        for query in self.roots["legal"]:
            twin = self.flat.number("does", self.flat.relations[query.relation].shapes)
            form = next(form for form in self.forms if form.relation == twin)
            columns = self.columns[twin][1:]

            def sink(values: Sequence[int | str], form: Form = form, columns: Any = columns) -> str:
                return f"offer(w, {plus(weighted(columns, values), form.base)})"

            rules = self.writer.rules(query, f"l{query.relation}", sink)
            lines += self._for_role(query.relation, [f"{rule}(w, role, a)" for rule in rules])
        self.writer.kernel("legal(w: Work, role: i64) -> None", lines or ["    pass"])

    def _for_role(self, relation: int, statements: Sequence[str]) -> list[str]:
        """Statements with `a` as the number of the role, if that comes in the first column."""
        if not statements:
            return []
        column = self.columns[relation][0]
        lines = [f"    a = {self.store.role_value(column.kind, self.roles)}[role]"]
        lines += [f"    if a >= {column.low} and a < {column.low + column.width}:"]
        return lines + [f"        {statement}" for statement in statements]

    def _advance(self) -> None:
        """Work out the facts that come next, and what is seen of the moves."""
        lines = ["    for k in range(STATE):", "        w.nexts[k] = 0"]
        for query in self.roots["next"]:
            twin = self.flat.number("true", self.flat.relations[query.relation].shapes)
            bits, columns = self.store.bits(twin, ()), self.columns[twin]

            def sink(values: Sequence[int | str], columns: Any = columns, at: int = 64 * bits.offset) -> str:
                return f"put(w.nexts, {plus(weighted(columns, values), at)})"

            stay = frame(self.writer, query, twin)
            if stay:
                lines += [f"    {write_frame(self.writer, query, stay, twin, f'n{query.relation}')}(w, 0)"]
            rules = self.writer.rules(query, f"n{query.relation}", sink, but=stay and stay[0])
            lines += [f"    {rule}(w, 0)" for rule in rules]
        if self.roots["sees"]:
            lines += ["    for k in range(SEEN):", "        w.seen[k] = 0"]
        for query, base in self.seen():
            columns = self.columns[query.relation]

            def note(values: Sequence[int | str], columns: Any = columns, at: int = base) -> str:
                return f"put(w.seen, {plus(weighted(columns, values), at)})"

            lines += [f"    {rule}(w, 0)" for rule in self.writer.rules(query, f"s{query.relation}", note)]
        self.writer.kernel("advance(w: Work) -> None", lines)

    def seen(self) -> list[tuple[Query, int]]:
        """What can be seen, with the number of the first percept of each kind."""
        found, base = [], 0
        for query in self.roots["sees"]:
            found.append((query, base))
            base += space(self.columns[query.relation])
        return found

    def _goals(self) -> None:
        """All goal values of a role."""
        lines = ["    count = 0"]
        for query in self.roots["goal"]:
            value = self.flat.relations[query.relation].shapes[-1]
            if value is not None:
                if query.test and value[0].isdecimal():
                    test = f"if q{self.writer.number[query]}(w, a):"
                    told = [test, f"    out[count] = {int(value[0])}", "    count += 1"]
                    lines += self._for_role(query.relation, told)
                continue
            column = self.columns[query.relation][-1]
            names = self.store.columns.names[column.kind]
            worth = self.store.numbers([int(x) if x.lstrip("-").isdecimal() else NO_GOAL for x in names])
            loop = [f"place = q{self.writer.number[query]}(w, a)", f"for k in range({column.width}):"]
            loop += ["    if bit(w.pool, place * 64 + k):", f"        out[count] = {worth}[k + {column.low}]"]
            loop += ["        count += 1"]
            lines += self._for_role(query.relation, loop)
        self.writer.kernel("goals(w: Work, role: i64, out: buffer[i64]) -> i64", [*lines, "    return count"])

    def _observe(self) -> None:
        """What a role has been shown: the numbers of its percepts."""
        lines = ["    count = 0"]
        for query, base in self.seen():
            columns = self.columns[query.relation]
            size = space(columns[1:])
            low = columns[0].low
            first = plus(f"(a - {low}) * {size}", base)
            loop = [f"for k in range({first}, {first} + {size}):", "    if bit(s.seen, k):"]
            loop += [f"        out[count] = u64({base} + k - ({first}))", "        count += 1"]
            lines += self._for_role(query.relation, loop)
        self.writer.kernel("percepts(s: State, role: i64, out: buffer[u64]) -> i64", [*lines, "    return count"])


def _check_size(made: Records, store: Store, most: int) -> None:
    """Refuse a description that takes too much memory to work in."""
    if made.work.size > most:
        largest = max(store.facts, key=lambda relation: space(store.columns.columns[relation]))
        shape = store.flat.relations[largest].shapes[0]
        label = shape[0] if shape else "true"
        raise too_large(store.flat.place(largest), f"there are too many possible facts '{label}'")


def _initial(store: Store) -> list[int]:
    """The facts to begin with, as bits."""
    initial = []
    for relation in store.flat.named("init"):
        twin = store.flat.number("true", store.flat.relations[relation].shapes)
        bits, columns = store.bits(twin, ()), store.columns.columns[twin]
        initial += [64 * bits.offset + int(weighted(columns, row)) for row in store.rows(relation)]
    return sorted(initial)
