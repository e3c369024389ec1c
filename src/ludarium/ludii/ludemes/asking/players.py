"""Roles that stand for several players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ludarium.ludii.code.script import Script, literal, ludeme
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.asking.arrays import Numbers, append, new
from ludarium.ludii.model import word

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
        return [known_player(script, script.player(node, role, other))]
    name = word(node.arguments[role]) if role in node.arguments else default
    return role_players(script, name) or [known_player(script, script.player(node, role, other))]


def known_player(script: Script, player: str) -> str:
    """A number as that of a player, of nobody or of all; whatever else it is stands for nobody who owns anything."""
    most = script.layout.players + 1
    if player in ("i64(s.mover)", "i64(s.next)", "i64(s.prev)"):
        return player
    number = literal(player)
    if number is not None:
        return player if 0 <= number <= most else str(most + 1)
    number_of = script.local("owner", player)
    return f"({number_of} if 0 <= {number_of} <= {most} else {most + 1})"


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
    if name in ("Friend", "TeamMover"):
        return ["i64(s.mover)"]
    if name == "Ally":
        return [str(nobody)]
    return []


@contextmanager
def each_team(script: Script) -> Iterator[None]:
    """A loop over the teams that have players, `(team)` in here; without teams, each player is one."""
    team, players = script.out.fresh("team"), script.layout.players
    with script.block(f"for {team} in range(1, {players + 1}):"):
        has = " or ".join(f"{_of_team(script, str(player), team)}" for player in range(1, players + 1))
        with script.block(f"if {has}:"), script.register("team", team, loop=True):
            yield


def _of_team(script: Script, player: str, team: str) -> str:
    return f"{'s.team[{}]' if 'team' in script.layout.state.fields else '{}'} == {{}}".format(player, team)


@ludeme("ints", "team")
def _this_team(script: Script, node: Bound) -> Numbers:
    """The players of the team that a loop has come to."""
    found, _ = new(script, "players")
    player = script.out.fresh("p")
    with script.block(f"for {player} in range(1, {script.layout.players + 1}):"):
        with script.block(f"if {_of_team(script, player, 'c.team')}:"):
            append(found, player)
    return found


@ludeme("ints", *(f"players Team{k}" for k in range(1, 17)))
def _team(script: Script, node: Bound) -> Numbers:
    """The players of a team; without teams, the one of that number."""
    number = int(word(node.arguments["playerType"]).removeprefix("Team"))
    if "team" not in script.layout.state.fields:
        found, _ = new(script, "players")
        if number <= script.layout.players:
            append(found, str(number))
        return found
    return _players(script, node, range(1, script.layout.players + 1), lambda player: f"s.team[{player}] == {number}")


@ludeme("ints", "players All", "players NonMover", "players Enemy", "players Friend", "players Ally")
def _many(script: Script, node: Bound) -> Numbers:
    """Players by what they are to a player, who is the mover if nobody is named."""
    kind, players = word(node.arguments["playerType"]), script.layout.players
    of = script.local("of", script.number(node.arguments.get("of"), "i64(s.mover)"))
    teams = "team" in script.layout.state.fields
    tests = {
        "All": lambda _: "True",
        "NonMover": lambda player: f"{player} != s.mover",
        "Enemy": lambda player: (
            f"{player} != s.mover and s.team[{player}] != s.team[{of}]" if teams else f"{player} != {of}"
        ),
        "Friend": lambda player: f"s.team[{player}] == s.team[{of}]" if teams else f"{player} == {of}",
        "Ally": lambda player: f"{player} != {of} and s.team[{player}] == s.team[{of}]" if teams else "False",
    }
    if kind == "Friend" and not teams:  # whatever is asked of friends
        found, _ = new(script, "players")
        with script.block(f"if 1 <= {of} <= {players}:"):
            append(found, of)
        return found
    first, last = (0 if kind in ("All", "NonMover") else 1), (players + 1 if kind == "All" else players)
    return _players(script, node, range(first, last + 1), tests[kind], f"1 <= {of} <= {players}")


def _players(script: Script, node: Bound, numbers: range, test: Callable[[str], str], whole: str = "True") -> Numbers:
    """An array of the players of whom something holds."""
    found, _ = new(script, "players")
    player = script.out.fresh("p")
    loop = script.block(f"for {player} in range({numbers.start}, {numbers.stop}):")
    with script.block(f"if {whole}:"), loop, script.block(f"if {test(player)}:"), script.register("player", player):
        with script.block(f"if {script.truth(node.arguments.get('If'))}:"):
            append(found, player)
    return found
