"""Rules as kernels, in text: a rule is a nest of loops over rows, in the order of its plan.

Names in the text are numbers with a letter; nothing of a description gets into it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludarium.gdl.joins.code.body import Body, Context, Never, Sink, unpacked
from ludarium.gdl.joins.code.conditions import Conditions
from ludarium.gdl.joins.code.plan import MOST_KEYS, JoinStep, Query, Source
from ludarium.gdl.joins.code.store import space, weighted
from ludarium.gdl.joins.rules.flat import FlatRule
from ludarium.gdl.text.syntax import Variable

KEPT_WEIGHT = 40
"""Steps from which on an answer of yes or no is kept."""


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
        columns = self.columns.columns[query.relation]
        small = space([columns[k] for k in self.given(query)]) <= MOST_KEYS
        return small and self._weight(query) >= KEPT_WEIGHT

    def _weight(self, query: Query) -> float:
        """About how much work a query is."""
        if query not in self._weights:
            self._weights[query] = 4.0  # while it is being worked out
            self._weights[query] = sum(self._effort(steps) for _, steps in self.plan.queries[query])
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
        heads, words = self.heads(query), self.words(query)
        return f"ask(w, key, {self.number[query]}, {heads or words}, {heads + words})"

    def _plain(self, query: Query) -> None:
        """Write a query that does not depend on itself."""
        name = f"q{self.number[query]}"
        rules = self._rules(query, name)
        given = self._arguments(query)
        if query.test:
            calls = [f"{rule}(w{given})" for rule in rules]
            if self._kept(query):
                lines = [f"    key = {self._key(query)}", "    n = look(w, key)", "    if n >= 0:"]
                lines += ["        return w.value[n] != 0"]
                lines += [f"    return keep(w, key, {self.number[query]}, {' or '.join(calls) or 'False'})"]
            else:
                lines = [f"    return {' or '.join(calls) or 'False'}"]
            self.kernel(f"{name}(w: Work{self._parameters(query)}) -> bool", lines)
            return
        lines = [
            f"    key = {self._key(query)}",
            "    n = look(w, key)",
            "    if n >= 0:",
            "        return w.places[n]",
        ]
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
            self.origin = f"{rule.place.file}:{rule.place.line}"
            try:
                self._head(rule, query, body)
                self._steps(steps, body, Context(rule, query, sink, group))
            except Never:
                continue
            place = "" if query.test else ", place: i64"
            result = "bool" if query.test else "None"
            self.kernel(f"{body.name}(w: Work{place}{self._parameters(query)}) -> {result}", body.lines)
            names.append(body.name)
        self.origin = ""
        return names

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
