"""Lines of pieces."""

from __future__ import annotations

from contextlib import nullcontext

from ludarium.ludii.code.regions import blank, put
from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.asking.levels import line_in_stacks, wanted_kinds
from ludarium.ludii.ludemes.asking.pieces import owner_table
from ludarium.ludii.ludemes.asking.rows import row_kernel
from ludarium.ludii.ludemes.frame.puzzles import solved_in_line
from ludarium.ludii.ludemes.where.directions import line_tables
from ludarium.ludii.ludemes.where.pyramids import asks_visible, covered, roofed_over
from ludarium.ludii.model import items, word


@ludeme("bool", "is Line")
def _line(script: Script, node: Bound) -> str:
    if script.layout.domain:
        return solved_in_line(script, node)
    given = node.arguments
    stacking = script.layout.stacking
    if not stacking and asks_visible(script, node) and {"throughAny", "contiguous"} & given.keys():
        raise script.model.unsupported(node, why="what is visible, in lines through some sites or with gaps")
    if stacking and script.settled(node, "byLevel"):
        return line_in_stacks(script, node)
    direction = word(given["dirn"]) if "dirn" in given else "Adjacent"
    name = row_kernel(script, node, direction)
    length = [] if name else [script.number(given["length"])]
    name = name or script.once(("line", id(node), script.modes), lambda: _line_kernel(script, node, direction))
    if "throughAny" not in given or stacking:  # Ludii does not look at it where pieces stack
        return f"{name}({', '.join(['v', 'c', script.number(given.get('through'), 'i64(s.last_to)'), *length])})"
    found, goes = script.out.fresh("in_line"), ""
    pivots = script.region(given["throughAny"]).kept()
    script.line(f"{found} = False")
    if "If" in given:
        goes = script.out.fresh("goes")
        script.line(f"{goes} = True")
    with pivots.each("pivot") as pivot, script.block(f"if {f'{goes} and ' if goes else ''}not {found}:"):
        if goes:
            _ask_first(script, node, pivot, goes)
        with script.block(f"if {goes}:") if goes else nullcontext():
            script.line(f"{found} = {name}({', '.join(['v', 'c', pivot, *length])})")
    return found


def _ask_first(script: Script, node: Bound, pivot: str, goes: str) -> None:
    """Write what asks for the condition where a kind is that counts: as in Ludii no other site is looked at once it fails."""
    given = node.arguments
    kinds = [given["what"]] if "what" in given else items(given.get("whats"))
    there = " or ".join(f"s.what[{pivot}] == {script.number(each)}" for each in kinds) or "True"
    inside = f"{pivot} < {script.model.board_sites}"
    with script.block(f"if {inside} and ({there}):"), script.register("to", pivot):
        script.line(f"{goes} = {script.truth(given['If'])}")


def _line_kernel(script: Script, node: Bound, direction: str) -> str:
    """Whether enough fitting sites are in a line through one, counted on both sides of it."""
    given = node.arguments
    rows, starts, sites = line_tables(script, direction)
    stacking = script.layout.stacking  # where Ludii looks at none of these
    sides = 2 if stacking or script.settled(node, "useOpposites", default=True) else 1
    contiguous = stacking or script.settled(node, "contiguous", default=True)
    visible = not stacking and asks_visible(script, node)
    with script.kernel("is_line", "pivot: i64, length: i64", "bool", script.place(node)) as name:
        with script.block(f"if pivot < 0 or pivot >= {script.model.board_sites}:"):
            script.line("return False")
        if visible:
            with script.block(f"if {covered(script, 'pivot')}:"):
                script.line("return False")
        exact = script.local("exact", script.truth(given.get("exact"), "False"))
        wanted = wanted_kinds(script, node)
        kinds = "0" if stacking else script.local("kinds", script.number(given.get("throughHowMuch"), "0"))
        asked = not stacking  # Ludii does not ask it of the first where pieces stack
        with script.block(f"if not {_fits(script, node, wanted, 'pivot', asked=asked)}:"):
            script.line("return False")
        with script.block(f"for k in range({rows}[pivot], {rows}[pivot + 1]):"):
            script.line("count = 1")
            if kinds != "0":
                script.line("seen = u64(1) << u64(what_at(s, pivot))")
            with script.block(f"for side in range({sides}):"):
                script.line(f"at = i64({starts}[2 * k + side])")
                script.line(f"end = i64({starts}[2 * k + side + 1])")
                if visible:
                    script.line("before = pivot")
                with script.block("while at < end:"):
                    script.line(f"site = i64({sites}[at])")
                    fits = script.local("fits", _fits(script, node, wanted, "site"))
                    if (
                        visible
                    ):  # as Ludii has it, what lies on two neighbours is looked at on one side of the first only
                        roofed = f"(side == 0 and {roofed_over(script, 'before', 'site')})"
                        script.line(f"{fits} = {fits} and not {covered(script, 'site')} and not {roofed}")
                        script.line("before = site")
                    with script.block(f"if {fits}:"):
                        script.line("count += 1")
                        script.line("at += 1")
                        if kinds != "0":  # when it is long enough there must be so many kinds, not when it is longer
                            script.line("seen |= u64(1) << u64(what_at(s, site))")
                            with script.block(
                                f"if not {exact} and count == length and i64(popcount(seen)) >= {kinds}:"
                            ):
                                script.line("return True")
                    with script.block("else:"):
                        script.line("at = end" if contiguous else "at += 1")
            if kinds != "0":
                enough = f"count == length and i64(popcount(seen)) >= {kinds}"
            else:
                enough = f"count == length or (not {exact} and count > length and length > 1)"
            with script.block(f"if {enough}:"):
                script.line("return True")
        script.line("return False")
    return name


