"""What stays as it is: facts are copied word by word, and those that something changes are taken out.

`(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (changed ?x ?y)))` looks at every fact of a board; the cells that change
are few.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludarium.gdl.joins.code.body import Body, Context, Never, plus
from ludarium.gdl.joins.code.steps import JoinStep, Query, Source
from ludarium.gdl.joins.code.store import Value, weighted
from ludarium.gdl.joins.code.writer import Writer
from ludarium.gdl.joins.rules.flat import Atom, FlatRule
from ludarium.gdl.text.syntax import Variable


def frame(writer: Writer, query: Query, twin: int) -> tuple[FlatRule, Atom] | None:
    """The rule that says which facts of a relation stay, and unless what, if there is one of this form and no other."""
    rules = [(rule, _exception(writer, rule, steps, twin)) for rule, steps in writer.plan.queries[query]]
    found = [(rule, atom) for rule, atom in rules if atom]
    return found[0] if len(found) == 1 else None


def _exception(writer: Writer, rule: FlatRule, steps: Sequence[JoinStep], twin: int) -> Atom | None:
    """The condition of a rule that facts stay unless it holds, if all that it holds for is worked out at once."""
    variables = set(rule.head.args)
    if len(variables) < len(rule.head.args) or not all(isinstance(x, Variable) for x in variables):
        return None
    if len(rule.body) != 2 or Atom(twin, rule.head.args) not in rule.body:
        return None
    for step in steps:
        atom = step.atom
        if atom is None or not atom.negative or writer.planner.source(atom) is not Source.RULES:
            continue
        apart = len(set(atom.args)) == len(atom.args) and variables.issuperset(atom.args)
        if apart and set(step.asked) == {"f"}:
            return atom
    return None


def write(writer: Writer, query: Query, stay: tuple[FlatRule, Atom], twin: int, name: str) -> str:
    """Write the kernel of such a rule, which comes before all others of the relation; its name."""
    rule, unless = stay
    bits, columns = writer.store.bits(twin, ()), writer.columns.columns[twin]
    body = Body(f"{name}_stay", test=False)
    writer.origin = f"{rule.place.file}:{rule.place.line}"
    words = -(-bits.stride // 64)
    writer.count(str(words), body)
    body.lines += [f"    for k in range({bits.offset}, {bits.offset + words}):", "        w.nexts[k] = w.facts[k]"]
    written = len(body.lines)
    try:
        asked = "f" * len(unless.args)
        open_ = JoinStep(Atom(unless.relation, unless.args), asked, asked)
        writer.loop(open_, body, Context(rule, query, lambda _: "", None))
        given = [k for k, leaf in enumerate(rule.head.args) if leaf in unless.args]
        inside, guard = writer.values(Atom(twin, rule.head.args), given, body)
        body.require(guard)
        values: dict[int, Value] = dict(zip(given, inside, strict=True))
        for k, column in enumerate(columns):
            if k not in values:
                values[k] = body.fresh("k")
                body.loop(f"for {values[k]} in range({column.low}, {column.low + column.width}):")
        code = weighted(columns, [values[k] for k in range(len(columns))])
        body.line(f"drop(w.nexts, {plus(code, 64 * bits.offset)})")
    except Never:  # what changes is never such a fact
        del body.lines[written:]
    writer.kernel(f"{body.name}(w: Work, place: i64) -> None", body.lines)
    writer.origin = ""
    return body.name
