"""The page of an assessment: what is odd, figures, and the tables, in one file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from statistics import fmean

from matplotlib.figure import Figure

from ludarium.arena.assess.assessment import Assessment
from ludarium.arena.assess.numbers import findings, sheets
from ludarium.arena.report.figures import Drawing, balance_figure
from ludarium.arena.report.page import plain_page
from ludarium.arena.report.palette import BLUE, GREY, GRID, LINES

_SHOWN = 6  # matches whose course is drawn


def assessment_page(found: Assessment) -> str:
    """Write the page."""
    return plain_page(f"{found.game.name}: an assessment", findings(found), sheets(found), _drawings(found))


def _drawings(found: Assessment) -> Iterator[Drawing]:
    if found.random or found.matches:
        yield Drawing("lengths", "How long matches are", "how many matches had how many moves", lambda: _lengths(found))
    if found.matches:
        yield Drawing(
            "choices", "How much choice there is", "mean number of legal moves, by ply", lambda: _choices(found)
        )
    if seats := found.seats:
        words = ", ".join(f"{seat.role}: {seat.share:.1%}" for seat in seats)
        yield Drawing("balance", "What the roles score", words, lambda: balance_figure(seats))
    if any(turn.value is not None for match in found.matches for turn in match.turns):
        words = "what the first role could expect, move by move"
        yield Drawing("course", "How matches go", words, lambda: _courses(found))


def _lengths(found: Assessment) -> Figure:
    figure = Figure(figsize=(7, 3), layout="constrained")
    axes = figure.add_subplot()
    groups = {"random": found.random, found.agent: found.matches}
    shown = {name: [match.plies for match in matches] for name, matches in groups.items() if matches}
    axes.hist(list(shown.values()), bins=20, label=list(shown), color=[GREY, BLUE][-len(shown) :])
    axes.set(xlabel="moves", ylabel="matches")
    axes.legend(loc="best", frameon=False)
    axes.grid(axis="y", color=GRID)
    axes.set_axisbelow(True)
    return figure


def _choices(found: Assessment) -> Figure:
    by_ply = defaultdict(list)
    for match in found.matches:
        for turn in match.turns:
            by_ply[turn.ply].append(turn.choices)
    figure = Figure(figsize=(7, 3), layout="constrained")
    axes = figure.add_subplot()
    plies = sorted(by_ply)
    axes.plot(plies, [fmean(by_ply[ply]) for ply in plies], color=BLUE)
    axes.set(xlabel="ply", ylabel="legal moves", ylim=(0, None))
    axes.grid(color=GRID)
    return figure


def _courses(found: Assessment) -> Figure:
    figure = Figure(figsize=(7, 3), layout="constrained")
    axes = figure.add_subplot()
    for number, match in enumerate(found.matches[:_SHOWN]):
        told = [turn for turn in match.turns if turn.value is not None]
        colour, dashes = LINES[number % len(LINES)]
        values = [turn.value if turn.role == 0 else _other(found, turn.value) for turn in told]
        axes.plot([turn.ply for turn in told], values, dashes, color=colour, linewidth=1)  # type: ignore[arg-type]
    axes.set(xlabel="ply", ylabel=f"expected by {found.game.roles[0]}", ylim=(-0.02, 1.02))
    axes.grid(color=GRID)
    return figure


def _other(found: Assessment, value: float | None) -> float | None:
    """What the first role may expect where another one has told: the rest, of two; else it is not known."""
    return 1 - value if value is not None and len(found.game.roles) == 2 else None
