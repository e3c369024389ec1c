"""Large pieces: where they are put and moved to, and the sites that they cover."""

from __future__ import annotations

from collections.abc import Mapping

from ludarium.ludii.code.regions import Region, blank, fixed, put
from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.code.sinks import Found, act
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.asking.arrays import sites_of
from ludarium.ludii.ludemes.moving.moves import find
from ludarium.ludii.ludemes.where.regions import board, empty
from ludarium.ludii.memory import actions
from ludarium.ludii.memory.large import Covers
from ludarium.ludii.model import Model, bound, walk

_STATE_BITS = 8
_MOVING = frozenset(
    [
        "step", "move Step", "slide", "move Slide", "hop", "move Hop", "leap", "move Leap", "promote", "move Promote", "push",
        "attract", "sow", "flip", "swap Sites", "move Swap Sites", "set Rotation", "move Set Rotation", "trigger", "take",
        "random", "deal",
    ]
)  # fmt: skip


def check_large(model: Model) -> None:
    """Refuse what would move or change a large piece in other ways than putting it somewhere."""
    if model.stacking:
        raise model.unsupported(next(each.node for each in model.components if each.walks and each.node), why="stacks")
    for node in walk(model.root):
        if node.family == "moves" and node.unit in _MOVING:
            raise model.unsupported(node, why="with large pieces")


def move_large(script: Script, node: Bound, from_: str) -> None:
    """The moves of a large piece: all of it comes to sites it may go to, or where it is already; in any of its states."""
    given = node.arguments
    to_part = bound(given["to"]).arguments
    if {"effect", "rotations", "level"} & to_part.keys() or {"count", "copy", "stack"} & given.keys():
        raise script.model.unsupported(node, why="with large pieces")
    if "region" in to_part:
        region = script.region(to_part["region"]).kept()
    else:
        region = blank(script)
        put(region, script.number(to_part.get("loc"), "c.to"))
    piece, own = script.local("piece", f"what_at(s, {from_})"), script.local("own", f"i64(s.state[{from_}])")
    words = script.layout.words
    free, k = script.out.fresh("free"), script.out.fresh("k")
    script.line(f"{free} = array(u64, {words})")
    for word in range(words):
        script.line(f"{free}[{word}] = {region.word(str(word))}")
    if script.model.dominoes:  # they lie on the line of play, the first one anywhere
        for word in range(words):
            script.line(f"{free}[{word}] = {f'u64(0) if s.moves > 0 else {board(script).word(str(word))}'}")
        with script.block("if s.moves > 0:"):
            script.line(f"line_of_play(s, {free})")
    with script.block(f"for {k} in range({script.model.board_sites}):"):
        site = script.local("site", f"covers({piece}, {own}, {from_}, {k})")
        with script.block(f"if {site} < 0:"):
            script.line("break")
        script.line(f"{free}[{site} >> 6] |= u64(1) << u64({site} & 63)")
    with region.each("to") as to:
        _states(script, node, from_, to, piece, own, free)
    with script.block(f"for {k} in range(1, {script.model.board_sites}):"):
        site = script.local("to", f"covers({piece}, {own}, {from_}, {k})")
        with script.block(f"if {site} < 0:"):
            script.line("break")
        _states(script, node, from_, site, piece, own, free)


def _states(script: Script, node: Bound, from_: str, to: str, piece: str, own: str, free: str) -> None:
    state = script.out.fresh("state")

    def push(start: str, end: str, known: Mapping[str, str]) -> None:
        act(script, actions.MOVE_LARGE, start, end, known["state"])

    with script.block(f"for {state} in range(states_of({piece})):"):
        other = f"({from_} != {to} or {own} != {state})"
        with script.block(f"if {other} and fits_into({piece}, {state}, {to}, {free}):"):
            find(script, Found(node, "Move", from_, to, push, {"state": (state, _STATE_BITS)}))


def add_large(script: Script, node: Bound, piece: str, wanted: str) -> None:
    """The ways to put a large piece on empty sites: in one state, or in any. Its consequences never come."""
    to_part = bound(node.arguments["to"]).arguments
    if "effect" in to_part or "count" in node.arguments:
        raise script.model.unsupported(node, why="with large pieces")
    free, state = script.out.fresh("free"), script.out.fresh("state")
    script.line(f"{free} = array(u64, {script.layout.words})")
    sites = empty(script)
    for word in range(script.layout.words):
        script.line(f"{free}[{word}] = {sites.word(str(word))}")
    if "region" in to_part:
        region = script.region(to_part["region"])
    else:
        region = blank(script)
        put(region, script.number(to_part.get("loc"), "c.to"))
    wanted = script.local("wanted", wanted)

    def push(_: str, end: str, known: Mapping[str, str]) -> None:
        act(script, actions.ADD, end, known["piece"], 1, known["state"])

    thens, own = script.thens, node.arguments.get("then")
    script.thens = [each for each in thens if each is not own]
    with region.each("to") as to, script.block(f"for {state} in range(states_of({piece})):"):
        fits = f"({wanted} < 0 or {wanted} == {state}) and fits_into({piece}, {state}, {to}, {free})"
        with script.block(f"if {fits}:"):
            extra = {"piece": (piece, 10), "state": (state, _STATE_BITS)}
            find(script, Found(node, "Add", to, to, push, extra))
    script.thens = thens


@ludeme("region", "sites LargePiece")
def _sites_of_piece(script: Script, node: Bound) -> Region:
    """The sites of the large piece that stands on a site; of another piece, that site."""
    site, found = script.local("site", script.number(node.arguments["at"])), blank(script)
    with script.block(f"if what_at(s, {site}) > 0:"):
        put(found, site)
        if script.layout.large:
            k = script.out.fresh("k")
            with script.block(f"for {k} in range({script.model.board_sites}):"):
                each = script.local("each", f"covers(what_at(s, {site}), i64(s.state[{site}]), {site}, {k})")
                with script.block(f"if {each} < 0:"):
                    script.line("break")
                put(found, each)
    return found


@ludeme("int", "size LargePiece")
def _size(script: Script, node: Bound) -> str:
    """How many sites the pieces on some sites cover: large ones as many as they would in the centre, in their first state."""
    centre = min(script.topology.sites().centre)
    sizes = [1] * (len(script.model.components) + 1)
    sizes[0] = 0
    for each in script.model.components:
        if each.walks:
            sizes[each.index] = len(Covers(script.model).sites(each, 0, centre))
    table, total = script.table(sizes, hint="sizes"), script.out.fresh("total")
    script.line(f"{total} = 0")
    with sites_of(script, node.arguments.get("in"), node.arguments.get("at")) as site:
        script.line(f"{total} += i64({table}[what_at(s, {site})])")
    return total


def covered(script: Script) -> Region:
    """The sites that large pieces cover, beside their roots."""
    if not script.layout.large:
        return fixed(script, ())
    return Region(script, lambda k: f"s.covered[{k}]")
