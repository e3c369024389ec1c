"""A store as columns of numbers: read in one go, a million matches in a few seconds."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludarium.arena.record import read_terms
from ludarium.arena.results import Labels

_Rows = NDArray[Any]
_UNKNOWN = -1.0  # seconds that were not measured


def table(connection: sqlite3.Connection) -> dict[str, Any]:
    """Give one row per role of a match."""
    names = dict(connection.execute("SELECT code, text FROM names"))
    matches = _read(
        connection,
        "SELECT number, game, coalesce(terms, 0), seed, plies, cut FROM matches ORDER BY number",
        "number:i8 game:i4 terms:i4 seed:i8 plies:i4 cut:i1",
    )
    seats = _read(
        connection,
        f"SELECT match, role, role_name, agent, utility, coalesce(seconds, {_UNKNOWN}), timeouts, illegal, crashes "  # noqa: S608
        f"FROM seats WHERE match <= {int(matches['number'].max(initial=0))} ORDER BY match, role",
        "match:i8 role:i2 role_name:i4 agent:i4 utility:f8 seconds:f8 timeouts:i4 illegal:i4 crashes:i4",
    )
    of_match = np.searchsorted(matches["number"], seats["match"])
    seconds = np.where(seats["seconds"] == _UNKNOWN, np.nan, seats["seconds"])
    return {
        "match": seats["match"],
        "game": _labels(matches["game"][of_match], names),
        "budget": _labels(matches["terms"][of_match], {code: _budget(text) for code, text in names.items()}),
        "seed": matches["seed"][of_match].astype(np.uint64),
        "role": seats["role"].astype(np.int64),
        "role_name": _labels(seats["role_name"], names),
        "agent": _labels(seats["agent"], names),
        "opponents": _opponents(seats, names),
        "utility": seats["utility"],
        "plies": matches["plies"][of_match].astype(np.int64),
        "cut": matches["cut"][of_match].astype(bool),
        "seconds": seconds,
        **{name: seats[name].astype(np.int64) for name in ("timeouts", "illegal", "crashes")},
    }


def moves(connection: sqlite3.Connection) -> dict[str, Any]:
    """Give one row per decision of the matches that were kept in full."""
    names = dict(connection.execute("SELECT code, text FROM names"))
    turns = "json_each(r.data, '$.turns') t"
    parts = ("ply", "role", "seconds", "choices", "iterations", "forward_calls", "value")
    read = ", ".join(f"json_extract(t.value, '$.{part}')" for part in parts)
    rows = connection.execute(
        f"SELECT r.match, m.game, s.agent, {read} FROM records r JOIN matches m ON m.number = r.match "  # noqa: S608
        f"JOIN {turns} JOIN seats s ON s.match = r.match AND s.role = json_extract(t.value, '$.role') "
        "WHERE json_extract(t.value, '$.ply') >= 0 ORDER BY r.match, t.key"
    )
    kinds = "match:i8 game:i4 agent:i4 ply:i4 role:i2 seconds:f8 choices:i4 iterations:i8 forward_calls:i8 value:f8"
    whole = {"choices", "iterations", "forward_calls"}
    columns = [each.partition(":")[0] for each in kinds.split()]
    empty = [0 if name in whole else np.nan for name in columns]
    filled = (tuple(e if x is None else x for x, e in zip(row, empty, strict=True)) for row in rows)
    data = np.fromiter(filled, _kind(kinds))
    other = {name: data[name] for name in columns if name not in ("game", "agent")}
    other |= {name: data[name].astype(np.int64) for name in ("ply", "role", *whole)}
    return {**other, "game": _labels(data["game"], names), "agent": _labels(data["agent"], names)}


def _read(connection: sqlite3.Connection, query: str, kinds: str) -> _Rows:
    cursor = connection.execute(query)
    return np.fromiter(cursor, _kind(kinds))


def _kind(kinds: str) -> np.dtype[Any]:
    return np.dtype([(name, kind) for name, _, kind in (each.partition(":") for each in kinds.split())])


def _labels(codes: _Rows, names: dict[int, str]) -> Labels:
    """Number the names that are used from 0 on."""
    used, places = np.unique(codes, return_inverse=True)
    return Labels(places.astype(np.int32), tuple(names.get(int(code), "") for code in used))


def _budget(text: str) -> str:
    """Write the limit of terms as people do; other names are no terms."""
    if not text.startswith("{"):
        return ""
    try:
        return str(read_terms(json.loads(text)).limit)
    except (TypeError, ValueError):
        return ""


def _opponents(seats: _Rows, names: dict[int, str]) -> Labels:
    """Name the others of each match, in the order of their roles."""
    if not len(seats):
        return Labels(np.zeros(0, np.int32), ())
    starts = np.flatnonzero(np.append(True, seats["match"][1:] != seats["match"][:-1]))
    sizes = np.diff(np.append(starts, len(seats)))
    codes = np.zeros(len(seats), np.int32)
    texts: dict[str, int] = {}
    for size in np.unique(sizes):
        rows = starts[sizes == size][:, None] + np.arange(size)
        lineups, which = _distinct(seats["agent"][rows])
        for role in range(size):
            written = [", ".join(names[int(c)] for k, c in enumerate(each) if k != role) for each in lineups]
            numbers = np.array([texts.setdefault(text, len(texts)) for text in written], np.int32)
            codes[rows[:, role]] = numbers[which]
    return Labels(codes, tuple(texts))


def _distinct(agents: _Rows) -> tuple[_Rows, _Rows]:
    """Find the lineups that differ, and which one each match has."""
    base = int(agents.max()) + 1
    key = np.zeros(len(agents), np.int64)
    for column in agents.T:
        _, place = np.unique(key * base + column, return_inverse=True)  # stays small, however many roles there are
        key = place.astype(np.int64)
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    return agents[first], which
