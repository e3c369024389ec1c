"""Places: sites that are looked up along tracks, ahead of pieces, or by what stands there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ludarium.ludii.board import Track
from ludarium.ludii.code.regions import Region, add_all, blank, fixed, put
from ludarium.ludii.code.script import Script, literal, ludeme
from ludarium.ludii.grammar.binder import Bound, Symbol
from ludarium.ludii.ludemes.where.directions import (
    Directions,
    Heading,
    between,
    by_facing,
    each_radial,
    heading,
    radial_tables,
)
from ludarium.ludii.memory.spots import count_of, kind_of
from ludarium.ludii.model import mentions, text, walk, word


def owned_track(script: Script, name: str | None, owner: int) -> int:
    """The track for a player to go along: the first of his own of that name, else one of that name, else his own or nobody's."""
    tracks = list(enumerate(script.topology.tracks))
    named = [(k, each) for k, each in tracks if name is not None and name in each.name]
    fitting = [k for k, each in named if each.owner == owner] + [k for k, _ in named]
    fitting += [k for k, each in tracks if each.owner == owner] + [k for k, each in tracks if each.owner == 0]
    return next(iter(fitting), -1)


def track_of(script: Script, node: Bound) -> str:
    """The number of the track whose first or last site is asked for, as an expression: the first one where none fits."""
    title = text(node.arguments["name"]) if "name" in node.arguments else None
    tracks = list(enumerate(script.topology.tracks))

    def fits(track: Track, player: int) -> bool:
        if title is None:
            return track.owner in (player, 0)
        return title in track.name and player in (track.owner, 0)

    everything = 0 if tracks else -1
    numbers = [
        next((k for k, each in tracks if fits(each, player)), everything) for player in range(script.layout.players + 2)
    ]
    return of_player(script, numbers, script.player(node, default="0"), "track_of", everything)


def of_player(script: Script, numbers: Sequence[int], player: str, hint: str, nobody: int = -1) -> str:
    """The number that belongs to a player, as an expression; any other number is nobody."""
    known = literal(player)
    if known is not None:
        return str(numbers[known] if 0 <= known < len(numbers) else nobody)
    plays = player in ("i64(s.mover)", "i64(s.next)", "i64(s.prev)")
    if len({*numbers} if plays else {*numbers, nobody}) == 1:
        return str(numbers[0])
    table = script.table(numbers, hint=hint)
    if plays:
        return script.local("number", f"i64({table}[{player}])")
    player = script.local("player", player)
    return script.local("number", f"(i64({table}[{player}]) if 0 <= {player} < {len(numbers)} else {nobody})")


def track_tables(script: Script) -> tuple[str, str, str]:
    """All tracks as tables: where each begins, its sites, and whether it is a loop."""
    starts: list[int] = [0]
    sites: list[int] = []
    loops: list[int] = []
    for track in script.topology.tracks:
        sites += track.sites
        starts.append(len(sites))
        loops.append(int(track.loop))
    return (
        script.table(starts, hint="tracks"),
        script.table(sites, hint="track_sites"),
        script.table(loops, hint="loops"),
    )


@ludeme("int", "trackSite Move")
def _track_move(script: Script, node: Bound) -> str:
    given = node.arguments
    title = text(given["name"]) if "name" in given else None
    numbers = [owned_track(script, title, owner) for owner in range(script.layout.players + 2)]
    nobodys = owned_track(script, title, -1)
    track = of_player(script, numbers, script.player(node, default="i64(s.mover)"), "track_of", nobodys)
    site, steps = script.number(given.get("from"), "c.from_"), script.number(given["steps"])
    name = script.once(("along track",), lambda: _along(script))
    player = script.player(node, default="i64(s.mover)")
    return f"{name}(v, c, {track}, {site}, {steps}, {player})"


