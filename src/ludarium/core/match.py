"""A match that was played, in words and numbers only: enough to store, to compare and to play again."""

from dataclasses import dataclass, field

TOGETHER = " + "
"""What joins the texts of moves that were made at once."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Match:
    """Who played what, and how it ended; the clocks do not count when two matches are compared.

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

    faults: tuple[str, ...] = ()
    """What went wrong, a sentence each."""

    def __post_init__(self) -> None:
        if len(self.agents) != len(self.utilities):
            raise ValueError(f"{len(self.agents)} agents, but {len(self.utilities)} utilities")
        if self.seconds and len(self.seconds) != len(self.moves):
            raise ValueError(f"{len(self.moves)} plies, but {len(self.seconds)} times")

    def __repr__(self) -> str:
        results = zip(self.agents, self.utilities, strict=True)
        parts = [f"{agent} {round(float(utility), 3)}" for agent, utility in results]
        parts.append("1 ply" if len(self.moves) == 1 else f"{len(self.moves)} plies")
        parts.append(f"seed {self.seed}")
        parts.extend(f"fault: {fault}" for fault in self.faults)
        return f"Match({self.game}: {', '.join(parts)})"
