"""Deduction puzzles: variables on sites, constraints on them, and moves that give a variable a value or cross one out.

A variable keeps the set of values that it may still have; when one is left, it is solved. Constraints are about what is solved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from math import isqrt

from ludarium.ludii.code.regions import Region, chosen
from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.code.sinks import Found, act, copied
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.ludemes.frame.start import start_rule
from ludarium.ludii.ludemes.moving.moves import find
from ludarium.ludii.ludemes.where.regions import region_parts
from ludarium.ludii.memory import actions
from ludarium.ludii.model import bound, items, number, text, walk, word


def constraints(script: Script) -> list[Value]:
    """The constraints of the puzzle."""
    for each in walk(script.model.root):
        if each.unit == "satisfy":
            given = each.arguments
            return [given["constraint"]] if "constraint" in given else list(items(given["constraints"]))
    return []


def hints(script: Script, kind: str = "") -> list[tuple[tuple[int, ...], int]]:
    """The hints of the equipment for sites of a type: the sites, and the number."""
    found = []
    for item in script.model.items:
        if item.signature.ludeme.names[0] != "hints":
            continue
        of = word(item.arguments["type"]) if "type" in item.arguments else script.topology.default_type
        for each in map(bound, items(item.arguments["records"])) if not kind or of == kind else ():
            given = each.arguments
            sites = [given["site"]] if "site" in given else items(given["region"])
            found.append((tuple(map(number, sites)), number(given["hint"]) if "hint" in given else -1))
    return found


def puzzle_regions(script: Script, kind: str) -> list[Sequence[int]] | None:
    """The regions of a kind that only puzzles have; none if it is no such kind."""
    sites = script.topology.sites()
    match kind:
        case "HintRegions":
            return [each for each, _ in hints(script)]
        case "SubGrids":
            side = isqrt(isqrt(sites.count))
            cells = [
                (r // side * side + c // side, site)
                for site, (r, c) in enumerate(zip(sites.rows, sites.columns, strict=True))
            ]
            return [[site for block, site in cells if block == k] for k in range(side * side)]
        case "Diagonals":
            last = len(sites.row_sites) - 1
            pairs = list(zip(sites.rows, sites.columns, strict=True))
            falls = [
                [s for s, (r, c) in enumerate(pairs) if r == c],
                [s for s, (r, c) in enumerate(pairs) if r + c == last],
            ]
            return list(falls)
        case "AllDirections":
            lines = script.topology.radials(script.topology.default_type, "Adjacent")
            return [[site, *(to for radial in lines[site] for to in radial.sites[1:])] for site in range(sites.count)]
    return None


def _regions(script: Script, node: Bound) -> list[tuple[str, tuple[int, ...]]]:
    """The regions of the equipment that a constraint is about, with their kinds."""
    name = text(node.arguments["nameRegion"]) if "nameRegion" in node.arguments else ""
    found = []
    for item in script.topology.regions:
        given = item.arguments
        if name and name not in (text(given["name"]) if "name" in given else ""):
            continue
        kinds = [given["staticRegion"]] if "staticRegion" in given else items(given.get("staticRegions"))
        if not kinds:
            found += [("", part.sites or ()) for part in region_parts(script, item)]
        for kind in map(word, kinds):
            own = puzzle_regions(script, kind)
            sites = script.topology.sites()
            plain = {"Rows": sites.row_sites, "Columns": sites.column_sites, "AllSites": [range(sites.count)]}
            if own is None and kind not in plain:
                raise script.model.unsupported(item, f"regions {kind}")
            found += [(kind, tuple(each)) for each in (plain[kind] if own is None else own)]
    return found


@contextmanager
def _each_region(script: Script, node: Bound) -> Iterator[tuple[str, str, str]]:
    """A loop over the regions of a constraint: its number, and where it begins and ends in a table of sites."""
    regions = [sites for _, sites in _regions(script, node)]
    starts = [0]
    for sites in regions:
        starts.append(starts[-1] + len(sites))
    begin, table = (
        script.table(starts, hint="parts"),
        script.table([s for each in regions for s in each], hint="part_sites"),
    )
    k = script.out.fresh("part")
    with script.block(f"for {k} in range({len(regions)}):"):
        first, last = script.local("first", f"i64({begin}[{k}])"), script.local("last", f"i64({begin}[{k} + 1])")
        yield k, table, f"range({first}, {last})"


def _kernel(script: Script, node: Bound, name: str, write: Callable[[], None]) -> str:
    def written() -> str:
        with script.kernel(name, result="bool", origin=script.place(node)) as made:
            write()
            script.line("return True")
        return made

    return f"{script.once((name, id(node), script.modes), written)}(v, c)"


def different(script: Script, node: Bound) -> str:
    """Whether no two variables of a region have the same value."""
    given = node.arguments
    excepted = [number(each) for each in ([given["except"]] if "except" in given else items(given.get("excepts")))]

    def test(site: str, seen: str) -> None:
        value = script.local("value", f"i64(s.solved[{site}])")
        taken = [f"{value} >= 0", *(f"{value} != {each}" for each in excepted)]
        with script.block(f"if {' and '.join(taken)}:"):
            with script.block(f"if {value} == 0 or ({seen} >> u64({value})) & u64(1) == u64(1):"):
                script.answer("False")
            script.line(f"{seen} |= u64(1) << u64({value})")

    def write() -> None:
        seen, at = script.out.fresh("seen"), script.out.fresh("at")
        if "region" in given:
            script.line(f"{seen} = u64(0)")
            with script.region(given["region"]).each() as site:
                test(site, seen)
            return
        skips = [int(kind == "AllDirections") for kind, _ in _regions(script, node)]
        with _each_region(script, node) as (k, table, span):
            script.line(f"{seen} = u64(0)")
            first = span.removeprefix("range(").split(",")[0]
            skip = f"{script.table(skips, hint='skips')}[{k}] == 1 and s.solved[{table}[{first}]] <= 0"
            with script.block(f"if not ({skip}):" if any(skips) else "if True:"):
                with script.block(f"for {at} in {span}:"):
                    test(f"{table}[{at}]", seen)

    return _kernel(script, node, "differ", write)


@ludeme("bool", "is Sum", "is Count")
def _total(script: Script, node: Bound) -> str:
    """Whether values come to a number, or so many are the same; as long as some are open, it may be less."""
    given = node.arguments
    counts = node.unit == "is Count"
    if counts and "region" not in given:
        return "False"
    wanted = script.number(given.get("of"), "1")
    by_hint = bound(given["result"]).unit == "hint" if isinstance(given["result"], Bound) else False

    def add(site: str, total: str, left: str) -> None:
        value = script.local("value", f"i64(s.solved[{site}])")
        with script.block(f"if {value} < 0:"):
            script.line(f"{left} += 1")
        with script.block(f"elif {value} == {wanted}:" if counts else "else:"):
            script.line(f"{total} += {'1' if counts else value}")

    def judge(total: str, left: str, result: str) -> None:
        result = script.local("result", result)
        with script.block(f"if {total} > {result} or ({left} == 0 and {total} != {result}):"):
            script.answer("False")

    def write() -> None:
        total, left, at = (script.out.fresh(name) for name in ("total", "left", "at"))
        zero = f"{total} = 0", f"{left} = 0"
        if "region" in given:
            for line in zero:
                script.line(line)
            with script.region(given["region"]).each() as site:
                add(site, total, left)
            judge(total, left, script.number(given["result"]))
            return
        with _each_region(script, node) as (k, table, span):
            for line in zero:
                script.line(line)
            with script.block(f"for {at} in {span}:"):
                add(f"{table}[{at}]", total, left)
            told = script.table([value for _, value in hints(script)], hint="hints")
            judge(
                total,
                left,
                f"i64({told}[{k}])"
                if by_hint and "at" not in _given(given["result"])
                else script.number(given["result"]),
            )

    return _kernel(script, node, "sum", write)


def _given(value: Value) -> Mapping[str, Value]:
    return value.arguments if isinstance(value, Bound) else {}


@ludeme("bool", "is Unique")
def _unique(script: Script, node: Bound) -> str:
    """Whether no two regions of a kind are solved in the same way."""
    regions = _regions(script, node)

    def write() -> None:
        for k, (kind, sites) in enumerate(regions):
            for other, others in regions[k + 1 :]:
                if other == kind and len(others) == len(sites):
                    same = script.once(("same",), lambda: _same_kernel(script))
                    one, two = script.table(sites, hint="part"), script.table(others, hint="part")
                    with script.block(f"if {same}(v, c, {one}, {two}):"):
                        script.answer("False")

    return _kernel(script, node, "unique", write)


def _same_kernel(script: Script) -> str:
    with script.kernel("same", "one: view[i32], two: view[i32]", "bool") as name:
        with script.block("for k in range(len(one)):"):
            script.line("value = s.solved[one[k]]")
            with script.block("if value < 0 or value != s.solved[two[k]]:"):
                script.line("return False")
        script.line("return True")
    return name


@ludeme("bool", "forAll")
def _for_all(script: Script, node: Bound) -> str:
    """Whether a constraint holds for all sites of a type, or for all hints."""
    kind, constraint = word(node.arguments["type"]), node.arguments["constraint"]

    def write() -> None:
        if kind == "Hint":
            told = hints(script)
            ends = [
                script.table(
                    [sites[min(k, len(sites) - 1)] if k < len(sites) else -1 for sites, _ in told], hint="hinted"
                )
                for k in (0, 1)
            ]
            values, k = script.table([value for _, value in told], hint="hints"), script.out.fresh("k")
            with script.block(f"for {k} in range({len(told)}):"):
                with script.register("from_", f"i64({ends[0]}[{k}])"), script.register("to", f"i64({ends[1]}[{k}])"):
                    asked = script.model.uses("region:sites Hint")
                    of_hint = script.register("hinted", f"{k} + 1") if asked else nullcontext()
                    with script.register("hint", f"i64({values}[{k}])"), of_hint:
                        with script.block(f"if not ({script.truth(constraint)}):"):
                            script.answer("False")
            return
        site = script.out.fresh("site")
        with script.block(f"for {site} in range({script.topology.sites(kind).count}):"):  # type: ignore[arg-type]
            with script.register("from_", site), script.block(f"if not ({script.truth(constraint)}):"):
                script.answer("False")

    return _kernel(script, node, "for_all", write)


@ludeme("region", "sites Hint")
def _hinted(script: Script, node: Bound) -> Region:
    """The sites of the hint that `(forAll Hint ..)` has come to."""
    return chosen(script, "(c.hinted - 1)", [sites for sites, _ in hints(script)])


@ludeme("int", "hint")
def _hint(script: Script, node: Bound) -> str:
    given = node.arguments
    if "at" not in given:
        return "c.hint"
    kind = word(given["type"]) if "type" in given else script.topology.default_type
    count = script.topology.sites(kind).count  # type: ignore[arg-type]
    values = [-1] * (count + 1)
    for sites, value in reversed(hints(script, kind)):
        values[sites[0]] = value
    site = script.local("site", script.number(given["at"]))
    return f"i64({script.table(values, hint='hints')}[{site} if 0 <= {site} < {count} else {count}])"


def solved_in_line(script: Script, node: Bound) -> str:
    """Whether the same value stands somewhere on so many sites in a row."""
    given = node.arguments
    if {"what", "whats", "who", "exact", "If", "through", "throughAny"} & given.keys():
        raise script.model.unsupported(node, why="in a puzzle")
    length = int(script.number(given["length"]))
    kind, direction = script.topology.default_type, word(given["dirn"]) if "dirn" in given else "Adjacent"
    runs = {
        tuple(sorted(radial.sites[:length]))
        for radials in script.topology.radials(kind, direction)
        for radial in radials
        if len(radial.sites) >= length
    }
    table = script.table([site for run in sorted(runs) for site in run], hint="runs")

    def write() -> str:
        with script.kernel("solved_in_line", result="bool", origin=script.place(node)) as name:
            with script.block(f"for k in range({len(runs)}):"):
                script.line(f"value = s.solved[{table}[k * {length}]]")
                script.line("same = value >= 0")
                with script.block(f"for j in range(1, {length}):"):
                    with script.block(f"if s.solved[{table}[k * {length} + j]] != value:"):
                        script.line("same = False")
                with script.block("if same:"):
                    script.line("return True")
            script.line("return False")
        return name

    return f"{script.once(('solved in line', id(node), script.modes), write)}(v, c)"


@ludeme("bool", "is Solved")
def _solved(script: Script, node: Bound) -> str:
    def write() -> str:
        with script.kernel("is_solved", result="bool", origin=script.place(node)) as name, copied(script):
            script.line("t = State(w)")
            for site in variables(script):
                with script.block(f"if t.solved[{site}] < 0:"):
                    script.line(f"t.solved[{site}] = 0")
            script.line(f"return {satisfied(script)}(w, c)")
        return name

    return f"{script.once(('is solved', script.modes), write)}(v, c)"


def satisfied(script: Script) -> str:
    """The kernel that says whether all constraints hold."""

    def write() -> str:
        with script.kernel("satisfied", result="bool") as name:
            script.answer(script.both(constraints(script), all_of=True))
        return name

    return script.once(("satisfied", script.modes), write)


def variables(script: Script) -> list[int]:
    """The sites that constraints are about."""
    found: set[int] = set()
    for each in constraints(script):
        node = bound(each)
        if node.family == "puzzle" and "region" not in node.arguments and node.unit != "forAll":
            found |= {site for _, sites in _regions(script, node) for site in sites}
        else:
            return list(range(script.model.board_sites))
    return sorted(found)


@ludeme("moves", "satisfy")
def _satisfy(script: Script, node: Bound) -> None:
    """A value for a variable if no constraint is broken by it, and values that are crossed out, or are not any more."""
    assert script.layout.domain is not None
    least, most = script.layout.domain
    given = {int(site) for rule in script.model.start for site, _ in _pairs(rule)}
    free = script.table([site for site in variables(script) if site not in given], hint="variables")
    tried = script.once(("satisfied with",), lambda: _tried_kernel(script))
    k, value = script.out.fresh("k"), script.out.fresh("value")
    with script.block(f"for {k} in range({script.sizes[free]}):"):
        site = script.local("site", f"i64({free}[{k}])")
        with script.block(f"for {value} in range({least}, {most + 1}):"):
            told = {"value": (value, 8)}

            def push(kind: int) -> Callable[[str, str, Mapping[str, str]], None]:
                return lambda _, to, known: act(script, kind, to, known["value"])

            with script.block(f"if {tried}(v, c, {site}, {value}):"):
                find(script, Found(node, "Set", site, site, push(actions.PUZZLE_SET), told))
            with script.block(f"if s.solved[{site}] != {value}:"):
                find(script, Found(node, "Toggle", site, site, push(actions.PUZZLE_TOGGLE), told))


def _tried_kernel(script: Script) -> str:
    with script.kernel("satisfied_with", "site: i64, value: i64", "bool") as name, copied(script):
        script.line("set_variable(State(w), site, value)")
        script.line("State(w).last_to = site")
        script.line(f"return {satisfied(script)}(w, c)")
    return name


@start_rule("set")
def _start_set(script: Script, node: Bound) -> None:
    for site, value in _pairs(node):
        script.line(f"set_variable(s, {site}, {value})")


def _pairs(rule: Bound) -> list[tuple[int, int]]:
    pairs = [items(each) for each in items(rule.arguments["pairs"])] if "pairs" in rule.arguments else []
    return [(number(site), number(value)) for site, value in pairs]
