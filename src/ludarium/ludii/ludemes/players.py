"""Roles that stand for several players."""

from __future__ import annotations

from collections.abc import Sequence

from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.model import word
from ludarium.ludii.script import Script

_TEAMS = {
    "TeamMover": "s.team[{0}] == s.team[s.mover]",
    "Friend": "s.team[{0}] == s.team[s.mover]",
    "Ally": "s.team[{0}] == s.team[s.mover] and {0} != s.mover",
    "Enemy": "s.team[{0}] != s.team[s.mover]",
    **{f"Team{k}": f"s.team[{{0}}] == {k}" for k in range(1, 17)},
}
"""Roles that depend on teams: who of the players is meant."""


def players_of(script: Script, node: Bound, role: str, other: str, default: str) -> Sequence[str]:
    """The players that an argument of a ludeme means, as expressions; a number behind all players stands for nobody."""
    if role not in node.arguments and other in node.arguments:
        return [script.player(node, role, other)]
    name = word(node.arguments[role]) if role in node.arguments else default
    return role_players(script, name) or [script.player(node, role, other)]


def role_players(script: Script, name: str) -> Sequence[str]:
    """The players of a role that means several; none if it means one."""
    everybody = [str(player) for player in range(script.layout.players + 2)]
    nobody = script.layout.players + 2
    if name in _TEAMS and "team" in script.layout.state.fields:
        test = _TEAMS[name]
        return [f"({k} if {test.format(k)} else {nobody})" for k in range(1, script.layout.players + 1)]
    if name == "All":
        return everybody
    if name in ("NonMover", "Enemy"):
        first = 0 if name == "NonMover" else 1
        if script.layout.players == 2:
            return [*(["0"] if first == 0 else []), "(3 - i64(s.mover))"]
        return [f"({k} if {k} != s.mover else {nobody})" for k in range(first, script.layout.players + 1)]
    if name == "Friend":
        return ["i64(s.mover)"]
    return []
