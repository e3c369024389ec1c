"""What was played, as columns of numbers: all that statistics and reports look at.

`Results` has one row per role of a match, `Moves` one row per decision. Both are made from a mapping of columns,
wherever these come from; columns that nothing here asks for are left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludarium.core import BadParameter

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]

_NONE = np.zeros(0, np.int64)
_SHORT = 1 << 15
_DENSE = 1 << 20  # keys that may be counted in an array with a place for each


@dataclass(frozen=True, eq=False)
class Labels:
    """A column of words, each word kept once: row i says `names[codes[i]]`.

    >>> Labels.of(["uct", "random", "uct"])
    Labels(uct, random: 3 rows)
    """

    codes: NDArray[np.int32]
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.codes) and not 0 <= int(self.codes.min()) <= int(self.codes.max()) < len(self.names):
            raise BadParameter(f"a column has codes beyond its {len(self.names)} names")

    @classmethod
    def of(cls, words: Labels | Sequence[str] | NDArray[Any]) -> Labels:
        """Read a column of words; a column that is made of labels already costs nothing."""
        if isinstance(words, Labels):
            return words
        numbers: dict[str, int] = {}
        codes = np.fromiter((numbers.setdefault(str(word), len(numbers)) for word in words), np.int32, len(words))
        return cls(codes, tuple(numbers))

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: Any) -> Labels:
        return Labels(self.codes[rows], self.names)

    def __repr__(self) -> str:
        return f"Labels({', '.join(self.names)}: {len(self)} rows)"

    def in_order(self, names: Sequence[str]) -> Labels:
        """Number the names in this order, which must hold all of them."""
        place = np.array([names.index(name) for name in self.names], np.int32)
        return Labels(place[self.codes], tuple(names))

    def used(self) -> Labels:
        """Drop the names that no row bears."""
        present = np.flatnonzero(np.bincount(self.codes, minlength=len(self.names)))
        if len(present) == len(self.names):
            return self
        place = np.zeros(len(self.names), np.int32)
        place[present] = np.arange(len(present), dtype=np.int32)
        return Labels(place[self.codes], tuple(self.names[code] for code in present))


class _Columns:
    """What tables made of columns have in common."""

    match: Integers
    game: Labels

    def __len__(self) -> int:
        return len(self.match)

    def where(self, rows: Any) -> Self:
        """Keep the rows that a mask, a slice or a list of numbers names."""
        if isinstance(rows, np.ndarray) and rows.dtype == bool and rows.all():
            return self
        kept = {name: column[rows] for name, column in vars(self).items()}
        kept = {name: column.used() if isinstance(column, Labels) else column for name, column in kept.items()}
        return replace(self, **kept)  # type: ignore[type-var]

    def games(self) -> Iterator[tuple[str, Self]]:
        """Take the games one by one, in the order of their names' numbers; rows keep their order."""
        few = len(self.game.names) <= _SHORT  # numpy sorts short numbers much faster
        ordered = np.argsort(self.game.codes.astype(np.int16) if few else self.game.codes, kind="stable")
        ends = np.cumsum(np.bincount(self.game.codes, minlength=len(self.game.names)))
        for name, start, end in zip(self.game.names, np.append(0, ends), ends, strict=False):
            yield name, self.where(ordered[start:end])


