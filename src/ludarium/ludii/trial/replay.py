"""What a game with rules must answer so that a trial can be replayed in it.

It works from states: a legal move is told by the action that a player chose in it (its kind and whatever fields tell moves
apart), and by the state that it leads to. Chance is not drawn but taken from the record: a game that rolls when it
arrives in a state is given what the next recorded move begins with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ludarium.ludii.trial.facts import GameFacts
from ludarium.ludii.trial.position import Snapshot
from ludarium.ludii.trial.record import Action, Move

Roll = tuple[int, int]
"""The site of a die, and which of its faces came up."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move of a game."""

    code: int
    """The move as the game knows it."""
    mover: int
    action: Action
    """What the player chooses, as a trial tells it: `Action("Move", {"from": 3, "to": 7})`. Fields left out are not compared."""
    times: int = 1
    """How often Ludii lists it: once for every rule that makes it."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What chance did, as it was recorded."""

    placements: tuple[Move, ...] = ()
    """What stood there before the first move, if that is what begins."""
    move: Move | None = None
    """The move that is played, with all that came of it: what was drawn at random is in its actions."""
    rolled: tuple[Roll, ...] = ()
    """Dice rolled because of the move, in order."""
    arriving: tuple[Roll, ...] = ()
    """Dice rolled before the next choice, in order."""

    leading: Snapshot | None = None
    """What it led to: what is drawn beside dice is not recorded by itself, only what came of it."""

    mover: int | None = None
    """Who moved next, if anybody did."""


class Replay(Protocol):
    """A game that goes along with a trial.

    A snapshot has the values that the game keeps, under the names that `Position.snapshot` uses; filling a `Position` and
    taking its snapshot is the easy way.
    """

    @property
    def facts(self) -> GameFacts:
        """The facts of the game, or of the one that a match is at."""

    @property
    def movers(self) -> tuple[int, ...]:
        """Who chooses now, counted from 1; several if they choose at once."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""

    @property
    def winner(self) -> int:
        """Who has won: 0 if nobody."""

    @property
    def ranks(self) -> tuple[float, ...]:
        """The rank of each player by index, with 0.0 in front; 0.0 is none."""

    def start(self, outcomes: Outcomes) -> None:
        """Begin."""

    def snapshot(self) -> Snapshot:
        """The state as it is now."""

    def legal(self) -> Sequence[Choice]:
        """The moves to choose from, of all who choose."""

    def after(self, chosen: Sequence[Choice], outcomes: Outcomes) -> Snapshot:
        """The state that a choice of each mover would lead to."""

    def play(self, chosen: Sequence[Choice], outcomes: Outcomes) -> None:
        """Go on with a choice of each mover."""

    def actions(self, chosen: Sequence[Choice], outcomes: Outcomes) -> Sequence[Action] | None:
        """All that a choice would do, in Ludii's order; nothing if the game cannot tell."""


def rolls(actions: Sequence[Action]) -> tuple[Roll, ...]:
    """The dice that some actions roll; those that are set as soon as one is used are doubles that are played again."""
    found: list[Roll] = []
    again = False
    for action in actions:
        if action.kind != "SetStateAndUpdateDice":
            again = action.kind == "UseDie"
        elif not again:
            found.append((action.number("site"), action.number("state")))
    return tuple(found)


def arrival(move: Move | None) -> tuple[Action, ...]:
    """What a move begins with that was rolled before it was chosen."""
    found: list[Action] = []
    for action in move.flat if move else ():
        if action.kind not in {"SetStateAndUpdateDice", "SetDiceAllEqual"}:
            break
        found.append(action)
    return tuple(found)
