"""Pieces: all that stand somewhere and belong to somebody, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ludarium.ludii.board import SiteType
from ludarium.ludii.code.numbered import write_sets
from ludarium.ludii.code.playouts import Lottery
from ludarium.ludii.code.regions import Region, add_all, blank, fixed, occupied, owned, put
from ludarium.ludii.code.script import Script, literal, ludeme
from ludarium.ludii.code.sinks import Exists, copied
from ludarium.ludii.code.ways import ways_of
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.asking.players import known_player, players_of
from ludarium.ludii.memory.spots import count_of, kind_of, spot
from ludarium.ludii.model import Component, bound, items, text, word


@dataclass(frozen=True)
class Stock:
    """Some pieces: whose they are (all owners if nobody is named), of which kinds, and where."""

    owners: Sequence[str] | None
    kinds: Callable[[Component], bool] | None = None
    where: Region | None = None
    top: bool = False
    kind: SiteType | None = None
    """The type of sites where they are, if not the usual one."""

    listed: bool = False
    """Whether they are looked for on Ludii's list, where heaps may be twice, or after they have gone."""


def owner_table(script: Script) -> str:
    """Who owns each kind of piece."""
    return script.table([0, *(each.owner for each in script.model.components)], hint="owner")


@contextmanager
def each_piece(script: Script, stock: Stock) -> Iterator[tuple[str, str, str]]:
    """A loop over pieces: the site, the level and the kind of each."""
    layout, of = script.layout, stock.kind
    if stock.listed and (layout.listing or layout.ghosts):
        with _each_listed(script, stock) as found:
            yield found
        return
    region = None
    for owner in stock.owners or ():
        region = owned(script, owner, of) if region is None else region | owned(script, owner, of)
    mask = ""
    if stock.owners is not None and (layout.stacking and not stock.top):
        mask = script.local("owners", mask_of(stock.owners))
        region = None
    region = occupied(script, of) if region is None else region
    if stock.where is not None:
        region &= stock.where
    with region.each() as site:
        level, at = "0", site
        if stock.kind is not None and stock.kind != layout.types[0]:
            at = script.local("at", spot(script, stock.kind, site))
        if layout.stacking and stock.top:
            level = script.local("level", f"i64(s.height[{at}]) - 1")
        if layout.stacking and not stock.top:
            level = script.out.fresh("level")
            with script.block(f"for {level} in range(s.height[{at}]):"):
                yield from _one(script, stock, mask, (site, at), level)
            return
        yield from _one(script, stock, mask, (site, at), level)


@contextmanager
def _each_listed(script: Script, stock: Stock) -> Iterator[tuple[str, str, str]]:
    layout = script.layout
    where = stock.where if stock.where is not None else fixed(script, range(script.model.sites))
    what, kinds, level = script.out.fresh("piece"), len(script.model.components), script.out.fresh("level")
    field = "ghost" if layout.ghosts else "listed"
    with where.each() as site:
        at = script.local("at", spot(script, stock.kind, site) if stock.kind else site)
        high = script.local("high", f"i64(s.height[{at}])" if layout.stacking else "0 + 0")
        with script.block(f"for {what} in range(1, {kinds + 1}):"):
            whose = f"i64({owner_table(script)}[{what}])"
            own = " or ".join(f"{whose} == {owner}" for owner in stock.owners or ()) or str(stock.owners is None)
            with script.block(f"if {own}:"):
                # first the pieces of a stack that are there, then those that are on the list only
                times = script.local("times", f"i64(s.{field}[{what} * {layout.spots} + {at}])")
                if stock.top:
                    with script.block(f"if {high} != 1:"):
                        script.line(f"{times} = 0")
                first = f"max(0, {high} - 1)" if stock.top else "0"
                with script.block(f"for {level} in range({first}, {high} + {times}):"):
                    there = f"{level} >= {high} or i64(s.what[{at} * {layout.height} + {level}]) == {what}"
                    with script.block(f"if {there if layout.stacking else 'True'}:"):
                        yield site, f"({level} if {level} < {high} else 0)", what


