"""What the arena costs and what it withstands: its overhead, its workers, its store, its clocks, and `kill -9`.

    python benchmarks/arena.py [rate] [workers] [store] [clock] [kill] [first] [--quick]

Prints a table in markdown, with the bar that a figure has to clear and whether it does; without names, all parts, in about ten
minutes. `rate` is in CPU time, so that a busy machine blurs it and does not count; the others go by the clock and need a machine
with two idle cores to mean anything, so they say how busy it was. The exit code counts the bars that were missed.
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
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic, perf_counter, process_time, sleep

import numpy as np

from ludarium.arena import Store, round_robin, run, self_play
from ludarium.arena.plan.file import write
from ludarium.core import Limit, Match, Terms

SEED = 7
CORES = 2
README = Path(__file__).parent.parent / "README.md"

RUNNER = """\
import sys
from ludarium.arena import load, run
run(load(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4])
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
    plan = round_robin(["connect-four"], ["uct", "flat"], matches=10 if quick else 120, iterations=20_000)
    run(replaced(plan, 1), folder / "warm-workers.db", 1)  # compiles
    times: dict[int, list[float]] = {1: [], 2: []}
    mine, all_of_it = process_time(), cpu_seconds()
    for number in range(1 if quick else 2):
        for count in (1, 2):
            started = perf_counter()
            run(plan, folder / f"workers-{number}-{count}.db", count)
            times[count].append(perf_counter() - started)
    ratio = min(times[2]) / min(times[1])
    share = (process_time() - mine) / (cpu_seconds() - all_of_it)
    figure = f"{ratio:.3f}x ({min(times[1]):.1f} s, {min(times[2]):.1f} s; {load()}; "
    figure += f"{share:.1%} of the CPU time is not the workers')"
    yield Row(f"two workers against one, {len(plan)} matches", figure, "at most 0.55x", ratio <= 0.55)


def load() -> str:
    return f"load {os.getloadavg()[0]:.1f}"


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

    with Store(path) as made:
        for first in range(0, count, 1000):
            made.add_all(match(number) for number in range(first, first + 1000))
    print(f"{path.stat().st_size / 1e6:.0f} MB", file=sys.stderr)
    started = perf_counter()
    with Store(path, readonly=True) as made:
        assert len(made) == count
    opened = perf_counter() - started
    yield Row(f"opening {count:,} matches", f"{1000 * opened:.0f} ms", "at once: 100 ms", opened < 0.1)
    for words in (["results", str(path)], ["report", str(path), str(folder / "report.html")]):
        seconds, cpu, memory = measured([sys.executable, "-m", "ludarium", *words])
        what = f"`ludarium {words[0]}` of {count:,} matches, start and all"
        figure = f"{seconds:.1f} s ({cpu:.1f} s of CPU, {memory:.0f} MiB; {load()})"
        yield Row(what, figure, "below 10 s and 1024 MiB", seconds < 10 and memory < 1024)


def measured(command: list[str]) -> tuple[float, float, float]:
    """Run a command: seconds by the clock, of CPU time, and the most memory that it took, in MiB."""
    started = perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return perf_counter() - started, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


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
    figure += f", {timeouts} timeouts ({load()})"
    yield Row("moves within 100 ms + 20 ms", figure, "at least 99 %", share >= 0.99 and outcome.left == 0)


def kill(folder: Path, *, quick: bool) -> Iterator[Row]:
    """Kill tournaments at random moments, and count what is lost or doubled; one of threads, one of processes at a time."""
    kills = 20 if quick else 200
    with ThreadPoolExecutor(CORES) as both:
        found = list(both.map(lambda on: killed(folder / on, on, kills // 2), ("threads", "processes")))
    matches, lost, doubled = (sum(each[place] for each in found) for place in range(3))
    whole = all(each[3] for each in found)
    figure = f"{matches:,} matches, {lost} lost, {doubled} doubled, files {'whole' if whole else 'DAMAGED'}"
    yield Row(f"{kills} times kill -9", figure, "0 lost, 0 doubled", lost == doubled == 0 and whole and matches > kills)


def killed(folder: Path, on: str, kills: int) -> tuple[int, int, int, bool]:
    """Kill one tournament again and again: matches, those lost, those doubled, and whether the file is whole."""
    folder.mkdir()
    plan = round_robin(["tic-tac-toe"], ["flat", "random"], matches=10_000, iterations=20)
    file, path = folder / "plan.toml", folder / "killed.db"
    file.write_text(write(plan))
    moments = random.Random(f"{SEED} {on}")
    before: set[str] = set()
    lost = doubled = 0
    for _ in range(kills):
        process = subprocess.Popen(
            [sys.executable, "-c", RUNNER, str(file), str(path), "1", on], stderr=subprocess.DEVNULL
        )
        sleep(moments.uniform(0.1, 2.5))
        process.kill()
        process.wait()
        if path.exists():
            with Store(path) as left:
                ids = left.ids()
                count, seats = (
                    left.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                    for table in ("matches", "seats")
                )
                lost += len(before - ids) + abs(2 * count - seats)
                doubled += count - len(ids)
                before = ids
    with Store(path) as left:
        whole = left.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return len(before), lost, doubled, whole


def first(folder: Path, *, quick: bool) -> Iterator[Row]:
    """The first command of the README, as a newcomer runs it."""
    line = next(line for line in README.read_text().splitlines() if line.startswith("ludarium tournament --games"))
    words = line.split()[1:]
    if quick:
        words[words.index("--games-per-pair") + 1] = "4"
    started = perf_counter()
    told = subprocess.run(
        [sys.executable, "-m", "ludarium", *words], cwd=folder, capture_output=True, text=True, check=True
    )
    seconds = perf_counter() - started
    whole = "win rate" in told.stdout and any(folder.glob("*-report/report.html"))
    figure = f"{seconds:.0f} s ({load()}), {'table and page' if whole else 'INCOMPLETE'}"
    yield Row("the first command of the README", figure, "about a minute: at most 90 s", whole and seconds <= 90)


PARTS: dict[str, Callable[..., Iterator[Row]]] = {
    "rate": rate, "workers": workers, "store": store, "clock": clock, "kill": kill,
    "first": first,
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
    print(f"\n{f'{missed} bars missed' if missed else 'All bars hold'}.")
    raise SystemExit(missed)


if __name__ == "__main__":
    main()
