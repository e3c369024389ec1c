"""Loops around something, sides that are cut off from each other, and sites where the next tile may go."""

from __future__ import annotations

from collections.abc import Callable

from ludarium.ludii.code.regions import Region, blank, fixed, occupied, owned, put, single
from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.asking.groups import flooded, how_many_parts, owned_parts, spread, touched
from ludarium.ludii.ludemes.asking.paths import is_tile, loop_of_path
from ludarium.ludii.ludemes.frame.puzzles import different
from ludarium.ludii.ludemes.where.directions import Heading, each_radial, each_step, heading
from ludarium.ludii.ludemes.where.regions import board, empty
from ludarium.ludii.model import items

_ORTHOGONAL, _ADJACENT = Heading((("Orthogonal",),)), Heading((("Adjacent",),))


@ludeme("region", "sites Playable")
def _playable(script: Script, node: Bound) -> Region:
    """Before the first move the centre, then the empty sites next to pieces."""
    found = blank(script)
    taken = (occupied(script) & board(script)).kept()
    with taken.each() as site, each_step(script, _ADJACENT, site) as to, script.block(f"if is_empty(s, {to}):"):
        put(found, to)
    with script.block(f"if not {taken.some()}:"):
        put(found, str(min(script.topology.sites().centre)))
    return found


@ludeme("bool", "is Loop")
def _is_loop(script: Script, node: Bound) -> str:
    """Whether pieces of the kind on a site go round something that does not touch the border."""
    given = node.arguments

    def write() -> str:
        with script.kernel("is_loop", "start: i64, colour: i64", "bool", script.place(node)) as name:
            _look_for_loops(script, node, _ADJACENT, lambda *_: script.answer("True"))
        return name

    name = script.once(("is loop", id(node), script.modes), write)
    start = script.number(given.get("start"), "i64(s.last_to)")
    colour = script.number(given.get("colour"), "i64(s.mover)")
    if not script.settled(node, "path"):  # as Ludii has it, several sites to start from are only those of paths
        return f"{name}(v, c, {start}, {colour})"
    start, colour = script.local("start", start), script.local("colour", colour)
    path = loop_of_path(script, node)
    return script.either(
        is_tile(script, start), lambda: f"{path}(v, c, {colour})", lambda: f"{name}(v, c, {start}, {colour})"
    )


@ludeme("region", "sites Loop")
def _in_loop(script: Script, node: Bound) -> Region:
    """The sites inside a loop: of several, that at the last of the directions from where it is looked for."""
    given, ways = node.arguments, script.topology.supported_at(script.topology.default_type, "Adjacent")
    if not script.settled(node, "inside"):
        raise script.model.unsupported(node, why="the pieces that it is made of")
    near = Heading((lambda site: ways[site] if site < script.model.board_sites else (),))

    def keep(group: Region, goes_on: str) -> None:
        for k in range(script.layout.words):
            script.line(f"r[{k}] = {group.word(str(k))}")
        script.line(f"{goes_on} = False")

    def write() -> str:
        more = "start: i64, colour: i64, r: view[u64]"
        with script.kernel("inside_loop", more, "bool", script.place(node)) as name:
            _look_for_loops(script, node, near, keep)
        return name

    name = script.once(("inside loop", id(node), script.modes), write)
    start = script.number(given.get("start"), "i64(s.last_to)")
    colour = script.number(given.get("colour"), "i64(s.mover)")
    found = blank(script)
    script.line(f"{name}(v, c, {start}, {colour}, {found.name})")
    return found


def _look_for_loops(script: Script, node: Bound, near: Heading, found: Callable[[Region, str], None]) -> None:
    """Write what looks for loops through the site `start`, one for each site beside it that may be inside."""
    given, count = node.arguments, script.model.board_sites
    roles = [given["surround"]] if "surround" in given else items(given.get("surroundList"))
    with script.block(f"if start < 0 or start >= {count} or is_empty(s, start):"):
        script.line("return False")
    script.line("what = what_at(s, start)")
    outer = fixed(script, script.topology.sites().outer)
    owners = [script.local("owner", script.role(each)) for each in roles]

    def inside(site: str) -> str:
        tests = [f"not {outer.has(site)}"]
        if owners:
            who = script.local("who", f"who_at(s, {site})")
            tests.append("(" + " or ".join(f"{who} == {owner}" for owner in owners) + ")")
        return " and ".join(tests)

    with each_step(script, near, "start", "first") as first, script.block(f"if {inside(first)}:"):
        group, free = _interior(script, first, outer, owners)
        with script.block(f"if not {free}:"):
            _around(script, node, group, found)
    script.line("return False")


def _interior(script: Script, first: str, outer: Region, owners: list[str]) -> tuple[Region, str]:
    """Write what floods the inside of a loop, up to its pieces; and whether it got out."""
    group, free = blank(script, "inside"), script.out.fresh("free")
    waiting, count = script.out.fresh("waiting"), script.out.fresh("count")
    for line in (
        f"{free} = False",
        f"{waiting} = empty(i64, {script.model.board_sites + 1})",
        f"{waiting}[0] = {first}",
    ):
        script.line(line)
    script.line(f"{count} = 1")
    put(group, first)
    with script.block(f"while {count} > 0 and not {free}:"):
        script.line(f"{count} -= 1")
        here = script.local("here", f"{waiting}[{count}]")
        with each_radial(script, _ORTHOGONAL, here) as (_, at, end, sites), script.block(f"while {at} < {end}:"):
            to = script.local("to", f"i64({sites}[{at}])")
            script.line(f"{at} += 1")
            with script.block(f"if not {group.has(to)}:"), script.block(f"if what_at(s, {to}) == what:"):
                script.line(f"{at} = {end}")
            with (
                script.block(f"if {at} < {end} or what_at(s, {to}) != what:"),
                script.block(f"if not {group.has(to)}:"),
            ):
                who = script.local("who", f"who_at(s, {to})")
                fits = " or ".join(f"{who} == {owner}" for owner in owners) or "True"
                with script.block(f"if {outer.has(to)}:"):
                    script.line(f"{free} = True")
                with script.block(f"elif {fits}:"):
                    put(group, to)
                    script.line(f"{waiting}[{count}] = {to}")
                    script.line(f"{count} += 1")
    return group, free


