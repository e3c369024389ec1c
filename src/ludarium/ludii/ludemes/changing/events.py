"""What players are told, and what is triggered for them."""

from __future__ import annotations

from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.code.sinks import Done, Found
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.changing.effects import effect
from ludarium.ludii.ludemes.moving.moves import find
from ludarium.ludii.memory import actions
from ludarium.ludii.model import text


@ludeme("moves", "note")
def _note(script: Script, node: Bound) -> None:
    """A note changes nothing; what comes after it comes all the same."""
    if isinstance(script.sink, Done):
        find(script, Found(node, "Note", "-1", "-1", lambda *_: None))


@ludeme("moves", "trigger", single=True, forgets_then=True)
def _trigger(script: Script, node: Bound) -> None:
    event = script.layout.events.index(text(node.arguments["event"]))
    effect(script, node, actions.TRIGGER, str(event), script.player(node, "role", "indexPlayer"))


@ludeme("bool", "is Triggered")
def _triggered(script: Script, node: Bound) -> str:
    event = script.layout.events.index(text(node.arguments["event"]))
    player = script.local("player", script.player(node, "role", "index"))
    active = f"0 < {player} <= {script.layout.players} and (s.active >> {player}) & 1 == 1"
    return f"({active} and (s.triggered[{event}] >> {player}) & 1 == 1)"
