"""Taking over what belongs to others."""

from __future__ import annotations

from ludarium.ludii.code.regions import Region, fixed, owned, single
from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.code.sinks import Found, act
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.asking.players import known_player, role_players
from ludarium.ludii.ludemes.moving.moves import find
from ludarium.ludii.memory import actions
from ludarium.ludii.memory.spots import kind_of
from ludarium.ludii.model import word


@ludeme("moves", "take Control")
def _take_control(script: Script, node: Bound) -> None:
    """Pieces of a player become pieces of the same name of another; where he has none of that name, nothing happens."""
    if script.layout.stacking or kind_of(script, node) != script.topology.default_type:
        raise script.model.unsupported(node, why="of stacks" if script.layout.stacking else "of sites of a type")
    given, model = node.arguments, script.model
    taker = script.role(given["by"]) if "by" in given else None
    kinds = len(model.components) + 1
    table = [0] * ((script.layout.players + 2) * kinds)
    for old in model.components:
        for new in model.components:
            if new.bare == old.bare:
                table[new.owner * kinds + old.index] = new.index
    same = script.table(table, hint="same")

    def taking() -> str:
        return script.local("by", script.number(given["By"]) if taker is None else taker)

    def push(_: str, site: str, __: object) -> None:
        by = taking()
        piece = script.local("kind", f"i64({same}[{by} * {kinds} + what_at(s, {site})])")
        count = script.local("count", f"count_at(s, {site})")
        fields = [
            script.local(name, f"i64(s.{name}[{site}])" if name in script.layout.state.fields else "-1")
            for name in ("state", "rotation", "value")
        ]
        act(script, actions.REMOVE, site, -1)
        act(script, actions.ADD, site, piece, count, fields[0], fields[2])
        if fields[1] != "-1":
            act(script, actions.SET_ROTATION, site, fields[1], -1)

    by = taking()
    with _sites(script, node).kept().each() as site:
        with script.block(f"if 0 <= {by} <= {script.layout.players + 1} and what_at(s, {site}) > 0:"):
            with script.block(f"if {same}[{by} * {kinds} + what_at(s, {site})] > 0:"):
                find(script, Found(node, "Take", site, site, push))


def _sites(script: Script, node: Bound) -> Region:
    """Where the pieces are that change their owner."""
    given = node.arguments
    owners = [script.number(given["Of"])] if "Of" in given else []
    if "of" in given:
        owners = list(role_players(script, word(given["of"]))) or [script.role(given["of"])]
    found = fixed(script, ())
    for owner in owners:
        found |= owned(script, known_player(script, owner))
    if "to" in given:
        return found & script.region(given["to"]).kept()
    if "at" in given:
        return found & single(script, script.number(given["at"]))
    return found
