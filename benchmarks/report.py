"""How long a report on many matches takes, and how much memory: imports, statistics, figures and files, but no store.

    python benchmarks/report.py [MATCHES] [--agents N] [--games N]

Prints CPU seconds (a busy machine changes them less than the clock) and the most memory that the process took, with the bars
of 10 s and 1 GiB for a million matches; the exit code counts the bars that were missed.
"""

from __future__ import annotations

import argparse
import resource
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np

from ludarium.arena.results import Labels, Results


def drawn(matches: int, agents: int, games: int) -> Results:
    """Draw the results of a round robin by lot: agents with higher numbers win more."""
    rng = np.random.default_rng(0)
    one = rng.integers(0, agents, matches)
    other = (one + rng.integers(1, agents, matches)) % agents
    won = np.where(rng.random(matches) < 1 / (1 + np.exp(0.3 * (other - one))), 1.0, 0.0)
    won[rng.random(matches) < 0.1] = 0.5
    game = np.repeat(rng.integers(0, games, matches), 2).astype(np.int32)
    return Results.of(
        {
            "match": np.repeat(np.arange(matches), 2),
            "role": np.tile([0, 1], matches),
            "game": Labels(game, tuple(f"game {number}" for number in range(games))),
            "agent": Labels(
                np.stack([one, other], 1).ravel().astype(np.int32), tuple(f"agent {n}" for n in range(agents))
            ),
            "utility": np.stack([won, 1 - won], 1).ravel(),
            "plies": np.repeat(rng.integers(10, 80, matches), 2),
            "seconds": rng.random(2 * matches),
        }
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("matches", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--agents", type=int, default=8)
    parser.add_argument("--games", type=int, default=20)
    wanted = parser.parse_args()
    results = drawn(wanted.matches, wanted.agents, wanted.games)
    started, clock = process_time(), perf_counter()
    from ludarium.arena.report.report import report

    made = report(results)
    counted = process_time() - started
    with TemporaryDirectory() as folder:
        made.write(Path(folder) / "report.html")
    seconds, megabytes = process_time() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"| {wanted.matches:,} matches, {wanted.agents} agents, {wanted.games} games | | bar |")
    print("|---|---|---|")
    print(f"| imports and statistics | {counted:.1f} s CPU | |")
    print(f"| with figures and files | {seconds:.1f} s CPU ({perf_counter() - clock:.1f} s by the clock) | 10 s |")
    print(f"| memory | {megabytes:.0f} MB | 1024 MB |")
    return (seconds > 10) + (megabytes > 1024)


if __name__ == "__main__":
    sys.exit(main())
