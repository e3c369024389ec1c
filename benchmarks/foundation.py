"""How fast the foundation is: against plain Python, OpenSpiel and C, and from process start to a move.

    python benchmarks/foundation.py [--quick]

Prints tables in markdown, with the bar that a figure has to clear. A ratio compares contestants that took
turns within one run on one core (A B C A B C ...); it is the median over the rounds, with the lowest and the
highest in brackets. All times are CPU times: a busy machine blurs them, but does not count. Needs the extra
[bench], and gcc for the comparison with C; what is missing is left out, and said so. The exit code counts the
bars that were missed.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import process_time
from typing import Any

import numpy as np
import plain_python

from ludarium import agent, game
from ludarium.core import InformationSet, Limit, Rng
from ludarium.kernel import Stream, Table, bridge, copy, i64, kernel, u8, view

try:
    import pyspiel
    from open_spiel.python.algorithms import mcts
except ImportError:
    pyspiel = None

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from tests.reference.breakthrough import Breakthrough  # noqa: E402
from tests.reference.connect_four import ConnectFour  # noqa: E402

SEED = 7
ITERATIONS = 1000
HEAVY = ("pandas", "scipy", "sklearn", "matplotlib")
KERNEL_FOLDER = HERE.parent / "src" / "ludarium" / "kernel"


@dataclass(frozen=True)
class Subject:
    """A game under the names that others know it by."""

    name: str
    open_spiel: str
    python: Callable[[Random], int]
    reference: Callable[[], Any]
    source: str


SUBJECTS = (
    Subject("connect-four", "connect_four", plain_python.connect_four, ConnectFour, "connect_four.c"),
    Subject("breakthrough", "breakthrough", plain_python.breakthrough, Breakthrough, "breakthrough.c"),
)

Work = Callable[[int], object]
"""Does so many units of work: playouts, or decisions."""


@dataclass(frozen=True)
class Effort:
    """How long to measure: rounds, CPU seconds of each turn in a round, and processes started per figure."""

    rounds: int
    seconds: float
    starts: int


@dataclass
class Report:
    """Tables as they are printed, and how many bars were missed."""

    missed: int = 0
    compared: list[list[str]] = field(default_factory=list)
    measured: list[list[str]] = field(default_factory=list)

    def ratio(self, what: str, ours: list[float], theirs: list[float], least: float | None = None) -> None:
        """Compare two contestants round by round."""
        ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
        middle = median(ratios)
        bar = "" if least is None else f"at least {least:g}x"
        self.compared.append([
            what, _rate(median(ours)), _rate(median(theirs)),
            f"{_short(middle)}x ({_short(min(ratios))} to {_short(max(ratios))})", bar,
            self._verdict(None if least is None else middle >= least),
        ])  # fmt: skip

    def figure(self, what: str, value: float, unit: str = "", most: float | None = None) -> None:
        """State a figure that has to stay below a bar."""
        bar = "" if most is None else f"at most {most:g}{unit}"
        shown = f"{value:.3f}{unit}" if unit else f"{value:g}"
        self.measured.append([what, shown, bar, self._verdict(None if most is None else value <= most)])

    def _verdict(self, passed: bool | None) -> str:  # noqa: FBT001
        self.missed += passed is False
        return "" if passed is None else "pass" if passed else "FAIL"

    def show(self) -> None:
        """Print everything."""
        head = ["comparison", "ours, per CPU second", "other, per CPU second", "ratio", "bar", ""]
        _print_table(head, self.compared, numbers=(1, 2))
        print()
        _print_table(["cost", "measured", "bar", ""], self.measured, numbers=(1,))


def main() -> int:
    """Measure, print, and answer how many bars were missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a rough answer in half a minute")
    quick = parser.parse_args().quick
    effort = Effort(rounds=5, seconds=0.03, starts=2) if quick else Effort(rounds=41, seconds=0.1, starts=9)
    one_core()
    report = Report()
    with tempfile.TemporaryDirectory() as scratch:
        for subject in SUBJECTS:
            compare_playouts(subject, effort, report, Path(scratch))
        for subject in SUBJECTS:
            compare_search(subject, effort, report)
        measure_starts(effort, report, Path(scratch))
    report.figure("lines in src/ludarium/kernel", sum(map(lines, KERNEL_FOLDER.glob("*.py"))), most=2000)
    report.show()
    for missing in [*([] if pyspiel else ["OpenSpiel"]), *([] if shutil.which("gcc") else ["gcc"])]:
        print(f"\n{missing} is not installed: nothing was compared with it.")
    return min(report.missed, 100)


