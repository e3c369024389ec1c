"""How fast hidden states are imagined, and how well one shoots at fleets that are imagined.

    python benchmarks/determinizers.py [--positions N] [--copies N] [--rules FILE ...] [--fleets N]

Prints tables in markdown, with the bar that a figure has to clear; the exit code counts the bars that were missed.

- Battleship, 10 x 10 with the usual fleet, after random shots: copies per second, latency, placement attempts, the share of
  copies that agree with what was seen, fallbacks. The slowest of the positions counts.
- Replay in games that hide something (the library's, and rules in FILEs): samples per second in random matches, the slowest
  and the median decision.
- Shots that players need to sink a fleet that was laid at random, and CPU time per move, if --fleets are given.

Time is CPU time, on one core; a copy is a state as agents get it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import fmean, median
from time import process_time

from ludarium import agent, game, play
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

LIBRARY = ("monty-hall", "meier", "blind-tic-tac-toe", "kriegspiel-tic-tac-toe", "gdl:battleship")
REPLAYED = 1000
"""Samples per second of replay, at least."""

HOTTEST = "determinized(inner=random, determinizer='heatmap(samples={})', samples=1, final=votes, bias=1000000)"
SHOOTERS = {
    "OSLA, one state": "determinized(inner=osla, determinizer=constraint, samples=1)",
    "OSLA, 50 states": "determinized(inner=osla, determinizer=constraint, samples=50)",
    "hottest of 500 fleets": HOTTEST.format(500),
    "hottest of 2,000 fleets": HOTTEST.format(2000),
}
SINKING = 45
"""Shots, in the median, at most: for the last of them."""


def known(fleets, shots, seed):
    """What the first player knows after so many shots of each; None if the match is over by then."""
    position, rng = Position(fleets, seed), Rng(seed)
    for _ in range(2 * shots):
        if position.state.over:
            return None
        (role,) = position.state.movers
        position.play({role: rng.choice(position.state.legal(role))})
    return None if position.state.over else position.known(0)


def copies(fleets, positions, count):
    """Measure copies of Battleship; answers the bars that were missed."""
    missed = 0
    print("| determinizer | shots | copies/s | first copy, ms | attempts per copy | consistent | fallbacks | bar |")
    print("|---|---|---|---|---|---|---|---|")
    for name in NAMES:
        for shots in SHOTS:
            sampler, rng = determinizer(name).sampler(fleets, 0), Rng(1)
            rates, firsts, agreed = [], [], []
            for info in filter(None, (known(fleets, shots, seed) for seed in range(positions))):
                started = process_time()
                sampler.sample(info, 1, rng)
                firsts.append(1000 * (process_time() - started))
                started, made = process_time(), 0
                while made < count:
                    made += len(sampler.draw(info, BATCH, rng).states)
                rates.append(made / (process_time() - started))
                agreed += [state.observe(0) == info.seen[-1] for state in sampler.sample(info, BATCH, rng)]
            effort = sampler.effort
            told = []
            if (bar := RATES.get((name, shots))) is not None:
                told.append(f"{bar:,}/s: {'met' if min(rates) >= bar else 'MISSED'}")
            if (bar := FIRST.get(name)) is not None:
                told.append(f"{bar:g} ms: {'met' if max(firsts) <= bar else 'MISSED'}")
            missed += sum("MISSED" in each for each in told) + effort.fallbacks
            attempts = effort.attempts / effort.copies
            row = (name, shots, f"{min(rates):,.0f}", f"{max(firsts):.2f}", f"{attempts:.1f}", f"{fmean(agreed):.1%}")
            print("| " + " | ".join(map(str, (*row, effort.fallbacks, ", ".join(told)))) + " |")
    return missed


def replays(names, count=300, plies=60, matches=3):
    """Measure replay in random matches; answers the bars that were missed."""
    missed = 0
    print(f"\n| game | decisions | samples/s | in the median decision | in the slowest | bar {REPLAYED:,}/s |")
    print("|---|---|---|---|---|---|")
    for name in names:
        made, rates, drawn, spent = game(name), [], 0, 0.0
        for seed in range(matches):
            position, rng = Position(made, seed), Rng(seed)
            samplers = [determinizer("replay").sampler(made, role) for role in range(len(made.roles))]
            for _ in range(plies):
                for role in position.state.movers:
                    info, found, started = position.known(role), 0, process_time()
                    while found < count and process_time() - started < 1.0:
                        found += len(samplers[role].draw(info, count - found, rng).states)
                    spent += (seconds := process_time() - started)
                    drawn += found
                    rates.append(found / seconds)
                position.play({role: rng.choice(position.state.legal(role)) for role in position.state.movers})
                if position.state.over:
                    break
        told = "met" if min(rates) >= REPLAYED else "missed in some" if drawn / spent >= REPLAYED else "MISSED"
        missed += told == "MISSED"
        figures = f"{drawn / spent:,.0f} | {median(rates):,.0f} | {min(rates):,.0f}"
        print(f"| {Path(name).stem} | {len(rates)} | {figures} | {told} |", flush=True)
    return missed


def shooting(fleets, count):
    """Measure the shots that players need; answers the bars that were missed."""
    print("\n| player | fleets | shots: median | mean | ms per move | bar |\n|---|---|---|---|---|---|")
    told = ""
    for name, spec in SHOOTERS.items():
        shots, started = [], process_time()
        for seed in range(count):
            # The other shoots at random and needs about 95: so this one comes to its end.
            match = play(fleets, [agent(spec), agent("random")], seed=seed, iterations=5000)
            shots.append((len(match.moves) + 1) // 2)
        each = 1000 * (process_time() - started) / sum(shots)
        told = "met" if median(shots) <= SINKING else "MISSED"
        bar = f"{SINKING}: {told}" if name == [*SHOOTERS][-1] else ""
        print(f"| {name} | {count} | {median(shots):g} | {fmean(shots):.1f} | {each:.1f} | {bar} |", flush=True)
    return int(told != "met")


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--positions", type=int, default=10, help="positions per row")
    words.add_argument("--copies", type=int, default=20_000, help="copies per position")
    words.add_argument("--rules", nargs="*", default=[], metavar="FILE", help="more games for replay")
    words.add_argument("--fleets", type=int, default=0, help="fleets to sink")
    given = words.parse_args()
    fleets = game("battleship(placement='random')")
    missed = copies(fleets, given.positions, given.copies) if given.positions else 0
    missed += replays([*LIBRARY, *given.rules])
    return missed + (shooting(fleets, given.fleets) if given.fleets else 0)


if __name__ == "__main__":
    sys.exit(main())
