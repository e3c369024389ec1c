"""What a determinizer is: parameters that, for a role in a match, become a sampler of the states it may be in.

A sampler remembers what it worked out for the decisions before, so a match asks one sampler again and again. It pays
for its work: every `apply` is a forward call. All of them draw from the same distribution: how likely a state is if
chance falls as the rules say, and all other roles choose among their legal moves with equal probability.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from ludarium.core import BadParameter, Game, InformationSet, LudariumError, Move, Rng, Role, State

UNLIMITED = 1 << 62


class NoSuchState(LudariumError):
    """No state agrees with what a role has seen, or none was found."""


class NotFound(NoSuchState):
    """No state was found that agrees with what a role has seen, though there may be one."""


class TooManyStates(LudariumError):
    """More states agree with what a role has seen than can be listed."""


class Draw(NamedTuple):
    """States that agree with all that a role knows, and the forward calls that it took to find them."""

    states: list[State]
    calls: int
    more: bool
    """Whether it makes sense to ask again."""


class Determinizer(Protocol):
    """The parameters of a way to imagine hidden states: a frozen dataclass."""

    @property
    def name(self) -> str:
        """What `determinizer` calls it."""
        ...

    def sampler(self, game: Game, role: Role) -> Sampler:
        """Make a sampler for one match; an `UnsupportedGame` if it cannot imagine states of this game."""
        ...


class Sampler(ABC):
    """A determinizer at work, in the sense of `core.Determinizer`."""

    heated = False
    """Whether it draws a heatmap, from which `warmth` is read."""

    clocked = False
    """Whether whoever asks has a clock to look at: then a draw ends after a few milliseconds; else after a piece of work."""

    def __init__(self, game: Game, role: Role) -> None:
        self.game, self.role = game, role

    @abstractmethod
    def draw(self, info: InformationSet, count: int, rng: Rng, calls: int = UNLIMITED) -> Draw:
        """Draw up to so many states more, within so many forward calls, and no more than a piece of work.

        Where a piece ends is counted, unless a clock runs: so with the same rng the same states come on every machine.
        """

    def sample(self, info: InformationSet, count: int, rng: Rng) -> Sequence[State]:
        """Draw states that agree with everything the role knows; repeated if there are no more of them."""
        found: list[State] = []
        more = True
        while more and len(found) < count:
            states, _, more = self.draw(info, count - len(found), rng)
            found += states
        found += [rng.choice(found) for _ in range(count - len(found))]
        return found

    def warmth(self, moves: Sequence[Move]) -> dict[Move, float]:
        """Tell from 0 to 1 how likely moves hit something hidden, as a heatmap has it; nothing if there is none."""
        return {}

    def check(self, info: InformationSet) -> None:
        """Refuse what another role knows, or somebody who has seen nothing."""
        if info.role != self.role or info.game.name != self.game.name:
            mine = f"{self.game.roles[self.role]} in {self.game.name}"
            raise BadParameter(f"this sampler is for {mine}, not for role {info.role} in {info.game.name}")
        if not info.seen:
            raise BadParameter(
                "the information set has no observations; it needs one per state, the present one included"
            )

    def contradiction(self, how: str, *, sure: bool = True) -> NoSuchState:
        """Make the error that says that nothing agrees with what was seen, or that nothing was found."""
        who = f"{self.game.roles[self.role]} in {self.game.name}"
        kind = NoSuchState if sure else NotFound
        return kind(f"no state agrees with what {who} has seen and played: {how}")


def goes_on(before: InformationSet | None, now: InformationSet) -> bool:
    """Whether what a role knows now is what it knew before and something more."""
    return (
        before is not None
        and len(before.seen) < len(now.seen)
        and now.seen[: len(before.seen)] == before.seen
        and now.played[: len(before.played)] == before.played
    )


def same(before: InformationSet | None, now: InformationSet) -> bool:
    """Whether a role knows now what it knew before and no more."""
    return (
        before is not None
        and (before.seen, before.played) == (now.seen, now.played)
        and sorted(before.legal) == sorted(now.legal)
    )
