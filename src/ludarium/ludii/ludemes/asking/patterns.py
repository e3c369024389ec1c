"""Patterns of pieces along walks of steps and turns, and sites that are related."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludarium.kernel import u64
from ludarium.ludii.code.regions import Region, add_all, blank, put
from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.asking.arrays import sites_of
from ludarium.ludii.ludemes.moving.going import walk_tables
from ludarium.ludii.ludemes.where.directions import COMPASS, Heading, near_table
from ludarium.ludii.memory.spots import count_of, kind_of
from ludarium.ludii.model import items, number, text, word


def _trails(script: Script, walk: Sequence[str]) -> tuple[str, str, int]:
    """The sites that a walk passes from each site, itself first, in each direction in which it stays on the board."""
    rings = _rings(script)
    starts, sites, length = [0], [], 1 + sum(each == "F" for each in walk)
    for site in range(script.model.board_sites):
        for ring in rings:
            for first in range(len(ring)):
                passed, way = [site], first
                for each in walk:
                    if each != "F":
                        way = (way + (1 if each == "R" else -1)) % len(ring)
                    elif onwards := ring[way][passed[-1]]:
                        passed.append(onwards[-1])
                    else:
                        break
                if len(passed) == length:
                    sites += passed
        starts.append(len(sites))
    return script.table(starts, hint="trails"), script.table(sites, hint="passed"), length


def _rings(script: Script) -> list[list[Sequence[Sequence[int]]]]:
    """The steps in directions that one turns through to the right: on the level, down, and up."""
    kind = script.topology.default_type
    ways = script.topology.supported(kind, "Orthogonal")
    down = [f"D{way}" for way in COMPASS if f"D{way}" in ways]
    if ways.count("DSW") == 2:  # Ludii goes south-west where it means north-west
        down = [*down, "DSW"]
    turns = [[way for way in ways if way in COMPASS], down, [f"U{way}" for way in COMPASS if f"U{way}" in ways]]
    return [[script.topology.steps(kind, way) for way in ring] for ring in turns]


@ludeme("bool", "is Pattern")
def _is_pattern(script: Script, node: Bound) -> str:
    if "froms" in node.arguments or "walk" not in node.arguments:
        raise script.model.unsupported(node, why="from several sites")
    found = script.out.fresh("pattern")
    script.line(f"{found} = False")
    _matches(script, node, lambda *_: script.line(f"{found} = True"))
    if {"what", "whats"} & node.arguments.keys():
        return found
    start = script.local("start", script.number(node.arguments.get("from"), "i64(s.last_to)"))
    return f"({found} and not is_empty(s, {start}))"  # nothing is no pattern; of its sites it is one in Ludii


@ludeme("region", "sites Pattern")
def _sites_pattern(script: Script, node: Bound) -> Region:
    region = blank(script)
    _, sites, _length = _trails(script, [word(each) for each in items(node.arguments["walk"])])
    k = script.out.fresh("k")

    def take(at: str, length: int) -> None:
        with script.block(f"for {k} in range({at}, {at} + {length}):"):
            put(region, f"i64({sites}[{k}])")

    _matches(script, node, take)
    return region


def _matches(script: Script, node: Bound, found: Callable[[str, int], None]) -> None:
    """Write what is done for each walk along which the pieces of a pattern stand."""
    given = node.arguments
    starts, sites, length = _trails(script, [word(each) for each in items(given["walk"])])
    start = script.local("start", script.number(given.get("from"), "i64(s.last_to)"))
    kinds = [given["what"]] if "what" in given else items(given.get("whats"))
    with script.block(f"if 0 <= {start} < {script.model.board_sites}:"):
        whats = [script.local("kind", script.number(each)) for each in kinds] or [
            script.local("kind", f"what_at(s, {start})")
        ]
        at = script.out.fresh("at")
        with script.block(f"for {at} in range({starts}[{start}], {starts}[{start} + 1], {length}):"):
            tests = [f"what_at(s, i64({sites}[{at} + {k}])) == {whats[k % len(whats)]}" for k in range(length)]
            with script.block(f"if {' and '.join(tests)}:"):
                found(at, length)


@ludeme("region", "sites (SitesWalk)")
def _walked(script: Script, node: Bound) -> Region:
    """Where walks of steps and turns end."""
    given = node.arguments
    rotations = script.settled(node, "rotations", default=True)
    walks = [[word(step) for step in items(walk)] for walk in items(given["possibleSteps"])]
    starts, targets = walk_tables(script, walks, rotations=rotations)
    site = script.local("site", script.number(given.get("index"), "c.from_"))
    found, at = blank(script), script.out.fresh("at")
    with script.block(f"if 0 <= {site} < {script.model.board_sites}:"):
        with script.block(f"for {at} in range({starts}[{site}], {starts}[{site} + 1]):"):
            put(found, f"i64({targets}[{at}])")
    return found


@ludeme("region", "forEach (ForEachSiteInRegion)")
def _each_in(script: Script, node: Bound) -> Region:
    """What regions come to that are worked out for each site of another."""
    found = blank(script)
    with script.region(node.arguments["of"]).kept().each() as site, script.register("site", site):
        add_all(found, script.region(node.arguments["region"]))
    return found


@ludeme("bool", "is Related")
def _related(script: Script, node: Bound) -> str:
    given, kind, words = node.arguments, kind_of(script, node), script.layout.words
    count, relation = count_of(script, kind), word(given["relationType"])
    near = (
        _touching_edges(script, relation) if kind == "Edge" else near_table(script, Heading(((relation,),), kind=kind))
    )
    found, first = script.out.fresh("related"), script.local("first", script.number(given["siteA"]))
    script.line(f"{found} = False")
    with sites_of(script, given.get("region"), given.get("siteB")) as other:
        with script.block(f"if 0 <= {first} < {count} and 0 <= {other} < {count}:"):
            bit = f"({near}[{first} * {words} + ({other} >> 6)] >> u64({other} & 63)) & u64(1)"
            with script.block(f"if {bit} == u64(1):"):
                script.line(f"{found} = True")
    return found


def _touching_edges(script: Script, relation: str) -> str:
    """The edges that share an end with each edge, itself among them; there are none at a corner only."""
    words, ends = script.layout.words, script.topology.ends
    near = [0] * (script.layout.sites * words)
    for edge, mine in enumerate(ends):
        for other, its in enumerate(ends):
            if relation in ("Adjacent", "Orthogonal", "All") and set(mine) & set(its):
                near[edge * words + (other >> 6)] |= 1 << (other & 63)
    return script.table(near, u64, "near")


@ludeme("bool", "is Within")
def _within(script: Script, node: Bound) -> str:
    """Whether a kind of piece stands somewhere in a region."""
    given, layout = node.arguments, script.layout
    if "what" not in given:
        raise script.model.unsupported(node, why="without a piece")
    what = script.local("what", script.number(given["what"]))
    found, level = script.out.fresh("within"), script.out.fresh("level")
    script.line(f"{found} = False")
    region = given.get("in")
    last = None if region is not None or "at" in given else "i64(s.last_to)"
    sites = blank(script)
    if last is not None:
        put(sites, last)
    elif region is not None:
        sites = script.region(region).kept()
    else:
        put(sites, script.number(given["at"]))
    with sites.each() as site:
        if layout.stacking:
            with script.block(f"for {level} in range(s.height[{site}]):"):
                with script.block(f"if s.what[{site} * {layout.height} + {level}] == {what}:"):
                    script.line(f"{found} = True")
        else:
            with script.block(f"if {what} > 0 and s.what[{site}] == {what}:"):
                script.line(f"{found} = True")
    return found


@ludeme("bool", "is Target")
def _is_target(script: Script, node: Bound) -> str:
    """Whether pieces lie as they should: of each kind on its site, or on one of some sites from the bottom up."""
    given, model = node.arguments, script.model
    other = "containerIdFn" in given and script.number(given["containerIdFn"]) != "0"
    if other or ("containerName" in given and text(given["containerName"]) != "Board"):
        raise model.unsupported(node, why="in a container")
    wanted = [number(each) for each in items(given["configuration"])]
    sites = [number(given["specificSite"])] if "specificSite" in given else None
    sites = [number(each) for each in items(given["specificSites"])] if "specificSites" in given else sites
    if any(not 0 <= site < model.board_sites for site in sites or ()):
        raise model.wrong(node, "a target is on the board", f"its sites are 0 to {model.board_sites - 1}")
    if script.layout.stacking:
        if sites is None:
            raise model.unsupported(node, why="of stacks, wherever they are")
        height = script.layout.height
        stacks = []
        for site in sites:
            levels = "".join(f" and s.what[{site * height + k}] == {what}" for k, what in enumerate(wanted))
            stacks.append(f"(s.height[{site}] == {len(wanted)}{levels})")
        return "(" + " or ".join(stacks) + ")"
    if sites is None:
        sites = list(range(model.board_sites))
        if len(wanted) != script.topology.cells.count:
            return "False"
    if len(wanted) != len(sites):
        return "False"
    return "(" + " and ".join(f"s.what[{site}] == {what}" for site, what in zip(sites, wanted, strict=True)) + ")"
