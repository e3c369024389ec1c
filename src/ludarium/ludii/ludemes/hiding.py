"""Hidden sites: what is kept from players, and what rules ask about it."""

from __future__ import annotations

from collections.abc import Sequence

from ludarium.ludii import actions
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.moves import find
from ludarium.ludii.ludemes.players import role_players
from ludarium.ludii.ludemes.regions import board
from ludarium.ludii.ludemes.start import start_rule
from ludarium.ludii.model import word
from ludarium.ludii.regions import Region, blank, put
from ludarium.ludii.script import Script, ludeme
from ludarium.ludii.sinks import Found, act
from ludarium.ludii.state import hidden_kinds


def _players(script: Script, node: Bound) -> Sequence[str]:
    """The players that something is hidden from, as expressions; those that are none are left out later."""
    given = node.arguments
    role = given.get("To") or (given["to"] if node.family == "start" else None)
    if role is None:
        return [script.player(node, "", "to")]
    return role_players(script, word(role)) or [script.role(role)]


def _rows(script: Script, node: Bound) -> Sequence[int]:
    """Which kinds of flags a ludeme means, as rows of the table of flags."""
    return [script.layout.hides.index(kind) * (script.layout.players + 1) for kind in hidden_kinds(node)]


@ludeme("moves", "set Hidden")
def _set_hidden(script: Script, node: Bound) -> None:
    given = node.arguments
    if "level" in given or script.layout.stacking:
        raise script.model.unsupported(node, why="stacks")

    def push(*_: object) -> None:
        value = script.local("value", f"(1 if {script.truth(given.get('value'))} else 0)")
        players = [script.local("player", each) for each in _players(script, node)]
        with _sites(script, node).kept().each() as site:
            for player in players:
                with script.block(f"if 0 < {player} <= {script.layout.players}:"):
                    for row in _rows(script, node):
                        act(script, actions.SET_HIDDEN, f"{row} + {player}", site, value)

    find(script, Found(node, "SetHidden", "-1", "-1", push))


def _sites(script: Script, node: Bound) -> Region:
    if "region" in node.arguments:
        return script.region(node.arguments["region"])
    region = blank(script)
    put(region, script.number(node.arguments["at"]))
    return region


@start_rule("set Hidden")
def _start_hidden(script: Script, node: Bound) -> None:
    given, words = node.arguments, script.layout.spot_words
    if "level" in given or script.layout.stacking:
        raise script.model.unsupported(node, why="stacks")
    hides = script.truth(given.get("value"))
    with _sites(script, node).kept().each() as site:
        for player in _players(script, node):
            with script.block(f"if 0 < {player} <= {script.layout.players} and {hides}:"):
                for row in _rows(script, node):
                    script.line(f"s.hidden[({row} + {player}) * {words} + ({site} >> 6)] |= u64(1) << u64({site} & 63)")


@ludeme("bool", "is Hidden")
def _is_hidden(script: Script, node: Bound) -> str:
    if "level" in node.arguments:
        raise script.model.unsupported(node, why="stacks")
    (row,), (player, *others) = _rows(script, node), _players(script, node)
    if others:
        raise script.model.unsupported(node, why="several players")
    site, player = script.local("site", script.number(node.arguments["at"])), script.local("player", player)
    inside = f"0 <= {site} < {script.layout.sites} and 0 < {player} <= {script.layout.players}"
    word_ = f"s.hidden[({row} + {player}) * {script.layout.spot_words} + ({site} >> 6)]"
    return f"({inside} and ({word_} >> u64({site} & 63)) & u64(1) == u64(1))"


@ludeme("region", "sites Hidden")
def _sites_hidden(script: Script, node: Bound) -> Region:
    (row,), words = _rows(script, node), script.layout.spot_words
    found = blank(script)
    for each in _players(script, node):
        player = script.local("player", each)
        with script.block(f"if 0 < {player} <= {script.layout.players}:"):
            for k in range(script.layout.words):
                script.line(f"{found.word(str(k))} |= s.hidden[({row} + {player}) * {words} + {k}]")
    return found & board(script)
