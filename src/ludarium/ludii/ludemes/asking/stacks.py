"""Stacks: which levels hold what."""

from __future__ import annotations

from contextlib import ExitStack

from ludarium.ludii.code.regions import Region, blank, fixed, put
from ludarium.ludii.code.script import Script, literal, ludeme
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.asking.arrays import sites_of
from ludarium.ludii.ludemes.where.places import of_player
from ludarium.ludii.memory.spots import count_of, kind_of, spot
from ludarium.ludii.model import text, word


@ludeme("int", "where Level")
def _where_level(script: Script, node: Bound) -> str:
    """The highest level of a stack with a piece, or the lowest one."""
    given, layout = node.arguments, script.layout
    if "what" in given:
        piece = script.number(given["what"])
    else:
        pieces = [script.model.owned(text(given["namePiece"]), player) for player in range(layout.players + 2)]
        numbers = [each.index if each else -1 for each in pieces]
        player = script.player(node, "role", "indexPlayer")
        piece = of_player(script, numbers, player, "pieces")
    piece, site = script.local("piece", piece), script.local("site", script.number(given["at"]))
    upwards = not script.settled(node, "fromTop", default=True)
    state = script.local("state", script.number(given.get("state")))
    found, k = script.out.fresh("found"), script.out.fresh("k")
    script.line(f"{found} = -1")
    with script.block(f"if 0 <= {site} < {script.model.board_sites} and {piece} > 0:"):
        with script.block(f"for {k} in range(height_of(s, {site})):"):
            tests = [f"s.what[{site} * {layout.height} + {k}] == {piece}"]
            tests += [f"{found} < 0"] if upwards else []
            if layout.local_states:
                tests.append(f"({state} < 0 or s.state[{site} * {layout.height} + {k}] == {state})")
            with script.block(f"if {' and '.join(tests)}:"):
                script.line(f"{found} = {k}")
    return found


@ludeme("int", "count Stack")
def _count_stack(script: Script, node: Bound) -> str:
    """How many levels of stacks fit, from the bottom or from the top, until one stops it."""
    given = node.arguments
    down = "stackDirection" in given and repr(given["stackDirection"]) == "FromTop"
    total, k = script.out.fresh("total"), script.out.fresh("k")
    script.line(f"{total} = 0")
    with sites_of(script, given.get("to"), given.get("at")) as site:
        high, goes = script.local("high", f"height_of(s, {site})"), script.out.fresh("goes")
        script.line(f"{goes} = True")
        with script.block(f"for {k} in range({high}):"), script.block(f"if {goes}:"):
            level = f"{high} - 1 - {k}" if down else k
            with script.register("to", site), script.register("level", level):
                if "stop" in given:
                    with script.block(f"if {script.truth(given['stop'])}:"):
                        script.line(f"{goes} = False")
                with script.block(f"if {goes}:"), script.block(f"if {script.truth(given.get('If'))}:"):
                    script.line(f"{total} += 1")
    return total


@ludeme("region", "forEach Level")
def _levels(script: Script, node: Bound) -> Region:
    """The levels of a stack where a condition holds, as a set of numbers."""
    given = node.arguments
    upwards = "stackDirection" in given and word(given["stackDirection"]) == "FromBottom"
    site, level, found = script.local("site", script.number(given["at"])), script.out.fresh("level"), blank(script)
    high = script.local("high", f"height_of(s, {site})")
    first = script.local("first", script.number(given.get("startAt")))
    below = f"{high} if {first} < 0 else min({first} + 1, {high})"  # from the top down
    span = f"max({first}, 0), {high}" if upwards else below
    with script.block(f"for {level} in range({span}):"), script.register("level", level):
        with script.block(f"if {script.truth(given.get('If'))}:"):
            put(found, level)
    return found


@ludeme("region", "sites State")
def _sites_state(script: Script, node: Bound) -> Region:
    """The sites of the board where pieces are in a state."""
    layout, site = script.layout, script.out.fresh("site")
    wanted = script.local("wanted", script.number(node.arguments["index"]))
    kind, known = kind_of(script, node, "elementType"), literal(wanted)
    kept = layout.belonging and kind == layout.types[0]
    board = fixed(script, range(count_of(script, kind)) if kept else ())
    if kept and known is not None and 0 < known <= layout.players:
        return Region(script, lambda _: f"s.belonging[{known}]") & board
    found, otherwise = blank(script), ExitStack()
    with otherwise:
        if kept and known is None:
            with script.block(f"if 0 < {wanted} <= {layout.players}:"):
                script.line(f"{found.word('0')} = s.belonging[{wanted}] & {board.word('0')}")
            otherwise.enter_context(script.block("else:"))
        with script.block(f"for {site} in range({count_of(script, kind)}):"):
            state = f"s.state[slot_of(s, {spot(script, kind, site)}, -1)]" if layout.local_states else "0"
            with script.block(f"if {state} == {wanted}:"):
                put(found, site)
    return found
