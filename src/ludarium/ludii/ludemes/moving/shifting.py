"""Pieces that change places, are pushed, drawn near or turned over."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext

from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.code.sinks import Found, act, registers_in
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.changing.captures import origin
from ludarium.ludii.ludemes.moving.moves import find
from ludarium.ludii.ludemes.moving.naming import pieces_of, there_is
from ludarium.ludii.ludemes.where.directions import Heading, each_radial, heading
from ludarium.ludii.memory import actions
from ludarium.ludii.model import bound, number, word


@ludeme("moves", "swap Pieces", "move Swap Pieces")
def _swap(script: Script, node: Bound) -> None:
    given = node.arguments
    first = script.local("first", script.number(given.get("locA"), "i64(s.last_from)"))
    second = script.local("second", script.number(given.get("locB"), "i64(s.last_to)"))

    def push(from_: str, to: str, _: Mapping[str, str]) -> None:
        piece = script.local("piece", f"what_at(s, {to})")
        if script.layout.stacking:  # Ludii would leave a stack of one piece that is none
            script.line(f'assert {piece} > 0, "a stack changes places with nothing"')
        act(script, actions.MOVE, from_, to, -1)  # onto what is there, where pieces stack
        act(script, actions.ADD, from_, piece, 1, -1)

    inside = [f"0 <= {each} < {script.layout.sites}" for each in (first, second)]
    with script.block(f"if {' and '.join(inside)}:"):
        find(script, Found(node, "Move", first, second, push))


@ludeme("moves", "push")
def _push(script: Script, node: Bound) -> None:
    """All pieces of a line without gaps go one step on, and the last one may fall off the board."""
    start = origin(script, node)
    where, first = heading(script, node.arguments["directions"], start), script.out.fresh("first")
    script.line(f"{first} = True")
    if script.layout.stacking:  # Ludii would push a piece that is none
        script.line(f'assert {start} < 0 or not is_empty(s, {start}), "where pieces stack, nothing is pushed"')
    with script.block(f"if 0 <= {start} < {script.model.board_sites} and not is_empty(s, {start}):"):
        with each_radial(script, where, start) as (_, at, end, sites), script.block(f"if {first}:"):
            script.line(f"{first} = False")
            piece = script.local("piece", f"what_at(s, {start})")
            _effect(script, node, actions.REMOVE, start)
            with script.block(f"while {at} < {end} and {piece} > 0:"):
                site = script.local("site", f"i64({sites}[{at}])")
                there = script.local("there", f"what_at(s, {site})")
                with script.block(f"if {there} > 0:"):
                    _effect(script, node, actions.REMOVE, site)
                _effect(script, node, actions.ADD, site, piece, "1")
                script.line(f"{piece} = {there}")
                script.line(f"{at} += 1")


@ludeme("moves", "attract")
def _attract(script: Script, node: Bound) -> None:
    """The pieces on the lines from a site come as near to it as they can."""
    given, start = node.arguments, origin(script, node)
    where = Heading(((word(given["dirn"]) if "dirn" in given else "Adjacent",),))
    with script.block(f"if 0 <= {start} < {script.model.board_sites}:"):
        with each_radial(script, where, start) as (_, at, end, sites):
            k, near = script.out.fresh("k"), script.out.fresh("near")
            with script.block(f"for {k} in range({at}, {end}):"):
                with script.block(f"if not is_empty(s, i64({sites}[{k}])):"):
                    _effect(script, node, actions.REMOVE, f"i64({sites}[{k}])")
            script.line(f"{near} = {at} + 0")
            with script.block(f"for {k} in range({at}, {end}):"):
                piece = script.local("piece", f"what_at(s, i64({sites}[{k}]))")
                with script.block(f"if {piece} > 0:"):
                    _effect(script, node, actions.ADD, f"i64({sites}[{near}])", piece, "1")
                    script.line(f"{near} += 1")


def _effect(script: Script, node: Bound, kind: int, site: str, *more: str) -> None:
    site = script.local("site", site)
    find(script, Found(node, "Effect", site, site, lambda _, to, __: act(script, kind, to, *more)))


@ludeme("moves", "flip", single=True)
def _flip(script: Script, node: Bound) -> None:
    """A piece changes from one of its two states to the other; a stack is turned upside down, each of its pieces with it."""
    if script.layout.ghosts:
        raise script.model.unsupported(node, why="stacks, with lists of pieces that are out of date")
    site = script.local("site", script.number(node.arguments.get("loc"), "c.to"))
    ones, twos = [-1], [-1]
    for each in script.model.components:
        flips = each.node.arguments.get("flips") if each.node is not None else None
        ones.append(number(bound(flips).arguments["flipA"]) if flips is not None else -1)
        twos.append(number(bound(flips).arguments["flipB"]) if flips is not None else -1)
    one, two = script.table(ones, hint="flips"), script.table(twos, hint="flips")

    def push(_: str, to: str, __: Mapping[str, str]) -> None:
        kind, state = script.local("kind", f"what_at(s, {to})"), script.local("state", f"i64(s.state[{to}])")
        with script.block(f"if {state} == {one}[{kind}]:"):
            act(script, actions.SET_STATE, to, f"i64({two}[{kind}])", -1)
        with script.block(f"elif {state} == {two}[{kind}]:"):
            act(script, actions.SET_STATE, to, f"i64({one}[{kind}])", -1)

    inside = f"0 <= {site} < {script.layout.sites}"
    if script.layout.stacking:
        with script.block(f"if {inside} and height_of(s, {site}) > 1:"):
            find(script, Found(node, "Flip", site, site, lambda _, to, __: _turn_over(script, to, one, two)))
        inside += f" and height_of(s, {site}) == 1"
    with script.block(f"if {inside} and {one}[what_at(s, {site})] >= 0:"):  # only what has two sides
        find(script, Found(node, "Flip", site, site, push))


def _turn_over(script: Script, site: str, one: str, two: str) -> None:
    """Write what takes a stack away, and puts its pieces back from the top on."""
    height, fields = script.layout.height, script.layout.state.fields
    kept = {name: script.out.fresh(name) for name in ("what", "state", "rotation", "value") if name in fields}
    high, k = script.local("high", f"height_of(s, {site})"), script.out.fresh("k")
    for name, copy in kept.items():
        script.line(f"{copy} = array(i64, {height})")
        with script.block(f"for {k} in range({high}):"):
            script.line(f"{copy}[{k}] = i64(s.{name}[{site} * {height} + {k}])")
    with script.block(f"for {k} in range({high}):"):
        act(script, actions.REMOVE, site)
    with script.block(f"for {k} in range({high}):"):
        at = script.local("at", f"{high} - 1 - {k}")
        piece, state = script.local("piece", f"{kept['what']}[{at}]"), script.local("old", f"{kept['state']}[{at}]")
        back = f"{one}[{piece}] if {state} == {two}[{piece}] else {state}"
        other = script.local("other", f"i64({two}[{piece}] if {state} == {one}[{piece}] else {back})")
        value = f"{kept['value']}[{at}]" if "value" in kept else "-1"
        act(script, actions.ADD, site, piece, 1, other, value)
        if "rotation" in kept:
            act(script, actions.SET_ROTATION, site, f"{kept['rotation']}[{at}]", -1)


@ludeme("moves", "move Shoot", "shoot")
def _shoot(script: Script, node: Bound) -> None:
    """A piece is put somewhere on a line of free sites."""
    given = node.arguments
    to_part = bound(given["to"]).arguments if "to" in given else {}
    where = Heading(((word(given["dirn"]) if "dirn" in given else "Adjacent",),))
    start = origin(script, node)

    def push(_: str, to: str, __: Mapping[str, str]) -> None:
        act(script, actions.ADD, to, there_is(script, given["what"], pieces_of(script, given["what"])[0]), 1, -1)

    asks = "If" in to_part and "between" in registers_in(bound(given["to"]))
    board = script.block(f"if 0 <= {start} < {script.model.board_sites}:")
    with board, each_radial(script, where, start) as (_, at, end, sites):
        last = script.local("last", "c.between + 0") if asks else ""  # what comes before the site that is looked at
        with script.block(f"while {at} < {end}:"):
            to = script.local("to", f"i64({sites}[{at}])")
            script.line(f"{at} += 1")
            with script.register("to", to), script.register("between", last) if asks else nullcontext():
                free = script.local("free", script.truth(to_part["If"]) if "If" in to_part else f"is_empty(s, {to})")
            with script.block(f"if {free}:"):
                find(script, Found(node, "Add", to, to, push))
            with script.block("else:"):
                script.line(f"{at} = {end}")
            if asks:
                script.line(f"{last} = {to}")
