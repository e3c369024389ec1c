"""The figures of the study of coevolution, as the paper numbers them: 3, 4, 5 and 6."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

import numpy as np

from ludarium.arena.extras import needs
from ludarium.arena.prove.means import half_width
from ludarium.arena.report.figures import Drawing
from ludarium.arena.report.palette import GREY, GRID, LINES
from ludarium.studies.coevolution.duels import PLAIN
from ludarium.studies.coevolution.measures import Group, families, groups, largest, plain
from ludarium.studies.coevolution.published import PAPER_DEPTHS, PAPER_HELD
from ludarium.studies.coevolution.runs import Run
from ludarium.studies.coevolution.study import GAMES
from ludarium.studies.coevolution.together import Together, all_beside, farther, length, together

with needs("report"):
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

_ACROSS = 3


def drawings(runs: Sequence[Run]) -> tuple[Drawing, ...]:
    """The figures that there are runs for."""
    found = groups(runs)
    large = largest(found)
    mine, short = plain(large), [each for each in found if each not in large]
    words = "The table has the numbers"
    made = []
    if mine:
        made = [
            Drawing("teachers", "Teachers by generation (figure 3)", words, partial(_panels, mine, _teachers)),
            Drawing(
                "ranks", "Teachers by rank against random judgement (figure 4)", words, partial(_panels, mine, _ranks)
            ),
            Drawing("depths", "Looking farther ahead (figure 5)", words, partial(_panels, mine, _depths)),
        ]
    if any(_mendings(found, depths) for depths in farther(found)):
        made.append(
            Drawing("together", "What is lost by looking farther, games together", words, partial(_lost, found))
        )
    made.append(Drawing("held", "Who is undominated (figure 6)", words, partial(_held, large, published=True)))
    if short:
        made.append(Drawing("held-short", "Who is undominated in shorter runs", words, partial(_held, short)))
    return tuple(made)


def _panels(found: Sequence[Group], draw: Callable[[Axes, Group], None]) -> Figure:
    rows = -(-len(found) // _ACROSS)
    figure = Figure(figsize=(11, 3.2 * rows), layout="constrained")
    grid: Any = figure.subplots(rows, _ACROSS, squeeze=False).ravel()
    for axes, each in zip_longest(grid, found):
        if each is None:
            axes.axis("off")
            continue
        draw(axes, each)
        axes.set_title(f"{each.game}, {_runs(each)}", fontsize=10)
        axes.grid(color=GRID)
        axes.legend(loc="best", fontsize=8)
    return figure


def _runs(group: Group) -> str:
    return f"{len(group.runs)} run{'s' if len(group.runs) > 1 else ''}"


def _teachers(axes: Axes, group: Group) -> None:
    """Draw teachers by generation, with 95 % intervals over runs."""
    for role, name in enumerate(group.roles):
        colour, dashes = LINES[role]
        counts = group.teachers(role)
        x, mean = np.arange(1, counts.shape[1] + 1), counts.mean(axis=0)
        half = np.array([half_width(column) for column in counts.T])
        axes.plot(x, mean, dashes, color=colour, label=name)
        axes.fill_between(x, mean - half, mean + half, color=colour, alpha=0.15, linewidth=0)
    axes.set(xlabel="generation", ylabel="teachers", ylim=(0, None))


def _ranks(axes: Axes, group: Group) -> None:
    """Draw what teachers of each rank have, as far as at least half of the runs have them."""
    for role, name in enumerate(group.roles):
        colour, dashes = LINES[role]
        longest = sorted(len(run.ranks[role]) for run in group.runs)[len(group.runs) // 2]
        at = [[run.ranks[role][rank] for run in group.runs if len(run.ranks[role]) > rank] for rank in range(longest)]
        means, halves = [float(np.mean(each)) for each in at], [half_width(each) for each in at]
        axes.errorbar(
            range(1, longest + 1), means, halves, fmt=dashes, color=colour, marker="o", markersize=3, label=name
        )
        axes.axhline(float(group.at_depth(1, role)[1].mean()), color=colour, linestyle=":", linewidth=0.8)
    axes.set(xlabel="rank", ylabel="score (dotted: random)", ylim=(0, 1))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _depths(axes: Axes, group: Group) -> None:
    """Draw what champions have, by depth; crosses are the paper's scores."""
    depths = group.depths()
    for role, name in enumerate(group.roles):
        colour, dashes = LINES[role]
        found = [group.at_depth(depth, role)[0] for depth in depths]
        axes.errorbar(
            depths, [float(each.mean()) for each in found], [half_width(each) for each in found], fmt=dashes,
            color=colour, marker="o", markersize=4, capsize=2, label=name,
        )  # fmt: skip
        if told := PAPER_DEPTHS.get((group.game, role)):
            axes.plot(list(told), list(told.values()), "x", color=colour, label=f"{name}, paper")
    axes.set(xlabel="depth", ylabel="score", ylim=(0, 1), xlim=(0.7, 3.3), xticks=(1, 2, 3))


