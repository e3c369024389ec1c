"""What an audit finds out: proofs that an agent knows what it was not told, and how far it was looked for them."""

from __future__ import annotations

from dataclasses import dataclass, field

from ludarium.arena.leaks.dice import Guesses
from ludarium.arena.leaks.shown import Exposure


@dataclass(frozen=True)
class Leak:
    """A proof that an agent knows what it was not told."""

    agent: str
    game: str
    role: str
    seed: int
    """Of the match: with it, the moves lead to the position."""

    moves: str
    """How the match went so far."""

    worlds: tuple[str, str]
    """Two states that the role cannot tell apart, as people see them."""

    decisions: tuple[str, str]
    """What the agent decided in each."""

    differing: tuple[str, ...]
    """In what the decisions differ: `move`, `values`, `visits` ..."""


@dataclass
class Verdict:
    """What was found out about an agent."""

    agent: str
    positions: int = 0
    """Decisions at which another world was looked for."""

    others: int = 0
    """Those where one was found."""

    whole: int = 0
    """Those of them where all decisions of the role since the beginning were made in the other world."""

    alone: int = 0
    """Those where there is no other world."""

    decisions: int = 0
    """Decisions that were compared, those on the way included."""

    guesses: Guesses = field(default_factory=Guesses)
    """Whether it guesses the seed of the match, and with it the dice."""

    leaks: list[Leak] = field(default_factory=list)
    unrepeatable: list[Leak] = field(default_factory=list)
    """Decisions that came out otherwise in one and the same world: of these nothing can be said."""

    failure: str = ""
    """Why the audit ended before all positions were looked at."""

    @property
    def clean(self) -> bool:
        """Whether nothing speaks against the agent."""
        return not (self.leaks or self.guesses.proved or self.unrepeatable or self.failure)


@dataclass
class Audit:
    """What was found out about a game, and about agents that play it."""

    game: str
    exposures: list[Exposure]
    """Where the game itself shows what it hides."""

    verdicts: list[Verdict]

    @property
    def clean(self) -> bool:
        """Whether nothing speaks against the game and the agents."""
        return not self.exposures and all(verdict.clean for verdict in self.verdicts)
