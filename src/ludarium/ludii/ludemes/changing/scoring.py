"""The scores of a match, as its rules see them."""

from __future__ import annotations

from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.grammar.binder import Bound


@ludeme("int", "matchScore")
def _match_score(script: Script, node: Bound) -> str:
    if not script.model.of_match:
        return _outside(script, node, "-1")
    player, players = script.local("player", script.role(node.arguments["role"])), script.layout.players
    return f"(i64(s.score[{player}]) if 1 <= {player} <= {players} else -1)"


@ludeme("int", "count Trials")
def _count_trials(script: Script, node: Bound) -> str:
    """The games of a match that are over."""
    return "i64(s.trials)" if script.model.of_match else _outside(script, node, "0")


def _outside(script: Script, node: Bound, usual: str) -> str:
    """What a game that is no match, or part of one, knows of it."""
    if script.model.in_match:
        raise script.model.unsupported(node, why="in a game of the match")
    return usual
