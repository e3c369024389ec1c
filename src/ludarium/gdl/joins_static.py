"""Relations that stay the same all through a game, worked out once; those that are too large are left as rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import prod
from typing import Any

from ludarium.core import LudariumError
from ludarium.gdl.analysis import components
from ludarium.gdl.joins_columns import domains
from ludarium.gdl.joins_flat import DISTINCT, Atom, Flat, FlatRule
from ludarium.gdl.syntax import Variable

MAX_ROWS = 20_000
"""A relation with more rows than this is left as rules."""

MAX_SPACE = 1 << 27
"""A relation that might have more rows than this is not even tried."""

Row = tuple[str, ...]
Found = dict[int, dict[Row, None]]

_DYNAMIC = ("true", "does", "next", "legal", "goal", "sees", "terminal")


def work_out(flat: Flat) -> dict[int, list[Row]]:
    """Take the rules of static relations out of a description, and give their rows instead."""
    spaces = {r: prod(x.bit_count() for x in masks) for r, masks in domains(flat, {}).items()}
    rules: dict[int, list[FlatRule]] = defaultdict(list)
    for rule in flat.rules:
        rules[rule.head.relation].append(rule)
    static = _static(flat, set(rules))
    found: Found = {}
    for relation in static:
        if not any(rule.body for rule in rules[relation]):
            found[relation] = {tuple(map(str, rule.head.args)): None for rule in rules[relation]}
    graph = {str(r): [str(x.relation) for rule in rules[r] for x in rule.body] for r in sorted(static)}
    groups = [[int(name) for name in group if int(name) in static] for group in components(graph)]
    surely = [r for group in groups for r in group if spaces.get(r, 0) <= MAX_ROWS]
    _take(_closed(surely, rules, set(found)), rules, found, 0)
    for group in groups:
        must = any(flat.relations[r].name == "init" for r in group)
        if must or max((spaces.get(r, 0) for r in group), default=0) <= MAX_SPACE:
            _take(_closed(group, rules, set(found)), rules, found, 0 if must else MAX_ROWS)
    if any(relation not in found for relation in flat.named("init")):
        raise LudariumError("the initial state depends on the state, on moves, or on a relation that is too large")
    flat.rules = [r for r in flat.rules if r.head.relation not in found]
    return {relation: list(rows) for relation, rows in found.items()}


def _static(flat: Flat, defined: set[int]) -> set[int]:
    """The relations that depend on no state and no move."""
    users: dict[int, set[int]] = defaultdict(set)
    for rule in flat.rules:
        for atom in rule.body:
            users[atom.relation].add(rule.head.relation)
    queue = [k for k, relation in enumerate(flat.relations) if relation.name in _DYNAMIC]
    found = set(queue)
    while queue:
        for user in users[queue.pop()] - found:
            found.add(user)
            queue.append(user)
    return defined - found


def _closed(wanted: Sequence[int], rules: dict[int, list[FlatRule]], known: set[int]) -> list[int]:
    """Those relations that are not known, and depend on nothing but each other and known ones."""
    left = set(wanted) - known
    while True:
        inside = left | known | {DISTINCT}
        open_ = {r for r in left if any(x.relation not in inside for rule in rules[r] for x in rule.body)}
        if not open_:
            return sorted(left)
        left -= open_


class _Counter:
    """Counts what clingo derives, and stops it when that is too much."""

    def __init__(self, most: int) -> None:
        self.left, self.over = most, False

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:  # noqa: ARG002
        self.left -= 1
        if self.left == 0:
            self.over = True
            raise LudariumError("too many rows")


def _take(wanted: Sequence[int], rules: dict[int, list[FlatRule]], found: Found, most: int) -> None:
    """Work some relations out, unless they have more than so many rows (0: any number); constants go as numbers."""
    if not wanted:
        return
    import clingo  # noqa: PLC0415  (it takes a while, and many games do without)

    names: dict[str, int] = {}
    mine = [rule for relation in wanted for rule in rules[relation]]
    used = {x.relation for rule in mine for x in rule.body} - set(wanted) - {DISTINCT}
    lines = [f"{_fact(relation, row, names)}." for relation in used for row in found[relation]]
    counter = _Counter(most + len(lines) if most else 0)
    for rule in mine:
        variables: dict[Variable, str] = {}
        body = ",".join(_literal(atom, names, variables) for atom in rule.body)
        head = _literal(rule.head, names, variables)
        lines.append(f"{head}:-{body}." if body else f"{head}.")
    control = clingo.Control(["--warn=none"], message_limit=0, logger=lambda *_: None)
    if most:
        control.register_observer(counter)  # type: ignore[arg-type]
    try:
        control.add("base", [], "\n".join(lines))
        control.ground([("base", [])])
    except Exception as problem:
        if counter.over:
            return
        raise LudariumError(f"the rules that never change cannot be worked out: {problem}") from problem
    texts = list(names)
    for relation in wanted:
        atoms = control.symbolic_atoms.by_signature(f"r{relation}", len(rules[relation][0].head.args))
        rows: list[list[Any]] = [atom.symbol.arguments for atom in atoms]
        found[relation] = dict.fromkeys(tuple(texts[x.number] for x in row) for row in rows)


def _fact(relation: int, row: Row, names: dict[str, int]) -> str:
    return _literal(Atom(relation, row), names, {})


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