@dataclass(frozen=True, eq=False)
class Results(_Columns):
    """One row per role of a match.

    >>> Results.of({"match": [1, 1], "game": ["nim"] * 2, "role": [0, 1], "agent": ["a", "b"], "utility": [0, 1]})
    Results(1 matches, 1 games, 2 agents)
    """

    match: Integers
    """Rows with the same number tell of the same match. A column of texts is numbered."""

    game: Labels
    role: Integers
    agent: Labels
    utility: Numbers
    """From 0 to 1."""

    role_name: Labels
    plies: Integers
    """The length of the match; 0 if it is not known."""

    seconds: Numbers
    """What the agent thought in all; nan if it is not known."""

    timeouts: Integers
    illegal: Integers
    crashes: Integers
    """Moves that were late, that were not legal, and that never came."""

    def __post_init__(self) -> None:
        if not np.all((self.utility >= 0) & (self.utility <= 1)):  # nan is refused, too
            raise BadParameter("a utility is a number from 0 to 1")

    @classmethod
    def of(cls, columns: Mapping[str, Any]) -> Results:
        """Read columns: `match`, `game`, `role`, `agent`, `utility`, and if known `role_name`, `plies`, `seconds`, faults.

        A `budget` becomes part of the agents' names if there are several: with more time, it is another agent.
        """
        required = {"match": _match_numbers, "game": _labels, "role": _roles, "agent": _labels}
        required |= {"utility": _numbers} | ({"role_name": _labels} if "role_name" in columns else {})
        optional = {"plies": (_integers, 0), "seconds": (_numbers, np.nan)}
        optional |= dict.fromkeys(("timeouts", "illegal", "crashes"), (_integers, 0))
        read = _read("results", columns, required, optional)
        if "role_name" not in read:
            names = tuple(f"role {number + 1}" for number in range(int(read["role"].max(initial=0)) + 1))
            read["role_name"] = Labels(read["role"].astype(np.int32), names).used()
        if "budget" in columns:
            read["agent"] = _with_budget(read["agent"], _labels(columns["budget"]))
        return cls(**read)

    def __repr__(self) -> str:
        games, agents = (len(np.unique(column.codes)) for column in (self.game, self.agent))
        return f"Results({len(np.unique(self.match))} matches, {games} games, {agents} agents)"

    def by_match(self) -> Results:
        """Put the rows of every match side by side, in the order of the roles."""
        if _rising(self.match, self.role):
            return self
        ordered = self.where(np.lexsort((self.role, self.match)))
        if not _rising(ordered.match, ordered.role):
            raise BadParameter("a match has two rows for one role: was it counted twice?")
        return ordered

    def as_scores(self) -> Results:
        """Score in place of utilities: 1 for the best of a match, 1/n where n share that, and 0 for the others.

        A match of which one role alone is known keeps its utility.
        """
        ordered = self.by_match()
        if not len(ordered):
            return ordered
        starts = match_starts(ordered.match)
        sizes = np.diff(np.append(starts, len(ordered)))
        best = np.repeat(np.maximum.reduceat(ordered.utility, starts), sizes)
        is_best = ordered.utility == best
        shared = np.repeat(np.add.reduceat(is_best.astype(np.float64), starts), sizes)
        scores = np.where(np.repeat(sizes, sizes) == 1, ordered.utility, is_best / shared)
        return replace(ordered, utility=scores)

    def outcomes(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Say of every row whether its match was won, and whether it was drawn; the rows must lie `by_match`.

        Won is best alone, drawn is best with others, and all else is lost. Where one role alone is known, 1 is won and 0 lost.
        """
        scores = self.as_scores().utility
        return scores == 1, (scores > 0) & (scores < 1)

    def encounters(self) -> tuple[Integers, Integers]:
        """Pair the rows that met in a match, each pair once; the rows must lie `by_match`."""
        ones, others = [], []
        for apart in range(1, len(self)):
            ones.append(np.flatnonzero(self.match[apart:] == self.match[:-apart]))
            others.append(ones[-1] + apart)
            if not len(ones[-1]):
                break
        return np.concatenate(ones or [_NONE]), np.concatenate(others or [_NONE])


@dataclass(frozen=True, eq=False)
class Moves(_Columns):
    """One row per decision, in the order in which they were made."""

    match: Integers
    """The numbers that `Results` has for the same matches."""

    game: Labels
    ply: Integers
    """From 0 on. Decisions made at once have the same."""

    role: Integers
    agent: Labels
    seconds: Numbers
    """Thinking time; nan if it was not measured."""

    choices: Integers
    """How many moves were legal; 0 if it is not known."""

    value: Numbers
    """What the mover expected for itself, from 0 to 1; nan if it did not say."""

    @classmethod
    def of(cls, columns: Mapping[str, Any]) -> Moves:
        """Read columns: `match`, `game`, `ply`, `role`, `agent`, and `seconds`, `choices`, `value` if known."""
        required = {"match": _match_numbers, "game": _labels, "ply": _integers, "role": _roles, "agent": _labels}
        optional = {"seconds": (_numbers, np.nan), "choices": (_integers, 0), "value": (_numbers, np.nan)}
        return cls(**_read("moves", columns, required, optional))

    def __repr__(self) -> str:
        return f"Moves({len(self)} decisions in {len(np.unique(self.match))} matches)"


def sums(group: Any, weights: Any, size: int) -> Numbers:
    """Add up weights by group."""
    return np.asarray(np.bincount(group, weights, size), np.float64)


def compress(keys: Integers) -> tuple[Integers, Integers]:
    """Name the different keys in order, and say for every row which of them it has."""
    size = int(keys.max(initial=0)) + 1
    if int(keys.min(initial=0)) < 0 or size > max(_DENSE, 4 * len(keys)):
        present, number = np.unique(keys, return_inverse=True)
        return present, number
    present = np.flatnonzero(np.bincount(keys, minlength=size))
    place = np.zeros(size, np.int64)
    place[present] = np.arange(len(present))
    return present, place[keys]


def match_starts(match: Integers) -> Integers:
    """Find where each match begins in a column that has its rows side by side."""
    return np.flatnonzero(np.append(True, match[1:] != match[:-1]))


_Read = Callable[[Any], Any]


def _read(
    what: str, columns: Mapping[str, Any], required: Mapping[str, _Read], optional: Mapping[str, tuple[_Read, float]]
) -> dict[str, Any]:
    """Take the columns that are needed out of a mapping, and say what is wrong with them."""
    missing = [name for name in required if name not in columns]
    if missing:
        raise BadParameter(f"{what} lack the column{'s' * (len(missing) > 1)} {', '.join(missing)}")
    read = {}
    for name, reader in required.items():
        read[name] = reader(columns[name])
    rows = len(read["match"])
    for name, (reader, default) in optional.items():
        read[name] = reader(columns[name]) if name in columns else reader(np.full(rows, default))
    for name, column in read.items():
        if len(column) != rows:
            raise BadParameter(f"{what} have {rows} matches, but {len(column)} rows in the column {name}")
    return read


def _labels(column: Any) -> Labels:
    return Labels.of(column).used()


def _roles(column: ArrayLike) -> Integers:
    roles = _integers(column)
    if roles.min(initial=0) < 0:
        raise BadParameter("a role is a number from 0 on")
    return roles


def _with_budget(agent: Labels, budget: Labels) -> Labels:
    if len(budget) != len(agent):
        raise BadParameter(f"results have {len(agent)} matches, but {len(budget)} rows in the column budget")
    if len(budget.names) < 2:
        return agent
    names = tuple(f"{name} [{limit}]" if limit else name for name in agent.names for limit in budget.names)
    return Labels(agent.codes * len(budget.names) + budget.codes, names).used()


def _numbers(column: ArrayLike) -> Numbers:
    try:
        return np.asarray(column, np.float64)
    except (TypeError, ValueError):
        raise BadParameter("a column of numbers holds something else") from None


def _integers(column: ArrayLike) -> Integers:
    numbers = np.asarray(column)
    if numbers.size and numbers.dtype.kind not in "iub" and not np.all(numbers == np.rint(_numbers(numbers))):
        raise BadParameter("a column of whole numbers holds something else")
    return numbers.astype(np.int64)


def _match_numbers(column: Any) -> Integers:
    """Number matches; a text has the same number in every table, so that tables can be joined."""
    ids = np.asarray(column)
    if ids.dtype.kind not in "UO" or not ids.size:
        return _integers(ids)
    digests = b"".join(blake2b(str(text).encode(), digest_size=8).digest() for text in ids)
    return np.frombuffer(digests, np.int64)


def _rising(match: Integers, role: Integers) -> bool:
    return bool(np.all((match[1:] > match[:-1]) | ((match[1:] == match[:-1]) & (role[1:] > role[:-1]))))
