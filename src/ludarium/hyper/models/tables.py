"""Tables to learn from: games with their features, and what each candidate scored in them."""

from __future__ import annotations

import csv
import hashlib
import io
import lzma
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from ludarium.core import BadParameter, LudariumError
from ludarium.core.files import write_file

_NAMED = 5
"""So many games are named in a message."""

LEAST_GAMES = 10
"""Fewer games than that teach nothing, and cannot be left out in turn."""


@dataclass(frozen=True, eq=False)
class Table:
    """Games, their features, and scores of candidates in percent."""

    games: tuple[str, ...]
    columns: tuple[str, ...]
    features: NDArray[np.float64]
    """A row for each game."""

    candidates: tuple[str, ...]
    scores: NDArray[np.float64]

    def __post_init__(self) -> None:
        if len(self.games) < LEAST_GAMES:
            raise BadParameter(f"the table has {_count(len(self.games), 'game')}; at least {LEAST_GAMES} are needed")
        if len(self.candidates) < 2:
            raise BadParameter("the table has scores of one candidate; there is nothing to choose from")
        for what, values in (("feature", self.features), ("score", self.scores)):
            if not np.isfinite(values).all():
                row, column = (int(each[0]) for each in np.nonzero(~np.isfinite(values)))
                name = (self.columns if what == "feature" else self.candidates)[column]
                raise BadParameter(f"{self.games[row]} has no number as {what} {name}")
        if (self.scores == self.scores[:, :1]).all():
            raise BadParameter("all candidates score the same in every game: there is nothing to learn")
        if (self.features == self.features[:1]).all():
            raise BadParameter("all games have the same features: there is nothing to learn from")

    def distinct(self) -> Table:
        """The same without columns that tell nothing, or nothing that an earlier one does not tell."""
        seen: dict[bytes, int] = {}
        for place in range(len(self.columns)):
            column = np.ascontiguousarray(self.features[:, place])
            if (column != column[0]).any():
                seen.setdefault(column.tobytes(), place)
        kept = list(seen.values())
        columns = tuple(self.columns[place] for place in kept)
        return replace(self, columns=columns, features=np.ascontiguousarray(self.features[:, kept]))

    def of(self, places: Sequence[int] | NDArray[np.int64]) -> Table:
        """The same for some of the games, by their places."""
        games = tuple(self.games[place] for place in places)
        kept = np.asarray(places, dtype=np.int64)
        return replace(self, games=games, features=self.features[kept], scores=self.scores[kept])

    @property
    def digest(self) -> str:
        """What the table holds, in a few letters."""
        said = "\n".join(["games", *self.games, "columns", *self.columns, "candidates", *self.candidates]).encode()
        return hashlib.sha256(said + self.features.tobytes() + self.scores.tobytes()).hexdigest()[:16]


def join(features: Sequence[Path], scores: Path, candidates: Sequence[str] = ()) -> Table:
    """Read features from files and scores from another: every game of the scores has to have features."""
    known = [read(path, gaps=True) for path in features]
    names, rows = read(scores)
    chosen = tuple(candidates) or names
    missing = [name for name in chosen if name not in names]
    if missing:
        raise BadParameter(f"{scores} has no column {missing[0]!r}; it has {', '.join(names)}")
    games = tuple(game for game in rows if all(game in each for _, each in known))
    if not games:
        raise BadParameter(f"no game of {scores} is in {' and '.join(map(str, features))}")
    for path, (_, each) in zip(features, known, strict=True):
        if bare := [game for game in rows if game not in each]:
            named = ", ".join(bare[:_NAMED]) + (", ..." if len(bare) > _NAMED else "")
            raise BadParameter(f"{path} has no line for {_count(len(bare), 'game')} of {scores}: {named}")
    columns = tuple(name for heads, _ in known for name in heads)
    if len(set(columns)) < len(columns):
        twice = next(name for name in columns if columns.count(name) > 1)
        raise BadParameter(f"the feature {twice} is in several files")
    values = [[value for _, each in known for value in each[game]] for game in games]
    at = [names.index(name) for name in chosen]
    scored = np.array([[rows[game][k] for k in at] for game in games])
    return Table(games, columns, filled(np.array(values)), chosen, scored)


def filled(features: NDArray[np.float64]) -> NDArray[np.float64]:
    """Put the mean of all games where a feature is unknown (nan): then it tells nothing, and makes nothing alike."""
    unknown = np.isnan(features)
    counts = np.maximum(1, (~unknown).sum(axis=0))
    means = np.where(unknown, 0.0, features).sum(axis=0) / counts
    return np.where(unknown, means, features)


def read(path: Path, *, gaps: bool = False, percent: bool = True) -> tuple[tuple[str, ...], Mapping[str, list[float]]]:
    """Read a file whose rows are a name and numbers; what is no number is an error with its place.

    Numbers are scores from 0 to 100, unless `percent` is False or there may be gaps, as in features. With `gaps` a cell may be
    empty: nan stands for what is unknown. A name that ends in `.xz` is that of a compressed file.
    """
    try:
        with _opened(path) as file:
            lines = csv.reader(file)
            heads = tuple(next(lines, ()))
            if len(heads) < 2:
                raise BadParameter(f"{path} has no columns; expected a line such as GameName,first,second")
            if twice := [name for place, name in enumerate(heads) if name in heads[:place]]:
                raise BadParameter(f"{path}:1: two columns are called {twice[0]!r}; expected a name for each")
            rows: dict[str, list[float]] = {}
            for line in lines:
                if not line:
                    continue
                if len(line) != len(heads):
                    raise BadParameter(f"{path}:{lines.line_num}: {len(line)} values; expected {len(heads)}")
                if line[0] in rows:
                    raise BadParameter(
                        f"{path}:{lines.line_num}: {heads[0]} {line[0]!r} is there twice; expected one line for a game"
                    )
                rows[line[0]] = [
                    math.nan
                    if gaps and not text
                    else _number(text, f"{path}:{lines.line_num}", name, percent=percent and not gaps)
                    for name, text in zip(heads[1:], line[1:], strict=True)
                ]
    except OSError as problem:
        raise BadParameter(f"cannot read {path}: {'it is a folder' if path.is_dir() else problem.strerror}") from None
    except UnicodeDecodeError:
        raise BadParameter(f"cannot read {path}: it is not UTF-8 text") from None
    except (EOFError, lzma.LZMAError, csv.Error) as problem:
        raise BadParameter(f"cannot read {path}: {problem}") from None
    return heads[1:], rows


def _opened(path: Path) -> TextIO:
    if path.suffix == ".xz":
        return lzma.open(path, "rt", encoding="utf-8", newline="")
    return path.open(encoding="utf-8", newline="")


def write(path: Path, heads: Sequence[str], rows: Mapping[str, Sequence[float | None]]) -> None:
    """Write what `read` reads; the same numbers give the same file, byte by byte."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(["GameName", *heads])
    for name, values in rows.items():
        out.writerow([name, *("" if value is None else f"{value:.10g}" for value in values)])
    data = text.getvalue().encode()
    try:
        write_file(path, lzma.compress(data, preset=9) if path.suffix == ".xz" else data)
    except OSError as problem:
        raise LudariumError(f"cannot write {path}: {problem.strerror}") from None


def _number(text: str, place: str, column: str, *, percent: bool) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadParameter(f"{place}: {column} is {text!r}; expected a number")
    if percent and not 0 <= value <= 100:
        raise BadParameter(f"{place}: {column} is {text}; expected a score in percent, from 0 to 100")
    return value


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
