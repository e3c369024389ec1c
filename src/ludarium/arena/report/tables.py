"""The tables of a report, made from results."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludarium.arena.prove.balance import Seat
from ludarium.arena.prove.comparisons import Comparison, Comparisons, compare, game_means
from ludarium.arena.prove.intervals import Rate, rates
from ludarium.arena.prove.measures import Measures
from ludarium.arena.prove.meetings import Meetings
from ludarium.arena.prove.ratings import Rating
from ludarium.arena.prove.regret import Regret
from ludarium.arena.prove.words import written_p
from ludarium.arena.report.sheets import Cell, Sheet, columns, matrix
from ludarium.arena.results import Results, sums

_WIDE = 6  # a matrix with more columns does not fit in a terminal

_COMPARED = {
    "play": "Compared are the means of all plays of two agents, whoever sat opposite: t-tests of independent samples (Welch's),"
    " with the matches in which both played counted once. The head-to-head table has direct meetings.",
    "game": "Compared are the means of two agents game by game, in the games that both played: paired t-tests.",
}
"""What the tests of all pairs look at, by their unit."""


def standings_sheet(results: Results, found: Sequence[Rate], measure: str) -> Sheet:
    """Say what every agent has scored, and how much of that it won."""
    agents = len(results.agent.names)
    seconds = sums(results.agent.codes, results.seconds, agents) / np.bincount(results.agent.codes, minlength=agents)
    columns_of_faults = (results.timeouts, results.illegal, results.crashes)
    faults = np.array([sums(results.agent.codes, column, agents) for column in columns_of_faults], int)
    rows = []
    for rate in found:
        code = results.agent.names.index(rate.group[0])
        row = (*_rate_row(rate), rate.games, rate.game_error)
        rows.append((*row, float(seconds[code]), *faults[:, code].tolist()))
    counted = "A score counts a win as 1 and a draw as a part of one; won, drawn and lost are what it is made of."
    paid = "What the games pay, on average; won, drawn and lost say how often that was the most, shared or not."
    note = (
        f"{paid if measure == 'utility' else counted} The standard error and the interval take all plays as independent: they"
        " say how sure the result is for these games. The error over games says how far it carries to other games."
    )
    return Sheet(
        "standings",
        measure.capitalize(),
        note,
        columns(
            "agent",
            *_rate_columns(measure),
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
    """Say what every agent has scored in each role of each game."""
    rows = [_rate_row(rate) for rate in rates(results, ("game", "agent", "role"))]
    return _rates_sheet("roles", "By game and role", ("game", "agent", "role"), measure, rows)


def opponents_sheet(results: Results, measure: str) -> Sheet:
    """Say what every agent has scored in its matches with each other agent."""
    rows = [_rate_row(rate) for rate in rates(results, ("agent", "opponent"))]
    return _rates_sheet("opponents", "By opponent", ("agent", "opponent"), measure, rows)


def games_sheet(results: Results, measure: str) -> Sheet:
    """Tabulate scores by game and agent; an agent stands out where it is proved to be the best."""
    means, proved = game_means(results), _proved_best(results)
    order = sorted(range(len(results.game.names)), key=lambda game: results.game.names[game])
    rows = []
    for game in order:
        name = results.game.names[game]
        cells = [
            Cell("-" if np.isnan(mean) else f"{mean:.1%}", strong=proved.get(name) == agent)
            for agent, mean in zip(results.agent.names, means[game], strict=True)
        ]
        rows.append((name, *cells))
    return Sheet(
        "games",
        f"{measure.capitalize()} by game",
        "An agent stands out where it is proved better than every other one in that game (t-tests with Holm's correction"
        " for the pairs of the game).",
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
                Cell(
                    _met(met, row, column) if counts[row, column] else "-",
                    strong=bool(met.proved[row, column] and shares[row, column] > 0.5),
                )
                for column in range(len(met.agents))
            ),
        )
        for row, name in enumerate(met.agents)
    )
    note = (
        "What the agent of the row scored against the agent of the column: wins + draws = losses -, and p. It stands out where"
        " it is proved to be more than half: exact sign tests of direct meetings that were not drawn, with Holm's correction."
    )
    wide = len(met.agents) > _WIDE
    return Sheet("meetings", "Head to head", note, matrix("agent", met.agents, "cell"), rows, for_terminal=not wide)


def comparison_sheets(compared: Comparisons, *, for_terminal: bool) -> list[Sheet]:
    """Tabulate all pairs, as a square to look at and as a list to work with, the better agent first."""
    found = f"{sum(pair.significant for pair in compared.pairs)} of {len(compared.pairs)} pairs differ"
    note = f"{_COMPARED[compared.unit]} Holm's correction, alpha {compared.alpha:g}: {found}."
    reading = (
        " A cell says how far the agent of the row is ahead of the agent of the column, and p after the correction; it stands"
        f" out where p is at most {compared.alpha:g}."
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
    """List what the roles of every game have scored."""
    rows = tuple(
        (
            *(seat.game, seat.role, seat.matches, seat.share, seat.low, seat.high, seat.fair),
            *(seat.won, seat.drawn, max(0.0, 1 - seat.won - seat.drawn), seat.decided),
            *(seat.p, seat.adjusted, seat.significant, seat.even, seat.unfair),
        )
        for seat in seats
    )
    note = (
        "What the first of two roles scores, or each of more, against a fair share: a win counts 1, a draw in part. Exact"
        " tests on the matches that one role won alone, with Holm's correction. Where agents did not change seats evenly,"
        " strength and seat cannot be told apart."
    )
    heads = columns(
        "game",
        "role",
        ("matches", "count"),
        ("score", "percent"),
        ("95% from", "percent"),
        ("95% to", "percent"),
        ("fair", "percent"),
        ("won", "percent"),
        ("drawn", "percent"),
        ("lost", "percent"),
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
    heads = columns(*group, *_rate_columns(measure))
    return Sheet(name, title, "", heads, tuple(rows), for_page=False, for_terminal=False)


def _rate_row(rate: Rate) -> tuple[object, ...]:
    return (*rate.group, rate.count, rate.mean, rate.error, rate.low, rate.high, rate.won, rate.drawn, rate.lost)


def _rate_columns(measure: str) -> list[tuple[str, str]]:
    percent = (measure, "standard error", "95% from", "95% to", "won", "drawn", "lost")
    return [("plays", "count"), *((name, "percent") for name in percent)]


def _proved_best(results: Results) -> dict[str, str]:
    """Name the agent of each game that is proved better there than every other one, where there is one."""
    found = {}
    for name, game in results.games():
        if len(game.agent.names) < 2:
            continue
        compared = compare(game)
        for agent in compared.agents:
            rest = [compared.between(agent, other) for other in compared.agents if other != agent]
            if all(pair.significant and pair.difference > 0 for pair in rest):
                found[name] = agent
    return found


def _met(met: Meetings, row: int, column: int) -> str:
    """Write how a pair did in direct meetings."""
    won, drawn, lost = met.won[row, column], met.drawn[row, column], met.won[column, row]
    apart = f"{won:,.0f}+ {drawn:,.0f}= {lost:,.0f}-"
    return f"{met.shares[row, column]:.1%} {apart} p {written_p(float(met.p[row, column]))}"


def _both_ways(pair: Comparison) -> list[tuple[str, str]]:
    return [(pair.one, pair.other), (pair.other, pair.one)]
