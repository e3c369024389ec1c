"""How fast hidden states are imagined, and how well one shoots at fleets that are imagined.

    python benchmarks/determinizers.py [--positions N] [--copies N] [--rules FILE ...] [--matches N] [--shots N]
    python benchmarks/determinizers.py --histories GAME ...

Prints tables in markdown, with the bar that a figure has to clear; the exit code counts the bars that were missed.

- Battleship, 10 x 10 with the usual fleet, after random shots: copies per second, latency, placement attempts, the share of
  copies that agree with what was seen, fallbacks. The slowest of the positions counts.
- Replay in games that hide something (the library's, and rules in FILEs): samples per second in random matches, the slowest
  and the median decision, for 300 samples in each; how many different states there are among these, in the median; in how
  many decisions all states there can be were followed; what a decision had to do that was too slow, if one was.
- Shots that players need to sink N fleets that were laid at random, and CPU time per move, if --shots are given: where
  only hits are told, and where it is told, too, what was sunk. The interval is that of the median, with 95 % confidence.
- How long `replay` and `walk` take for 20 states at each of ten decisions within 36 plies of a random match, and at how many of
  these they find none, for the GAMEs of --histories, and nothing else then.

Time is CPU time, on one core; a copy is a state as agents get it.
"""

from __future__ import annotations

import argparse
import sys
from math import sqrt
from pathlib import Path
from statistics import fmean, median
from time import process_time

from ludarium import agent, game
from ludarium.arena.position import Position
from ludarium.core import InformationSet, Limit, Rng
from ludarium.games.battleship_rules import State as Sea
from ludarium.hidden import determinizer
from ludarium.hidden.sampler import NoSuchState
from ludarium.kernel import KernelState

NAMES = ("random", "constraint", "heatmap(samples=10)", "heatmap(samples=50)", "heatmap(samples=100)")
SHOTS = (0, 20, 40, 60)
RATES = {("constraint", 0): 200_000, ("constraint", 40): 20_000}
"""Copies per second, at least."""

FIRST = {"heatmap(samples=100)": 5.0}
"""Milliseconds until the first copy of a decision, at most."""

BATCH = 256

ASKED = (3, 4, 11, 12, 19, 20, 29, 30, 35, 36)
"""Plies at which histories are looked for."""

LIBRARY = ("monty-hall", "meier", "blind-tic-tac-toe", "kriegspiel-tic-tac-toe", "gdl:battleship")
REPLAYED = 1000
"""Samples per second of replay, at least."""

