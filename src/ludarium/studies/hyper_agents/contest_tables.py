"""Tables IV, V and VI from our own matches, beside the printed ones: with plays and with the game as the unit.

An agent that cannot play a game scores 0 in it, as in the paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ludarium.arena.prove.comparisons import compare, game_means
from ludarium.arena.prove.intervals import rates
from ludarium.arena.report.sheets import Column, Sheet
from ludarium.arena.results import Results
from ludarium.hyper.models.published import NAMES
from ludarium.studies.hyper_agents.contest import Row
from ludarium.studies.hyper_agents.evaluation import CHOSEN, ahead
from ludarium.studies.hyper_agents.study import OPPONENT

PRINTED: Mapping[str, float] = {
    "parallel weighted-ensemble": 65.04, "parallel ensemble": 61.36, "portfolio": 60.28, "progressive-history": 52.72,
    "weighted-ensemble": 49.35, "mast": 47.55, "grave": 47.41, "uct": 46.70, "ensemble": 44.75, "alphabeta": 43.24,
    "random": 8.46,
}  # fmt: skip
"""Table IV, in percent."""

_ORDER = (
    "alphabeta", "mast", "grave", "progressive-history", "uct", "random", "portfolio", "ensemble", "weighted-ensemble",
    "parallel weighted-ensemble", "parallel ensemble",
)  # fmt: skip
_T = (
    -3.177, -3.079, -6.988, -2.552, 32.132, -12.710, -1.117, -4.494, -16.441, -13.549,
    0.106, -3.778, 0.626, 35.667, -9.415, 2.055, -1.309, -13.077, -10.238,
    -3.895, 0.521, 35.687, -9.548, 1.954, -1.419, -13.223, -10.374,
    4.411, 40.435, -5.597, 5.847, 2.465, -9.220, -6.411,
    34.982, -10.065, 1.430, -1.936, -13.741, -10.891,
    -48.224, -33.287, -37.261, -53.580, -49.414,
    11.528, 8.082, -3.606, -0.811,
    -3.366, -15.228, -12.359,
    -11.727, -8.901,
    2.794,
)  # fmt: skip
PRINTED_T: Mapping[tuple[str, str], float] = dict(zip(combinations(_ORDER, 2), _T, strict=True))
"""Table VI: Student's t of all pairs, with plays as the unit."""

SINGLE = (*NAMES.values(), "alphabeta, own heuristic")
OURS, RACE, PUBLISHED = "portfolio, our matches", "portfolio, race", "portfolio"
BLIND = ("alphabeta, own heuristic", "mast")
"""What a portfolio without features sends, by our own table: the first where it can play, elsewhere the second."""


def tables(rows: Sequence[Row]) -> tuple[list[Sheet], list[str]]:
    """The tables of a contest, and what they say; nothing if nothing was played."""
    if not any(row.outcomes for row in rows):
        return [], []
    results = _results(rows)
    able = {name: sum(bool(row.outcomes) for row in rows if row.agent == name) for name in results.agent.names}
    means = 100 * game_means(results)
    won = {name: means[:, k] for k, name in enumerate(results.agent.names)}
    sheets = [_standings(results, able), *_sent(rows, results, won), _pairs(results)]
    return sheets, _told(results, won, rows)


def _results(rows: Sequence[Row]) -> Results:
    """Plays as the arena counts them; who cannot play a game loses as often as others play it."""
    most = {row.game: 0 for row in rows}
    for row in rows:
        most[row.game] = max(most[row.game], len(row.outcomes))
    plays = [
        (row.game, row.agent, each)
        for row in rows
        if most[row.game]
        for each in row.outcomes or (0.0,) * most[row.game]
    ]
    games, agents, utilities = zip(*plays, strict=True)
    return Results.of(
        {"match": range(len(plays)), "game": games, "role": [0] * len(plays), "agent": agents, "utility": utilities}
    )


def _standings(results: Results, able: Mapping[str, int]) -> Sheet:
    found = sorted(rates(results), key=lambda each: -each.game_mean)
    lines = []
    for each in found:
        (name,) = each.group
        mean, by_play, by_game = (100 * number for number in (each.game_mean, each.error, each.game_error))
        lines.append((name, PRINTED.get(name, float("nan")), mean, by_play, by_game, able[name], each.count))
    games = len(results.game.names)
    return Sheet(
        "evaluation",
        "Table IV: who wins",
        f"What each agent won in the first role against {OPPONENT} in all others, in percent: as printed, and the mean of "
        f"{games} games here, 0 where an agent cannot play, which counts among its plays as so many defeats; the error over "
        "plays takes all plays as independent, that over games the game as the unit.",
        (
            Column("agent"), Column("printed", "number"), Column("ours", "number"), Column("error over plays", "number"),
            Column("error over games", "number"), Column("games that it can play", "count"), Column("plays", "count"),
        ),
        tuple(lines),
    )  # fmt: skip


