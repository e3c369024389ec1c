"""How GDL games do: agreement with recorded traces, load time, playouts, hnefatafl; and the bars they have to clear.

    python benchmarks/gdl.py --corpus DIR [--quick] [--games NAME ...] [--csv FILE] [--report FILE]
    python benchmarks/gdl.py --ways NAME_OR_FILE ... [--seconds N]

The second form plays games gate by gate and as they are played, taking turns in one process, and prints both.

DIR holds `games/*.kif` and `traces/*.jsonl` (recorded with ggp-base's prover). Every game is measured in processes
of its own with limits on memory and time, one after the other; its row is added to the CSV file at once, and a game
that has a row is not measured again: an interrupted run goes on where it was. All times are CPU times of one core.
"Cold" is a fresh process with no machine code stored: everything from the start of Python to the end of the first
playout; the bytecode of Python is stored, as pip does when it installs. The exit code counts the bars that were missed.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

# Random playouts per second of other systems, measured on a machine of this kind in November 2026, one thread, CPU
# time: ggp-base's prover (commit 44db132); Sancho's propnet, the fastest public GDL player (of a range, the middle).
PROVER = {
    "ticTacToe": 258, "connectFour": 28, "breakthrough": 3.7, "breakthroughSmall": 13, "knightThrough": 15,
    "reversi": 0.16, "checkers": 1.0, "englishDraughts": 3.7, "chess": 0.05, "chineseCheckers2": 44,
    "chineseCheckers4": 6.5, "chineseCheckers6": 11, "blocker": 214, "crisscross": 24, "speedChess": 0.2,
}  # fmt: skip
SANCHO = {
    "ticTacToe": 88_000, "connectFour": 53_600, "breakthrough": 10_000, "knightThrough": 20_100, "reversi": 1_020,
    "chineseCheckers2": 15_100, "chineseCheckers4": 597, "sheepAndWolf": 3_200, "skirmish": 446, "pentago": 4_330,
    "hex": 312, "amazons_8x8": 560, "nineBoardTicTacToe": 14_700, "quarto": 3_100, "speedChess": 1_770,
}  # fmt: skip
QUICK = ["ticTacToe", "connectFour", "breakthrough", "knightThrough", "reversi", "chineseCheckers4", "test_case_3e"]
HANDWRITTEN = ("connect-four", "breakthrough")
SEED = 7
LONGEST = 10_000  # plies: a playout that is longer is cut


@dataclass
class Row:
    """What is known about a game when its processes have ended."""

    game: str
    cold: float = 0.0
    warm: float = 0.0
    memory: float = 0.0
    facts: int = 0
    gates: int = 0
    single: float = 0.0
    batch: float = 0.0
    plies: float = 0.0
    steps: int = 0
    agreed: int = 0
    problem: str = ""


@dataclass(frozen=True)
class Effort:
    """Seconds of measuring, and what a process may use: seconds, and MiB of address space."""

    seconds: float
    time: int
    memory: int


def main() -> int:
    """Measure, print, and answer how many bars were missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpus", type=Path, help="a folder with games/*.kif and traces/*.jsonl")
    parser.add_argument("--games", nargs="*", help="only these games of the corpus")
    parser.add_argument("--quick", action="store_true", help="a few games, shortly")
    parser.add_argument("--csv", type=Path, default=Path("gdl.csv"), help="rows per game; kept between runs")
    parser.add_argument("--report", type=Path, help="where to write the tables, besides printing them")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU time per measurement")
    parser.add_argument("--time", type=int, default=120, help="CPU seconds a process may use")
    parser.add_argument("--memory", type=int, default=6000, help="MiB a process may use")
    parser.add_argument("--matches", type=int, default=20, help="matches of hnefatafl")
    parser.add_argument("--ways", nargs="+", help="games of the library or files of rules: gate by gate, and as played")
    parser.add_argument("--worker", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        print(json.dumps(WORK[given.worker[0]](given.worker[1], given)))
        return 0
    if given.ways:
        compare_ways(given.ways, given.seconds)
        return 0
    effort = Effort(0.2 if given.quick else given.seconds, given.time, given.memory)
    names = given.games or (QUICK if given.quick else None)
    report = Report()
    if given.corpus:
        report.corpus(list(measured(given.corpus, names, given.csv, effort)))
    report.hnefatafl(run("hnefatafl", "hnefatafl", effort, given, matches=2 if given.quick else given.matches))
    report.handwritten({name: run("handwritten", name, effort, given) for name in HANDWRITTEN})
    text = report.text()
    print(text)
    if given.report:
        given.report.write_text(text, encoding="utf-8")
    return min(report.missed, 100)


def compare_ways(names: list[str], seconds: float) -> None:
    """Print playouts per second of one lane, gate by gate and as a game is played, from turns that alternate."""
    from ludarium import library
    from ludarium.core import Rng
    from ludarium.gdl.game import load

    print("| game | way | plies | gate by gate | as played | ratio |\n|---|---|--:|--:|--:|--:|")
    for name in names:
        path = Path(name) if name.endswith(".kif") else library.path(name)
        gates, chosen = load(path), load(path)
        gates.words = gates.joined = None
        way = "words" if chosen.words else "loops" if chosen.joined else "gates"
        best, plies = [0.0, 0.0], 0.0
        for _ in range(3):  # the best of each, as others use the machine
            for k, game in enumerate((gates, chosen)):
                game.bridge.unit.finish()
                start, rng, done = game.initial(Rng(SEED)), Rng(SEED), [0, 0]

                def work(count: int, game: Any = game, start: Any = start, rng: Any = rng, done: Any = done) -> None:
                    done[0] += native_playouts(game, start, rng, count)
                    done[1] += count

                best[k] = max(best[k], rate(work, seconds / 3))
                plies = done[0] / done[1]
        told = f"{best[0]:,.0f} | {best[1]:,.0f} | {best[1] / best[0]:.1f}x"
        print(f"| {path.stem} | {way} | {plies:.0f} | {told} |", flush=True)


# Processes


def measured(corpus: Path, names: list[str] | None, file: Path, effort: Effort) -> Iterator[Row]:
    """Measure the games that have no row yet; the rows of all."""
    every = sorted(path.stem for path in (corpus / "games").glob("*.kif"))
    known = {row.game: row for row in read_rows(file)}
    for name in [name for name in every if names is None or name in names]:
        if name not in known:
            known[name] = measure(corpus, name, effort)
            write_row(file, known[name])
            told = known[name].problem or f"{known[name].single:,.0f} playouts/s, cold {known[name].cold:.2f} s"
            print(f"{name}: {told}", file=sys.stderr, flush=True)
        yield known[name]


def measure(corpus: Path, name: str, effort: Effort) -> Row:
    """Load a game with an empty and with a filled cache, measure its playouts, and replay its traces."""
    row = Row(name)
    path = str(corpus / "games" / f"{name}.kif")
    with tempfile.TemporaryDirectory() as cache:
        for what in ("play", "load", "traces"):
            made = run(what, path, effort, cache=cache)
            if "problem" in made and not row.problem:
                row.problem = f"{what}: {made['problem']}"
            for key, value in made.items():
                if key != "problem":
                    setattr(row, "warm" if (what, key) == ("load", "cold") else key, value)
            if what == "play" and row.problem:
                break
    return row


def run(
    what: str, subject: str, effort: Effort, given: Any = None, *, cache: str = "", **options: int
) -> dict[str, Any]:
    """Do a piece of work in a process of its own; what it found, or the problem."""
    command = [sys.executable, __file__, "--worker", what, subject, "--seconds", str(effort.seconds)]
    for name, value in options.items():
        command += [f"--{name}", str(value)]

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (effort.time * (20 if given else 1), resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_AS, (effort.memory << 20, resource.RLIM_INFINITY))

    environment = os.environ | ({"LUDARIUM_CACHE": cache} if cache else {})
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir()) / "ludarium-benchmark-bytecode")
    done = subprocess.run(command, capture_output=True, text=True, env=environment, preexec_fn=limit, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [""])[-1]
        over = f"more than {effort.time} s" if done.returncode == -24 else f"exit code {done.returncode}"
        return {"problem": last[:200] or over}
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def read_rows(file: Path) -> list[Row]:
    """Read what an earlier run has measured."""
    if not file.exists():
        return []
    kinds = {field.name: {"str": str, "int": int, "float": float}[str(field.type)] for field in fields(Row)}
    with file.open(newline="", encoding="utf-8") as lines:
        return [Row(**{key: kinds[key](value) for key, value in row.items()}) for row in csv.DictReader(lines)]


def write_row(file: Path, row: Row) -> None:
    """Add a row, below the names of the columns."""
    new = not file.exists()
    with file.open("a", newline="", encoding="utf-8") as lines:
        writer = csv.DictWriter(lines, [field.name for field in fields(Row)])
        if new:
            writer.writeheader()
        writer.writerow({key: f"{v:.4g}" if isinstance(v, float) else v for key, v in asdict(row).items()})


# Work, each in a process of its own


def used() -> tuple[float, float]:
    """CPU seconds and MiB of this process so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def first_playout(path: str) -> tuple[Any, dict[str, float]]:
    """Load a game and play it once; what that took since the process began."""
    from ludarium.core import Rng
    from ludarium.gdl.game import load

    game = load(Path(path))
    block = bytearray(game.initial(Rng(SEED)).block)
    game.bridge.call("playout", block, Rng(SEED), LONGEST)
    seconds, memory = used()
    return game, {"cold": seconds, "memory": memory}


def work_load(path: str, given: Any) -> dict[str, Any]:  # noqa: ARG001
    """Only load; the code is in the cache by now."""
    return first_playout(path)[1]


def work_play(path: str, given: Any) -> dict[str, Any]:
    """Load cold, then play at random, one lane and in batches, goals worked out in all cases."""
    from ludarium.core import Rng

    game, found = first_playout(path)
    game.bridge.unit.finish()
    network = getattr(game, "network", None)
    if network is not None:
        found |= {"facts": len(network.facts), "gates": network.size}
    rng, start = Rng(SEED), game.initial(Rng(SEED))
    plies = playouts = 0

    def single(count: int) -> None:
        nonlocal plies, playouts
        plies += native_playouts(game, start, rng, count)
        playouts += count

    found["single"] = rate(single, given.seconds)
    found["plies"] = plies / playouts
    if hasattr(game, "playouts"):
        found["batch"] = rate(lambda n: game.playouts(start, 64 * n, rng, limit=LONGEST), given.seconds, 64)
    found["memory"] = used()[1]
    return found


def native_playouts(game: Any, start: Any, rng: Any, count: int) -> int:
    """Play at random in machine code, with goals worked out at the end of each playout; all plies."""
    from array import array

    values = array("d", bytes(8 * len(game.roles)))
    block = bytearray(game.bridge.block(start))
    first = bytes(block)
    total: int = loop()(game.bridge.table, first, block, rng, count, LONGEST, values)
    return total


def loop() -> Any:
    """The loop around playouts, as a kernel."""
    if not _LOOP:
        from ludarium.kernel import Stream, Table, copy, f64, i64, kernel, u8, view

        @kernel
        def playouts(
            table: Table, start: view[u8], state: view[u8], rng: Stream, count: i64, limit: i64, values: view[f64]
        ) -> i64:
            plies = 0
            for _i in range(count):
                copy(state, start)
                plies += table.playout(state, rng, limit)
                table.utilities(state, values)
            return plies

        _LOOP.append(playouts)
    return _LOOP[0]


_LOOP: list[Any] = []


def rate(work: Callable[[int], object], seconds: float, units: int = 1) -> float:
    """Units of work per CPU second; the first call, which compiles, does not count."""
    work(1)
    count, done, started = 1, 0, process_time()
    while (elapsed := process_time() - started) < seconds:
        work(count)
        done += count
        count = max(1, min(2 * count, int(done / max(elapsed, 1e-3) * seconds / 10)))
    return units * done / (process_time() - started)


def work_traces(path: str, given: Any) -> dict[str, Any]:  # noqa: ARG001
    """Replay all traces of a game; how many steps there are, and how many agree."""
    from ludarium.gdl.check.trial import GameWalk
    from ludarium.gdl.game import load
    from tests.gdl.traces import check_trace, traces

    file = Path(path)
    walk = GameWalk(load(file, chance=False))
    steps = agreed = 0
    problem = ""
    for trace in traces(file.parent.parent, file.stem):
        difference = check_trace(walk, trace)
        steps += len(trace["steps"])
        agreed += 0 if difference else len(trace["steps"])
        problem = problem or difference or ""
    return {"steps": steps, "agreed": agreed} | ({"problem": problem[:200]} if problem else {})


def work_hnefatafl(name: str, given: Any) -> dict[str, Any]:
    """Time early and late turns, playouts and UCT of 13x13 hnefatafl, and matches against the clock."""
    from ludarium import agent, game
    from ludarium.arena.speed import search_speed
    from ludarium.core import Rng

    loaded = game(name)
    rng, start = Rng(SEED), loaded.initial(Rng(SEED))
    found: dict[str, Any] = {"load": used()[0]}
    loaded.bridge.unit.finish()
    playout = loaded.bridge.call
    late = []
    while len(late) < 4:
        block = bytearray(start.block)
        playout("playout", block, rng, 450)
        if playout("playout", bytearray(block), rng, 1):
            late.append(bytes(block))

    def turns(blocks: list[bytes]) -> float:
        made = taken = 0.0
        while taken < given.seconds:
            for block in blocks:
                copied = bytearray(block)
                began = process_time()
                made += playout("playout", copied, rng, 50)
                taken += process_time() - began
        return taken / made

    found["early"], found["late"] = turns([start.block]), turns(late)
    found["single"] = rate(lambda n: native_playouts(loaded, start, rng, n), given.seconds)
    search = search_speed(loaded, agent("uct"), seconds=max(2.0, 3 * given.seconds))
    found["uct"] = 15 * search.rate
    found |= clocked(loaded, given.matches)
    found["memory"] = used()[1]
    return found


def clocked(loaded: Any, matches: int, clock: float = 0.05) -> dict[str, Any]:
    """Play UCT against itself with a short clock; the longest that a choice has taken, in CPU time."""
    from ludarium import agent
    from ludarium.core import InformationSet, Limit, Rng

    worst, turns = 0.0, 0
    for seed in range(matches):
        players = [agent("uct").seat(loaded, role, Rng.keyed(seed, role)) for role in range(len(loaded.roles))]
        state = loaded.initial(Rng(seed))
        while movers := state.movers:
            (role,) = movers
            info = InformationSet(game=loaded, role=role, legal=tuple(state.legal(role)), state=state)
            began = process_time()
            move = players[role].choose(info, Limit(seconds=clock).start()).move
            worst = max(worst, process_time() - began)
            state = state.after(move)
            turns += 1
    return {"matches": matches, "turns": turns, "clock": clock, "worst": worst}


def work_handwritten(name: str, given: Any) -> dict[str, Any]:
    """Playouts of a game written by hand and of the same game from rules, taking turns."""
    from ludarium import game
    from ludarium.core import Rng

    rates: dict[str, list[float]] = {"hand": [], "rules": [], "batch": []}
    hand, rules = game(name), game(f"gdl:{name}")
    starts = {"hand": hand.initial(), "rules": rules.initial()}
    rules.bridge.unit.finish()
    rng = Rng(SEED)
    for _ in range(7):
        each = given.seconds / 7
        rates["hand"].append(rate(lambda n: native_playouts(hand, starts["hand"], rng, n), each))
        rates["rules"].append(rate(lambda n: native_playouts(rules, starts["rules"], rng, n), each))
        rates["batch"].append(rate(lambda n: rules.playouts(starts["rules"], 64 * n, rng), each, 64))
    ratios = [a / b for a, b in zip(rates["hand"], rates["rules"], strict=True)]
    batches = [a / b for a, b in zip(rates["hand"], rates["batch"], strict=True)]
    return {
        **{key: median(values) for key, values in rates.items()},
        "ratio": median(ratios),
        "batch_ratio": median(batches),
    }


WORK: dict[str, Callable[[str, Any], dict[str, Any]]] = {
    "load": work_load,
    "play": work_play,
    "traces": work_traces,
    "hnefatafl": work_hnefatafl,
    "handwritten": work_handwritten,
}


# Tables


class Report:
    """Tables as they are printed, and how many bars were missed."""

    def __init__(self) -> None:
        self.missed = 0
        self.bars: list[list[str]] = []
        self.tables: list[str] = []

    def bar(self, what: str, measured: str, wanted: str, passed: bool | None = None) -> None:  # noqa: FBT001
        """State a figure, and whether it clears its bar."""
        self.missed += passed is False
        self.bars.append([what, measured, wanted, "" if passed is None else "pass" if passed else "FAIL"])

    def corpus(self, rows: list[Row]) -> None:
        """Sum up the games of the corpus."""
        played = [row for row in rows if row.single]
        steps, agreed = sum(row.steps for row in rows), sum(row.agreed for row in rows)
        whole = sum(row.steps == row.agreed and not row.problem for row in rows)
        self.bar("games that load and play", f"{len(played)} of {len(rows)}", "all", len(played) == len(rows))
        self.bar("games whose traces agree in every step", f"{whole} of {len(rows)}", "all", whole == len(rows))
        self.bar("steps of these games", f"{agreed:,} of {steps:,}", "")
        for share, most in ((0.9, 1.0), (0.99, 10.0)):
            cold = quantile([row.cold or float("inf") for row in rows], share)
            self.bar(f"load, cold, {share:.0%} of the games under", f"{cold:.2f} s", f"{most:g} s", cold <= most)
        warm = [row.warm for row in played]
        self.bar("load, warm: median, 90 %", f"{median(warm):.2f} s, {quantile(warm, 0.9):.2f} s", "")
        memory = max((row.memory for row in played), default=0.0)
        self.bar("memory, the most", f"{memory:,.0f} MiB", "2,048 MiB", memory <= 2048)
        self._peer("ggp-base's prover", PROVER, played, "single", 1000.0, 100.0)
        self._peer("Sancho, one lane", SANCHO, played, "single", 3.0, None)
        self._peer("Sancho, in batches", SANCHO, played, "batch", 10.0, None)
        self._games(played)
        failed = [[row.game, row.problem] for row in rows if row.problem]
        if failed:
            self.tables.append(table(["game", "problem"], failed))

    def _peer(
        self, who: str, known: dict[str, float], rows: list[Row], which: str, middle: float, least: float | None
    ) -> None:
        found = {row.game: getattr(row, which) / known[row.game] for row in rows if row.game in known}
        if not found:
            return
        value = median(found.values())
        text = f"{value:,.1f}x ({len(found)} games)"
        self.bar(f"playouts against {who}, median", text, f"at least {middle:,g}x", value >= middle)
        lowest = min(found, key=lambda name: found[name])
        wanted = "" if least is None else f"at least {least:g}x"
        passed = None if least is None else found[lowest] >= least
        self.bar(f"playouts against {who}, lowest", f"{found[lowest]:,.1f}x ({lowest})", wanted, passed)

    def _games(self, rows: list[Row]) -> None:
        lines = [
            [
                row.game, f"{row.single:,.0f}", f"{row.batch:,.0f}", f"{row.plies:.1f}",
                f"{PROVER[row.game]:g}" if row.game in PROVER else "",
                f"{SANCHO[row.game]:,}" if row.game in SANCHO else "",
                f"{row.cold:.2f} s", f"{row.memory:,.0f} MiB",
            ]
            for row in rows
            if row.game in PROVER or row.game in SANCHO
        ]  # fmt: skip
        head = ["game", "playouts/s", "in batches", "plies", "prover", "Sancho", "load, cold", "memory"]
        self.tables.append(table(head, lines, numbers=range(1, 8)))

    def hnefatafl(self, found: dict[str, Any]) -> None:
        """Judge the game that others could not play."""
        if "problem" in found:
            self.bar("hnefatafl 13x13", str(found["problem"]), "plays", passed=False)
            return
        growth = found["late"] / found["early"]
        told = f"{1e6 * found['early']:.0f} us, then {1e6 * found['late']:.0f} us ({growth:.2f}x)"
        self.bar("hnefatafl: a turn among the first 50, the last 50", told, "at most 1.5x", growth <= 1.5)
        self.bar("hnefatafl: playouts/s", f"{found['single']:,.0f}", "at least 200", found["single"] >= 200)
        uct = found["uct"]
        self.bar("hnefatafl: UCT iterations in 15 s", f"{uct:,.0f}", "at least 500", uct >= 500)
        late = found["worst"] - found["clock"]
        told = f"at most {1000 * late:.0f} ms late in {found['matches']} matches, {found['turns']} turns"
        self.bar(f"hnefatafl: UCT with a clock of {found['clock']:g} s", told, "less than 1 s late", late < 1)
        self.bar("hnefatafl: load, memory", f"{found['load']:.2f} s, {found['memory']:,.0f} MiB", "")

    def handwritten(self, found: dict[str, dict[str, Any]]) -> None:
        """Compare with what a kernel written by hand reaches."""
        for name, rates in found.items():
            if "problem" in rates:
                self.bar(f"{name}: hand-written / from rules", str(rates["problem"]), "2x", passed=False)
                continue
            told = f"{rates['ratio']:.1f}x ({rates['hand']:,.0f} / {rates['rules']:,.0f} playouts/s)"
            self.bar(f"{name}: hand-written / from rules, one lane", told, "aim 2x")
            told = f"{rates['batch_ratio']:.1f}x ({rates['batch']:,.0f} playouts/s)"
            self.bar(f"{name}: hand-written / from rules, in batches", told, "aim 2x")

    def text(self) -> str:
        """All tables in markdown."""
        return "\n\n".join([table(["what", "measured", "bar", ""], self.bars), *self.tables]) + "\n"


def table(head: list[str], rows: list[list[str]], numbers: Any = ()) -> str:
    """A table in markdown."""
    rule = ["--:" if place in numbers else "---" for place in range(len(head))]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in (head, rule, *rows))


def quantile(values: list[float], share: float) -> float:
    """The value below which this share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


if __name__ == "__main__":
    sys.exit(main())
