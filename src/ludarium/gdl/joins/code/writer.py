"""Rules as kernels, in text: a rule is a nest of loops over rows, in the order of its plan.

Names in the text are numbers with a letter; nothing of a description gets into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ludarium.gdl.joins.code.body import Body, Context, Never, Sink, plus, unpacked
from ludarium.gdl.joins.code.conditions import Conditions
from ludarium.gdl.joins.code.plan import MOST_KEYS
from ludarium.gdl.joins.code.steps import JoinStep, Query, Source
from ludarium.gdl.joins.code.store import Value, space, weighted
from ludarium.gdl.joins.rules.flat import Atom, FlatRule
from ludarium.gdl.text.syntax import Variable

KEPT_WEIGHT, STAMPED_WEIGHT = 40, 12
"""Steps from which on an answer of yes or no is kept, among all others or in a place of its own."""


class Writer(Conditions):
    """Writes the kernels of all planned queries."""

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

    def _parameters(self, query: Query) -> str:
        return "".join(f", a{k}: i64" for k in self.given(query))

    def _arguments(self, query: Query) -> str:
        return "".join(f", a{k}" for k in self.given(query))

    def _key(self, query: Query) -> str:
        columns = [self.columns.columns[query.relation][k] for k in self.given(query)]
        code = weighted(columns, [f"a{k}" for k in self.given(query)], self.kinds)
        return f"{code} + {self.number[query]}"

    def _kept(self, query: Query) -> bool:
        """Whether an answer of yes or no is worth being kept."""
        if query in self.first:
            return self._weight(query) >= STAMPED_WEIGHT
        return self._keys(query) <= MOST_KEYS and self._weight(query) >= KEPT_WEIGHT

    def _weight(self, query: Query) -> float:
        """About how much work a query is."""
        if query not in self._weights:
            self._weights[query] = 4.0  # while it is being worked out
            walks = [steps for *_, steps in self.plan.walks.get(query, ())]
            every = [*(steps for _, steps in self.plan.queries[query]), *walks]
            self._weights[query] = sum(map(self._effort, every))
        return self._weights[query]

    def _effort(self, steps: Sequence[JoinStep]) -> float:
        total = 0.0
        for step in steps:
            if step.atom is None:
                total += self._effort(step.inner)
            elif self.planner.source(step.atom) is Source.RULES:
                total += min(self._weight(Query(step.atom.relation, step.asked)), 1000.0)
            else:
                total += 0.2 if step.test else 1.0
        return total

    def _ask(self, query: Query) -> str:
        return f"ask(w, key, {self.number[query]}, {self._room(query)})"

    def _plain(self, query: Query) -> None:
        """Write a query that does not depend on itself."""
        name = f"q{self.number[query]}"
        rules = self._rules(query, name)
        given = self._arguments(query)
        stamped = query in self.first
        if query.test:
            calls = [f"{rule}(w{given})" for rule in rules]
            if self.plan.moving.get(query):
                self.kernel(f"{name}_on(w: Work{self._parameters(query)}) -> bool", self._questions(query, name, rules))
                calls = [f"{name}_on(w{given})"]
            if self._kept(query) and stamped:
                lines = [f"    k = {self._stamp(query)}", "    if w.stamps[k] >> 1 == w.epoch:"]
                lines += ["        return w.stamps[k] & 1 == 1", f"    found = {' or '.join(calls) or 'False'}"]
                lines += ["    w.stamps[k] = 2 * w.epoch + (1 if found else 0)", "    return found"]
            elif self._kept(query):
                self.hashed = True
                lines = [f"    key = {self._key(query)}", "    n = look(w, key)", "    if n >= 0:"]
                lines += ["        return w.value[n] != 0"]
                lines += [f"    return keep(w, key, {self.number[query]}, {' or '.join(calls) or 'False'})"]
            else:
                lines = [f"    return {' or '.join(calls) or 'False'}"]
            self.kernel(f"{name}(w: Work{self._parameters(query)}) -> bool", lines)
            return
        if stamped:
            lines = [f"    k = {self._stamp(query)}", "    if w.stamps[k] == w.epoch:"]
            lines += ["        return w.stamped[k]", f"    place = room(w, {self._room(query)})"]
            lines += ["    w.stamps[k] = w.epoch", "    w.stamped[k] = place"]
        else:
            self.hashed = True
            lines = [f"    key = {self._key(query)}", "    n = look(w, key)", "    if n >= 0:"]
            lines += ["        return w.places[n]", f"    n = {self._ask(query)}", "    place = i64(w.places[n])"]
        if self.plan.moving.get(query):
            lines += self._questions(query, name, rules)
        else:
            walks = query in self.plan.walks
            lines += ["    high = w.high"] * walks + [f"    {rule}(w, place{given})" for rule in rules]
            lines += self._walk(query, name) if walks else []
        self.kernel(f"{name}(w: Work{self._parameters(query)}) -> i64", [*lines, "    return place"])

    def _walk(self, query: Query, name: str) -> list[str]:
        """Lines that take rows from the stack, and add what follows from each, until there is none."""
        calls = []
        if self._is_chain(query):
            return self._chain(query, name)
        sink = self._sink(query, "grow")
        for number, (rule, atom, steps) in enumerate(self.plan.walks[query]):
            body = Body(f"{name}_w{number}", query.test)
            self.origin = f"{rule.place.file}:{rule.place.line}"
            with suppress(Never):
                self._begin(rule, query, body)
                self._row(atom, query, body)
                self._steps(steps, body, Context(rule, query, sink, None))
                head = f"{body.name}(w: Work, place: i64{self._parameters(query)}, code: i64) -> None"
                self.kernel(head, body.lines)
                calls.append(f"        {body.name}(w, place{self._arguments(query)}, code)")
        self.origin = ""
        take = ["    while w.high > high:", "        w.high -= 1", "        code = i64(w.stack[w.high])"]
        return [*take, *calls]

    def _is_chain(self, query: Query) -> bool:
        """Whether at most one row follows from a row."""
        walks = self.plan.walks[query]
        return len(walks) == 1 and not self.heads(query) and all(self._at_most_one(step) for step in walks[0][2])

    def _at_most_one(self, step: JoinStep) -> bool:
        if step.test or step.atom is None:
            return True
        given, wanted = (tuple(k for k, mode in enumerate(step.modes) if mode == each) for each in "bf")
        fixed = self.planner.source(step.atom) is Source.FIXED
        return fixed and not step.block and bool(self.store.single(step.atom.relation, given, wanted))

    def _chain(self, query: Query, name: str) -> list[str]:
        """The same where one row follows from another: it need not be put on the stack."""
        ((rule, atom, steps),) = self.plan.walks[query]
        body = Body(f"{name}_w0", test=False, nothing="-1")
        columns = self.wanted(query)
        lines = ["    while w.high > high:", "        w.high -= 1"]
        self.origin = f"{rule.place.file}:{rule.place.line}"
        with suppress(Never):
            self._begin(rule, query, body)
            self._row(atom, query, body)
            self._steps(steps, body, Context(rule, query, lambda values: f"return {weighted(columns, values)}", None))
            self.kernel(f"{body.name}(w: Work{self._parameters(query)}, code: i64) -> i64", body.lines)
            onward = f"code = {body.name}(w{self._arguments(query)}"
            lines += [f"        {onward}, i64(w.stack[w.high]))", "        while code >= 0 and fresh(w, place, code):"]
            lines += [f"            {onward}, code)"]
        self.origin = ""
        return lines

    def _questions(self, query: Query, name: str, rules: Sequence[str]) -> list[str]:
        """Lines that go from question to question, each once, and answer them all."""
        moving = self.plan.moving[query]
        columns = [self.columns.columns[query.relation][k] for k in moving]
        given, place = self._arguments(query), "" if query.test else ", place"
        words = -(-space(columns) // 64)
        lines = [f"    seen = room(w, {words}, {words})", "    high = w.high"]
        lines += [f"    grow(w, seen, {weighted(columns, [f'a{k}' for k in moving])})"]
        lines += ["    while w.high > high:", "        w.high -= 1", "        code = i64(w.stack[w.high])"]
        lines += [f"        a{k} = {text}" for k, text in zip(moving, unpacked("code", columns), strict=True)]
        for own in rules:
            if query.test:
                lines += [f"        if {own}(w{given}):", "            w.high = high", "            return True"]
            else:
                lines += [f"        {own}(w{place}{given})"]
        for number, (rule, atom, steps) in enumerate(self.plan.walks[query]):
            body = Body(f"{name}_w{number}", test=False)
            self.origin = f"{rule.place.file}:{rule.place.line}"
            asked = Query(query.relation, "".join("f" if k in moving else "x" for k in range(len(query.modes))))
            onward = FlatRule(atom, (), rule.place)
            with suppress(Never):
                self._begin(rule, query, body)
                self._steps(steps, body, Context(onward, asked, self._onward(atom, moving, body), None))
                self.kernel(f"{body.name}(w: Work, place: i64{self._parameters(query)}) -> None", body.lines)
                lines.append(f"        {body.name}(w, seen{given})")
        self.origin = ""
        return [*lines, "    return False"] if query.test else lines

    def _onward(self, atom: Atom, moving: Sequence[int], body: Body) -> Sink:
        """What takes a question in, if there can be an answer to it."""
        columns = [self.columns.columns[atom.relation][k] for k in moving]

        def sink(values: Sequence[Value]) -> str:
            _, guard = self.values(atom, moving, body)
            taken = f"grow(w, place, {weighted(columns, values)})"
            return "pass" if guard == "False" else taken if guard == "True" else f"if {guard}: {taken}"

        return sink

    def _row(self, atom: Atom, query: Query, body: Body) -> None:
        """Say what the variables of a condition are in a row of the answer."""
        wanted = [k for k, mode in enumerate(query.modes) if mode == "f"]
        for k, text in zip(wanted, unpacked("code", self.wanted(query)), strict=True):
            if isinstance(atom.args[k], Variable):
                self._bind(atom, [k], [text], body)
            else:
                body.require(f"{text} == {self.value(atom.args[k], self.columns.columns[query.relation][k], body)}")

    def _stamp(self, query: Query) -> str:
        """Where it is noted whether a question was asked."""
        columns = [self.columns.columns[query.relation][k] for k in self.given(query)]
        return plus(weighted(columns, [f"a{k}" for k in self.given(query)]), self.first[query])

    def _room(self, query: Query) -> str:
        """The words of an answer that have to be zero, and all of them."""
        heads, words = self.heads(query), self.words(query)
        return f"{heads or words}, {heads + words}"

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
                f"    a{k} = {value}" for k, value in zip(self.given(query), unpacked("code", columns), strict=True)
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
        way = "grow" if query in self.plan.walks and not self.plan.moving[query] else "put" if group is None else "add"
        return self.rules(query, name, self._sink(query, way), group, words=way == "put")

    def _sink(self, query: Query, way: str) -> Sink:
        """What takes a row into the answer."""
        columns, heads = self.wanted(query), self.heads(query)
        if heads:
            text = f"{'grow' if way == 'grow' else 'add'}_far(w, place, {heads}, {{}})"
        else:
            texts = {
                "grow": "grow(w, place, {})",
                "add": "add(w, place * 64 + {})",
                "put": "put(w.pool, place * 64 + {})",
            }
            text = texts[way]
        return lambda values: text.format(weighted(columns, values))

    # Rules

    def rules(
        self,
        query: Query,
        name: str,
        sink: Sink,
        group: int | None = None,
        but: FlatRule | None = None,
        *,
        words: bool = False,
    ) -> list[str]:
        """Write a kernel per rule of a query but one, which passes rows to a sink; their names."""
        names = []
        for number, (rule, steps) in enumerate(self.plan.queries[query]):
            if rule is but:
                continue
            body = Body(f"{name}_{number}", query.test)
            self.origin = f"{rule.place.file}:{rule.place.line}"
            try:
                self._begin(rule, query, body)
                self._steps(steps, body, Context(rule, query, sink, group, words))
            except Never:
                continue
            place = "" if query.test else ", place: i64"
            result = "bool" if query.test else "None"
            self.kernel(f"{body.name}(w: Work{place}{self._parameters(query)}) -> {result}", body.lines)
            names.append(body.name)
        self.origin = ""
        return names

    def _begin(self, rule: FlatRule, query: Query, body: Body) -> None:
        """Begin with the head of a rule: what is given fits it."""
        if self.counting:
            self.count("1", body)
        self._head(rule, query, body)

    def _head(self, rule: FlatRule, query: Query, body: Body) -> None:
        columns = self.columns.columns[query.relation]
        for k in self.given(query):
            leaf, local = rule.head.args[k], f"a{k}"
            if isinstance(leaf, Variable) and leaf not in body.locals:
                body.know(leaf, local, columns[k])
            else:
                value = self.value(leaf, columns[k], body)
                if isinstance(value, int) and not columns[k].low <= value < columns[k].low + columns[k].width:
                    raise Never
                body.require(f"{local} == {value}")


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
