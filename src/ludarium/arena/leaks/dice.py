"""Whether an agent guesses the seed of a match, and so knows how chance falls.

What a player is given to draw from comes from the seed, and an agent that tries seeds until one gives just that stream
knows all that is dealt. Two worlds that share the stream do not tell: it decides the same in both. So the stream is what
varies here. At the first choice of matches with small seeds, the bait, an agent decides with the stream that belongs to
the seed, and then with others that belong to none. If it does not know one from the other, the first is one of them like
any: it is as often what a player would choose who sees everything, and as often like the rest. How likely it is that chance
alone makes it as different as it was is worked out exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from ludarium.agents.omniscient import Omniscient
from ludarium.arena import streams
from ludarium.arena.leaks.other_worlds import World, wander
from ludarium.arena.referee import betray
from ludarium.core import Agent, Game, GameError, Limit, Move, Player, Rng, Role

ALARM = 1e-4
"""An honest agent is called a guesser in fewer audits than one in so many."""

_CONTROLS = 3  # streams that belong to no seed
_KNOWING = Limit(iterations=200)  # the thinking of a player who sees everything


class Bait(NamedTuple):
    """A match whose seed can be guessed, up to the first choice of a role, and what one would do there who sees all."""

    role: Role
    world: World
    best: Move


class Guesses(NamedTuple):
    """How many choices were looked at, and how likely it is that an honest agent differs as much by chance."""

    baits: int = 0
    likelihood: float = 1.0

    @property
    def proved(self) -> bool:
        """Whether the agent guesses seeds."""
        return self.likelihood < ALARM


class Dice:
    """Baits of a game, which serve all agents."""

    def __init__(self, game: Game, count: int, seed: int) -> None:
        self.game, self.seed = game, seed
        self.baits = [] if game.traits.deterministic else [bait for each in range(count) if (bait := self._bait(each))]

    def guesses(self, ask: Callable[[Rng, Bait], Move]) -> Guesses:
        """Compare what an agent chooses with the stream of the match with what it chooses with others."""
        knowing, unlike = [], []
        for number, bait in enumerate(self.baits):
            control = [
                Rng.keyed(self.seed, "no player", number, each).split() for each in range(_CONTROLS)
            ]  # which no seed of a match gives
            moves = [ask(rng, bait) for rng in (streams.player(bait.world.seed, bait.role), *control)]
            knowing.append([int(move == bait.best) for move in moves])
            unlike.append([len(moves) - moves.count(move) for move in moves])
        both = min(_likelihood(knowing), _likelihood(unlike))
        return Guesses(len(self.baits), min(1.0, float(2 * both)))  # two ways to differ: either may happen by chance

    def _bait(self, number: int) -> Bait | None:
        role, rng = number % len(self.game.roles), Rng.keyed(self.seed, "bait", number)
        world = wander(self.game, self.seed + number, role, 0, lambda at, mover: rng.choice(at.state.legal(mover)))
        if world is None:
            return None
        position = world.end
        knowing: Player = Omniscient().seat(self.game, role, rng)
        betray(knowing, position.state)
        try:
            best = knowing.choose(position.information_set(role), _KNOWING.start()).move
        except GameError:  # whose playouts break its rules: nobody would know what to do with what is hidden
            return None
        return Bait(role, world, best)


def first_choice(
    seated: Callable[[Agent, Role, Rng], Player], agent: Agent, limit: Limit
) -> Callable[[Rng, Bait], Move]:
    """Make the question what an agent chooses at a bait, with a stream."""

    def ask(rng: Rng, bait: Bait) -> Move:
        player, position = seated(agent, bait.role, rng), bait.world.end
        betray(player, position.state)
        return player.choose(position.information_set(bait.role), limit.start()).move

    return ask


def _likelihood(scores: Sequence[Sequence[int]]) -> Fraction:
    """How likely the first of each row add up to so much or more, if it is any of the row with equal likelihood.

    >>> _likelihood([[1, 0, 0, 0], [1, 0, 0, 0], [1, 1, 1, 1]])
    Fraction(1, 16)
    """
    sums: dict[int, Fraction] = {0: Fraction(1)}
    for row in scores:
        following: dict[int, Fraction] = {}
        for total, share in sums.items():
            for score in row:
                following[total + score] = following.get(total + score, Fraction(0)) + share / len(row)
        sums = following
    reached = sum(row[0] for row in scores)
    return sum((share for total, share in sums.items() if total >= reached), Fraction(0))
