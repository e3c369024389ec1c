"""Table V and figure 1 from published plays: whom a model of ours sends in the games for evaluation, and what that costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludarium.arena.extras import needs
from ludarium.arena.prove.means import half_width
from ludarium.arena.report.figures import Drawing
from ludarium.arena.report.palette import BLUE, GREY, GRID, HEAT
from ludarium.arena.report.sheets import Column, Sheet
from ludarium.hyper.models.published import NAMES

with needs("report"):
    from matplotlib.figure import Figure

CHOSEN: Mapping[str, tuple[float, float]] = {
    "Alpha-Beta": (46.0, 13.0), "MC-GRAVE": (20.0, 5.8), "Progressive History": (14.0, 10.7), "UCT": (12.0, 18.0),
    "MAST": (8.0, 16.3),
}  # fmt: skip
"""Table V: how often each was selected, in percent, and the regret then."""


def choices(found: Mapping[str, Any]) -> tuple[list[Sheet], list[str]]:
    """Table V from published plays: whom our model sends, and what that costs."""
    chosen = found.get("choices") or {}
    if not chosen:
        return [], []
    won = np.array([[each["won"][name] for name in NAMES] for each in chosen.values()])
    picked = np.array([list(NAMES).index(each["picked"]) for each in chosen.values()])
    scores = won[np.arange(len(won)), picked]
    regret = won.max(axis=1) - scores
    rows = []
    for k, name in enumerate(NAMES):
        mine = picked == k
        share, cost = CHOSEN[name]
        rows.append(
            (name, share, 100 * float(mine.mean()), cost, float(regret[mine].mean()) if mine.any() else float("nan"))
        )
    best = int(won.mean(axis=0).argmax())
    table = Sheet(
        "choices",
        "Table V: whom a model sends",
        f"Our forest learned from the published tables; a choice is worth what the agent won by itself in {len(won)} games of "
        "the paper's evaluation. Selected and regret: in percent and in points, as printed and ours.",
        (
            Column("agent"), Column("selected, printed", "number"), Column("selected, ours", "number"),
            Column("regret, printed", "number"), Column("regret, ours", "number"),
        ),
        tuple(rows),
    )  # fmt: skip
    alone = list(NAMES)[best]
    told = (
        f"By what the paper's agents won in its {len(won)} games, the agents that our model sends win {scores.mean():.1f} %, "
        f"{alone} alone wins {won[:, best].mean():.1f} %, and the best of five in each game "
        f"{won.max(axis=1).mean():.1f} %: the choices, less {alone}: {ahead(scores - won[:, best])}."
    )
    return [table], [told]


def ahead(differences: NDArray[np.float64]) -> str:
    """A mean of points and its interval, the game as the unit."""
    mean, reach = float(differences.mean()), half_width(differences)
    return f"{mean:+.1f} points, 95 % interval {mean - reach:+.1f} to {mean + reach:+.1f} over games"


def map_figure(found: Mapping[str, Any]) -> Drawing:
    """Figure 1: all games by what they have in common, those for evaluation coloured by what the choice costs there."""
    games: Sequence[Sequence[Any]] = found["games"]
    chosen = found.get("choices") or {}
    cost = {name: max(each["won"].values()) - each["won"][each["picked"]] for name, each in chosen.items()}

    def draw() -> Figure:
        figure = Figure(figsize=(8, 6.4))
        axes = figure.subplots()
        for kind, colour, size, label in (
            ("learned", GRID, 9, "learned from"),
            ("free", BLUE, 9, "could be selected"),
        ):
            places = [(x, y) for _, x, y, each in games if each == kind]
            axes.scatter(
                [x for x, _ in places],
                [y for _, y in places],
                s=size,
                color=colour,
                linewidths=0,
                label=f"{label} ({len(places)})",
            )
        large = [(name, x, y) for name, x, y, each in games if each == "selected"]
        known = [(x, y, cost[name]) for name, x, y in large if name in cost]
        if known:
            xs, ys, colours = zip(*known, strict=True)
            drawn = axes.scatter(xs, ys, s=70, c=colours, cmap=HEAT, edgecolors="black", linewidths=0.7, vmin=0,
                                 label=f"selected ({len(large)})")  # fmt: skip
            figure.colorbar(drawn, ax=axes, shrink=0.8, label="regret of the agent that is sent, in points")
        else:
            axes.scatter([x for _, x, _ in large], [y for *_, y in large], s=70, color=GREY, edgecolors="black",
                         label=f"selected ({len(large)})")  # fmt: skip
        axes.set_axis_off()
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.02), ncols=3, frameon=False)
        return figure

    return Drawing(
        "map",
        "Figure 1: a map of all games",
        f"{len(games)} games by t-SNE of the cosine between their features; those selected for evaluation are large, and darker "
        "the more it costs to send the agent that our model chooses",
        draw,
    )
