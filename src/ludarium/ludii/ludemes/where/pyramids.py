"""Boards with several layers: what lies below a site, what rests on it, and what is seen from above."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ludarium.kernel import u64
from ludarium.ludii.code.regions import Region, blank, occupied, put
from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.grammar.binder import Bound, Constant
from ludarium.ludii.ludemes.asking.players import players_of
from ludarium.ludii.ludemes.where.directions import Heading, each_step, near_table
from ludarium.ludii.model import items

BELOW, ABOVE = Heading((("Downward",),)), Heading((("Upward",),))
_CORNERS = ("NW", "NE", "SW", "SE")


@ludeme("int", "layer")
def _layer(script: Script, node: Bound) -> str:
    sites = script.topology.sites()
    table = script.table([*sites.layers, -1], hint="layer")
    site = script.local("site", script.number(node.arguments["of"]))
    return f"i64({table}[{site} if 0 <= {site} < {sites.count} else {sites.count}])"


@ludeme("bool", "is Flat")
def _flat(script: Script, node: Bound) -> str:
    """Whether a site is on the ground, or all sites below it are taken."""
    name = script.once(("is flat",), lambda: _flat_kernel(script))
    return f"{name}(v, c, {script.number(node.arguments.get('value'), 'c.to')})"


def _flat_kernel(script: Script) -> str:
    with script.kernel("is_flat", "site: i64", "bool") as name:
        with script.block(f"if site < 0 or site >= {script.model.board_sites}:"):
            script.line("return False")
        with each_step(script, BELOW, "site", "below") as below, script.block(f"if is_empty(s, {below}):"):
            script.line("return False")
        script.line("return True")
    return name


@ludeme("int", "count SitesPlatformBelow")
def _platform(script: Script, node: Bound) -> str:
    """How many of the sites below a site hold pieces of a player, or of some kinds."""
    given = node.arguments
    site = script.local("site", script.number(given.get("at"), "c.to"))
    total = script.out.fresh("total")
    script.line(f"{total} = 0")
    with (
        script.block(f"if 0 <= {site} < {script.model.board_sites}:"),
        each_step(script, BELOW, site, "below") as below,
    ):
        if "what" in given or "whats" in given:
            kinds = [given["what"]] if "what" in given else items(given["whats"])
            tests = [f"what_at(s, {below}) == {script.number(each)}" for each in kinds]
        elif "who" in given:
            tests = [f"who_at(s, {below}) == {player}" for player in players_of(script, node, "who", "", "All")]
        else:
            tests = [f"not is_empty(s, {below})"]
        with script.block(f"if {' or '.join(tests)}:"):
            script.line(f"{total} += 1")
    return total


def asks_visible(script: Script, node: Bound) -> bool:
    """Whether only what is seen from above counts."""
    given = node.arguments.get("isVisible")
    if given is None:
        return False
    if not isinstance(given, Constant):
        raise script.model.unsupported(node, why="visible or not, as the game goes")
    return bool(given.value)


def covered(script: Script, site: str) -> str:
    """Whether a piece lies straight above a site, however high."""
    return f"{script.once(('is covered',), lambda: _covered_kernel(script))}(v, c, {site})"


def and_seen(script: Script, site: str, visible: bool) -> str:  # noqa: FBT001
    """The rest of a condition: that nothing covers a site, where only what is visible counts."""
    return f" and not {covered(script, site)}" if visible else ""


def hidden_link(script: Script, site: str, other: str) -> str:
    """Whether two pieces or more lie on where two sites touch, so that nobody sees it."""
    return f"({_roof(script)}(v, c, {site}, {other}) & 3 > 1)"


def roofed_over(script: Script, site: str, other: str) -> str:
    """Whether pieces lie on all that two sites carry together."""
    return f"({_roof(script)}(v, c, {site}, {other}) >= 4)"


def _covered_kernel(script: Script) -> str:
    sites, words = script.topology.sites(), script.layout.words
    above = [0] * (script.layout.sites * words)
    for site in range(sites.count):
        same = np.isclose(sites.x, sites.x[site]) & np.isclose(sites.y, sites.y[site])
        for other in np.flatnonzero(same):
            if other > site:
                above[site * words + (int(other) >> 6)] |= 1 << (int(other) & 63)
    table, pieces = script.table(above, u64, "straight_above"), occupied(script)
    with script.kernel("is_covered", "site: i64", "bool") as name:
        with script.block(f"for k in range({words}):"):
            with script.block(f"if {table}[site * {words} + k] & {pieces.word('k')} != u64(0):"):
                script.line("return True")
        script.line("return False")
    return name


def _roof(script: Script) -> str:
    """The kernel of what lies on two sites: 2 if there are several pieces, and 4 more if all places are taken."""

    def write() -> str:
        words, above, pieces = script.layout.words, near_table(script, ABOVE), occupied(script)
        with script.kernel("roof", "site: i64, other: i64", "i64") as name:
            script.line("places = 0")
            script.line("taken = 0")
            with script.block(f"for k in range({words}):"):
                script.line(f"both = {above}[site * {words} + k] & {above}[other * {words} + k]")
                script.line("places += i64(popcount(both))")
                script.line(f"taken += i64(popcount(both & {pieces.word('k')}))")
            script.line("return (2 if taken >= 2 else 0) + (4 if taken > 0 and taken == places else 0)")
        return name

    return script.once(("roof",), write)


@ludeme("region", "sites Support")
def _support(script: Script, node: Bound) -> Region:
    """The sites that carry a piece, or one of a kind."""
    given = node.arguments.get("index")
    kind = script.local("kind", script.number(given))
    test = f"what_at(s, {{}}) == {kind} or ({kind} == -1 and not is_empty(s, {{}}))"
    found, site = blank(script), script.out.fresh("site")
    with script.block(f"for {site} in range({script.model.board_sites}):"):
        for corner in _CORNERS:
            with each_step(script, Heading(((f"U{corner}",),)), site, "above") as above:
                with script.block(f"if {test.format(above, above)}:"):
                    put(found, site)
    return found


@ludeme("bool", "is Freedom")
def _freedom(script: Script, node: Bound) -> str:
    """Whether a free site of the ground is beside a region, another one than where a piece is to be placed."""
    given = node.arguments
    taken = script.local("taken", script.number(given.get("toPlace")))
    region = script.region(given["in"]).kept()
    layers = script.table(script.topology.sites().layers, hint="layer")
    found = script.out.fresh("free")
    script.line(f"{found} = False")
    with region.each() as site, script.block(f"if {site} < {script.model.board_sites}:"):
        with each_step(script, Heading((("N", "S", "W", "E"),)), site, "beside") as beside:
            with script.block(f"if {beside} != {taken} and is_empty(s, {beside}) and {layers}[{beside}] == 0:"):
                script.line(f"{found} = True")
    return found


@ludeme("bool", "is PyramidCorners")
def _pyramid_corners(script: Script, node: Bound) -> str:
    """Whether a site and the four corners of a pyramid below or above it, of any size, hold the same kind of piece."""
    given = node.arguments
    name = script.once(("pyramid corners",), lambda: _corners_kernel(script))
    if "froms" not in given:
        return f"{name}(v, c, {script.number(given.get('from'), 'i64(s.last_to)')})"
    found = script.out.fresh("corners")
    script.line(f"{found} = False")
    with script.region(given["froms"]).each() as site, script.block(f"if not {found}:"):
        script.line(f"{found} = {name}(v, c, {site})")
    return found


def _corners_kernel(script: Script) -> str:
    with script.kernel("has_corners", "site: i64", "bool") as name:
        with script.block(f"if site < 0 or site >= {script.model.board_sites}:"):
            script.line("return False")
        for way in ("D", "U"):
            table = script.table(_next_corners(script, way), hint="corners")
            script.line("at = empty(i64, 4)")
            for k in range(4):
                script.line(f"at[{k}] = site")
            script.line("goes = True")
            with script.block("while goes:"):
                for k in range(4):
                    script.line(f"at[{k}] = i64({table}[4 * at[{k}] + {k}]) if at[{k}] >= 0 else -1")
                script.line("goes = at[0] >= 0 and at[1] >= 0 and at[2] >= 0 and at[3] >= 0")
                same = " and ".join(f"what_at(s, at[{k}]) == what_at(s, site)" for k in range(4))
                with script.block(f"if goes and {same}:"):
                    script.line("return True")
        script.line("return False")
    return name


def _next_corners(script: Script, way: str) -> list[int]:
    """Where each site leads to, down or up, in the four slanting directions; -1 where that is not one site."""
    kind, found = script.topology.default_type, []
    steps: list[Callable[[int], tuple[int, ...]]] = [
        script.topology.steps(kind, f"{way}{corner}").__getitem__ for corner in _CORNERS
    ]
    for site in range(script.model.board_sites):
        found += [step(site)[0] if len(step(site)) == 1 else -1 for step in steps]
    return found
