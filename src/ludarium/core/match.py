"""A match that was played, in words and numbers only: enough to store, to compare and to play again."""

from __future__ import annotations

from dataclasses import dataclass, field

from ludarium.core.budget import Limit
from ludarium.core.errors import BadParameter
from ludarium.core.game import Role

TOGETHER = " + "
"""What joins the texts of moves that were made at once."""

TIMEOUT, ILLEGAL, CRASH = FAULTS = ("timeout", "illegal", "crash")
"""What can be wrong with an answer: it comes too late, is no legal move, or does not come at all."""

SEATING = -1
"""The ply of what went wrong before the first move."""

MOST_MATCHES = 1_000_000_000
"""Of a pair of agents: more than anybody plays, and few enough to count with."""


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What a match is played under."""

    limit: Limit = field(default_factory=lambda: Limit(iterations=1000))
    """The play clock, or the work allowed, for every move."""

    start_seconds: float | None = None
    """The start clock: what sitting down may take."""

    tolerance_seconds: float = 0.25
    """How late an answer may come after a clock ran out, before it is a fault."""

    move_limit: int | None = None
    """After so many plies a match that is not over is a draw."""

    cheating: bool = False
    """Whether agents that cheat are admitted, and shown the state itself; for studies only."""

    def __post_init__(self) -> None:
        if self.start_seconds is not None and not 0 < self.start_seconds < float("inf"):
            raise BadParameter(f"start_seconds must be a positive number, not {self.start_seconds}")
        if not 0 <= self.tolerance_seconds < float("inf"):
            raise BadParameter(f"tolerance_seconds must be a number from 0 up, not {self.tolerance_seconds}")
        if self.move_limit is not None and (type(self.move_limit) is not int or self.move_limit <= 0):
            raise BadParameter(f"move_limit must be a positive whole number, not {self.move_limit}")


@dataclass(frozen=True)
class Alternative:
    """A move that was thought of."""

    move: str
    visits: int = 0
    value: float | None = None
    """What the search expected of it, from 0 to 1."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One decision of a match; the clock does not count when two are compared."""

    ply: int
    """From 0 on; -1 for a fault before the first move."""

    role: Role
    move: str
    """The move that was played, be it the choice of the agent or the draw that replaced it."""

    seconds: float = field(default=0.0, compare=False)
    choices: int = 0
    """How many moves were legal."""

    iterations: int = 0
    forward_calls: int = 0
    value: float | None = None
    """What the agent expected of its choice, from 0 to 1."""

    alternatives: tuple[Alternative, ...] = ()
    """What it thought most of, best first."""

    fault: str = ""
    """One of `FAULTS`, or nothing."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Match:
    """Who played what, and how it ended; neither clocks nor its name in a store count when two are compared.

    >>> Match(game="nim", agents=("uct", "random"), seed=7, moves=("take 2", "take 1"), utilities=(0.0, 1.0))
    Match(nim: uct 0.0, random 1.0, 2 plies, seed 7)
    """

    game: str
    agents: tuple[str, ...]
    seed: int
    moves: tuple[str, ...]
    """One text per ply; moves made at once are joined by " + "."""

    utilities: tuple[float, ...]
    seconds: tuple[float, ...] = field(default=(), compare=False)
    """Thinking time per ply; empty if it was not measured."""

    thinking: tuple[float, ...] = field(default=(), compare=False)
    """Thinking time per role; empty if it was not measured."""

    faults: tuple[str, ...] = ()
    """What went wrong, a sentence each."""

    turns: tuple[Turn, ...] = ()
    """Every decision, or only those that were at fault if no more was to be kept."""

    roles: tuple[str, ...] = ()
    """The names of the roles."""

    terms: Terms | None = None
    length: int | None = None
    """How many plies it had, where the moves were not kept."""

    cut: bool = False
    """Whether the move limit ended it."""

    rules: str = field(default="", compare=False)
    """The fingerprint of the rules that it was played by; empty if it is not known."""

    id: str = field(default="", compare=False)
    """What a plan calls it."""

    started: float = field(default=0.0, compare=False)
    """When, in seconds since 1970."""

    def __post_init__(self) -> None:
        if len(self.agents) != len(self.utilities):
            raise ValueError(f"{len(self.agents)} agents, but {len(self.utilities)} utilities")
        if self.seconds and len(self.seconds) != len(self.moves):
            raise ValueError(f"{len(self.moves)} plies, but {len(self.seconds)} times")

    @property
    def plies(self) -> int:
        """How long it was."""
        return len(self.moves) if self.length is None else self.length

    def __repr__(self) -> str:
        results = zip(self.agents, self.utilities, strict=True)
        parts = [f"{agent} {round(float(utility), 3)}" for agent, utility in results]
        parts.append("1 ply" if self.plies == 1 else f"{self.plies} plies")
        if self.cut:
            parts.append("cut there")
        parts.append(f"seed {self.seed}")
        parts.extend(f"fault: {fault}" for fault in self.faults)
        return f"Match({self.game}: {', '.join(parts)})"