def _mendings(found: Sequence[Group], depths: Sequence[int]) -> dict[str, Together]:
    """By the name of a mending, what its champions lose, all games together."""
    return {
        f"{family[0].mending}, {length(family[0])}, {len(given.games)} game{'s' if len(given.games) > 1 else ''}": given
        for family in families(found)
        if (mine := all_beside(found, family, depths))
        for given in [together(mine)]
    }


def _lost(found: Sequence[Group]) -> Figure:
    """Draw what champions lose, and plain ones beside them, with 95 % intervals over runs; a panel for each depth."""
    told = {depths[0]: _mendings(found, depths) for depths in farther(found) if len(depths) == 1}
    most = max(map(len, told.values()))
    figure = Figure(figsize=(5.5 * len(told), 0.45 * most + 1.4), layout="constrained")
    grid: Any = figure.subplots(1, len(told), squeeze=False)[0]
    for axes, (depth, mine) in zip(grid, told.items(), strict=True):
        for kind, name in enumerate(("plain, same games and seeds", "mended")):
            colour, _ = LINES[kind]
            at = np.arange(len(mine)) + (0.15 if kind else -0.15)
            means = np.array([each.lost[kind] for each in mine.values()])
            ends = np.array([each.lost_between[kind] for each in mine.values()])
            axes.errorbar(
                means, at, xerr=np.abs(ends.T - means), fmt="so"[kind], color=colour, markersize=4, capsize=2, label=name
            )  # fmt: skip
        axes.axvline(0.0, color=GREY, linewidth=0.8)
        axes.set_yticks(range(len(mine)), list(mine), fontsize=8)
        axes.invert_yaxis()
        axes.set(xlabel="lost by looking farther", ylabel="mending")
        axes.set_title(f"depth {depth} instead of 1", fontsize=10)
        axes.grid(color=GRID, axis="x")
    figure.legend(*grid[0].get_legend_handles_labels(), fontsize=8, loc="outside upper center", ncols=2)
    return figure


def _held(found: Sequence[Group], *, published: bool = False) -> Figure:
    """Draw shares of generations as bars, game by game, the paper's below ours."""
    bars: list[tuple[str, list[float], bool]] = []
    for each in sorted(found, key=lambda each: GAMES.index(each.game)):
        shares = [float(each.held(role).mean()) / each.generations for role in (0, -1, 1)]
        bars.append((f"{each.game}, {each.mending}, {_runs(each)} of {each.generations}", shares, False))
        if published and each.mending == PLAIN and each.game in PAPER_HELD:
            tied, first, second, _ = PAPER_HELD[each.game]
            bars.append((f"{each.game}, paper, 300", [first / 300, tied / 300, second / 300], True))
    figure = Figure(figsize=(8, 0.32 * len(bars) + 1.2), layout="constrained")
    axes = figure.add_subplot()
    for row, (_, shares, paper) in enumerate(bars):
        left = 0.0
        for place, share in enumerate(shares):
            colour = (LINES[0][0], GREY, LINES[1][0])[place]
            label = ("role 0", "tied", "role 1")[place] if row == 0 else None
            axes.barh(row, share, left=left, color=colour, alpha=0.45 if paper else 0.9, label=label)
            left += share
    axes.set_yticks(range(len(bars)), [label for label, _, _ in bars], fontsize=8)
    axes.margins(y=0.01)
    axes.invert_yaxis()
    axes.set(
        xlim=(0, 1),
        xlabel=f"share of generations undominated{'; pale: the paper' if published else ''}",
        ylabel="game and mending",
    )
    axes.legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    return figure