# Playouts


@kernel
def playouts(table: Table, start: view[u8], state: view[u8], rng: Stream, count: i64) -> i64:
    """Play random games from one state; the number of plies."""
    plies = 0
    for _i in range(count):
        copy(state, start)
        plies += table.playout(state, rng, 1000)
    return plies


def compare_playouts(subject: Subject, effort: Effort, report: Report, scratch: Path) -> None:
    """Random games from the start: our native loop, the same in C, plain Python, and OpenSpiel's states."""
    reached = bridge(game(subject.name))
    start = bytes(reached.block(game(subject.name).initial()))
    state = bytearray(len(start))
    rng, random = Rng(SEED), Random(SEED)

    def ours(count: int, rng: Rng = rng) -> int:
        return playouts(reached.table, start, state, rng, count)

    contestants: dict[str, Work] = {"ours": ours}
    for flags in ("-O2", "-O3 -march=native"):
        native = compiled(subject.source, flags, scratch)
        if native is None:
            break
        contestants[f"C, gcc {flags}"] = translated(native, start, rng)
        one, other = Rng(SEED), Rng(SEED)
        plies, wanted = translated(native, start, one)(10_000), ours(10_000, other)
        if plies != wanted or one.words != other.words:
            raise SystemExit(f"{subject.source} is no translation: {plies} plies, not {wanted}")
    contestants["plain Python, bit boards"] = lambda count: sum(subject.python(random) for _ in range(count))
    contestants["plain Python, as one writes it first"] = reference_loop(subject, random)
    if pyspiel:
        contestants["OpenSpiel states, Python loop"] = open_spiel_loop(subject, random)
    same_rules(subject, contestants)
    rates = take_turns(contestants, effort)
    bars = {"C, gcc -O2": 0.8} | ({"plain Python, bit boards": 100.0} if subject.name == "connect-four" else {})
    for other in list(rates)[1:]:
        report.ratio(f"{subject.name} playouts / {other}", rates["ours"], rates[other], bars.get(other))


def compiled(source: str, flags: str, scratch: Path) -> ctypes.CDLL | None:
    """Compile a C file; None without gcc."""
    if shutil.which("gcc") is None:
        return None
    library = scratch / f"{source}{flags.replace(' ', '')}.so"
    subprocess.run(["gcc", *flags.split(), "-shared", "-fPIC", "-o", library, HERE / source], check=True)
    return ctypes.CDLL(str(library))


