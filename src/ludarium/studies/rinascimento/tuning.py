"""Tuning the planners of Rinascimento with NTBEA: how near to the best of a grid it comes, for how many games.

The paper tunes with 50 to 1000 games and plays 1000 more with what was found, a hundred times each (section IX B). Here a
grid of each planner's most telling parameters is measured first. Then NTBEA is repeated a hundred times with games that are
drawn from the win rates of the grid, and a few times with games that are played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean
from time import perf_counter
from typing import Any, cast

from ludarium.arena.series import wilson
from ludarium.core import Rng, describe
from ludarium.studies.rinascimento.contest import Won
from ludarium.studies.rinascimento.ledger import Ledger, Tuning, spelled
from ludarium.studies.rinascimento.spaces import SPACES, WHOLE
from ludarium.tune import NTBEA
from ludarium.tune.searches.search import anything
from ludarium.tune.space import Point

METHOD = NTBEA(k=0.5, epsilon=0.5, neighbours=20)
NEAR = 0.02
"""So much less than the best is still as good as the best."""

Say = Callable[[str], None]


def written(planner: str, config: dict[str, Any]) -> str:
    """Write a configuration as the catalog describes it."""
    return spelled(f"{planner}({', '.join(f'{name}={value}' for name, value in config.items())})")


def measure_grid(ledger: Ledger, planner: str, *, games: int, sure: int, calls: int, say: Say) -> None:
    """Play all configurations of a grid: a fifth of the games each, the better quarter all, the best as many as make sure.

    What may come near the best, as far as its interval says, plays on in three stages.
    """
    agents = grid_agents(planner)

    def play(some: Sequence[str], amount: int) -> None:
        for agent in some:
            ledger.play(agent, max(1, amount), calls=calls)
            say(f"grid of {planner}, {max(1, amount)} games: {agent}")

    play(agents, games // 5)
    shares = grid_shares(ledger, planner, calls)
    play(sorted(agents, key=lambda agent: -shares[agent].share)[: len(agents) // 4], games)
    for amount in (4 * games, 3 * sure // 10, sure):
        while amount <= sure and (some := contenders(grid_shares(ledger, planner, calls), amount)):
            play(some[:1], amount)  # the more is known of the best, the fewer come near it


def contenders(grid: Mapping[str, Won], games: int) -> list[str]:
    """Name those that have played less and may come near the best, as far as their intervals say; the best of them first."""
    best = max(grid.values(), key=lambda won: wilson(won.share, won.games)[0]).share
    near = {agent for agent, won in grid.items() if wilson(won.share, won.games)[1] >= best - NEAR}
    return sorted((agent for agent in near if grid[agent].games < games), key=lambda agent: (-grid[agent].share, agent))


def grid_agents(planner: str) -> list[str]:
    """List the configurations of a grid."""
    space = SPACES[planner]
    return [written(planner, space.config(space.point(number))) for number in range(space.size)]


def grid_shares(ledger: Ledger, planner: str, calls: int) -> dict[str, Won]:
    """Give what the configurations of a grid have won, as far as they were played."""
    found = {agent: ledger.known(agent, "OSLA", "rinascimento", calls) for agent in grid_agents(planner)}
    return {agent: won for agent, won in found.items() if won is not None}


def tune_on_grid(ledger: Ledger, planner: str, *, budgets: Sequence[int], repeats: int, calls: int, say: Say) -> None:
    """Repeat NTBEA with games that are drawn from the win rates of a grid."""
    space, grid = SPACES[planner], grid_shares(ledger, planner, calls)
    table = {space.point(number): grid[agent].share for number, agent in enumerate(grid_agents(planner))}
    words = circumstances("grid", grid, calls)
    done = {
        (each.budget, each.repeat)
        for each in ledger.tunings()
        if (each.planner, each.way, each.words) == (planner, "grid", words)
    }
    for budget in budgets:
        for repeat in range(repeats):
            if (budget, repeat) in done:
                continue
            began = perf_counter()
            rng = Rng.keyed(repeat, "tuning", planner, budget)
            search = METHOD.start(space, rng.split(), anything)
            for _ in range(budget):
                point = search.ask()
                search.tell(point, float(rng.uniform() < table[point]))
            best = search.ranking()[0].point
            seconds = perf_counter() - began
            config = space.config(best)
            ledger.note(Tuning(planner, "grid", words, budget, repeat, config, table[best], seconds, seconds))
        say(f"{planner}: {repeats} tunings of {budget} games drawn from the grid")


def tune_with_games(
    ledger: Ledger, planner: str, *, way: str = "games", budget: int, repeats: int, check: int, calls: int, say: Say
) -> None:
    """Repeat NTBEA with games that are played, in a grid or the `whole` space, and play more with what was found."""
    space, words = (WHOLE if way == "whole" else SPACES)[planner], circumstances(way, {}, calls)
    done = {
        each.repeat
        for each in ledger.tunings()
        if (each.planner, each.way, each.words, each.budget) == (planner, way, words, budget)
    }
    for repeat in range(repeats):
        if repeat in done:
            continue
        rng = Rng.keyed(repeat, way, planner, budget)
        began, thinking = perf_counter(), 0.0
        search = METHOD.start(space, rng.split(), anything)
        for number in range(budget):
            asked = perf_counter()
            point = search.ask()
            thinking += perf_counter() - asked
            contest = ledger.contest(written(planner, space.config(point)), calls=calls)
            won = contest.play(1, rng, seat=number % 4)
            asked = perf_counter()
            search.tell(point, won.share)
            thinking += perf_counter() - asked
        seconds = perf_counter() - began
        best = space.config(search.ranking()[0].point)
        share = ledger.play(written(planner, best), check, calls=calls).share
        ledger.note(Tuning(planner, way, words, budget, repeat, best, share, seconds, thinking))
        say(f"{planner}, {space.size:,} configurations: tuning {repeat + 1} of {repeats} with {budget} games")


def near_best(found: list[Tuning], best: float) -> float:
    """Say which share of tunings found something that is as good as the best."""
    return fmean(each.fitness >= best - NEAR for each in found)


def circumstances(way: str, grid: Mapping[str, Won], calls: int) -> str:
    """Say what a tuning depends on, beside its planner and its budget: where that changes, it is repeated."""
    known = f", drawn from {sum(won.games for won in grid.values())} games" if way == "grid" else ""
    method = describe(cast("Any", METHOD))
    return f"{method}, {calls} calls{known}"


def sample_whole(ledger: Ledger, planner: str, *, count: int, games: int, calls: int, say: Say) -> None:
    """Play some configurations that are drawn from the whole space: a fifth of the games each, four times all the best."""
    for number, agent in zip(range(count), drawn_agents(planner), strict=False):
        ledger.play(agent, games // 5, calls=calls)
        say(f"space of {planner}: {number + 1} of {count} configurations")
    found = sorted(drawn_shares(ledger, planner, calls).items(), key=lambda item: -item[1].share)
    for agent, _ in found[: len(found) // 40]:
        ledger.play(agent, 4 * games, calls=calls)


def drawn_agents(planner: str) -> Iterator[str]:
    """Draw configurations from the whole space, always the same in the same order, none twice."""
    rng, space = Rng.keyed(0, "whole", planner), WHOLE[planner]
    seen: set[Point] = set()
    while len(seen) < space.size:
        point = space.draw(rng)
        if point not in seen:
            seen.add(point)
            yield written(planner, space.config(point))


def drawn_shares(ledger: Ledger, planner: str, calls: int) -> dict[str, Won]:
    """Give what the configurations have won that were drawn first, as far as they were played."""
    found = {}
    for agent in drawn_agents(planner):
        won = ledger.known(agent, "OSLA", "rinascimento", calls)
        if won is None:
            break
        found[agent] = won
    return found
