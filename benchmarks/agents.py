"""How fast and how strong the agents are: iterations per second, series of matches, a round robin.

    python benchmarks/agents.py speed [--baseline DIR] [--quick]
    python benchmarks/agents.py strength [--series NAME ...] [--games NAME ...] [--matches N] [--quick]
    python benchmarks/agents.py robin [--agents NAME ...] [--games NAME ...] [--matches N] [--docs docs/agents.md]
    python benchmarks/agents.py report

Prints tables in markdown, with the bar that a figure has to clear; the exit code counts the bars that were missed.
Speed: contestants take turns in one process; a ratio is the median over the rounds, with the lowest and the highest in
brackets. DIR is a checkout of an earlier version whose UCT is compared with ours, in processes that take turns.
Matches: a row per match is added to the CSV file at once, and a match that has a row is not played again: an
interrupted run goes on where it was, and more matches can be asked for later. Time is CPU time everywhere, on the
agents' clocks too, so a busy machine favours nobody. In a duel both sides hold every seat in turn; a side scores 1 if
its seats got more than the others on average, a half if they got the same. With the defaults all series take about two
and a half hours on one core, the round robin about one and a half; `--workers 2` halves that. Agents that are not in
the catalog, and OpenSpiel if it is not installed (extra [bench]), are left out, and that is said.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time

from duels import OPEN_SPIEL, Duel, Row, known, play_all, plays, read_rows

from ludarium import agent, catalog, game
from ludarium.arena import wilson
from ludarium.core import InformationSet, Limit, Rng

ITERATIONS = 1000
SPEED_GAMES = ("connect-four", "breakthrough", "gdl:breakthrough")
# UCT iterations per random playout, both per second, when UCT was one kernel without parts (RESULTS.md, Foundation).
FOUNDATION = {"connect-four": 719 / 3860, "breakthrough": 387 / 826}
VARIANTS = {"mast": 0.5, "grave": 0.5, "progressive-history": 0.5, "nst": None, "ucb1-tuned": None}
GAMES = ("connect-four", "breakthrough", "breakthrough-small", "knightthrough", "hex", "checkers", "melee-chess",
         "hnefatafl-5x5", "reversi")  # fmt: skip
ROBIN_GAMES = {
    "turns": ("tic-tac-toe", "connect-four", "breakthrough", "breakthrough-small", "knightthrough", "melee-chess",
              "hnefatafl-5x5", "checkers"),
    "at once": ("goofspiel", "blocker", "tron", "two-board-tic-tac-toe"),
    "three or more": ("three-player-connect-four", "four-player-tic-tac-toe"),
    "hidden": ("kuhn-poker", "blind-tic-tac-toe", "kriegspiel-tic-tac-toe", "meier"),
}  # fmt: skip
ROBIN = "robin"


@dataclass(frozen=True)
class Series:
    """Two agents on some games: so many matches with so much for each move, and what they are to show."""

    a: str
    b: str
    games: tuple[str, ...]
    limit: str
    matches: int


SERIES = {
    "uct-flat": Series("uct", "flat", GAMES, f"iterations={ITERATIONS}", 100),
    "flat-random": Series("flat", "random", GAMES, f"iterations={ITERATIONS}", 50),
    "mast-uct": Series("mast", "uct", GAMES, "seconds=0.05", 100),
    "grave-uct": Series("grave", "uct", GAMES, "seconds=0.05", 100),
    "history-uct": Series("progressive-history", "uct", GAMES, "seconds=0.05", 100),
    "uct-openspiel": Series(
        "uct(solver=True)", OPEN_SPIEL, ("connect-four", "breakthrough"), f"iterations={ITERATIONS}", 200
    ),
    "uct-openspiel-time": Series("uct", OPEN_SPIEL, ("reversi", "hex"), "seconds=0.1", 40),
}


def main() -> int:
    """Do what was asked, print, and answer how many bars were missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("speed", "strength", "robin", "report"))
    parser.add_argument("--quick", action="store_true", help="a rough answer, soon")
    parser.add_argument("--baseline", type=Path, metavar="DIR", help="a checkout to compare the speed of UCT with")
    parser.add_argument("--series", nargs="*", choices=SERIES, default=list(SERIES), help="only these series")
    parser.add_argument("--agents", nargs="*", help="only these agents in the round robin")
    parser.add_argument("--games", nargs="*", help="only these games")
    parser.add_argument("--matches", type=int, help="matches per game and pair")
    parser.add_argument("--seconds", type=float, default=0.02, help="CPU time for a move in the round robin")
    parser.add_argument("--docs", type=Path, metavar="FILE", help="write the strength of the agents into this table")
    parser.add_argument("--workers", type=int, default=1, help="processes that play")
    parser.add_argument("--csv", type=Path, default=Path("agents.csv"), help="a row per match; kept between runs")
    given = parser.parse_args()
    report = Report()
    match given.what:
        case "speed":
            measure_speed(given, report)
        case "strength":
            play_all(wanted_series(given), given.csv, given.workers)
        case "robin":
            play_all(wanted_robin(given), given.csv, given.workers)
    if given.what != "speed":
        rows = read_rows(given.csv)
        report.series(rows)
        strengths = report.robin([row for row in rows if row.series == ROBIN])
        if given.docs:
            fill(given.docs, strengths)
    print(report.text())
    return min(report.missed, 100)


