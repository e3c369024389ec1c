"""The states that a search takes a hidden game to be in, drawn as they are needed.

How many there are when depends on the work done so far, counted in forward calls, and never on the clock: so a search
with the same seed goes the same way on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping

from ludarium.core import BadParameter, Budget, Game, InformationSet, Move, Rng, Role, State, UnsupportedGame
from ludarium.hidden import Determinizer, determinizer, sampling

MOST = 4096  # states for one decision
UNSEARCHED = "any move: the budget ended before a state that agrees with what was seen was found and searched"


class Worlds:
    """States that agree with all that a role knows; the one state where nothing is hidden."""

    def __init__(
        self, spec: str | Determinizer, game: Game, role: Role, rng: Rng, *, owner: str = "", bias: float = 0.0
    ) -> None:
        self.sampler = None if game.traits.perfect_information else sampling(spec, game, role)
        self.bias = bias
        if bias and self.sampler is not None and not self.sampler.heated:
            raise UnsupportedGame(f"{owner}: a bias needs a heatmap, and {spec} draws none for moves of {game.name}")
        self.rng = rng
        self.states: list[State] = []
        self.calls = 0
        self.more = False

    def begin(self, info: InformationSet, budget: Budget) -> None:
        """Forget the states of the last decision."""
        if self.sampler is not None:
            self.sampler.clocked = budget.seconds_left is not None
        self.info, self.calls, self.more = info, 0, self.sampler is not None
        self.states = [] if info.state is None else [info.state]

    def draw(self, count: int, calls: int) -> int:
        """Draw states until there are so many, or for a moment; tells the forward calls that it took."""
        assert self.sampler is not None
        states, used, self.more = self.sampler.draw(self.info, count - len(self.states), self.rng, calls)
        self.states += states
        self.calls += used
        return used

    def warmed(self, merits: Mapping[Move, float], *, shares: bool) -> dict[Move, float]:
        """Add the heat of what moves are aimed at to their merits, if a bias is wanted; `shares` are counted from 0 to 1."""
        if not self.bias or self.sampler is None:
            return dict(merits)
        whole = sum(merits.values()) if shares else 1.0
        least = 0.0 if shares else min(merits.values())
        heat = self.sampler.warmth(self.info.legal)
        return {move: merits.get(move, least) / (whole or 1.0) + self.bias * heat[move] for move in self.info.legal}


def check_determinizer(owner: str, spec: str | Determinizer) -> None:
    """Refuse what is no determinizer, when an agent is made and not when it sits down."""
    try:
        determinizer(spec)
    except BadParameter as problem:
        raise BadParameter(f"{owner}: {problem}") from None