def _sent(rows: Sequence[Row], results: Results, won: Mapping[str, NDArray[np.float64]]) -> list[Sheet]:
    """Whom the portfolios sent, and what that cost by what the agents won by themselves."""
    sent = {
        label: {row.game: row.sent for row in rows if row.agent == label and row.sent} for label in (PUBLISHED, OURS)
    }
    if not all(sent.values()) or not set(SINGLE) <= set(won):
        return []
    singles = {PUBLISHED: list(NAMES.values()), OURS: list(NAMES.values())}
    singles[OURS][singles[OURS].index("alphabeta")] = "alphabeta, own heuristic"
    lines = []
    for name, ours in NAMES.items():
        share, cost = CHOSEN[name]
        line: list[str | float] = [ours, share, cost]
        for label, chosen in sent.items():
            best = np.max([won[each] for each in (*singles[label], "random") if each in won], axis=0)
            own = won[singles[label][list(NAMES).index(name)]]
            mine = np.array([chosen.get(game) == ours for game in results.game.names])
            known = sum(game in chosen for game in results.game.names)
            line += [100 * float(mine.sum()) / known, float((best - own)[mine].mean()) if mine.any() else float("nan")]
        lines.append(tuple(line))
    return [
        Sheet(
            "sent",
            "Table V again, from our own matches",
            "How often each agent was sent, in percent of the games, and how many points less it won there by itself than the "
            "best of the five agents and random: as printed, by the portfolio learned from published tables, and by the one "
            "learned from our matches. The best is found after a few plays, so that part of the regret is luck.",
            (
                Column("agent"), Column("selected, printed", "number"), Column("regret, printed", "number"),
                Column("selected, published tables", "number"), Column("regret, published tables", "number"),
                Column("selected, our matches", "number"), Column("regret, our matches", "number"),
            ),
            tuple(lines),
        )
    ]  # fmt: skip


def _pairs(results: Results) -> Sheet:
    """All pairs of the paper, then ours: Holm's correction is over all pairs there are."""
    present = results.agent.names
    by_game, by_play = compare(results, unit="game"), compare(results, unit="play")
    ours = [(label, each) for label in (OURS, RACE) for each in (*SINGLE, PUBLISHED, OURS) if each != label]
    ours += [(PUBLISHED, SINGLE[-1]), ("alphabeta", SINGLE[-1]), ("alphabeta, blended", "alphabeta")]
    lines = []
    for one, other in (*PRINTED_T, *ours):
        if one not in present or other not in present:
            continue
        pair, plays = by_game.between(one, other), by_play.between(one, other)
        printed = PRINTED_T.get((one, other), float("nan"))
        told = (100 * pair.difference, plays.statistic, pair.statistic, plays.adjusted, pair.adjusted)
        lines.append((one, other, printed, *told))
    return Sheet(
        "comparisons",
        "Table VI: which differences may be chance",
        f"By how many points the one is ahead in {len(results.game.names)} games; t as printed, with plays taken as independent "
        "(as in the paper), and with the game as the unit (paired); p after Holm's correction over all pairs of agents here, by "
        "plays and by games.",
        (
            Column("one"), Column("other"), Column("t, printed", "number"), Column("ahead", "number"),
            Column("t by plays", "number"), Column("t by games", "number"), Column("p by plays", "p"), Column("p by games", "p"),
        ),
        tuple(lines),
    )  # fmt: skip


def _told(results: Results, won: Mapping[str, NDArray[np.float64]], rows: Sequence[Row]) -> list[str]:
    """How far the portfolios are ahead, with intervals over games."""
    single = [each for each in SINGLE if each in won]
    games = len(results.game.names)
    if not single or games < 2:
        return []
    best = max(single, key=lambda each: float(won[each].mean()))
    told = [
        f"In {games} games played here, {label} won {won[label].mean():.1f} %, the best single agent ({best}) "
        f"{won[best].mean():.1f} %: {ahead(won[label] - won[best])}."
        for label in (PUBLISHED, OURS, RACE)
        if label in won
    ]
    if {OURS, RACE} <= set(won):
        told.append(f"{RACE}, less {OURS}: {ahead(won[RACE] - won[OURS])}.")
    if set(BLIND) <= set(won) and OURS in won:
        first, second = BLIND
        plays = {row.game for row in rows if row.agent == first and row.outcomes}
        blind = np.array([won[first if game in plays else second][k] for k, game in enumerate(results.game.names)])
        told.append(
            f"To send {first} where it can play, and {second} elsewhere, whatever the game, would have won {blind.mean():.1f} %; "
            f"{OURS}, less that: {ahead(won[OURS] - blind)}."
        )
    return told
