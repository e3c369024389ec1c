"""Tables IV, V and VI, and figure 1: who wins in games for evaluation, whom a model sends, and what may be chance."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludarium.arena import Store
from ludarium.arena.extras import needs
from ludarium.arena.prove.comparisons import compare, game_means
from ludarium.arena.report.figures import Drawing
from ludarium.arena.report.palette import BLUE, GREY, GRID, HEAT
from ludarium.arena.report.sheets import Column, Sheet
from ludarium.arena.results import Results
from ludarium.hyper.models.published import NAMES
from ludarium.studies.hyper_agents.measuring import notes
from ludarium.studies.hyper_agents.study import OPPONENT

with needs("report"):
    from matplotlib.figure import Figure
    from scipy.stats import t as student

PRINTED: Mapping[str, float] = {
    "portfolio": 60.28, "progressive-history": 52.72, "weighted-ensemble": 49.35, "mast": 47.55, "grave": 47.41, "uct": 46.70,
    "ensemble": 44.75, "alphabeta": 43.24, "random": 8.46,
}  # fmt: skip
"""Table IV, in percent, without the parallel ensembles."""

CHOSEN: Mapping[str, tuple[float, float]] = {
    "Alpha-Beta": (46.0, 13.0), "MC-GRAVE": (20.0, 5.8), "Progressive History": (14.0, 10.7), "UCT": (12.0, 18.0),
    "MAST": (8.0, 16.3),
}  # fmt: skip
"""Table V: how often each was selected, in percent, and the regret then."""

_MODEL = re.compile(r"model='([^']*)\.zip'")


def store_of(path: Path) -> Path:
    """Where the matches for evaluation are, beside those to learn from."""
    return path.with_name(f"{path.stem}-evaluation.db")


def played(path: Path) -> tuple[list[Sheet], list[str]]:
    """Tables IV and VI from our own matches, and what they say; nothing if there are none."""
    if not path.exists():
        return [], []
    skipped = notes(path)
    with Store(path, readonly=True) as store:
        if not len(store):
            return [], []
        whole = Results.of(store.table(brief=True, coded=True))
    names = [name not in skipped for name in whole.game.names]
    first = whole.where((whole.role == 0) & np.array(names)[whole.game.codes])
    if not len(first):
        return [], []
    means = game_means(first)
    present = ~np.isnan(means).all(axis=1)
    means = means[present]
    plays = np.bincount(first.agent.codes, minlength=len(first.agent.names))
    rows = []
    for k, name in enumerate(first.agent.names):
        if not plays[k]:
            continue
        values = 100 * np.nan_to_num(means[:, k])
        own = 100 * first.utility[first.agent.codes == k]
        error = float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")
        by_play = float(own.std(ddof=1) / np.sqrt(len(own))) if len(own) > 1 else float("nan")
        able = int((~np.isnan(means[:, k])).sum())
        rows.append(
            (
                named(name),
                PRINTED.get(kind(name), float("nan")),
                float(values.mean()),
                by_play,
                error,
                able,
                int(plays[k]),
            )
        )
    rows.sort(key=lambda row: -row[2])
    table = Sheet(
        "evaluation",
        "Table IV: who wins",
        f"What each agent won in the first role against {OPPONENT} in all others, in percent: as printed, and in {len(means)} of "
        "the games here, 0 where an agent cannot play; the error over plays takes all plays as independent, that over games the "
        "game as the unit.",
        (
            Column("agent"), Column("printed", "number"), Column("ours", "number"), Column("error over plays", "number"),
            Column("error over games", "number"), Column("games", "count"), Column("plays", "count"),
        ),
        tuple(rows),
    )  # fmt: skip
    pairs = _pairs(first)
    return [table, pairs], _told(first, means)


def _pairs(first: Results) -> Sheet:
    """Portfolios and alpha-beta with heuristics of a model against single agents: Holm's correction is over all pairs."""
    agents = [name for name in first.agent.names if (first.agent.codes == first.agent.names.index(name)).any()]
    by_game, by_play = compare(first, agents, unit="game"), compare(first, agents, unit="play")
    rows = []
    for one in [name for name in agents if "portfolio" in name or "model" in name or "ensemble" in name]:
        for other in [name for name in agents if name in (*NAMES.values(), "portfolio")]:
            if one != other:
                pair, plays = by_game.between(one, other), by_play.between(one, other)
                rows.append(
                    (
                        named(one),
                        named(other),
                        100 * pair.difference,
                        pair.units,
                        pair.statistic,
                        pair.adjusted,
                        plays.adjusted,
                    )
                )
    return Sheet(
        "comparisons",
        "Table VI: which differences may be chance",
        "By how many points the one is ahead in the games that both have played, t with the game as the unit (paired), and p "
        "after Holm's correction over all pairs of agents: with the game as the unit, and with plays taken as independent, as in "
        "the paper.",
        (
            Column("one"), Column("other"), Column("ahead", "number"), Column("games", "count"), Column("t", "number"),
            Column("p by games", "p"), Column("p by plays", "p"),
        ),
        tuple(rows),
    )  # fmt: skip


def _told(first: Results, means: Any) -> list[str]:
    """How far the portfolios are ahead of the best single agent, with an interval."""
    names = list(first.agent.names)
    single = [names.index(each) for each in NAMES.values() if each in names]
    told: list[str] = []
    if not single or len(means) < 2:
        return told
    filled = np.nan_to_num(means)
    best = max(single, key=lambda k: float(filled[:, k].mean()))
    for k, name in enumerate(names):
        if kind(name) == "portfolio":
            ahead = 100 * (filled[:, k] - filled[:, best])
            told.append(
                f"In {len(ahead)} games played here, {named(name)} is {ahead.mean():+.1f} points from the best single agent "
                f"({names[best]}), {_interval(ahead)}."
            )
    return told


def _interval(ahead: Any) -> str:
    """Between which limits a mean lies, the game as the unit."""
    error = float(ahead.std(ddof=1) / np.sqrt(len(ahead)))
    low, high = (float(ahead.mean()) + student.ppf(at, len(ahead) - 1) * error for at in (0.025, 0.975))
    return f"95 % interval {low:+.1f} to {high:+.1f} over games"


def kind(name: str) -> str:
    """The agent of the paper that one of ours stands for; those with parts of their own stand for none."""
    bare = name.partition("(")[0]
    return "" if bare == "alphabeta" and name != bare else bare


def named(name: str) -> str:
    """An agent in a few words: what it is, and whose model it asks."""
    bare = name.partition("(")[0]
    if "blended" in name:
        return f"{bare}, heuristics blended by a model"
    if bare == "alphabeta" and "predicted" in name:
        return f"{bare}, heuristic predicted by a model"
    if bare == "portfolio":
        return f"{bare}, learned from {'published tables' if _MODEL.search(name) else 'our matches'}"
    return bare + (", learned from published tables" if _MODEL.search(name) else "")


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
    ahead = scores - won[:, best]
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
        f"{won.max(axis=1).mean():.1f} %: the choices are {ahead.mean():+.1f} points from {alone}, {_interval(ahead)}."
    )
    return [table], [told]


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
