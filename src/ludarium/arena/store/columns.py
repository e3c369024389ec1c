"""A store as columns of numbers: read in one go, a million matches in a few seconds."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludarium.arena.extras import needs
from ludarium.arena.record import read_terms
from ludarium.arena.results import Labels
from ludarium.arena.store.versions import NOT_KNOWN, versioned

if TYPE_CHECKING:
    from pandas import DataFrame

OUTCOMES = ("won", "drawn", "lost")

_Rows = NDArray[Any]
_UNKNOWN = -1  # seconds that were not measured
_NANO = 1e9
_CODE = 0xFFFFFF  # names have fewer
_OTHER = 3
_OUTCOME = f"CASE utility WHEN 0 THEN 0 WHEN 0.5 THEN 1 WHEN 1 THEN 2 ELSE {_OTHER} END"
_FAULTS = ("timeouts", "illegal", "crashes")
_FAULTY = f"{' + '.join(_FAULTS)} > 0"
_TEXT_AT_ONCE = 50_000  # matches whose numbers are written down in one go
_SMALL = 1 << 22
_AT_ONCE = 2000  # matches
_OF_TURNS: dict[str, Any] = dict.fromkeys(("ply", "role", "choices", "iterations", "forward_calls"), np.int64)
_OF_TURNS |= dict.fromkeys(("seconds", "value"), np.float64)


def table(connection: sqlite3.Connection, *, brief: bool = False) -> dict[str, Any]:
    """Give one row per role of a match; in `brief`, without seeds, opponents and outcomes, which most statistics do not ask for.

    Most of the time goes into making Python's numbers of SQLite's, so small ones come packed into one; utilities other
    than those of a win, a draw and a loss come by themselves, and so do faults, which are rare.
    """
    names = dict(connection.execute("SELECT code, text FROM names"))
    last = int(connection.execute("SELECT coalesce(max(number), 0) FROM matches").fetchone()[0])
    matches = _Source(connection, "matches", "number", "number", last)  # another process may be adding more
    seats = _Source(connection, "seats", "match", "match, role", last)
    number, plies = matches.read("number"), matches.read("plies * 2 + cut")
    games, version = _games(connection, names)
    codes = matches.read(f"{version} | (coalesce(terms, 0) << 24)")
    packed = seats.read(f"role | (role_name << 8) | (agent << 32) | ({_OUTCOME} << 56) | (({_FAULTY}) << 58)")
    seconds = seats.read(f"CAST(coalesce(seconds * {_NANO:.0f} + 0.5, {_UNKNOWN}) AS INTEGER)")
    role, agent = packed & 0xFF, packed >> 32 & _CODE
    of_match = np.cumsum(role == 0) - 1  # a match has a first role, and its rows lie side by side
    if np.count_nonzero(role == 0) != len(number):  # somebody has been at the file
        of_match = np.searchsorted(number, seats.read("match"))
    match, codes, plies = number[of_match], codes[of_match], plies[of_match]
    columns = {
        "match": match,
        "game": _labels(codes & _CODE, games),
        "budget": _labels(codes >> 24, {code: _budget(text) for code, text in names.items()}),
        "role": role,
        "role_name": _labels(packed >> 8 & _CODE, names),
        "agent": _labels(agent, names),
        "utility": _utilities(connection, match, packed >> 56 & _OTHER, last),
        "plies": plies >> 1,
        "cut": (plies & 1).astype(bool),
        "seconds": np.where(seconds == _UNKNOWN, np.nan, seconds / _NANO),
        **_faults(connection, match, last if np.any(packed >> 58) else 0),
    }
    if not brief:
        columns["seed"] = matches.read("seed")[of_match].astype(np.uint64)
        columns["opponents"] = _opponents(match, agent, names)
        columns["outcome"] = _outcomes(match, columns["utility"])
    return columns


def plain(columns: dict[str, Any]) -> dict[str, Any]:
    """Write out the words of columns: one array per column, and one entry per row in each."""
    return {
        name: np.array(column.names, object)[column.codes] if isinstance(column, Labels) else column
        for name, column in columns.items()
    }


def frame(columns: dict[str, Any]) -> DataFrame:
    """Make a DataFrame of columns."""
    with needs("report"):
        import pandas as pd  # noqa: PLC0415
    made = {}
    for name, column in columns.items():
        if isinstance(column, Labels):  # limits may bear the same name under different terms
            words = list(dict.fromkeys(column.names))
            place = np.array([words.index(word) for word in column.names], np.int64)
            made[name] = pd.Categorical.from_codes(place[column.codes], words)
        else:
            made[name] = column
    return pd.DataFrame(made)


@dataclass(frozen=True)
class _Source:
    """Columns of a table, in order and up to the last match."""

    connection: sqlite3.Connection
    table: str
    key: str
    order: str
    last: int

    def read(self, expression: str) -> NDArray[np.int64]:
        """Read whole numbers; SQLite writes them as text and numpy reads that, faster than by way of Python's numbers."""
        rows = f"SELECT {expression} AS it FROM {self.table} WHERE {self.key} BETWEEN ? AND ? ORDER BY {self.order}"  # noqa: S608
        nearest = f"SELECT min({self.key}) FROM {self.table} WHERE {self.key} BETWEEN ? AND ?"  # noqa: S608
        parts, first = [], 1
        while first <= self.last:
            found = self.connection.execute(nearest, (first, self.last)).fetchone()[0]
            if found is None:
                break
            span = (found, min(found + _TEXT_AT_ONCE - 1, self.last))
            text = self.connection.execute(f"SELECT group_concat(it) FROM ({rows})", span).fetchone()[0]  # noqa: S608
            if text is not None:
                parts.append(np.fromstring(str(text), np.int64, sep=","))
            first = span[1] + 1
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def game_names(connection: sqlite3.Connection) -> dict[tuple[int, int | None], str]:
    """Name the games by the codes of their names and rules; with a fingerprint where there are several rules of a name."""
    found = list(connection.execute("SELECT DISTINCT game, rules FROM matches"))
    names = dict(connection.execute("SELECT code, text FROM names"))
    several = {game for game, count in Counter(game for game, _ in found).items() if count > 1}
    return {
        (game, rules): versioned(names[game], names.get(rules, NOT_KNOWN)) if game in several else names[game]
        for game, rules in found
    }


