"""The tables of a report, made from results."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludarium.arena.balance import Seat
from ludarium.arena.comparisons import Comparison, Comparisons, game_means
from ludarium.arena.intervals import Rate, rates
from ludarium.arena.measures import Measures
from ludarium.arena.ratings import Meetings, Rating
from ludarium.arena.regret import Regret
from ludarium.arena.results import Results, sums
from ludarium.arena.sheets import Cell, Sheet, columns, matrix

_WIDE = 6  # a matrix with more columns does not fit in a terminal


def standings_sheet(results: Results, found: Sequence[Rate], measure: str) -> Sheet:
    """Say what every agent has won."""
    agents = len(results.agent.names)
    seconds = sums(results.agent.codes, results.seconds, agents) / np.bincount(results.agent.codes, minlength=agents)
    columns_of_faults = (results.timeouts, results.illegal, results.crashes)
    faults = np.array([sums(results.agent.codes, column, agents) for column in columns_of_faults], int)
    rows = []
    for rate in found:
        code = results.agent.names.index(rate.group[0])
        row = (*rate.group, rate.count, rate.mean, rate.error, rate.low, rate.high, rate.games, rate.game_error)
        rows.append((*row, float(seconds[code]), *faults[:, code].tolist()))
    note = (
        "The standard error and the interval take all plays as independent: they say how sure the result is for these"
        " games. The error over games says how far it carries to other games."
    )
    return Sheet(
        "standings",
        measure.capitalize(),
        note,
        columns(
            "agent",
            ("plays", "count"),
            (measure, "percent"),
            ("standard error", "percent"),
            ("95% from", "percent"),
            ("95% to", "percent"),
            ("games", "count"),
            ("error over games", "percent"),
            ("seconds per play", "seconds"),
            ("late", "count"),
            ("illegal", "count"),
            ("crashes", "count"),
        ),
        tuple(rows),
    )


def roles_sheet(results: Results, measure: str) -> Sheet:
    """Say what every agent has won in each role of each game."""
    rows = [
        (*rate.group, rate.count, rate.mean, rate.error, rate.low, rate.high)
        for rate in rates(results, ("game", "agent", "role"))
    ]
    return _rates_sheet("roles", "By game and role", ("game", "agent", "role"), measure, rows)


def opponents_sheet(results: Results, measure: str) -> Sheet:
    """Say what every agent has won against each other agent."""
    rows = [
        (*rate.group, rate.count, rate.mean, rate.error, rate.low, rate.high)
        for rate in rates(results, ("agent", "opponent"))
    ]
    return _rates_sheet("opponents", "By opponent", ("agent", "opponent"), measure, rows)


def games_sheet(results: Results, measure: str) -> Sheet:
    """Tabulate win rates by game and agent, the best of every game standing out."""
    means = game_means(results)
    order = sorted(range(len(results.game.names)), key=lambda game: results.game.names[game])
    rows = []
    for game in order:
        best = np.nanmax(means[game])
        cells = [
            Cell("-" if np.isnan(mean) else f"{mean:.1%}", strong=bool(mean >= best - 1e-12)) for mean in means[game]
        ]
        rows.append((results.game.names[game], *cells))
    return Sheet(
        "games",
        f"{measure.capitalize()} by game",
        "The best of every game stands out.",
        matrix("game", results.agent.names, "cell"),
        tuple(rows),
        for_terminal=len(results.agent.names) <= _WIDE,
    )


def meetings_sheet(met: Meetings) -> Sheet:
    """Tabulate who came out ahead of whom."""
    shares, counts = met.shares, met.counts
    rows = tuple(
        (
            name,
            *(
                Cell("-" if np.isnan(share) else f"{share:.1%} of {count:,.0f}", strong=bool(share > 0.5))
                for share, count in zip(shares[row], counts[row], strict=True)
            ),
        )
        for row, name in enumerate(met.agents)
    )
    note = "How often the agent of the row came out ahead of the agent of the column; a draw counts half."
    wide = len(met.agents) > _WIDE
    return Sheet("meetings", "Head to head", note, matrix("agent", met.agents, "cell"), rows, for_terminal=not wide)


def comparison_sheets(compared: Comparisons, *, for_terminal: bool) -> list[Sheet]:
    """Tabulate all pairs, as a square to look at and as a list to work with, the better agent first."""
    what = {"play": "Independent-samples t-tests", "game": "Paired t-tests over games"}[compared.unit]
    found = f"{sum(pair.significant for pair in compared.pairs)} of {len(compared.pairs)} pairs differ"
    note = f"{what} with Holm's correction, alpha {compared.alpha:g}: {found}."
    reading = (
        " T is above 0 where the agent of the row is better. Where p is significant it stands out; elsewhere the"
        " threshold is shown that it exceeds."
    )
    sure = {name for pair in compared.pairs if pair.significant for name in _both_ways(pair)}
    square = tuple(
        (one, *(Cell(text, strong=(one, other) in sure) for text, other in zip(cells, compared.agents, strict=True)))
        for one, cells in zip(compared.agents, compared.cells(), strict=True)
    )
    better = [pair.reversed() if pair.difference < 0 else pair for pair in compared.pairs]
    rows = tuple(
        (
            *(pair.one, pair.other, pair.difference, pair.statistic, pair.p, pair.threshold, pair.adjusted),
            *(pair.significant, pair.units),
        )
        for pair in sorted(better, key=lambda pair: (pair.p, -abs(pair.statistic)))
    )
    listed = columns(
        "agent",
        "other agent",
        ("difference", "percent"),
        ("t", "number"),
        ("p", "p"),
        ("threshold", "p"),
        ("adjusted p", "p"),
        ("significant", "alarm"),
        (f"{compared.unit}s", "count"),
    )
    wide = len(compared.agents) > _WIDE
    name, title = f"comparisons-by-{compared.unit}", f"Differences, with the {compared.unit} as the unit"
    heads = matrix("agent", compared.agents, "cell")
    return [
        Sheet(f"{name}-square", title, note + reading, heads, square, for_terminal=for_terminal and not wide),
        Sheet(name, title, note, listed, rows, for_page=False, for_terminal=for_terminal and wide),
    ]


def ratings_sheet(rated: Sequence[Rating]) -> Sheet:
    """List the ratings."""
    rows = tuple(
        (each.agent, each.elo, each.error, each.low, each.high, each.game_error, each.meetings) for each in rated
    )
    note = "Bradley-Terry strengths in Elo points: the average of all is 1500, and 400 points are odds of 10 to 1."
    heads = columns(
        "agent",
        ("Elo", "points"),
        ("standard error", "number"),
        ("95% from", "points"),
        ("95% to", "points"),
        ("error over games", "number"),
        ("meetings", "count"),
    )
    return Sheet("ratings", "Ratings", note, heads, rows)


def regret_sheet(found: Sequence[Regret]) -> Sheet:
    """List how far every agent is behind the best of each game."""
    rows = tuple((each.agent, each.mean, each.error, each.best, each.games) for each in found)
    note = "How far an agent is behind the best one of each game, on average over the games that all have played."
    heads = columns(
        "agent", ("regret", "percent"), ("error over games", "percent"), ("games best in", "count"), ("games", "count")
    )
    return Sheet("regret", "Regret", note, heads, rows)


def balance_sheet(seats: Sequence[Seat]) -> Sheet:
    """List what the roles of every game have won."""
    rows = tuple(
        (
            *(seat.game, seat.role, seat.matches, seat.share, seat.low, seat.high, seat.fair, seat.decided),
            *(seat.p, seat.adjusted, seat.significant, seat.even, seat.unfair),
        )
        for seat in seats
    )
    note = (
        "What the first of two roles wins, or each of more, against a fair share; exact tests on the matches that one role"
        " won alone, with Holm's correction. Where agents did not change seats evenly, strength and seat are mixed."
    )
    heads = columns(
        "game",
        "role",
        ("matches", "count"),
        ("win rate", "percent"),
        ("95% from", "percent"),
        ("95% to", "percent"),
        ("fair", "percent"),
        ("decided", "count"),
        ("p", "p"),
        ("adjusted p", "p"),
        ("significant", "flag"),
        ("seats even", "flag"),
        ("unfair", "alarm"),
    )
    return Sheet("balance", "Balance", note, heads, rows)


def measures_sheet(found: Sequence[Measures]) -> Sheet:
    """List what the games are like."""
    rows = tuple(
        (
            *(each.game, each.matches, each.plies, each.plies_spread, each.plies_low, each.plies_median),
            *(each.plies_high, each.decisive, each.margin, each.choices, each.size),
            *(each.lead_changes, each.comeback, each.drama, each.settled),
        )
        for each in found
    )
    note = (
        "Plies are the mean length, with its spread; 5%, 50% and 95% of the matches are as short as said. Choices are legal"
        " moves per decision; the number of ways to play has so many digits; who leads is what the players expected."
    )
    heads = columns(
        "game",
        ("matches", "count"),
        ("plies", "number"),
        ("spread", "number"),
        ("5%", "points"),
        ("50%", "points"),
        ("95%", "points"),
        ("decisive", "percent"),
        ("margin", "number"),
        ("choices", "number"),
        ("digits", "number"),
        ("lead changes", "number"),
        ("comebacks", "percent"),
        ("drama", "number"),
        ("settled at", "percent"),
    )
    return Sheet("measures", "The games", note, heads, rows)


def _rates_sheet(
    name: str, title: str, group: Sequence[str], measure: str, rows: Sequence[tuple[object, ...]]
) -> Sheet:
    heads = columns(
        *group,
        ("plays", "count"),
        (measure, "percent"),
        ("standard error", "percent"),
        ("95% from", "percent"),
        ("95% to", "percent"),
    )
    return Sheet(name, title, "", heads, tuple(rows), for_page=False, for_terminal=False)


def _both_ways(pair: Comparison) -> list[tuple[str, str]]:
    return [(pair.one, pair.other), (pair.other, pair.one)]
