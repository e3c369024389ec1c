"""The figures of a report: labelled, legible, and told apart by people who see few colours.

Colours are those of `palette`; where lines share a plot, their dashes differ, too. Figures are drawn as SVG, the same
bytes for the same results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO
from math import ceil, nan
from typing import Any

import numpy as np

from ludarium.arena.extras import needs
from ludarium.arena.prove.balance import Seat
from ludarium.arena.prove.intervals import Rate
from ludarium.arena.prove.measures import MARGINS, Pace
from ludarium.arena.prove.meetings import Meetings
from ludarium.arena.prove.ratings import Rating
from ludarium.arena.report.palette import BLACK, BLUE, GREY, GRID, LINES, NOTHING, ORANGE, RED, SHARES, SKY
from ludarium.arena.report.report import FEW_GAMES, Report
from ludarium.arena.results import Numbers

with needs("report"):
    from matplotlib import rc_context
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator, PercentFormatter
    from scipy.stats import t as student

_MOST = 40  # rows that a figure can hold
_STYLE: Any = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.parse_math": False,  # a dollar in a name is a dollar
    "svg.hashsalt": "ludarium",
}


@dataclass(frozen=True)
class Drawing:
    """A figure with its title and the words that stand for it where it cannot be seen."""

    name: str
    title: str
    words: str
    draw: Callable[[], Figure]

    def svg(self) -> str:
        """Draw it as SVG."""
        text = StringIO()
        with rc_context(_STYLE):
            self.draw().savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None})
        return text.getvalue()

    def png(self, dots: int = 100) -> bytes:
        """Draw it as PNG, with so many dots per inch."""
        data = BytesIO()
        with rc_context(_STYLE):
            self.draw().savefig(data, format="png", dpi=dots, bbox_inches="tight", facecolor="white")
        return data.getvalue()


def drawings(report: Report) -> Iterator[Drawing]:
    """List the figures that the results are enough for."""
    what = report.measure
    words = ", ".join(f"{rate.group[0]} {rate.mean:.1%}" for rate in report.rates[:_MOST])
    yield Drawing("rates", what.capitalize(), words, lambda: rates_figure(report.rates, what))
    if report.ratings:
        words = ", ".join(f"{rating.agent} {rating.elo:.0f}" for rating in report.ratings[:_MOST])
        yield Drawing("ratings", "Rating ladder", words, lambda: ratings_figure(report.ratings))
        words = "What each agent scored against each other; the table has the numbers"
        order = [rating.agent for rating in report.ratings][:_MOST]
        yield Drawing("meetings", "Head to head", words, lambda: meetings_figure(report.met, order))
    if report.seats:
        words = ", ".join(f"{seat.game}, {seat.role}: {seat.share:.1%}" for seat in report.seats[:_MOST])
        yield Drawing("balance", "Balance of the games", words, lambda: balance_figure(report.seats))
    if report.margins:
        words = "How far each agent was above or below the best of its opponents"
        yield Drawing(
            "margins", "Score margins", words, lambda: margins_figure(dict(list(report.margins.items())[:12]))
        )
    if report.paces:
        words = "The thinking time of each agent, by ply"
        yield Drawing("paces", "Time per move over the game", words, lambda: paces_figure(report.paces))


def rates_figure(rates: Sequence[Rate], measure: str) -> Figure:
    """Draw scores as bars, the part that was won darker than the part from draws, with both kinds of intervals."""
    rates = rates[:_MOST]
    figure, axes = _rows_of(len(rates), [rate.group[0] for rate in rates])
    rows, means = np.arange(len(rates)), np.array([rate.mean for rate in rates])
    won = np.array([rate.won for rate in rates]) if measure != "utility" else means
    axes.barh(rows, won, height=0.7, color=SKY, label="won" if measure != "utility" else None)
    if np.any(won < means):
        axes.barh(rows, means - won, left=won, height=0.7, color=GREY, alpha=0.5, label="from draws")
    over_games = np.array([_over_games(rate) for rate in rates])
    if not np.isnan(over_games).all():
        reach = [np.minimum(over_games, means), np.minimum(over_games, 1 - means)]
        axes.errorbar(means, rows, xerr=reach, fmt="none", ecolor=ORANGE, elinewidth=5, label="95%, over games")
    reach = [means - [rate.low for rate in rates], [rate.high for rate in rates] - means]
    axes.errorbar(means, rows, xerr=reach, fmt="none", ecolor=BLACK, capsize=3, label="95%, over plays of these games")
    for row, rate in enumerate(rates):
        axes.text(1.02, row, f"{rate.mean:.1%}", va="center", transform=axes.get_yaxis_transform())
    axes.set(xlim=(0, 1), xlabel=measure)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(axis="x", color=GRID)
    axes.set_axisbelow(True)
    _legend_below(axes)
    return figure


def ratings_figure(ratings: Sequence[Rating]) -> Figure:
    """Draw ratings as a ladder, the strongest on top."""
    ratings = ratings[:_MOST]
    figure, axes = _rows_of(len(ratings), [rating.agent for rating in ratings])
    rows, elos = np.arange(len(ratings)), np.array([rating.elo for rating in ratings])
    over_games = np.array([_over_games(rating) for rating in ratings])
    if not np.isnan(over_games).all():
        axes.errorbar(elos, rows, xerr=over_games, fmt="none", ecolor=ORANGE, elinewidth=5, label="95%, over games")
    reach = [elos - [rating.low for rating in ratings], [rating.high for rating in ratings] - elos]
    axes.errorbar(elos, rows, xerr=reach, fmt="o", color=BLUE, ecolor=BLACK, capsize=3, label="95%, over matches")
    for row, rating in enumerate(ratings):
        axes.text(1.02, row, f"{rating.elo:.0f}", va="center", transform=axes.get_yaxis_transform())
    axes.set(xlabel="Elo (400 points: odds of 10 to 1)")
    axes.grid(color=GRID)
    axes.set_axisbelow(True)
    _legend_below(axes)
    return figure


def meetings_figure(met: Meetings, order: Sequence[str]) -> Figure:
    """Draw who came out ahead of whom, as a square of colours and numbers."""
    codes = [met.agents.index(name) for name in order]
    shares = met.shares[np.ix_(codes, codes)]
    side = max(3.0, 0.62 * len(order) + 1)
    figure = Figure(figsize=(side + 1, side), layout="constrained")
    axes = figure.add_subplot()
    axes.set_facecolor(NOTHING)
    picture = axes.imshow(shares, cmap=SHARES, vmin=0, vmax=1)
    names = [short(name) for name in order]
    axes.set_yticks(range(len(names)), names)
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right", rotation_mode="anchor")
    axes.set(xlabel="against", ylabel="agent")
    for side_name in ("left", "bottom"):
        axes.spines[side_name].set_visible(False)
    if len(order) <= 20:
        for row, column in np.argwhere(~np.isnan(shares)):
            share = shares[row, column]
            ink = "white" if abs(share - 0.5) > 0.3 else "black"
            axes.text(column, row, f"{100 * share:.0f}", ha="center", va="center", color=ink)
    bar = figure.colorbar(picture, ax=axes, shrink=0.8, format=PercentFormatter(1))
    bar.set_label("score of the row, a draw counts half")
    return figure


def balance_figure(seats: Sequence[Seat]) -> Figure:
    """Draw what roles score against what is fair, the most unfair on top."""
    seats = sorted(seats, key=lambda seat: -abs(seat.advantage))[:_MOST]
    figure, axes = _rows_of(len(seats), [f"{seat.game}, {seat.role}" for seat in seats])
    for unfair, colour, label, marker in ((False, BLUE, "may be fair", "o"), (True, RED, "unfair", "D")):
        rows = [row for row, seat in enumerate(seats) if seat.unfair == unfair]
        if rows:
            shares = np.array([seats[row].share for row in rows])
            reach = [shares - [seats[row].low for row in rows], [seats[row].high for row in rows] - shares]
            axes.errorbar(shares, rows, xerr=reach, fmt=marker, color=colour, capsize=3, label=label)
    axes.plot([seat.fair for seat in seats], range(len(seats)), "|", color=BLACK, markersize=14, label="a fair share")
    axes.set(xlim=(-0.02, 1.02), xlabel="score of the role (a draw counts in part)")
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(axis="x", color=GRID)
    axes.set_axisbelow(True)
    _legend_below(axes)
    return figure


def margins_figure(histograms: Mapping[str, Numbers]) -> Figure:
    """Draw for each agent how often it ended how far above or below its best opponent."""
    across = min(4, len(histograms))
    down = ceil(len(histograms) / across)
    figure = Figure(figsize=(2.6 * across + 0.6, 1.9 * down + 0.7), layout="constrained")
    grid = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
    margin = np.linspace(-1, 1, MARGINS)
    colours = np.where(margin < -1e-9, ORANGE, np.where(margin > 1e-9, BLUE, GREY))
    for axes in grid.flat[len(histograms) :]:
        axes.set_visible(False)
    for axes, (name, histogram) in zip(grid.flat, histograms.items(), strict=False):
        axes.bar(margin, histogram, width=1.6 / (MARGINS - 1), color=colours)
        axes.set_title(short(name, 28), fontsize=10)
        axes.set_xticks([-1, -0.5, 0, 0.5, 1])
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes.tick_params(labelbottom=True)
    figure.supxlabel("own utility minus that of the best opponent", fontsize=10)
    figure.supylabel("matches", fontsize=10)
    return figure


def paces_figure(paces: Sequence[Pace]) -> Figure:
    """Draw thinking times along the game: the median as a line, 8 of 10 decisions as a band."""
    paces = sorted(paces, key=lambda pace: -float(np.median(pace.median)))[: len(LINES)]
    figure = Figure(figsize=(7.5, 3.8), layout="constrained")
    axes = figure.add_subplot()
    for pace, (colour, dashes) in zip(paces, LINES, strict=False):
        axes.plot(pace.ply, pace.median, color=colour, linestyle=dashes, linewidth=2, label=short(pace.agent))
        axes.fill_between(pace.ply, pace.low, pace.high, color=colour, alpha=0.15, linewidth=0)
    low, high = min(pace.low.min() for pace in paces), max(pace.high.max() for pace in paces)
    if low > 0 and high > 30 * low:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")  # powers would be written as mathematics, which is off
    else:
        axes.set_ylim(0, 1.05 * high or 1)
    axes.set(xlabel="ply", ylabel="seconds per move")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(color=GRID)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, title="median; band: 8 of 10 moves")
    return figure


def short(name: str, most: int = 36) -> str:
    """Cut the middle out of a name that is too long for a label.

    >>> short("uct(c=0.7071067811865476, playout_limit=200)", 20)
    'uct(c=0.70…imit=200)'
    """
    return name if len(name) <= most else f"{name[: most // 2]}…{name[-(most - most // 2 - 1) :]}"


def _rows_of(count: int, names: Sequence[str]) -> tuple[Figure, Axes]:
    """Make a figure with a row per name, the first on top."""
    figure = Figure(figsize=(8, 0.34 * count + 1.4), layout="constrained")
    axes = figure.add_subplot()
    axes.set_yticks(range(count), [short(name) for name in names])
    axes.set_ylim(count - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    return figure, axes


def _over_games(estimate: Rate | Rating) -> float:
    """Say how far the interval over games reaches; nan if there are too few games for one that tells anything."""
    return float(student.ppf(0.975, estimate.games - 1)) * estimate.game_error if estimate.games >= FEW_GAMES else nan


def _legend_below(axes: Axes) -> None:
    axes.figure.legend(loc="outside lower center", ncols=3, frameon=False)
