"""What the matches of the study of balanced asymmetry tell: who wins in which role, how long turns take, and the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from time import perf_counter

import numpy as np

from ludarium import catalog
from ludarium.arena.comparisons import ALPHA, holm
from ludarium.arena.extras import needs
from ludarium.arena.intervals import Rate, rates, wilson
from ludarium.arena.position import Position
from ludarium.arena.results import Moves, Numbers, Results
from ludarium.arena.sample_size import difference_found
from ludarium.core import Rng
from ludarium.studies.balanced_asymmetry import FULL_SCALE, GAMES, MAIN, PLAYERS, RANDOM

with needs("report"):
    from scipy.stats import binomtest

ATTACKER, DEFENDER = ROLES = ("attacker", "defender")
THESIS_TURNS = (258, 404, 90, 412, 489, 242, 278, 270, 342, 267)
"""How long the ten matches of Random against Random were that the thesis reports; the defender won eight."""

Seat = tuple[str, str, str]
"""A game, a player and its role."""

STRETCHES = {"1 to 50": (0, 50), "251 to 300": (250, 300), "401 to 500": (400, 500)}
"""Turns of a match over which times are averaged."""

_ENOUGH = 10  # matches; with fewer not even winning all of them is sure to be told from chance after correction
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

    clock: float

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


def measure(results: Results, moves: Moves, clock: float, *, repeats: int = _REPEATS) -> Measured:
    """Count what was played, and time the turns of random players on this machine."""
    wins = results.as_wins()
    found = rates(wins, ("game", "agent", "opponent", "role"))
    against = {
        (game, agent, role): rate
        for rate in found
        for game, agent, opponent, role in [rate.group]
        if opponent == RANDOM != agent
    }
    timed = {game: random_turns(game, repeats) for game in GAMES if repeats and game in results.game.names}
    biases = tuple(_biases(wins))
    return Measured(wins, moves, against, _stronger(against, biases), biases, timed, clock)


def random_turns(name: str, repeats: int) -> Numbers:
    """Time whole turns of random players, from the question to the next position, on average by turn."""
    game = catalog.game(name)
    total, count = np.zeros(0), np.zeros(0)
    for seed in range(repeats):
        position, rng, times = Position(game, seed), Rng(seed), []
        while movers := position.state.movers:
            begun = perf_counter()
            position.play({role: rng.choice(position.known(role).legal) for role in movers})
            times.append(perf_counter() - begun)
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


def answer(measured: Measured) -> Iterator[str]:
    """Answer the question of the thesis as far as the matches allow."""
    yield _size(measured)
    if (random := measured.bias(MAIN, RANDOM)) is not None:
        yield _of_random(random)
    if MAIN in measured.games:
        yield from _intelligence(measured)
        yield from _generality(measured)


def _size(measured: Measured) -> str:
    results = measured.results
    late = int(results.timeouts.sum())
    searched = int(np.sum(measured.moves.agent.codes != _code(measured.moves, RANDOM)))
    hours = searched * FULL_SCALE.seconds / 3600
    said = "none came too late" if late == 0 else f"{late:,} came too late ({', '.join(_late_games(results))})"
    games = "1 game" if len(measured.games) == 1 else f"{len(measured.games)} games"
    longer = f" (At {FULL_SCALE.seconds:g} s a turn the same matches would take {hours:,.0f} hours.)"
    return (
        f"{len(np.unique(results.match)):,} matches of {games} were played to their end, with a play clock of "
        f"{measured.clock:g} s. Of {searched:,} turns of players that search, {said}; in the thesis all of them did."
        f"{longer if hours >= 1 else ''}"
    )


def _late_games(results: Results) -> Iterator[str]:
    for game, played in results.games():
        if late := int(played.timeouts.sum()):
            yield f"{game} {late:,}"


def _of_random(random: Bias) -> str:
    drawn = random.matches - random.attacker - random.defender
    sure = f"p {'< 0.001' if random.adjusted < 0.001 else f'= {random.adjusted:.3f}'}"
    verdict = (
        f"13x13 hnefatafl is not balanced for random players: the {random.towards} wins more"
        if random.towards
        else "no side is proved to win more"
    )
    return (
        f"Random against Random, {random.matches:,} matches of 13x13 hnefatafl where the thesis had 10: the attacker wins "
        f"{random.attacker / random.matches:.1%}, the defender {random.defender / random.matches:.1%}, and "
        f"{drawn / random.matches:.1%} are drawn. With 8 of 10 the thesis could not tell; here {verdict} ({sure})."
    )


def _intelligence(measured: Measured) -> Iterator[str]:
    by_roles: dict[str, list[str]] = {}
    for player in measured.players:
        if any((MAIN, player, role) in measured.against_random for role in ROLES):
            better = [role for role in ROLES if measured.better(MAIN, player, role)]
            by_roles.setdefault(" and as ".join(better), []).append(player)
    for roles, players in by_roles.items():
        where = f"as {roles}" if roles else "in neither role"
        verb = "is" if len(players) == 1 else "are"
        yield (
            f"Intelligence: in 13x13 hnefatafl against Random, {_listed(players)} {verb} proved {where} to win more than "
            "Random itself does in that seat."
        )


def _generality(measured: Measured) -> Iterator[str]:
    found = [each for player in measured.players if player != RANDOM and (each := measured.bias(MAIN, player))]
    if not found:
        return
    shares = ", ".join(f"{each.player} {each.share:.0%}" for each in found)
    yield f"Generality: in 13x13 hnefatafl against themselves, the attacker's part of the wins is {shares}."
    general = [each.player for each in found if not each.towards]
    for role in ROLES:
        if biased := [each.player for each in found if each.towards == role]:
            verb = "plays" if len(biased) == 1 else "play"
            yield f"So asymmetry does matter: {_listed(biased)} {verb} the {role} better, in a game that people find balanced."
    if general:
        matches = min(each.matches for each in found if not each.towards)
        told = f"{matches:,} matches each are too few to prove any"
        if matches >= _ENOUGH:
            told = f"{matches:,} matches each show one of about {100 * min(0.5, difference_found(matches)):.0f} points"
        yield f"No preference for a role is proved for {_listed(general)}; {told}."


def _code(moves: Moves, name: str) -> int:
    return moves.agent.names.index(name) if name in moves.agent.names else -1


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
