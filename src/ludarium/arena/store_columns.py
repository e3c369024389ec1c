"""A store as columns of numbers: read in one go, a million matches in a few seconds."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludarium.arena.record import read_terms
from ludarium.arena.results import Labels

_Rows = NDArray[Any]
_UNKNOWN = -1.0  # seconds that were not measured
_SMALL = 1 << 22
_AT_ONCE = 2000  # matches
_OF_TURNS: dict[str, Any] = dict.fromkeys(("ply", "role", "choices", "iterations", "forward_calls"), np.int64)
_OF_TURNS |= dict.fromkeys(("seconds", "value"), np.float64)


def table(connection: sqlite3.Connection) -> dict[str, Any]:
    """Give one row per role of a match.

    Most of the time goes into making Python's numbers of SQLite's, so small ones come packed into one, and faults, which
    are rare, come by themselves.
    """
    names = dict(connection.execute("SELECT code, text FROM names"))
    matches = _read(
        connection,
        "SELECT number, game | (coalesce(terms, 0) << 32), seed, plies * 2 + cut FROM matches ORDER BY number",
        "number:i8 codes:i8 seed:i8 plies:i8",
    )
    last = int(matches["number"].max(initial=0))  # another process may be adding more
    seats = _read(
        connection,
        f"SELECT match, role | (role_name << 8) | (agent << 32), utility, coalesce(seconds, {_UNKNOWN}) "  # noqa: S608
        f"FROM seats WHERE match <= {last} ORDER BY match, role",
        "match:i8 codes:i8 utility:f8 seconds:f8",
    )
    number = seats["match"]
    of_match = np.searchsorted(matches["number"], number)
    role, agent = seats["codes"] & 0xFF, seats["codes"] >> 32
    plies = matches["plies"][of_match]
    return {
        "match": number,
        "game": _labels(matches["codes"][of_match] & 0xFFFFFFFF, names),
        "budget": _labels(matches["codes"][of_match] >> 32, {code: _budget(text) for code, text in names.items()}),
        "seed": matches["seed"][of_match].astype(np.uint64),
        "role": role,
        "role_name": _labels(seats["codes"] >> 8 & 0xFFFFFF, names),
        "agent": _labels(agent, names),
        "opponents": _opponents(number, agent, names),
        "utility": seats["utility"],
        "plies": plies >> 1,
        "cut": (plies & 1).astype(bool),
        "seconds": np.where(seats["seconds"] == _UNKNOWN, np.nan, seats["seconds"]),
        **_faults(connection, number, last),
    }


def _faults(connection: sqlite3.Connection, match: _Rows, last: int) -> dict[str, Any]:
    kinds = ("timeouts", "illegal", "crashes")
    found = _read(
        connection,
        f"SELECT match, role, {', '.join(kinds)} FROM seats WHERE {' + '.join(kinds)} > 0 AND match <= {last}",  # noqa: S608
        "match:i8 role:i8 timeouts:i8 illegal:i8 crashes:i8",
    )
    rows = np.searchsorted(match, found["match"]) + found["role"]
    columns: dict[str, Any] = {kind: np.zeros(len(match), np.int64) for kind in kinds}
    for kind in kinds:
        columns[kind][rows] = found[kind]
    return columns


def moves(connection: sqlite3.Connection) -> dict[str, Any]:
    """Give one row per decision, of the matches that were kept in full."""
    names = dict(connection.execute("SELECT code, text FROM names"))
    parts = list(_decisions(connection))
    data = {kind: np.concatenate([part[kind] for part in parts]) for kind in ("match", *_OF_TURNS)}
    asked = data["ply"] >= 0  # others are faults before the first move
    data = {kind: column[asked] for kind, column in data.items()}
    games = _read(connection, "SELECT number, game FROM matches ORDER BY number", "number:i8 game:i8")
    seats = _read(connection, "SELECT match, agent FROM seats ORDER BY match, role", "match:i8 agent:i8")
    game = games["game"][np.searchsorted(games["number"], data["match"])]
    agent = seats["agent"][np.searchsorted(seats["match"], data["match"]) + data["role"]]
    return {**data, "game": _labels(game, names), "agent": _labels(agent, names)}


def _decisions(connection: sqlite3.Connection) -> Iterator[dict[str, _Rows]]:
    """Read decisions in pieces, because lists take much more memory than arrays."""
    rows = connection.execute("SELECT match, turns FROM records WHERE turns IS NOT NULL ORDER BY match")
    while True:
        columns: dict[str, list[Any]] = {kind: [] for kind in _OF_TURNS}
        numbers: list[int] = []
        for number, text in islice(rows, _AT_ONCE):
            turns = json.loads(text)
            numbers.extend([number] * len(turns["ply"]))
            for kind, column in columns.items():
                column.extend(turns[kind])
        made = {kind: np.array(columns[kind], form) for kind, form in _OF_TURNS.items()}  # None becomes nan
        yield made | {"match": np.array(numbers, np.int64)}
        if not numbers:
            return


def _read(connection: sqlite3.Connection, query: str, kinds: str) -> _Rows:
    cursor = connection.execute(query)
    return np.fromiter(cursor, _kind(kinds))


def _kind(kinds: str) -> np.dtype[Any]:
    return np.dtype([(name, kind) for name, _, kind in (each.partition(":") for each in kinds.split())])


def _labels(codes: _Rows, names: dict[int, str]) -> Labels:
    """Number the names that are used from 0 on."""
    used, places = _numbered(codes)
    return Labels(places.astype(np.int32), tuple(names.get(int(code), "") for code in used))


def _numbered(codes: _Rows) -> tuple[_Rows, _Rows]:
    """Find the codes that occur, and the place of each among them; quicker than sorting while they are small."""
    if int(codes.max(initial=0)) > _SMALL:
        used, places = np.unique(codes, return_inverse=True)
        return used, places
    used = np.flatnonzero(np.bincount(codes))
    place = np.zeros(int(codes.max(initial=0)) + 1, np.int64)
    place[used] = np.arange(len(used))
    return used, place[codes]


def _budget(text: str) -> str:
    """Write the limit of terms as people do; other names are no terms."""
    if not text.startswith("{"):
        return ""
    try:
        return str(read_terms(json.loads(text)).limit)
    except (TypeError, ValueError):
        return ""


def _opponents(match: _Rows, agent: _Rows, names: dict[int, str]) -> Labels:
    """Name the others of each match, in the order of their roles."""
    if not len(match):
        return Labels(np.zeros(0, np.int32), ())
    starts = np.flatnonzero(np.append(True, match[1:] != match[:-1]))
    sizes = np.diff(np.append(starts, len(match)))
    codes = np.zeros(len(match), np.int32)
    texts: dict[str, int] = {}
    for size in np.flatnonzero(np.bincount(sizes)):
        rows = starts[sizes == size][:, None] + np.arange(size)
        which = np.zeros(len(rows), np.int64)
        for role in range(size):
            seated = agent[rows[:, role]]
            _, which = _numbered(which * (int(seated.max()) + 1) + seated)  # stays small, however many roles there are
        first = np.zeros(int(which.max()) + 1, np.int64)
        first[which] = np.arange(len(which))  # a match with each lineup
        for role in range(size):
            written = [
                ", ".join(names[int(agent[row])] for at, row in enumerate(rows[match_row]) if at != role)
                for match_row in first
            ]
            numbers = np.array([texts.setdefault(text, len(texts)) for text in written], np.int32)
            codes[rows[:, role]] = numbers[which]
    return Labels(codes, tuple(texts))