def _one(script: Script, stock: Stock, mask: str, place: tuple[str, str], level: str) -> Iterator[tuple[str, str, str]]:
    site, at = place
    what = script.local("piece", f"i64(s.what[{at} * {script.layout.height} + {level}])")
    tests = [f"({mask} >> i64({owner_table(script)}[{what}])) & 1 == 1"] if mask else []
    if stock.kinds is not None:
        wanted = [int(stock.kinds(each)) for each in script.model.components]
        tests.append(f"{script.table([0, *wanted], hint='wanted')}[{what}] == 1")
    if not tests:
        yield site, level, what
        return
    with script.block(f"if {' and '.join(tests)}:"):
        yield site, level, what


def named_in(node: Bound, slot: str = "name") -> Callable[[Component], bool] | None:
    """Pieces whose full names contain a text."""
    if slot not in node.arguments:
        return None
    name = text(node.arguments[slot])
    return lambda piece: name in piece.name


@ludeme("int", "count Pieces")
def _count_pieces(script: Script, node: Bound) -> str:
    given = node.arguments
    if "name" in given and text(given["name"]) == "Bag":
        return "bag_size(s)"
    owners, of = players_of(script, node, "role", "of", "All"), kind_of(script, node)
    where = script.region(given["in"]).kept() if "in" in given else None
    plain = not script.layout.stacking and not script.layout.counting
    if plain and not {"name", "If"} & given.keys():
        region = owned(script, owners[0], of)
        for owner in owners[1:]:
            region |= owned(script, owner, of)
        return (region & where if where is not None else region).count()
    total = script.out.fresh("total")
    script.line(f"{total} = 0")
    kinds = named_in(node)
    stock = Stock(owners, kinds, where, kind=of)
    with each_piece(script, stock) as (site, level, _):
        test = "True"
        if "If" in given:
            with script.register("site", site), script.register("level", level):
                test = script.local("holds", script.truth(given["If"]))
        with script.block(f"if {test}:"):
            times = "1"
            if script.layout.stacking and len(owners) > 1:
                times = f"{_owners_kernel(script)}(v, c, {spot(script, of, site)}, {mask_of(owners)})"
            elif script.layout.counting:
                times = f"i64(s.count[{spot(script, of, site)}])"
            script.line(f"{total} += {times}")
    return total


def mask_of(owners: Sequence[str]) -> str:
    """Players as bits of a number."""
    return " | ".join(f"(1 << max({owner}, 0))" for owner in owners) or "0"


def _owners_kernel(script: Script) -> str:
    """The kernel that says of how many players there are pieces in a stack: Ludii counts all of them for each of these."""

    def write() -> str:
        with script.kernel("owners_in", "x: i64, players: i64", "i64") as name:
            script.line("here = 0")
            with script.block("for level in range(s.height[x]):"):
                what = f"s.what[x * {script.layout.height} + level]"
                script.line(f"here |= 1 << i64({owner_table(script)}[{what}])")
            script.line("return i64(popcount(u64(here & players)))")
        return name

    return script.once(("owners in",), write)


@ludeme("bool", "no Pieces")
def _no_pieces(script: Script, node: Bound) -> str:
    given = node.arguments
    owners, of = players_of(script, node, "role", "of", "All"), kind_of(script, node)
    where = script.region(given["in"]).kept() if "in" in given else None
    if not script.layout.stacking and not script.layout.listing and "name" not in given:
        region = owned(script, owners[0], of)
        for owner in owners[1:]:
            region |= owned(script, owner, of)
        return f"(not {(region & where if where is not None else region).some()})"
    none = script.out.fresh("none")
    script.line(f"{none} = True")
    if script.layout.listing and "name" not in given:
        with each_piece(script, Stock(owners, None, where, kind=of, listed=True)) as (site, _, _):
            who = script.local("who", f"who_at(s, {spot(script, of, site)})")  # nobody, where a heap has gone
            with script.block(f"if {' or '.join(f'{who} == {owner}' for owner in owners)}:"):
                script.line(f"{none} = False")
        return none
    with each_piece(script, Stock(owners, named_in(node), where, kind=of)):
        script.line(f"{none} = False")
    return none