# Speed


def measure_speed(given: argparse.Namespace, report: Report) -> None:
    """Iterations per CPU second: UCT against playouts and an earlier UCT, variants against UCT."""
    rounds, seconds = (3, 0.05) if given.quick else (21, 0.15)
    names = [name for name in VARIANTS if known(name)]
    for title in given.games or SPEED_GAMES:
        thinkers = {name: thinking(title, f"{name}(reuse=False)") for name in ("uct", *names)}
        rates = take_turns({"playouts": playing(title), **thinkers}, rounds, seconds)
        least = 0.8 * FOUNDATION[title] if title in FOUNDATION else None
        report.ratio(f"{title}: uct / random playouts", rates["uct"], rates["playouts"], least)
        for name in names:
            report.ratio(f"{title}: {name} / uct", rates[name], rates["uct"], VARIANTS[name])
        if given.baseline:
            ours, theirs = against_baseline(title, given.baseline, rounds, seconds)
            report.ratio(f"{title}: uct / uct in {given.baseline.name}", ours, theirs, 0.8)


def thinking(title: str, spec: str) -> Callable[[int], object]:
    """Decisions at the beginning; a turn counts iterations."""
    played = game(title)
    state = played.initial()
    info = InformationSet(game=played, role=0, legal=tuple(state.legal(0)), seen=(state.observe(0),), state=state)
    player = agent(spec).seat(played, 0, Rng(7))

    def decide(count: int) -> None:
        for _ in range(count):
            assert player.choose(info, Limit(iterations=ITERATIONS).start()).iterations == ITERATIONS

    return decide


def playing(title: str) -> Callable[[int], object]:
    """Random playouts from the beginning, as many as a decision has iterations."""
    from ludarium.arena.speed import random_matches
    from ludarium.kernel import bridge

    played, rng = game(title), Rng(7)
    reached, beginning = bridge(played), played.initial()

    def play(count: int) -> None:
        state = bytearray(reached.block(beginning))
        random_matches(reached.table, state, rng, count * ITERATIONS, 1 << 40)

    return play


def take_turns(contestants: dict[str, Callable[[int], object]], rounds: int, seconds: float) -> dict[str, list[float]]:
    """Iterations per CPU second of each contestant in each round; the first call, which compiles, does not count."""
    for work in contestants.values():
        work(1)
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, work in contestants.items():
            done, started = 0, process_time()
            while (elapsed := process_time() - started) < seconds:
                work(1)
                done += ITERATIONS
            rates[name].append(done / elapsed)
    return rates


def against_baseline(title: str, folder: Path, rounds: int, seconds: float) -> tuple[list[float], list[float]]:
    """Let processes with our source and with that of the other folder take turns."""
    ours = (Path(catalog.__file__).parent.parent, "uct(reuse=False)")
    theirs = (folder.resolve() / "src", "uct")
    found: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for rates, (path, spec) in zip(found, (ours, theirs), strict=True):
            command = [sys.executable, "-c", UCT_RATE, title, spec, str(2 * seconds)]
            environment = os.environ | {"PYTHONPATH": str(path)}
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            rates.append(float(done.stdout))
    return found


