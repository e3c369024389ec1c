"""Captures by what stands around: between two pieces, between two of theirs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext

from ludarium.ludii.code.regions import Region, blank, put
from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.code.sinks import Found, act, registers_in
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.ludemes.asking.enclosing import rays_between
from ludarium.ludii.ludemes.moving.moves import apply_of, find, span
from ludarium.ludii.ludemes.moving.naming import pieces_of
from ludarium.ludii.ludemes.where.directions import (
    Heading,
    between,
    each_radial,
    each_step,
    heading,
    line_tables,
)
from ludarium.ludii.memory import actions
from ludarium.ludii.memory.spots import kind_of
from ludarium.ludii.model import bound, walk, word


def captured(script: Script, node: Bound, site: str, register: str, effect: Value | None) -> None:
    """Write what happens to a captured piece: the given effect, or it is removed."""
    if effect is not None and "effect" in bound(effect).arguments:
        with script.register(register, site, loop=True):
            script.moves(bound(bound(effect).arguments["effect"]))
        return
    find(script, Found(node, "Remove", site, site, lambda _, to, __: act(script, actions.REMOVE, to, "-1")))


_ENEMY, _FRIEND = "(c.{0} != 0 and c.{0} != i64(s.mover))", "(c.{0} == i64(s.mover))"
"""What captures without conditions of their own ask: Ludii takes the number of the site for that of a player."""


def origin(script: Script, node: Bound) -> str:
    """Where captures start from."""
    given: Mapping[str, Value] = bound(node.arguments["from"]).arguments if "from" in node.arguments else {}
    return script.local("origin", script.number(given.get("loc"), "i64(s.last_to)"))


@ludeme("moves", "custodial")
def _custodial(script: Script, node: Bound) -> None:
    given = node.arguments
    between: Mapping[str, Value] = bound(given["between"]).arguments if "between" in given else {}
    to_part: Mapping[str, Value] = bound(given["to"]).arguments if "to" in given else {}
    direction = word(given["dirnChoice"]) if "dirnChoice" in given else "Adjacent"
    least, most = span(script, between.get("range"), 0, 10**9)
    start = origin(script, node)
    with script.block(f"if 0 <= {start} < {script.model.board_sites}:"), script.register("from_", start):
        rays = rays_between(script, node, direction)
        with each_radial(script, Heading(((direction,),)), start) as (line, at, end, sites):
            if rays is not None:
                run, beyond, enough = rays.seen(line)
            else:
                run, beyond = _followed(script, between.get("If"), most, (at, end, sites))
                enough = f"{run} > 0 and {run} >= {least} and ({most} != 1 or {beyond} >= 0)"
            with script.block(f"if {enough}:"), script.register("to", beyond):
                friend = "" if rays else script.local("friend", script.truth(to_part.get("If"), _FRIEND.format("to")))
                with script.block(f"if {friend}:") if friend else nullcontext():
                    k = script.out.fresh("k")
                    with script.block(f"for {k} in range({run}):"):
                        site = script.local("taken", f"i64({sites}[{at} + {k}])")
                        captured(script, node, site, "between", between.get("effect"))


def _followed(script: Script, wanted: Value | None, most: str, line: tuple[str, str, str]) -> tuple[str, str]:
    """How many pieces fit from the beginning of a line on, and the site beyond them."""
    at, end, sites = line
    run, goes = script.out.fresh("run"), script.out.fresh("goes")
    script.line(f"{run} = 0")
    script.line(f"{goes} = True")
    with script.block(f"while {goes} and {run} < {most} and {at} + {run} < {end}:"):
        with (
            script.register("between", f"i64({sites}[{at} + {run}])"),
            script.register("to", f"i64({sites}[{at} + {run}])"),
        ):
            fits = script.local("fits", script.truth(wanted, _ENEMY.format("between")))
        with script.block(f"if {fits}:"):
            script.line(f"{run} += 1")
        with script.block("else:"):
            script.line(f"{goes} = False")
    return run, script.local("beyond", f"(i64({sites}[{at} + {run}]) if {at} + {run} < {end} else -1)")


@ludeme("moves", "intervene")
def _intervene(script: Script, node: Bound) -> None:
    given = node.arguments
    to_part: Mapping[str, Value] = bound(given["to"]).arguments if "to" in given else {}
    between: Mapping[str, Value] = bound(given["between"]).arguments if "between" in given else {}
    direction = word(given["dirnChoice"]) if "dirnChoice" in given else "Adjacent"
    rows, starts, sites = line_tables(script, direction)
    start = origin(script, node)
    line = script.out.fresh("line")
    with script.block(f"if 0 <= {start} < {script.model.board_sites}:"):
        if "range" in between:
            _intervene_in_rows(script, node, (rows, starts, sites), start)
            return
        with script.block(f"for {line} in range({rows}[{start}], {rows}[{start} + 1]):"):
            ends = []
            for side in range(2):
                first, last = f"{starts}[2 * {line} + {side}]", f"{starts}[2 * {line} + {side + 1}]"
                ends.append(script.local("side", f"(i64({sites}[{first}]) if {first} < {last} else -1)"))
            tests = []
            for each in ends:
                with script.register("to", each):
                    tests.append(script.local("fits", f"{each} >= 0"))
                    with script.block(f"if {tests[-1]}:"):
                        script.line(f"{tests[-1]} = {script.truth(to_part.get('If'), _ENEMY.format('to'))}")
            with script.block(f"if {' and '.join(tests)}:"):
                for each in reversed(ends):
                    captured(script, node, each, "to", apply_of(given.get("to")))


def _intervene_in_rows(script: Script, node: Bound, tables: tuple[str, str, str], start: str) -> None:
    """The same where several pieces in a row are taken on each side."""
    given, (rows, starts, sites) = node.arguments, tables
    to_part: Mapping[str, Value] = bound(given["to"]).arguments if "to" in given else {}
    least, most = span(script, bound(given["between"]).arguments["range"], 1, 1)
    line, side, k = (script.out.fresh(name) for name in ("line", "side", "k"))
    with script.block(f"for {line} in range({rows}[{start}], {rows}[{start} + 1]):"):
        runs = script.out.fresh("runs")
        script.line(f"{runs} = array(i64, 2)")
        with script.block(f"for {side} in range(2):"):
            first, last = f"i64({starts}[2 * {line} + {side}])", f"i64({starts}[2 * {line} + {side} + 1])"
            at, goes = script.local("at", first), script.local("goes", "1 == 1")
            with script.block(f"while {goes} and {at} < {last} and {runs}[{side}] < {most}:"):
                with script.register("to", f"i64({sites}[{at}])"):
                    script.line(f"{goes} = {script.truth(to_part.get('If'), _ENEMY.format('to'))}")
                with script.block(f"if {goes}:"):
                    script.line(f"{runs}[{side}] += 1")
                script.line(f"{at} += 1")
        with script.block(f"if {runs}[0] >= {least} and {runs}[1] >= {least}:"):
            with script.block(f"for {side} in range(1, -1, -1):"), script.block(f"for {k} in range({runs}[{side}]):"):
                taken = script.local("taken", f"i64({sites}[i64({starts}[2 * {line} + {side}]) + {k}])")
                captured(script, node, taken, "to", apply_of(given.get("to")))


@ludeme("moves", "surround", forgets_then=True)
def _surround(script: Script, node: Bound) -> None:
    """Neighbours whose own neighbours are all friends, but for a few that are allowed not to be."""
    given = node.arguments
    between: Mapping[str, Value] = bound(given["between"]).arguments if "between" in given else {}
    to_part: Mapping[str, Value] = bound(given["to"]).arguments if "to" in given else {}
    around = Heading(((word(given["relation"]) if "relation" in given else "Adjacent",),))
    if kind_of(script, given.get("from")) != script.topology.default_type:
        raise script.model.unsupported(node, why="sites of another type")
    start = script.local(
        "origin", script.number(bound(given["from"]).arguments.get("loc") if "from" in given else None, "c.from_")
    )
    wanted = script.local("wanted", pieces_of(script, given["with"])[0]) if "with" in given else ""
    allowed = script.local("allowed", script.number(given.get("except"), "0"))
    with script.block(f"if 0 <= {start} < {script.model.board_sites}:"), each_radial(script, around, start) as line:
        target = script.local("target", f"i64({line[3]}[{line[1]}])")
        with script.register("between", target, loop=True):
            with script.block(f"if {script.truth(between.get('If'), _ENEMY.format('between'))}:"):
                free, seen = script.out.fresh("free"), script.out.fresh("seen")
                script.line(f"{free} = 0")
                script.line(f"{seen} = {not wanted}")
                with each_radial(script, around, target) as (_, at, _, sites):
                    near = script.local("near", f"i64({sites}[{at}])")
                    with script.block(f"if {free} <= {allowed}:"):
                        with script.register("to", near), script.block(f"if {near} != {start}:"):
                            with script.block(f"if not ({script.truth(to_part.get('If'), _FRIEND.format('to'))}):"):
                                script.line(f"{free} += 1")
                        if wanted:
                            with script.block(f"if what_at(s, {near}) == {wanted}:"):
                                script.line(f"{seen} = True")
                with script.block(f"if {free} <= {allowed} and {seen}:"):
                    captured(script, node, target, "between", between.get("effect"))


@ludeme("moves", "enclose")
def _enclose(script: Script, node: Bound) -> None:
    """Groups next to a site that have no empty neighbours left, but for a few that are allowed."""
    given = node.arguments
    between: Mapping[str, Value] = bound(given["between"]).arguments if "between" in given else {}
    target = between.get("If")
    if kind_of(script, node) != script.topology.default_type:
        raise script.model.unsupported(node, why="sites of another type")
    asked = [] if target is None else [each.unit for each in walk(target)]
    if "sites Empty" in asked:
        raise script.model.unsupported(node, why="groups of empty sites that are a region")
    chained = "is Empty" in asked
    allowed = script.local("allowed", script.number(given.get("numException"), "0"))
    start, directions = origin(script, node), given.get("directions")
    with script.block(f"if 0 <= {start} < {script.model.board_sites} and not is_empty(s, {start}):"):
        checked = blank(script, "checked")
        with each_step(script, heading(script, directions, start), start, "near") as near:
            with script.register("between", near):
                fits = script.local("fits", script.truth(target, _ENEMY.format("between")))
            open_ = f"{allowed} > 0 and is_empty(s, {near})"
            with script.block(f"if ({fits} or ({open_})) and not {checked.has(near)}:"):
                group = _Enclosed(script, near, allowed, checked)
                group.flood(directions, target)
                if chained:
                    group.follow_border(directions)
                k = script.out.fresh("k")
                with script.block(f"if not {group.free}:"), script.block(f"for {k} in range({group.count}):"):
                    captured(
                        script, node, script.local("taken", f"{group.sites}[{k}]"), "between", between.get("effect")
                    )


class _Enclosed:
    """A group that is looked at from one of its sites, in the order in which its sites are found."""

    def __init__(self, script: Script, first: str, allowed: str, checked: Region) -> None:
        self.script, self.checked, self.members = script, checked, blank(script, "members")
        self.sites, self.count, self.free, self.left = (script.out.fresh(n) for n in ("group", "size", "free", "left"))
        script.line(f"{self.sites} = empty(i64, {script.model.board_sites + 1})")
        script.line(f"{self.count} = 0")
        script.line(f"{self.free} = False")
        script.line(f"{self.left} = {allowed}")
        with script.block(f"if {self.left} > 0 and is_empty(s, {first}):"):
            script.line(f"{self.left} -= 1")
        self.take(first)

    def take(self, site: str) -> None:
        """Write what takes a site into the group."""
        put(self.members, site)
        self.script.line(f"{self.sites}[{self.count}] = {site}")
        self.script.line(f"{self.count} += 1")

    def follow_border(self, directions: Value | None) -> None:
        """Write what sets a group free whose border is no chain: from its first site always to the next that is at hand."""
        script, k, border = self.script, self.script.out.fresh("k"), blank(self.script, "border")
        at, left, goes = (script.out.fresh(name) for name in ("at", "left", "goes"))
        script.line(f"{at} = -1")
        script.line(f"{left} = 0")
        with script.block(f"if not {self.free}:"), script.block(f"for {k} in range({self.count}):"):
            inside = script.local("inside", f"{self.sites}[{k}]")
            with each_step(script, heading(script, directions, inside), inside, "beside") as beside:
                with script.block(f"if not {self.members.has(beside)} and not {border.has(beside)}:"):
                    put(border, beside)
                    script.line(f"{left} += 1")
                    with script.block(f"if {at} < 0:"):
                        script.line(f"{at} = {beside}")
        with script.block(f"if {left} == 0:"):
            script.line(f"{self.free} = True")
        with script.block(f"while {left} > 1 and not {self.free}:"):
            script.line(f"{goes} = -1")
            with each_step(script, Heading((("All",),)), at, "onwards") as onwards:
                with script.block(f"if {goes} < 0 and {border.has(onwards)}:"):
                    script.line(f"{goes} = {onwards}")
            with script.block(f"if {goes} < 0:"):
                script.line(f"{self.free} = True")
            with script.block("else:"):
                script.line(f"{border.word(f'({at} >> 6)')} &= ~(u64(1) << u64({at} & 63))")
                script.line(f"{left} -= 1")
                script.line(f"{at} = {goes}")

    def flood(self, directions: Value | None, target: Value | None) -> None:
        """Write what finds the whole group, or that it is free."""
        script, head = self.script, self.script.out.fresh("head")
        script.line(f"{head} = 0")
        with script.block(f"while {head} < {self.count} and not {self.free}:"):
            at = script.local("at", f"{self.sites}[{head}]")
            with each_step(script, heading(script, directions, at), at) as to:
                with script.block(f"if not {self.free} and not {self.members.has(to)}:"):
                    with script.register("between", to):
                        fits = script.local("fits", script.truth(target, _ENEMY.format("between")))
                    with script.block(f"if {fits}:"):
                        self.take(to)
                    with script.block(f"elif is_empty(s, {to}):"):
                        with script.block(f"if {self.left} > 0:"):
                            script.line(f"{self.left} -= 1")
                            self.take(to)
                        with script.block("else:"):
                            script.line(f"{self.free} = True")
            with script.block(f"if not {self.free}:"):
                put(self.checked, at)
            script.line(f"{head} += 1")


@ludeme("moves", "directional", forgets_then=True)
def _directional(script: Script, node: Bound) -> None:
    """What stands in a row, in the direction of the last move unless another is named."""
    given = node.arguments
    to_part: Mapping[str, Value] = bound(given["to"]).arguments if "to" in given else {}
    if "effect" not in to_part:
        return  # Ludii would take what is where (from) is, which is nowhere here
    effect = bound(bound(to_part["effect"]).arguments["effect"])
    start, directions = origin(script, node), given.get("directions")
    with script.block(f"if 0 <= {start} < {script.model.board_sites}:"):
        where = (
            heading(script, directions, start)
            if directions is not None
            else between(script, "i64(s.last_from)", "i64(s.last_to)")
        )
        with each_radial(script, where, start) as (_, at, end, sites):
            with script.block(f"while {at} < {end}:"):
                to = script.local("to", f"i64({sites}[{at}])")
                script.line(f"{at} += 1")
                with script.register("to", to, loop=True):
                    fits = script.local("fits", script.truth(to_part.get("If"), _ENEMY.format("to")))
                    with script.block(f"if {fits}:"):
                        with script.register("from_", "-1") if "from_" in registers_in(effect) else nullcontext():
                            script.moves(effect)
                    with script.block("else:"):
                        script.line(f"{at} = {end}")
