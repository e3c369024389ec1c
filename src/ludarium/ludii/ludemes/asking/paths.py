"""Paths on tiles: whether they go on at the sides of the next tiles, how far they lead, and whether they close."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ludarium.ludii.code.regions import Region, single
from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.changing.turning import sides_of_cells
from ludarium.ludii.ludemes.where.regions import last_to
from ludarium.ludii.model import Component, bound, items, number

_FULL = 256  # more than a piece can be turned


def _tiles(script: Script) -> list[Component]:
    return [each for each in script.model.components if each.node and each.node.signature.ludeme.names[0] == "tile"]


def _paths(piece: Component) -> list[tuple[tuple[int, int], tuple[int, int], int]]:
    """The paths of a tile: both ends, each a side and a slot of it, and the colour."""
    node = bound(piece.node)
    found = []
    for each in map(bound, items(node.arguments.get("paths"))):
        given = each.arguments
        slots = [number(given[slot]) if slot in given else 0 for slot in ("slotsFrom", "slotsTo")]
        ends = list(zip((number(given["from"]), number(given["to"])), slots, strict=True))
        found.append((ends[0], ends[1], number(given["colour"])))
    return found


def _slots(script: Script, piece: Component) -> int:
    """How many slots each side of a tile has."""
    given = bound(piece.node).arguments
    if "slotsPerSide" in given:
        return number(given["slotsPerSide"])
    counts = {number(each) for each in items(given["slots"])} if "slots" in given else {1}
    if len(counts) != 1:
        raise script.model.unsupported(bound(piece.node), why="sides of several numbers of slots")
    return counts.pop()


def _sides(script: Script, node: Bound) -> int:
    """How many sides tiles have: all cells have as many, and a neighbour at each of them."""
    sides = sides_of_cells(script)
    if script.topology.default_type != "Cell" or sides != len(script.topology.supported("Cell", "Orthogonal")):
        raise script.model.unsupported(node, why="on a board whose cells differ")
    for piece in _tiles(script):
        for one, two, _ in _paths(piece):
            for side, slot in (one, two):
                if not (0 <= side < sides and 0 <= slot < _slots(script, piece)):
                    raise script.model.wrong(bound(piece.node), f"there is no slot {slot} of a side {side}")
    return sides


def _next_table(script: Script, sides: int) -> str:
    """The table of the neighbour at each side of each cell, or -1."""
    ways = [script.topology.steps("Cell", way) for way in script.topology.supported("Cell", "Orthogonal")]
    return script.table(
        [next(iter(way[site]), -1) for site in range(script.model.board_sites) for way in ways], hint="beside"
    )


def _kinds_table(script: Script) -> str:
    """The table that says which kinds of pieces are tiles."""
    tiles = {each.index for each in _tiles(script)}
    return script.table([int(k in tiles) for k in range(len(script.model.components) + 1)], hint="tiles")


def is_tile(script: Script, site: str) -> str:
    """Whether there is a tile on a site of the board."""
    return f"(0 <= {site} < {script.model.board_sites} and {_kinds_table(script)}[what_at(s, {site})] == 1)"


def _turn(script: Script, site: str) -> str:
    return f"i64(s.rotation[slot_of(s, {site}, -1)])" if script.layout.rotations else "0"


@ludeme("bool", "is SidesMatch")
def _sides_match(script: Script, node: Bound) -> str:
    """Whether the colours at the sides of a tile are those of the tiles beside it; other pieces match everywhere."""
    sides = _sides(script, node)

    def write() -> str:
        slots = {_slots(script, each) for each in _tiles(script)} or {1}
        if len(slots) != 1:
            raise script.model.unsupported(node, why="tiles of several numbers of slots")
        (many,) = slots
        table = script.table(_colours(script, sides, many), hint="colours")
        ways = [len(script.topology.supported("Cell", relation)) for relation in ("Adjacent", "Orthogonal")]
        part, beside, tiles = ways[0] // ways[1], _next_table(script, sides), _kinds_table(script)

        def colour(what: str, side: str, turned: str, slot: str) -> str:
            return f"{table}[({what} * {sides} + ({side} + {_FULL * sides} - {turned}) % {sides}) * {many} + {slot}]"

        with script.kernel("sides_match", "site: i64", "bool", script.place(node)) as name:
            with script.block(f"if site < 0 or site >= {script.model.board_sites} or what_at(s, site) == 0:"):
                script.line("return False")
            with script.block(f"if {tiles}[what_at(s, site)] == 0:"):
                script.line("return True")
            script.line(f"turned = {_turn(script, 'site')} // {part}")
            with script.block(f"for side in range({sides}):"):
                script.line(f"near = i64({beside}[site * {sides} + side])")
                with script.block(f"if near >= 0 and {tiles}[what_at(s, max(near, 0))] == 1:"):
                    script.line(f"back = {_turn(script, 'near')} // {part}")
                    with script.block(f"for slot in range({many}):"):
                        own = colour("what_at(s, site)", "side", "turned", "slot")
                        other = colour("what_at(s, near)", f"side + {sides // 2}", "back", f"{many - 1} - slot")
                        with script.block(f"if {own} != {other}:"):
                            script.line("return False")
            script.line("return True")
        return name

    name = script.once(("sides match",), write)
    return f"{name}(v, c, {script.number(node.arguments.get('value'), 'i64(s.last_to)')})"


def _colours(script: Script, sides: int, slots: int) -> list[int]:
    """The colour in each slot of each side of each kind of piece; 0 where no path ends."""
    found = [0] * ((len(script.model.components) + 1) * sides * slots)
    for piece in _tiles(script):
        for one, two, colour in _paths(piece):
            for side, slot in (one, two):
                found[(piece.index * sides + side) * slots + slot] = colour
    return found


@contextmanager
def _followed(script: Script, node: Bound, start: str, colour: str) -> Iterator[tuple[str, str]]:
    """A loop over all steps of paths of a colour, from tile to tile: the site that a step leads to, and where one came from.

    As in Ludii a path goes on from a tile in all paths of its colour, whether they meet it or not, but never straight back. A way
    that was gone is not gone again: Ludii would never end.
    """
    sides = _sides(script, node)
    beside, tiles, own = _next_table(script, sides), _kinds_table(script), [(0, 0)]
    starts = [0, 0]
    ends: list[tuple[int, int]] = []
    for piece in script.model.components:
        for one, two, drawn in _paths(piece) if piece in _tiles(script) else ():
            ends += [(one[0], drawn), (two[0], drawn)]
        starts.append(len(ends))
    first = script.table(starts, hint="ends")
    side = script.table([each[0] for each in ends or own], hint="side")
    of = script.table([each[1] for each in ends or own], hint="colour")
    many = script.model.board_sites * sides
    waiting, count, at, seen = (script.out.fresh(hint) for hint in ("waiting", "waiting_count", "at", "seen"))
    script.line(f"{waiting} = empty(i64, {many + 1})")
    script.line(f"{seen} = array(u64, {-(-many // 64)})")
    script.line(f"{waiting}[0] = -1")
    script.line(f"{count} = 1")
    script.line(f"{at} = 0")
    with script.block(f"while {at} < {count}:"):
        way = script.local("way", f"{waiting}[{at}]")
        script.line(f"{at} += 1")
        site = script.local("site", f"({start} if {way} < 0 else i64({beside}[max({way}, 0)]))")
        before = script.local("before", f"({start} if {way} < 0 else {way} // {sides})")
        turned = script.local("turned", f"{_turn(script, site)} * 2 // {sides}")
        k = script.out.fresh("k")
        with script.block(f"for {k} in range({first}[what_at(s, {site})], {first}[what_at(s, {site}) + 1]):"):
            with script.block(f"if {of}[{k}] == {colour}:"):
                on = script.local("on", f"{site} * {sides} + ({side}[{k}] + {turned}) % {sides}")
                to = script.local("to", f"i64({beside}[{on}])")
                with script.block(f"if {to} >= 0:"):
                    yield to, before
                    goes = f"{before} != {to} and {tiles}[what_at(s, {to})] == 1"
                    with script.block(f"if {goes} and ({seen}[{on} >> 6] >> u64({on} & 63)) & u64(1) == u64(0):"):
                        script.line(f"{seen}[{on} >> 6] |= u64(1) << u64({on} & 63)")
                        script.line(f"{waiting}[{count}] = {on}")
                        script.line(f"{count} += 1")


def _begins(script: Script, node: Bound) -> Region:
    """The sites that paths are followed from: if nothing is said, all those where the last move did something."""
    given = node.arguments
    if "regionStart" in given:
        return script.region(given["regionStart"]).kept()
    return single(script, script.number(given["start"])) if "start" in given else last_to(script)


def loop_of_path(script: Script, node: Bound) -> str:
    """The kernel that says whether a path of a colour leads back to where it begins."""

    def write() -> str:
        with script.kernel("is_loop_of_path", "colour: i64", "bool", script.place(node)) as name:
            with _begins(script, node).each("start") as start, script.block(f"if {is_tile(script, start)}:"):
                with _followed(script, node, start, "colour") as (to, before):
                    with script.block(f"if {before} != {to} and {to} == {start}:"):
                        script.line("return True")
            script.line("return False")
        return name

    return script.once(("loop of path", id(node), script.modes), write)


@ludeme("int", "pathExtent")
def _extent(script: Script, node: Bound) -> str:
    """How many rows or columns a path of a colour leads away at most; where there is no tile, Ludii looks no further."""

    def write() -> str:
        sites = script.topology.sites("Cell")
        rows, columns = script.table([*sites.rows], hint="row"), script.table([*sites.columns], hint="column")
        with script.kernel("path_extent", "colour: i64", "i64", script.place(node)) as name:
            script.line("most = 0")
            with _begins(script, node).each("start") as start:
                with script.block(f"if not {is_tile(script, start)}:"):
                    script.line("return most")
                with _followed(script, node, start, "colour") as (to, _):
                    for table in (rows, columns):
                        script.line(f"most = max(most, abs({table}[{to}] - {table}[{start}]))")
            script.line("return most")
        return name

    name = script.once(("extent", id(node), script.modes), write)
    return f"{name}(v, c, {script.number(node.arguments.get('colour'), 'i64(s.mover)')})"
