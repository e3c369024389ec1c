"""Relations that stay the same all through a game, worked out once; those that would be too large are left as rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from math import prod
from typing import Any

from ludarium.core import LudariumError
from ludarium.gdl.joins_columns import domains, number
from ludarium.gdl.joins_flat import DISTINCT, Atom, Flat, FlatRule
from ludarium.gdl.joins_sizes import Estimates
from ludarium.gdl.syntax import Variable

MAX_ROWS = 20_000
"""A relation that might have more rows than this is not worked out ahead, unless it is likely to be small."""

MAX_SPACE = 20_000_000
MAX_LIKELY = 4_000

Row = tuple[str, ...]


def work_out(flat: Flat) -> dict[int, list[Row]]:
    """Take the rules of static relations out of a description, and give their rows instead."""
    masks = domains(flat, {})
    for name in ("role", "init"):
        for relation in flat.named(name):
            masks.setdefault(relation, [])
    small = {r for r, m in masks.items() if prod(x.bit_count() for x in m) <= MAX_ROWS}
    small |= _likely_small(flat, {r for r, m in masks.items() if prod(x.bit_count() for x in m) <= MAX_SPACE})
    facts_only = {r.head.relation for r in flat.rules} - {r.head.relation for r in flat.rules if r.body}
    fixed = _fixed(flat, small | facts_only | set(flat.named("init")))
    rules = [r for r in flat.rules if r.head.relation in fixed]
    rows: dict[int, dict[Row, None]] = {relation: {} for relation in fixed}
    derived = {r.head.relation for r in rules if r.body}
    for rule in rules:
        if not rule.body:
            rows[rule.head.relation][tuple(map(str, rule.head.args))] = None
    if derived:
        _derive(rules, derived, rows)
    flat.rules = [r for r in flat.rules if r.head.relation not in fixed]
    return {relation: list(found) for relation, found in rows.items()}


def _likely_small(flat: Flat, bounded: set[int]) -> set[int]:
    """The relations that have few rows by estimate."""
    facts: dict[int, list[Row]] = defaultdict(list)
    ruled = {rule.head.relation for rule in flat.rules if rule.body}
    for rule in flat.rules:
        if rule.head.relation not in ruled:
            facts[rule.head.relation].append(tuple(map(str, rule.head.args)))
    sizes = Estimates(flat, number(flat, facts), facts).sizes
    return {relation for relation in bounded if relation in sizes and sizes[relation].rows <= MAX_LIKELY}


def _fixed(flat: Flat, wanted: set[int]) -> set[int]:
    """The relations that depend on no state, no move and nothing that is not wanted."""
    users: dict[int, set[int]] = defaultdict(set)
    defined = {rule.head.relation for rule in flat.rules}
    for rule in flat.rules:
        for atom in rule.body:
            users[atom.relation].add(rule.head.relation)
    dynamic = {
        k
        for k, r in enumerate(flat.relations)
        if r.name in ("true", "does", "next", "legal", "goal", "sees", "terminal")
    }
    queue = [*dynamic, *(defined - wanted)]
    found = set(queue)
    while queue:
        for user in users[queue.pop()] - found:
            found.add(user)
            queue.append(user)
    late = [k for k in flat.named("init") if k in found]
    if late:
        raise LudariumError("the initial state depends on the state, on moves, or on a relation that is too large")
    return defined - found


def _derive(rules: Iterable[FlatRule], derived: set[int], rows: dict[int, dict[Row, None]]) -> None:
    """Let clingo work the rules out, constants and relations as numbers."""
    import clingo  # noqa: PLC0415  (it takes a while, and many games do without)

    names: dict[str, int] = {}
    lines = []
    for rule in rules:
        variables: dict[Variable, str] = {}
        body = ",".join(_literal(atom, names, variables) for atom in rule.body)
        head = _literal(rule.head, names, variables)
        lines.append(f"{head}:-{body}." if body else f"{head}.")
    control = clingo.Control(["--warn=none"], message_limit=0, logger=lambda *_: None)
    try:
        control.add("base", [], "\n".join(lines))
        control.ground([("base", [])])
    except RuntimeError as problem:
        raise LudariumError(f"the rules that do not depend on the state cannot be worked out: {problem}") from None
    texts = list(names)
    for relation in derived:
        arity = len(next(r.head.args for r in rules if r.head.relation == relation))
        for found in control.symbolic_atoms.by_signature(f"r{relation}", arity):
            arguments: list[Any] = found.symbol.arguments
            rows[relation][tuple(texts[x.number] for x in arguments)] = None


def _literal(atom: Atom, names: dict[str, int], variables: dict[Variable, str]) -> str:
    args = []
    for leaf in atom.args:
        if isinstance(leaf, Variable):
            args.append(variables.setdefault(leaf, f"V{len(variables)}"))
        else:
            args.append(str(names.setdefault(leaf, len(names))))
    if atom.relation == DISTINCT:
        return f"{args[0]}{'=' if atom.negative else '!='}{args[1]}"
    inside = f"({','.join(args)})" if args else ""
    return f"{'not ' if atom.negative else ''}r{atom.relation}{inside}"
