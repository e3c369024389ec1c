"""Proposals and votes, players who swap their seats, and states that come again and again."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext

from ludarium.ludii.code.script import Script, literal, ludeme
from ludarium.ludii.code.sinks import Found, act
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.moving.moves import find
from ludarium.ludii.memory import actions
from ludarium.ludii.model import said_in, text

_BALLOT_BITS = 6


@ludeme("moves", "move Propose", "propose", "move Vote", "vote")
def _say(script: Script, node: Bound) -> None:
    votes = "vote" in node.unit.lower()

    def push(_: str, __: str, known: Mapping[str, str]) -> None:
        act(script, actions.VOTE if votes else actions.PROPOSE, known["ballot"])

    for said in said_in(node):
        ballot = {"ballot": (str(script.layout.ballots.index(said)), _BALLOT_BITS)}
        find(script, Found(node, "Vote" if votes else "Propose", "-1", "-1", push, ballot))


@ludeme("bool", "is Proposed")
def _is_proposed(script: Script, node: Bound) -> str:
    return f"((s.proposed >> {script.layout.ballots.index(text(node.arguments['string']))}) & 1 == 1)"


@ludeme("bool", "is Decided")
def _is_decided(script: Script, node: Bound) -> str:
    return f"(s.decided == {1 + script.layout.ballots.index(text(node.arguments['string']))})"


@ludeme("bool", "is Cycle")
def _is_cycle(script: Script, node: Bound) -> str:
    return "is_cycle(s)"


@ludeme("moves", "move Swap Players", "swap Players")
def _swap_players(script: Script, node: Bound) -> None:
    players = [script.player(node, f"role{k}", f"player{k}") for k in (1, 2)]
    count, known = script.layout.players, [literal(each) for each in players]
    if any(each is not None and not 1 <= each <= count for each in known):
        raise script.model.wrong(node, "somebody who does not play cannot swap", f"the players are P1 to P{count}")

    def push(*_: object) -> None:
        act(script, actions.SWAP_PLAYERS, *players)
        act(script, actions.NEXT_PLAYER, "i64(s.mover)")

    turns = ("i64(s.mover)", "i64(s.next)", "i64(s.prev)")  # who moves, or comes before or after, does play
    named = [each for each, number in zip(players, known, strict=True) if number is None and each not in turns]
    with script.block(f"if {' and '.join(f'1 <= {each} <= {count}' for each in named)}:") if named else nullcontext():
        find(script, Found(node, "Swap", "-1", "-1", push))
