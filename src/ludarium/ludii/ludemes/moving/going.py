"""Going: steps, slides, hops, leaps, and from anywhere to anywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, nullcontext

from ludarium.ludii import reach
from ludarium.ludii.board import SiteType
from ludarium.ludii.code.script import Script, literal, ludeme
from ludarium.ludii.code.sinks import Found, act, registers_in
from ludarium.ludii.grammar.binder import Bound, Symbol, Value
from ludarium.ludii.ludemes.changing.turning import turns_of
from ludarium.ludii.ludemes.moving.moves import apply_of, each_from, each_to, find, side_effect, span
from ludarium.ludii.ludemes.moving.naming import there_is
from ludarium.ludii.ludemes.moving.rails import slide_on_track
from ludarium.ludii.ludemes.where.directions import (
    Heading,
    each_radial,
    each_step,
    heading,
    named_at,
    radial_tables,
)
from ludarium.ludii.memory import actions
from ludarium.ludii.memory.spots import count_of, is_empty, kind_of, spot
from ludarium.ludii.model import Component, bound, items, walk, word


def _move_action(script: Script, node: Bound, *, levels: bool = True) -> Callable[[str, str], None]:
    """What moves a piece, from a level or to one if they are heeded."""
    if _copies(script, node):
        return lambda a, b: act(script, actions.COPY, a, b)
    if not script.layout.stacking:
        return lambda a, b: act(script, actions.MOVE, a, b, -1)
    if script.settled(node, "stack"):
        return lambda a, b: act(script, actions.MOVE_STACK, a, b, 0, -1)
    if not levels:
        return lambda a, b: act(script, actions.MOVE, a, b, -1)
    level, into = _from_level(node), _to_level(node)
    if into is not None:
        return lambda a, b: act(script, actions.MOVE, a, b, script.number(level), script.number(into))
    if level is not None:
        return lambda a, b: act(script, actions.MOVE, a, b, script.number(level))
    return lambda a, b: act(script, actions.MOVE, a, b, -1)


def _from_level(node: Bound) -> Value | None:
    """The level of a stack that a piece comes from."""
    return bound(node.arguments["from"]).arguments.get("level") if "from" in node.arguments else None


def _to_level(node: Bound) -> Value | None:
    """The level of a stack that a piece comes to."""
    return bound(node.arguments["to"]).arguments.get("level") if "to" in node.arguments else None


def _copies(script: Script, node: Bound) -> bool:
    """Whether what moves also stays."""
    return script.settled(node, "copy")


@ludeme("moves", "move Step", "step")
def _step(script: Script, node: Bound) -> None:
    given, layout = node.arguments, script.layout
    to_part, move, kind = given["to"], _move_action(script, node), kind_of(script, given.get("from"))
    keeps = layout.stacking and (layout.local_states or layout.values or layout.rotations)
    names_level = _from_level(node) is not None or _to_level(node) is not None
    names_top = keeps and not script.settled(node, "stack") and not names_level

    def push(from_: str, to: str, _: Mapping[str, str]) -> None:
        a, b = spot(script, kind, from_), spot(script, kind, to)
        top = script.local("top", f"max(height_of(s, {a}) - 1, 0)") if names_top else ""
        side_effect(script, apply_of(to_part))
        if names_top:  # the top of a stack keeps what it is here, other than in other moves
            act(script, actions.MOVE, a, b, top)
        else:
            move(a, b)

    early = _early_heading(script, node)
    with each_from(script, given.get("from")) as from_:
        where = early or heading(script, given.get("directions"), from_, kind=kind)
        with each_step(script, where, from_) as to, script.register("to", to):
            with script.block(f"if {script.truth(bound(to_part).arguments.get('If'))}:"):
                ends = reach.steps(script, where, kind)
                find(script, Found(node, "Move", from_, to, push, types=(kind, kind), reach=ends))


def most_moves(script: Script, rule: Bound) -> int | None:
    """How many moves a rule makes from one site at most, if it only steps and slides; None if nobody knows."""
    given = rule.arguments
    match rule.unit:
        case "or" | "and":
            parts = items(given["list"]) if "list" in given else [given["movesA"], given["movesB"]]
        case "if":
            parts = [given[each] for each in ("list", "elseList") if each in given]
        case "move Step" | "move Slide":
            return _most_targets(script, rule)
        case _:
            return None
    bounds = [most_moves(script, bound(each)) for each in parts]
    return None if None in bounds else sum(each for each in bounds if each)


def _most_targets(script: Script, rule: Bound) -> int | None:
    """How many sites a step or a slide may lead to; None where that depends on more than where it begins."""
    given, kind = rule.arguments, script.topology.default_type
    ways = given.get("directions")
    plain = ways is None or isinstance(ways, Symbol) or not bound(ways).arguments.keys() & {"from", "num"}
    if "track" in given or "from" in given or not plain or (isinstance(ways, Bound) and ways.unit != "directions"):
        return None
    with script.out.apart():  # only its tables are looked at
        where = heading(script, ways, "c.from_")
    most = 0
    for directions in where.lists:
        for site in range(script.model.board_sites):
            names = named_at(directions, site)
            if rule.unit == "move Step":
                found = len({to for name in names for to in script.topology.steps(kind, name)[site]})
            else:
                lines = [line for name in names for line in script.topology.radials(kind, name)[site]]
                found = sum(len(line.sites) - 1 for line in lines)
            most = max(most, found)
    return most


def _early_heading(script: Script, node: Bound) -> Heading | None:
    """The directions from a named site: `(from)` in them is not yet that site."""
    given = node.arguments
    origin = bound(given["from"]).arguments if "from" in given else {}
    if "loc" not in origin or "directions" not in given:
        return None
    site, kind = script.local("origin", script.number(origin["loc"])), kind_of(script, given["from"])
    return heading(script, given["directions"], site, kind=kind)


@ludeme("moves", "move Slide", "slide")
def _slide(script: Script, node: Bound) -> None:
    given = node.arguments
    between: Mapping[str, Value] = bound(given["between"]).arguments if "between" in given else {}
    to_part: Mapping[str, Value] = bound(given["to"]).arguments if "to" in given else {}
    kind = kind_of(script, given.get("from"))
    if "track" in given:
        if kind != script.topology.default_type:
            raise script.model.unsupported(node, why="along a track of sites of another type")
        slide_on_track(script, node, between, to_part)
        return
    least, most = span(script, between.get("range"), 0, 10**9)
    move = _move_action(script, node)

    def push(from_: str, to: str, known: Mapping[str, str]) -> None:
        along = ""
        if "first" in known:
            along = radial_tables(script, heading(script, given.get("directions"), from_, kind=kind))[2]
        k, passed = script.out.fresh("k"), script.local("passed", "0 + 0")  # how many sites
        if along:
            with script.block(f"while {along}[{known['first']} + {passed}] != {to}:"):
                script.line(f"{passed} += 1")
        if "effect" in between:  # what happens farther away comes first
            with script.block(f"for {k} in range({passed}):"):
                with script.register("between", f"i64({along}[{known['first']} + {passed} - 1 - {k}])"):
                    side_effect(script, between["effect"])
        with script.block(f"if {known['stops']} == 1:") if "stops" in known else nullcontext():
            side_effect(script, to_part.get("effect"))
        move(spot(script, kind, from_), spot(script, kind, to))
        if "trail" in between:
            trail = there_is(script, between["trail"], script.number(between["trail"]))
            act(script, actions.ADD, spot(script, kind, from_), trail, 1, -1)
            with script.block(f"for {k} in range({passed}):"):
                act(script, actions.ADD, spot(script, kind, f"i64({along}[{known['first']} + {k}])"), trail, 1, -1)

    def mark(from_: str, to: str, known: Mapping[str, str]) -> None:
        along = radial_tables(script, heading(script, given.get("directions"), from_, kind=kind))[2]
        at = script.local("at", f"{known['first']} + 0")
        with script.block(f"while {along}[{at}] != {to}:"):
            script.line(f"s.between[i64({along}[{at}]) >> 6] |= u64(1) << u64(i64({along}[{at}]) & 63)")
            script.line(f"{at} += 1")

    only_stops = "effect" in to_part and (script.settled(node, "stack") or _from_level(node) is not None)
    """Whether nothing happens where a whole stack or a level of one goes on: only where it must stop."""

    def found(from_: str, to: str, far: str, at: str, sites: str, *, stops: bool = False) -> None:
        test = f"{far} >= {least}" if least != "0" else "True"
        effect = to_part.get("effect")
        if effect is not None and "If" in bound(effect).arguments:
            with script.register("to", to):
                test = f"({test}) and {script.local('applies', script.truth(bound(effect).arguments['If']))}"
        extra = {}
        if {"effect", "trail"} & between.keys() or script.layout.betweens:
            extra["first"] = (at, script.sizes[sites].bit_length())
        if only_stops:
            extra["stops"] = (str(int(stops)), 2)
        with script.block(f"if {test}:"):
            ends = reach.lines(script, where, kind)
            find(script, Found(node, "Move", from_, to, push, extra, types=(kind, kind), reach=ends, over=mark))

    with each_from(script, given.get("from")) as from_:
        where = heading(script, given.get("directions"), from_, kind=kind)
        with each_radial(script, where, from_) as (_, at, end, sites):
            far = script.out.fresh("far")
            start = script.local("start", f"{at} + 0")
            script.line(f"{far} = 0")
            asks = "If" in to_part and "effect" not in between and "between" in registers_in(bound(given["to"]))
            last = script.local("last", "c.between + 0") if asks else ""  # what comes before the site that is looked at
            with script.block(f"while {at} < {end} and {far} < {most}:"):
                to = script.local("to", f"i64({sites}[{at}])")
                script.line(f"{at} += 1")
                script.line(f"{far} += 1")
                goes = script.out.fresh("goes")
                script.line(f"{goes} = True")
                if "If" in to_part:
                    with (
                        script.register("to", to),
                        script.register("between", last) if asks else nullcontext(),
                        script.block(f"if {far} >= {least} and {script.truth(to_part['If'])}:"),
                    ):
                        script.line(f"{goes} = False")
                        script.line(f"{at} = {end}")
                        found(from_, to, far, start, sites, stops=True)
                with script.block(f"if {goes}:"), script.register("between", to), script.register("to", to):
                    free = script.truth(between["If"]) if "If" in between else is_empty(script, kind, to)
                    with script.block(f"if {free}:"):
                        found(from_, to, far, start, sites)
                    with script.block("else:"):
                        script.line(f"{at} = {end}")
                if asks:
                    script.line(f"{last} = {to}")


@ludeme("moves", "move Hop", "hop")
def _hop(script: Script, node: Bound) -> None:
    """Over something: free sites before it, the hurdle as long as it may be, and free sites behind it."""
    given = node.arguments
    between: Mapping[str, Value] = bound(given["between"]).arguments if "between" in given else {}
    to_part = bound(given["to"]).arguments
    effect = to_part.get("effect")
    if "trail" in between:
        raise script.model.unsupported(node, why="a trail")
    least, most = span(script, between.get("range"), 1, 1)
    open_below = "range" in between and bound(between["range"]).unit == "max"
    least = "0" if open_below else least  # the hurdle itself may be where it lands
    before, after = (script.local(side, script.number(between.get(side), "0")) for side in ("before", "after"))
    move, kind = _move_action(script, node, levels=False), kind_of(script, given.get("from"))
    capture = bound(effect).arguments.get("If") if effect is not None else None  # then this is where it lands, only

    def push(from_: str, to: str, known: Mapping[str, str]) -> None:
        if between.get("effect") is not None and capture is None:
            tables = radial_tables(script, heading(script, given.get("directions"), from_, kind=kind))
            k, hurdles = script.out.fresh("k"), known.get("hurdles", "1")
            with script.block(f"for {k} in range({hurdles}):"):  # what happens farther away comes first
                with script.register("between", f"i64({tables[2]}[{known['first']} + {hurdles} - 1 - {k}])"):
                    side_effect(script, between.get("effect"))
        with script.block(f"if {known['hurdles']} >= 0:") if may_step and effect is not None else nullcontext():
            side_effect(script, effect)  # not of a step
        move(spot(script, kind, from_), spot(script, kind, to))

    def mark(from_: str, _: str, known: Mapping[str, str]) -> None:
        along, k = (
            radial_tables(script, heading(script, given.get("directions"), from_, kind=kind))[2],
            script.out.fresh("k"),
        )
        with script.block(f"for {k} in range({known.get('hurdles', '1')}):"):
            site = script.local("site", f"i64({along}[{known['first']} + {k}])")
            script.line(f"s.between[{site} >> 6] |= u64(1) << u64({site} & 63)")

    def found(from_: str, to: str, first: str, hurdles: str, room: int) -> None:
        extra = {}
        if ("effect" in between and capture is None) or script.layout.betweens or (may_step and effect is not None):
            extra["first"] = (first, room.bit_length())
            if least != "1" or most != "1":
                extra["hurdles"] = (hurdles, count_of(script, kind).bit_length() + 1)
        if effect is not None and any(each.unit == "between" for each in walk(effect)):
            extra["between"] = ("c.between", count_of(script, kind).bit_length() + 1)
        ahead, ends = literal(before), None
        if literal(least) not in (0, None):
            ends = reach.lines(script, where, kind, before=script.layout.sites if ahead is None else ahead, over=1)
        find(script, Found(node, "Move", from_, to, push, extra, types=(kind, kind), reach=ends, over=mark))

    early = _early_heading(script, node)
    may_step = literal(least) in (0, None) and not open_below
    with each_from(script, given.get("from"), regions=False) as from_:  # Ludii does not look at a region here
        where = early or heading(script, given.get("directions"), from_, kind=kind)
        if may_step:
            with script.block(f"if {least} == 0:"), each_step(script, where, from_) as to, script.register("to", to):
                with script.block(f"if {script.truth(to_part.get('If'))}:"):
                    found(from_, to, "0", "-1", script.sizes[radial_tables(script, where)[2]])
        with each_radial(script, where, from_) as (_, at, end, sites):
            first, n = _hurdles(script, given, to_part, (at, end, sites), (before, most))
            k = script.local("k", f"{n} + 0")
            with script.block(f"while {n} > 0 and {k} >= {least} and {k} >= 0:"):
                landing, free = script.local("landing", f"{first} + {k}"), script.local("free", "1 == 1")
                last = script.local("last", f"min({end}, {landing} + {after} + 1)")
                with script.block(f"while {free} and {landing} < {last}:"):
                    to = script.local("to", f"i64({sites}[{landing}])")
                    script.line(f"{landing} += 1")
                    over = f"i64({sites}[max({first} + {k} - 1, {at})])"
                    with script.register("to", to), script.register("between", over):
                        script.line(f"{free} = {script.truth(to_part.get('If'))}")
                        lands = (
                            free
                            if capture is None
                            else f"not {free} and {script.local('taken', script.truth(capture))}"
                        )
                        with script.block(f"if {lands}:"):
                            found(from_, to, first, k, script.sizes[sites])
                script.line(f"{k} -= 1")


def _hurdles(
    script: Script,
    given: Mapping[str, Value],
    to_part: Mapping[str, Value],
    line: tuple[str, str, str],
    limits: tuple[str, str],
) -> tuple[str, str]:
    """Where the first hurdle of a line is in its table, and how many hurdles there are in a row."""
    (at, end, sites), (before, most) = line, limits
    hurdle = bound(given["between"]).arguments.get("If") if "between" in given else None
    first, n, runs = (script.out.fresh(hint) for hint in ("first", "hurdles", "runs"))
    script.line(f"{first} = {at} + 0")
    script.line(f"{n} = 0")
    script.line(f"{runs} = True")
    with script.block(f"while {runs} and {n} < {most} and {first} + {n} < {end}:"):
        site = script.local("hurdle", f"i64({sites}[{first} + {n}])")
        with script.register("between", site):
            over = script.local("over", script.truth(hurdle, str("between" not in given)))
        with script.block(f"if {over}:"):
            script.line(f"{n} += 1")
        with script.block("else:"):
            script.line(f"{runs} = False")
            if before != "0":
                with script.block(f"if {n} == 0 and {first} - {at} < {before}:"), script.register("to", site):
                    script.line(f"{runs} = {script.truth(to_part.get('If'))}")
                    script.line(f"{first} += 1")
    return first, n


@ludeme("moves", "move (FromTo)", "fromTo")
def _from_to(script: Script, node: Bound) -> None:
    given = node.arguments
    move = _move_action(script, node)
    level = bound(given["from"]).arguments.get("level")
    first, last = kind_of(script, given["from"]), kind_of(script, given["to"])
    turns = turns_of(script, given["to"])

    def push(from_: str, to: str, known: Mapping[str, str]) -> None:
        if not turns:  # of a piece that is turned, Ludii forgets what would happen beside its move
            side_effect(script, apply_of(given["to"]))
        from_, to = spot(script, first, from_), spot(script, last, to)
        if "count" in given:
            kind = actions.MOVE_TOP if script.layout.stacking else actions.MOVE_COUNT
            act(script, kind, from_, to, known["count"])
        elif level is not None and script.layout.stacking:
            into = [] if _to_level(node) is None else [script.number(_to_level(node))]
            act(script, actions.MOVE, from_, to, known["level"], *into)
        else:
            move(from_, to)
        if turns:
            act(script, actions.SET_ROTATION, to, known["rotation"])

    with each_from(script, given["from"]) as from_, ExitStack() as stack:
        stack.enter_context(script.block(f"if not is_empty(s, {spot(script, first, from_)}):"))
        if script.layout.large:
            from ludarium.ludii.ludemes.moving.tiles import move_large

            with script.block(f"if states_of(what_at(s, {from_})) > 0:"):
                move_large(script, node, from_)
            stack.enter_context(script.block(f"elif what_at(s, {from_}) > 0:"))
        extra: dict[str, tuple[str, int]] = {}
        if "count" in given:  # `(to)` in it is not yet where this goes
            extra["count"] = (script.local("count", script.number(given["count"])), 12)
        with each_to(script, given["to"], turns=True) as to:
            if level is not None and script.layout.stacking:
                extra["level"] = (script.local("level", script.number(level)), script.layout.level_bits)
            name = "Copy" if _copies(script, node) else "Move"
            ends = reach.from_hands(script, given["from"])
            for turn in turns or [{}]:
                find(script, Found(node, name, from_, to, push, {**extra, **turn}, types=(first, last), reach=ends))


@ludeme("moves", "move Leap", "leap")
def _leap(script: Script, node: Bound) -> None:
    given = node.arguments
    forward = script.settled(node, "forward")
    to_part = given["to"]
    move, kind = _move_action(script, node), kind_of(script, given.get("from"))
    if forward and kind != script.topology.default_type:
        raise script.model.unsupported(node, why="forward, on sites of another type")

    def push(from_: str, to: str, _: Mapping[str, str]) -> None:
        side_effect(script, apply_of(to_part))
        move(spot(script, kind, from_), spot(script, kind, to))

    starts, targets = walks_of(script, node)
    with each_from(script, given.get("from")) as from_:
        at = script.out.fresh("at")
        with script.block(f"for {at} in range({starts}[{from_}], {starts}[{from_} + 1]):"):
            to = script.local("to", f"i64({targets}[{at}])")
            with script.register("to", to), script.block(f"if {script.truth(bound(to_part).arguments.get('If'))}:"):
                with script.block(f"if {is_ahead(script, from_, to) if forward else 'True'}:"):
                    ends = reach.by_table(script, starts, targets)
                    find(script, Found(node, "Move", from_, to, push, types=(kind, kind), reach=ends))


def walks_of(script: Script, node: Bound) -> tuple[str, str]:
    """The tables of where a leap leads from each site."""
    rotations = script.settled(node, "rotations", default=True)
    walks = [[word(step) for step in items(walk)] for walk in items(node.arguments["walk"])]
    return walk_tables(script, walks, rotations=rotations, kind=kind_of(script, node.arguments.get("from")))


_AHEAD = {
    "N": (1, 0),
    "NE": (1, 1),
    "E": (0, 1),
    "SE": (-1, 1),
    "S": (-1, 0),
    "SW": (-1, -1),
    "W": (0, -1),
    "NW": (1, -1),
}
"""Where rows and columns have to go for a piece that looks somewhere; no site is ahead of one that looks anywhere else."""


def is_ahead_of(script: Script, piece: Component, site: int, to: int) -> bool:
    """Whether a site lies ahead of a kind of piece on another, by rows and columns."""
    sites, way = script.topology.sites(), _AHEAD.get(_looks(script, piece))
    rows, columns = sites.rows[to] - sites.rows[site], sites.columns[to] - sites.columns[site]
    return way is not None and all(step * far > 0 for step, far in zip(way, (rows, columns), strict=True) if step)


def _looks(script: Script, piece: Component) -> str:
    return piece.facing or [*script.model.facings, ""][piece.owner] or "N"


def is_ahead(script: Script, from_: str, to: str) -> str:
    """Whether a site lies ahead of the piece on another, by rows and columns."""
    sites = script.topology.sites()
    rows, columns = script.table([*sites.rows], hint="row"), script.table([*sites.columns], hint="column")
    facings = ["N", *(_looks(script, each) for each in script.model.components)]
    known = [each for each in _AHEAD if each in facings]
    table = script.table([known.index(each) if each in known else -1 for each in facings], hint="looks")
    way = script.local("way", f"i64({table}[top_of(s, {from_})])")

    def ahead(way: tuple[int, int]) -> str:
        tests = [
            f"{line}[{to}] {'>' if step > 0 else '<'} {line}[{from_}]"
            for line, step in zip((rows, columns), way, strict=True)
            if step
        ]
        return " and ".join(tests)

    return "(" + " or ".join(f"({way} == {k} and {ahead(_AHEAD[each])})" for k, each in enumerate(known)) + ")"


def walk_tables(
    script: Script, walks: Sequence[Sequence[str]], *, rotations: bool, kind: SiteType | None = None
) -> tuple[str, str]:
    """Where walks of steps and turns lead from each site."""
    kind = kind or script.topology.default_type
    ways = script.topology.supported(kind, "Orthogonal")
    steps = {way: script.topology.steps(kind, way) for way in ways}
    starts, targets = [0], []
    for site in range(script.layout.sites):
        found = set()
        if site < count_of(script, kind):
            for first in range(len(ways)) if rotations else range(min(1, len(ways))):
                for walk in walks:
                    at, way = site, first
                    for each in walk:
                        if each == "F":
                            onwards = steps[ways[way]][at]
                            at = onwards[0] if onwards else -1
                            if at < 0:
                                break
                        else:
                            way = (way + (1 if each == "R" else -1)) % len(ways)
                    if at >= 0:
                        found.add(at)
        targets += sorted(found)
        starts.append(len(targets))
    return script.table(starts, hint="walks"), script.table(targets, hint="walked")
