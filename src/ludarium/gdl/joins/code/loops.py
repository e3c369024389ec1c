"""Loops over rows, in text: those of a table, of a state, of a set of answers, and over the moves just made."""

from __future__ import annotations

from collections.abc import Sequence

from ludarium.gdl.joins.code.body import Body, Context, plus, unpacked
from ludarium.gdl.joins.code.plan import Planner
from ludarium.gdl.joins.code.steps import JoinStep, Query, QueryPlan, Source
from ludarium.gdl.joins.code.store import Bits, Store, Value, space, stride_of, weighted
from ludarium.gdl.joins.rules.columns import Column
from ludarium.gdl.joins.rules.flat import Atom
from ludarium.gdl.text.syntax import Variable
from ludarium.kernel import Emitter

MOST_STAMPS = 1 << 15
"""Questions that have a place of their own, in all."""

MOST_TRIED = 64
"""Values of columns that are all tried where those of others are known."""

MOST_FLAT = 32
"""Words of an answer that are looked through one by one."""


class Loops:
    """Writes loops into kernels."""

    def __init__(self, planner: Planner, plan: QueryPlan, store: Store, roles: Sequence[str], width: int) -> None:
        self.planner, self.plan, self.store = planner, plan, store
        self.roles, self.width = roles, width
        self.columns = store.columns
        self.out = Emitter("rules")
        self.origin = ""
        self.number = {query: k + 1 for k, query in enumerate(plan.order)}
        self.kinds = len(plan.order) + 1
        self.forms = {relation: k for k, relation in enumerate(store.flat.named("does"))}
        self._parts = 0
        self._weights: dict[Query, float] = {}
        self.counting, self.counters = False, dict[str, int]()
        self.stamps, self.hashed = 0, False
        self.first: dict[Query, int] = {}
        """Where the stamps of a query begin: whether it was asked about a state, for all that may be given."""

        for query in sorted(plan.order, key=self._keys):
            if query not in plan.groups and self.stamps + self._keys(query) <= MOST_STAMPS:
                self.first[query] = self.stamps
                self.stamps += self._keys(query)

    def _keys(self, query: Query) -> int:
        """How many questions a query may be."""
        return space([self.columns.columns[query.relation][k] for k in self.given(query)])

    def kernel(self, head: str, lines: Sequence[str]) -> None:
        """Write a kernel; its lines are indented."""
        with self.out.kernel(head, self.origin):
            self.out.lines(line.removeprefix("    ") for line in _added_up(lines))

    def count(self, rows: str, body: Body) -> None:
        """Count rows that are looked at, by rules if that is wanted."""
        body.line(f"w.steps += {rows}")
        if self.counting and self.origin:
            body.line(f"w.costs[{self.counters.setdefault(self.origin, len(self.counters))}] += {rows}")

    def given(self, query: Query) -> list[int]:
        """The columns that are given."""
        return [k for k, mode in enumerate(query.modes) if mode == "b"]

    def wanted(self, query: Query) -> list[Column]:
        """The columns that are wanted."""
        columns = self.columns.columns[query.relation]
        return [columns[k] for k, mode in enumerate(query.modes) if mode == "f"]

    def words(self, query: Query) -> int:
        """The words of an answer."""
        return 0 if query.test else -(-stride_of(space(self.wanted(query))) // 64)

    def heads(self, query: Query) -> int:
        """The words before those of a large answer, with a bit for each of them that is in use."""
        return -(-self.words(query) // 64) if self.words(query) > MOST_FLAT else 0

    def value(self, leaf: str | Variable, column: Column, body: Body) -> Value:
        """A constant as its number, a variable as its local."""
        return body.locals[leaf] if isinstance(leaf, Variable) else self.columns.numbers[column.kind][leaf]

    def _call(self, query: Query, values: Sequence[Value], context: Context) -> str:
        inside = context.group is not None and self.plan.groups.get(query) == context.group
        arguments = "".join(f", {v}" for v in values)
        return f"q{self.number[query]}{'_ask' if inside else ''}(w{arguments})"

    def values(self, atom: Atom, given: Sequence[int], body: Body) -> tuple[list[Value], str]:
        """The values of given columns, and what must hold for them to be possible there."""
        values: list[Value] = []
        guards = []
        for k in given:
            column = self.columns.columns[atom.relation][k]
            value = self.value(atom.args[k], column, body)
            low, high = column.low, column.low + column.width
            if isinstance(value, int):
                if not low <= value < high:
                    return values, "False"
            else:
                first, last = body.ranges[value]
                if first < low:
                    guards.append(f"{value} >= {low}")
                if last > high:
                    guards.append(f"{value} < {high}")
            values.append(value)
        return values, " and ".join(guards) or "True"

    def _word(self, bits: Bits, columns: Sequence[Column], values: Sequence[Value], relation: int) -> str:
        """The bits of a group that lies within a word."""
        code = weighted(columns, values, bits.stride)
        size = space([self.columns.columns[relation][k] for k in bits.open])
        if not values:
            return f"w.facts[{bits.offset}]"
        return f"((w.facts[{bits.offset} + (({code}) >> 6)] >> (({code}) & 63)) & {(1 << size) - 1:#x})"

    # Loops

    def loop(self, step: JoinStep, body: Body, context: Context) -> None:
        """Begin a loop over the rows that a condition has."""
        atom, modes = step.atom, step.modes
        assert atom
        source = self.planner.source(atom)
        if source is Source.MOVES:
            self._move(atom, modes, body)
            return
        given = tuple(k for k, mode in enumerate(modes) if mode == "b")
        wanted = tuple(k for k, mode in enumerate(modes) if mode == "f")
        values, guard = self.values(atom, given, body)
        body.require(guard)  # before the values are used: there may be too few of them
        columns = [self.columns.columns[atom.relation][k] for k in given]
        if source is Source.FIXED:
            self._fixed_loop(atom, given, wanted, columns, values, body)
        elif source is Source.STATE:
            bits = self.store.bits(atom.relation, given)
            if bits.inside:
                self._bits_loop(self._word(bits, columns, values, atom.relation), "", atom, bits.open, modes, body)
            else:
                words = bits.stride // 64
                start = plus(weighted(columns, values, words), bits.offset)
                self._words_loop("w.facts", start, words, atom, bits.open, modes, body)
        else:
            self._answers_loop(step, atom, dict(zip(given, values, strict=True)), body, context)

    def _answers_loop(self, step: JoinStep, atom: Atom, values: dict[int, Value], body: Body, context: Context) -> None:
        query = Query(atom.relation, step.asked)
        place, words, heads = body.fresh("p"), self.words(query), self.heads(query)
        wanted = [k for k, mode in enumerate(step.asked) if mode == "f"]
        body.line(f"{place} = {self._call(query, [values[k] for k in self.given(query)], context)}")
        free = [k for k in wanted if step.modes[k] != "b"]
        if len(free) < len(wanted) and space([self.columns.columns[atom.relation][k] for k in free]) <= MOST_TRIED:
            self._known_loop(place, query, atom, values, free, step.modes, body)
        elif words == 1:
            self._bits_loop(f"w.pool[{place}]", "", atom, wanted, step.modes, body)
        elif not heads:
            self._words_loop("w.pool", place, words, atom, wanted, step.modes, body)
        else:
            k, b, c = body.fresh("k"), body.fresh("b"), body.fresh("k")
            body.loop(f"for {k} in range({heads}):")
            body.line(f"{b} = w.pool[{place} + {k}]")
            body.loop(f"while {b} != 0:")
            body.line(f"{c} = ({k} << 6) + ctz({b})")
            body.line(f"{b} &= {b} - 1")
            word = f"w.pool[{place} + {heads} + {c}]"
            self._bits_loop(word, f"({c} << 6) + ", atom, wanted, step.modes, body)

    def _known_loop(
        self,
        place: str,
        query: Query,
        atom: Atom,
        values: dict[int, Value],
        free: Sequence[int],
        modes: str,
        body: Body,
    ) -> None:
        """Try all values of some columns where those of the others are known."""
        known, columns = dict(values), self.columns.columns[atom.relation]
        for k in free:
            known[k] = body.fresh("k")
            low = columns[k].low
            body.loop(f"for {known[k]} in range({low}, {low + columns[k].width}):")
        self.count("1", body)
        wanted = [k for k, mode in enumerate(query.modes) if mode == "f"]
        code, heads = weighted([columns[k] for k in wanted], [known[k] for k in wanted]), self.heads(query)
        body.require(f"has_far(w, {place}, {heads}, {code})" if heads else f"has(w, {place}, {code})")
        bound = [k for k in free if modes[k] == "f"]
        self._bind(atom, bound, [str(known[k]) for k in bound], body)

    def _fixed_loop(
        self,
        atom: Atom,
        given: tuple[int, ...],
        wanted: tuple[int, ...],
        columns: Sequence[Column],
        values: Sequence[Value],
        body: Body,
    ) -> None:
        k, c = body.fresh("k"), body.fresh("c")
        single = self.store.single(atom.relation, given, wanted)
        if single:
            body.line(f"{k} = i64({single}[{weighted(columns, values)}])")
            body.require(f"{k} >= 0")
            self.count("1", body)
            self._bind(atom, wanted, unpacked(k, [self.columns.columns[atom.relation][x] for x in wanted]), body)
            return
        keys, starts, items = self.store.index(atom.relation, given, wanted)
        body.line(f"{c} = {weighted(columns, values)}")
        if keys:
            body.line(f"{c} = find({keys}, {c})")
            body.require(f"{c} >= 0")
        self.count(f"{starts}[{c} + 1] - {starts}[{c}]", body)
        body.loop(f"for {k} in range({starts}[{c}], {starts}[{c} + 1]):")
        self._bind(atom, wanted, [f"i64({item}[{k}])" for item in items], body)

    def _words_loop(
        self, array: str, start: str, words: int, atom: Atom, open_: Sequence[int], modes: str, body: Body
    ) -> None:
        k, first = body.fresh("k"), body.fresh("s")
        body.line(f"{first} = {start}")
        body.loop(f"for {k} in range({first}, {first} + {words}):")
        self._bits_loop(f"{array}[{k}]", f"(({k} - {first}) << 6) + ", atom, open_, modes, body)

    def _bits_loop(self, word: str, before: str, atom: Atom, open_: Sequence[int], modes: str, body: Body) -> None:
        b, c = body.fresh("b"), body.fresh("c")
        body.line(f"{b} = {word}")
        self.count(f"popcount({b})", body)
        body.loop(f"while {b} != 0:")
        body.line(f"{c} = {before}ctz({b})")
        body.line(f"{b} &= {b} - 1")
        columns = [self.columns.columns[atom.relation][k] for k in open_]
        for k, column, text in zip(open_, columns, unpacked(c, columns), strict=True):
            if modes[k] == "f":
                self._bind(atom, [k], [text], body)
            elif modes[k] == "b":
                body.require(f"{text} == {self.value(atom.args[k], column, body)}")

    def _bind(self, atom: Atom, wanted: Sequence[int], texts: Sequence[str], body: Body) -> None:
        """Give variables their values, or compare if they have one."""
        for k, text in zip(wanted, texts, strict=True):
            leaf, column = atom.args[k], self.columns.columns[atom.relation][k]
            assert isinstance(leaf, Variable)
            if leaf in body.locals:
                body.require(f"{body.locals[leaf]} == {text}")
                continue
            local = body.fresh()
            body.line(f"{local} = {text}")
            body.know(leaf, local, column)

    def _move(self, atom: Atom, modes: str, body: Body) -> None:
        """Look at the move of a role, or at those of all roles."""
        role, columns = atom.args[0], self.columns.columns[atom.relation]
        if modes[0] == "b":
            value = self.value(role, columns[0], body)
            if isinstance(role, str):
                at = str((self.roles.index(role) if role in self.roles else len(self.roles)) * self.width)
            else:
                at = body.fresh("m")
                body.line(f"{at} = {self.store.role_at(columns[0].kind, self.roles)}[{value}] * {self.width}")
        else:
            k, at = body.fresh("k"), body.fresh("m")
            body.loop(f"for {k} in range({len(self.roles)}):")
            body.line(f"{at} = {k} * {self.width}")
            if modes[0] == "f":
                self._bind(atom, [0], [f"{self.store.role_value(columns[0].kind, self.roles)}[{k}]"], body)
        body.require(f"w.joint[{at}] == {self.forms[atom.relation]}")
        for place in range(1, len(atom.args)):
            text = f"w.joint[{plus(at, place)}]"
            if modes[place] == "b":
                body.require(f"{text} == {self.value(atom.args[place], columns[place], body)}")
            elif modes[place] == "f":
                self._bind(atom, [place], [text], body)


def _added_up(lines: Sequence[str]) -> list[str]:
    """Lines of a kernel with the rows that it looks at counted in a local, which is added to all that are when it is done."""
    if not any("w.steps += " in line for line in lines):
        return list(lines)
    made = ["    steps = 0"]
    for line in lines:
        if line.lstrip().startswith("return"):
            made.append(line[: len(line) - len(line.lstrip())] + "w.steps += steps")
        made.append(line.replace("w.steps += ", "steps += "))
    return made if lines[-1].startswith("    return") else [*made, "    w.steps += steps"]
