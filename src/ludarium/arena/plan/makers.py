"""Kinds of tournaments: who meets whom in which seats. A Python call and a TOML file of the same words mean the same.

Round robin as in Lechat's thesis on Battleship (N games in each direction), one agent against a field as in Thompson and
Stephenson's hyper-agents (it takes the first role, the field all others), self-play by role as in Dingemans' thesis on
balance (against itself, and in every role against random), free for all as in Bravi et al.'s Rinascimento.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, permutations
from typing import Any

from ludarium.arena.plan.check import Problem, checked
from ludarium.arena.plan.plan import CATALOG, Plan
from ludarium.core import Agent, Game, Limit
from ludarium.registry import spec

Seating = tuple[str, ...]
"""An agent per role."""


def round_robin(games: Sequence[str | Game], agents: Sequence[str | Agent], **options: Any) -> Plan:
    """Let all agents meet, `matches` times in each seating; seats rotate, so that each plays every role.

    Options of all kinds: matches, a limit per move (seconds, iterations, forward_calls) or several (`budgets`), seed,
    start_seconds, tolerance_seconds, move_limit, cheating, record ("full", "moves" or "result"), name, catalog.

    >>> round_robin(["nim", "tic-tac-toe"], ["flat", "random"], matches=5, iterations=100)
    Plan(20 matches, 2 games, 2 agents)
    """
    return make({"kind": "round-robin", "games": games, "agents": agents, **options})


def against_field(
    games: Sequence[str | Game], agents: Sequence[str | Agent], field: Sequence[str | Agent], **options: Any
) -> Plan:
    """Put each agent into the first role against every agent of the field in all other roles.

    With `rotate=True` it plays the other roles, too.
    """
    return make({"kind": "against-field", "games": games, "agents": agents, "field": field, **options})


def self_play(games: Sequence[str | Game], agents: Sequence[str | Agent], **options: Any) -> Plan:
    """Let each agent play all roles at once, and every single role against the agent named by `against` ("random").

    With `against=""` it plays itself only.
    """
    return make({"kind": "self-play", "games": games, "agents": agents, **options})


def free_for_all(games: Sequence[str | Game], agents: Sequence[str | Agent], **options: Any) -> Plan:
    """Seat every group of agents that fills a game's roles, `matches` times, spread evenly over all orders of seats."""
    return make({"kind": "free-for-all", "games": games, "agents": agents, **options})


def make(options: Mapping[str, Any], where: Any = None) -> Plan:
    """Make the plan that these words and numbers mean; everything that is wrong with them is told at once.

    `where` finds the line of a word, for plans that come from a file.
    """
    return checked(_in_words(options), seatings, where)


def seatings(kind: str, options: Mapping[str, Any], roles: int) -> dict[Seating, int]:
    """Say who sits where in a game with so many roles, and how many matches each seating gets."""
    agents, matches = options["agents"], options["matches"]
    if kind == "free-for-all":
        return _spread(agents, matches, roles)
    seated: Iterator[Seating]
    if kind == "round-robin":
        seated = _all_meet(agents, roles)
    elif kind == "against-field":
        seated = _one_against(agents, options["field"], roles, rotate=options["rotate"])
    else:
        seated = _themselves(agents, options["against"], roles)
    return dict.fromkeys(seated, matches)


def _all_meet(agents: Sequence[str], roles: int) -> Iterator[Seating]:
    for group in _groups(agents, roles):
        for turn in range(roles):
            yield group[turn:] + group[:turn]


def _groups(agents: Sequence[str], roles: int) -> Iterator[Seating]:
    """Choose as many agents as there are roles; where there are too few, some sit twice, but nobody everywhere."""
    if len(agents) >= roles:
        yield from combinations(agents, roles)
    else:
        yield from (group for group in combinations_with_replacement(agents, roles) if len(set(group)) > 1)


def _one_against(agents: Sequence[str], field: Sequence[str], roles: int, *, rotate: bool) -> Iterator[Seating]:
    for agent in agents:
        for other in field if roles > 1 else field[:1]:
            for role in range(roles if rotate else 1):
                yield (*(other,) * role, agent, *(other,) * (roles - role - 1))


def _themselves(agents: Sequence[str], against: str, roles: int) -> Iterator[Seating]:
    for agent in agents:
        yield (agent,) * roles
        for role in range(roles if against and roles > 1 else 0):
            yield (*(against,) * role, agent, *(against,) * (roles - role - 1))


def _spread(agents: Sequence[str], matches: int, roles: int) -> dict[Seating, int]:
    counts: dict[Seating, int] = {}
    for group in _groups(agents, roles):
        orders = list(dict.fromkeys(permutations(group)))
        # Rotations of one order first, so that few matches still give everybody every seat.
        seats = list(dict.fromkeys(order[turn:] + order[:turn] for order in orders for turn in range(roles)))
        for number, order in enumerate(seats):
            counts[order] = (matches - number + len(seats) - 1) // len(seats)
    return {order: count for order, count in counts.items() if count}


def _in_words(options: Mapping[str, Any]) -> dict[str, Any]:
    """Write what a Python call gives as a TOML file would: agents and limits by their words."""
    words: dict[str, Any] = {}
    for key, value in options.items():
        if value is None or (key == "catalog" and value == CATALOG):
            continue
        if key in ("games", "agents", "field") and isinstance(value, Sequence) and not isinstance(value, str):
            words[key] = [spec("game" if key == "games" else "agent", each) for each in value]
        elif key == "against":
            words[key] = spec("agent", value)
        elif key == "budgets" and isinstance(value, Sequence) and not isinstance(value, str):
            words[key] = [_limit_in_words(each) for each in value]
        else:
            words[key] = value
    return words


def _limit_in_words(limit: Any) -> Any:
    if not isinstance(limit, Limit):
        return limit
    given = {"seconds": limit.seconds, "iterations": limit.iterations, "forward_calls": limit.forward_calls}
    return {name: value for name, value in given.items() if value is not None}


__all__ = ["Problem", "against_field", "free_for_all", "make", "round_robin", "self_play"]