def translated(native: ctypes.CDLL, start: bytes, rng: Rng) -> Work:
    """The loop over playouts of a C file, on the memory of our own random stream."""
    function = native.playouts
    function.restype = ctypes.c_int64
    function.argtypes = (ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    state = ctypes.create_string_buffer(len(start))
    words, _ = rng.words.buffer_info()
    return lambda count: function(start, state, words, count)


def reference_loop(subject: Subject, random: Random) -> Work:
    """Random games with the slow, obvious states that the tests compare with."""

    def play(count: int) -> int:
        plies = 0
        for _ in range(count):
            state = subject.reference()
            while moves := state.legal():
                state.apply(random.choice(moves))
                plies += 1
        return plies

    return play


def open_spiel_loop(subject: Subject, random: Random) -> Work:
    """Random games with OpenSpiel's states, driven from Python."""
    loaded = pyspiel.load_game(subject.open_spiel)

    def play(count: int) -> int:
        plies = 0
        for _ in range(count):
            state = loaded.new_initial_state()
            while not state.is_terminal():
                state.apply_action(random.choice(state.legal_actions()))
                plies += 1
        return plies

    return play


def same_rules(subject: Subject, contestants: dict[str, Work]) -> None:
    """Stop if a contestant's games are not as long as ours on average: six standard errors of 1,000 games."""
    expected, error = {"connect-four": (21.3, 1.3), "breakthrough": (64.0, 2.2)}[subject.name]
    for name, work in contestants.items():
        mean = float(str(work(1000))) / 1000
        if abs(mean - expected) > error:
            raise SystemExit(f"{name} plays another {subject.name}: {mean} plies on average, not {expected}")


# Search


def compare_search(subject: Subject, effort: Effort, report: Report) -> None:
    """Decisions at the start, with the same number of iterations, by our UCT and OpenSpiel's two bots."""
    played = game(subject.name)
    state = played.initial()
    info = InformationSet(
        game=played, role=0, legal=tuple(state.legal(0)), seen=(state.observe(0),), played=(), state=state
    )
    player = agent("uct").seat(played, 0, Rng(SEED))

    def ours(count: int) -> None:
        for _ in range(count):
            decision = player.choose(info, Limit(iterations=ITERATIONS).start())
            assert decision.iterations == ITERATIONS

    bots = open_spiel_bots(subject) if pyspiel else {}
    rates = take_turns({"ours": ours, **bots}, effort, units=ITERATIONS)
    for other in list(rates)[1:]:
        what = f"{subject.name} UCT iterations, {ITERATIONS} a move / {other}"
        report.ratio(what, rates["ours"], rates[other], 20.0 if "Python" in other else None)


def open_spiel_bots(subject: Subject) -> dict[str, Work]:
    """OpenSpiel's bot in Python and its bot in C++, each with one random rollout per iteration."""
    loaded = pyspiel.load_game(subject.open_spiel)
    state = loaded.new_initial_state()
    random = np.random.RandomState(SEED)
    slow = mcts.MCTSBot(
        loaded, 2.0, ITERATIONS, mcts.RandomRolloutEvaluator(1, random), solve=False, random_state=random
    )
    fast = pyspiel.MCTSBot(
        loaded,
        pyspiel.RandomRolloutEvaluator(1, SEED),
        2.0,
        ITERATIONS,
        1000,
        solve=False,
        seed=SEED,
        verbose=False,
    )

    def decisions(bot: pyspiel.Bot) -> Work:
        return lambda count: [bot.step(state) for _ in range(count)]

    return {"OpenSpiel MCTS in Python": decisions(slow), "OpenSpiel MCTS in C++": decisions(fast)}


# Starts

MOVE = f"""
from ludarium import agent, game
from ludarium.core import InformationSet, Limit, Rng
g = game("%s")
s = g.initial()
info = InformationSet(game=g, role=0, legal=tuple(s.legal(0)), seen=(s.observe(0),), played=(), state=s)
decision = agent("uct").seat(g, 0, Rng({SEED})).choose(info, Limit(iterations={ITERATIONS}).start())
assert decision.iterations == {ITERATIONS}
"""
LOAD = "from ludarium import game; game('%s').initial().movers"
LIGHT = f"""
import sys, ludarium
heavy = [name for name in {HEAVY} if name in sys.modules]
assert not heavy, heavy
"""


def measure_starts(effort: Effort, report: Report, scratch: Path) -> None:
    """CPU seconds of fresh processes; cold means that no compiled code is stored yet."""
    report.figure("a Python process that does nothing", start(effort, "pass"), " s")
    whole = f"import ludarium, whole process; imports no {', '.join(HEAVY)}"
    report.figure(whole, start(effort, LIGHT), " s", 0.3)
    for subject in SUBJECTS:
        loading = f"{subject.name}: process start to the first state"
        both(effort, report, loading, LOAD % subject.name, None, None)
        moving = f"{subject.name}: process start to a UCT move, {ITERATIONS} iterations"
        both(effort, report, moving, MOVE % subject.name, 1.0, 0.5)
    long = scratch / "long_kernels.py"
    long.write_text(long_module())
    code = f"import sys; sys.path.insert(0, {str(scratch)!r}); import long_kernels; long_kernels.check()"
    both(effort, report, f"a kernel module of {lines(long)} lines, whole process", code, 1.5, None)


def both(effort: Effort, report: Report, what: str, code: str, cold: float | None, warm: float | None) -> None:
    """Start with an empty cache, and with a filled one."""
    report.figure(f"{what}, cold", start(effort, code), " s", cold)
    report.figure(f"{what}, warm", start(effort, code, warm=True), " s", warm)


def start(effort: Effort, code: str, *, warm: bool = False) -> float:
    """The median CPU seconds of processes that run this code, each with a new cache or all with one."""
    with tempfile.TemporaryDirectory() as caches:
        if warm:
            run(code, Path(caches))
        return median(run(code, Path(caches) / ("" if warm else str(n))) for n in range(effort.starts))


def run(code: str, cache: Path) -> float:
    """Run code in a fresh process; the CPU seconds of that process and its children."""
    environment = os.environ | {"LUDARIUM_CACHE": str(cache)}
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def long_module() -> str:
    """Write some 500 lines of kernels of many kinds: loops, branches, records, fractions, random numbers."""
    parts = [
        "from ludarium.core import Rng",
        "from ludarium.kernel import Record, Stream, array, below, ctz",
        "from ludarium.kernel import f64, i64, kernel, popcount, sqrt, u8, u64",
    ]
    parts += [PART.replace("#", str(n)) for n in range(1, 12)]
    calls = [f"    total += race{n}(rng, {n})" for n in range(1, 12)]
    head = ["@kernel", "def everything(rng: Stream) -> f64:", "    total = 0.0"]
    parts.append("\n".join([*head, *calls, "    return total\n"]))
    parts.append("def check():\n    assert everything(Rng(7)) > 0\n")
    return "\n\n".join(parts)


PART = '''\
class Field#(Record):
    """A board of small numbers."""

    cells = array(u8, 64)
    taken: u64
    score: f64


@kernel
def prepare#(field: Field#, rng: Stream) -> None:
    for place in range(64):
        field.cells[place] = below(rng, 5 + #)
    field.taken = 0
    field.score = 0.0


@kernel
def around#(field: Field#, place: i64) -> i64:
    total = 0
    if place % 8 > 0:
        total += field.cells[place - 1]
    if place % 8 < 7:
        total += field.cells[place + 1]
    if place >= 8:
        total += field.cells[place - 8]
    if place < 56:
        total += field.cells[place + 8]
    return total


@kernel
def race#(rng: Stream, rounds: i64) -> f64:
    field = Field#()
    prepare#(field, rng)
    for _round in range(rounds):
        free = ~field.taken
        for _skip in range(below(rng, popcount(free))):
            free &= free - 1
        place = ctz(free)
        field.taken |= u64(1) << place
        field.score += sqrt(f64(around#(field, place) + #))
    return field.score
'''


# Measuring


def one_core() -> None:
    """Stay on one core, and let the processes that are started stay there too."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def take_turns(contestants: dict[str, Work], effort: Effort, units: int = 1) -> dict[str, list[float]]:
    """Let contestants work in turns; the rate of each in each round, in units per CPU second."""
    counts = {name: enough(work, effort.seconds) for name, work in contestants.items()}
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(effort.rounds):
        for name, work in contestants.items():
            with stopwatch() as taken:
                work(counts[name])
            rates[name].append(counts[name] * units / taken[0])
    return rates


def enough(work: Work, seconds: float) -> int:
    """How much work takes about so long."""
    count = 1
    while True:
        with stopwatch() as taken:
            work(count)
        if taken[0] > seconds / 4:
            return max(1, round(count * seconds / taken[0]))
        count *= 4


@contextmanager
def stopwatch() -> Iterator[list[float]]:
    """The CPU seconds of a block, in a list when it has ended."""
    taken: list[float] = []
    started = process_time()
    yield taken
    taken.append(process_time() - started)


def lines(file: Path) -> int:
    """The lines of a file."""
    return len(file.read_text().splitlines())


def _rate(value: float) -> str:
    return f"{float(f'{value:.3g}'):,.0f}"


def _short(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def _print_table(head: list[str], rows: list[list[str]], numbers: tuple[int, ...]) -> None:
    rule = ["--:" if n in numbers else "---" for n in range(len(head))]
    for row in (head, rule, *rows):
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    sys.exit(main())