# With nothing in it that older versions do not have.
UCT_RATE = f"""
import sys
from time import process_time
from ludarium import agent, game
from ludarium.core import InformationSet, Limit, Rng
title, spec, seconds = sys.argv[1:]
played = game(title)
state = played.initial()
info = InformationSet(game=played, role=0, legal=tuple(state.legal(0)), seen=(state.observe(0),), state=state)
player = agent(spec).seat(played, 0, Rng(7))
player.choose(info, Limit(iterations={ITERATIONS}).start())
done, started = 0, process_time()
while (elapsed := process_time() - started) < float(seconds):
    player.choose(info, Limit(iterations={ITERATIONS}).start())
    done += {ITERATIONS}
print(done / elapsed)
"""


# Matches that are wanted


def wanted_series(given: argparse.Namespace) -> Iterator[Duel]:
    """The matches of the series, game by game."""
    for name in given.series:
        each = SERIES[name]
        if not (known(each.a) and known(each.b)):
            continue
        matches = given.matches or (4 if given.quick else each.matches)
        for title in each.games:
            if given.games and title not in given.games:
                continue
            for number in range(matches):
                yield Duel(name, title, each.a, each.b, each.limit, number)


def wanted_robin(given: argparse.Namespace) -> Iterator[Duel]:
    """Every agent against every other on every game that both can play."""
    names = [name for name in given.agents or catalog.AGENTS if known(name)]
    limit = f"seconds={given.seconds:g}"
    for title in [each for group in ROBIN_GAMES.values() for each in group]:
        if given.games and title not in given.games:
            continue
        able = [name for name in names if plays(title, name)]
        pairs = [(a, b) for place, a in enumerate(able) for b in able[place + 1 :]]
        for number in range(given.matches or 2):
            yield from (Duel(ROBIN, title, a, b, limit, number) for a, b in pairs)


# Tables


