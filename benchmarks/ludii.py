"""Ludii's library: which games play exactly as Ludii recorded them, how fast they play, and how fast they load.

    python benchmarks/ludii.py replay ../shared/data/ludii      # replays all trials, and lists the games in the docs
    python benchmarks/ludii.py speed ../shared/data/ludii       # random playouts against speed.csv
    python benchmarks/ludii.py load ../shared/data/ludii        # how long games take to load; --cold: without stored code
    python benchmarks/ludii.py twins ../shared/data/ludii       # games that are also kernels or in GDL: random playouts of both

The folder holds Ludii's library (`lud`, `def`), recorded `trials`, `index.csv` and `speed.csv`. All times are CPU time of
one core. `replay --only TEXT` looks at games whose path contains a text, `--again` at those that did not agree the last
time; the rest is taken from the list.
"""

import argparse
import csv
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

LISTS = Path(__file__).parent.parent / "docs" / "ludii-games.csv"
PATIENCE = 120  # seconds of CPU time for the trials of one game
CATEGORIES = 2  # parts of a path
TWINS = {
    "breakthrough": ("breakthrough", "gdl:breakthrough"),
    "Breakthrough": ("breakthrough",),
    "knightthrough": ("gdl:knightthrough",),
    "connect-four": ("connect-four", "gdl:connect-four"),
    "Connect Four": ("connect-four",),
    "tic-tac-toe": ("tic-tac-toe", "gdl:tic-tac-toe"),
    "Tic-Tac-Toe": ("tic-tac-toe", "gdl:tic-tac-toe"),
    "checkers": ("gdl:checkers",),
    "English Draughts": ("gdl:checkers",),
    "hex": ("gdl:hex",),
    "reversi": ("gdl:reversi",),
    "Reversi": ("gdl:reversi",),
    "chess": ("gdl:chess",),
    "tablut": ("gdl:tablut",),
    "brandubh": ("gdl:brandubh",),
    "eight-puzzle": ("gdl:eight-puzzle",),
}
"""Games in Ludii's language and the same as kernels or in GDL, on the same board; those with capitals are of Ludii's library."""

ROUNDS = 5  # in which both of a pair are measured in turns


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["replay", "speed", "load", "twins", "one"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="games whose path contains this")
    parser.add_argument("--again", action="store_true", help="only games that did not agree the last time")
    parser.add_argument("--cold", action="store_true", help="load with an empty code store")
    parser.add_argument("--any", action="store_true", help="speed: also of games that are not listed as agreeing")
    parser.add_argument("--workers", type=int, default=2, help="processes that replay")
    parser.add_argument("--most", type=int, default=10**9, help="at most so many games")
    given = parser.parse_args()
    os.environ["LUDARIUM_LUDII"] = str(given.folder)
    {"replay": replay_all, "speed": speed, "load": load_times, "twins": twins, "one": load_one}[given.what](given)


def games(folder):
    """The rows of the index that have trials."""
    with (folder / "index.csv").open() as file:
        return [row for row in csv.DictReader(file) if int(row["trials"]) > 0]


def listed():
    """What was found the last time, by path."""
    if not LISTS.exists():
        return {}
    with LISTS.open() as file:
        return {row["game"]: row for row in csv.DictReader(file)}


def replay_all(given):
    before = listed()
    rows = games(given.folder)
    wanted = [row for row in rows if given.only in row["path"]]
    if given.again:
        wanted = [row for row in wanted if before.get(row["path"][:-4], {}).get("outcome") != "agrees"]
    found = dict(before)
    work = [(row["path"], int(row["milestone"])) for row in wanted[: given.most]]
    start = time.perf_counter()
    with ProcessPoolExecutor(given.workers, initializer=unhurried) as pool:
        ahead = [pool.submit(replay_game, each) for each in work]
        for done, future in enumerate(as_completed(ahead), 1):
            path, milestone, outcome, reason, seconds = future.result()
            name = path[:-4]
            found[name] = {"game": name, "milestone": milestone, "outcome": outcome, "reason": reason}
            print(f"{done}/{len(work)} {seconds:.1f} s {outcome} {name} {reason}", flush=True)
            write(found)  # as it goes: what was found survives being stopped
    report(found)
    print(f"{len(work)} games, {given.workers} processes: {time.perf_counter() - start:.0f} s on the clock")


