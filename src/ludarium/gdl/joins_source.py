"""Rules as kernels, in text: a rule is a nest of loops over rows, in the order of its plan.

Names in the text are numbers with a letter; nothing of a description gets into it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ludarium.gdl.joins_columns import Column
from ludarium.gdl.joins_flat import Atom, FlatRule
from ludarium.gdl.joins_plan import Plan, Planner, Query, Source, Step
from ludarium.gdl.joins_store import Bits, Store, Value, space, stride_of, weighted
from ludarium.gdl.syntax import Variable

MOST_FLAT = 32  # words of an answer that are looked through one by one
MOST_LOOPS = 8  # loops within loops; Python itself takes twenty

Sink = Callable[[Sequence[Value]], str]
"""What is written for a row that is found."""


@dataclass
class Body:
    """A kernel that is being written: its lines, and what its locals are known to be."""

    name: str
    test: bool
    """Whether it answers yes or no; else it takes rows into a set."""

    locals: dict[Variable, str] = field(default_factory=dict)
    ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    depth: int = 1
    loops: int = 0
    count: int = 0

    def know(self, variable: Variable, local: str, column: Column) -> None:
        """Take note of a local that stands for a variable."""
        self.locals[variable] = local
        self.ranges[local] = column.low, column.low + column.width
        self.kinds[local] = column.kind

    def inner(self, name: str, given: Sequence[Variable], *, test: bool) -> Body:
        """Begin a kernel that is told what some variables are."""
        body = Body(name, test)
        for place, variable in enumerate(given):
            mine, local = self.locals[variable], f"a{place}"
            body.locals[variable] = local
            body.ranges[local], body.kinds[local] = self.ranges[mine], self.kinds[mine]
        return body

    def line(self, text: str) -> None:
        """Write a line at the present depth."""
        self.lines.append("    " * self.depth + text)

    def fresh(self, letter: str = "v") -> str:
        """Make a new local name."""
        self.count += 1
        return f"{letter}{self.count}"

    def fail(self) -> str:
        """Say how to go on when a condition does not hold."""
        return "continue" if self.loops else "return False" if self.test else "return"

    def require(self, condition: str) -> None:
        """Go on only if a condition holds."""
        if condition != "True":
            self.line(f"if not ({condition}):")
            self.lines.append("    " * (self.depth + 1) + self.fail())

    def loop(self, head: str) -> None:
        """Begin a loop."""
        self.line(head)
        self.depth += 1
        self.loops += 1


class Writer:
    """Writes the kernels of all planned queries."""

    def __init__(self, planner: Planner, plan: Plan, store: Store, roles: Sequence[str], width: int) -> None:
        self.planner, self.plan, self.store = planner, plan, store
        self.roles, self.width = roles, width
        self.columns = store.columns
        self.text: list[str] = []
        self.number = {query: k + 1 for k, query in enumerate(plan.order)}
        self.kinds = len(plan.order) + 1
        self.forms = {relation: k for k, relation in enumerate(store.flat.named("does"))}
        self._parts = 0

    # Queries

    def write(self) -> None:
        """Write all queries, each after those that it needs."""
        done: set[int] = set()
        for query in self.plan.order:
            group = self.plan.groups.get(query)
            name = self.store.flat.relations[query.relation].name
            if query not in self.plan.used and name in ("next", "legal", "sees"):
                continue
            if group is None:
                self._plain(query)
            elif group not in done:
                done.add(group)
                self._group([q for q in self.plan.order if self.plan.groups.get(q) == group], group)

    def kernel(self, head: str, lines: Sequence[str]) -> None:
        """Write a kernel."""
        self.text += ["", "", "@kernel", f"def {head}:", *lines]

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

    def _parameters(self, query: Query) -> str:
        return "".join(f", a{k}: i64" for k in self.given(query))

    def _arguments(self, query: Query) -> str:
        return "".join(f", a{k}" for k in self.given(query))

    def _key(self, query: Query) -> str:
        columns = [self.columns.columns[query.relation][k] for k in self.given(query)]
        code = weighted(columns, [f"a{k}" for k in self.given(query)], self.kinds)
        return f"{code} + {self.number[query]}"

    def _ask(self, query: Query) -> str:
        heads, words = self.heads(query), self.words(query)
        return f"ask(w, key, {self.number[query]}, {heads or words}, {heads + words})"

    def _plain(self, query: Query) -> None:
        """Write a query that does not depend on itself."""
        name = f"q{self.number[query]}"
        rules = self._rules(query, name)
        given = self._arguments(query)
        if query.test:
            lines = []
            for rule in rules:
                lines += [f"    if {rule}(w{given}):", "        return True"]
            self.kernel(f"{name}(w: Work{self._parameters(query)}) -> bool", [*lines, "    return False"])
            return
        lines = [f"    key = {self._key(query)}", "    n = look(w, key)", "    if n >= 0:", "        return w.places[n]"]
        lines += [f"    n = {self._ask(query)}", "    place = i64(w.places[n])"]
        lines += [f"    {rule}(w, place{given})" for rule in rules]
        self.kernel(f"{name}(w: Work{self._parameters(query)}) -> i64", [*lines, "    return place"])

    def _group(self, queries: list[Query], group: int) -> None:
        """Write queries that depend on each other: each question is asked again until no answer is new."""
        for query in queries:
            self._asking(query)
        choices = []
        for query in queries:
            name = f"q{self.number[query]}"
            rules = self._rules(query, name, group)
            given = self._arguments(query)
            columns = [self.columns.columns[query.relation][k] for k in self.given(query)]
            lines = [f"    code = w.keys[n] // {self.kinds}"] if columns else []
            lines += [
                f"    a{k} = {value}"
                for k, value in zip(self.given(query), _unpacked("code", columns), strict=True)
            ]
            if query.test:
                for rule in rules:
                    lines += [f"    if {rule}(w{given}):", "        w.value[n] = 1", "        w.changed = 1"]
                    lines += ["        w.waiting = 0", "        return"]
            else:
                lines += ["    place = i64(w.places[n])", *(f"    {rule}(w, place{given})" for rule in rules)]
            self.kernel(f"{name}_again(w: Work, n: i64) -> None", lines or ["    pass"])
            choices += [f"            if w.kinds[n] == {self.number[query]}:", f"                {name}_again(w, n)"]
        self.kernel(f"g{group}(w: Work, first: i64) -> None", _SOLVE[0] + choices + _SOLVE[1])
        for query in queries:
            name, given = f"q{self.number[query]}", self._arguments(query)
            lines = [f"    n = look(w, {self._key(query)})", "    if n < 0:", "        n = w.count"]
            lines += ["        changed = w.changed", "        waiting = w.waiting", f"        {name}_ask(w{given})"]
            lines += [f"        g{group}(w, n)", "        w.changed = changed", "        w.waiting = waiting"]
            result = ("bool", "w.value[n] != 0") if query.test else ("i64", "i64(w.places[n])")
            head = f"{name}(w: Work{self._parameters(query)}) -> {result[0]}"
            self.kernel(head, [*lines, f"    return {result[1]}"])

    def _asking(self, query: Query) -> None:
        """Write the question as it is asked by a query that it may depend on: with the answers so far."""
        number = self.number[query]
        lines = [f"    key = {self._key(query)}", "    n = look(w, key)", "    if n < 0:"]
        lines += [f"        n = {self._ask(query)}", "        w.done[n] = 0"]
        lines += ["        w.changed = 1"]
        if query.test:
            lines += ["    if w.value[n] != 0:", "        return True"]
        lines += ["    if w.done[n] == 0:", "        w.waiting = 1"]
        lines += ["    return False" if query.test else "    return w.places[n]"]
        result = "bool" if query.test else "i64"
        self.kernel(f"q{number}_ask(w: Work{self._parameters(query)}) -> {result}", lines)

    def _rules(self, query: Query, name: str, group: int | None = None) -> list[str]:
        sink = "add(w, place * 64 + {})" if group is not None else "put(w.pool, place * 64 + {})"
        if self.heads(query):
            sink = f"add_far(w, place, {self.heads(query)}, {{}})"
        columns = self.wanted(query)
        return self.rules(query, name, lambda values: sink.format(weighted(columns, values)), group)

    # Rules

    def rules(self, query: Query, name: str, sink: Sink, group: int | None = None) -> list[str]:
        """Write a kernel per rule of a query, which passes rows to a sink; their names."""
        names = []
        for number, (rule, steps) in enumerate(self.plan.queries[query]):
            body = Body(f"{name}_{number}", query.test)
            if not self._head(rule, query, body):
                continue
            self._steps(steps, body, _Context(rule, query, sink, group))
            place = "" if query.test else ", place: i64"
            result = "bool" if query.test else "None"
            self.kernel(f"{body.name}(w: Work{place}{self._parameters(query)}) -> {result}", body.lines)
            names.append(body.name)
        return names

    def _head(self, rule: FlatRule, query: Query, body: Body) -> bool:
        columns = self.columns.columns[query.relation]
        for k in self.given(query):
            leaf, local = rule.head.args[k], f"a{k}"
            if isinstance(leaf, Variable) and leaf not in body.locals:
                body.know(leaf, local, columns[k])
            else:
                value = self.value(leaf, columns[k], body)
                if isinstance(value, int) and not columns[k].low <= value < columns[k].low + columns[k].width:
                    return False
                body.require(f"{local} == {value}")
        return True

    def value(self, leaf: str | Variable, column: Column, body: Body) -> Value:
        """A constant as its number, a variable as its local."""
        return body.locals[leaf] if isinstance(leaf, Variable) else self.columns.numbers[column.kind][leaf]

    def _steps(self, steps: Sequence[Step], body: Body, context: _Context) -> None:
        for place, step in enumerate(steps):
            if body.loops >= MOST_LOOPS:
                self._rest(steps[place:], body, context)
                break
            if step.atom is None:
                body.require(self._part(step, body, context))
            elif step.test:
                body.require(self._tested(step, body, context))
            else:
                self._loop(step, body, context)
        else:
            self._end(body, context)
        if body.test and body.lines[-1] != "    return True":
            body.lines.append("    return False")

    def _end(self, body: Body, context: _Context) -> None:
        if body.test:
            body.line("return True")
            return
        rule, query = context.rule, context.query
        columns = self.columns.columns[query.relation]
        values = [
            self.value(leaf, columns[k], body)
            for k, leaf in enumerate(rule.head.args)
            if query.modes[k] == "f"
        ]
        body.line(context.sink(values))

    def _part(self, step: Step, body: Body, context: _Context) -> str:
        """Write conditions that are tested on their own."""
        return self._outlined(step.inner, step.given, body, context, test=True)

    def _rest(self, steps: Sequence[Step], body: Body, context: _Context) -> None:
        """Write the rest of a rule with too many loops as a kernel of its own."""
        call = self._outlined(steps, tuple(body.locals), body, context, test=body.test)
        if body.test:
            body.line(f"if {call}:")
            body.lines.append("    " * (body.depth + 1) + "return True")
        else:
            body.line(call)

    def _outlined(
        self, steps: Sequence[Step], given: Sequence[Variable], body: Body, context: _Context, *, test: bool
    ) -> str:
        self._parts += 1
        inner = body.inner(f"{body.name}_{self._parts}", given, test=test)
        self._steps(steps, inner, context)
        place = "" if test else ", place: i64"
        parameters = "".join(f", a{k}: i64" for k in range(len(given)))
        self.kernel(f"{inner.name}(w: Work{place}{parameters}) -> {'bool' if test else 'None'}", inner.lines)
        arguments = "".join(f", {body.locals[v]}" for v in given)
        return f"{inner.name}(w{'' if test else ', place'}{arguments})"

    # Conditions

    def _tested(self, step: Step, body: Body, context: _Context) -> str:
        assert step.atom
        text = self._test(step, step.atom, body, context)
        if not step.atom.negative:
            return text
        return {"True": "False", "False": "True"}.get(text, f"not ({text})")

    def _test(self, step: Step, atom: Atom, body: Body, context: _Context) -> str:
        """A condition that binds nothing, as an expression; its negation is seen to elsewhere."""
        modes = step.modes
        source = self.planner.source(atom)
        if source is Source.COMPARISON:
            return self._comparison(atom, body)
        given = tuple(k for k, mode in enumerate(modes) if mode == "b")
        values, guard = self._values(atom, given, body)
        if guard == "False":
            return guard
        columns = [self.columns.columns[atom.relation][k] for k in given]
        if source is Source.FIXED:
            if not given:
                return str(bool(self.store.rows(atom.relation)))
            table, dense = self.store.set_table(atom.relation, given)
            code = weighted(columns, values)
            test = f"bit({table}, {code})" if dense else f"find({table}, {code}) >= 0"
        elif source is Source.STATE:
            test = self._fact(atom, given, columns, values)
        elif source is Source.MOVES:
            test = self._made(atom, modes, body)
        elif step.asked == modes:
            test = self._call(Query(atom.relation, modes), values, context)
        elif "x" in modes:
            test = self._found(step, atom, body, context)
        else:
            test = self._member(Query(atom.relation, step.asked), values, context)
        return test if guard == "True" else f"{guard} and {test}"

    def _call(self, query: Query, values: Sequence[Value], context: _Context) -> str:
        inside = context.group is not None and self.plan.groups.get(query) == context.group
        arguments = "".join(f", {v}" for v in values)
        return f"q{self.number[query]}{'_ask' if inside else ''}(w{arguments})"

    def _member(self, query: Query, values: Sequence[Value], context: _Context) -> str:
        """Whether a row is among the answers to a query that asks for more."""
        given = [values[k] for k in self.given(query)]
        wanted = [v for v, mode in zip(values, query.modes, strict=True) if mode == "f"]
        code, call = weighted(self.wanted(query), wanted), self._call(query, given, context)
        heads = self.heads(query)
        return f"has_far(w, {call}, {heads}, {code})" if heads else f"has(w, {call}, {code})"

    def _found(self, step: Step, atom: Atom, body: Body, context: _Context) -> str:
        """Whether any answer to a query that asks for more will do, as a kernel of its own."""
        self._parts += 1
        variables = [v for v in dict.fromkeys(atom.args) if isinstance(v, Variable) and v in body.locals]
        inner = body.inner(f"{body.name}_{self._parts}", variables, test=True)
        self._loop(step, inner, context)
        inner.line("return True")
        inner.lines.append("    return False")
        parameters = "".join(f", a{k}: i64" for k in range(len(variables)))
        self.kernel(f"{inner.name}(w: Work{parameters}) -> bool", inner.lines)
        return f"{inner.name}(w{''.join(f', {body.locals[v]}' for v in variables)})"

    def _comparison(self, atom: Atom, body: Body) -> str:
        """Whether two things differ; for `not distinct` the negation is applied outside."""
        a, b = atom.args
        if not isinstance(a, Variable):
            a, b = b, a
        if not isinstance(a, Variable):
            return str(a != b)
        left = body.locals[a]
        if isinstance(b, Variable):
            return f"{left} != {body.locals[b]}"
        number = self.columns.numbers[body.kinds[left]].get(b)
        return "True" if number is None else f"{left} != {number}"

    def _values(self, atom: Atom, given: Sequence[int], body: Body) -> tuple[list[Value], str]:
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

    def _fact(self, atom: Atom, given: tuple[int, ...], columns: Sequence[Column], values: Sequence[Value]) -> str:
        every = len(given) == len(atom.args)
        bits = self.store.bits(atom.relation, () if every else given)
        if every:
            return f"bit(w.facts, {_plus(weighted(columns, values), 64 * bits.offset)})"
        if bits.inside:
            return f"{self._word(bits, columns, values, atom.relation)} != 0"
        words = bits.stride // 64
        start = _plus(weighted(columns, values, words), bits.offset)
        return f"some(w.facts, {start}, {_plus(start, words)})"

    def _word(self, bits: Bits, columns: Sequence[Column], values: Sequence[Value], relation: int) -> str:
        """The bits of a group that lies within a word."""
        code = weighted(columns, values, bits.stride)
        size = space([self.columns.columns[relation][k] for k in bits.open])
        if not values:
            return f"w.facts[{bits.offset}]"
        return f"((w.facts[{bits.offset} + (({code}) >> 6)] >> (({code}) & 63)) & {(1 << size) - 1:#x})"

    def _made(self, atom: Atom, modes: str, body: Body) -> str:
        """Whether a move was made, as a kernel of its own."""
        self._parts += 1
        variables = [v for v in dict.fromkeys(atom.args) if isinstance(v, Variable) and v in body.locals]
        inner = body.inner(f"{body.name}_{self._parts}", variables, test=True)
        self._move(atom, modes, inner)
        inner.line("return True")
        if inner.loops:
            inner.lines.append("    return False")
        parameters = "".join(f", a{k}: i64" for k in range(len(variables)))
        self.kernel(f"{inner.name}(w: Work{parameters}) -> bool", inner.lines)
        return f"{inner.name}(w{''.join(f', {body.locals[v]}' for v in variables)})"

    # Loops

    def _loop(self, step: Step, body: Body, context: _Context) -> None:
        atom, modes = step.atom, step.modes
        assert atom
        source = self.planner.source(atom)
        if source is Source.MOVES:
            self._move(atom, modes, body)
            return
        given = tuple(k for k, mode in enumerate(modes) if mode == "b")
        wanted = tuple(k for k, mode in enumerate(modes) if mode == "f")
        values, guard = self._values(atom, given, body)
        body.require(guard)
        columns = [self.columns.columns[atom.relation][k] for k in given]
        if source is Source.FIXED:
            self._fixed_loop(atom, given, wanted, columns, values, body)
        elif source is Source.STATE:
            bits = self.store.bits(atom.relation, given)
            if bits.inside:
                self._bits_loop(self._word(bits, columns, values, atom.relation), "", atom, bits.open, modes, body)
            else:
                words = bits.stride // 64
                start = _plus(weighted(columns, values, words), bits.offset)
                self._words_loop("w.facts", start, words, atom, bits.open, modes, body)
        else:
            self._answers_loop(step, atom, dict(zip(given, values, strict=True)), body, context)

    def _answers_loop(
        self, step: Step, atom: Atom, values: dict[int, Value], body: Body, context: _Context
    ) -> None:
        query = Query(atom.relation, step.asked)
        place, words, heads = body.fresh("p"), self.words(query), self.heads(query)
        wanted = [k for k, mode in enumerate(step.asked) if mode == "f"]
        body.line(f"{place} = {self._call(query, [values[k] for k in self.given(query)], context)}")
        if words == 1:
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

    def _fixed_loop(
        self,
        atom: Atom,
        given: tuple[int, ...],
        wanted: tuple[int, ...],
        columns: Sequence[Column],
        values: Sequence[Value],
        body: Body,
    ) -> None:
        keys, starts, items = self.store.index(atom.relation, given, wanted)
        k, c = body.fresh("k"), body.fresh("c")
        body.line(f"{c} = {weighted(columns, values)}")
        if keys:
            body.line(f"{c} = find({keys}, {c})")
            body.require(f"{c} >= 0")
        body.loop(f"for {k} in range({starts}[{c}], {starts}[{c} + 1]):")
        self._bind(atom, wanted, [f"i64({item}[{k}])" for item in items], body)

    def _words_loop(
        self, array: str, start: str, words: int, atom: Atom, open_: Sequence[int], modes: str, body: Body
    ) -> None:
        k, first = body.fresh("k"), body.fresh("s")
        body.line(f"{first} = {start}")
        body.loop(f"for {k} in range({first}, {first} + {words}):")
        self._bits_loop(f"{array}[{k}]", f"(({k} - {first}) << 6) + ", atom, open_, modes, body)

    def _bits_loop(
        self, word: str, before: str, atom: Atom, open_: Sequence[int], modes: str, body: Body
    ) -> None:
        b, c = body.fresh("b"), body.fresh("c")
        body.line(f"{b} = {word}")
        body.loop(f"while {b} != 0:")
        body.line(f"{c} = {before}ctz({b})")
        body.line(f"{b} &= {b} - 1")
        columns = [self.columns.columns[atom.relation][k] for k in open_]
        for k, column, text in zip(open_, columns, _unpacked(c, columns), strict=True):
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
                place = self.roles.index(role) if role in self.roles else len(self.roles)
                at = str(place * self.width)
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
        for k in range(1, len(atom.args)):
            text = f"w.joint[{_plus(at, k)}]"
            if modes[k] == "b":
                body.require(f"{text} == {self.value(atom.args[k], columns[k], body)}")
            elif modes[k] == "f":
                self._bind(atom, [k], [text], body)


@dataclass
class _Context:
    rule: FlatRule
    query: Query
    sink: Sink
    group: int | None


def _plus(text: str, number: int) -> str:
    if text.lstrip("-").isdecimal():
        return str(int(text) + number)
    return text if number == 0 else f"{text} + {number}"


def _unpacked(code: str, columns: Sequence[Column]) -> list[str]:
    """The values of columns, from the number of a row, as expressions."""
    texts: list[str] = []
    below = 1
    for place in range(len(columns) - 1, -1, -1):
        column = columns[place]
        text = code if below == 1 else f"{code} // {below}"
        if column.width == 1:
            text = "0"
        elif place > 0 and any(c.width > 1 for c in columns[:place]):
            text = f"({text}) % {column.width}"
        texts.insert(0, _plus(text, column.low))
        below *= column.width
    return texts


_SOLVE = (
    [
        "    w.changed = 1",
        "    while w.changed != 0:",
        "        w.changed = 0",
        "        n = w.count - 1",
        "        while n >= first:",
        "            count = w.count",
        "            if w.done[n] != 0:",
        "                n -= 1",
        "                continue",
        "            w.waiting = 0",
    ],
    [
        "            if w.waiting == 0:",
        "                w.done[n] = 1",
        "            n = w.count - 1 if w.count > count else n - 1",
        "    for n in range(first, w.count):",
        "        w.done[n] = 1",
    ],
)
