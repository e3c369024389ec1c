"""Tuning the planners of Rinascimento with NTBEA: how near to the best of a grid it comes, for how many games.

The paper tunes with 50 to 1000 games and plays 1000 more with what was found, a hundred times each (section IX B). Here a
grid of each planner's most telling parameters is measured first. Then NTBEA is repeated a hundred times with games that are
drawn from the win rates of the grid, and a few times with games that are played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean
from time import perf_counter
from typing import Any

from ludarium.core import Rng
from ludarium.studies.rinascimento_contest import Won
from ludarium.studies.rinascimento_ledger import Ledger, Tuning, spelled
from ludarium.tune import NTBEA, Space
from ludarium.tune.search import anything

_WAYS = ("own(way=points)", "own(way=engine)")
SPACES = {
    "bmrh": Space(
        {
            "length": (1, 2, 3, 5),
            "evaluations": (50, 200, 500),
            "mutation": ("fresh", "uniform", "decay"),
            "opponent": ("nothing", "random"),
            "evaluator": _WAYS,
        }
    ),
    "srh": Space(
        {
            "length": (1, 2, 3, 5),
            "evaluations": (50, 200, 500),
            "rate": (0.1, 0.5, 0.9),
            "rescore": (False, True),
            "evaluator": _WAYS,
        }
    ),
    "widening": Space(
        {
            "depth": (2, 3, 6),
            "c": (0.0, 0.05, 1.41),
            "expansion": (0.1, 0.4),
            "samples": (1, 5),
            "final": ("robust", "secure"),
            "evaluator": _WAYS,
        }
    ),
}
"""The parameters that matter most, with values of the paper's table VII and of ours; 144 configurations each."""

METHOD = NTBEA(k=0.5, epsilon=0.5, neighbours=20)
NEAR = 0.02
"""So much less than the best is still as good as the best."""

Say = Callable[[str], None]


def written(planner: str, config: dict[str, Any]) -> str:
    """Write a configuration as the catalog describes it."""
    return spelled(f"{planner}({', '.join(f'{name}={value}' for name, value in config.items())})")


def measure_grid(ledger: Ledger, planner: str, games: int, calls: int, say: Say) -> None:
    """Play all configurations of a grid: a fifth of the games each, all of them the better quarter, the best four times."""
    agents = grid_agents(planner)
    for count, amount in ((len(agents) // 4, games // 5), (len(agents) // 12, games), (0, 4 * games)):
        shares = {}
        for number, agent in enumerate(agents):
            shares[agent] = ledger.play(agent, max(1, amount), calls=calls).share
            say(f"grid of {planner}, {max(1, amount)} games each: {number + 1} of {len(agents)} configurations")
        agents = sorted(agents, key=shares.__getitem__, reverse=True)[:count]


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
    space = SPACES[planner]
    shares = [_known(ledger, agent, calls).share for agent in grid_agents(planner)]
    table = {space.point(number): share for number, share in enumerate(shares)}
    done = {(each.budget, each.repeat) for each in ledger.tunings() if (each.planner, each.way) == (planner, "grid")}
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
            ledger.note(Tuning(planner, "grid", budget, repeat, space.config(best), table[best], seconds, seconds))
        say(f"{planner}: {repeats} tunings of {budget} games drawn from the grid")


def tune_with_games(
    ledger: Ledger, planner: str, *, budget: int, repeats: int, check: int, calls: int, say: Say
) -> None:
    """Repeat NTBEA with games that are played, and play more with what was found."""
    space = SPACES[planner]
    done = {
        each.repeat for each in ledger.tunings() if (each.planner, each.way, each.budget) == (planner, "games", budget)
    }
    for repeat in range(repeats):
        if repeat in done:
            continue
        rng = Rng.keyed(repeat, "games", planner, budget)
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
        share = ledger.contest(written(planner, best), calls=calls).play(check, rng).share
        ledger.note(Tuning(planner, "games", budget, repeat, best, share, seconds, thinking))
        say(f"{planner}: tuning {repeat + 1} of {repeats} with {budget} games, then {check} more")


def near_best(found: list[Tuning], best: float) -> float:
    """Say which share of tunings found something that is as good as the best."""
    return fmean(each.fitness >= best - NEAR for each in found)


def _known(ledger: Ledger, agent: str, calls: int) -> Won:
    won = ledger.known(agent, "OSLA", "rinascimento", calls)
    assert won is not None, "the grid was not played"
    return won