def _along(script: Script) -> str:
    """So many steps along a track from a site: -1 past the end, or round and round if it is a loop."""
    starts, sites, loops = track_tables(script)
    with script.kernel("along_track", "track: i64, site: i64, steps: i64, player: i64", "i64") as name:
        with script.block("if track < 0:"):
            script.line("return -1")
        script.line(f"first = i64({starts}[track])")
        script.line(f"length = i64({starts}[track + 1]) - first")
        script.line(f"at = {place_kernel(script)}(v, c, track, site, player)")
        script.line("at = (length if at < 0 else at - first) + max(steps, 0)")
        with script.block("if at >= length:"):
            with script.block(f"if {loops}[track] == 0 or length == 0:"):
                script.line("return -1")
            script.line("at %= length")
        script.line(f"return i64({sites}[first + at])")
    return name


def place_kernel(script: Script) -> str:
    """The kernel that finds the place of a site on a track; where tracks cross themselves, of the piece of a player there."""
    return script.once(("place on track",), lambda: _place_kernel(script))


def _place_kernel(script: Script) -> str:
    _, _, loops = track_tables(script)
    with script.kernel("place_of", "track: i64, site: i64, player: i64", "i64") as name:
        with script.block(f"if site < 0 or site >= {script.layout.sites}:"):
            script.line("return -1")
        script.line("piece = 0")
        if script.layout.crossing:
            with script.block(f"if {loops}[track] == 0:"):
                script.line("piece = top_of(s, site)")
                if script.layout.stacking:
                    with script.block("for level in range(height_of(s, site)):"):
                        lowest = f"{script.layout.height} * site + height_of(s, site) - 1 - level"
                        script.line(f"other = i64(s.what[{lowest}])")
                        with script.block(f"if {_owners(script)}[other] == player:"):
                            script.line("piece = other")
        script.line("return place_on_track(s, piece, track, site)")
    return name


def _owners(script: Script) -> str:
    return script.table([0, *(each.owner for each in script.model.components)], hint="owner")


@ludeme("int", "trackSite FirstSite")
def _track_first(script: Script, node: Bound) -> str:
    given = node.arguments
    starts, sites, _ = track_tables(script)

    def write() -> str:
        with script.kernel("first_on_track", result="i64", origin=script.place(node)) as name:
            track = script.local("track", track_of(script, node))
            with script.block(f"if {track} < 0:"):
                script.line("return -1")
            script.line(f"first = i64({starts}[{track}])")
            script.line(f"length = i64({starts}[{track} + 1]) - first")
            script.line("begin = 0")
            if "from" in given:
                site = script.local("site", script.number(given["from"]))
                with script.block(f"while begin < length and {sites}[first + begin] != {site}:"):
                    script.line("begin += 1")
                with script.block("if begin == length:"):
                    script.line("return -1")
            with script.block("for k in range(length):"):
                script.line(f"found = i64({sites}[first + (begin + k) % length])")
                with script.register("to", "found"), script.block(f"if {script.truth(given.get('If'))}:"):
                    script.answer("found")
            script.line("return -1")
        return name

    return f"{script.once(('first on track', id(node), script.modes), write)}(v, c)"


@ludeme("int", "trackSite EndSite")
def _track_end(script: Script, node: Bound) -> str:
    starts, sites, _ = track_tables(script)
    track = script.local("track", track_of(script, node))
    return f"i64({sites}[{starts}[{track} + 1] - 1])"


@ludeme("region", "sites Track")
def _sites_track(script: Script, node: Bound) -> Region:
    given = node.arguments
    name = text(given["name"]) if "name" in given else ""
    owner = script.player(node, "role", "pid", "0")
    known, tracks = literal(owner), script.topology.tracks

    def chosen(player: int) -> int:
        fitting = (
            k for k, each in enumerate(tracks) if each.name == name or (name in each.name and each.owner in (player, 0))
        )
        return next(fitting, -1)

    looked_at = [int(each.split()[1]) for each in script.modes if each.startswith("track ")]
    numbers = [looked_at[0] if looked_at else chosen(player) for player in range(script.layout.players + 2)]
    if "from" in given or "to" in given:
        table = script.table(numbers, hint="track_of")
        track = script.local("track", str(numbers[known]) if known is not None else f"i64({table}[{owner}])")
        return _part_of_track(script, node, track)
    if known is not None:
        return fixed(script, tracks[numbers[known]].sites if numbers[known] >= 0 else ())
    found, owner = blank(script), script.local("owner", owner)
    for player, number in enumerate(numbers):
        if number >= 0:
            with script.block(f"if {owner} == {player}:"):
                add_all(found, fixed(script, tracks[number].sites))
    return found


