"""How fast Rinascimento is played at random, what random games are like, and how strong the players of its study are.

    python benchmarks/rinascimento.py [--quick] [--java STATES_PER_SECOND]

Rates are by CPU time on one core, the median of several runs. The paper reports 1.74 million states per second on its machine;
the published Java code, run on the machine of RESULTS.md, played 0.52 million in its raw loop (nine runs, 0.42 to 0.66): give
another figure where it can be measured. Strength is measured against three players of a kind, in machine code from end to end
(`studies/rinascimento/contest.py`). The exit code counts the bars that were missed.
"""

from __future__ import annotations

import argparse
import sys
from statistics import median
from time import process_time

from ludarium import agent
from ludarium.core import Rng
from ludarium.games.rinascimento.game import rinascimento
from ludarium.games.rinascimento.survey import Survey, survey
from ludarium.studies.rinascimento.contest import Contest
from ludarium.studies.rinascimento.contest_tables import interval
from ludarium.studies.rinascimento.study import OURS, YARDSTICKS

JAVA = 0.52e6
STATES, TIMES_JAVA = 6e6, 5
MEAN, DEVIATION = 141, 21
WINS = 0.85


def speed(preset: str, games: int, runs: int) -> tuple[float, Survey]:
    """Measure the states per second of random games."""
    made = rinascimento(preset=preset)
    survey(made, 10)
    rates = []
    for run in range(runs):
        started = process_time()
        found = survey(made, games, run)
        rates.append(found.mean * games / (process_time() - started))
    return median(rates), found


def row(what: str, measured: str, bar: str = "", *, met: bool | None = None) -> bool:
    """Print a row of the table; tells whether its bar was missed."""
    verdict = {None: "", True: "met", False: "**missed**"}[met]
    print(f"| {what} | {measured} | {bar} | {verdict} |", flush=True)
    return met is False


def strength(player: str, spec: str, games: int, *, looking: bool) -> bool:
    """Print what a player wins against three others."""
    contest = Contest(agent(spec), looking=looking)
    contest.play(1, Rng(0))
    started = process_time()
    won = contest.play(games, Rng.keyed(1, spec))
    each = (process_time() - started) / games
    low, high = interval(won)
    measured = f"{won.share:.1%} ({low:.1%} to {high:.1%}), {won.games:,} games of {1000 * each:.1f} ms"
    bar = 0.95 if player == "MCTS+" else WINS
    return row(f"{player} against three {'OSLA' if looking else 'RND'}", measured, f"{bar:.0%}", met=won.share >= bar)


def main() -> int:
    """Measure, print, and answer how many bars were missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a rough answer in half a minute")
    parser.add_argument("--java", type=float, default=JAVA, help="states per second of the Java code on this machine")
    wanted = parser.parse_args()
    games, runs, matches = (4000, 3, 200) if wanted.quick else (20_000, 9, 2000)
    missed = 0
    print("| Rinascimento | measured | bar | |")
    print("|---|---|---|---|")
    for preset in ("standard", "published", "two", "eight"):
        rate, found = speed(preset, games, runs)
        barred = preset in ("standard", "published")
        measured, bar = f"{rate / 1e6:.2f} M states/s", f"{STATES / 1e6:g} M" if barred else ""
        missed += row(f"random play, {preset}", measured, bar, met=rate >= STATES if barred else None)
        if preset == "published":
            times = rate / wanted.java
            missed += row("the same over the Java code", f"{times:.1f}x", f"{TIMES_JAVA}x", met=times >= TIMES_JAVA)
            near = abs(found.mean / MEAN - 1) <= 0.02 and abs(found.deviation / DEVIATION - 1) <= 0.1
            measured = f"{found.mean:.1f} turns, deviation {found.deviation:.1f}, {found.stale:.1%} stalemates"
            missed += row("length by the published rules", measured, "141 ± 2 %, 21 ± 10 %", met=near)
    missed += strength("OSLA", YARDSTICKS["OSLA"], 5 * matches, looking=False)
    missed += strength("OSLA by `engine`", "osla(moves=sample, evaluator=own(way=engine))", matches, looking=False)
    for player, spec in OURS.items():
        missed += strength(player, spec, matches, looking=True)
    return missed


if __name__ == "__main__":
    sys.exit(main())
