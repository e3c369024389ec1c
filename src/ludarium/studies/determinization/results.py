"""What the matches of the study of determinization tell: who wins against whom, by how much, and at what cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from statistics import fmean, median
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from ludarium import catalog
from ludarium.arena.position import Position
from ludarium.arena.prove.intervals import wilson
from ludarium.arena.report.sheets import Share
from ludarium.core import Rng
from ludarium.games.battleship import Battleship
from ludarium.hidden import determinizer
from ludarium.hidden.declarations.declared import DeclaredSampler
from ludarium.studies.determinization.study import (
    BUDGETS,
    MAIN,
    NAME,
    STRATEGIES,
    Scale,
    Tournament,
    ours,
    tournaments,
)

if TYPE_CHECKING:
    from ludarium.arena.store.store import Store
    from ludarium.core import Game, InformationSet

PHASES = (0.0, 0.2, 0.4, 0.6)
"""Shots of each player after which copies are measured, in parts of the sea."""

_COPIES = 512


@dataclass(frozen=True)
class Tally:
    """Games of somebody, and how many were won."""

    games: int = 0
    wins: float = 0.0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.games + other.games, self.wins + other.wins)

    @property
    def share(self) -> float:
        """The share of games won."""
        return self.wins / self.games

    @property
    def shown(self) -> Share:
        """The share with its interval and the number of games, for tables."""
        return Share(self.share, self.games)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share lies with 95 % confidence, after Wilson."""
        low, high = wilson(np.array([self.share]), np.array([self.games]))
        return float(low[0]), float(high[0])


@dataclass(frozen=True)
class Copies:
    """What imagining states costs in some phase of a match."""

    strategy: str
    shots: int
    copies: int
    microseconds: float
    """CPU time per copy, the heatmap included."""

    attempts: float
    """Ships that were put somewhere, in vain or not, per copy."""

    consistent: float
    """The share of copies that agree with all that was seen."""

    fallbacks: int


@dataclass(frozen=True)
class Measured:
    """All numbers of the study."""

    scale: Scale
    played: Mapping[str, Tournament] = field(default_factory=dict)
    tallies: Mapping[tuple[str, str, str], Tally] = field(default_factory=dict)
    """What the first of two players won against the second, by their names and the budget."""

    margins: Mapping[str, Counter[int]] = field(default_factory=dict)
    """Per strategy, with how many cells of their fleet the winners ended."""

    calls: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """Forward calls per match, by strategy and player."""

    copies: tuple[Copies, ...] = ()
    shots: Mapping[str, float] = field(default_factory=dict)
    """The median of shots that winners needed, by player of our tournament."""

    @cached_property
    def budgets(self) -> list[float]:
        """The budgets that were played, in parts of the usual one."""
        return [each for each in BUDGETS if any(self.total(self.at(name, each)) for name in MAIN)]

    def at(self, strategy: str, budget: float) -> str:
        """Name the tournament of a strategy with some budget."""
        return strategy if budget == 1.0 else f"{strategy} x{budget:g}"

    def against(self, tournament: str) -> dict[tuple[str, str], Tally]:
        """Give what everybody of a tournament won against everybody else."""
        if (held := self.played.get(tournament)) is None:
            return {}
        found = {}
        for one, other in held.meetings():
            tally = self.tallies.get((held.players[one], held.players[other], str(held.limit)), Tally())
            if tally.games:
                found[one, other] = tally
        return found

    def total(self, tournament: str) -> dict[str, Tally]:
        """Give what everybody of a tournament won in all; whoever they met counts the same, however often."""
        found: dict[str, list[Tally]] = {}
        for (one, _), tally in self.against(tournament).items():
            found.setdefault(one, []).append(tally)
        games = {one: sum(tally.games for tally in met) for one, met in found.items()}
        return {one: Tally(games[one], games[one] * fmean(tally.share for tally in met)) for one, met in found.items()}


def measure(store: Store) -> Measured:
    """Count wins, play matches again to see how they ended, and draw some copies."""
    sources = [made.source for made in store.plans() if made.name == NAME]
    if not sources:
        return Measured(Scale(matches=0, budget_matches=0, long_matches=0))
    source = sources[0]
    scale = Scale(**{each.name: source[each.name] for each in fields(Scale) if each.name in source})
    played = {each.name: each for each in tournaments(scale)}
    given = {agent: agent for each in sources for agent in each["agents"]}
    if given:
        mine, more = played["ours"], ours(scale, given)
        players, pairs = {**mine.players, **more.players}, mine.pairs + more.pairs
        same: dict[str, Any] = {"limit": mine.limit, "matches": mine.matches}
        played["ours"] = Tournament(name="ours", players=players, pairs=pairs, **same)
    game = catalog.game(source["games"][0])
    margins, shots = _ends(store, game, played)
    return Measured(
        scale,
        played,
        dict(tallied(store, game.name)),
        margins,
        dict(_calls(store, played)),
        tuple(_copies(game)),
        shots,
    )