def unhurried():
    """Let a process have no code optimised: two trials are over before that pays."""
    from ludarium.kernel.machine.optimiser import OPTIMISER

    OPTIMISER.close()


def replay_game(work):
    """What the trials of one game say of it, and the CPU time that took."""
    start = time.process_time()
    outcome, reason = outcome_of(work[0])
    return *work, outcome, reason, time.process_time() - start


def outcome_of(path):
    from ludarium.core import LudariumError
    from ludarium.ludii.trial.check import AGREES, check

    folder = Path(os.environ["LUDARIUM_LUDII"]) / "trials" / path[:-4]
    signal.signal(signal.SIGPROF, too_late)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        for file in sorted(folder.glob("*.xz")):
            verdict = check(file)
            if verdict.outcome != AGREES:
                reason = str(verdict.difference or verdict.reason).partition(" at ")[0]
                reason = re.sub(r"\S*/(?=[^/ ]+\.py:)", "", reason)  # the folder says where this is run
                return verdict.outcome, reason[:160]
    except TimeoutError:
        return "unsupported", f"its trials take longer than {PATIENCE} s"
    except LudariumError as problem:
        return "unsupported", str(problem).splitlines()[0][:160]
    except Exception as problem:  # noqa: BLE001  # a mistake of ours must not end the list
        return "crashes", f"{type(problem).__name__}: {problem}"[:160]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return "agrees", ""


def too_late(*_):
    raise TimeoutError


def write(found):
    LISTS.parent.mkdir(exist_ok=True)
    fresh = LISTS.with_suffix(".new")
    with fresh.open("w", newline="") as file:
        out = csv.DictWriter(file, ["game", "milestone", "outcome", "reason"], lineterminator="\n")
        out.writeheader()
        out.writerows(found[name] for name in sorted(found))
    fresh.replace(LISTS)


def report(found):
    by_milestone = defaultdict(Counter)
    for row in found.values():
        by_milestone[int(row["milestone"])][row["outcome"]] += 1
    print("| milestone | games | agree | differ | not supported | crash |\n|---|--:|--:|--:|--:|--:|")
    for milestone, counts in sorted(by_milestone.items()):
        numbers = [sum(counts.values()), *(counts[each] for each in ("agrees", "differs", "unsupported", "crashes"))]
        print("|", " | ".join(map(str, [milestone, *numbers])), "|")


