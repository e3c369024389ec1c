"""Matches as JSON and as text: what is written is read back as the same match."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ludarium.core import BadParameter, Limit, Match
from ludarium.core.match import Alternative, Terms, Turn

_LINE = 76  # characters of a line of moves


def to_json(match: Match) -> str:
    """Write a match as one line of JSON; what has its default is left out."""
    return json.dumps(to_data(match), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def from_json(text: str) -> Match:
    """Read what `to_json` wrote.

    >>> match = Match(game="nim", agents=("uct", "random"), seed=7, moves=("take 2",), utilities=(0.0, 1.0))
    >>> from_json(to_json(match)) == match
    True
    """
    try:
        match = from_data(json.loads(text))
        to_json(match)  # numbers that are none cannot be written
        return match
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as problem:
        raise BadParameter(f"this is not the record of a match: {type(problem).__name__}: {problem}") from None


def to_data(match: Match) -> dict[str, Any]:
    """Give a match as what JSON can hold."""
    data: dict[str, Any] = {"id": match.id, "game": match.game, "agents": match.agents, "roles": match.roles}
    data |= {"seed": match.seed, "utilities": match.utilities, "moves": match.moves}
    data |= {"seconds": _rounded(match.seconds), "thinking": _rounded(match.thinking)}
    data |= {"faults": match.faults, "cut": match.cut, "started": match.started, "rules": match.rules}
    data["turns"] = [turn_data(each) for each in match.turns]
    if match.terms is not None:
        data["terms"] = terms_data(match.terms)
    if match.length is not None:
        data["length"] = match.length
    always = ("game", "agents", "seed", "utilities", "moves", "length")
    return {key: value for key, value in data.items() if key in always or (value not in ((), [], "", 0))}


def from_data(data: dict[str, Any]) -> Match:
    """Read what `to_data` gave."""
    utilities = tuple(float(utility) for utility in data["utilities"])
    return Match(
        game=str(data["game"]),
        agents=_texts(data["agents"]),
        seed=int(data["seed"]),
        moves=_texts(data["moves"]),
        utilities=utilities,
        seconds=tuple(float(each) for each in data.get("seconds", ())),
        thinking=tuple(float(each) for each in data.get("thinking", ())),
        faults=_texts(data.get("faults", ())),
        turns=tuple(read_turn(each) for each in data.get("turns", ())),
        roles=_texts(data.get("roles", ())),
        terms=read_terms(data["terms"]) if "terms" in data else None,
        length=data.get("length"),
        cut=bool(data.get("cut", False)),
        id=str(data.get("id", "")),
        rules=str(data.get("rules", "")),
        started=float(data.get("started", 0.0)),
    )


def turn_data(turn: Turn) -> dict[str, Any]:
    """Give a decision as what JSON can hold."""
    data: dict[str, Any] = {"ply": turn.ply, "role": turn.role, "move": turn.move, "seconds": round(turn.seconds, 6)}
    for name in ("choices", "iterations", "forward_calls", "fault"):
        if value := getattr(turn, name):
            data[name] = value
    if turn.value is not None:
        data["value"] = turn.value
    if turn.alternatives:
        data["alternatives"] = [[each.move, each.visits, each.value] for each in turn.alternatives]
    return data


def read_turn(data: dict[str, Any]) -> Turn:
    """Read what `turn_data` gave."""
    others = {name: data[name] for name in ("choices", "iterations", "forward_calls", "fault", "value") if name in data}
    return Turn(
        ply=data["ply"],
        role=data["role"],
        move=data["move"],
        seconds=data.get("seconds", 0.0),
        alternatives=tuple(Alternative(*each) for each in data.get("alternatives", ())),
        **others,
    )


def terms_data(terms: Terms) -> dict[str, Any]:
    """Give terms as what JSON can hold."""
    limit = {"seconds": terms.limit.seconds, "iterations": terms.limit.iterations}
    limit["forward_calls"] = terms.limit.forward_calls
    others = {"start_seconds": terms.start_seconds, "tolerance_seconds": terms.tolerance_seconds}
    others["move_limit"] = terms.move_limit
    others["cheating"] = terms.cheating or None  # said only where it is so: fair matches keep their names
    return {key: value for key, value in (limit | others).items() if value is not None}


def read_terms(data: dict[str, Any]) -> Terms:
    """Read what `terms_data` gave."""
    given = dict(data)
    limit = Limit(**{name: given.pop(name, None) for name in ("seconds", "iterations", "forward_calls")})
    return Terms(limit=limit, **given)


def to_text(match: Match) -> str:
    """Write a match for people: who played, under which terms, the moves with their numbers, and the result."""
    lines = [f"game: {match.game}"]
    names = match.roles or tuple(f"role {number}" for number in range(1, len(match.agents) + 1))
    for name, agent, utility in zip(names, match.agents, match.utilities, strict=True):
        lines.append(f"{name}: {agent}, {utility:.4g}")
    if match.terms is not None:
        lines.append(f"limit: {match.terms.limit}")
        lines += ["cheating: allowed"] if match.terms.cheating else []
    lines.append(f"seed: {match.seed}")
    lines += [f"fault: {fault}" for fault in match.faults]
    ended = ", cut by the move limit" if match.cut else ""
    lines += [f"plies: {match.plies}{ended}", "", *_wrapped(match.moves)]
    return "\n".join(lines).rstrip() + "\n"


def _rounded(seconds: tuple[float, ...]) -> list[float]:
    return [round(each, 6) for each in seconds]


def _wrapped(moves: tuple[str, ...]) -> Iterator[str]:
    line = ""
    for number, move in enumerate(moves, 1):
        part = f"{number}. {move}"
        if line and len(line) + 2 + len(part) > _LINE:
            yield line
            line = part
        else:
            line = f"{line}  {part}" if line else part
    yield line


def _texts(given: Any) -> tuple[str, ...]:
    if isinstance(given, str) or not all(isinstance(each, str) for each in given):
        raise TypeError("texts expected")
    return tuple(given)
