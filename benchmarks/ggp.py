"""What the GGP player and host withstand: matches against the clock on loopback, and messages and answers that are spoiled.

    python benchmarks/ggp.py [matches] [player] [host] [--quick]

Prints a table in markdown, with the bar that a figure has to clear and whether it does; the exit code counts those that were
missed. `matches` runs our host against two pairs of our players at a play clock of 1 s, two matches at a time; `player` sends
spoiled messages to a player, `host` has a player give spoiled answers to a host. It goes by the clock, and says how busy the
machine was.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from ludarium.arena import Store, free_for_all, run
from tests.server.ggp.fuzzing import fuzz_host, fuzz_player

GAMES = ["gdl:tic-tac-toe", "gdl:nim", "rock-paper-scissors", "meier", "blind-tic-tac-toe"]
"""Short ones: turns and moves at once, nothing hidden and much, with chance and without."""


class Row(NamedTuple):
    what: str
    figure: str
    bar: str
    holds: bool


@contextmanager
def players(count: int) -> Iterator[list[str]]:
    """Run players as processes, each on a port of its own."""
    command = [sys.executable, "-m", "ludarium", "ggp-player", "--port", "0", "--quiet"]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(count)]
    try:
        yield [each.stdout.readline().split(";")[0].split()[-1] for each in running]
    finally:
        for each in running:
            each.terminate()
            each.wait()


def matches(*, quick: bool) -> Iterator[Row]:
    count = 1 if quick else 20
    started, faults, stored, failed = perf_counter(), Counter(), 0, 0
    with tempfile.TemporaryDirectory() as folder, players(4) as places:
        pairs = [[f"ggp:{places[0]}", f"ggp:{places[1]}(scramble=True)"], [f"ggp:{places[2]}", f"ggp:{places[3]}"]]
        plans = [
            free_for_all(GAMES, pair, matches=count, seconds=1, start_seconds=3, tolerance_seconds=1.0, seed=number)
            for number, pair in enumerate(pairs)
        ]
        outcome = run(plans[0] + plans[1], f"{folder}/ggp.db", 2, progress=tell)
        failed = len(outcome.failed)
        with Store(f"{folder}/ggp.db", readonly=True) as store:
            for match in store.matches():
                stored += 1
                faults.update(turn.fault for turn in match.turns if turn.fault)
                for fault in match.faults:
                    print(match.game, fault, file=sys.stderr)
    total = 2 * len(GAMES) * count
    took = f"in {perf_counter() - started:.0f} s, load {os.getloadavg()[1]:.1f}"
    yield Row(
        f"{total} matches at 1 s a move: played to the end",
        f"{stored}, {failed} failed, {took}",
        f"{total}",
        stored == total,
    )
    yield Row("answers that came too late", f"{faults['timeout']}", "0", not faults["timeout"])
    yield Row(
        "other faults", f"{sum(faults.values()) - faults['timeout']}", "0", sum(faults.values()) == faults["timeout"]
    )


def tell(progress) -> None:
    if progress.match is not None:
        print(f"{progress.done} of {progress.total}: {progress.match}", file=sys.stderr, flush=True)


def player(*, quick: bool) -> Iterator[Row]:
    count = 300 if quick else 10_000
    answers = fuzz_player(count)
    told = ", ".join(f"{number} {what}" for what, number in sorted(answers.items()))
    yield Row(
        f"{count} spoiled messages to a player, then a match", f"{told}; the match went right", "no crash", holds=True
    )


def host(*, quick: bool) -> Iterator[Row]:
    count = 300 if quick else 10_000
    faults = fuzz_host(count)
    told = ", ".join(f"{number} {what}" for what, number in sorted(faults.items()))
    yield Row(
        f"{count} spoiled answers to a host, then right ones", f"{told}; the match went right", "no crash", holds=True
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", choices=["matches", "player", "host", []])
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    rows = [
        row
        for part in (matches, player, host)
        if not given.parts or part.__name__ in given.parts
        for row in part(quick=given.quick)
    ]
    print("| what | figure | bar | holds |\n|---|---|---|---|")
    for row in rows:
        print(f"| {row.what} | {row.figure} | {row.bar} | {'yes' if row.holds else 'NO'} |")
    sys.exit(sum(not row.holds for row in rows))


if __name__ == "__main__":
    main()