@ludeme("region", "sites Occupied")
def _occupied(script: Script, node: Bound) -> Region:
    given = node.arguments
    owners, of = players_of(script, node, "By", "by", ""), kind_of(script, node, "on")
    where = _where(script, node, owners)
    top = script.settled(node, "top", default=True)
    found: Region | None = None
    if not {"component", "Component", "components"} & given.keys() and (top or not script.layout.stacking):
        for owner in owners:
            found = owned(script, owner, of) if found is None else found | owned(script, owner, of)
        assert found is not None
        return found if where is None else found & where
    if "component" in given:
        index = script.local("kind", script.number(given["component"]))
        kinds, test = None, f"{{0}} == {index}"
    else:
        names = (
            {text(given["Component"])}
            if "Component" in given
            else {text(each) for each in items(given.get("components"))}
        )
        kinds, test = (lambda piece: not names or piece.bare in names or piece.name in names), "True"
        if names and "By" in given and word(given["By"]) not in ("All", "Enemy", "NonMover"):
            # Ludii looks for names among the pieces of the one player whose number a role is: friends have none
            whose = script.local("whose", known_player(script, script.role(given["By"])))
            test = f"i64({owner_table(script)}[{{0}}]) == {whose}"
    result = blank(script)
    with each_piece(script, Stock(owners, kinds, where, kind=of)) as (site, _, what):
        tests = [test.format(what)]
        if script.layout.stacking and top:
            tests.append("(" + " or ".join(f"who_at(s, {spot(script, of, site)}) == {owner}" for owner in owners) + ")")
        with script.block(f"if {' and '.join(tests)}:"):
            put(result, site)
    return result


def _where(script: Script, node: Bound, owners: Sequence[str]) -> Region | None:
    """The part of all sites that is looked at."""
    given = node.arguments
    board = fixed(script, range(script.model.board_sites))
    if "Container" in given:
        name = text(given["Container"])
        return container_sites(script, name, owners[0] if len(owners) == 1 else "-1")
    if "container" in given:
        return _container(script, node, None)
    kind = kind_of(script, node, "on")
    if kind != script.topology.default_type:
        return fixed(script, range(count_of(script, kind)))
    return board if kind != "Cell" else None


def container_sites(script: Script, name: str, owner: str) -> Region:
    """The sites of a container by its name; of a hand, the one of a player."""
    fitting = [each for each in script.topology.containers if each.name == name]
    if fitting:
        return fixed(script, range(fitting[0].first, fitting[0].first + fitting[0].count))
    if name == "Board":
        return fixed(script, range(script.model.board_sites))
    found, owner = blank(script), script.local("owner", owner)
    for each in script.topology.containers:
        if each.kind == "hand" and each.name.startswith(name):
            with script.block(f"if {owner} == {each.owner}:"):
                add_all(found, fixed(script, range(each.first, each.first + each.count)))
    return found


@ludeme("moves", "forEach Piece")
def _for_each_piece(script: Script, node: Bound) -> None:
    given = node.arguments
    role = word(given["role"]) if "role" in given else ""
    if role in ("All", "Each"):
        _pieces(script, node, None)
        return
    player = script.player(node, "role", "player", "i64(s.mover)")
    if type(script.sink) is Exists and (ways := ways_of(script, node)) is not None:
        with script.block(f"if {write_sets(script, ways).some}:"):
            script.answer("True")
        return
    if player in ("i64(s.mover)", "0", str(script.layout.players + 1)):
        _pieces(script, node, player)
        return
    _as_player(script, node, player)


def _as_player(script: Script, node: Bound, player: str) -> None:
    """Write the moves of somebody's pieces as if he were to move."""
    sink = script.sink
    assert sink is not None
    of_player = script.kernel("of_player", sink.more, sink.result, script.place(node))
    acting, script.acting = script.acting, player
    with script.filtered_at_once(), of_player as finder:
        script.players_put += 1
        _pieces(script, node, "i64(s.mover)")
        script.players_put -= 1
        sink.nothing(script)
    script.acting = acting
    with script.kernel("as_player", sink.more, sink.result) as name, copied(script):
        script.line("t = State(w)")
        chosen = script.local("player", player)
        for field in ("mover", "next", "prev"):
            script.line(f"old_{field} = i64(c.real_{field})")
        with script.block(f"if 0 < {chosen} <= {script.layout.players} and {chosen} != s.mover:"):
            for field in ("mover", "next", "prev"):
                script.line(f"c.real_{field} = i64(s.{field})")
            script.line("t.prev = s.mover")
            script.line(f"t.mover = {chosen}")
            script.line("t.next = next_active(t, t.mover)")
        call = f"{finder}(w, c{''.join(', ' + each.partition(':')[0] for each in sink.more.split(', ') if each)})"
        script.line(f"found = {call}" if sink.result == "bool" else call)
        for field in ("mover", "next", "prev"):
            script.line(f"c.real_{field} = old_{field}")
        if sink.result == "bool":
            script.line("return found")
    sink.call(script, name)


