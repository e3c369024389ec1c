"""A basis: populations that evolve in several games at once, for others to begin with.

That is what Reisinger et al. (2007) would have as future work. Each role has one population for all games, first roles with first
ones. In each game it has teachers of its own; what a network is worth in a game is its rank there, so games count alike however
many points there are in them, and its fitness is the mean of these ranks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ludarium.core import BadParameter, Game
from ludarium.evaluate.evolved.network import Network
from ludarium.evolve.bouts import Numbers
from ludarium.evolve.run import Evolution
from ludarium.evolve.settings import Settings


def basis_of(
    games: Sequence[Game],
    settings: Settings,
    *,
    beginner: Game | None = None,
    threads: int | None = None,
    progress: Callable[[Evolution], None] | None = None,
) -> list[list[Network]]:
    """Evolve populations in several games at once; give the networks of the last generation, by role.

    A game that is to begin with them is refused before, if it cannot.
    """
    shared = [Evolution(game, settings, threads=threads) for game in games]
    if not shared:
        raise BadParameter("a basis evolves in at least one game")
    for other in shared[1:]:
        _check(shared[0], other)
    if beginner is not None:
        _check(shared[0], Evolution(beginner, settings, threads=threads))
    try:
        return _evolved(shared, progress)
    finally:
        for each in shared:
            each.bouts.close()


def _evolved(shared: Sequence[Evolution], progress: Callable[[Evolution], None] | None) -> list[list[Network]]:
    """Breed populations by what they are worth in all games, until the last generation."""
    populations = shared[0].populations
    for population in populations:
        population.begin()
    while True:
        networks = [population.networks for population in populations]
        worth = [each.live(networks) for each in shared]
        if progress is not None:
            for each in shared:
                progress(each)
        if shared[0].done:
            return networks
        for role, population in enumerate(populations):
            population.breed(np.mean([ranked(each[role]) for each in worth], axis=0))


def ranked(values: npt.ArrayLike) -> Numbers:
    """By place, the share of all that have less, those that have as much counting half."""
    given = np.asarray(values, np.float64)
    less, same = given[:, None] > given, given[:, None] == given
    return np.asarray((less + same / 2).mean(axis=1))


def _check(first: Evolution, other: Evolution) -> None:
    """Refuse games that cannot share networks."""
    for what, one, two in (
        ("roles", len(first.game.roles), len(other.game.roles)),
        ("inputs", first.bouts.seen.count, other.bouts.seen.count),
    ):
        if one != two:
            raise BadParameter(
                f"games of a basis have as many {what}: {first.game.name} has {one}, {other.game.name} has {two}"
            )