def _fits(script: Script, node: Bound, wanted: list[str], site: str, *, asked: bool = True) -> str:
    top = script.settled(node, "top")
    if wanted[:1] == ["owner"] and script.layout.stacking and not top:
        test = f"{script.once(('owner in stack',), lambda: _owner_in_stack(script))}(v, c, {site}, {wanted[1]})"
    elif wanted[:1] == ["owner"]:
        test = f"(who_at(s, {site}) == {wanted[1]} and not is_empty(s, {site}))"
    else:
        test = "(" + (" or ".join(_holds(script, node, site, each) for each in wanted) or "False") + ")"
    if "If" not in node.arguments or not asked:
        return test
    held = script.out.fresh("held")
    script.line(f"{held} = {test}")
    with script.block(f"if {held}:"), script.register("to", site):
        script.line(f"{held} = {script.truth(node.arguments['If'])}")
    return held


def _holds(script: Script, node: Bound, site: str, kind: str) -> str:
    """Whether a kind of piece is on a site, on any level of a stack unless only the top counts."""
    if not script.layout.stacking:
        return f"s.what[{site}] == {kind}"
    if script.settled(node, "top"):
        return f"top_of(s, {site}) == {kind}"
    name = script.once(("in stack",), lambda: _in_stack(script))
    return f"{name}(v, c, {site}, {kind})"


def _in_stack(script: Script) -> str:
    with script.kernel("in_stack", "site: i64, kind: i64", "bool") as name:
        with script.block("for level in range(s.height[site]):"):
            with script.block(f"if s.what[site * {script.layout.height} + level] == kind:"):
                script.line("return True")
        script.line("return False")
    return name


def _owner_in_stack(script: Script) -> str:
    owners = owner_table(script)
    with script.kernel("owner_in_stack", "site: i64, player: i64", "bool") as name:
        with script.block("for level in range(s.height[site]):"):
            with script.block(f"if i64({owners}[s.what[site * {script.layout.height} + level]]) == player:"):
                script.line("return True")
        script.line("return False")
    return name


@ludeme("int", "count SizeBiggestLine")
def _biggest_line(script: Script, node: Bound) -> str:
    """How many sites in a row fit, at most, in both directions from one."""
    given = node.arguments
    direction = word(given["directions"]) if "directions" in given else "Adjacent"

    def write() -> str:
        rows, starts, sites = line_tables(script, direction)
        with script.kernel("biggest_line", result="i64", origin=script.place(node)) as name:
            fitting, site = blank(script, "fitting"), script.out.fresh("site")
            with script.block(f"for {site} in range({script.model.board_sites}):"), script.register("to", site):
                with script.block(f"if {script.truth(given['If']) if 'If' in given else f'not is_empty(s, {site})'}:"):
                    put(fitting, site)
            script.line("most = 0")
            with fitting.each("pivot") as pivot:
                with script.block(f"for line in range({rows}[{pivot}], {rows}[{pivot} + 1]):"):
                    script.line("count = 1")
                    with script.block("for side in range(2):"):
                        script.line(f"at = i64({starts}[2 * line + side])")
                        script.line(f"end = i64({starts}[2 * line + side + 1])")
                        with script.block("while at < end:"):
                            with script.block(f"if {fitting.has(f'i64({sites}[at])')}:"):
                                script.line("count += 1")
                                script.line("at += 1")
                            with script.block("else:"):
                                script.line("at = end")
                    script.line("most = max(most, count)")
            script.line("return most")
        return name

    return f"{script.once(('biggest line', id(node), script.modes), write)}(v, c)"
