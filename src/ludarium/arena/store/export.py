"""Results for other programs: CSV and Parquet with one row per role of a match, JSON lines with one match each."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Any

from ludarium.arena.extras import needs
from ludarium.arena.record import read_terms, to_json
from ludarium.arena.store.columns import game_names
from ludarium.arena.store.database import StoreError
from ludarium.arena.store.store import Store
from ludarium.core import BadParameter
from ludarium.core.files import whole

COLUMNS = (
    "id", "game", "budget", "seed", "role", "role_name", "agent", "opponents", "utility", "outcome", "plies", "cut", "seconds",
    "timeouts", "illegal", "crashes", "started",
)  # fmt: skip
_AT_ONCE = 50_000  # rows of a Parquet row group


def export(store: Store, path: str | Path) -> int:
    """Write all results to a file whose ending says how: .csv, .parquet or .jsonl; the number of rows or matches."""
    path = Path(path)
    if path.suffix not in _WRITERS:
        raise BadParameter(f"'{path}' cannot be exported to: its ending must be one of {', '.join(_WRITERS)}")
    with _whole(path) as part:
        return _WRITERS[path.suffix](store, part)


def rows(store: Store) -> Iterator[tuple[Any, ...]]:
    """Give one row per role of a match, with the `COLUMNS`."""
    names, games = dict(store.connection.execute("SELECT code, text FROM names")), game_names(store.connection)
    budgets: dict[int | None, str] = {None: ""}
    found = store.connection.execute(
        "SELECT m.number, m.id, m.game, m.terms, m.seed, m.plies, m.cut, m.started, s.role, s.role_name, s.agent, "
        "s.utility, s.seconds, s.timeouts, s.illegal, s.crashes, m.rules "
        "FROM matches m JOIN seats s ON s.match = m.number ORDER BY m.number, s.role"
    )
    for match in _together(found):
        _, match_id, game, terms, seed, plies, cut, started = match[0][:8]
        if terms not in budgets:
            budgets[terms] = str(read_terms(json.loads(names[terms])).limit)
        for _, _, _, _, _, _, _, _, role, role_name, agent, utility, seconds, *faults, rules in match:
            others = ", ".join(names[seat[10]] for seat in match if seat[8] != role)
            yield (
                match_id, games[game, rules], budgets[terms], seed % (1 << 64), role, names[role_name], names[agent], others,
                utility, _outcome(utility, [seat[11] for seat in match]), plies, bool(cut), seconds, *faults, started,
            )  # fmt: skip


def _outcome(utility: float, utilities: list[float]) -> str:
    """Say whether a result was won alone, drawn (shared with others who are best) or lost."""
    if len(utilities) == 1:
        return "won" if utility == 1 else "lost" if utility == 0 else "drawn"
    if utility < max(utilities):
        return "lost"
    return "won" if utilities.count(utility) == 1 else "drawn"


def _together(found: Iterator[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    match: list[tuple[Any, ...]] = []
    for row in found:
        if match and row[0] != match[0][0]:
            yield match
            match = []
        match.append(row)
    if match:
        yield match


def _csv(store: Store, path: Path) -> int:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        return _counted(rows(store), writer.writerow)


def _json_lines(store: Store, path: Path) -> int:
    with path.open("w", encoding="utf-8") as file:
        return _counted(store.matches(), lambda match: _write_line(file, to_json(match)))


def _parquet(store: Store, path: Path) -> int:
    with needs("parquet"):
        import pyarrow as pa  # noqa: PLC0415
        from pyarrow import parquet  # noqa: PLC0415
    texts = {"id", "game", "budget", "role_name", "agent", "opponents", "outcome"}
    kinds = dict.fromkeys(COLUMNS, pa.int64()) | dict.fromkeys(texts, pa.string())
    kinds |= dict.fromkeys(("utility", "seconds", "started"), pa.float64())
    kinds |= {"seed": pa.uint64(), "cut": pa.bool_()}
    schema = pa.schema(list(kinds.items()))
    count, given = 0, rows(store)
    with parquet.ParquetWriter(path, schema) as writer:
        while some := list(islice(given, _AT_ONCE)):
            columns = [
                pa.array(column, kind) for column, kind in zip(zip(*some, strict=True), schema.types, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))
            count += len(some)
    return count


_WRITERS: dict[str, Callable[[Store, Path], int]] = {".csv": _csv, ".parquet": _parquet, ".jsonl": _json_lines}


def _counted(things: Iterator[Any], write: Callable[[Any], Any]) -> int:
    count = 0
    for count, thing in enumerate(things, 1):  # noqa: B007
        write(thing)
    return count


def _write_line(file: IO[str], line: str) -> None:
    file.write(f"{line}\n")


@contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """Write the file whole, or say why it cannot be."""
    try:
        with whole(path) as part:
            yield part
    except OSError as problem:
        raise StoreError(f"{path} cannot be written: {problem.strerror or problem}") from problem