def tallied(store: Store, *named: str) -> Iterator[tuple[tuple[str, str, str], Tally]]:
    """Count what every player won against every other, whatever the seats, in matches that nobody dropped out of."""
    table = store.table(brief=True, coded=True)
    names, budgets = table["agent"].names, table["budget"].names
    agent, limit = table["agent"].codes.reshape(-1, 2), table["budget"].codes[::2]
    utility = table["utility"].reshape(-1, 2)
    sound = (table["crashes"] + table["illegal"]).reshape(-1, 2).sum(axis=1) == 0
    sound &= np.array([name in named for name in table["game"].names], dtype=bool)[table["game"].codes[::2]]
    agent, limit, utility = agent[sound], limit[sound], utility[sound]
    found: Counter[tuple[int, int, int]] = Counter()
    won: Counter[tuple[int, int, int]] = Counter()
    for (one, other), budget, (mine, theirs) in zip(agent.tolist(), limit.tolist(), utility.tolist(), strict=True):
        for key, value in (((one, other, budget), mine), ((other, one, budget), theirs)):
            found[key] += 1
            won[key] += value
    for (one, other, budget), games in found.items():
        yield (names[one], names[other], budgets[budget]), Tally(games, won[one, other, budget])


def _ends(
    store: Store, game: Game, played: Mapping[str, Tournament]
) -> tuple[dict[str, Counter[int]], dict[str, float]]:
    """Play matches again: with what the winners ended, and how many shots our players needed."""
    groups = {name: (str(played[name].limit), set(played[name].players.values())) for name in MAIN}
    mine = played["ours"]
    ours_by_spec = {mine.players[one]: one for pair in mine.pairs for one in pair}
    margins: dict[str, Counter[int]] = {}
    shots: dict[str, list[int]] = {}
    for match in store.matches():
        assert match.terms is not None
        if match.faults:
            continue
        limit = str(match.terms.limit)
        for strategy, (usual, specs) in groups.items() if match.moves else ():
            if limit == usual and specs.issuperset(match.agents):
                margins.setdefault(strategy, Counter())[_left(game, match)] += 1
        if limit == str(mine.limit):
            winner = match.utilities.index(max(match.utilities))
            if (mover := ours_by_spec.get(match.agents[winner])) is not None:
                shots.setdefault(mover, []).append((len(match.moves) + 1) // 2)
    return margins, {name: median(found) for name, found in shots.items()}


def _left(game: Game, match: Any) -> int:
    """Count the cells of the winner's fleet that were never hit."""
    position = Position(game, match.seed)
    record = game.state_record(bytearray(position.state.block))  # type: ignore[attr-defined]
    winner = match.utilities.index(max(match.utilities))
    aimed = {game.parse(text) for ply, text in enumerate(match.moves) if ply % 2 != winner}
    ships: int = record.ships[2 * winner] | record.ships[2 * winner + 1] << 64
    return ships.bit_count() - sum(ships >> cell & 1 for cell in aimed)


def _calls(store: Store, played: Mapping[str, Tournament]) -> Iterator[tuple[tuple[str, str], float]]:
    """Add up forward calls per match of every player that was recorded in full."""
    decisions = store.moves(coded=True)
    names = decisions["agent"].names
    sums = np.bincount(decisions["agent"].codes, decisions["forward_calls"], len(names))
    for code, spec in enumerate(names):
        games = len(np.unique(decisions["match"][decisions["agent"].codes == code]))
        for name in STRATEGIES:
            for player, theirs in played[name].players.items():
                if theirs == spec and player != "Random" and games:
                    yield (name, player), float(sums[code] / games)


def _copies(game: Game) -> Iterator[Copies]:
    """Draw copies after some shots, and see what they cost."""
    assert isinstance(game, Battleship)
    cells = game.settings.width * game.settings.height
    for strategy, spec in STRATEGIES.items():
        for shots in (round(phase * cells) for phase in PHASES):
            info = _known(game, shots)
            if info is None:
                continue
            sampler, rng = determinizer(spec).sampler(game, 0), Rng(1)
            assert isinstance(sampler, DeclaredSampler)
            started = process_time()
            states = sampler.sample(info, _COPIES, rng)
            spent = process_time() - started
            agree = sum(state.observe(0) == info.seen[-1] for state in states) / len(states)
            effort = sampler.effort
            yield Copies(strategy, shots, effort.copies, 1e6 * spent / len(states), effort.attempts / effort.copies,
                         agree, effort.fallbacks)  # fmt: skip


def _known(game: Game, shots: int) -> InformationSet | None:
    """What the first player knows after so many random shots of each; None if the match is over by then."""
    position, rng = Position(game, 0), Rng(0)
    for _ in range(2 * shots):
        if position.state.over:
            return None
        (role,) = position.state.movers
        position.play({role: rng.choice(position.state.legal(role))})
    return None if position.state.over else position.information_set(0)
