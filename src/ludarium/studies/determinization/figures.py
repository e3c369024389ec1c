"""The figures of the study of determinization, as the paper numbers them: 3.1, 3.4 to 3.9, 6.1 to 6.4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from ludarium import catalog
from ludarium.arena.extras import needs
from ludarium.arena.position import Position
from ludarium.arena.report.figures import Drawing
from ludarium.arena.report.palette import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    GRID,
    HEAT,
    LINES,
    NOTHING,
    ORANGE,
    PURPLE,
    RED,
    SHARES,
    SHIP,
    WATER,
)
from ludarium.core import Rng
from ludarium.hidden import determinizer
from ludarium.hidden.belief import believe, grid
from ludarium.studies.determinization.results import Measured, Tally
from ludarium.studies.determinization.study import GAME, ISMCTS, MAIN, MAST, OSLA, RANDOM, RMHC, STRATEGIES
from ludarium.studies.determinization.tables import PAPER_DET, PAPER_NATIVE, PAPER_TAG

with needs("report"):
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

_COLOURS = {RANDOM: GREY, OSLA: BLUE, RMHC: GREEN, ISMCTS: RED, MAST: PURPLE}
_MARKS = {RANDOM: "x", OSLA: "o", RMHC: "s", ISMCTS: "^", MAST: "D"}
_LINES = {"random": ":", "constraint": "-", "heatmap": "--"}
_FILLS = {"random": GREY, "constraint": BLUE, "heatmap": ORANGE}
_SHOTS = 14  # of each player, in the match that is shown


def drawings(measured: Measured) -> Iterator[Drawing]:
    """List the figures that there are matches for."""
    yield Drawing("board", "The game (figure 3.1)", "Both seas after some shots, as the first player sees them", _board)
    yield Drawing("belief", "A belief (figure 3.4)", "How likely a ship lies where nobody has shot yet", _belief)
    if any(measured.total(name) for name in MAIN):
        words = "The table of strategies has the numbers"
        yield Drawing("strategies", "Three ways to imagine states (figure 3.5)", words, partial(_strategies, measured))
    if measured.total("constraint"):
        words = "The tables of meetings have the numbers"
        names = [name for name in ("constraint", "heatmap") if measured.total(name)]
        drawn = partial(_meetings, measured, names)
        yield Drawing("meetings", "Who beats whom (figure 3.6)", words, drawn)
    if len(measured.budgets) > 1:
        yield Drawing(
            "budgets", "More time (figure 3.7)", "The table of budgets has the numbers", partial(_budgets, measured)
        )
    if measured.margins:
        words = "How many cells of the winner's fleet were left"
        yield Drawing("margins", "How clear the wins are (figure 3.8)", words, partial(_margins, measured))
    if measured.calls:
        words = "The tables of copies and calls have the numbers"
        yield Drawing("costs", "What copies cost (figure 3.9)", words, partial(_costs, measured))
    for name, number, paper in (("native", 1, PAPER_NATIVE), ("determinized", 3, PAPER_DET)):
        if measured.total(name):
            title = "see everything" if name == "native" else "have imagined states"
            drawn, words = partial(_totals, measured.total(name), paper), "The table has the numbers"
            yield Drawing(name, f"Players that {title} (figure 6.{number})", words, drawn)
            drawn = partial(_meetings, measured, [name])
            yield Drawing(f"meetings-{name}", f"Who beats whom, if they {title} (figure 6.{number + 1})", words, drawn)


def _middle() -> tuple[Position, Any]:
    """Lead a match to its middle: the first player shoots where most of some imagined fleets lie, the second anywhere."""
    position, rng = Position(catalog.game(GAME), 4), Rng(0)
    sampler = determinizer("heatmap(samples=100)").sampler(position.game, 0)
    for _ in range(_SHOTS):
        info = position.information_set(0)
        sampler.sample(info, 1, rng)
        warm = sampler.warmth(info.legal)
        position.play({0: max(warm, key=lambda move: (warm[move], -move))})
        position.play({1: rng.choice(position.state.legal(1))})
    reached: Any = position.state
    game: Any = position.game
    return position, game.state_record(bytearray(reached.block))


def _board() -> Figure:
    position, state = _middle()
    game: Any = position.game
    width, height = game.settings.width, game.settings.height
    figure = Figure(figsize=(8.4, 4.4), layout="constrained")
    for owner, axes in enumerate(figure.subplots(1, 2)):
        _sea(axes, width, height)
        ships = state.ships[2 * owner] | state.ships[2 * owner + 1] << 64
        shots = state.shots[2 * owner] | state.shots[2 * owner + 1] << 64
        for cell in range(width * height):
            at = (cell % width, cell // width)
            hit = shots >> cell & ships >> cell & 1
            if owner == 0 and ships >> cell & 1:
                axes.add_patch(_square(at, SHIP))
            if hit:
                axes.plot(*at, "X", color=RED, markersize=11)
            elif shots >> cell & 1:
                axes.plot(*at, "o", markerfacecolor="white", markeredgecolor=BLACK, markersize=7)
        axes.set_title("own sea" if owner == 0 else "the other's sea: hits and misses")
    return figure


def _belief() -> Figure:
    position, state = _middle()
    info = position.information_set(0)
    held = believe(determinizer("constraint").sampler(position.game, 0), info, Rng(0), samples=4000)
    laid = grid(held.heat("ship"))
    assert laid is not None
    columns, rows, values = laid
    heat = np.full((len(rows), len(columns)), np.nan)
    for (x, y), value in values.items():
        heat[y, x] = value
    figure = Figure(figsize=(6.4, 5.2), layout="constrained")
    axes = figure.add_subplot()
    axes.set_facecolor(NOTHING)
    picture = axes.imshow(heat, cmap=HEAT, vmin=0)
    shots, ships = (words[2] | words[3] << 64 for words in (state.shots, state.ships))
    for cell in range(len(rows) * len(columns)):
        x, y = cell % len(columns), len(rows) - 1 - cell // len(columns)
        if shots >> cell & 1:
            hit = ships >> cell & 1
            axes.plot(x, y, "X" if hit else "o", color=BLACK if hit else GREY, markersize=10 if hit else 5)
        elif heat[y, x] >= 0.005:
            ink = "white" if heat[y, x] > 0.6 * np.nanmax(heat) else BLACK
            axes.text(x, y, f"{100 * heat[y, x]:.0f}", ha="center", va="center", fontsize=8, color=ink)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    figure.colorbar(picture, ax=axes, format=PercentFormatter(1)).set_label("a ship lies there")
    axes.set(xlabel="column (cross: hit; point: miss; numbers: percent)", ylabel="row")
    return figure


def _square(at: tuple[int, int], colour: str) -> Any:
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    return Rectangle((at[0] - 0.5, at[1] - 0.5), 1, 1, color=colour, linewidth=0)


def _sea(axes: Axes, width: int, height: int) -> None:
    axes.set_xlim(-0.5, width - 0.5)
    axes.set_ylim(-0.5, height - 0.5)
    axes.set_aspect("equal")
    axes.set_facecolor(WATER)
    axes.set(xlabel="column", ylabel="row")
    axes.set_xticks(range(width), "abcdefghijklmnop"[:width])
    axes.set_yticks(range(height), [str(row + 1) for row in range(height)])
    axes.set_xticks(np.arange(-0.5, width), minor=True)
    axes.set_yticks(np.arange(-0.5, height), minor=True)
    axes.grid(which="minor", color="white", linewidth=1)
    axes.tick_params(which="both", length=0)


def _strategies(measured: Measured) -> Figure:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.add_subplot()
    players = list(PAPER_TAG["random"])
    for place, name in enumerate(MAIN):
        for at, player in enumerate(players):
            x = at + 0.27 * (place - 1)
            if tally := measured.total(name).get(player):
                _bar(axes, x, tally, _FILLS[name], label=name if at == 0 else None)
            star = "the paper" if at == 0 and place == 0 else None
            axes.plot([x], [PAPER_TAG[name][player]], "*", color=RED, markersize=10, linestyle="", label=star)
    axes.set_xticks(range(len(players)), players)
    axes.set_xlabel("player")
    _percent(axes)
    axes.legend(frameon=False, loc="upper right", ncols=2)
    return figure


def _bar(axes: Axes, x: float, tally: Tally, colour: str, *, label: str | None = None, width: float = 0.25) -> None:
    low, high = tally.interval
    reach = [[max(0.0, tally.share - low)], [max(0.0, high - tally.share)]]
    axes.bar([x], [tally.share], width, color=colour, label=label, yerr=reach, capsize=2, ecolor=BLACK)


def _percent(axes: Axes) -> None:
    axes.set_ylim(0, 1.04)
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(axis="y", color=GRID)
    axes.set_axisbelow(True)
    axes.set_ylabel("games won")


def _meetings(measured: Measured, names: list[str]) -> Figure:
    figure = Figure(figsize=(1.2 + 4.4 * len(names), 4.2), layout="constrained")
    for name, axes in zip(names, np.atleast_1d(figure.subplots(1, len(names))), strict=True):
        met = measured.against(name)
        players = list(dict.fromkeys(one for one, _ in met))
        shares = np.full((len(players), len(players)), np.nan)
        for (one, other), tally in met.items():
            shares[players.index(one), players.index(other)] = tally.share
        axes.set_facecolor(NOTHING)
        axes.imshow(shares, cmap=SHARES, vmin=0, vmax=1)
        for row, column in np.argwhere(~np.isnan(shares)):
            ink = "white" if abs(shares[row, column] - 0.5) > 0.3 else "black"
            axes.text(column, row, f"{100 * shares[row, column]:.0f}", ha="center", va="center", color=ink)
        axes.set_xticks(range(len(players)), players, rotation=45, ha="right", rotation_mode="anchor")
        axes.set_yticks(range(len(players)), players)
        axes.set(xlabel="against", ylabel="player")
        if len(names) > 1:
            axes.set_title(name)
    return figure


def _budgets(measured: Measured) -> Figure:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.add_subplot()
    for name in MAIN:
        totals = {budget: measured.total(measured.at(name, budget)) for budget in measured.budgets}
        for player in PAPER_TAG[name]:
            points = [(budget, found[player].share) for budget, found in totals.items() if player in found]
            if points:
                axes.plot(*zip(*points, strict=True), color=_COLOURS[player], linestyle=_LINES[name],
                          marker=_MARKS[player], label=f"{player}, {name}")  # fmt: skip
    axes.set_xscale("log")
    limits = [str(measured.scale.limit(budget)).split(" ", 1) for budget in measured.budgets]
    axes.set_xticks(measured.budgets, [number for number, _ in limits])
    axes.minorticks_off()
    axes.set_xlabel(f"{limits[-1][1]} a move")
    _percent(axes)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8)
    return figure


def _margins(measured: Measured) -> Figure:
    figure = Figure(figsize=(8, 3.4), layout="constrained")
    axes = figure.add_subplot()
    for name, found in measured.margins.items():
        cells, total = sorted(found), found.total()
        heights = [found[cell] / total for cell in cells]
        x = [cell + 0.27 * (MAIN.index(name) - 1) for cell in cells]
        axes.bar(x, heights, 0.25, color=_FILLS[name], label=f"{name}, {total:,} matches")
    axes.set(xlabel="cells of the winner's fleet that are left", ylabel="matches")
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.legend(loc="best", frameon=False)
    return figure


def _costs(measured: Measured) -> Figure:
    figure = Figure(figsize=(9, 3.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    names = [name for name in STRATEGIES if name != "random"]
    for mark, (colour, dashes), name in zip("osD^", LINES, names, strict=False):
        costs = {each.shots: each.microseconds for each in measured.copies if each.strategy == name}
        left.plot(
            list(costs), list(costs.values()), marker=mark, color=colour, linestyle=dashes, label=STRATEGIES[name]
        )
    left.set(xlabel="shots of each player", ylabel="µs per copy")
    left.set_ylim(bottom=0)
    left.legend(loc="best", frameon=False, fontsize=8)
    for at, player in enumerate((OSLA, RMHC, ISMCTS, MAST)):
        for place, name in enumerate(names):
            if (calls := measured.calls.get((name, player))) is not None:
                label = STRATEGIES[name] if at == 0 else None
                right.bar([at + 0.2 * (place - 1.5)], [calls], 0.18, color=LINES[place][0], label=label)
    right.set(xlabel="player", ylabel="forward calls per match", yscale="log")
    right.legend(loc="best", frameon=False, fontsize=8)
    right.yaxis.set_major_formatter("{x:,.0f}")
    right.set_xticks(range(4), [OSLA, RMHC, ISMCTS, MAST])
    return figure


def _totals(totals: Mapping[str, Tally], paper: Mapping[str, float]) -> Figure:
    figure = Figure(figsize=(6.4, 3.6), layout="constrained")
    axes = figure.add_subplot()
    players = [player for player in paper if player in totals]
    for at, player in enumerate(players):
        _bar(axes, at, totals[player], BLUE, width=0.6)
    axes.plot(
        range(len(players)), [paper[player] for player in players], "*", color=RED, markersize=12, label="the paper"
    )
    axes.set_xticks(range(len(players)), players)
    axes.set_xlabel("player")
    _percent(axes)
    axes.legend(loc="best", frameon=False)
    return figure
