"""A tuning under way, and what came out of it: a bar with the best so far, and a table of parameters."""

from __future__ import annotations

from math import isfinite
from time import monotonic

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ludarium.arena.tournament.tournament import Progress as Far
from ludarium.terminal.standings import how_far
from ludarium.tune import Progress, Tuned
from ludarium.tune.measure import Measure
from ludarium.tune.outcome import SEARCH
from ludarium.tune.problem import Problem

_LINE_SECONDS = 30.0  # between two lines where nothing can be drawn over
_RANK_SECONDS = 1.0  # between two looks at what is best
_BAR = 28
_STOPPING = "Ctrl-C: the evaluations in progress will be finished. Press it again to abandon them."


class Watch:
    """Shows a tuning while it runs: a bar and the best in a terminal, a line now and then elsewhere."""

    def __init__(self, console: Console, problem: Problem, *, quiet: bool = False) -> None:
        self.console, self.problem, self.quiet = console, problem, quiet
        self._told: Progress | None = None
        self._best = ""
        self._next_look = self._next_line = monotonic()
        self._stopping = False
        self._live: Live | None = None

    def __enter__(self) -> Watch:
        self._next_line = monotonic() + _LINE_SECONDS
        if self.console.is_terminal and not self.quiet:
            self._live = Live(console=self.console, get_renderable=self.view, refresh_per_second=4, transient=True)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, progress: Progress) -> None:
        """Take in what a tuning tells."""
        self._told = progress
        if self.quiet:
            return
        if progress.stopping and not self._stopping:
            self._stopping = True
            if self._live is None:
                self.console.print(_STOPPING, soft_wrap=True)
            return
        if monotonic() >= self._next_look:
            self._best = self._looked(progress)
            self._next_look = monotonic() + _RANK_SECONDS
        if self._live is None and monotonic() >= self._next_line:
            self._next_line = monotonic() + _LINE_SECONDS
            self.console.print(f"{said(progress)}; {self._best}", markup=False, soft_wrap=True)

    def view(self) -> Group:
        """Draw the bar and the best so far."""
        told = self._told
        if told is None:
            return Group(Text("starting …", "dim"))
        bar = Table.grid(padding=(0, 2, 0, 0))
        bar.add_row(ProgressBar(total=max(1, told.total), completed=told.done, width=_BAR), said(told))
        parts: list[Table | Text] = [bar, Text(self._best)]
        if told.stopping:
            parts.append(Text(_STOPPING, "yellow"))
        return Group(*parts)

    def _looked(self, progress: Progress) -> str:
        ranking = progress.ranking()
        if not ranking:
            return ""
        best = ranking[0]
        name = self.problem.named(self.problem.space.config(best.point))
        return f"best so far: {name}, {self.problem.goal} about {best.estimate:.3f}"


def said(progress: Progress) -> str:
    """Say how far a tuning is.

    >>> said(Progress("check", 60, 20, 200, 10.0, list))
    'checking: 60 of 200, 4.0/s, 35 s left'
    """
    played = max(0, progress.done - progress.before)
    far = Far(None, played, progress.done - played, progress.total, progress.seconds)
    return f"{'searching' if progress.phase == SEARCH else 'checking'}: {how_far(far)}"


def result_table(tuned: Tuned) -> Table:
    """Show the best configuration beside what there was, and what both are worth."""
    table = Table("", box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    names = ["best"] + (["before"] if tuned.problem.given else [])
    for name in names:
        table.add_column(name, justify="right")
    for name, value in tuned.config.items():
        before = [Text(_text(tuned.problem.before.get(name, "default")))] if tuned.problem.given else []
        table.add_row(Text(name, "bold"), Text(_text(value), "bold"), *before)
    table.add_section()
    blank = [""] if tuned.problem.given else []
    table.add_row(f"{tuned.problem.goal}, estimated", f"{tuned.best.estimate:.3f}", *blank)
    if tuned.measured is not None:
        both = [tuned.measured] + ([tuned.given] if tuned.problem.given and tuned.given else [])
        table.add_row(f"{tuned.problem.goal}, measured anew", *(Text(f"{each.mean:.3f}", "bold") for each in both))
        table.add_row("95 % interval", *(_interval(each) for each in both))
        table.add_row("evaluations", *(f"{each.count:,}" for each in both))
    return table


def _interval(measure: Measure) -> str:
    return f"{measure.low:.3f} to {measure.high:.3f}" if isfinite(measure.low) else "not known"


def _text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
