"""What the matches of the study of Rinascimento tell: who wins how often against whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ludarium import catalog
from ludarium.arena.prove.intervals import wilson
from ludarium.arena.results import Results
from ludarium.games.rinascimento.game import Rinascimento
from ludarium.games.rinascimento.survey import Survey, survey
from ludarium.studies.rinascimento.study import PLAYERS, seated

RULES = {"true rules": "rinascimento", "rules of the published code": "rinascimento(published=True)"}


@dataclass
class Tally:
    """What a player won in the same company, whatever the seats."""

    games: int = 0
    wins: int = 0
    """Games won, alone or together with others."""

    stale: int = 0
    """Games that nobody won."""

    plies: int = 0

    @property
    def share(self) -> float:
        """The share of games won."""
        return self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share lies with 95 % confidence, after Wilson."""
        low, high = wilson(np.array([self.share]), np.array([self.games]))
        return float(low[0]), float(high[0])


Meeting = tuple[str, tuple[str, ...]]
"""A player, and the others in alphabetical order."""


@dataclass(frozen=True)
class Measured:
    """All numbers of the study."""

    surveys: Mapping[str, Survey] = field(default_factory=dict)
    """Games of four random players, by the rules."""

    tallies: Mapping[Meeting, Tally] = field(default_factory=dict)
    calls: Sequence[int] = ()
    """Forward calls a move."""

    def challenges(self) -> dict[tuple[str, str], Tally]:
        """Give what a player won against three of another kind, in the order of the study."""
        found = {
            (player, others[0]): tally
            for (player, others), tally in self.tallies.items()
            if len(others) == 3 and len(set(others)) == 1 and player != others[0]
        }
        return dict(sorted(found.items(), key=lambda item: tuple(map(_place, reversed(item[0])))))

    def finals(self, fourth: str) -> dict[str, Tally]:
        """Give what players won where four different ones met, one of whom is given."""
        found = {
            player: tally
            for (player, others), tally in self.tallies.items()
            if len({player, *others}) == 4 and fourth in (player, *others)
        }
        return dict(sorted(found.items(), key=lambda item: -item[1].share))

    def duels(self) -> dict[tuple[str, str], Tally]:
        """Give what players won against one other."""
        return {(player, others[0]): tally for (player, others), tally in self.tallies.items() if len(others) == 1}


def measure(results: Results, games: int, calls: Sequence[int] = ()) -> Measured:
    """Count wins, and let random players play so many games."""
    surveys = {}
    for rules, spec in RULES.items() if games else ():
        made = catalog.game(spec)
        assert isinstance(made, Rinascimento)
        surveys[rules] = survey(made, games)
    return Measured(surveys, tallied(results), calls)


def tallied(results: Results) -> dict[Meeting, Tally]:
    """Count what every player won in every company."""
    short = {seated(player): player for player in PLAYERS}
    names = [_short(name, short) for name in results.agent.names]
    ordered = results.by_match()
    ends = [*np.flatnonzero(np.diff(ordered.match)) + 1, len(ordered)] if len(ordered) else []
    tallies: dict[Meeting, Tally] = {}
    start = 0
    for end in map(int, ends):
        met = [names[code] for code in ordered.agent.codes[start:end]]
        won = ordered.utility[start:end] == 1.0
        seen = set()
        for seat, player in enumerate(met):
            others = tuple(sorted(met[:seat] + met[seat + 1 :]))
            tally = tallies.setdefault((player, others), Tally())
            tally.wins += int(won[seat])
            if player not in seen:  # three of a kind are one player with three chances
                tally.games += 1
                tally.stale += int(not won.any())
                tally.plies += int(ordered.plies[start])
                seen.add(player)
        start = end
    return tallies


def _short(name: str, known: Mapping[str, str]) -> str:
    """Name a player as the study does, or as the one who searches."""
    if name in known:
        return known[name]
    inner, _, _ = name.removeprefix("determinized(inner=").rpartition(", determinizer=")
    return inner or name


def _place(player: str) -> tuple[int, str]:
    known = list(PLAYERS)
    return (known.index(player), player) if player in known else (len(known), player)
