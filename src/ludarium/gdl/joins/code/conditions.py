"""Conditions, in text: tests as expressions, and the steps of a rule one within the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from ludarium.gdl.joins.code.blocks import about
from ludarium.gdl.joins.code.body import Body, Context, plus
from ludarium.gdl.joins.code.lanes import Lanes
from ludarium.gdl.joins.code.steps import JoinStep, Query, Source
from ludarium.gdl.joins.code.store import Value, weighted
from ludarium.gdl.joins.rules.columns import Column
from ludarium.gdl.joins.rules.flat import Atom
from ludarium.gdl.text.syntax import Variable

MOST_LOOPS = 8
"""Loops within loops; Python itself takes twenty."""


class Conditions(Lanes):
    """Writes the steps of rules."""

    def _steps(self, steps: Sequence[JoinStep], body: Body, context: Context) -> None:
        for place, step in enumerate(steps):
            if body.loops >= MOST_LOOPS:
                self._rest(steps[place:], body, context)
                break
            if step.test:
                body.require(self._tested(step, body, context))
            elif step.block and context.group is None:
                self._block(steps[place:], body, context)
                break
            else:
                self.loop(step, body, context)
        else:
            self._end(body, context)
        if body.test and body.lines[-1] not in ("    return True", "    return False"):
            body.lines.append("    return False")

    def _block(self, steps: Sequence[JoinStep], body: Body, context: Context) -> None:
        """Write a loop that looks at words, the conditions that are words, and the rest for each row that is left."""
        lane = self.begin_block(steps[0], body, context)
        tests = list(takewhile(lambda step: step.test, steps[1:]))
        lanes = [step for step in tests if self.blocks.lane(step, steps[0])]
        others = [step for step in tests if step not in lanes]
        alone = [step for step in others if not about(step, steps[0].block)]
        cheap = [step for step in alone if step.atom and self.planner.source(step.atom) is not Source.RULES]
        for step in cheap:
            body.require(self._tested(step, body, context))
        for step in lanes:
            self.cut(step, lane, body, context)
        if lanes:
            body.require(f"{lane.word} != 0")
        for step in alone:
            if step not in cheap:
                body.require(self._tested(step, body, context))
        left = [*(step for step in others if step not in alone), *steps[1 + len(tests) :]]
        wanted = {x for x, mode in zip(context.rule.head.args, context.query.modes, strict=True) if mode == "f"}
        if not left and (body.test or wanted.isdisjoint(steps[0].block)):
            self._end(body, context)
        elif not left and context.words and self.blocks.ends(context.rule, context.query, steps):
            columns = self.columns.columns[context.query.relation]
            before = [k for k, mode in enumerate(context.query.modes) if mode == "f"][: -len(lane.columns)]
            values = [self.value(context.rule.head.args[k], columns[k], body) for k in before]
            body.line(self.take_word(context.query, values, lane))
        else:
            self.each_row(lane, body)
            self._steps(left, body, context)

    def _end(self, body: Body, context: Context) -> None:
        if body.test:
            body.line("return True")
            return
        rule, query = context.rule, context.query
        columns = self.columns.columns[query.relation]
        values = [self.value(leaf, columns[k], body) for k, leaf in enumerate(rule.head.args) if query.modes[k] == "f"]
        body.line(context.sink(values))

    def _rest(self, steps: Sequence[JoinStep], body: Body, context: Context) -> None:
        """Write the rest of a rule with too many loops as a kernel of its own."""
        call = self._outlined(steps, tuple(body.locals), body, context, test=body.test)
        if body.test:
            body.line(f"if {call}:")
            body.lines.append("    " * (body.depth + 1) + "return True")
        else:
            body.line(call)

    def _outlined(
        self, steps: Sequence[JoinStep], given: Sequence[Variable], body: Body, context: Context, *, test: bool
    ) -> str:
        self._parts += 1
        inner = body.inner(f"{body.name}_{self._parts}", given, test=test)
        self._steps(steps, inner, context)
        place = "" if test else ", place: i64"
        parameters = "".join(f", a{k}: i64" for k in range(len(given)))
        self.kernel(f"{inner.name}(w: Work{place}{parameters}) -> {'bool' if test else 'None'}", inner.lines)
        arguments = "".join(f", {body.locals[v]}" for v in given)
        return f"{inner.name}(w{'' if test else ', place'}{arguments})"

    # Tests

    def _tested(self, step: JoinStep, body: Body, context: Context) -> str:
        if step.atom is None:  # conditions on their own
            return self._outlined(step.inner, step.given, body, context, test=True)
        text = self._test(step, step.atom, body, context)
        if not step.atom.negative:
            return text
        return {"True": "False", "False": "True"}.get(text, f"not ({text})")

    def _test(self, step: JoinStep, atom: Atom, body: Body, context: Context) -> str:
        """A condition that binds nothing, as an expression; its negation is seen to elsewhere."""
        modes = step.modes
        source = self.planner.source(atom)
        if source is Source.COMPARISON:
            return self._comparison(atom, body)
        given = tuple(k for k, mode in enumerate(modes) if mode == "b")
        values, guard = self.values(atom, given, body)
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
            test = self._write_move_test(atom, modes, body)
        elif step.asked == modes:
            test = self._call(Query(atom.relation, modes), values, context)
        elif "x" in modes:
            test = self._found(step, atom, body, context)
        else:
            test = self._member(Query(atom.relation, step.asked), values, context)
        return test if guard == "True" else f"{guard} and {test}"

    def _member(self, query: Query, values: Sequence[Value], context: Context) -> str:
        """Whether a row is among the answers to a query that asks for more."""
        given = [values[k] for k in self.given(query)]
        wanted = [v for v, mode in zip(values, query.modes, strict=True) if mode == "f"]
        code, call = weighted(self.wanted(query), wanted), self._call(query, given, context)
        heads = self.heads(query)
        return f"has_far(w, {call}, {heads}, {code})" if heads else f"has(w, {call}, {code})"

    def _found(self, step: JoinStep, atom: Atom, body: Body, context: Context) -> str:
        """Whether any answer to a query that asks for more will do, as a kernel of its own."""
        self._parts += 1
        variables = [v for v in dict.fromkeys(atom.args) if isinstance(v, Variable) and v in body.locals]
        inner = body.inner(f"{body.name}_{self._parts}", variables, test=True)
        self.loop(step, inner, context)
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

    def _fact(self, atom: Atom, given: tuple[int, ...], columns: Sequence[Column], values: Sequence[Value]) -> str:
        every = len(given) == len(atom.args)
        bits = self.store.bits(atom.relation, () if every else given)
        if every:
            return f"bit(w.facts, {plus(weighted(columns, values), 64 * bits.offset)})"
        if bits.inside:
            return f"{self._word(bits, columns, values, atom.relation)} != 0"
        words = bits.stride // 64
        start = plus(weighted(columns, values, words), bits.offset)
        return f"some(w.facts, {start}, {plus(start, words)})"

    def _write_move_test(self, atom: Atom, modes: str, body: Body) -> str:
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
