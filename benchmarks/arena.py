"""What the arena costs and what it withstands: its overhead, its workers, its store, its clocks, and `kill -9`.

    python benchmarks/arena.py [rate] [workers] [store] [clock] [kill] [--quick]

Prints tables in markdown, with the bar that a figure has to clear; without names, all parts. `rate` is in CPU time, so that
a busy machine blurs it and does not count; `workers` and `clock` need a machine with two idle cores to mean anything, and say
how busy it was. The exit code counts the bars that were missed.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic, perf_counter, process_time, sleep

import numpy as np

from ludarium.arena import Store, round_robin, run, self_play
from ludarium.arena.plan_file import write
from ludarium.core import Limit, Match, Terms

SEED = 7
CORES = 2

RUNNER = """\
import sys
from ludarium.arena import load, run
run(load(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4])
"""

REPORTER = """\
import resource, sys
from time import process_time
from ludarium.arena import Store
from ludarium.arena.results import Results
started = process_time()
with Store(sys.argv[1], readonly=True) as store:
    opened = process_time() - started
    results = Results.of(store.table())
    means = {name: results.utility[results.agent.codes == code].mean() for code, name in enumerate(results.agent.names)}
read = process_time() - started
print(opened, read, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


@dataclass(frozen=True)
class Row:
    """A figure, and the bar that it has to clear."""

    what: str
    figure: str
    bar: str
    holds: bool


def rate(folder: Path, *, quick: bool) -> Iterator[Row]:
    """Matches of random agents on tic-tac-toe per CPU second, parent and worker together."""
    for record, count, least in (("full", 300 if quick else 3000, 200), ("result", 10_000 if quick else 100_000, 2000)):
        for on in ("threads", "processes"):
            plan = self_play(["tic-tac-toe"], ["random"], against="", matches=count, record=record)
            run(replaced(plan, 1), folder / f"warm-{record}-{on}.db", 1, on)  # compiles
            started = cpu_seconds()
            run(plan, folder / f"{record}-{on}.db", 1, on)
            speed = count / (cpu_seconds() - started)
            what = f"random matches of tic-tac-toe, record = {record}, in {on}"
            yield Row(what, f"{speed:,.0f} per CPU second", f"at least {least:,}", speed >= least)


def replaced(plan, matches):
    return replace(plan, pairings=tuple(replace(pairing, matches=matches) for pairing in plan.pairings))


def cpu_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def workers(folder: Path, *, quick: bool) -> Iterator[Row]:
    """The time that two workers need of what one needs, for agents that think."""
    plan = round_robin(["connect-four"], ["uct", "flat"], matches=10 if quick else 50, iterations=20_000)
    times: dict[int, list[float]] = {1: [], 2: []}
    mine, all_of_it = process_time(), cpu_seconds()
    for number in range(1 if quick else 3):
        for count in (1, 2):
            started = perf_counter()
            run(plan, folder / f"workers-{number}-{count}.db", count)
            times[count].append(perf_counter() - started)
    ratio = min(times[2]) / min(times[1])
    share = (process_time() - mine) / (cpu_seconds() - all_of_it)
    figure = f"{ratio:.2f}x ({min(times[1]):.1f} s, {min(times[2]):.1f} s; load {os.getloadavg()[0]:.1f}; "
    figure += f"{share:.1%} of the CPU time is not the workers')"
    yield Row("two workers against one", figure, "at most 0.55x", ratio <= 0.55)


def store(folder: Path, *, quick: bool) -> Iterator[Row]:
    """A million matches: opening them, and reading them into what statistics work on."""
    count = 50_000 if quick else 1_000_000
    path = folder / "million.db"
    rng = np.random.default_rng(SEED)
    agents = [f"agent {number}" for number in range(8)]
    terms = Terms(limit=Limit(iterations=100))

    def match(number: int) -> Match:
        first, second = rng.choice(8, 2, replace=False)
        result = float(rng.integers(3)) / 2
        return Match(
            id=f"{number:016x}",
            game=f"game {number % 20}",
            agents=(agents[first], agents[second]),
            seed=number,
            moves=(),
            utilities=(result, 1 - result),
            thinking=(0.5, 0.5),
            roles=("white", "black"),
            terms=terms,
            length=int(rng.integers(5, 80)),
        )

    started = process_time()
    with Store(path) as made:
        for first in range(0, count, 1000):
            made.add_all(match(number) for number in range(first, first + 1000))
    print(f"made in {process_time() - started:.0f} CPU s, {path.stat().st_size / 1e6:.0f} MB", file=sys.stderr)
    told = subprocess.run(
        [sys.executable, "-c", REPORTER, str(path)], capture_output=True, text=True, check=True
    ).stdout
    opened, read, memory = map(float, told.split())
    yield Row(f"opening {count:,} matches", f"{1000 * opened:.1f} ms of CPU", "at once: 100 ms", opened < 0.1)
    yield Row(
        f"reading {count:,} matches, a mean per agent",
        f"{read:.1f} s of CPU",
        "at most 10 s with the report",
        read < 10,
    )
    yield Row("memory for that", f"{memory:.0f} MiB", "below 1024 MiB", memory < 1024)


def clock(folder: Path, *, quick: bool) -> Iterator[Row]:
    """How late moves come with as many workers as cores."""
    plan = round_robin(["connect-four"], ["uct", "flat"], matches=3 if quick else 15, seconds=0.1, start_seconds=10)
    outcome = run(plan, folder / "clock.db", CORES)
    with Store(folder / "clock.db", readonly=True) as played:
        moves = played.moves()
        timeouts = int(played.table()["timeouts"].sum())
    seconds = moves["seconds"][moves["iterations"] > 0]
    share = float(np.mean(seconds <= 0.12))
    figure = f"{share:.2%} of {len(seconds):,} moves, the latest {1000 * (seconds.max() - 0.1):.0f} ms late"
    figure += f", {timeouts} timeouts (load {os.getloadavg()[0]:.1f})"
    yield Row("moves within 100 ms + 20 ms", figure, "at least 99 %", share >= 0.99 and outcome.left == 0)


def kill(folder: Path, *, quick: bool) -> Iterator[Row]:
    """Kill tournaments at random moments, and count what is lost or doubled."""
    plan = round_robin(["tic-tac-toe"], ["flat", "random"], matches=10_000, iterations=20)
    file, path = folder / "plan.toml", folder / "killed.db"
    file.write_text(write(plan))
    moments, kills = random.Random(SEED), 20 if quick else 200
    before: set[str] = set()
    lost = doubled = 0
    for number in range(kills):
        command = [sys.executable, "-c", RUNNER, str(file), str(path), "1", "processes" if number % 2 else "threads"]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        sleep(moments.uniform(0.1, 2.5))
        process.kill()
        process.wait()
        if path.exists():
            with Store(path) as killed:
                ids = killed.ids()
                count, seats = (
                    killed.connection.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in ("matches", "seats")
                )
                lost += len(before - ids) + abs(2 * count - seats)
                doubled += count - len(ids)
                before = ids
    with Store(path) as killed:
        whole = killed.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    figure = f"{len(before):,} matches, {lost} lost, {doubled} doubled, file {'whole' if whole else 'DAMAGED'}"
    yield Row(f"{kills} times kill -9", figure, "0 lost, 0 doubled", lost == doubled == 0 and whole and bool(before))


PARTS: dict[str, Callable[..., Iterator[Row]]] = {
    "rate": rate, "workers": workers, "store": store, "clock": clock, "kill": kill,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "parts", nargs="*", choices=[*PARTS, []], help="what to measure; everything if nothing is named"
    )
    parser.add_argument("--quick", action="store_true", help="a rough answer in a minute")
    given = parser.parse_args()
    missed = 0
    print("| what | figure | bar |  |\n| --- | --- | --- | --- |")
    for name in given.parts or PARTS:
        started = monotonic()
        with tempfile.TemporaryDirectory() as folder:
            for row in PARTS[name](Path(folder), quick=given.quick):
                missed += not row.holds
                print(f"| {row.what} | {row.figure} | {row.bar} | {'pass' if row.holds else 'MISSED'} |", flush=True)
        print(f"{name}: {monotonic() - started:.0f} s", file=sys.stderr)
    raise SystemExit(missed)


if __name__ == "__main__":
    main()
