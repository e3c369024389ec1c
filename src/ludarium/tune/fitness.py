"""What tuning goes for: numbers that matches are worth, larger is better.

A fitness is given the matches of one evaluation and the role that is looked at in each: that of the agent that is tuned, or
of the first agent if a game is. What it gives need not be exact, but must be right on average, for averages are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ludarium.core import BadParameter, Match, Role, UnknownName

NAMES = ("score", "utility", "balance", "length")

_BALANCE_MATCHES = 10


@dataclass(frozen=True)
class Fitness:
    """A way to judge the matches of an evaluation."""

    name: str
    measure: Callable[[Sequence[Match], Sequence[Role]], float]
    least: int = 1
    """The fewest matches that it can judge."""

    usual: int = 1
    """The matches of an evaluation, if nobody says how many."""

    share: bool = True
    """Whether every evaluation gives a number from 0 to 1."""


def fitness(name: str, target: float | None = None) -> Fitness:
    """Find a fitness by its name; only `length` has a target.

    >>> fitness("length", 40).name
    'length 40'
    """
    if name not in NAMES:
        raise UnknownName("fitness", name, NAMES)
    if name == "length":
        if target is None or not 0 < target < float("inf"):
            raise BadParameter("the fitness 'length' needs a target: how many plies a match should take")
        return Fitness(f"length {target:g}", partial(length, target))
    if target is not None:
        raise BadParameter(f"the fitness '{name}' has no target; 'length' has one")
    if name == "balance":
        return Fitness(name, balance, least=2, usual=_BALANCE_MATCHES, share=False)
    return Fitness(name, score if name == "score" else utility)


def score(matches: Sequence[Match], roles: Sequence[Role]) -> float:
    """Count 1 for a win; those who are equally good share it, and a role that is alone scores what it is paid."""
    return _mean([wins(match)[role] for match, role in zip(matches, roles, strict=True)])


def utility(matches: Sequence[Match], roles: Sequence[Role]) -> float:
    """Average what the game pays."""
    return _mean([match.utilities[role] for match, role in zip(matches, roles, strict=True)])


def balance(matches: Sequence[Match], roles: Sequence[Role]) -> float:  # noqa: ARG001
    """Say how fair a game is: on average 1 if all roles win equally often, and 0 if one always wins.

    The squares of the distances from a fair share are estimated from pairs of different matches, so luck does not look like
    unfairness, however few matches there are; single evaluations may exceed 1.
    """
    apart = [[share - 1 / len(match.utilities) for share in wins(match)] for match in matches]
    count, fair = len(apart), 1 / len(apart[0])
    if len(apart[0]) == 1:
        return 1.0
    together = sum(sum(column) ** 2 for column in zip(*apart, strict=True))
    single = sum(each * each for row in apart for each in row)
    return float(1 - (together - single) / (count * (count - 1)) / (1 - fair))


def length(target: float, matches: Sequence[Match], roles: Sequence[Role]) -> float:  # noqa: ARG001
    """Say how near matches come to a length: 1 if all have it, 0 if they are twice as long or longer."""
    return _mean([max(0.0, 1 - abs(match.plies - target) / target) for match in matches])


def wins(match: Match) -> list[float]:
    """Give what each role has won: 1 for the best, 1/n where n are."""
    if len(match.utilities) == 1:
        return list(match.utilities)
    best = max(match.utilities)
    share = 1 / match.utilities.count(best)
    return [share * (each == best) for each in match.utilities]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
