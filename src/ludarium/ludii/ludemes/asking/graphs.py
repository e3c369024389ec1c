"""Graphs: what touches what, what pieces on edges make together, which edges cross, and what sites cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from ludarium.kernel import u64
from ludarium.ludii.board import SiteType
from ludarium.ludii.board.geometry import crossing_point
from ludarium.ludii.code.regions import Region, blank, put
from ludarium.ludii.code.script import Script, literal, ludeme
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.asking.arrays import sites_of
from ludarium.ludii.ludemes.frame.start import start_rule
from ludarium.ludii.ludemes.moving.moves import span
from ludarium.ludii.ludemes.where.directions import Heading, each_step
from ludarium.ludii.memory import graphs
from ludarium.ludii.memory.spots import count_of, kind_of, spot
from ludarium.ludii.model import walk, word


def _graph(script: Script, *kernels: str) -> str:
    """The table of vertices and edges; kernels that look at it can be called from then on."""
    for name in kernels:
        script.scope[name] = getattr(graphs, name)
    return script.table(graphs.graph_table(script.topology.vertices.count, script.topology.ends), hint="graph")


def _mine(script: Script, fits: Callable[[str], str]) -> str:
    """The edges with pieces that fit, as a set in memory."""
    mine, edge = blank(script, "mine"), script.out.fresh("edge")
    with script.block(f"for {edge} in range({count_of(script, 'Edge')}):"):
        with script.block(f"if {fits(spot(script, 'Edge', edge))}:"):
            script.line(f"{mine.word(f'({edge} >> 6)')} |= u64(1) << u64({edge} & 63)")
    return mine.word("").removesuffix("[]")


def _work(script: Script, kind: SiteType = "Vertex") -> str:
    work = script.out.fresh("work")
    script.line(f"{work} = empty(i64, {graphs.WORK * max(1, count_of(script, kind))})")
    return work


def _apart(script: Script, node: Bound, write: Callable[[], str]) -> str:
    """A condition in a kernel of its own, which does not hold before the first move."""

    def written() -> str:
        with script.kernel("graph", result="bool", origin=script.place(node)) as name:
            if script.topology.edges.count == 0:
                script.line("return False")
            else:
                with script.block("if s.last_to < 0:"):
                    script.line("return False")
                script.line(f"return {write()}")
        return name

    return f"{script.once(('graph', id(node), script.modes), written)}(v, c)"


def _of_owner(script: Script, node: Bound) -> str:
    """The edges with pieces of the number of a player; of nobody, with such as the last move was about."""
    owner = script.local("owner", script.player(node, "role", "who"))
    last = script.local("last", f"what_at(s, {spot(script, 'Edge', 'i64(s.last_to)')})")
    wanted = script.local("wanted", f"({owner} if {owner} != 0 else max({last}, 1))")
    return _mine(script, lambda at: f"what_at(s, {at}) == {wanted}")


@ludeme("bool", "is Tree", "is SpanningTree", "is CaterpillarTree")
def _tree(script: Script, node: Bound) -> str:
    kinds = {"Tree": "is_tree", "SpanningTree": "is_spanning", "CaterpillarTree": "is_caterpillar"}
    name = kinds[word(node.arguments["isType"])]

    def write() -> str:
        return f"{name}({_graph(script, name)}, {_of_owner(script, node)}, {_work(script)})"

    return _apart(script, node, write)


@ludeme("bool", "is RegularGraph")
def _regular(script: Script, node: Bound) -> str:
    given = node.arguments

    def write() -> str:
        graph = _graph(script, "common_degree")
        degree = script.local("degree", f"common_degree({graph}, {_of_owner(script, node)})")
        wanted = script.local("wanted", script.number(given.get("k"), "0"))
        tests = [f"{degree} >= 0", f"({wanted} == 0 or {wanted} == {degree})"]
        tests += [f"(not ({script.truth(given['odd'])}) or {degree} % 2 == 1)"] if "odd" in given else []
        tests += [f"(not ({script.truth(given['even'])}) or {degree} % 2 == 0)"] if "even" in given else []
        return " and ".join(tests)

    return _apart(script, node, write)


def _owned_edges(script: Script, node: Bound) -> str:
    """The edges with pieces of a player, or of all."""
    owner = script.local("owner", script.player(node, "role", "who"))
    everybody = script.layout.players + 1
    return _mine(script, lambda at: f"what_at(s, {at}) != 0 if {owner} == {everybody} else who_at(s, {at}) == {owner}")


@ludeme("bool", "is TreeCentre")
def _centre(script: Script, node: Bound) -> str:
    def write() -> str:
        graph = _graph(script, "is_centre")
        mine, work = _owned_edges(script, node), _work(script)
        return f"s.last_to < {script.topology.vertices.count} and is_centre({graph}, {mine}, i64(s.last_to), {work})"

    return _apart(script, node, write)


@ludeme("bool", "is Path")
def _path(script: Script, node: Bound) -> str:
    """Whether the last move belongs to a path, or to a circle, of some length."""
    given = node.arguments
    if kind_of(script, node) != "Edge":
        return _apart(script, node, lambda: _path_of_sites(script, node, kind_of(script, node)))
    closed = script.truth(given.get("closed"), "False")

    def write() -> str:
        graph = _graph(script, "circle_size", "path_size", "mark_circles")
        least, most = span(script, given["length"], 0, 10**9)
        edge = script.local("edge", script.number(given.get("from"), "i64(s.last_to)"))
        owner = script.local("owner", script.player(node, "role", "who"))
        mine, work = _mine(script, lambda at: f"who_at(s, {at}) == {owner}"), _work(script)
        with script.block(f"if {edge} < 0 or {edge} >= {script.topology.edges.count}:"):
            script.line("return False")
        with script.block(f"if {closed}:"):
            size = script.local("size", f"circle_size({graph}, {mine}, {edge}, {work})")
            exact = f"{least} == {most} and abs({size}) == {least}"
            wide = f"{least} != {most} and 2 < {size} <= {most}"
            script.line(f"return ({exact}) or ({wide}) or ({size} < 0 and 2 < {most} and -{size} <= {most})")
        with script.block(f"if mark_circles({graph}, {mine}, {edge}, {work}) != 0:"):
            script.line("return False")
        size = script.local("size", f"path_size({graph}, {mine}, {edge}, {work})")
        return f"{size} > 0 and ({size} == {least} if {least} == {most} else {least} < {most} and {size} <= {most})"

    return _apart(script, node, write)


def _path_of_sites(script: Script, node: Bound, kind: SiteType) -> str:
    """The same of neighbouring sites that are no edges; Ludii sees circles among others only if they are triangles."""
    given, topology = node.arguments, script.topology
    closed = script.truth(given.get("closed"), "False")
    if kind == "Cell" and closed != "False":
        raise script.model.unsupported(node, why="circles of cells")
    steps = topology.steps(kind, "Adjacent")
    pairs = sorted({(min(a, b), max(a, b)) for a, reached in enumerate(steps) for b in reached if a != b})
    for name in ("edge_between", "has_triangle", "mark_circles", "path_size"):
        script.scope[name] = getattr(graphs, name)
    graph = script.table(graphs.graph_table(count_of(script, kind), pairs), hint="graph")
    least, most = span(script, given["length"], 0, 10**9)
    site = script.local("site", script.number(given.get("from"), "i64(s.last_to)"))
    owner = script.local("owner", script.player(node, "role", "who"))
    with script.block(f"if {site} < 0 or {site} >= {count_of(script, kind)}:"):
        script.line("return False")
    mine, pair, work = script.out.fresh("mine"), script.out.fresh("pair"), _work(script, kind)
    script.line(f"{mine} = array(u64, {-(-len(pairs) // 64) or 1})")
    firsts, seconds = (script.table([each[k] for each in pairs], hint="pairs") for k in (0, 1))
    with script.block(f"for {pair} in range({len(pairs)}):"):
        tests = (f"who_at(s, {spot(script, kind, f'i64({side}[{pair}])')}) == {owner}" for side in (firsts, seconds))
        with script.block(f"if {' and '.join(tests)}:"):
            script.line(f"{mine}[{pair} >> 6] |= u64(1) << u64({pair} & 63)")
    with each_step(script, Heading((("Adjacent",),), kind=kind), site) as to:
        with script.block(f"if {to} != {site} and who_at(s, {spot(script, kind, to)}) == {owner}:"):
            link = script.local("link", f"edge_between({graph}, {site}, {to})")
            size = script.local("size", f"mark_circles({graph}, {mine}, {link}, {work})")
            triangle = f"2 < {most} and {size} > {most} and has_triangle({graph}, {mine}, {site})"
            with script.block(f"if {closed}:"):
                exact = f"{size} == {least} or ({least} == 3 and {triangle})"
                script.line(f"return ({exact}) if {least} == {most} else 2 < {size} <= {most} or ({triangle})")
            with script.block(f"if {size} != 0:"):
                script.line("return False")
            if kind == "Cell":
                script.line(f"return {most} > 0")
            with script.block(f"if {least} != {most}:"):
                script.line(f"return {most} > {least}")
            script.line(f"return path_size({graph}, {mine}, {link}, {work}) + 1 == {least}")
    alone = f"{least} == 1 {'and' if kind == 'Cell' else 'or'} {most} == 1"
    others = f"{site} != 0 and {most} > {'0' if kind == 'Cell' else least}"
    return f"not ({closed}) and (({alone}) or ({others}))"


def _crossings(script: Script) -> list[tuple[int, ...]]:
    """The edges that cross each edge, not at an end."""
    topology = script.topology
    points = list(zip(topology.vertices.x.tolist(), topology.vertices.y.tolist(), strict=True))
    lines = [(points[a], points[b]) for a, b in topology.ends]
    return [
        tuple(k for k, other in enumerate(lines) if k != edge and crossing_point(*line, *other))
        for edge, line in enumerate(lines)
    ]


@ludeme("region", "sites Crossing")
def _sites_crossing(script: Script, node: Bound) -> Region:
    """The edges with pieces of a player, or of all, that cross an edge."""
    edge = script.local("edge", script.number(node.arguments["at"]))
    owner = script.local("owner", script.player(node, "role", "who"))
    crossed, rows, everybody = _crossings(script), [0], script.layout.players + 1
    for each in crossed:
        rows.append(rows[-1] + len(each))
    starts, sites = (
        script.table(rows, hint="crossings"),
        script.table([k for each in crossed for k in each], hint="crossed"),
    )
    found, at = blank(script), script.out.fresh("at")
    with script.block(f"if 0 <= {edge} < {len(crossed)}:"):
        with script.block(f"for {at} in range({starts}[{edge}], {starts}[{edge} + 1]):"):
            other = script.local("other", f"i64({sites}[{at}])")
            place = script.local("place", spot(script, "Edge", other))
            test = f"what_at(s, {place}) != 0 if {owner} == {everybody} else who_at(s, {place}) == {owner}"
            with script.block(f"if {test}:"):
                put(found, other)
    return found


@ludeme("bool", "is Crossing")
def _is_crossing(script: Script, node: Bound) -> str:
    one, two = (script.local("edge", script.number(node.arguments[slot])) for slot in ("edge1", "edge2"))
    count, words = script.topology.edges.count, script.layout.words
    bits = [0] * max(1, count * words)
    for edge, crossed in enumerate(_crossings(script)):
        for other in crossed:
            bits[edge * words + (other >> 6)] |= 1 << (other & 63)
    table = script.table(bits, u64, "crossings")
    inside = f"0 <= {one} < {count} and 0 <= {two} < {count}"
    return f"({inside} and ({table}[{one} * {words} + ({two} >> 6)] >> u64({two} & 63)) & u64(1) == u64(1))"


@ludeme("int", "edge")
def _edge(script: Script, node: Bound) -> str:
    """The edge between two vertices."""
    if "vA" not in node.arguments:
        raise script.model.unsupported(node, why="without vertices")
    one, two = (script.number(node.arguments[slot]) for slot in ("vA", "vB"))
    return f"edge_between({_graph(script, 'edge_between')}, {one}, {two})"


@start_rule("set Cost")
def _set_cost(script: Script, node: Bound) -> None:
    """What sites cost never changes: it stands in the table of `cost`."""


def _costs(script: Script, kind: SiteType) -> list[int]:
    found = [0] * count_of(script, kind)
    for rule in script.model.start:
        for node in walk(rule):
            if node.family != "start" or node.unit != "set Cost":
                continue
            value = literal(script.number(node.arguments["value"]))
            if value is None or node is not rule:
                raise script.model.unsupported(node, why="costs that are worked out")
            if kind_of(script, node) == kind:
                for site in _cost_sites(script, node):
                    found[site] = value
    return found


def _cost_sites(script: Script, node: Bound) -> tuple[int, ...]:
    given = node.arguments
    if "at" in given:
        sites: tuple[int, ...] | None = (int(script.number(given["at"])),)
    else:
        sites = script.region(given["to"]).sites
    if sites is None:
        raise script.model.unsupported(node, why="sites that are worked out")
    return tuple(site for site in sites if 0 <= site < count_of(script, kind_of(script, node)))


@ludeme("int", "cost")
def _cost(script: Script, node: Bound) -> str:
    """What sites cost together; of cells, if no type is named."""
    given = node.arguments
    kind = kind_of(script, node) if "type" in given else "Cell"
    table, total = script.table([*_costs(script, kind), 0], hint="costs"), script.out.fresh("total")
    script.line(f"{total} = 0")
    with sites_of(script, given.get("in"), given.get("at")) as site:
        with script.block(f"if {site} < {count_of(script, kind)}:"):
            script.line(f"{total} += {table}[{site}]")
    return total


@ludeme("region", "sites Incident")
def _incident(script: Script, node: Bound) -> Region:
    """The sites that touch a site of another type."""
    given = node.arguments
    result, of = word(given["resultType"]), word(given["of"])
    if (result, of) == ("Vertex", "Vertex"):
        raise script.model.unsupported(node, why="vertices of a vertex")
    near = _touching(script, of, result)
    starts, found, at = [0], blank(script), script.out.fresh("at")
    for each in near:
        starts.append(starts[-1] + len(each))
    rows, sites = (
        script.table(starts, hint="incident"),
        script.table([s for each in near for s in each], hint="touched"),
    )
    site = script.local("site", script.number(given["at"]))
    with script.block(f"if 0 <= {site} < {len(near)}:"):
        with script.block(f"for {at} in range({rows}[{site}], {rows}[{site} + 1]):"):
            other = script.local("other", f"i64({sites}[{at}])")
            with script.block(f"if {_belongs(script, node, result, other)}:"):
                put(found, other)
    return found


def _belongs(script: Script, node: Bound, kind: str, site: str) -> str:
    """Whether a site that touches another belongs to whom is asked for."""
    if not {"owner", "roleOwner"} & node.arguments.keys():
        return "True"
    owner = script.local("owner", script.player(node, "roleOwner", "owner"))
    who = script.local("who", f"who_at(s, {spot(script, cast(SiteType, kind), site)})")
    return f"({who} == {owner} or ({who} != 0 and {owner} == {script.layout.players + 1}))"


def _touching(script: Script, of: str, result: str) -> list[list[int]]:
    """For each site of one type, the sites of another that touch it."""
    topology = script.topology
    counts = {kind: topology.sites(kind).count for kind in ("Vertex", "Edge", "Cell")}
    corners: dict[str, Sequence[Sequence[int]]] = {
        "Vertex": [(k,) for k in range(counts["Vertex"])], "Edge": topology.ends, "Cell": topology.corners_of,
    }  # fmt: skip
    pairs: dict[tuple[str, str], Sequence[Sequence[int]]] = {
        ("Edge", "Vertex"): topology.ends, ("Cell", "Vertex"): topology.corners_of, ("Cell", "Edge"): topology.sides_of,
    }  # fmt: skip
    if (of, result) in pairs:
        return [list(each) for each in pairs[of, result]]
    if (result, of) in pairs:
        found: list[list[int]] = [[] for _ in range(counts[of])]
        for number_, touched in enumerate(pairs[result, of]):
            for each in touched:
                found[each].append(number_)
        return found
    shared = corners if of == "Edge" else {"Cell": topology.sides_of}
    sets = [set(each) for each in shared[of]]
    return [[k for k, other in enumerate(sets) if k != site and other & own] for site, own in enumerate(sets)]
