"""Boards with several layers: what lies below a site, and what rests on it."""

from __future__ import annotations

from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.directions import Heading, each_step
from ludarium.ludii.ludemes.players import players_of
from ludarium.ludii.model import items
from ludarium.ludii.script import Script, ludeme

BELOW = Heading((("Downward",),))


@ludeme("int", "layer")
def _layer(script: Script, node: Bound) -> str:
    sites = script.topology.sites()
    table = script.table([*sites.layers, -1], hint="layer")
    site = script.local("site", script.number(node.arguments["of"]))
    return f"i64({table}[{site} if 0 <= {site} < {sites.count} else {sites.count}])"


@ludeme("bool", "is Flat")
def _flat(script: Script, node: Bound) -> str:
    """Whether a site is on the ground, or all sites below it are taken."""
    name = script.once(("is flat",), lambda: _flat_kernel(script))
    return f"{name}(v, c, {script.number(node.arguments.get('value'), 'c.to')})"


def _flat_kernel(script: Script) -> str:
    with script.kernel("is_flat", "site: i64", "bool") as name:
        with script.block(f"if site < 0 or site >= {script.model.board_sites}:"):
            script.line("return False")
        with each_step(script, BELOW, "site", "below") as below, script.block(f"if is_empty(s, {below}):"):
            script.line("return False")
        script.line("return True")
    return name


@ludeme("int", "count SitesPlatformBelow")
def _platform(script: Script, node: Bound) -> str:
    """How many of the sites below a site hold pieces of a player, or of some kinds."""
    given = node.arguments
    site = script.local("site", script.number(given.get("at"), "c.to"))
    total = script.out.fresh("total")
    script.line(f"{total} = 0")
    with (
        script.block(f"if 0 <= {site} < {script.model.board_sites}:"),
        each_step(script, BELOW, site, "below") as below,
    ):
        if "what" in given or "whats" in given:
            kinds = [given["what"]] if "what" in given else items(given["whats"])
            tests = [f"what_at(s, {below}) == {script.number(each)}" for each in kinds]
        elif "who" in given:
            tests = [f"who_at(s, {below}) == {player}" for player in players_of(script, node, "who", "", "All")]
        else:
            tests = [f"not is_empty(s, {below})"]
        with script.block(f"if {' or '.join(tests)}:"):
            script.line(f"{total} += 1")
    return total
