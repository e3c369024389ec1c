"""The picture of a landscape: a plot per parameter, and the configurations in the order of their fitness."""

from __future__ import annotations

from math import ceil, isfinite
from typing import Any

from ludarium.arena.extras import needs
from ludarium.arena.report.figures import Drawing, short
from ludarium.arena.report.palette import BLUE, GREY, RED, SKY
from ludarium.tune.landscape import Mark, marks, ordered
from ludarium.tune.outcome import Tuned

with needs("report"):
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ACROSS = 4


def landscape(tuned: Tuned) -> Drawing:
    """Draw what a tuning has seen of its space."""
    words = f"The best of {len(tuned.evaluated)} evaluations is {tuned.name}, estimated at {tuned.best.estimate:.3f}"
    return Drawing("landscape", f"Tuning for {tuned.problem.goal}", words, lambda: figure(tuned))


def figure(tuned: Tuned) -> Figure:
    """Draw the plots."""
    columns = marks(tuned)
    across = min(_ACROSS, len(columns) + 1)
    down = ceil((len(columns) + 1) / across)
    made = Figure(figsize=(3.1 * across + 0.4, 2.5 * down + 0.6), layout="constrained")
    grid = made.subplots(down, across, squeeze=False)
    for axes in grid.flat[len(columns) + 1 :]:
        axes.set_visible(False)
    low, high = _span(tuned, columns)
    for axes, column in zip(grid.flat, columns, strict=False):
        _draw_marks(axes, column)
        axes.set_ylim(low, high)
    _draw_order(grid.flat[len(columns)], tuned)
    made.supylabel(f"{tuned.problem.goal}, mean of evaluations", fontsize=10)
    made.suptitle(f"{short(tuned.name, 90)}\n{len(tuned.evaluated):,} evaluations, {tuned.method.name}", fontsize=10)
    return made


def _draw_marks(axes: Axes, column: list[Mark]) -> None:
    """Draw how the values of a parameter did, with 95 % intervals and how often each was tried."""
    for place, mark in enumerate(column):
        if mark.measure is None:
            continue
        mean, low, high = mark.measure.mean, mark.measure.low, mark.measure.high
        reach = [[mean - low], [high - mean]] if isfinite(low) else [[0.0], [0.0]]
        colour, shape = (RED, "D") if mark.best else (BLUE, "o")
        axes.errorbar([place], [mean], yerr=reach, fmt=shape, color=colour, capsize=3)
        axes.annotate(
            f"{mark.measure.count}", (place, 0.0), xycoords=("data", "axes fraction"), xytext=(0, 2),
            textcoords="offset points", ha="center", fontsize=7, color=GREY,
        )  # fmt: skip
    slanted: Any = {"rotation": 35, "ha": "right", "rotation_mode": "anchor"} if _long(column) else {}
    axes.set_xticks(range(len(column)), [short(_text(mark.value), 14) for mark in column], **slanted)
    axes.set_xlim(-0.5, len(column) - 0.5)
    axes.set_title(column[0].name, fontsize=10)
    axes.grid(axis="y", color="#dddddd")
    axes.set_axisbelow(True)


def _draw_order(axes: Axes, tuned: Tuned) -> None:
    """Draw the estimates of all configurations, the best first, and what the best and the given one really are worth."""
    estimates = ordered(tuned)
    axes.fill_between(range(1, len(estimates) + 1), estimates, min(*estimates, 0.0), color=SKY, step="mid", linewidth=0)
    for each, colour, name in ((tuned.measured, RED, "best, measured anew"), (tuned.given, GREY, "before tuning")):
        if each is not None:
            axes.axhline(each.mean, color=colour, linestyle="-" if colour == RED else "--", label=name)
        if each is not None and isfinite(each.low):
            axes.axhspan(each.low, each.high, color=colour, alpha=0.15, linewidth=0)
    axes.set_title("configurations in order", fontsize=10)
    axes.set_xlabel("rank of the estimate")
    axes.set_xlim(1, max(2, len(estimates)))
    if axes.get_legend_handles_labels()[1]:
        axes.legend(loc="lower left", fontsize=8, frameon=False)


def _span(tuned: Tuned, columns: list[list[Mark]]) -> tuple[float, float]:
    """Give all parameters the same scale."""
    if tuned.problem.share:
        return -0.04, 1.04
    ends = [
        end for column in columns for each in column if each.measure for end in (each.measure.low, each.measure.high)
    ]
    means = [each.measure.mean for column in columns for each in column if each.measure]
    finite = [end for end in ends if isfinite(end)] + means
    low, high = (min(finite), max(finite)) if finite else (0.0, 1.0)
    room = 0.05 * (high - low) or 0.5
    return low - room, high + room


def _long(column: list[Mark]) -> bool:
    return sum(len(_text(mark.value)) for mark in column) > 22


def _text(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
