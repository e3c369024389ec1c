"""What a role cannot know: determinizers, which imagine the states it may be in.

>>> from ludarium import game
>>> from ludarium.core import InformationSet, Rng
>>> poker = game("kuhn-poker")
>>> holding_a_queen = InformationSet(game=poker, role=0, legal=(0, 1), seen=(bytes([1]),))
>>> for state in determinizer("enumeration").sampler(poker, 0).likelihoods(holding_a_queen):
...     print(state)
first Q  second K  moves: none
first Q  second J  moves: none
"""

from __future__ import annotations

from typing import Any

from ludarium.core import Game, Role, WrongAnswer
from ludarium.core.answers import asked
from ludarium.hidden.auto import Auto
from ludarium.hidden.declarations.constraint import Constraint, Heatmap, Unconstrained
from ludarium.hidden.declarations.declared import Effort
from ludarium.hidden.enumeration import Enumeration
from ludarium.hidden.histories.replay import Replay
from ludarium.hidden.histories.walk import Wander
from ludarium.hidden.redeal import Redeal
from ludarium.hidden.revealed import revealed, shown
from ludarium.hidden.sampler import UNLIMITED, Determinizer, Draw, NoSuchState, NotFound, Sampler, TooManyStates
from ludarium.registry import Entry, make

__all__ = [
    "DETERMINIZERS",
    "UNLIMITED",
    "Auto",
    "Constraint",
    "Determinizer",
    "Draw",
    "Effort",
    "Enumeration",
    "Heatmap",
    "NoSuchState",
    "NotFound",
    "Redeal",
    "Replay",
    "Sampler",
    "TooManyStates",
    "Unconstrained",
    "Wander",
    "determinizer",
    "revealed",
    "sampling",
    "shown",
]

DETERMINIZERS: dict[str, Entry] = {
    "auto": Entry("ludarium.hidden.auto:Auto", "what suits the game"),
    "constraint": Entry(
        "ludarium.hidden.declarations.constraint:Constraint", "lays hidden pieces out as what was seen allows"
    ),
    "enumeration": Entry("ludarium.hidden.enumeration:Enumeration", "lists all states there can be"),
    "heatmap": Entry(
        "ludarium.hidden.declarations.constraint:Heatmap", "as constraint, from a map of where pieces are likely"
    ),
    "random": Entry("ludarium.hidden.declarations.constraint:Unconstrained", "as constraint, whatever was seen"),
    "redeal": Entry("ludarium.hidden.redeal:Redeal", "deals anew as the game itself knows how to"),
    "replay": Entry("ludarium.hidden.histories.replay:Replay", "plays many matches and keeps those that look the same"),
    "walk": Entry("ludarium.hidden.histories.walk:Wander", "changes a match step by step until it looks the same"),
}


def determinizer(spec: str | Determinizer) -> Determinizer:
    """Make a determinizer by name, with parameters if wanted, or from its place in somebody's code.

    >>> determinizer("replay(pool=500)")
    Replay(pool=500, tries=10000)
    """
    made: Determinizer = make("determinizer", spec)
    return made


def sampling(spec: str | Determinizer, game: Game, role: Role) -> Sampler:
    """Let a determinizer draw for a role of a game; an error that says what it gives if that cannot draw."""
    made = determinizer(spec)
    given: Any = asked(lambda: f"determinizer '{made.name}'", "sampler(game, role)", made.sampler, game, role)
    if not isinstance(given, Sampler):
        raise WrongAnswer(f"determinizer '{made.name}': sampler gives {given!r}; expected a Sampler")
    return given