SHOOTERS = {
    "OSLA, one state": "determinized(inner=osla, determinizer=constraint, samples=1)",
    "hottest of 2,000 fleets": (
        "determinized(inner=random, determinizer='heatmap(samples=2000)', samples=1, final=votes, bias=1000000)"
    ),
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
    return None if position.state.over else position.information_set(0)


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


def replays(names, matches, count=300, plies=60):
    """Measure replay in random matches; answers the bars that were missed."""
    missed = 0
    heads = ("game", "decisions", "samples/s", "in the median decision", "in the slowest", "different states", "exact")
    print("\n| " + " | ".join(heads) + f" | bar {REPLAYED:,}/s in each | why not |\n" + "|---" * 9 + "|")
    for name in names:
        made, rates, differ, exact, slow, drawn, spent = game(name), [], [], 0, [], 0, 0.0
        made.bridge.unit.finish()
        for seed in range(matches):
            position, rng = Position(made, seed), Rng(seed)
            samplers = [determinizer("replay").sampler(made, role) for role in range(len(made.roles))]
            for _ in range(plies):
                for role in position.state.movers:
                    info, found, calls, started = position.information_set(role), [], 0, process_time()
                    while len(found) < count and process_time() - started < 1.0:
                        states, used, _ = samplers[role].draw(info, count - len(found), rng)
                        found += states
                        calls += used
                    spent += (seconds := process_time() - started)
                    drawn += len(found)
                    rates.append(len(found) / seconds)
                    differ.append(len(set(found)))
                    exact += samplers[role].exact
                    if rates[-1] < REPLAYED:
                        where = f"ply {position.plies}, {made.roles[role]}"
                        cost = f"{calls:,} forward calls of {1e6 * seconds / max(calls, 1):.1f} us"
                        slow.append((rates[-1], f"{where}: {len(found)} samples, {differ[-1]} different, {cost}"))
                position.play({role: rng.choice(position.state.legal(role)) for role in position.state.movers})
                if position.state.over:
                    break
        told = f"MISSED in {len(slow)}" if slow else "met"
        missed += bool(slow)
        figures = f"{drawn / spent:,.0f} | {median(rates):,.0f} | {min(rates):,.0f} | {median(differ):,.0f} | {exact}"
        print(f"| {Path(name).stem} | {len(rates)} | {figures} | {told} | {min(slow)[1] if slow else ''} |", flush=True)
    return missed


def histories(names, count=20):
    """Measure what finds histories, by game."""
    print("| game | decisions | `replay` | none | `walk` | none |\n|---|--:|--:|--:|--:|--:|")
    for name in names:
        made, row = game(name), []
        made.bridge.unit.finish()
        for how in ("replay", "walk"):
            position, rng = Position(made, 5), Rng(5)
            samplers = [determinizer(how).sampler(made, role) for role in range(len(made.roles))]
            asked, none, spent = 0, 0, 0.0
            while not position.state.over and position.plies <= max(ASKED):
                for role in position.state.movers if position.plies in ASKED else ():
                    info, started, asked = position.information_set(role), process_time(), asked + 1
                    try:
                        samplers[role].sample(info, count, Rng(1))
                    except NoSuchState:
                        none += 1
                    spent += process_time() - started
                position.play({role: rng.choice(position.state.legal(role)) for role in position.state.movers})
            row += [f"{spent:.2f} s", none]
        print(f"| {made.name} | {asked} | " + " | ".join(map(str, row)) + " |", flush=True)
    return 0


def shooting(count):
    """Measure the shots that players need; answers the bars that were missed."""
    missed = 0
    print("\n| told | player | fleets | shots: median | 95 % | mean | ms per move | bar |" + "\n" + "|---" * 8 + "|")
    for told, sunk in (("hits", False), ("hits and what is sunk", True)):
        fleets = game(f"battleship(placement='random', sunk={sunk})")
        for name, spec in SHOOTERS.items():
            started = process_time()
            shots = sorted(sunk_after(fleets, agent(spec), seed) for seed in range(count))
            each = 1000 * (process_time() - started) / sum(shots)
            middle, wide = median(shots), 1.96 * sqrt(count) / 2
            low, high = (shots[min(max(round(count / 2 + off), 0), count - 1)] for off in (-wide - 1, wide))
            bar = f"{SINKING}: {'met' if middle <= SINKING else 'MISSED'}" if name == [*SHOOTERS][-1] else ""
            missed += "MISSED" in bar
            figures = f"{middle:g} | {low} to {high} | {fmean(shots):.1f} | {each:.1f}"
            print(f"| {told} | {name} | {count} | {figures} | {bar} |", flush=True)
    return missed


def sunk_after(fleets, shooter, seed):
    """How many shots a player needs for a fleet, with nobody who shoots back."""
    player, shots, rng = shooter.seat(fleets, 0, Rng.keyed(seed, "player")), 0, Rng(seed)
    state = fleets.initial(Rng.keyed(seed, "fleet"))
    while not state.over:
        seas = Sea(bytearray(state.block))
        seas.turn = 0
        state = KernelState(fleets, bytes(seas.memory))
        info = InformationSet(game=fleets, role=0, legal=tuple(state.legal(0)), seen=(state.observe(0),))
        state = state.after({0: player.choose(info, Limit(iterations=5000).start()).move}, rng)
        shots += 1
    return shots


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--positions", type=int, default=10, help="positions per row")
    words.add_argument("--copies", type=int, default=20_000, help="copies per position")
    words.add_argument("--rules", nargs="*", default=[], metavar="FILE", help="more games for replay")
    words.add_argument("--matches", type=int, default=3, help="matches per game for replay")
    words.add_argument("--shots", type=int, default=0, metavar="N", help="fleets to sink")
    words.add_argument("--histories", nargs="+", default=[], metavar="GAME", help="games for replay and walk")
    given = words.parse_args()
    if given.histories:
        return histories(given.histories)
    fleets = game("battleship(placement='random')")
    missed = copies(fleets, given.positions, given.copies) if given.positions else 0
    missed += replays([*LIBRARY, *given.rules], given.matches) if given.matches else 0
    return missed + (shooting(given.shots) if given.shots else 0)


if __name__ == "__main__":
    sys.exit(main())
