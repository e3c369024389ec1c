"""What was run: games, agents with all parameters, limits, seeds, version, dates, machine, faults, and how to repeat it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from ludarium.arena.report.sheets import Sheet, columns
from ludarium.arena.store.store import Store

_SEEDS = 3  # of plans that are listed one by one


def run_sheet(store: Store) -> Sheet:
    """Tell what a store holds, one line per fact."""
    note = "Where a plan was run several times, the last command is shown; the same command plays nothing twice."
    return Sheet("run", "What was run", note, columns("what", "is"), tuple(_facts(store)))


def _facts(store: Store) -> Iterator[tuple[str, str]]:
    matches, cut, faults, first, last = store.connection.execute(
        "SELECT count(*), sum(cut), sum(faults), min(started), max(started) FROM matches"
    ).fetchone()
    runs, plans = store.runs(), store.plans()
    yield "matches", f"{matches:,}" + (f", of which {cut:,} reached the move limit" if cut else "")
    for name, rules, count in store.connection.execute(
        "SELECT n.text, r.text, count(*) FROM matches m JOIN names n ON n.code = m.game LEFT JOIN names r ON r.code = m.rules "
        "GROUP BY n.text, r.text ORDER BY n.text, r.text"
    ):
        yield "game", f"{name} (rules {rules or 'not known'}): {count:,} {'match' if count == 1 else 'matches'}"
    known = {spec: given for run in runs for spec, given in run.agents.items()}
    for (name,) in store.connection.execute(
        "SELECT DISTINCT n.text FROM seats s JOIN names n ON n.code = s.agent ORDER BY n.text"
    ):
        given = ", ".join(f"{key}={value}" for key, value in known.get(name, {}).items())
        yield "agent", f"{name}: {given}" if given else name
    limits = {str(pairing.terms.limit): None for plan in plans for pairing in plan.pairings}
    yield "limit of a move", "; ".join(limits) or "not noted"
    seeds = sorted({pairing.seed for plan in plans for pairing in plan.pairings if pairing.seed is not None})
    if store.seed is not None and any(pairing.seed is None for plan in plans for pairing in plan.pairings):
        seeds.append(store.seed)
    listed = ", ".join(map(str, seeds[:_SEEDS])) + (f" and {len(seeds) - _SEEDS} more" if len(seeds) > _SEEDS else "")
    yield "seed of the plan", listed or "none: matches that were added one by one"
    yield "faults", f"{faults or 0:,}, for each of which a random move was made" if faults else "none"
    if failed := len(store.failures()):
        yield "not played", f"{failed:,} matches that could not be played"
    if first:
        yield "played", f"{_when(first)} to {_when(last)}"
    yield "version", "; ".join(dict.fromkeys(run.version for run in runs)) or "not noted"
    yield "machine", "; ".join(dict.fromkeys(run.machine for run in runs)) or "not noted"
    commands = {run.plan: run.command or "ludarium.arena.run(plan, store), from Python" for run in runs}
    for command in dict.fromkeys(commands.values()):
        yield "repeat", command


def _when(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
