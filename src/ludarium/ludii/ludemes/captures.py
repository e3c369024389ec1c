"""Captures by what stands around: between two pieces, between two of theirs."""

from __future__ import annotations

from collections.abc import Mapping

from ludarium.ludii import actions
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.ludemes.directions import Heading, each_radial, line_tables
from ludarium.ludii.ludemes.moves import apply_of, find, span
from ludarium.ludii.model import bound, word
from ludarium.ludii.script import Script, ludeme
from ludarium.ludii.sinks import Found, act


def captured(script: Script, node: Bound, site: str, register: str, effect: Value | None) -> None:
    """Write what happens to a captured piece: the given effect, or it is removed."""
    if effect is not None and "effect" in bound(effect).arguments:
        with script.register(register, site, loop=True):
            script.moves(bound(bound(effect).arguments["effect"]))
        return
    find(script, Found(node, "Remove", site, site, lambda _, to, __: act(script, actions.REMOVE, to, "-1")))


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
        with each_radial(script, Heading(((direction,),)), start) as (_, at, end, sites):
            run, goes = script.out.fresh("run"), script.out.fresh("goes")
            script.line(f"{run} = 0")
            script.line(f"{goes} = True")
            with script.block(f"while {goes} and {run} < {most} and {at} + {run} < {end}:"):
                with (
                    script.register("between", f"i64({sites}[{at} + {run}])"),
                    script.register("to", f"i64({sites}[{at} + {run}])"),
                ):
                    fits = script.local("fits", script.truth(between.get("If")))
                with script.block(f"if {fits}:"):
                    script.line(f"{run} += 1")
                with script.block("else:"):
                    script.line(f"{goes} = False")
            beyond = script.local("beyond", f"(i64({sites}[{at} + {run}]) if {at} + {run} < {end} else -1)")
            with script.block(f"if {run} > 0 and {run} >= {least}:"), script.register("to", beyond):
                friend = script.local("friend", script.truth(to_part.get("If")))
                with script.block(f"if {friend}:"):
                    k = script.out.fresh("k")
                    with script.block(f"for {k} in range({run}):"):
                        site = script.local("taken", f"i64({sites}[{at} + {k}])")
                        captured(script, node, site, "between", between.get("effect"))


@ludeme("moves", "intervene")
def _intervene(script: Script, node: Bound) -> None:
    given = node.arguments
    to_part: Mapping[str, Value] = bound(given["to"]).arguments if "to" in given else {}
    between: Mapping[str, Value] = bound(given["between"]).arguments if "between" in given else {}
    direction = word(given["dirnChoice"]) if "dirnChoice" in given else "Adjacent"
    if "range" in between:
        raise script.model.unsupported(node, why="a range")
    rows, starts, sites = line_tables(script, direction)
    start = origin(script, node)
    line = script.out.fresh("line")
    with script.block(f"if 0 <= {start} < {script.model.board_sites}:"):
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
                        script.line(f"{tests[-1]} = {script.truth(to_part.get('If'))}")
            with script.block(f"if {' and '.join(tests)}:"):
                for each in reversed(ends):
                    captured(script, node, each, "to", apply_of(given.get("to")))
