"""Bets: the amounts that players have, and the pot."""

from __future__ import annotations

from collections.abc import Mapping

from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.code.sinks import Found, act
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.changing.effects import effect
from ludarium.ludii.ludemes.moving.moves import find, span
from ludarium.ludii.memory import actions

_BET_BITS = 20


@ludeme("moves", "move Bet", "bet")
def _bet(script: Script, node: Bound) -> None:
    """A move for each amount of a range."""
    least, most = span(script, node.arguments["range"], 0, 0)
    player = script.player(node, "role", "who")

    def push(_: str, __: str, known: Mapping[str, str]) -> None:
        act(script, actions.BET, player, known["bet"])

    bet = script.out.fresh("bet")
    with script.block(f"for {bet} in range({least}, {most} + 1):"):
        find(script, Found(node, "Bet", "-1", "-1", push, {"bet": (bet, _BET_BITS)}))


@ludeme("moves", "set Pot", single=True, forgets_then=True)
def _set_pot(script: Script, node: Bound) -> None:
    effect(script, node, actions.SET_POT, script.number(node.arguments.get("newValue")))


@ludeme("int", "pot")
def _pot(script: Script, node: Bound) -> str:
    return "i64(s.pot)"


@ludeme("int", "amount")
def _amount(script: Script, node: Bound) -> str:
    """What a player has; -1 for who is none."""
    player = script.local("player", script.player(node))
    return f"(i64(s.amount[{player}]) if 1 <= {player} <= {script.layout.players} else -1)"
