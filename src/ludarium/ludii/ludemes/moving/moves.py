"""Moves that players choose: where they go from and to, and what is joined and chosen among them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext

from ludarium.ludii.code.filters import Filtered, has_filter
from ludarium.ludii.code.regions import Region
from ludarium.ludii.code.script import Script, literal, ludeme
from ludarium.ludii.code.sets import has_sets, sites_where
from ludarium.ludii.code.sinks import Done, Exists, Found, Listed, Push, act, copied, perform
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.ludemes.moving.naming import pieces_of, there_is
from ludarium.ludii.memory import actions
from ludarium.ludii.memory.spots import count_of, kind_of, spot
from ludarium.ludii.model import bound, items, walk

_LARGE = 12  # ludemes, from which on moves have a kernel of their own


def moves_apart(script: Script, value: Value) -> None:
    """Write moves, in a kernel of their own if there is much to them: many small kernels are compiled faster than a large one."""
    node, sink = bound(value), script.sink
    assert sink is not None
    if script.weight(node) < _LARGE:
        script.moves(node)
        return

    def write() -> str:
        with script.kernel("moves", sink.more, sink.result, script.place(node)) as name:
            script.moves(node)
            sink.nothing(script)
        return name

    priors, groups = tuple(name for name, _ in script.priors), tuple(script.groups)
    around = (tuple(map(id, script.thens)), tuple(script.live), priors, groups)
    late = script.late is not None and (isinstance(sink, Filtered) or has_filter(node))
    key = ("moves", id(node), sink, around, script.acting, script.modes, late, script.players_put)
    sink.call(script, script.once(key, write))


@ludeme("moves", "or", "and")
def _or(script: Script, node: Bound) -> None:
    given = node.arguments
    for each in items(given["list"]) if "list" in given else [given["movesA"], given["movesB"]]:
        moves_apart(script, each)


@ludeme("moves", "if")
def _if(script: Script, node: Bound) -> None:
    given = node.arguments
    condition = script.truth(given["cond"])
    with script.block(f"if {condition}:"):
        moves_apart(script, given["list"])
    if "elseList" in given:
        with script.block("else:"):
            moves_apart(script, given["elseList"])


@ludeme("moves", "priority")
def _priority(script: Script, node: Bound) -> None:
    given = node.arguments
    ways = list(items(given["list"])) if "list" in given else [given["list1"], given["list2"]]
    sink = script.sink
    if isinstance(sink, Listed | Done):
        counter = "c.top" if isinstance(sink, Done) else "c.count"
        before = script.local("before", counter)
        _first_that_counts(script, ways, lambda: f"{counter} == {before}")
        return
    if type(sink) is Exists:  # whichever comes first, there is one
        for way in ways:
            moves_apart(script, way)
        return
    from ludarium.ludii.ludemes.asking.conditions import any_move

    def write(k: int) -> None:
        if k == len(ways) - 1:
            moves_apart(script, ways[k])
            return
        with script.block(f"if {any_move(script, bound(ways[k]))}(v, c):"):
            moves_apart(script, ways[k])
        with script.block("else:"):
            write(k + 1)

    write(0)


def _first_that_counts(script: Script, ways: list[Value], none_yet: Callable[[], str]) -> None:
    with script.filtered_at_once():
        moves_apart(script, ways[0])
    for way in ways[1:]:
        waits = nullcontext() if way is ways[-1] else script.filtered_at_once()
        with script.block(f"if {none_yet()}:"), waits:
            moves_apart(script, way)


@contextmanager
def each_from(script: Script, value: Value | None, *, selected: bool = False, regions: bool = True) -> Iterator[str]:
    """The sites that moves begin at; `(from)` means each of them in here, and if they are `selected`, `(to)` as well."""
    given: Mapping[str, Value] = {} if value is None else bound(value).arguments
    end = _selectable(script, bound(value)) if selected else script.layout.sites
    if "region" in given and regions:
        with script.region(given["region"]).each("from_") as site:
            inside = script.block(f"if {site} < {end}:") if end < script.layout.sites else nullcontext()
            with inside, _also_to(script, site, selected=selected), _tested(script, "from_", site, given):
                yield site
        return
    site = script.local("from_", script.number(given.get("loc"), "c.from_"))
    with script.block(f"if 0 <= {site} < {end}:"), _also_to(script, site, selected=selected):
        with _tested(script, "from_", site, given):
            yield site


def _also_to(script: Script, site: str, *, selected: bool) -> AbstractContextManager[None]:
    return script.register("to", site) if selected else nullcontext()


@contextmanager
def each_to(script: Script, value: Value | None, *, turns: bool = False) -> Iterator[str]:
    """The sites that moves lead to; `(to)` means each of them in here. Only who asks for it knows what to do with turns."""
    given: Mapping[str, Value] = {} if value is None else bound(value).arguments
    if "rotations" in given and not turns:
        raise script.model.unsupported(bound(value), why="rotations")
    if "region" in given:
        region = script.region(given["region"])
        draws = script.sink is not None and script.sink.draws
        from ludarium.ludii.ludemes.asking.enclosing import enclosing_sites

        asked = draws and "If" in given and has_sets(script)
        known = sites_where(script, given["If"], "to") if asked else None
        if known is not None:  # then only sites are drawn that pass
            region, given = region & Region(script, lambda _: known), {}
        enclosing = enclosing_sites(script, given.get("If"))
        if enclosing is not None:
            with region.drawn("to") if draws else (region & enclosing).each("to") as site, script.register("to", site):
                with script.block(f"if {enclosing.has(site)}:") if draws else nullcontext():
                    yield site
            return
        with region.drawn("to") if draws else region.each("to") as site, _tested(script, "to", site, given):
            yield site
        return
    site = script.local("to", script.number(given.get("loc"), "c.to"))
    with script.block(f"if 0 <= {site} < {script.layout.sites}:"), _tested(script, "to", site, given):
        yield site


@contextmanager
def _tested(script: Script, register: str, site: str, given: Mapping[str, Value]) -> Iterator[None]:
    with script.register(register, site, loop=register == "from_"):
        if "If" not in given:
            yield
            return
        with script.block(f"if {script.truth(given['If'])}:"):
            yield


def side_effect(script: Script, value: Value | None) -> None:
    """Write what happens beside a move, before it: `(apply ..)` of a part of it."""
    if value is None:
        return
    given = bound(value).arguments
    if "effect" not in given:
        return
    effect = bound(given["effect"])

    def write() -> None:
        if isinstance(script.sink, Done) and not script.sink.at_once:
            thens, script.thens = script.thens, []
            script.moves(effect)
            script.thens = thens
        else:
            perform(script, effect)

    if "If" in given:
        with script.block(f"if {script.truth(given['If'])}:"):
            write()
    else:
        write()


def apply_of(value: Value | None) -> Value | None:
    """The `(apply ..)` of a part of a move."""
    return None if value is None else bound(value).arguments.get("effect")


def span(script: Script, value: Value | None, least: int, most: int) -> tuple[str, str]:
    """The least and the greatest number of a range."""
    if value is None:
        return str(least), str(most)
    node = bound(value)
    given = node.arguments
    match node.unit:
        case "exact":
            number = script.local("exact", script.number(given["value"]))
            return number, number
        case "max":
            return str(least), script.local("most", script.number(given["max"]))
        case "min":
            return script.local("least", script.number(given["min"])), str(most)
    first = script.local("least", script.number(given["min"]))
    return first, script.local("most", script.number(given["max"])) if "max" in given else first


@ludeme("moves", "move Add", "add", "move Claim", "claim")
def _add(script: Script, node: Bound) -> None:
    given = node.arguments
    to_part = bound(given["to"]).arguments
    of = kind_of(script, given["to"])
    pieces = pieces_of(script, given.get("what"))
    state = bound(given["what"]).arguments.get("state") if "what" in given else None
    several = len(pieces) > 1
    told = several or ("what" in given and any(each.unit == "value Pending" for each in walk(given["what"])))
    """Whether moves tell the piece: which one it is may not be known any more when the move is made."""
    found_here = isinstance(script.sink, Done)
    if found_here:  # `(to)` in what is added is not yet where it comes to
        pieces = [script.local("piece", each) for each in pieces]

    def push(_: str, to: str, known: Mapping[str, str]) -> None:
        with script.register("from_", to):
            side_effect(script, apply_of(given["to"]))
        piece = known["piece"] if told else (pieces if found_here else pieces_of(script, given.get("what")))[0]
        piece = there_is(script, given.get("what"), piece)
        where, count = spot(script, of, to), script.number(given.get("count"), "1")
        asked = script.layout.stacking and script.model.uses("int:last LevelTo")
        level = script.local("level", f"height_of(s, {where})") if asked else "0"
        again = script.block(f"for _ in range({count}):") if count != "1" else nullcontext()
        with again:
            if "level" in to_part and script.layout.stacking:
                act(script, actions.INSERT, where, script.number(to_part["level"]), piece, script.number(state))
            else:
                act(script, actions.ADD, where, piece, 1, script.number(state))
        note_level(script, node, None, level)

    if script.layout.large:
        if several:
            raise script.model.unsupported(node, why="several pieces, some of which are large")
        _add_any(script, node, pieces[0], state, push)
        return
    with script.block(f"if {script.number(given['count'])} > 0:") if "count" in given else nullcontext():
        _add_each(script, node, pieces, push, told=told)


def _add_each(script: Script, node: Bound, pieces: list[str], push: Push, *, told: bool) -> None:
    """Write the moves that add one of some pieces."""
    given, several = node.arguments, len(pieces) > 1
    to_part, of = bound(given["to"]).arguments, kind_of(script, given["to"])
    kind = "Insert" if "level" in to_part and script.layout.stacking else "Add"
    twice = "region" in to_part and "effect" in to_part  # Ludii lists such moves twice
    done = script.out.fresh("done")
    if several and "region" not in to_part:
        script.line(f"{done} = False")
    for each in pieces:
        piece = script.local("piece", each) if told else ""
        with each_to(script, given["to"]) as to:
            extra = {"piece": (piece, 10)} if told else {}
            if several and "region" not in to_part:  # of several pieces for one site the first that fits
                with script.block(f"if not {done}:"):
                    script.line(f"{done} = True")
                    find(script, Found(node, kind, to, to, push, extra, types=(of, of)))
                continue
            find(script, Found(node, kind, to, to, push, extra, twice, (of, of)))


def _add_any(script: Script, node: Bound, piece: str, state: Value | None, push: Push) -> None:
    """Write the moves that add a piece which may be a large one."""
    from ludarium.ludii.ludemes.moving.tiles import add_large

    piece = script.local("piece", piece)
    with script.block(f"if {piece} >= 0 and states_of({piece}) > 0:"):
        add_large(script, node, piece, script.number(state))
    with script.block("else:"), each_to(script, node.arguments["to"]) as to:
        find(script, Found(node, "Add", to, to, push))


@ludeme("moves", "move Pass", "pass")
def _pass(script: Script, node: Bound) -> None:
    find(script, Found(node, "Pass", "-1", "-1", lambda *_: None))


@ludeme("moves", "move Select", "select")
def _select(script: Script, node: Bound) -> None:
    given = node.arguments
    if "mover" in given and not script.model.together:
        raise script.model.unsupported(node, why="by another than the mover")
    kind = kind_of(script, given["from"])
    level = bound(given["to" if "to" in given else "from"]).arguments.get("level")

    def push(from_: str, to: str, _: Mapping[str, str]) -> None:
        top = f"height_of(s, {spot(script, kind, to)}) - 1" if script.layout.stacking else "0"
        note_level(script, node, level if script.layout.stacking else None, top)

    with each_from(script, given["from"], selected=True) as from_:
        if "to" not in given:
            find(script, Found(node, "Select", from_, from_, push, types=(kind, kind)))
            return
        with each_to(script, given["to"]) as to, script.block(f"if {to} < {_selectable(script, given['to'])}:"):
            find(script, Found(node, "Select", from_, to, push, types=(kind, kind_of(script, given["to"]))))


def _selectable(script: Script, part: Value) -> int:
    """The sites that can be selected come before this one: what is no cell is on the board."""
    kind = kind_of(script, part)
    return script.layout.sites if kind == "Cell" else count_of(script, kind)


@ludeme("moves", "forEach Site")
def _for_each_site(script: Script, node: Bound) -> None:
    given = node.arguments
    sink = script.sink
    if "noMoveYet" in given and not isinstance(sink, Listed | Exists | Done):
        raise script.model.unsupported(node, why="asking where it leads")
    counter = "c.top" if isinstance(sink, Done) else "c.count"
    none_yet = script.local("none_yet", counter) if "noMoveYet" in given else ""
    counted = script.filtered_at_once() if "noMoveYet" in given else nullcontext()
    region, draws = script.region(given["regionFn"]).kept(), sink is not None and sink.draws
    able = _able(script, bound(given["generator"]))
    if able is not None and not draws:
        region &= able
    with counted, region.drawn() if draws else region.each() as site:
        with script.block(f"if {able.has(site)}:") if able is not None and draws else nullcontext():
            with script.register("site", site, loop=True), script.register("to", site, loop=True):
                moves_apart(script, given["generator"])
    if "noMoveYet" in given:
        thens, script.thens = script.thens, [each for each in script.thens if each is not given.get("then")]
        with script.block(f"if {counter} == {none_yet}:"):
            moves_apart(script, given["noMoveYet"])
        script.thens = thens


def _able(script: Script, generator: Bound) -> Region | None:
    """The sites of a loop where there can be moves to choose from; nothing where that is not known."""
    from ludarium.ludii.ludemes.asking.enclosing import sites_to_capture_from

    if not (isinstance(script.sink, Listed | Exists) or (script.sink is not None and script.sink.draws)):
        return None  # what is done changes where there are others
    return sites_to_capture_from(script, generator, frozenset(["site", "to"]))


def note_level(script: Script, node: Bound, level: Value | None, other: str) -> None:
    """Write which level of a stack a move leads to, if rules ask for it: the one that is named, or another."""
    if script.model.uses("int:last LevelTo") and node.unit.startswith("move "):
        number = script.local("level", script.number(level) if level is not None else other)
        script.line(f"s.last_level = max({number}, 0)")


def find(script: Script, move: Found) -> None:
    """Hand a move to whoever looks for moves."""
    assert script.sink is not None
    script.sink.found(script, move)


__all__ = [
    "apply_of",
    "copied",
    "each_from",
    "each_to",
    "find",
    "literal",
    "moves_apart",
    "note_level",
    "side_effect",
    "span",
]