def _around(script: Script, node: Bound, group: Region, found: Callable[[Region, str], None]) -> None:
    """Write what follows the pieces around an inside, without those that lead nowhere, and what is done if they are a loop."""
    count = script.model.board_sites
    loop, size, whole = (script.out.fresh(name) for name in ("loop", "size", "whole"))
    script.line(f"{loop} = empty(i64, {count + 1})")
    script.line(f"{size} = 0")
    script.line(f"{whole} = True")
    border = blank(script, "border")
    with group.each() as site, each_step(script, _ORTHOGONAL, site) as to:
        with script.block(f"if not {group.has(to)} and not {border.has(to)}:"):
            put(border, to)
            script.line(f"{loop}[{size}] = {to}")
            script.line(f"{size} += 1")
            with script.block(f"if who_at(s, {to}) != colour:"):
                script.line(f"{whole} = False")
    place, before, seen = (script.out.fresh(name) for name in ("place", "before", "seen"))
    for name in (place, before, seen):
        script.line(f"{name} = 0")
    with script.block(f"while {whole} and {place} < {size}:"):
        here, on = script.local("here", f"{loop}[{place}]"), script.out.fresh("on")
        script.line(f"{on} = -1")
        with script.block(f"if what_at(s, {here}) == what:"):
            with each_step(script, heading(script, node.arguments.get("directions"), here), here) as to:
                with script.block(f"if {on} < 0 and what_at(s, {to}) == what and {border.has(to)}:"):
                    script.line(f"{on} = {to}")
        with script.block(f"if {on} < 0:"):
            k = script.out.fresh("k")
            script.line(f"{size} -= 1")
            with script.block(f"for {k} in range({place}, {size}):"):
                script.line(f"{loop}[{k}] = {loop}[{k} + 1]")
            script.line(f"{border.word(f'({here} >> 6)')} &= ~(u64(1) << u64({here} & 63))")
            script.line(f"{place} = {before}")
        with script.block("else:"):
            script.line(f"{seen} += 1")
            with script.block(f"if {seen} >= {size}:"):
                found(group, whole)
            script.line(f"{before} = {place}")
            script.line(f"{place} = 0")
            with script.block(f"while {loop}[{place}] != {on}:"):
                script.line(f"{place} += 1")


@ludeme("bool", "is Blocked")
def _is_blocked(script: Script, node: Bound) -> str:
    """Whether a player's sides cannot be joined any more by his own pieces and empty sites."""
    given = node.arguments
    with script.out.apart():
        if not owned_parts(script, node):
            raise script.model.unsupported(node, why="without regions")

    def write() -> str:
        with script.kernel("is_blocked", result="bool", origin=script.place(node)) as name:
            player = script.local("player", script.role(given["role"]) if "role" in given else "i64(s.mover)")
            wanted = script.local("wanted", script.number(given.get("number"), how_many_parts(script, node)))
            parts = [part.kept() for part in owned_parts(script, node)]
            free = ((owned(script, player) & board(script)) | empty(script)).kept()
            script.line(f"blocked = {wanted} != 1 or not {parts[0].some()}")
            reached = blank(script, "reached")
            with (parts[0] & free).kept().each("start") as start, script.block(f"if not {reached.has(start)}:"):
                group = blank(script, "group")
                put(group, start)
                with flooded(script, start, given.get("directions"), group) as to, script.block(f"if {free.has(to)}:"):
                    spread(script, to)
                for k in range(script.layout.words):
                    script.line(f"{reached.word(str(k))} |= {group.word(str(k))}")
                with (
                    (parts[0] & group).kept().each("begin") as begin
                ):  # other regions have to hold another site than it
                    others = (group - single(script, begin)).kept()
                    with script.block(f"if {touched(parts[1:], others)} + 1 >= {wanted} > 0:"):
                        script.line("blocked = False")
            script.line("return blocked")
        return name

    return f"{script.once(('is blocked', id(node), script.modes), write)}(v, c)"


@ludeme("bool", "all Different")
def _all_different(script: Script, node: Bound) -> str:
    """Whether a condition holds on all sites of a region, and no two of them hold the same."""
    if node.family == "puzzle":
        return different(script, node)
    given = node.arguments

    def write() -> str:
        with script.kernel("all_different", result="bool", origin=script.place(node)) as name:
            kinds = len(script.model.components) + 1
            script.line(f"known = array(i64, {kinds})")
            with script.region(given["region"]).kept().each() as site, script.register("site", site):
                with script.block(f"if not ({script.truth(given.get('If'))}):"):
                    script.answer("False")
                with script.block(f"if known[what_at(s, {site})] == 1:"):
                    script.answer("False")
                script.line(f"known[what_at(s, {site})] = 1")
            script.line("return True")
        return name

    return f"{script.once(('all different', id(node), script.modes), write)}(v, c)"
