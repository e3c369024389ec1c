"""Hidden sites: what is kept from players, and what rules ask about it."""

from __future__ import annotations

from collections.abc import Sequence

from ludarium.ludii.code.regions import Region, blank, put, single
from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.code.sinks import Found, act
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.asking.players import role_players
from ludarium.ludii.ludemes.frame.start import start_rule
from ludarium.ludii.ludemes.moving.moves import find
from ludarium.ludii.ludemes.where.regions import board
from ludarium.ludii.memory import actions
from ludarium.ludii.memory.state import hidden_kinds
from ludarium.ludii.model import word


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

    def push(*_: object) -> None:
        value = script.local("value", f"(1 if {script.truth(given.get('value'))} else 0)")
        players = [script.local("player", each) for each in _players(script, node)]
        level = script.local("level", script.number(given.get("level"), "0"))
        with _sites(script, node).kept().each() as site:
            for player in players:
                with script.block(f"if 0 < {player} <= {script.layout.players}:"):
                    for row in _rows(script, node):
                        act(script, actions.SET_HIDDEN, f"{row} + {player}", site, value, level)

    find(script, Found(node, "SetHidden", "-1", "-1", push))


def _sites(script: Script, node: Bound) -> Region:
    if "region" in node.arguments:
        return script.region(node.arguments["region"])
    return single(script, script.number(node.arguments["at"]))


@start_rule("set Hidden")
def _start_hidden(script: Script, node: Bound) -> None:
    given, words, height = node.arguments, script.layout.flag_words, script.layout.height
    hides, level = script.truth(given.get("value")), script.local("level", script.number(given.get("level"), "0"))
    with _sites(script, node).kept().each() as site, script.block(f"if 0 <= {level} < {height}:"):
        slot = script.local("slot", f"{site} * {height} + {level}")
        for player in _players(script, node):
            with script.block(f"if 0 < {player} <= {script.layout.players} and {hides}:"):
                for row in _rows(script, node):
                    script.line(f"s.hidden[({row} + {player}) * {words} + ({slot} >> 6)] |= u64(1) << u64({slot} & 63)")


@ludeme("bool", "is Hidden")
def _is_hidden(script: Script, node: Bound) -> str:
    layout = script.layout
    (row,), (player, *others) = _rows(script, node), _players(script, node)
    if others:
        raise script.model.unsupported(node, why="several players")
    site, player = script.local("site", script.number(node.arguments["at"])), script.local("player", player)
    level = script.local("level", script.number(node.arguments.get("level"), "0"))
    inside = f"0 <= {site} < {layout.sites} and 0 < {player} <= {layout.players} and 0 <= {level} < {layout.height}"
    slot = f"({site} * {layout.height} + {level})"
    word_ = f"s.hidden[({row} + {player}) * {layout.flag_words} + ({slot} >> 6)]"
    return f"({inside} and ({word_} >> u64({slot} & 63)) & u64(1) == u64(1))"


@ludeme("region", "sites Hidden")
def _sites_hidden(script: Script, node: Bound) -> Region:
    (row,), words, height = _rows(script, node), script.layout.flag_words, script.layout.height
    found, site = blank(script), script.out.fresh("site")
    for each in _players(script, node):
        player = script.local("player", each)
        with script.block(f"if 0 < {player} <= {script.layout.players}:"):
            if height == 1:
                for k in range(script.layout.words):
                    script.line(f"{found.word(str(k))} |= s.hidden[({row} + {player}) * {words} + {k}]")
                continue
            with script.block(f"for {site} in range({script.model.board_sites}):"):  # of a stack its lowest piece
                slot = script.local("slot", f"{site} * {height}")
                flags = f"s.hidden[({row} + {player}) * {words} + ({slot} >> 6)]"
                with script.block(f"if ({flags} >> u64({slot} & 63)) & u64(1) == u64(1):"):
                    put(found, site)
    return found & board(script)
