"""Two checkouts at the same work on one core, so that whatever slows the machine down slows down both.

In every round each side has processes of its own: where things happen to lie in memory differs from round to round. Work that
goes on takes turns of a few milliseconds, A B B A A B B A; whole processes run at the same time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from comparison.ratio import Pairs
from comparison.starts import EMPTY, Start

BENCHMARKS = Path(__file__).parent.parent
TURN = 0.005  # CPU seconds of a turn: with 0.05 the ratios of rounds vary five times as much on a busy machine
ROUND = 0.25  # CPU seconds of each side in a round
FEWEST = 16  # turns in a round, however long they take


class Failed(Exception):
    """A checkout cannot do what is to be measured."""


@dataclass(frozen=True)
class Checkout:
    """A folder that Ludarium is checked out in, and one for the machine code of its kernels."""

    folder: Path
    store: Path

    def process(self, arguments: list[str], number: int, store: Path | None = None) -> Process:
        """Start Python in some round; both sides hash strings alike in it."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "LUDARIUM"))}
        path = os.pathsep.join(map(str, (self.folder / "src", BENCHMARKS)))
        own = {"PYTHONPATH": path, "PYTHONHASHSEED": str(number), "LUDARIUM_CACHE": str(store or self.store)}
        return Process(self, [sys.executable, *arguments], kept | own)


class Process:
    """A process of a checkout: it is told something, and answers."""

    def __init__(self, checkout: Checkout, command: list[str], environment: dict[str, str]) -> None:
        self.checkout = checkout
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
        pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self._errors}
        self._process = subprocess.Popen(command, env=environment, text=True, **pipes)

    def rate(self, count: int) -> float:
        """Let it work; units per CPU second."""
        units, seconds = self.work(count)
        return units / seconds

    def work(self, count: int) -> tuple[float, float]:
        """Let it work; units, and CPU seconds."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{count}\n")
        self._process.stdin.flush()
        units, seconds = self.answer()
        return units, seconds

    def answer(self) -> Any:
        """Wait for its next word."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._fail()
        return json.loads(line)

    def end(self) -> str:
        """Wait for its end; what it has printed."""
        printed, _ = self._process.communicate()
        if self._process.returncode:
            self._fail()
        return str(printed)

    def _fail(self) -> None:
        self._process.wait()
        self._errors.seek(0)
        said = [line for line in self._errors.read().splitlines() if line.strip()]
        raise Failed(f"{self.checkout.folder}: {said[-1] if said else 'ended without a word'}")

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._errors.close()


@dataclass(frozen=True)
class Plan:
    """How much work to do in a turn, and how many turns each side has in a round."""

    count: int
    turns: int


def plan(name: str, side: Checkout) -> Plan:
    """Find out how long work takes."""
    with worker(name, side, 0) as process:
        ready(process)
        count = 1
        while (taken := process.work(count)[1]) < TURN / 2:
            count *= 2
    each = taken / count
    count = max(1, round(TURN / each))
    return Plan(count, max(FEWEST, round(ROUND / (count * each))))


def work_in_turns(name: str, sides: Sequence[Checkout], number: int, planned: Plan) -> Pairs:
    """Let two processes do the same work in turns; the rates of all pairs of turns."""
    pairs: Pairs = []
    with ExitStack() as stack:
        workers = [stack.enter_context(worker(name, side, number)) for side in sides]
        for process in workers:
            ready(process)
        for turn in range(planned.turns):
            rates = {side: workers[side].rate(planned.count) for side in _order(turn + number)}
            pairs.append((rates[0], rates[1]))
    return pairs


def worker(name: str, side: Checkout, number: int) -> Process:
    """Start a process with work that goes on."""
    return side.process(["-m", "comparison.worker", name], number)


def ready(process: Process) -> None:
    """Wait until a worker is prepared; it must have the package of its checkout."""
    package = Path(process.answer())
    if process.checkout.folder not in package.parents:
        raise Failed(f"{process.checkout.folder} was to be measured, but {package} was imported")


def start_together(start: Start, sides: Sequence[Checkout], number: int) -> Pairs:
    """Run two whole processes at the same time, more than once if they are short; the inverse of their CPU seconds."""
    pairs: Pairs = []
    spent = 0.0
    while spent < ROUND / 2:
        with tempfile.TemporaryDirectory() as fresh, ExitStack() as stack:
            running = {}
            for side in _order(number + len(pairs)):
                store = Path(fresh) / str(side) if start.store == EMPTY else None
                running[side] = stack.enter_context(sides[side].process(["-c", start.timed], number, store))
            seconds = [float(running[side].end().split()[-1]) for side in (0, 1)]
        pairs.append((1 / seconds[0], 1 / seconds[1]))
        spent += seconds[0]
    return pairs


def fill(start: Start, side: Checkout) -> None:
    """Let a process store the machine code that others are to find."""
    with side.process(["-c", start.fills], 0) as process:
        process.end()


def _order(turn: int) -> tuple[int, int]:
    return (1, 0) if turn % 2 else (0, 1)