def _pieces(script: Script, node: Bound, owner: str | None) -> None:
    given = node.arguments
    names = {text(each) for each in items(given.get("items"))} | ({text(given["item"])} if "item" in given else set())
    chosen = [each for each in script.model.components if not names or each.bare in names or each.name in names]
    if owner is not None and literal(owner) is not None:
        chosen = [each for each in chosen if each.owner == int(owner)]
    rules: dict[int, tuple[Bound, list[int]]] = {}
    for piece in chosen:
        found = bound(given["specificMoves"]) if "specificMoves" in given else piece.moves
        if found is not None:
            rules.setdefault(id(found), (found, []))[1].append(piece.index)
    if not rules:
        return
    top = script.settled(node, "top")
    for kind in [kind_of(script, node, "on")] if "on" in given else script.layout.types:
        where = _container(script, node, owner, kind)
        if where.sites == ():
            continue
        if isinstance(script.sink, Lottery):
            with script.sink.piece(script, owned(script, owner or "") & where) as (site, what):
                with script.register("from_", site, loop=True), script.register("level", "0"):
                    _moves_of(script, list(rules.values()), what, len(chosen) if not names else -1)
            continue
        stock = Stock(None if owner is None else [owner], None, where, top, kind, listed=True)
        with each_piece(script, stock) as (site, level, what), script.register("from_", site, loop=True):
            with script.register("level", level, loop=script.layout.stacking):
                _moves_of(script, list(rules.values()), what, len(chosen) if not names else -1)


def _moves_of(script: Script, rules: list[tuple[Bound, list[int]]], what: str, kinds: int) -> None:
    """Write the moves of a kind of piece."""
    from ludarium.ludii.ludemes.moving.moves import moves_apart

    (first, indices), *others = rules
    if not others and len(indices) == kinds:
        moves_apart(script, first)
        return
    with script.block(f"match {what}:"):
        for moves, indices in rules:
            with script.block(f"case {' | '.join(map(str, indices))}:"):
                moves_apart(script, moves)
        with script.block("case _:"):
            script.line("pass")


def _container(script: Script, node: Bound, owner: str | None, kind: SiteType | None = None) -> Region:
    given = node.arguments
    if kind is not None and kind != script.topology.default_type:
        if {"container", "containerName"} & given.keys():
            return fixed(script, ())
        most = count_of(script, kind) if "on" in given else min(count_of(script, kind), script.model.board_sites)
        return fixed(script, range(most))
    if "containerName" in given:
        return container_sites(script, text(given["containerName"]), owner or "-1")
    number = script.number(given.get("container"), "0")
    index = literal(number)
    containers = [range(script.model.board_sites)]
    containers += [range(each.first, each.first + each.count) for each in script.topology.containers[1:]]
    if index is not None:
        return fixed(script, containers[index] if 0 <= index < len(containers) else ())
    found, number = blank(script), script.local("container", number)
    for k, sites in enumerate(containers):
        with script.block(f"if {number} == {k}:"):
            add_all(found, fixed(script, sites))
    return found


@ludeme("int", "size Stack", "topLevel")
def _stack_size(script: Script, node: Bound) -> str:
    given = node.arguments
    if node.unit == "topLevel":
        return f"max(height_of(s, {script.number(given['at'])}) - 1, 0)" if script.layout.stacking else "0"
    if "in" not in given:
        return f"height_of(s, {script.number(given.get('at'), 'i64(s.last_to)')})"
    total = script.out.fresh("total")
    script.line(f"{total} = 0")
    with script.region(given["in"]).each() as site:
        script.line(f"{total} += height_of(s, {site})")
    return total