def _part_of_track(script: Script, node: Bound, track: str) -> Region:
    """The sites of a track from one to another, past its end if need be."""
    starts, sites, _ = track_tables(script)
    found = blank(script)
    first, last = (script.local(end, script.number(node.arguments.get(end))) for end in ("from", "to"))
    with script.block(f"if {track} >= 0:"):
        begin = script.local("begin", f"i64({starts}[{track}])")
        length = script.local("length", f"i64({starts}[{track} + 1]) - {begin}")
        at, left = script.out.fresh("at"), script.out.fresh("left")
        script.line(f"{at} = 0")
        if "from" in node.arguments:
            there = f"{sites}[{begin} + {at}] != {first}"
            with script.block(f"while {first} != -1 and {at} < {length} and {there}:"):  # nowhere is the beginning
                script.line(f"{at} += 1")
        script.line(f"{left} = {length} if {at} < {length} else 0")
        with script.block(f"while {left} > 0:"):
            site = script.local("site", f"i64({sites}[{begin} + {at} % {length}])")
            put(found, site)
            script.line(f"{at} += 1")
            script.line(f"{left} -= 1")
            if "to" in node.arguments:
                with script.block(f"if {site} == {last}:"):
                    script.line(f"{left} = 0")
    return found


@ludeme("int", "ahead")
def _ahead(script: Script, node: Bound) -> str:
    given = node.arguments
    site, steps = script.local("site", script.number(given["site"])), script.number(given.get("steps"), "1")
    directions, kind = given.get("directions"), kind_of(script, node)
    if directions is not None and (mentions(node, "SameDirection") or mentions(node, "OppositeDirection")):
        return _onward(script, node, site, steps)

    def write() -> str:
        with script.kernel("ahead", "site: i64, steps: i64", "i64", script.place(node)) as name:
            with script.block(f"if site < 0 or site >= {count_of(script, kind)}:"):
                script.line("return max(site, -1)")
            if directions is None and kind != script.topology.default_type:
                raise script.model.unsupported(node, why="forward, for sites of several types")
            ways = heading(script, directions, "site", "N", kind) if directions else _forward(script)
            where = replace(_first_direction(ways), kind=kind)
            with each_radial(script, where, "site") as (_, at, end, sites):
                with script.block(f"if steps > 0 and {at} + steps <= {end}:"):
                    script.line(f"return i64({sites}[{at} + steps - 1])")
            script.line("return site")
        return name

    return f"{script.once(('ahead', id(node), script.modes), write)}(v, c, {site}, {steps})"


def _first_direction(where: Heading) -> Heading:
    """Of several directions only the first."""

    def first(directions: Directions) -> Directions:
        if callable(directions):
            return lambda site: directions(site)[:1]
        return directions[:1]

    return Heading(tuple(first(each) for each in where.lists), where.select)


def _onward(script: Script, node: Bound, site: str, steps: str) -> str:
    """So many steps in the direction from `(from)` to `(to)`, or of the last move, or back; the site itself if there is none."""
    directions = node.arguments["directions"]
    if not isinstance(directions, Symbol):
        raise script.model.unsupported(node, why="several directions")
    same = directions.word == "SameDirection"

    def write() -> str:
        with script.kernel("onward", "site: i64, steps: i64", "i64", script.place(node)) as name:
            with script.block(f"if site < 0 or site >= {script.model.board_sites}:"):
                script.line("return site")
            first = script.local("first", "(c.from_ if c.from_ != -1 else i64(s.last_from))")
            last = script.local("last", "(c.to if c.to != -1 else i64(s.last_to))")
            seen = between(script, *((first, last) if same else (last, first)))
            where = Heading(tuple(each[-1:] if isinstance(each, tuple) else each for each in seen.lists), seen.select)
            rows, starts, sites = radial_tables(script, where)
            row = script.local("row", f"{where.select} * {script.layout.sites} + site")
            with script.block(f"if {rows}[{row}] < {rows}[{row} + 1] and steps > 0:"):
                script.line(f"start = i64({starts}[{rows}[{row}]])")
                with script.block(f"if start + steps <= {starts}[{rows}[{row}] + 1]:"):
                    script.line(f"return i64({sites}[start + steps - 1])")
            script.line("return site")
        return name

    return f"{script.once(('onward', id(node), script.modes), write)}(v, c, {site}, {steps})"


