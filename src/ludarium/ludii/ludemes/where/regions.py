"""Sets of sites."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import cast

from ludarium.ludii.board import Sites, SiteType
from ludarium.ludii.code.regions import Region, add_all, blank, chosen, fixed, occupied, put, single
from ludarium.ludii.code.script import Script, literal, ludeme
from ludarium.ludii.code.sinks import Ends, into
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.ludemes.where.directions import each_step, heading
from ludarium.ludii.memory.spots import kind_of
from ludarium.ludii.model import bound, items, text, word


def board(script: Script, kind: SiteType | None = None) -> Region:
    """All sites of the board, of a type or of the usual one."""
    return fixed(script, range(script.topology.sites(kind).count))


def empty(script: Script, kind: SiteType | None = None) -> Region:
    """The sites of the board without pieces."""
    found = board(script, kind) - occupied(script, kind)
    return found - Region(script, lambda k: f"s.covered[{k}]") if script.layout.large else found


@ludeme("region", "sites Empty")
def _empty(script: Script, node: Bound) -> Region:
    if "index" not in node.arguments:
        return empty(script, kind_of(script, node, "elementType"))

    def empty_in(number: int) -> Region:
        if number <= 0:
            return empty(script, kind_of(script, node, "elementType"))
        container = script.topology.containers[number]
        return fixed(script, range(container.first, container.first + container.count)) - occupied(script)

    number, last = script.number(node.arguments["index"]), len(script.topology.containers) - 1
    known = literal(number)
    if known is not None and known > last:
        raise script.model.wrong(node, f"there is no container {known}", f"they go from 0 to {last}")
    if known is not None:
        return empty_in(known)
    found, number = blank(script), script.local("container", number)
    for k in range(last + 1):
        with script.block(f"if {number} == {k}:" if k else f"if {number} <= 0:"):
            add_all(found, empty_in(k))
    return found


@ludeme(
    "region", "sites Board", "sites Top", "sites Bottom", "sites Left", "sites Right", "sites Inner", "sites Outer",
    "sites Perimeter", "sites Corners", "sites ConcaveCorners", "sites ConvexCorners", "sites Major", "sites Minor",
    "sites Centre",
)  # fmt: skip
def _static(script: Script, node: Bound) -> Region:
    kind, sites = word(node.arguments["regionType"]), _sites_of_type(script, node)
    return _of_board(script, node, range(sites.count) if kind == "Board" else sites.groups[kind])


@ludeme("region", *(f"sites {kind}" for kind in ("Axial", "Horizontal", "Vertical", "Angled", "Slash", "Slosh")))
def _edges(script: Script, node: Bound) -> Region:
    """The edges of the board that lie in a direction."""
    return _of_board(script, node, script.topology.sites("Edge").groups[word(node.arguments["regionType"])])


@ludeme("region", "sites Cell", "sites Edge")
def _corners(script: Script, node: Bound) -> Region:
    """The vertices of a cell or of an edge."""
    topology = script.topology
    groups = topology.corners_of if word(node.arguments["regionType"]) == "Cell" else topology.ends
    _of_board(script, node, range(topology.vertices.count))
    return chosen(script, script.number(node.arguments.get("index")), groups)


def _of_board(script: Script, node: Bound, found: Iterable[int]) -> Region:
    """Some sites, if the game knows their numbers."""
    if max(found, default=-1) >= script.layout.sites:
        raise script.model.unsupported(node, why="it has sites of another type than the board")
    return fixed(script, found)


def _listed(script: Script, values: Sequence[Value], sites: Sequence[int]) -> Region:
    """Sites that are written one by one."""
    for value, site in zip(values, sites, strict=True):
        if site >= script.layout.sites:
            raise script.model.wrong(value, f"there is no site {site}", f"they go from 0 to {script.layout.sites - 1}")
    return fixed(script, sites)


def _sites_of_type(script: Script, node: Bound, slot: str = "elementType") -> Sites:
    """The sites of the type that a ludeme names, or of the usual one."""
    given = node.arguments
    return script.topology.sites(cast(SiteType, word(given[slot])) if slot in given else None)


@ludeme("region", "sites Row", "sites Column", "sites Phase", "sites Layer")
def _indexed(script: Script, node: Bound) -> Region:
    kind, sites = word(node.arguments["regionType"]), _sites_of_type(script, node)
    groups = {"Row": sites.row_sites, "Column": sites.column_sites, "Phase": sites.phases, "Layer": sites.layer_sites}[
        kind
    ]
    return chosen(script, script.number(node.arguments["index"]), groups)


@ludeme("region", "sites (SitesCoords)")
def _coords(script: Script, node: Bound) -> Region:
    labels = _sites_of_type(script, node).by_label
    return fixed(script, [labels[text(each)] for each in items(node.arguments["coords"]) if text(each) in labels])


@ludeme("region", "sites (SitesCustom)")
def _custom(script: Script, node: Bound) -> Region:
    if "array" in node.arguments:
        found = blank(script)
        with script.numbers(node.arguments["array"]).each() as site:
            put(found, site)
        return found
    values = items(node.arguments["sites"])
    sites = [script.number(each) for each in values]
    known = [each for each in map(literal, sites) if each is not None]
    if len(known) == len(sites):
        return _listed(script, values, known)
    found = blank(script)
    for site in sites:
        put(found, site)
    return found


@ludeme("region", "sites (SitesEquipmentRegion)")
def _equipment(script: Script, node: Bound) -> Region:
    given = node.arguments
    name = text(given["name"]) if "name" in given else ""
    if "role" not in given and "player" not in given:
        labels = _sites_of_type(script, node, "siteType").by_label
        if name in labels:
            return fixed(script, [labels[name]])
        found = fixed(script, ())
        for _, title, region in named_regions(script):
            if title == name:
                found |= region()
        return found

    def owned_by(owner: int) -> Region:
        joined = fixed(script, ())
        for of, title, region in named_regions(script):
            if of == owner and name in title:
                joined |= region()
        return joined

    player = script.player(node)
    known = literal(player)
    if known is not None:
        return owned_by(known)
    player = script.local("player", player)
    with script.out.apart() as lines:
        regions = [owned_by(owner) for owner in range(script.layout.players + 2)]
    groups = [each.sites for each in regions if each.sites is not None]
    if len(groups) == len(regions):
        return chosen(script, player, groups)
    script.out.paste(lines)
    found = blank(script)
    for owner, own in enumerate(regions):
        if own.sites != ():
            with script.block(f"if {player} == {owner}:"):
                add_all(found, own)
    return found


def named_regions(script: Script) -> list[tuple[int, str, Callable[[], Region]]]:
    """The regions of the equipment: whose they are, their names, and what finds their sites: one may be made of others."""
    found: list[tuple[int, str, Callable[[], Region]]] = []
    for item in script.topology.regions:
        given = item.arguments
        role = word(given["role"]) if "role" in given else "Neutral"
        for owner in script.model.owners(item, role):
            name = text(given["name"]) if "name" in given else f"Region{role}"
            found.append((owner, name, lambda item=item: _region_of(script, item)))  # type: ignore[misc]
    return found


def region_parts(script: Script, item: Bound) -> list[Region]:
    """The regions that one item of the equipment lists."""
    given = item.arguments
    if "sites" in given:
        values = items(given["sites"])
        return [_listed(script, values, [int(script.number(each)) for each in values])]
    if "staticRegion" in given or "staticRegions" in given:
        kinds = [given["staticRegion"]] if "staticRegion" in given else items(given["staticRegions"])
        return [part for each in kinds for part in static_regions(script, item, word(each))]
    return [
        script.region(each) for each in ([given["regionFn"]] if "regionFn" in given else items(given.get("regionsFn")))
    ]


def static_regions(script: Script, node: Bound, kind: str) -> list[Region]:
    """The regions of a kind that boards have by themselves: one for each corner, side, row and so on."""
    sites = script.topology.sites()
    gone = set(sites.corners)
    groups: dict[str, Sequence[Sequence[int]]] = {
        "Corners": [(site,) for site in sites.corners], "Sides": [each for each in sites.sides.values() if each],
        "SidesNoCorners": [tuple(set(each) - gone) for each in sites.sides.values() if each], "Rows": sites.row_sites,
        "Columns": sites.column_sites, "Layers": sites.layer_sites, "AllSites": [tuple(range(sites.count))],
    }  # fmt: skip
    if kind not in groups:
        raise script.model.unsupported(node, f"regions {kind}")
    return [fixed(script, each) for each in groups[kind]]


def _region_of(script: Script, item: Bound) -> Region:
    sites = fixed(script, ())
    if id(item) in script.open_regions:  # a region that names itself adds nothing to itself
        return sites
    script.open_regions.add(id(item))
    try:
        for each in region_parts(script, item):
            sites |= each
    finally:
        script.open_regions.discard(id(item))
    return sites


@ludeme("region", "sites Side")
def _side(script: Script, node: Bound) -> Region:
    given, sites = node.arguments, script.topology.sites()
    if "direction" in given:
        return fixed(script, sites.sides.get(word(given["direction"]), ()))
    facings, player = script.model.facings, script.player(node)
    of = {k: sites.sides.get(facing, ()) for k, facing in enumerate(facings) if k} | {len(facings): sites.outer}
    known = literal(player)
    if known is not None:
        return fixed(script, of.get(known, ()))
    found, player = blank(script), script.local("player", player)
    for k, side in of.items():
        with script.block(f"if {player} == {k}:"):
            _fill(script, found, fixed(script, side))
    return found


@ludeme("region", "last Between")
def _last_between(script: Script, node: Bound) -> Region:
    """The sites that the last move went over."""
    if script.model.uses("moves:move Shoot"):
        raise script.model.unsupported(node, why="where pieces shoot")
    return Region(script, lambda k: f"s.between[{k}]")


@ludeme("region", "sites Hand")
def _hand(script: Script, node: Bound) -> Region:
    player = script.player(node, "role", "pid")
    beside = [each for each in script.topology.containers if each.kind != "board"]  # dice are a hand as well
    if "role" in node.arguments and word(node.arguments["role"]) == "Shared":
        return fixed(script, range(beside[0].first, beside[0].first + beside[0].count) if beside else ())
    hands: dict[int, range] = {}
    for container in reversed(beside):
        hands[script.model.owner_of(container)] = range(container.first, container.first + container.count)
    hands[0] = range(0)  # nobody has a hand, as Ludii sees it, even if there is one of nobody
    return chosen(script, player, [hands.get(owner, ()) for owner in range(max(hands) + 1)])


@ludeme("region", "union", "intersection")
def _join(script: Script, node: Bound) -> Region:
    given = node.arguments
    parts = items(given["regions"]) if "regions" in given else [given["region1"], given["region2"]]
    regions = [script.region(each) for each in parts]
    if not regions:
        return fixed(script, ())
    found = regions[0]
    for each in regions[1:]:
        found = found | each if node.unit == "union" else found & each
    return found


@ludeme("region", "difference")
def _difference(script: Script, node: Bound) -> Region:
    source = script.region(node.arguments["source"])
    if "subtraction" in node.arguments:
        return source - script.region(node.arguments["subtraction"])
    return source - single(script, script.number(node.arguments["siteToRemove"]))


@ludeme("region", "if")
def _if(script: Script, node: Bound) -> Region:
    given = node.arguments
    condition = script.truth(given["cond"])
    found = blank(script)
    with script.block(f"if {condition}:"):
        _fill(script, found, script.region(given["ok"]))
    if "notOk" in given:
        with script.block("else:"):
            _fill(script, found, script.region(given["notOk"]))
    return found


def _fill(script: Script, target: Region, source: Region) -> None:
    for k in range(script.layout.words):
        script.line(f"{target.word(str(k))} = {source.word(str(k))}")


@ludeme("region", "expand")
def _expand(script: Script, node: Bound) -> Region:
    given = node.arguments
    usual = script.topology.default_type
    if {"containerIdFn", "containerName"} & given.keys() or kind_of(script, node) != usual:
        raise script.model.unsupported(node)
    count = script.number(given.get("steps"), "1")
    steps = literal(count)
    direction = word(given["dirn"]) if "dirn" in given else "Adjacent"
    table = script.topology.steps(usual, direction)
    region = script.region(given["region"]) if "region" in given else single(script, script.number(given["origin"]))
    if steps is None:
        return _expand_so_far(script, region, direction, count)
    if region.sites is not None:
        sites = set(region.sites)
        for _ in range(steps):
            sites |= {to for site in sites if site < len(table) for to in table[site]}
        return fixed(script, sites)
    for _ in range(steps):
        wider = blank(script)
        _fill(script, wider, region)
        with region.each() as site, each_step(script, heading(script, None, site, direction), site) as to:
            put(wider, to)
        region = wider
    return region


def _expand_so_far(script: Script, region: Region, direction: str, steps: str) -> Region:
    """As many steps as a number says that is known only in play."""
    found, wider = blank(script), blank(script)
    _fill(script, found, region)
    with script.block(f"for {script.out.fresh('step')} in range({steps}):"):
        _fill(script, wider, found)
        with found.each() as site, each_step(script, heading(script, None, site, direction), site) as to:
            put(wider, to)
        _fill(script, found, wider)
    return found


@ludeme("region", "forEach (ForEachSite)")
def _for_each(script: Script, node: Bound) -> Region:
    found = blank(script)
    region = script.region(node.arguments["region"])
    with (
        region.each() as site,
        script.register("site", site),
        script.block(f"if {script.truth(node.arguments['If'])}:"),
    ):
        put(found, site)
    return found


@ludeme("region", "forEach (ForEachPlayer)")
def _for_each_player(script: Script, node: Bound) -> Region:
    """What a region is for each of some players, all together."""
    found, most = blank(script), script.layout.players + 1
    with script.numbers(node.arguments["players"]).each("player") as player:
        with script.block(f"if 0 <= {player} <= {most}:"), script.register("player", player):
            add_all(found, script.region(node.arguments["region"]))
    return found


@ludeme("region", "forEach Team")
def _for_each_team(script: Script, node: Bound) -> Region:
    """What a region is for each team, all together."""
    from ludarium.ludii.ludemes.asking.players import each_team

    found = blank(script)
    with each_team(script):
        add_all(found, script.region(node.arguments["region"]))
    return found


@ludeme("region", "sites LastFrom")
def _last_from(script: Script, node: Bound) -> Region:
    """Where the last move came from, and where all its actions began."""
    found = blank(script)
    add_all(found, Region(script, lambda k: f"s.seen_begun[{k}]"))
    put(found, "i64(s.last_from)")
    return found


@ludeme("region", "sites LastTo")
def _last_to(script: Script, node: Bound) -> Region:
    return last_to(script)


def last_to(script: Script) -> Region:
    """Where the last move led, and where all its actions were."""
    found = blank(script)
    add_all(found, Region(script, lambda k: f"s.seen_touched[{k}]"))
    put(found, "i64(s.last_to)")
    return found


@ludeme("region", "sites ToClear")
def _to_clear(script: Script, node: Bound) -> Region:
    return Region(script, lambda k: f"s.clear[{k}]")


@ludeme("region", "sites Pending")
def _pending(script: Script, node: Bound) -> Region:
    found, at = blank(script), script.out.fresh("at")
    with script.block(f"for {at} in range(s.pending_count):"):
        put(found, f"i64(s.pending[{at}])")
    return found


@ludeme("region", "sites From", "sites To")
def _ends_of(script: Script, node: Bound) -> Region:
    """Where moves come from, or lead to."""
    moves = bound(node.arguments["moves"])
    origins = word(node.arguments["moveType"]) == "From"

    def write() -> str:
        sink = Ends(origins=origins)
        with into(script, sink), script.kernel("ends_of", sink.more, origin=script.place(moves)) as name:
            script.moves(moves)
        return name

    name = script.once(("ends", id(moves), origins, script.modes), write)
    found = script.out.fresh("ends")
    script.line(f"{found} = array(u64, {script.layout.words})")
    script.line(f"{name}(v, c, {found})")
    return Region(script, lambda k: f"{found}[{k}]")


@ludeme("region", "sites Start")
def _start(script: Script, node: Bound) -> Region:
    """Where a kind of piece stood before the first move."""
    from ludarium.ludii.ludemes.moving.naming import pieces_of

    name = script.once(("start sites",), lambda: _start_kernel(script))
    found = script.out.fresh("started")
    script.line(f"{found} = array(u64, {script.layout.words})")
    for piece in pieces_of(script, node.arguments["pid"]):
        script.line(f"{name}(v, c, {piece}, {found})")
    return Region(script, lambda k: f"{found}[{k}]")


def _start_kernel(script: Script) -> str:
    with script.kernel("start_sites", "piece: i64, r: view[u64]") as name:
        with script.block(f"for site in range({script.model.board_sites}):"):
            with script.block("if piece > 0 and s.started[site] == piece:"):
                script.line("r[site >> 6] |= u64(1) << u64(site & 63)")
    return name


__all__ = ["board", "bound", "empty", "named_regions"]
