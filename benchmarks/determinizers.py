"""How fast hidden fleets of Battleship are imagined: copies per second, latency, placement attempts, fallbacks.

    python benchmarks/determinizers.py [--positions N] [--copies N]

Prints a table in markdown, with the bar that a figure has to clear; the exit code counts the bars that were missed. A sea of
10 x 10 with the usual fleet, after random shots; the slowest of the positions counts. Time is CPU time, on one core; a copy
is a state as agents get it.
"""

from __future__ import annotations

import argparse
import sys
from time import process_time

from ludarium import game
from ludarium.arena.position import Position
from ludarium.core import Rng
from ludarium.hidden import determinizer

NAMES = ("random", "constraint", "heatmap(samples=10)", "heatmap(samples=50)", "heatmap(samples=100)")
SHOTS = (0, 20, 40, 60)
RATES = {("constraint", 0): 200_000, ("constraint", 40): 20_000}
"""Copies per second, at least."""

FIRST = {"heatmap(samples=100)": 5.0}
"""Milliseconds until the first copy of a decision, at most."""

BATCH = 256


def known(fleets, shots, seed):
    """What the first player knows after so many shots of each; None if the match is over by then."""
    position, rng = Position(fleets, seed), Rng(seed)
    for _ in range(2 * shots):
        if position.state.over:
            return None
        (role,) = position.state.movers
        position.play({role: rng.choice(position.state.legal(role))})
    return None if position.state.over else position.known(0)


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--positions", type=int, default=10, help="positions per row")
    words.add_argument("--copies", type=int, default=20_000, help="copies per position")
    given = words.parse_args()
    fleets = game("battleship(placement='random')")
    missed = 0
    print("| determinizer | shots | copies/s | first copy, ms | attempts per copy | fallbacks | bar |")
    print("|---|---|---|---|---|---|---|")
    for name in NAMES:
        for shots in SHOTS:
            sampler, rng = determinizer(name).sampler(fleets, 0), Rng(1)
            rates, firsts = [], []
            for info in filter(None, (known(fleets, shots, seed) for seed in range(given.positions))):
                started = process_time()
                sampler.sample(info, 1, rng)
                firsts.append(1000 * (process_time() - started))
                started, made = process_time(), 0
                while made < given.copies:
                    made += len(sampler.draw(info, BATCH, rng).states)
                rates.append(made / (process_time() - started))
            effort = sampler.effort
            told = []
            if (bar := RATES.get((name, shots))) is not None:
                told.append(f"{bar:,}/s: {'met' if min(rates) >= bar else 'MISSED'}")
            if (bar := FIRST.get(name)) is not None:
                told.append(f"{bar:g} ms: {'met' if max(firsts) <= bar else 'MISSED'}")
            missed += sum("MISSED" in each for each in told) + effort.fallbacks
            attempts = effort.attempts / effort.copies
            row = (name, shots, f"{min(rates):,.0f}", f"{max(firsts):.2f}", f"{attempts:.1f}", effort.fallbacks)
            print("| " + " | ".join(map(str, (*row, ", ".join(told)))) + " |")
    return missed


if __name__ == "__main__":
    sys.exit(main())
