"""Groups: sites that hang together, found by flooding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext

from ludarium.ludii.code.regions import Region, blank, owned, put
from ludarium.ludii.code.script import Script, literal, ludeme
from ludarium.ludii.code.sinks import registers_in
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.ludemes.where.directions import Heading, each_step, heading, near_table
from ludarium.ludii.ludemes.where.pyramids import and_seen, asks_visible, covered, hidden_link
from ludarium.ludii.ludemes.where.regions import board, region_parts, static_regions
from ludarium.ludii.model import items, word


@contextmanager
def flooded(
    script: Script, start: str, directions: Value | None, group: Region, *, visible: bool = False
) -> Iterator[str]:
    """Flood from a site that is in the group already: what is written in here tests the neighbour that it yields.

    It calls `spread` where the neighbour belongs to the group. Seen from above, a neighbour must be `visible`, and so must be
    where it touches.
    """
    waiting, count, at = (script.out.fresh(name) for name in ("waiting", "waiting_count", "site"))
    script.line(f"{waiting} = empty(i64, {script.layout.sites + 1})")
    script.line(f"{waiting}[0] = {start}")
    script.line(f"{count} = 1")
    with script.block(f"while {count} > 0:"):
        script.line(f"{count} -= 1")
        script.line(f"{at} = {waiting}[{count}]")
        where = heading(script, directions, at)
        with each_step(script, where, at) as to:
            seen = f" and not {covered(script, to)} and not {hidden_link(script, at, to)}" if visible else ""
            with script.block(f"if not {group.has(to)}{seen}:"):
                script.__dict__.setdefault("_floods", []).append((waiting, count, group))
                try:
                    yield to
                finally:
                    script.__dict__["_floods"].pop()


def spread(script: Script, to: str) -> None:
    """Write what takes a neighbour into the group that is being flooded."""
    waiting, count, group = script.__dict__["_floods"][-1]
    put(group, to)
    script.line(f"{waiting}[{count}] = {to}")
    script.line(f"{count} += 1")


def group_of(
    script: Script,
    start: str,
    directions: Value | None,
    condition: Value | None,
    *,
    alike: bool = False,
    visible: bool = False,
) -> Region:
    """The group around a site: where a condition holds, or else of the same kind of piece; empty if the start does not fit.

    Pieces may have to be `alike` under a condition, too.
    """
    group = blank(script, "group")
    start = script.local("start", start)
    with script.block(f"if 0 <= {start} < {script.model.board_sites}:"):
        if condition is None:
            what = script.local("kind", f"what_at(s, {start})")
            put(group, start)
            flood = flooded(script, start, directions, group, visible=visible)
            with flood as to, script.block(f"if what_at(s, {to}) == {what}:"):
                spread(script, to)
            return group
        fits = ""
        if isinstance(condition, Bound) and "from_" in registers_in(
            condition
        ):  # `(from)` is not yet the start when the start is tested
            with script.register("to", start):
                fits = script.local("fits", script.truth(condition))
        kind = script.local("kind", f"what_at(s, {start})") if alike else ""
        with script.register("from_", start), script.register("to", start):
            fits = fits or script.local("fits", script.truth(condition))
            with script.block(f"if {fits}:"):
                put(group, start)
                flood = flooded(script, start, directions, group, visible=visible)
                with flood as to, script.register("to", to):
                    same = script.block(f"if what_at(s, {to}) == {kind}:") if alike else nullcontext()
                    with same, script.block(f"if {script.truth(condition)}:"):
                        spread(script, to)
    return group


@ludeme("region", "sites Group")
def _sites_group(script: Script, node: Bound) -> Region:
    given, visible = node.arguments, asks_visible(script, node)
    if "at" in given:
        return group_of(script, script.number(given["at"]), given.get("directions"), given.get("If"), visible=visible)
    whole = blank(script)
    with script.region(given["From"]).kept().each() as site:
        found = group_of(script, site, given.get("directions"), given.get("If"), visible=visible)
        for k in range(script.layout.words):
            script.line(f"{whole.word(str(k))} |= {found.word(str(k))}")
    return whole


@ludeme("int", "size Group")
def _size_group(script: Script, node: Bound) -> str:
    given = node.arguments
    return group_of(script, script.number(given["at"]), given.get("directions"), given.get("If")).count()


@contextmanager
def each_group(
    script: Script,
    directions: Value | None,
    condition: Value | None,
    where: Region | None = None,
    *,
    visible: bool = False,
) -> Iterator[Region]:
    """A loop over all groups of sites where a condition holds, or else where something stands."""
    seen = blank(script, "seen")
    sites = board(script) if where is None else where
    with sites.each("first") as site, script.block(f"if not {seen.has(site)}{and_seen(script, site, visible)}:"):
        if condition is None:
            fits = script.local("fits", f"not is_empty(s, {site})")
        else:
            with script.register("to", site):
                fits = script.local("fits", script.truth(condition))
        with script.block(f"if {fits}:"):
            group = blank(script, "group")
            put(group, site)
            with flooded(script, site, directions, group, visible=visible) as to:
                if condition is None:
                    with script.block(f"if not is_empty(s, {to}):"):
                        spread(script, to)
                else:
                    with script.register("to", to), script.block(f"if {script.truth(condition)}:"):
                        spread(script, to)
            for k in range(script.layout.words):
                script.line(f"{seen.word(str(k))} |= {group.word(str(k))}")
            yield group


@ludeme("int", "count Groups", "count SizeBiggestGroup", "countSizeBiggestGroup")
def _count_groups(script: Script, node: Bound) -> str:
    """How many groups there are, or how large the largest is: of those that are visible, or go through some sites, if asked."""
    given = node.arguments
    biggest = node.unit == "countSizeBiggestGroup" or word(given["countType"]) == "SizeBiggestGroup"
    visible = biggest and asks_visible(script, node)  # Ludii looks at neither when it counts groups
    through = given.get("throughAny") if biggest else None
    if through is not None and visible:
        raise script.model.unsupported(node, why="what is visible, through some sites")
    where = script.region(through).kept() & board(script) if through is not None else None
    least = script.local("least", script.number(given.get("min"), "0"))
    total = script.out.fresh("total")
    script.line(f"{total} = 0")
    with each_group(script, given.get("directions"), given.get("If"), where, visible=visible) as group:
        size = script.local("size", group.count())
        if biggest:
            script.line(f"{total} = max({total}, {size})")
        else:
            with script.block(f"if {size} >= {least}:"):
                script.line(f"{total} += 1")
    return total


@ludeme("int", "count Liberties")
def _liberties(script: Script, node: Bound) -> str:
    given = node.arguments
    at = script.number(given.get("at"), "i64(s.last_to)")
    group = group_of(script, at, given.get("directions"), given.get("If"), alike=True)
    free = blank(script)
    with group.each() as site, each_step(script, heading(script, given.get("directions"), site), site) as to:
        with script.block(f"if is_empty(s, {to}) and not {group.has(to)}:"):  # a group may be one of empty sites
            put(free, to)
    return free.count()


@ludeme("bool", "is Connected")
def _connected(script: Script, node: Bound) -> str:
    given = node.arguments
    number = script.number(given.get("number"), how_many_parts(script, node))

    def write() -> str:
        with script.kernel("is_connected", "start: i64, wanted: i64", "bool", script.place(node)) as name:
            with script.block(f"if start < 0 or start >= {script.model.board_sites}:"):
                script.line("return False")
            script.line("owner = who_at(s, start)")
            with script.block("if owner == 0:"):
                script.line("return False")
            own = owned(script, "owner").kept()
            regions = [part.kept() for part in owned_parts(script, node)]
            group = blank(script, "group")
            put(group, "start")
            mine = script.role(given["role"]) if "role" in given else "owner"
            with script.block(f"if {mine} == owner and {touched(regions, own)} >= wanted:"):
                _grow(script, group, own, given.get("directions"))
            script.line(f"return wanted > 0 and {touched(regions, group)} >= wanted")  # who owns no region joins none
        return name

    name = script.once(("connected", id(node), script.modes), write)
    return f"{name}(v, c, {script.number(given.get('at'), 'i64(s.last_to)')}, {number})"


def touched(regions: Sequence[Region], sites: Region) -> str:
    """In how many regions there is one of some sites."""
    return "(" + (" + ".join(f"(1 if {(each & sites).some()} else 0)" for each in regions) or "0") + ")"


def _grow(script: Script, group: Region, own: Region, directions: Value | None) -> None:
    """Write what lets a group, of which `start` is known, grow to all that hangs together among some sites."""
    with script.out.apart():
        where = heading(script, directions, "start")
    if where.select != "0":
        with flooded(script, "start", directions, group) as to, script.block(f"if {own.has(to)}:"):
            spread(script, to)
        return
    words, near = script.layout.words, near_table(script, where)
    free, waiting = (own - group).kept(), group.kept()
    script.line("k = start >> 6")
    with script.block(f"while k < {words}:"):
        script.line(f"bits = {waiting.word('k')}")
        with script.block("if bits == u64(0):"):
            script.line("k += 1")
        with script.block("else:"):
            script.line(f"row = (k * 64 + i64(ctz(bits))) * {words}")
            script.line(f"{waiting.word('k')} = bits & (bits - u64(1))")
            with script.block(f"for j in range({words}):"):
                script.line(f"new = {near}[row + j] & {free.word('j')}")
                with script.block("if new != u64(0):"):
                    script.line(f"{free.word('j')} ^= new")
                    script.line(f"{group.word('j')} |= new")
                    script.line(f"{waiting.word('j')} |= new")
                    script.line("k = min(k, j)")


def owned_parts(script: Script, node: Bound) -> Sequence[Region]:
    """The regions that a group has to touch."""
    given = node.arguments
    if "regions" in given:
        return [script.region(each) for each in items(given["regions"])]
    if "regionType" in given:
        return static_regions(script, node, word(given["regionType"]))
    role = literal(script.role(given["role"]))
    if role is not None:
        return [part for owner, item in _owned(script) if owner == role for part in region_parts(script, item)]
    # whoever moves: the regions of each player, of which only those of the one who is meant count
    player = script.local("player", script.role(given["role"]))
    by_owner = _parts_by_owner(script)
    chosen = []
    for place in range(max(map(len, by_owner.values()), default=0)):
        region = blank(script)
        for owner, own in by_owner.items():
            if place < len(own):
                with script.block(f"if {player} == {owner}:"):
                    for k in range(script.layout.words):
                        script.line(f"{region.word(str(k))} = {own[place].word(str(k))}")
        chosen.append(region)
    return chosen


def how_many_parts(script: Script, node: Bound) -> str:
    """How many regions a group has to touch if no number is given: all of those that are meant."""
    with script.out.apart():
        parts = owned_parts(script, node)
        role = script.role(node.arguments["role"]) if "role" in node.arguments else ""
        if not role or literal(role) is not None:
            return str(len(parts))
        by_owner = _parts_by_owner(script)
    counts = [len(by_owner.get(owner, ())) for owner in range(script.layout.players + 2)]
    if len(set(counts[1:-1])) == 1 and role != "c.player":
        return str(counts[1])
    return f"i64({script.table(counts, hint='parts')}[max({role}, 0)])"


def _parts_by_owner(script: Script) -> dict[int, list[Region]]:
    found: dict[int, list[Region]] = {}
    for owner, item in _owned(script):
        found.setdefault(owner, []).extend(region_parts(script, item))
    return found


def _owned(script: Script) -> list[tuple[int, Bound]]:
    """The regions of the equipment with their owners."""
    found = []
    for item in script.topology.regions:
        role = word(item.arguments["role"]) if "role" in item.arguments else "Neutral"
        found += [(owner, item) for owner in script.model.owners(item, role)]
    return found


__all__ = ["Heading", "each_group", "flooded", "group_of", "spread"]
