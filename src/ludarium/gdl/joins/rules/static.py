"""Relations that stay the same all through a game, worked out once; those that are too large are left as rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import prod

from ludarium.core import LudariumError
from ludarium.core.limits import LimitExceeded, limits
from ludarium.gdl.check.analysis import components
from ludarium.gdl.ground.outside import TooManyInstances, grounded, heaviest
from ludarium.gdl.joins.rules.columns import domains
from ludarium.gdl.joins.rules.flat import DISTINCT, Atom, Flat, FlatRule
from ludarium.gdl.text.syntax import Variable

MAX_ROWS = 20_000
"""A relation with more rows than this is left as rules."""

MAX_SPACE = 1 << 27
"""A relation that might have more rows than this is not even tried."""

Row = tuple[str, ...]
Found = dict[int, dict[Row, None]]
Sizes = Mapping[int, Sequence[float]]

_DYNAMIC = ("true", "does", "next", "legal", "goal", "sees", "terminal")


def work_out(flat: Flat) -> dict[int, list[Row]]:
    """Take the rules of static relations out of a description, and give their rows instead."""
    sizes = {relation: [mask.bit_count() for mask in masks] for relation, masks in domains(flat, {}).items()}
    spaces = {relation: prod(each) for relation, each in sizes.items()}
    most = limits().instances
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
    if not _take(_closed(surely, rules, set(found)), rules, found, most, sizes):
        raise LimitExceeded("instances", f"relations that never change have more than {most} rows", flat.rules[0].place)
    for group in groups:
        must = any(flat.relations[r].name == "init" for r in group)
        if must or max((spaces.get(r, 0) for r in group), default=0) <= MAX_SPACE:
            taken = _take(_closed(group, rules, set(found)), rules, found, most if must else MAX_ROWS, sizes)
            if must and not taken:
                place = max(rules[group[0]], key=lambda rule: prod(_ways(rule, sizes))).place
                raise LimitExceeded("instances", f"the initial state has more than {most} facts", place)
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


def _take(wanted: Sequence[int], rules: dict[int, list[FlatRule]], found: Found, most: int, sizes: Sizes) -> bool:
    """Work some relations out, unless they have more than so many rows; constants go as numbers."""
    if not wanted:
        return True
    names: dict[str, int] = {}
    mine = [rule for relation in wanted for rule in rules[relation]]
    used = {x.relation for rule in mine for x in rule.body} - set(wanted) - {DISTINCT}
    lines = [f"{_fact(relation, row, names)}." for relation in used for row in found[relation]]
    known = len(lines)
    for rule in mine:
        variables: dict[Variable, str] = {}
        body = ",".join(_literal(atom, names, variables) for atom in rule.body)
        head = _literal(rule.head, names, variables)
        lines.append(f"{head}:-{body}." if body else f"{head}.")
    lines += [f"#show r{relation}/{len(rules[relation][0].head.args)}." for relation in wanted]
    work = heaviest((rule.place, _ways(rule, sizes)) for rule in mine)
    try:
        made, _ = grounded("\n".join(lines), work, most + known)
    except TooManyInstances:
        return False
    texts = list(names)
    rows: Found = {relation: {} for relation in wanted}
    for symbol, _ in made.shown:
        name, _, inside = symbol.partition("(")
        row = tuple(texts[int(x)] for x in inside[:-1].split(",")) if inside else ()
        rows[int(name[1:])][row] = None
    found |= rows
    return True


def _ways(rule: FlatRule, sizes: Sizes) -> list[float]:
    """How many constants each variable of a rule may be."""
    found: dict[Variable, float] = {}
    for atom in rule.body:
        if not atom.negative and atom.relation != DISTINCT:
            for leaf, size in zip(atom.args, sizes.get(atom.relation, ()), strict=False):
                if isinstance(leaf, Variable):
                    found[leaf] = min(size, found.get(leaf, size))
    return list(found.values())


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
