"""All games of a corpus of GDL, in an order drawn by a seed, so that a run that is cut short is a sample.

    python benchmarks/corpus.py loads DIR FILE [--checkout DIR] [--most N] [--games NAME ...]
    python benchmarks/corpus.py playouts DIR FILE --against DIR [--checkout DIR] [--most N] [--games NAME ...] [--turns N]
    python benchmarks/corpus.py tell FILE

DIR holds `*.kif`. A row per game is added to FILE, a CSV file, at once; a game that has one is not measured again, so a run that
was stopped goes on. `loads` has an empty store for each game, and loads twice, in processes of their own: CPU seconds from the
start of Python (whose bytecode is stored, as pip does when it installs) to the end of a first playout, with those of processes
that it started, and how the game is played. `playouts` has a process of each checkout play with the best code, in turns: both
ways, playouts per second of CPU time, the lowest and highest ratio, and the median. `tell` sums a file up.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
SEED, TURNS, SECONDS = 7, 5, 0.08
WAY = """
grounded = "joined" if getattr(game, "joined", None) else "gates"
way = "joins" if type(game).__name__ == "JoinGame" else "words" if game.words else grounded
"""
LOAD = (
    """
import resource, sys
from pathlib import Path
from ludarium.core import Rng
from ludarium.gdl.game import load
game = load(Path(sys.argv[1]))
block = bytearray(game.initial(Rng(7)).block)
game.bridge.call("playout", block, Rng(7), 200)
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
seconds = sum(each.ru_utime + each.ru_stime for each in used)
"""
    + WAY
    + "print(seconds, way)"
)
PLAY = (
    """
import sys
from time import process_time
from comparison import work as ways
game, count = ways.loaded(sys.argv[1]), 1
ways.loaded = lambda title: game  # which takes long enough once
work = ways.playouts(sys.argv[1])
"""
    + WAY
    + """
print(way, flush=True)
for seconds in map(float, sys.stdin):
    done, began = 0, process_time()
    while (taken := process_time() - began) < seconds:
        work(count)
        done += count
        count *= 2 if process_time() - began < seconds / 20 else 1
    print(done / taken, flush=True)
"""
)


def main() -> None:
    """Measure, or tell what was measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=["loads", "playouts", "tell"])
    parser.add_argument("paths", type=Path, nargs="+", help="the corpus, if something is measured, and the file")
    parser.add_argument("--checkout", type=Path, default=HERE.parent, metavar="DIR")
    parser.add_argument("--against", type=Path, metavar="DIR", help="a checkout of the version before")
    parser.add_argument("--most", type=int, default=1 << 30, metavar="N", help="games")
    parser.add_argument("--games", nargs="+", metavar="NAME", help="only these")
    parser.add_argument("--turns", type=int, default=TURNS, metavar="N", help="of each checkout, in playouts")
    given = parser.parse_args()
    *corpus, file = given.paths
    if given.what == "tell":
        print(told(file))
        return
    if given.what == "playouts" and given.against is None:
        parser.error("playouts are compared: --against DIR")
    games = sorted(corpus[0].glob("*.kif"))
    if not games:
        parser.error(f"there are no .kif files in {corpus[0]}")
    random.Random(SEED).shuffle(games)
    known = {row[1] for row in rows(file) if row[0] == given.what}
    games = [game for game in games if given.games is None or game.stem in given.games][: given.most]
    for game in (game for game in games if game.stem not in known):
        checkouts = given.against, given.checkout
        row = loads(game, given.checkout) if given.what == "loads" else compared(game, *checkouts, given.turns)
        with file.open("a", newline="", encoding="utf-8") as lines:
            csv.writer(lines).writerow([given.what, game.stem, *row])


def environment(checkout: Path, store: str) -> dict[str, str]:
    """What a process of a checkout is started with."""
    bytecode = Path(tempfile.gettempdir()) / "ludarium-benchmark-bytecode"
    given = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return given | {
        "PYTHONPATH": f"{checkout.resolve() / 'src'}:{HERE}",
        "PYTHONPYCACHEPREFIX": str(bytecode),
        "LUDARIUM_CACHE": store,
    }


def loads(game: Path, checkout: Path) -> list[str]:
    """Load a game with nothing stored, then with what was stored."""
    with tempfile.TemporaryDirectory() as store:
        command, given = [sys.executable, "-c", LOAD, str(game)], environment(checkout, store)
        runs = [subprocess.run(command, env=given, capture_output=True, text=True, check=False) for _ in range(2)]
    (cold, _), (stored, way) = ((run.stdout.split() or ["", "failed"]) for run in runs)
    return [cold, stored, way]


def compared(game: Path, before: Path, after: Path, turns: int) -> list[str]:
    """Play a game with two checkouts, in turns."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        players, ways = [], []
        for each in ((before, one), (after, other)):
            player = subprocess.Popen(
                [sys.executable, "-c", PLAY, str(game.resolve())],
                env=environment(*each), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            )  # fmt: skip
            players.append(player)
            ways.append(player.stdout.readline().strip() or "failed")  # type: ignore[union-attr]
        rates: list[list[float]] = [[], []]
        for turn in range(0 if "failed" in ways else 2 * turns):
            place = (turn ^ turn >> 1) & 1  # A B B A A B
            print(SECONDS, file=players[place].stdin, flush=True)
            rates[place].append(float(players[place].stdout.readline()))  # type: ignore[union-attr]
        for player in players:
            player.communicate()
    if not rates[0]:
        return [*ways, "", "", "", "", ""]
    ratios = [b / a for a, b in zip(*rates, strict=True)]
    found = [f"{ratio:.3f}" for ratio in (min(ratios), max(ratios), median(ratios))]
    return [*ways, f"{median(rates[0]):.1f}", f"{median(rates[1]):.1f}", *found]


def rows(file: Path) -> list[list[str]]:
    """What a file holds so far."""
    if not file.exists():
        return []
    with file.open(newline="", encoding="utf-8") as lines:
        return list(csv.reader(lines))


def told(file: Path) -> str:
    """Sum up what a file holds."""
    out = []
    for place, name in ((2, "cold"), (3, "stored")):
        if seconds := sorted(float(row[place]) for row in rows(file) if row[0] == "loads" and row[place]):
            shares = ", ".join(f"{share:.0%} {quantile(seconds, share):.2f} s" for share in (0.5, 0.9, 0.99, 1.0))
            out.append(f"{name}, {len(seconds)} games: {shares}")
    plays = [(row[2], float(row[-1]), row[1]) for row in rows(file) if row[0] == "playouts" and row[-1]]
    if plays:
        gates = [ratio for way, ratio, _ in plays if way == "gates"]
        out.append(f"{len(plays)} games; {len(gates)} were on gates, median {median(gates or [0]):.2f}x")
        out.append(
            "below 0.95x: " + (", ".join(f"{name} {r:.3f}x" for _, r, name in sorted(plays) if r < 0.95) or "none")
        )
    return "\n".join(out)


def quantile(values: list[float], share: float) -> float:
    """The value below which such a share of sorted values lies."""
    return values[min(len(values) - 1, int(share * len(values)))]


if __name__ == "__main__":
    main()
