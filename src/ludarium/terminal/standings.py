"""A tournament under way: how far it is, how fast, how long it will take, and who is ahead so far."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ludarium.arena.series import wilson
from ludarium.arena.tournament.tournament import Progress
from ludarium.core import Match

_LINE_SECONDS = 30.0  # between two lines where nothing can be drawn over
NARROW = 66
"""Columns: in a narrower terminal, numbers stand below names."""

_BAR = 28
_AROUND = 9  # lines of the screen that are not rows of the table
_STOPPING = "Ctrl-C: the matches in progress will be finished. Press it again to abandon them."


class Standings:
    """What every agent has scored so far, as numbers that are quick to count."""

    def __init__(self, *, budgets: bool = False) -> None:
        self.budgets = budgets
        """Whether agents are told apart by their limits, too."""

        self.scores: dict[str, float] = {}
        self.won: dict[str, int] = {}
        self.drawn: dict[str, int] = {}
        self.plays: dict[str, int] = {}

    def count(self, agent: str, score: float, *, won: int, drawn: int, plays: int = 1) -> None:
        """Add to what an agent has scored; of the plays, so many were won alone and so many were shared."""
        self.scores[agent] = self.scores.get(agent, 0.0) + score
        self.won[agent] = self.won.get(agent, 0) + won
        self.drawn[agent] = self.drawn.get(agent, 0) + drawn
        self.plays[agent] = self.plays.get(agent, 0) + plays

    def add(self, match: Match) -> None:
        """Count a match: the best wins, and several share it."""
        best = max(match.utilities)
        share = 1 / match.utilities.count(best)
        limit = f" [{match.terms.limit}]" if self.budgets and match.terms is not None else ""
        for agent, utility in zip(match.agents, match.utilities, strict=True):
            alone = len(match.utilities) == 1
            score = utility if alone else share * (utility == best)
            self.count(agent + limit, score, won=score == 1, drawn=0 < score < 1)

    def table(self, most: int = 1000, *, narrow: bool = False) -> Table:
        """List the agents, the best first; in a narrow terminal the numbers stand below the names."""
        table = Table("agent", box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
        if narrow:
            table.columns[0].header = "agent: score, 95 % interval, plays; won / drawn / lost"
        for heading in () if narrow else ("plays", "score", "95 % interval", "won / drawn / lost"):
            table.add_column(heading, justify="right", no_wrap=True)
        plays = dict(self.plays)  # the match that ends just now must not disturb the list
        order = sorted(plays, key=lambda agent: -self.scores.get(agent, 0.0) / plays[agent])
        for agent in order[:most]:
            rate = min(1.0, self.scores.get(agent, 0.0) / plays[agent])
            won, drawn = self.won.get(agent, 0), self.drawn.get(agent, 0)
            parts = (100 * each / plays[agent] for each in (won, drawn, plays[agent] - won - drawn))
            outcomes = " / ".join(f"{part:.1f}" for part in parts) + " %"
            low, high = wilson(rate, plays[agent])
            interval = f"{100 * low:.1f} to {100 * high:.1f} %"
            if narrow:
                told = f"\n  {rate:.1%}, {interval}, {plays[agent]:,}\n  {outcomes}"
                table.add_row(Text(agent, "bold", overflow="fold").append(told, "not bold"))
            else:
                table.add_row(Text(agent, "bold"), f"{plays[agent]:,}", Text(f"{rate:.1%}", "bold"), interval, outcomes)
        if len(order) > most:
            table.add_row(Text(f"… {len(order) - most} more", "dim"))
        return table


class Watch:
    """Shows a run while it runs: a bar and a table in a terminal, a line now and then elsewhere."""

    def __init__(
        self,
        console: Console,
        standings: Standings,
        title: str = "",
        *,
        quiet: bool = False,
        stored: Callable[[Match], None] = lambda _: None,
    ) -> None:
        self.stored = stored  # is handed every match
        self.console, self.standings, self.title, self.quiet = console, standings, title, quiet
        self._told: Progress | None = None
        self._next = monotonic() + _LINE_SECONDS
        self._stopping = False
        self._live: Live | None = None

    def __enter__(self) -> Watch:
        if self.console.is_terminal and not self.quiet:
            self._live = Live(console=self.console, get_renderable=self.view, refresh_per_second=4, transient=True)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, progress: Progress) -> None:
        """Take in what a run tells."""
        if self._told is None and self.title and not self.quiet:
            self.console.print(self.title, style="dim", markup=False, soft_wrap=True)
        self._told = progress
        if progress.match is not None:
            self.standings.add(progress.match)
            self.stored(progress.match)
        if self._live is not None or self.quiet:
            return
        if progress.stopping and not self._stopping:
            self._stopping = True
            self.console.print(_STOPPING, soft_wrap=True)
        if monotonic() >= self._next:
            self._next = monotonic() + _LINE_SECONDS
            self.console.print(how_far(progress), soft_wrap=True)

    def view(self) -> Group:
        """Draw the bar and the table so far."""
        told = self._told
        if told is None:
            return Group(Text("starting …", "dim"))
        bar = Table.grid(padding=(0, 2, 0, 0))
        bar.add_row(ProgressBar(total=max(1, told.total), completed=told.done, width=_BAR), how_far(told))
        parts: list[Table | Text] = [bar]
        if self.standings.plays:
            rows = max(1, self.console.height - _AROUND)
            narrow = self.console.width < NARROW
            parts.append(self.standings.table(rows // 3 if narrow else rows, narrow=narrow))
        if told.stopping:
            parts.append(Text(_STOPPING, "yellow"))
        return Group(*parts)


def how_far(progress: Progress) -> str:
    """Say how much is done, how fast, and how long the rest will take.

    >>> how_far(Progress(None, played=60, before=20, total=200, seconds=10.0))
    '80 of 200, 6.0/s, 20 s left'
    """
    done = f"{progress.done:,} of {progress.total:,}"
    if not progress.played or progress.seconds <= 0:
        return done
    rate = progress.played / progress.seconds
    left = (progress.total - progress.done) / rate
    return f"{done}, {per_second(rate)}, {in_words(left)} left"


def per_second(rate: float) -> str:
    """Write how often per second, or per minute or hour if that is rare.

    >>> per_second(1234.5), per_second(17.31), per_second(0.05), per_second(0.001)
    ('1,234/s', '17.3/s', '3.0/min', '3.6/h')
    """
    for each, unit in ((rate, "s"), (60 * rate, "min")):
        if each >= 1:
            return f"{each:,.0f}/{unit}" if each >= 100 else f"{each:.1f}/{unit}"
    return f"{3600 * rate:.1f}/h"


def in_words(seconds: float) -> str:
    """Write a time that nobody needs to the second.

    >>> in_words(20), in_words(125), in_words(7300), in_words(200000)
    ('20 s', '2 min 5 s', '2 h 1 min', '2 d 7 h')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    for size, name, small, small_name in ((86400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s")):
        if whole >= size:
            return f"{whole // size} {name} {whole % size // small} {small_name}"
    return ""
