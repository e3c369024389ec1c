"""All that results prove, in one place: findings in words, tables and figures; for the terminal, as a page, as CSV.

>>> from ludarium.arena.results import Results
>>> columns = {"match": [1, 1], "game": ["nim"] * 2, "role": [0, 1], "agent": ["uct", "random"], "utility": [1, 0]}
>>> report(Results.of(columns)).findings[0]
'1 match of 2 agents in 1 game. The best is uct: score 100.0% in 1 play (100.0% won, 0.0% drawn, 0.0% lost).'
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ludarium.arena.prove.balance import Seat, balance
from ludarium.arena.prove.comparisons import Comparisons, compare
from ludarium.arena.prove.intervals import Rate, rates
from ludarium.arena.prove.measures import Pace, margin_histograms, measures, paces
from ludarium.arena.prove.meetings import Meetings, meetings
from ludarium.arena.prove.ratings import Rating, ratings
from ludarium.arena.prove.regret import regrets
from ludarium.arena.prove.words import split
from ludarium.arena.report.sheets import Sheet
from ludarium.arena.report.tables import (
    balance_sheet,
    comparison_sheets,
    games_sheet,
    measures_sheet,
    meetings_sheet,
    opponents_sheet,
    ratings_sheet,
    regret_sheet,
    roles_sheet,
    standings_sheet,
)
from ludarium.arena.results import Moves, Numbers, Results, match_starts
from ludarium.core import BadParameter, LudariumError
from ludarium.core.files import write_file

FEW_GAMES = 6
"""Fewer games say little about other games, whatever the tests say."""

_NAMED = 5  # names that a sentence can hold


@dataclass(frozen=True, eq=False, kw_only=True)
class Report:
    """What there is to say about results; everything in it was counted once and can be shown in many ways."""

    title: str
    measure: str
    """What was averaged: "score", which counts a draw as a part of a win, or "utility"."""

    results: Results
    rates: tuple[Rate, ...]
    tests: tuple[Comparisons, ...]
    """By play and by game, as far as there is more than one agent, or game."""

    met: Meetings
    ratings: tuple[Rating, ...]
    """None if no two agents met."""

    seats: tuple[Seat, ...]
    margins: Mapping[str, Numbers]
    """How far agents ended above or below their best opponents, the best agent first."""

    paces: tuple[Pace, ...]
    sheets: tuple[Sheet, ...]
    findings: tuple[str, ...]
    """The answers in words, the most important one first, and the remarks."""

    remarks: tuple[str, ...] = ()
    """What was left out of the results before."""

    def write(self, path: Path) -> list[Path]:
        """Write a page with figures that needs no other file, and beside it a CSV per table; name what was written."""
        from ludarium.arena.report.page import page  # noqa: PLC0415

        path = path / "report.html" if path.is_dir() else path
        tables = {sheet.name: path.with_name(f"{path.stem}-{sheet.name}.csv") for sheet in self.sheets}
        files = {path: page(self, {name: file.name for name, file in tables.items()})}
        files |= {tables[sheet.name]: sheet.csv() for sheet in self.sheets}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            for file, text in reversed(files.items()):  # the page last: where it is, its tables are
                write_file(file, text)
        except OSError as problem:
            raise LudariumError(f"cannot write the report: {path}: {problem.strerror}") from None
        return list(files)


def report(
    results: Results,
    moves: Moves | None = None,
    *,
    title: str = "Tournament report",
    utilities: bool = False,
    run: Sheet | None = None,
    remarks: Sequence[str] = (),
) -> Report:
    """Analyse results, and decisions if there are any; scores are averaged, or with `utilities` what the game pays.

    `run` is the table that tells what was run, if that is known; `remarks` tell what is not in the results.
    """
    if not len(results):
        raise BadParameter("there are no results to report")
    paid = results.by_match()
    results = paid if utilities else paid.as_scores()
    measure = "utility" if utilities else "score"
    agents, games = len(results.agent.names), len(results.game.names)
    found = tuple(rates(results))
    results = replace(results, agent=results.agent.in_order([rate.group[0] for rate in found]))  # the best comes first
    tests = tuple(compare(results, unit=unit) for unit in ("play", "game")[: (agents > 1) * min(games, 2)])
    met, seats = meetings(results), tuple(balance(paid))
    rated = tuple(ratings(results)) if met.wins.any() else ()
    histograms = margin_histograms(paid)
    sheets = [standings_sheet(results, found, measure)]
    for compared in tests:
        sheets += comparison_sheets(compared, for_terminal=compared is tests[-1])
    if rated:
        sheets += [ratings_sheet(rated), meetings_sheet(met), opponents_sheet(results, measure)]
    if agents > 1:
        sheets.append(regret_sheet(regrets(results)))
    sheets += [games_sheet(results, measure), roles_sheet(results, measure)]
    sheets += [balance_sheet(seats)] if seats else []
    sheets.append(measures_sheet(measures(paid, moves)))
    sheets += [run] if run is not None else []
    return Report(
        title=title,
        measure=measure,
        results=results,
        rates=found,
        tests=tests,
        met=met,
        ratings=rated,
        seats=seats,
        margins={rate.group[0]: histograms[rate.group[0]] for rate in found if rate.group[0] in histograms},
        paces=tuple(paces(moves)) if moves is not None else (),
        sheets=tuple(sheets),
        findings=(*findings(results, found, tests, seats, measure), *remarks),
        remarks=tuple(remarks),
    )


def findings(
    results: Results, found: Sequence[Rate], tests: Sequence[Comparisons], seats: Sequence[Seat], measure: str
) -> Iterator[str]:
    """Say in sentences what the results prove, and what they do not."""
    best, matches = found[0], len(match_starts(results.match))
    games = len(results.game.names)
    played = f"{_some(matches, 'match', 'matches')} of {_some(len(found), 'agent')} in {_some(games, 'game')}"
    made_of = split(best.won, best.drawn)
    yield f"{played}. The best is {best.group[0]}: {measure} {best.mean:.1%} in {_some(best.count, 'play')} ({made_of})."
    if tests:
        yield _differences(tests)
        yield from _doubts(best.group[0], tests)
    if seats:
        unfair = [
            f"{seat.game} ({seat.role} scores {seat.share:.1%}: {split(seat.won, seat.drawn)})"
            for seat in seats
            if seat.unfair
        ]
        yield f"Unfair games: {_listed(unfair, '; ')}." if unfair else "No game was shown to be unfair."
    if uneven := sorted({seat.game for seat in seats if not seat.even}):
        yield f"Agents did not change seats evenly in {_listed(uneven)}: there, strength and seat cannot be told apart."
    if faults := int(results.timeouts.sum() + results.illegal.sum() + results.crashes.sum()):
        yield f"{_some(faults, 'move')} came late, broke the rules or never came, and each was replaced by a random one."


def _differences(tests: Sequence[Comparisons]) -> str:
    """Say how many pairs of agents differ, and how far that carries."""
    pairs = len(tests[0].pairs)
    sure = [sum(pair.significant for pair in compared.pairs) for compared in tests]
    differ = [f"{count} differs" if count == 1 else f"{count} differ" for count in sure]
    start = f"Of {_some(pairs, 'pair')} of agents, {differ[0]} by more than chance in what was played"
    if len(tests) == 1:
        return f"{start}; one game says nothing about others."
    games = max(pair.units for pair in tests[1].pairs)
    doubt = f" (from {games} games only)" if games < FEW_GAMES else ""
    return f"{start}; {differ[1]} with the game as the unit{doubt}: nothing more can be claimed about games like these."


def _doubts(best: str, tests: Sequence[Comparisons]) -> Iterator[str]:
    """Name the agents that the best one is not proved to beat."""
    where = {"play": "in what was played", "game": "over games like these"}
    named = {best}
    for compared in tests:
        rest = [name for name in compared.agents if name not in named]
        level = [name for name in rest if not compared.between(best, name).significant]
        named |= set(level)
        if level:
            yield f"{best} was not shown to be better than {_listed(level)} {where[compared.unit]}."


def _some(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _listed(names: Sequence[str], apart: str = ", ") -> str:
    shown = list(names[:_NAMED]) + ([f"{len(names) - _NAMED} more"] if len(names) > _NAMED else [])
    return " and ".join([apart.join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
