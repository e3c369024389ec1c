"""How the study of Rinascimento tells of its contests in machine code, its grids and its tunings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

import numpy as np

from ludarium.arena.extras import needs
from ludarium.arena.prove.intervals import wilson
from ludarium.arena.report.figures import Drawing
from ludarium.arena.report.palette import BLUE, GREEN, GREY, ORANGE
from ludarium.arena.report.sheets import Share, Sheet, columns
from ludarium.studies.rinascimento.contest import Won
from ludarium.studies.rinascimento.contests import TRUE, Contests, Question
from ludarium.studies.rinascimento.ledger import Tuning
from ludarium.studies.rinascimento.spaces import WHOLE
from ludarium.studies.rinascimento.study import OSLA, OURS, PUBLISHED, RND
from ludarium.studies.rinascimento.tables import PAPER_WINS
from ludarium.studies.rinascimento.tuning import NEAR, near_best, written

with needs("report"):
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

_COLOURS = {"bmrh": BLUE, "srh": ORANGE, "widening": GREEN}


def told(contests: Contests) -> Iterator[str]:
    """Say in sentences what was found, the most important first."""
    answers = contests.answers
    for asked, won in answers.items():
        if (asked.player, asked.others, asked.rules, asked.why) == (OSLA, RND, TRUE, "looking one step ahead"):
            yield f"Looking one step ahead wins {_wins(won)} against three random players."
    for others, words in ((OSLA, "three OSLA"), (RND, "three RND")):
        found = _of(answers, "as published", others)
        if len(found) == len(PUBLISHED):
            paper = ", ".join(f"{PAPER_WINS[player, OSLA]:.1%}" for player in found)
            said = "; ".join(f"{player} {_wins(won)}" for player, won in found.items())
            yield f"Planners as published against {words}: {said}. The paper has {paper} against what it calls OSLA."
    if ours := _of(answers, "ours", OSLA):
        yield f"Ours against three OSLA: {'; '.join(f'{player} {_wins(won)}' for player, won in ours.items())}."
    for planner, grid in contests.grids.items():
        best = max(won.share for won in grid.values())
        drawn = _tunings(contests, planner, "grid")
        if drawn:
            most = max(drawn)
            share, count = near_best(drawn[most], best), len(drawn[most])
            yield (
                f"NTBEA with {most:,} games, drawn from the grid of {planner}, comes within {100 * NEAR:.0f} points of its "
                f"best ({best:.1%}) in {round(share * count)} of {count} repeats."
            )


def contest_sheets(contests: Contests) -> Iterator[Sheet]:
    """Make the tables."""
    rows = []
    for asked, won in contests.answers.items():
        paper = PAPER_WINS.get((asked.player, OSLA)) if asked.why == "as published" and asked.rules == TRUE else None
        stale, turns = won.stale / won.games, won.plies / won.games
        rows.append((asked.player, asked.why, f"three {asked.others}", won.games, won.share, *interval(won), stale, turns,
                     paper, asked.agent))  # fmt: skip
    heads = columns("player", "what", "against", ("games", "count"), ("won", "percent"), ("95% from", "percent"),
                    ("95% to", "percent"), ("stalemates", "percent"), ("turns", "points"), ("paper", "percent"),
                    "agent")  # fmt: skip
    note = (
        "Played in machine code from end to end, each player in all seats in turn. The paper's figures stand beside both "
        "kinds of opponents."
    )
    yield Sheet("contests", "Contests in machine code", note, heads, tuple(rows))
    yield _grid_sheet(contests)
    yield _tuning_sheet(contests)
    yield _whole_sheet(contests)


def contest_drawings(contests: Contests) -> Iterator[Drawing]:
    """Make the figures."""
    if contests.grids:
        yield Drawing("landscape", "Ordered fitness", "As figure 4 of the paper", lambda: landscape_figure(contests))
    if contests.tunings:
        yield Drawing("tuning", "What NTBEA finds", "As figure 5 of the paper", lambda: tuning_figure(contests))


def landscape_figure(contests: Contests) -> Figure:
    """Draw the win rates of all configurations in order, as figure 4 of the paper does."""
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.add_subplot()
    for planner, grid in contests.grids.items():
        shares = sorted((won.share for won in grid.values()), reverse=True)
        axes.plot(range(1, len(shares) + 1), shares, color=_COLOURS[planner], label=planner)
    axes.axhline(0.25, color=GREY, linestyle="--", linewidth=1)
    axes.set_ylim(0, 1)
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlabel("configurations of the grid, the best first")
    axes.set_ylabel("won against three OSLA")
    axes.legend(loc="best", frameon=False)
    return figure


def tuning_figure(contests: Contests) -> Figure:
    """Draw how good what NTBEA found is, for each budget, as figure 5 of the paper does."""
    planners = [planner for planner in contests.grids if _tunings(contests, planner, "grid")]
    figure = Figure(figsize=(8, 4), layout="constrained")
    for place, axes in enumerate(np.atleast_1d(figure.subplots(1, len(planners), sharey=True))):
        planner = planners[place]
        drawn, played = (_tunings(contests, planner, way) for way in ("grid", "games"))
        budgets = list(drawn)
        axes.boxplot(
            [[each.fitness for each in drawn[budget]] for budget in budgets], tick_labels=budgets, whis=(5, 95)
        )
        for budget, found in played.items():
            at = budgets.index(budget) + 1.4
            label = "played games" if budget == next(iter(played)) else None
            axes.plot([at] * len(found), [each.fitness for each in found], ".", color=ORANGE, label=label)
        best = max(won.share for won in contests.grids[planner].values())
        axes.axhline(best, color=_COLOURS[planner], linestyle="--", linewidth=1, label="the best of the grid")
        axes.legend(loc="best", frameon=False, fontsize=8)
        axes.set_title(planner)
        axes.set_ylabel("" if place else "what was found wins against three OSLA")
        axes.set_xlabel("games of a tuning")
        axes.yaxis.set_major_formatter(PercentFormatter(1))
    return figure


def interval(won: Won) -> tuple[float, float]:
    """Where a share of wins lies with 95 % confidence, after Wilson."""
    low, high = wilson(np.array([won.share]), np.array([won.games]))
    return float(low[0]), float(high[0])


def _grid_sheet(contests: Contests) -> Sheet:
    rows = []
    for planner, grid in contests.grids.items():
        ranked = sorted(grid.items(), key=lambda item: -item[1].share)
        shares = [won.share for won in grid.values()]
        agent, won = ranked[0]
        rows.append((planner, len(grid), sum(each.games for each in grid.values()), won.share, *interval(won), won.games,
                     median(shares), min(shares), agent))  # fmt: skip
    heads = columns("planner", ("configurations", "count"), ("games", "count"), ("best", "percent"),
                    ("95% from", "percent"), ("95% to", "percent"), ("its games", "count"), ("median", "percent"),
                    ("worst", "percent"), "the best")  # fmt: skip
    note = "The best of many looks better than it is: its luck is part of why it was chosen."
    return Sheet("grids", "Grids", note, heads, tuple(rows))


def _tuning_sheet(contests: Contests) -> Sheet:
    rows = []
    for planner, grid in contests.grids.items():
        best = max(won.share for won in grid.values())
        for way in ("grid", "games"):
            for budget, found in _tunings(contests, planner, way).items():
                fitness = sorted(each.fitness for each in found)
                low, mid, high = np.quantile(fitness, (0.25, 0.5, 0.75)).tolist()
                thinking = sum(each.thinking for each in found) / sum(each.seconds for each in found)
                near = Share(near_best(found, best), len(found))
                rows.append((planner, "drawn" if way == "grid" else "played", budget, len(found), fitness[0], low, mid,
                             high, fitness[-1], near, thinking if way == "games" else None))  # fmt: skip
    heads = columns("planner", "games are", ("games", "count"), ("repeats", "count"), ("worst", "percent"),
                    ("quarter", "percent"), ("median", "percent"), ("three quarters", "percent"), ("best", "percent"),
                    (f"within {100 * NEAR:.0f} points", "share"), ("NTBEA's time", "percent"))  # fmt: skip
    note = (
        "Drawn: a game is won with the probability that the grid has for the configuration, which is also what the result is "
        "worth. Played: real games, and the result is worth what it wins in new ones. Within: of the best of the grid."
    )
    return Sheet("tuning", "What NTBEA finds", note, heads, tuple(rows))


def _whole_sheet(contests: Contests) -> Sheet:
    rows: list[tuple[object, ...]] = []
    for planner, drawn in contests.drawn.items():
        ranked = sorted(drawn.items(), key=lambda item: -item[1].share)
        sure = [(agent, won) for agent, won in ranked if won.games == max(each.games for each in drawn.values())]
        size = f"{planner}, {WHOLE[planner].size:,}"
        for what, (agent, won) in (
            (f"best of {len(drawn):,} drawn", sure[0]),
            (f"median of {len(drawn):,} drawn", ranked[len(ranked) // 2]),
            (f"worst of {len(drawn):,} drawn", ranked[-1]),
        ):
            rows.append((size, what, won.games, won.share, *interval(won), agent))
        for player, won in _of(contests.answers, "as published", OSLA).items():
            if PUBLISHED.get(player) == planner:
                rows.append((size, "the paper's best", won.games, won.share, *interval(won), planner))
        for budget, found in _tunings(contests, planner, "whole").items():
            for each in found:
                agent = written(planner, dict(each.config))
                won = Won(each.games, round(each.fitness * each.games), 0, 0)
                rows.append(
                    (size, f"found by NTBEA with {budget:,} games", won.games, won.share, *interval(won), agent)
                )
    heads = columns("planner and configurations", "what", ("games", "count"), ("won", "percent"), ("95% from", "percent"),
                    ("95% to", "percent"), "agent")  # fmt: skip
    note = (
        "The spaces of table VII, in which all judge by points. The best drawn is the best of those that played most."
    )
    return Sheet("whole", "Whole spaces", note, heads, tuple(rows))


def _of(answers: Mapping[Question, Won], why: str, others: str) -> dict[str, Won]:
    return {
        asked.player: won
        for asked, won in answers.items()
        if (asked.why, asked.others, asked.rules) == (why, others, TRUE) and asked.player in {*PUBLISHED, *OURS}
    }


def _tunings(contests: Contests, planner: str, way: str) -> dict[int, list[Tuning]]:
    found: dict[int, list[Tuning]] = {}
    for each in contests.tunings:
        if (each.planner, each.way) == (planner, way):
            found.setdefault(each.budget, []).append(each)
    return found


def _wins(won: Won) -> str:
    low, high = interval(won)
    return f"{won.share:.1%} ({100 * low:.1f} to {100 * high:.1f}, {won.games:,} games)"
