"""An evolution under way: which generation, teachers of each role, who dominates, how fit the best are, how long it takes."""

from __future__ import annotations

from time import monotonic

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ludarium.evolve.run import Evolution

_LINE_SECONDS = 30.0  # between two lines where nothing can be drawn over
_BAR = 28


class Watch:
    """Shows an evolution while it runs: a bar and a table in a terminal, a line now and then elsewhere."""

    def __init__(self, console: Console, *, quiet: bool = False, what: str = "") -> None:
        self.console, self.quiet, self.what = console, quiet, what
        self._seen: Evolution | None = None
        self._began, self._first, self._bouts = monotonic(), -1, 0
        self._next_line = monotonic() + _LINE_SECONDS
        self._live: Live | None = None

    def __enter__(self) -> Watch:
        if self.console.is_terminal and not self.quiet:
            self._live = Live(console=self.console, get_renderable=self.view, refresh_per_second=4, transient=True)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, evolution: Evolution) -> None:
        """Take in another generation."""
        if self._first < 0:
            self._first = len(evolution.history) - 1
        self._bouts += evolution.history[-1].bouts
        self._seen = evolution
        if self._live is None and not self.quiet and monotonic() >= self._next_line:
            self._next_line = monotonic() + _LINE_SECONDS
            self.console.print(self.said(), markup=False, soft_wrap=True)

    def said(self) -> str:
        """Say how far it is, in a line."""
        seen = self._seen
        if seen is None:
            return f"{self.what}starting …"
        lived = len(seen.history)
        took = max(1e-9, monotonic() - self._began)
        left = took / max(1, lived - self._first) * (seen.settings.generations - lived)
        teachers = ", ".join(f"{name} {n}" for name, n in zip(seen.game.roles, seen.history[-1].teachers, strict=True))
        return (
            f"{self.what}generation {lived} of {seen.settings.generations}; teachers: {teachers}; "
            f"{self._bouts / took:,.0f} matches/s; about {left / 60:.1f} min left"
        )

    def view(self) -> Group:
        """Draw the bar, and a row for each role."""
        seen = self._seen
        if seen is None:
            return Group(Text(self.said(), "dim"))
        bar = Table.grid(padding=(0, 2, 0, 0))
        total = seen.settings.generations
        bar.add_row(ProgressBar(total=total, completed=len(seen.history), width=_BAR), self.said())
        table = Table(box=None, padding=(0, 2, 0, 0))
        for head in ("role", "teachers", "best fitness", "dominates"):
            table.add_column(head)
        last = seen.history[-1]
        for role, name in enumerate(seen.game.roles):
            mark = "yes" if last.undominated == role else ""
            table.add_row(name, str(last.teachers[role]), f"{last.best[role]:.2f}", mark)
        return Group(bar, table)
