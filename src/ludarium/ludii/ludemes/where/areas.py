"""Groups one after the other, and empty areas that somebody surrounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TypeAlias

from ludarium.ludii.code.regions import Region, add_all, blank, occupied, owned, put
from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.code.sinks import Done, registers_in
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.ludemes.asking.arrays import Numbers, append, new
from ludarium.ludii.ludemes.asking.groups import flooded, spread
from ludarium.ludii.ludemes.asking.players import players_of
from ludarium.ludii.ludemes.moving.moves import moves_apart
from ludarium.ludii.ludemes.where.directions import Heading, each_step
from ludarium.ludii.ludemes.where.pyramids import and_seen, asks_visible
from ludarium.ludii.ludemes.where.regions import board, empty
from ludarium.ludii.memory.spots import kind_of
from ludarium.ludii.model import bound, walk, word

Test: TypeAlias = Callable[[str], str]
"""Whether a site belongs to a group, as an expression."""


@contextmanager
def groups_among(
    script: Script,
    directions: Value | None,
    seeds: Region,
    fits: Test,
    *,
    first: Test | None = None,
    visible: bool = False,
    begins: bool = False,
    listed: bool = False,
) -> Iterator[tuple[str, Region]]:
    """A loop over groups that hold one of some sites, made of all sites that fit, and where each begins.

    Another test may decide on the first site.
    If asked for, `(from)` is where the group `begins` while its sites are tested, and in the loop. Groups come by their lowest
    sites, or if they are `listed` by the first of their pieces on Ludii's lists.
    """
    seen = blank(script, "seen")
    sites = _as_listed(script, seeds.kept()) if listed and script.layout.ordering else seeds.kept().each("first")
    with sites as site, script.block(f"if not {seen.has(site)}{and_seen(script, site, visible)}:"):
        from_ = script.register("from_", site, loop=True) if begins else nullcontext()
        with from_, script.block(f"if {(first or fits)(site)}:"):
            group = blank(script, "group")
            put(group, site)
            flood = flooded(script, site, directions, group, visible=visible)
            with flood as to, script.block(f"if {fits(to)}:"):
                spread(script, to)
            add_all(seen, group)
            yield site, group


@contextmanager
def _as_listed(script: Script, among: Region) -> Iterator[str]:
    """A loop over sites with pieces, by the owners of pieces, their kinds, and their ranks."""
    kinds = sorted(script.model.components, key=lambda each: (each.owner, each.index))
    table = script.table([each.index for each in kinds], hint="kinds")
    starts, order, total, k, place = (script.out.fresh(hint) for hint in ("starts", "order", "total", "k", "place"))
    script.line(f"{starts} = array(i64, {len(kinds) + 1})")
    script.line(f"{order} = array(i64, {script.layout.sites + 1})")  # each site one higher, so that 0 is none
    script.line(f"{total} = 0")
    with script.block(f"for {k} in range({len(kinds)}):"):
        script.line(f"{starts}[{table}[{k}]] = {total}")
        script.line(f"{total} += s.ranked[{table}[{k}]]")
    with script.block(f"for {k} in range({script.model.board_sites}):"), script.block(f"if s.ranked_as[{k}] > 0:"):
        script.line(f"{place} = {starts}[s.ranked_as[{k}]] + s.rank[{k}]")
        script.line(f'assert 0 <= {place} < {total} <= {script.layout.sites}, "the lists of pieces are out of order"')
        script.line(f"{order}[{place}] = {k} + 1")
    with script.block(f"for {k} in range({total}):"):
        site = script.local("first", f"{order}[{k}] - 1")
        with script.block(f"if {site} >= 0 and {among.has(site)}:"):
            yield site


def _fitting(script: Script, condition: Value) -> Test:
    """Whether a condition holds where `(to)` is a site."""

    def fits(site: str) -> str:
        with script.register("to", site):
            return script.local("fits", script.truth(condition))

    return fits


def _owned_by(script: Script, owner: str) -> Test:
    return lambda site: f"who_at(s, {site}) == {owner}"


def _own_groups(script: Script, node: Bound, condition: str) -> tuple[Region, Test]:
    """The pieces that groups of a ludeme are looked for among, and what belongs to them: those of the mover, or that fit."""
    if condition in node.arguments:
        return occupied(script) & board(script), _fitting(script, node.arguments[condition])
    mover = "i64(s.mover)"
    return owned(script, mover) & board(script), _owned_by(script, mover)


@contextmanager
def _these(script: Script, group: Region) -> Iterator[None]:
    """Let `(sites)` mean a group in here."""
    words = script.layout.words
    old = script.out.fresh("old_region")
    script.line(f"{old} = array(u64, {words})")
    for k in range(words):
        script.line(f"{old}[{k}] = c.region[{k}]")
        script.line(f"c.region[{k}] = {group.word(str(k))}")
    yield
    for k in range(words):
        script.line(f"c.region[{k}] = {old}[{k}]")


@ludeme("region", "sites (SitesContext)")
def _context(script: Script, node: Bound) -> Region:
    return Region(script, lambda k: f"c.region[{k}]").kept()


@ludeme("moves", "forEach Group")
def _for_each_group(script: Script, node: Bound) -> None:
    given = node.arguments
    later = not isinstance(script.sink, Done) and any(each.unit == "sites (SitesContext)" for each in _beside(node))
    seeds, fits = _own_groups(script, node, "If")
    asked = _asks_for_from(node)
    groups = groups_among(script, given.get("directions"), seeds, fits, begins=asked, listed=True)
    with groups as (begin, group), _these(script, group), _told(script, node, begin) if later else nullcontext():
        moves_apart(script, given["moves"])


@contextmanager
def _told(script: Script, node: Bound, begin: str) -> Iterator[None]:
    """Let moves in here tell where their group begins, so that it is found again when one of them is made."""
    reads = script.group_reads
    script.groups.append((len(script.priors), _group_kernel(script, node)))
    script.group_reads = reads | (registers_in(bound(node.arguments["If"])) if "If" in node.arguments else set())
    script.group_asked = True
    with script.register("group", begin, loop=True):
        yield
    script.group_reads = reads
    script.groups.pop()


def _group_kernel(script: Script, node: Bound) -> str:
    """The kernel that lets `(sites)` mean the group that begins with a site."""

    def write() -> str:
        _, fits = _own_groups(script, node, "If")
        with script.kernel("group_from", "start: i64", origin=script.place(node)) as name:
            from_ = script.register("from_", "start") if _asks_for_from(node) else nullcontext()
            with from_:
                group = blank(script, "group")
                put(group, "start")
                flood = flooded(script, "start", node.arguments.get("directions"), group)
                with flood as to, script.block(f"if {fits(to)}:"):
                    spread(script, to)
                for k in range(script.layout.words):
                    script.line(f"c.region[{k}] = {group.word(str(k))}")
        return name

    return script.once(("group from", id(node), script.modes), write)


def _asks_for_from(node: Bound) -> bool:
    """Whether a rule about groups speaks of `(from)`."""
    return any("from_" in registers_in(each) for each in node.arguments.values() if isinstance(each, Bound))


def _beside(node: Bound) -> Iterator[Bound]:
    """The ludemes of a rule that say what happens beside its moves, and before them."""
    for each in walk(node):
        for part in ("effect", "prior"):
            if part in each.arguments:
                yield from walk(each.arguments[part])


@ludeme("bool", "all Groups")
def _all_groups(script: Script, node: Bound) -> str:
    given = node.arguments

    def write() -> str:
        with script.kernel("all_groups", result="bool", origin=script.place(node)) as name:
            script.line("whole = True")
            seeds, fits = _own_groups(script, node, "of")
            groups = groups_among(script, given.get("directions"), seeds, fits, begins=_asks_for_from(node))
            with groups as (_, group), _these(script, group):
                with script.block("if whole:"):
                    script.line(f"whole = {script.truth(given['If'])}")
            script.line("return whole")
        return name

    return f"{script.once(('all groups', id(node), script.modes), write)}(v, c)"


@ludeme("ints", "sizes Group")
def _sizes(script: Script, node: Bound) -> Numbers:
    given, visible = node.arguments, asks_visible(script, node)
    role = word(given["role"]) if "role" in given else ""
    least = script.local("least", script.number(given.get("min"), "0"))
    found, _ = new(script, "sizes")
    everybody = str(script.layout.players + 1)
    if "If" in given:
        _sizes_if(script, node, found, least, visible=visible)
        return found
    if role in ("All", "Shared") or not {"role", "of", "If"} & given.keys():
        players = [owned(script, str(p)) for p in range(1, script.layout.players + 1)]
        seeds = players[0]
        for each in players[1:]:
            seeds |= each
        fits: Test = lambda site: f"not is_empty(s, {site})"  # noqa: E731
    else:
        owner = script.local("owner", script.player(node, "role", "of", everybody))
        seeds = owned(script, owner)
        fits = _owned_by(script, owner)
    with groups_among(script, given.get("directions"), seeds & board(script), fits, visible=visible) as (_, group):
        _note_size(script, group, found, least)
    return found


def _note_size(script: Script, group: Region, found: Numbers, least: str) -> None:
    size = script.local("size", group.count())
    with script.block(f"if {size} >= {least}:"):
        append(found, size)


def _sizes_if(script: Script, node: Bound, found: Numbers, least: str, *, visible: bool) -> None:
    """Groups by a condition: Ludii begins with pieces that all share, and asks for the first with `(to)` as it was."""
    given, condition = node.arguments, node.arguments["If"]

    def first(site: str) -> str:
        script.line(f"c.from_ = {site}")
        return script.local("fits", script.truth(condition))

    def fits(site: str) -> str:
        script.line(f"c.to = {site}")
        return script.local("fits", script.truth(condition))

    seeds = owned(script, str(script.layout.players + 1)) & board(script)
    with script.register("from_", "c.from_ + 0"), script.register("to", "c.to + 0"):
        with groups_among(script, given.get("directions"), seeds, fits, first=first, visible=visible) as (_, group):
            _note_size(script, group, found, least)


@ludeme("int", "size Territory")
def _territory(script: Script, node: Bound) -> str:
    """How many empty sites lie in areas that only pieces of some players touch."""
    given = node.arguments
    if kind_of(script, node) != script.topology.default_type:
        raise script.model.unsupported(node, why="sites of another type")
    direction = word(given["direction"]) if "direction" in given else "Adjacent"
    players = players_of(script, node, "role", "player", "All")
    total = script.out.fresh("total")
    script.line(f"{total} = 0")
    own = owned(script, players[0])
    for each in players[1:]:
        own |= owned(script, each)
    own = own.kept()
    around = Heading(((direction,),))
    seen = blank(script, "seen")
    with empty(script).kept().each("first") as site, script.block(f"if not {seen.has(site)}:"):
        area, only = blank(script, "area"), script.out.fresh("only")
        waiting, count = script.out.fresh("waiting"), script.out.fresh("count")
        script.line(f"{only} = True")
        script.line(f"{waiting} = empty(i64, {script.layout.sites + 1})")
        script.line(f"{waiting}[0] = {site}")
        script.line(f"{count} = 1")
        put(area, site)
        with script.block(f"while {count} > 0:"):
            script.line(f"{count} -= 1")
            at = script.local("at", f"{waiting}[{count}]")
            with each_step(script, around, at) as to, script.block(f"if is_empty(s, {to}):"):
                with script.block(f"if not {area.has(to)}:"):
                    put(area, to)
                    script.line(f"{waiting}[{count}] = {to}")
                    script.line(f"{count} += 1")
            with each_step(script, around, at) as to, script.block(f"if not is_empty(s, {to}) and not {own.has(to)}:"):
                script.line(f"{only} = False")
        add_all(seen, area)
        with script.block(f"if {only}:"):
            script.line(f"{total} += {area.count()}")
    return total


__all__ = ["groups_among"]