def speed(given):
    from ludarium import agent
    from ludarium.arena.speed import playout_speed, search_speed
    from ludarium.core import LudariumError
    from ludarium.ludii.game import from_text
    from ludarium.ludii.library import library_of_user

    agree = {name for name, row in listed().items() if row["outcome"] == "agrees"}
    library, ratios, searches = library_of_user(), {}, []
    with (given.folder / "speed.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if given.only in row["path"]]
    print(
        "| game | playouts per CPU second | Ludii's | ratio | moves in a playout | Ludii's | UCT iterations | ratio |\n"
        "|---|--:|--:|--:|--:|--:|--:|--:|"
    )
    for row in [row for row in rows if given.any or row["path"][:-4] in agree][: given.most]:
        try:
            text, name = library.read(row["path"])
            game = from_text(text, name, (), library.defines)
            measured = playout_speed(game, seconds=0.5)
            searched = search_speed(game, agent("uct"), seconds=0.5) if game.traits.perfect_information else None
        except LudariumError as problem:
            print(f"| {row['game']} | {str(problem).splitlines()[0]} |||||||", flush=True)
            continue
        theirs, moves = float(row["playouts_per_cpu_s"]), float(row["mean_moves"])
        ratios[row["path"]] = measured.rate / theirs
        numbers = f"{measured.rate:,.0f} | {theirs:,.1f} | {ratios[row['path']]:.1f}"
        line = f"| {row['game']} | {numbers} | {measured.plies / measured.count:.1f} | {moves:.1f} |"
        if searched is not None and searched.count and row["uct_iterations_per_cpu_s"]:  # not of a single move
            searches.append(searched.rate / float(row["uct_iterations_per_cpu_s"]))
            line += f" {searched.rate:,.0f} | {searches[-1]:.1f} |"
        print(line, flush=True)
    if not ratios:
        sys.exit("none of the games in speed.csv is listed as agreeing")
    _tell("playouts", list(ratios.values()))
    if searches:
        _tell("UCT iterations", searches)
    _tell_kinds(ratios)


def _tell(what, ratios):
    above = sum(ratio >= 2 for ratio in ratios) / len(ratios)
    median = statistics.median(ratios)
    print(f"{what}, {len(ratios)} games: median {median:.1f}x, {above:.0%} at least 2x, least {min(ratios):.1f}x")


def _tell_kinds(ratios):
    """How much of each kind of games is claimed, and how fast those of them are that were measured."""
    print("\n| kind | games with trials | agree | differ | refused | measured | median against Ludii |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    rows = listed().values()
    for kind in sorted({_kind(row["game"]) for row in rows}):
        found = Counter(row["outcome"] for row in rows if _kind(row["game"]) == kind)
        measured = [ratio for path, ratio in ratios.items() if _kind(path) == kind]
        counts = " | ".join(str(found[outcome]) for outcome in ("agrees", "differs", "unsupported"))
        fast = f"{statistics.median(measured):.0f}x" if measured else "-"
        print(f"| {kind} | {found.total()} | {counts} | {len(measured)} | {fast} |")


def _kind(path):
    first, second, *_ = path.split("/")
    return f"{first}, {second}" if first == "board" else first


def twins(given):
    """How many random playouts a game makes in Ludii's language, and the same game otherwise, in turns."""
    from ludarium import game
    from ludarium.arena.speed import playout_speed

    print("| lud: | other | playouts per CPU second | other's | ratio | moves in a playout | other's |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for name, others in TWINS.items():
        for other in others if given.only in name else ():
            pair = game(f"lud:{name}"), game(other)
            found = [[playout_speed(each, seconds=0.2) for each in pair] for _ in range(ROUNDS)]
            ratio = statistics.median(theirs.rate / ours.rate for ours, theirs in found)
            rates = [f"{statistics.median(each[k].rate for each in found):,.0f}" for k in (0, 1)]
            moves = [
                f"{sum(each[k].plies for each in found) / sum(each[k].count for each in found):.1f}" for k in (0, 1)
            ]
            print("|", " | ".join([name, other, *rates, f"{ratio:.2f}", *moves]), "|", flush=True)


def load_times(given):
    agree = [name for name, row in sorted(listed().items()) if row["outcome"] == "agrees" and given.only in name]
    times = []
    for name in agree[:: max(1, len(agree) // min(given.most, len(agree)))]:
        with tempfile.TemporaryDirectory() as store:
            environment = dict(os.environ) | ({"LUDARIUM_CACHE": store} if given.cold else {})
            command = [sys.executable, __file__, "one", str(given.folder), "--only", name]
            if not given.cold:
                subprocess.run(command, env=environment, capture_output=True, check=True)
            answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        times.append(float(answer.stdout))
    times.sort()
    median, most = times[len(times) // 2], times[int(0.9 * len(times))]
    print(f"{len(times)} games: median {median:.2f} s, 90 % within {most:.2f} s, longest {times[-1]:.2f} s")


def load_one(given):
    """Load one game in this process, to its first legal moves: the CPU time without the start of Python."""
    from ludarium.core import Rng
    from ludarium.ludii.game import from_text
    from ludarium.ludii.library import library_of_user

    library = library_of_user()
    start = time.process_time()
    text, file = library.read(f"{given.only}.lud")
    game = from_text(text, file, (), library.defines)
    state = game.initial(Rng(1))
    state.legal(state.movers[0])
    print(time.process_time() - start)


if __name__ == "__main__":
    main()
