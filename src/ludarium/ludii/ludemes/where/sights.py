"""Lines of sight: what lies in a direction, around, between."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludarium.ludii.board import SiteType
from ludarium.ludii.code.regions import Region, blank, put
from ludarium.ludii.code.script import Script, literal, ludeme
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.asking.arrays import sites_of
from ludarium.ludii.ludemes.moving.moves import span
from ludarium.ludii.ludemes.where.directions import (
    Heading,
    by_facing,
    each_radial,
    each_step,
    heading,
    relative_ones,
)
from ludarium.ludii.memory.spots import count_of, is_empty, kind_of, spot
from ludarium.ludii.model import bound, walk, word


@ludeme("region", "sites Direction")
def _direction(script: Script, node: Bound) -> Region:
    given = node.arguments
    found = blank(script)
    most = script.local("most", script.number(given.get("distance"), str(10**9)))
    stop_in = script.settled(node, "stopIncluded")
    with sites_of(script, given.get("From"), given.get("from")) as origin:
        if "included" in given:
            with script.block(f"if {script.truth(given['included'])}:"):
                put(found, origin)
        with script.block(f"if {origin} < {script.model.board_sites}:"):
            where = heading(script, given.get("directions"), origin)
            with each_radial(script, where, origin) as (_, at, end, sites):
                left = script.out.fresh("left")
                script.line(f"{left} = {most}")
                with script.block(f"while {at} < {end} and {left} > 0:"):
                    site = script.local("site", f"i64({sites}[{at}])")
                    script.line(f"{at} += 1")
                    script.line(f"{left} -= 1")
                    stops = "False"
                    if "stop" in given:
                        with script.register("to", site):
                            stops = script.local("stops", script.truth(given["stop"]))
                    with script.block(f"if {stops}:"):
                        script.line(f"{left} = 0")
                        if stop_in:
                            put(found, site)
                    with script.block("else:"):
                        put(found, site)
    return found


@ludeme("region", "sites LineOfSight")
def _line_of_sight(script: Script, node: Bound) -> Region:
    given = node.arguments
    kind = word(given["typeLoS"]) if "typeLoS" in given else "Piece"
    at_site = script.local("viewer", script.number(given.get("at"), "i64(s.last_to)"))
    found = blank(script)
    with script.block(f"if 0 <= {at_site} < {script.model.board_sites}:"):
        where = heading(script, given.get("directions"), at_site)
        with each_radial(script, where, at_site) as (_, at, end, sites):
            last = script.out.fresh("last")
            script.line(f"{last} = -1")
            with script.block(f"while {at} < {end}:"):
                site = script.local("site", f"i64({sites}[{at}])")
                script.line(f"{at} += 1")
                with script.block(f"if is_empty(s, {site}):"):
                    script.line(f"{last} = {site}")
                    if kind == "Empty":
                        put(found, site)
                with script.block("else:"):
                    if kind == "Piece":
                        put(found, site)
                    script.line(f"{at} = {end}")
            if kind == "Farthest":
                with script.block(f"if {last} >= 0:"):
                    put(found, last)
    return found


@ludeme("region", "sites Around")
def _around(script: Script, node: Bound) -> Region:
    given = node.arguments
    far = script.local("far", script.number(given.get("distance"), "1"))
    direction = word(given["directions"]) if "directions" in given else "Adjacent"
    origins, of = blank(script), kind_of(script, node, "typeLoc")
    with sites_of(script, given.get("regionWhere"), given.get("where")) as origin:
        with script.block(f"if {origin} < {count_of(script, of)}:"):
            put(origins, origin)
    found = blank(script)
    kind = word(given["type"]) if "type" in given else ""
    where = Heading(((direction,),), kind=of)
    with origins.each("centre") as centre, each_radial(script, where, centre) as (_, at, end, sites):
        with script.block(f"if {far} > 0 and {at} + {far} <= {end}:"):
            to = script.local("to", f"i64({sites}[{at} + {far} - 1])")
            tests = [_fits(script, kind, of, to)] if kind else []
            if "If" in given:
                with script.register("from_", centre), script.register("to", to):
                    tests.append(script.local("holds", script.truth(given["If"])))
            with script.block(f"if {' and '.join(tests) or 'True'}:"):
                put(found, to)
    if script.settled(node, "includeSelf"):
        return found | origins
    return found - origins


def _fits(script: Script, kind: str, of: SiteType, site: str) -> str:
    """Whether what stands on a site of a type is of a kind, seen by the mover."""
    who, everybody = script.local("who", f"who_at(s, {spot(script, of, site)})"), script.layout.players + 1
    own, teams = f"({who} == i64(s.mover) or {who} == {everybody})", "team" in script.layout.state.fields
    other = f"s.team[{who}] != s.team[s.mover]" if teams else f"{who} != i64(s.mover)"
    enemy = f"(0 < {who} < {everybody} and {other})"
    no_enemy = f"({enemy} or {who} == {everybody})" if teams else own  # in teams Ludii says no and means yes
    return {
        "Empty": is_empty(script, of, site), "NotEmpty": f"not {is_empty(script, of, site)}", "Own": own,
        "NotOwn": f"(not {is_empty(script, of, site)} and not {own})",
        "Enemy": enemy, "NotEnemy": no_enemy,
    }[kind]  # fmt: skip


@ludeme("region", "sites Between")
def _between(script: Script, node: Bound) -> Region:
    """What lies between two sites, on the first line that joins them; nothing if one of them is not on the board."""
    given, count = node.arguments, script.model.board_sites
    first, last = (script.local(end, script.number(given[end])) for end in ("from", "to"))
    found, meets, row = blank(script), script.out.fresh("meets"), script.out.fresh("k")
    with (
        script.block(f"if 0 <= {first} < {count} and 0 <= {last} < {count}:"),
        script.register("from_", first),
        script.register("to", last),
    ):
        for end, site in (("fromIncluded", first), ("toIncluded", last)):
            if end in given:
                with script.block(f"if {script.truth(given[end])}:"):
                    put(found, site)
        where = heading(script, given.get("directions"), first)
        script.line(f"{meets} = False")
        with each_radial(script, where, first) as (_, at, end, sites), script.block(f"if not {meets}:"):
            start = script.local("start", at)
            with script.block(f"while {at} < {end} and not {meets}:"):
                script.line(f"{meets} = {sites}[{at}] == {last}")
                script.line(f"{at} += 1")
            with script.block(f"if {meets}:"), script.block(f"for {row} in range({start}, {at} - 1):"):
                site = script.local("site", f"i64({sites}[{row}])")
                with script.register("between", site), script.block(f"if {script.truth(given.get('cond'))}:"):
                    put(found, site)
    return found


_NEAREST = ("Adjacent", "All", "OffDiagonal", "Diagonal", "Orthogonal")
"""Of the relations by which a game counts steps, all steps are counted by the one that comes first here, as in Ludii."""


def _distances(script: Script) -> NDArray[np.int32]:
    """How many steps it is from each site to each."""
    asked = set()
    for node in walk(script.model.root):
        if node.unit in ("count Steps", "sites Distance") and "stepMove" not in node.arguments:
            asked.add(word(node.arguments["relation"]) if "relation" in node.arguments else "Adjacent")
    relation = next(each for each in _NEAREST if each in asked)
    return script.topology.distances(script.topology.default_type, relation).ravel()


@ludeme("int", "count Steps")
def _count_steps(script: Script, node: Bound) -> str:
    given = node.arguments
    if "stepMove" in given:
        return _steps_by_rule(script, node)
    count, table = script.model.board_sites, script.table(_distances(script), hint="distances")
    first = script.local("site", script.number(given["site1"]))
    best = script.out.fresh("best")
    script.line(f"{best} = -1")
    with (
        script.block(f"if 0 <= {first} < {count}:"),
        sites_of(script, given.get("region2"), given.get("site2")) as other,
    ):
        with script.block(f"if {other} < {count}:"):
            far = script.local("far", f"i64({table}[{first} * {count} + {other}])")
            with script.block(f"if {best} < 0 or {far} < {best}:"):
                script.line(f"{best} = {far}")
    return f"max({best}, 0)"


__all__ = ["literal"]


@ludeme("region", "sites Distance")
def _sites_distance(script: Script, node: Bound) -> Region:
    """The sites that are so many steps away."""
    given, count = node.arguments, script.model.board_sites
    start, found, site = script.local("start", script.number(given["from"])), blank(script), script.out.fresh("site")
    least, most = span(script, given["distance"], 0, 10**9)
    with script.block(f"if 0 <= {start} < {count} and {least} >= 0:"):
        if "stepMove" in given:
            far = script.out.fresh("far")
            script.line(f"{far} = empty(i64, {count})")
            script.line(f"{_flood_kernel(script, node)}(v, c, {start}, {far})")
            away = f"{far}[{site}]"
            least, most = (
                script.local("bound", f"max(1, {each})") for each in (least, most)
            )  # the first step always counts
        else:
            away = f"i64({script.table(_distances(script), hint='distances')}[{start} * {count} + {site}])"
        with script.block(f"for {site} in range({count}):"):
            steps = script.local("steps", away)
            reached = f"({steps} > 0 or {site} == {start})"  # where no way leads is no steps away
            with script.block(f"if {reached} and {least} <= {steps} <= {most}:"):
                put(found, site)
    return found


def _steps_by_rule(script: Script, node: Bound) -> str:
    """How many steps of a rule lead to the nearest of some sites."""
    given, count = node.arguments, script.model.board_sites
    start = script.local("site", script.number(given["site1"]))
    best, some = script.out.fresh("best"), script.out.fresh("some")
    script.line(f"{best} = {10**9}")
    script.line(f"{some} = False")
    far = script.out.fresh("far")
    script.line(f"{far} = empty(i64, {count})")
    with script.block(f"if 0 <= {start} < {count}:"):
        script.line(f"{_flood_kernel(script, node)}(v, c, {start}, {far})")
    with sites_of(script, given.get("region2"), given.get("site2")) as other:
        script.line(f"{some} = True")
        with script.block(f"if 0 <= {start} < {count} and {other} < {count}:"):
            with script.block(f"if 0 <= {far}[{other}] < {best}:"):
                script.line(f"{best} = {far}[{other}]")
    return f"({best} if {some} and {start} >= 0 else 0)"


def _flood_kernel(script: Script, node: Bound) -> str:
    """The kernel that finds how many steps of a rule lead from a site to each; the piece of the site says what is forward.

    It may turn with every step: as in Ludii once for each site that is come to, in the order in which they are, not of each way.
    """
    step, turns = bound(node.arguments["stepMove"]).arguments, node.arguments.get("newRotation")
    names, relation = relative_ones(step.get("directions"))

    turning = turns is not None and bool(names)

    def write() -> str:
        count = script.model.board_sites
        with script.kernel("steps_from", "start: i64, far: view[i64]", origin=script.place(node)) as name:
            script.line(f"waiting = empty(i64, {count})")
            with script.block(f"for k in range({count}):"):
                script.line("far[k] = -1")
            for line in ("far[start] = 0", "waiting[0] = start", "head = 0", "tail = 1"):
                script.line(line)
            if turning:
                script.line(
                    "often = " + ("i64(s.rotation[slot_of(s, start, -1)])" if script.layout.rotations else "0 + 0")
                )
            with script.block("while head < tail:"):
                script.line("here = waiting[head]")
                script.line("head += 1")
                if turning:
                    with script.block("if head > 1:"), script.register("value", "often"):
                        script.line(f"often = {script.number(turns)}")
                with script.register("from_", "here"):
                    if turning:
                        where = by_facing(script, names, relation, "start", often="often")
                    else:
                        where = heading(script, step.get("directions"), "start")
                    with each_step(script, where, "here") as to, script.register("to", to):
                        with script.block(f"if far[{to}] < 0:"):
                            with script.block(f"if {script.truth(bound(step['to']).arguments.get('If'))}:"):
                                script.line(f"far[{to}] = far[here] + 1")
                                script.line(f"waiting[tail] = {to}")
                                script.line("tail += 1")
        return name

    return script.once(("steps by rule", id(node), script.modes), write)
