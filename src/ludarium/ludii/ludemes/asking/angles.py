"""Angles between sites, as Ludii has them: of the line from one site to a later one against the one straight down."""

from __future__ import annotations

import numpy as np

from ludarium.ludii.code.regions import Region, blank, put
from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.memory.spots import kind_of
from ludarium.ludii.model import word

_PLACES = 6  # that tell sites in one row from others


@ludeme("bool", "is Acute", "is Right", "is Obtuse", "is Reflex")
def _angle(script: Script, node: Bound) -> str:
    """Whether a site where one condition holds and a later one where another does are in such an angle.

    The site that is named must be on the board, and is none of the two; nothing else is asked of it. The angle is below a right
    one where the later site is lower, and above it where it is higher. None is greater than two right ones.
    """
    kind, sites = word(node.arguments["isType"]), script.topology.sites()
    if kind_of(script, node) != script.topology.default_type:
        raise script.model.unsupported(node, why="of such sites")
    if kind == "Reflex":
        return "False"
    rows, columns = (_ranks(each) for each in (sites.y, sites.x))

    def write() -> str:
        high, wide = script.table(rows, hint="high"), script.table(columns, hint="wide")
        with script.kernel("angle", "corner: i64", "bool", script.place(node)) as name:
            with script.block(f"if corner < 0 or corner >= {sites.count}:"):
                script.line("return False")
            second = _where(script, node.arguments["conditionSite2"])
            with _where(script, node.arguments["conditionSite"]).each("one") as one:
                with (
                    second.each("two") as two,
                    script.block(f"if {one} < {two} and {one} != corner and {two} != corner:"),
                ):
                    up = script.local("up", f"{high}[{two}] - {high}[{one}]")
                    same = f"{up} == 0 and {wide}[{one}] {{}} {wide}[{two}]"  # one above the other, on a pyramid
                    tests = {
                        "Acute": f"{up} < 0",
                        "Right": same.format("!="),
                        "Obtuse": f"{up} > 0 or {same.format('==')}",
                    }
                    with script.block(f"if {tests[kind]}:"):
                        script.answer("True")
            script.line("return False")
        return name

    name = script.once(("angle", id(node), script.modes), write)
    return f"{name}(v, c, {script.number(node.arguments['at'])})"


def _ranks(values: np.ndarray) -> list[int]:
    """The places of numbers among all of them, from the least on; numbers that are nearly the same have one place."""
    found = np.unique(np.round(values, _PLACES), return_inverse=True)[1]
    return [int(each) for each in np.ravel(found)]


def _where(script: Script, condition: Value) -> Region:
    """The sites of the board where a condition holds for `(site)`."""
    found, site = blank(script), script.out.fresh("site")
    with script.block(f"for {site} in range({script.model.board_sites}):"), script.register("site", site):
        with script.block(f"if {script.truth(condition)}:"):
            put(found, site)
    return found