class Report:
    """Tables as they are printed, and how many bars were missed."""

    def __init__(self) -> None:
        self.missed = 0
        self.speeds: list[list[str]] = []
        self.bars: list[list[str]] = []
        self.tables: list[str] = []

    def ratio(self, what: str, ours: list[float], theirs: list[float], least: float | None) -> None:
        """Compare two contestants round by round."""
        ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
        told = f"{median(ratios):.2f}x ({min(ratios):.2f} to {max(ratios):.2f})"
        bar = "" if least is None else f"at least {least:.2f}x"
        rates = [f"{float(f'{median(each):.3g}'):,.0f}" for each in (ours, theirs)]
        self.speeds.append([what, *rates, told, bar, self._verdict(None if least is None else median(ratios) >= least)])

    def series(self, rows: list[Row]) -> None:
        """Show every series game by game, and judge its bar."""
        lines, better = [], dict[str, dict[str, float]]()
        for name in SERIES:
            for title, found in grouped((row for row in rows if row.series == name), "game").items():
                mean, low, high = summed(found)
                better.setdefault(name, {})[title] = low
                sure = "first" if low > 0.5 else "second" if high < 0.5 else "open"
                against = f"{found[0].a} : {found[0].b}"
                lines.append(
                    [against, found[0].limit, title, str(len(found)), f"{mean:.3f}", f"{low:.3f} to {high:.3f}", sure]
                )
        if lines:
            head = ["first : second", "each move", "game", "matches", "score of the first", "95 %", "better"]
            self.tables.append(table(head, lines, numbers=(3, 4)))
        for name, who in (("uct-flat", "uct beats flat"), ("flat-random", "flat beats random")):
            if name in better:
                count = sum(low > 0.5 for low in better[name].values())
                self.bar(
                    f"{who}, {SERIES[name].limit}", f"on {count} of {len(better[name])} games", "on 8 games", count >= 8
                )
        learning = {title for name in ("mast-uct", "grave-uct", "history-uct")
                    for title, low in better.get(name, {}).items() if low > 0.5}  # fmt: skip
        if any(name in better for name in ("mast-uct", "grave-uct", "history-uct")):
            told = f"on {len(learning)} games: {', '.join(sorted(learning)) or 'none'}"
            self.bar(
                "mast, grave or progressive-history beats uct in equal time", told, "on 3 games", len(learning) >= 3
            )
        for name in ("uct-openspiel", "uct-openspiel-time"):
            for title, found in grouped((row for row in rows if row.series == name), "game").items():
                mean, low, high = summed(found)
                told = f"{mean:.3f} ({low:.3f} to {high:.3f})"
                self.bar(f"uct against OpenSpiel's MCTS, {found[0].limit}, {title}", told, "at least 0.5", mean >= 0.5)

    def robin(self, rows: list[Row]) -> dict[str, str]:
        """Show what each agent scored against all others, by kinds of games; the same as a text for each."""
        kinds = {title: kind for kind, titles in ROBIN_GAMES.items() for title in titles}
        scores: dict[str, dict[str, list[float]]] = {}
        for row in rows:
            for name, score in ((row.a, row.score), (row.b, 1 - row.score)):
                scores.setdefault(name, {}).setdefault(kinds.get(row.game, "other"), []).append(score)
        lines, texts = [], {}
        for name, found in sorted(scores.items(), key=lambda each: -overall(each[1])):
            cells = [told(found[kind]) if kind in found else "" for kind in ROBIN_GAMES]
            lines.append([f"`{name}`", *cells, str(sum(map(len, found.values())))])
            texts[name] = ", ".join(f"{kind} {cell}" for kind, cell in zip(ROBIN_GAMES, cells, strict=True) if cell)
        if lines:
            self.tables.append(table(["agent", *ROBIN_GAMES, "matches"], lines, numbers=range(1, 6)))
        return texts

    def bar(self, what: str, measured: str, wanted: str, passed: bool) -> None:  # noqa: FBT001
        """State a figure, and whether it clears its bar."""
        self.bars.append([what, measured, wanted, self._verdict(passed)])

    def _verdict(self, passed: bool | None) -> str:  # noqa: FBT001
        self.missed += passed is False
        return "" if passed is None else "pass" if passed else "FAIL"

    def text(self) -> str:
        """All tables in markdown."""
        speeds = table(
            ["comparison", "first, per CPU second", "second", "ratio", "bar", ""], self.speeds, numbers=(1, 2)
        )
        bars = table(["what", "measured", "bar", ""], self.bars)
        return "\n\n".join([*([speeds] if self.speeds else []), *([bars] if self.bars else []), *self.tables])


def fill(docs: Path, strengths: dict[str, str]) -> None:
    """Write strengths into the last column of the table of agents."""
    lines = docs.read_text(encoding="utf-8").splitlines(keepends=True)
    for place, line in enumerate(lines):
        cells = line.rstrip("\n").split(" |")
        name = cells[0].removeprefix("| ").strip("`")
        if line.startswith("| `") and name in strengths and len(cells) == 6:
            lines[place] = " |".join([*cells[:4], f" {strengths[name]}", cells[5]]) + "\n"
    docs.write_text("".join(lines), encoding="utf-8")


def grouped(rows: Iterable[Row], key: str) -> dict[str, list[Row]]:
    """Sort rows into groups."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(getattr(row, key), []).append(row)
    return found


def summed(rows: Sequence[Row]) -> tuple[float, float, float]:
    """The mean score of the first agent, and its 95 % interval."""
    mean = sum(row.score for row in rows) / len(rows)
    return mean, *wilson(mean, len(rows))


def overall(scores: dict[str, list[float]]) -> float:
    """The mean score over all kinds of games."""
    return sum(map(sum, scores.values())) / sum(map(len, scores.values()))


def told(scores: Sequence[float]) -> str:
    """A mean score, and how far it may be off."""
    mean = sum(scores) / len(scores)
    low, high = wilson(mean, len(scores))
    return f"{mean:.2f} ± {(high - low) / 2:.2f}"


def table(head: list[str], rows: list[list[str]], numbers: Iterable[int] = ()) -> str:
    """A table in markdown."""
    rule = ["--:" if place in set(numbers) else "---" for place in range(len(head))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


if __name__ == "__main__":
    sys.exit(main())
