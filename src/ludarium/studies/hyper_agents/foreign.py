"""Two portfolios side by side: learned from the published tables, and from our own matches, in games that neither has seen.

What the agent won that each of them would have sent is known from our own matches; the game is the unit. Nobody is sent who
cannot play a game; alone, such an agent scores 0 in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ludarium import catalog, library
from ludarium.arena.prove.means import half_width
from ludarium.core import Limit, Rng, describe
from ludarium.hyper.features import features
from ludarium.hyper.models.model import Model, train
from ludarium.hyper.models.published import NAMES, agents
from ludarium.hyper.models.regret import grouped_folds
from ludarium.hyper.models.tables import Table, join, read
from ludarium.hyper.race import Racer, race
from ludarium.hyper.shipped import LEAST, absent, paths
from ludarium.studies.hyper_agents.names import without


@dataclass(frozen=True, eq=False)
class Choices:
    """What each way to choose won, game by game, in percent."""

    games: tuple[str, ...]
    won: dict[str, NDArray[np.float64]]
    alike: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    """Of portfolios how alike the nearest game is that they learned from."""

    def of(self, kept: NDArray[np.bool_]) -> Choices:
        """The same for some of the games."""
        games = tuple(name for name, here in zip(self.games, kept, strict=True) if here)
        return Choices(games, *({name: each[kept] for name, each in told.items()} for told in (self.won, self.alike)))

    def ahead(self, one: str, other: str) -> tuple[float, float, float]:
        """How far one is ahead of another, in points, and the interval of that."""
        differences = self.won[one] - self.won[other]
        mean = float(differences.mean())
        reach = half_width(differences)
        return mean, mean - reach, mean + reach


OURS, THEIRS, PLAIN = "portfolio, our matches", "portfolio, published tables", "portfolio without features"
BEST, CHANCE = "the best there was", "any of them"


def choices(folder: Path, seed: int = 0) -> Choices:
    """Choose in every game that was measured here, by models that have not seen it.

    That of our matches has not seen games that are alike either; that of the published tables no namesakes of our games.
    """
    own = join(*paths())
    columns, rows = read(paths()[0][0], gaps=True)
    values = np.array([rows[name] for name in own.games])
    published = agents(folder)
    published = replace(published, candidates=tuple(NAMES[name] for name in published.candidates))
    able = _able(own)
    everything = np.arange(len(own.games))
    theirs, near = _forecasts(train(without(published, own.games)), own.candidates, columns, values)
    ours, plain, nearer = np.zeros_like(theirs), np.zeros_like(theirs), np.zeros_like(near)
    for part in grouped_folds(own, seed=seed):
        rest = np.setdiff1d(everything, part)
        ours[part], nearer[part] = _forecasts(train(own.of(rest), seed=seed), own.candidates, columns, values[part])
        # What each wins where it can play, whatever the game.
        plain[part] = (own.scores * able)[rest].sum(axis=0) / able[rest].sum(axis=0)
    picked = {PLAIN: np.where(able, plain, -1.0).argmax(axis=1)}
    picked |= {OURS: np.where(able, ours, -1.0).argmax(axis=1), THEIRS: np.where(able, theirs, -1.0).argmax(axis=1)}
    won = {name: own.scores[everything, places] for name, places in picked.items()}
    won |= {name: own.scores[:, k] for k, name in enumerate(own.candidates)}
    won |= {CHANCE: _mean(own.scores, able), BEST: own.scores.max(axis=1)}
    return Choices(own.games, won, {OURS: nearer, THEIRS: near})


def races(limit: Limit, seed: int = 0) -> Iterator[tuple[str, float, float]]:
    """Let candidates race in the games that come along: a game, what the agent wins that is sent at once, and after a race.

    As above, the forecast that both begin with is that of a model that saw neither the game nor those that are alike.
    """
    own, away = join(*paths()), absent()
    for part in grouped_folds(own, seed=seed):
        model = train(own.of(np.setdiff1d(np.arange(len(own.games)), part)), seed=seed, matches=LEAST)
        for place in part:
            name = own.games[place]
            if "/" in name:  # of the user's library
                continue
            game = catalog.game(name)
            forecasts = [each for each in model.predict(features(game)).forecasts if each.candidate not in away[name]]
            racers = [Racer(catalog.agent(each.candidate), each.score / 100) for each in forecasts]
            at = [model.candidates.index(each.candidate) for each in forecasts]
            order = race(racers, game, 0, limit, Rng(seed), errors=model.errors[np.ix_(at, at)] / 100**2)
            won = dict(zip(own.candidates, own.scores[place], strict=True))
            yield name, float(won[forecasts[0].candidate]), float(won[describe(order[0].agent)])


def is_foreign(name: str) -> bool:
    """Whether a game is not written in Ludii's language."""
    bare = name.removeprefix(catalog.GDL)
    return name in catalog.GAMES or (bare in library.names() and not name.startswith(catalog.LUD))


def _forecasts(
    model: Model, candidates: Sequence[str], columns: Sequence[str], values: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What a model expects of the candidates, a row for each game, and how near that is to what it learned from.

    It goes both ways where something is unknown.
    """
    places, order = {name: k for k, name in enumerate(columns)}, [model.candidates.index(name) for name in candidates]
    found, near = [], []
    for row in values:
        rest = (
            np.nan if np.isnan(row).any() else 0.0
        )  # a ludeme that no game here uses is absent, or unknown like the others
        cells = np.array([row[places[name]] if name in places else rest for name in model.columns])
        known = ~np.isnan(cells)
        cells = np.where(known, cells, 0.0)
        found.append(model.scores(cells, known)[order])
        near.append(model.likeness.nearest(cells, known)[1])
    return np.array(found), np.array(near)


def _able(table: Table) -> NDArray[np.bool_]:
    """Who can play which game."""
    away = absent()
    return np.array([[name not in away[game] for name in table.candidates] for game in table.games])


def _mean(scores: NDArray[np.float64], able: NDArray[np.bool_]) -> NDArray[np.float64]:
    return np.asarray(np.where(able, scores, 0.0).sum(axis=1) / able.sum(axis=1))