def _forward(script: Script) -> Heading:
    return by_facing(script, ["Forward"], "Adjacent", "site")


@ludeme("int", "where (WhereSite)")
def _where(script: Script, node: Bound) -> str:
    given = node.arguments
    if "what" in given:
        piece = script.number(given["what"])
    else:
        name = text(given["namePiece"])
        pieces = [script.model.owned(name, player) for player in range(script.layout.players + 2)]
        numbers = [each.index if each else -1 for each in pieces]
        player = script.player(node, "role", "indexPlayer")
        piece = of_player(script, numbers, player, "pieces")
    state = script.number(given.get("state"))
    return f"{where_kernel(script)}(v, c, {piece}, {state})"


def where_kernel(script: Script) -> str:
    """The kernel that finds the first site of the board with a piece."""
    return script.once(("where",), lambda: _where_kernel(script))


def _where_kernel(script: Script) -> str:
    layout = script.layout
    asked = any(each.unit == "where (WhereSite)" and "state" in each.arguments for each in walk(script.model.root))
    with script.kernel("where_is", "piece: i64, state: i64", "i64") as name:
        with script.block("if piece < 1:"):
            script.line("return -1")
        with script.block(f"for site in range({script.model.board_sites}):"):
            if layout.stacking:
                with script.block("for level in range(s.height[site]):"):
                    slot = f"site * {layout.height} + level"
                    test = f" and (state < 0 or s.state[{slot}] == state)" if asked and layout.local_states else ""
                    with script.block(f"if s.what[{slot}] == piece{test}:"):
                        script.line("return site")
            else:
                with script.block("if s.what[site] == piece:"):
                    test = "state < 0 or s.state[site] == state" if layout.local_states else "True"
                    with script.block(f"if {test}:"):
                        script.line("return site")
        script.line("return -1")
    return name


@ludeme("int", "regionSite")
def _region_site(script: Script, node: Bound) -> str:
    region, index = (
        script.region(node.arguments["region"]),
        script.local("index", script.number(node.arguments["index"])),
    )
    found, at = script.out.fresh("found"), script.out.fresh("at")
    script.line(f"{found} = -1")
    script.line(f"{at} = 0")
    with region.each() as site:
        with script.block(f"if {at} == {index}:"):
            script.line(f"{found} = {site}")
        script.line(f"{at} += 1")
    return found


@ludeme("int", "value Pending")
def _value_pending(script: Script, node: Bound) -> str:
    return "(i64(s.pending[0]) if s.pending_count == 1 else 0)"


@ludeme("int", "value Player")
def _value_player(script: Script, node: Bound) -> str:
    player = script.local("player", script.player(node, "role", "indexPlayer"))
    return f"(i64(s.player_value[{player}]) if 0 <= {player} <= {script.layout.players} else -1)"


@ludeme("int", "value Random")
def _value_random(script: Script, node: Bound) -> str:
    from ludarium.ludii.ludemes.moving.moves import span

    least, most = span(script, node.arguments["range"], 0, 0)
    least, most = script.local("least", least), script.local("most", most)
    name = script.out.fresh("drawn")
    script.line(f"{name} = -1")
    with script.block(f"if {least} <= {most}:"):
        script.line(f"{name} = {least} + random_below(c, {most} - {least} + 1)")
    return name


@ludeme("int", "value MoveLimit", "value TurnLimit")
def _limits(script: Script, node: Bound) -> str:
    return "10000" if word(node.arguments["valueType"]) == "MoveLimit" else "1250"


@ludeme("int", "prev")
def _prev(script: Script, node: Bound) -> str:
    if "type" in node.arguments and word(node.arguments["type"]) == "MoverLastTurn":
        return "(i64(s.turn_mover) if s.turn_mover > 0 else -1)"
    return "i64(s.prev)"