def _games(connection: sqlite3.Connection, names: dict[int, str]) -> tuple[dict[int, str], str]:
    """Number the games so that those played by other rules are told apart: their names, and how a row says its number."""
    found = game_names(connection)
    numbers = {pair: code for code, pair in enumerate(sorted(found, key=lambda pair: (pair[0], pair[1] or 0)))}
    if len(numbers) == len({game for game, _ in numbers}):
        return names, "game"
    cases = (
        f"WHEN game = {game} AND coalesce(rules, 0) = {rules or 0} THEN {code}"
        for (game, rules), code in numbers.items()
    )
    return {code: found[pair] for pair, code in numbers.items()}, f"(CASE {' '.join(cases)} END)"


def _utilities(connection: sqlite3.Connection, match: _Rows, outcome: _Rows, last: int) -> _Rows:
    utility = outcome * 0.5
    if np.any(outcome == _OTHER):
        other = f"SELECT match, role, utility FROM seats WHERE {_OUTCOME} = {_OTHER} AND match <= {last}"  # noqa: S608
        found = _read(connection, other, "match:i8 role:i8 utility:f8")
        utility[np.searchsorted(match, found["match"]) + found["role"]] = found["utility"]
    return utility


def _faults(connection: sqlite3.Connection, match: _Rows, last: int) -> dict[str, Any]:
    found = _read(
        connection,
        f"SELECT match, role, {', '.join(_FAULTS)} FROM seats WHERE {_FAULTY} AND match <= {last}",  # noqa: S608
        "match:i8 role:i8 timeouts:i8 illegal:i8 crashes:i8",
    )
    rows = np.searchsorted(match, found["match"]) + found["role"]
    columns: dict[str, Any] = {kind: np.zeros(len(match), np.int64) for kind in _FAULTS}
    for kind in _FAULTS:
        columns[kind][rows] = found[kind]
    return columns


def moves(connection: sqlite3.Connection) -> dict[str, Any]:
    """Give one row per decision, of the matches that were kept in full."""
    names = dict(connection.execute("SELECT code, text FROM names"))
    parts = list(_decisions(connection))
    data = {kind: np.concatenate([part[kind] for part in parts]) for kind in ("match", *_OF_TURNS)}
    asked = data["ply"] >= 0  # others are faults before the first move
    data = {kind: column[asked] for kind, column in data.items()}
    last = int(data["match"].max(initial=0))
    matches = _Source(connection, "matches", "number", "number", last)
    seats = _Source(connection, "seats", "match", "match, role", last)
    number, first = matches.read("number"), np.flatnonzero(seats.read("role") == 0)
    of_match = np.searchsorted(number, data["match"])
    games, version = _games(connection, names)
    game, agent = matches.read(version)[of_match], seats.read("agent")[first[of_match] + data["role"]]
    return {**data, "game": _labels(game, games), "agent": _labels(agent, names)}


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


def _outcomes(match: _Rows, utility: _Rows) -> Labels:
    """Say who won alone, who shared the best result, and who lost; alone, 1 is won and 0 is lost."""
    starts = np.flatnonzero(np.append(True, match[1:] != match[:-1])) if len(match) else np.zeros(0, np.int64)
    sizes = np.diff(np.append(starts, len(match)))
    best = np.repeat(np.maximum.reduceat(utility, starts), sizes) if len(match) else utility
    is_best = utility == best
    shared = np.repeat(np.add.reduceat(is_best.astype(np.int64), starts), sizes) if len(match) else is_best
    alone = np.repeat(sizes, sizes) == 1
    codes = np.where(alone, np.where(utility == 1, 0, np.where(utility == 0, 2, 1)), np.where(is_best, shared > 1, 2))
    return Labels(codes.astype(np.int32), OUTCOMES)


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
