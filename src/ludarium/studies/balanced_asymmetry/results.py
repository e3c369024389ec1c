"""What the matches of the study of balanced asymmetry tell: who wins in which role, and how long turns take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from time import thread_time

import numpy as np

from ludarium import catalog
from ludarium.arena.extras import needs
from ludarium.arena.position import Position
from ludarium.arena.prove.comparisons import ALPHA, holm
from ludarium.arena.prove.intervals import Rate, rates, wilson
from ludarium.arena.results import Moves, Numbers, Results
from ludarium.core import Limit, Rng
from ludarium.studies.balanced_asymmetry.study import GAMES, PLAYERS, RANDOM

with needs("report"):
    from scipy.stats import binomtest

ATTACKER, DEFENDER = ROLES = ("attacker", "defender")
THESIS_TURNS = (258, 404, 90, 412, 489, 242, 278, 270, 342, 267)
"""How long the ten matches of Random against Random were that the thesis reports; the defender won eight."""

Seat = tuple[str, str, str]
"""A game, a player and its role."""

STRETCHES = {"1 to 50": (0, 50), "251 to 300": (250, 300), "401 to 500": (400, 500)}
"""Turns of a match over which times are averaged."""

_REPEATS = 5  # random matches that turns are timed in


@dataclass(frozen=True)
class Bias:
    """What the roles won in matches of a player against itself."""

    game: str
    player: str
    matches: int
    attacker: int
    defender: int
    """Matches that each role won; the rest were drawn."""

    turns: Numbers
    """How long the matches were, sorted."""

    p: float = 1.0
    """How likely it is that roles that are equally good differ as much."""

    adjusted: float = 1.0
    """p after Holm's correction for all games and players."""

    @property
    def share(self) -> float:
        """What the attacker won, a draw counting half."""
        return (self.attacker + (self.matches - self.attacker - self.defender) / 2) / self.matches

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share lies with 95 % confidence."""
        low, high = wilson(np.array([self.share]), np.array([self.matches]))
        return float(low[0]), float(high[0])

    @property
    def towards(self) -> str:
        """The role that is proved to win more; nothing if none is."""
        return "" if self.adjusted >= ALPHA else ATTACKER if self.attacker > self.defender else DEFENDER


THESIS = Bias("hnefatafl", "Random, thesis", 10, 2, 8, np.sort(np.array(THESIS_TURNS, float)), p=0.109375)
"""What the thesis reports; of its p nothing is corrected, as it is one test."""


@dataclass(frozen=True, eq=False)
class Measured:
    """All numbers of the study."""

    results: Results
    moves: Moves
    against_random: Mapping[Seat, Rate]
    """What players won against Random, by game, player and role."""

    stronger: frozenset[Seat]
    """Where that is proved to be more than Random itself wins in the same seat."""

    biases: tuple[Bias, ...]
    random_turns: Mapping[str, Numbers]
    """Seconds that turn k of a match of random players takes on average, by game."""

    limit: Limit
    """Of every turn."""

    @property
    def clock(self) -> float:
        """The play clock, in seconds."""
        return self.limit.seconds or 0.0

    @property
    def games(self) -> list[str]:
        """The games that were played, in the order of the study."""
        return [game for game in GAMES if game in self.results.game.names]

    @property
    def players(self) -> list[str]:
        """The players, Random first, and those that the thesis had before others."""
        names = self.results.agent.names
        return sorted(names, key=lambda name: list(PLAYERS).index(name) if name in PLAYERS else len(PLAYERS))

    def bias(self, game: str, player: str) -> Bias | None:
        """Give what the roles won in a game when a player met itself."""
        return next((each for each in self.biases if (each.game, each.player) == (game, player)), None)

    def better(self, game: str, player: str, role: str) -> bool:
        """Tell whether a player is proved to win more against Random than Random itself does in that seat."""
        return (game, player, role) in self.stronger


def measure(results: Results, moves: Moves, limit: Limit, *, repeats: int = _REPEATS) -> Measured:
    """Count what was played, and time the turns of random players on this machine; forced moves are no turns here."""
    wins, moves = results.as_scores(), moves.where(moves.choices != 1)
    found = rates(wins, ("game", "agent", "opponent", "role"))
    against = {
        (game, agent, role): rate
        for rate in found
        for game, agent, opponent, role in [rate.group]
        if opponent == RANDOM != agent
    }
    timed = {game: random_turns(game, repeats) for game in GAMES if repeats and game in results.game.names}
    biases = tuple(_biases(wins))
    return Measured(wins, moves, against, _stronger(against, biases), biases, timed, limit)


def random_turns(name: str, repeats: int) -> Numbers:
    """Time whole turns of random players, from the question to the next position, on average by turn.

    It is processor time: a machine with other things to do does not count.
    """
    game = catalog.game(name)
    total, count = np.zeros(0), np.zeros(0)
    for seed in range(repeats):
        position, rng, times = Position(game, seed), Rng(seed), []
        while movers := position.state.movers:
            begun = thread_time()
            position.play({role: rng.choice(position.information_set(role).legal) for role in movers})
            times.append(thread_time() - begun)
        longest = max(len(times), len(total))
        total, count = (np.pad(each, (0, longest - len(each))) for each in (total, count))
        total[: len(times)] += times
        count[: len(times)] += 1
    return np.asarray(total / np.maximum(count, 1), np.float64)


def stretch(times: Numbers, first: int, last: int) -> float:
    """Average over a stretch of turns; nan if no match was as long."""
    return float(times[first:last].mean()) if len(times) > first else nan


def _biases(wins: Results) -> Iterator[Bias]:
    """Count self-play by game and player, and test every count."""
    counted = []
    attackers, defenders = wins.where(wins.role == 0), wins.where(wins.role == 1)
    names = np.array(attackers.agent.names)[attackers.agent.codes]
    same = names == np.array(defenders.agent.names)[defenders.agent.codes]
    games = np.array(attackers.game.names)[attackers.game.codes]
    for game in dict.fromkeys(games.tolist()):
        for player in dict.fromkeys(names.tolist()):
            rows = same & (games == game) & (names == player)
            if rows.any():
                utility = attackers.utility[rows]
                won, lost = int(np.sum(utility == 1)), int(np.sum(utility == 0))
                p = float(binomtest(won, won + lost).pvalue) if won + lost else 1.0
                turns = np.sort(attackers.plies[rows]).astype(np.float64)
                counted.append(Bias(game, player, int(rows.sum()), won, lost, turns, p))
    adjusted, _ = holm(np.array([each.p for each in counted]), ALPHA)
    for each, corrected in zip(counted, adjusted, strict=True):
        yield replace(each, adjusted=float(corrected))


def _stronger(against: Mapping[Seat, Rate], biases: Sequence[Bias]) -> frozenset[Seat]:
    """Test against what Random wins in the same seat, exactly and with Holm's correction; half a win is none."""
    own = {bias.game: bias.share for bias in biases if bias.player == RANDOM}
    tests = {}
    for seat, rate in against.items():
        if seat[0] in own:
            fair = own[seat[0]] if seat[2] == ATTACKER else 1 - own[seat[0]]
            tests[seat] = float(binomtest(int(rate.mean * rate.count + 1e-9), rate.count, fair, "greater").pvalue)
    _, sure = holm(np.array(list(tests.values())), ALPHA)
    return frozenset(seat for seat, proved in zip(tests, sure, strict=True) if proved)
