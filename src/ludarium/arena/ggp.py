"""Matches in the record format of the general game playing servers (the JSON of ggp-base's `Match`).

There every role moves in every step, a role without a choice by its only legal move, and goals go from 0 to 100.
"""

from __future__ import annotations

from typing import Any

from ludarium.arena.position import Position
from ludarium.arena.replay import check_end, joint, replay
from ludarium.core import TOGETHER, BadParameter, Game, Limit, LudariumError, Match, Rng, State
from ludarium.core.match import CRASH, ILLEGAL, SEATING, TIMEOUT, Terms, Turn

_CODES = {TIMEOUT: "TO", ILLEGAL: "IL", CRASH: "CE"}
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_NOTHING = "noop"


def to_ggp(match: Match, game: Game) -> dict[str, Any]:
    """Write a match, with its states as far as the game lists facts."""
    states: list[State] = []
    utilities = replay(match, game, watch=lambda state, _: states.append(state))
    check_end(match, game, utilities)
    clock = round(1000 * match.started)
    times = [clock]
    for seconds in match.seconds or (0.0,) * len(match.moves):
        times.append(times[-1] + round(1000 * seconds))
    token = Rng.keyed(match.seed, match.id, match.game)
    record: dict[str, Any] = {
        "matchId": match.id or f"{match.game}.{match.seed}",
        "randomToken": "".join(token.choice(_LETTERS) for _ in range(32)),
        "startTime": clock,
        "isCompleted": not match.cut,
        "isAborted": match.cut,
        "states": [_facts(state) for state in states],
        "moves": _joints(match, game),
        "stateTimes": times,
        "errors": _errors(match),
        "playerNamesFromHost": list(match.agents),
        "scrambled": False,
    }
    if not match.cut:
        record["goalValues"] = [round(100 * utility) for utility in utilities]
    if match.terms is not None:
        record["startClock"] = round(match.terms.start_seconds or 0)
        record["playClock"] = round(match.terms.limit.seconds or 0)
    return record


def from_ggp(record: dict[str, Any], game: Game) -> Match:
    """Read a match of a game without chance; the moves are played, so that an impossible record is refused."""
    if not game.traits.deterministic:
        raise BadParameter(f"{game.name} draws chance, and the record does not tell what was drawn")
    try:
        rows = [[str(move) for move in row] for row in record["moves"]]
        names = tuple(str(name) for name in record.get("playerNamesFromHost") or game.roles)
        errors = [[str(error) for error in row] for row in record.get("errors", [])]
        clocks = record.get("startClock") or None, record.get("playClock") or None
        completed, ident = bool(record.get("isCompleted", True)), str(record.get("matchId", ""))
        started = float(record.get("startTime", 0)) / 1000
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise BadParameter(f"this is not a match record: {type(problem).__name__}: {problem}") from None
    position = Position(game)
    moves, turns = [], []
    for ply, row in enumerate(rows):
        movers = position.state.movers
        if len(row) != len(game.roles):
            raise BadParameter(f"step {ply + 1} has {len(row)} moves; {game.name} has {len(game.roles)} roles")
        moves.append(TOGETHER.join(row[role] for role in movers))
        try:
            made = joint(position, moves[-1])
            position.play(made)
        except LudariumError as problem:
            raise BadParameter(f"step {ply + 1}: {problem}") from None
        moves[-1] = TOGETHER.join(game.text(move) for move in made.values())
    for number, faults in enumerate(errors):
        found = [(role, fault) for role, text in enumerate(faults) if (fault := _fault(text))]
        turns += [Turn(ply=number - 1, role=role, move="", fault=fault) for role, fault in found]
    terms = Terms(limit=Limit(seconds=clocks[1]), start_seconds=clocks[0]) if clocks[1] else None
    roles = len(game.roles)
    return Match(
        game=game.name,
        agents=names,
        seed=0,
        moves=tuple(moves),
        utilities=position.state.utilities() if completed else (1 / roles,) * roles,
        faults=tuple(f"{names[each.role]} at move {each.ply + 1}: {each.fault}" for each in turns),
        turns=tuple(turns),
        roles=game.roles,
        terms=terms,
        cut=not completed,
        id=ident,
        started=started,
    )


def _facts(state: State) -> str:
    facts = getattr(state, "facts", None)
    return f"( {' '.join(facts())} )" if facts is not None else "( )"


def _joints(match: Match, game: Game) -> list[list[str]]:
    position = Position(game, match.seed)
    rows = []
    for text in match.moves:
        made = joint(position, text)
        row = []
        for role in range(len(game.roles)):
            only = [made[role]] if role in made else position.state.legal(role)
            row.append(game.text(only[0]) if len(only) == 1 else _NOTHING)
        rows.append(row)
        position.play(made)
    return rows


def _errors(match: Match) -> list[list[str]]:
    """One row for the start and one per step; an illegal move is not told, as it may be no move at all."""
    rows = [["" for _ in match.agents] for _ in range(match.plies + 1)]
    for turn in match.turns:
        if turn.fault:
            rows[turn.ply - SEATING][turn.role] = _CODES[turn.fault]
    return rows


def _fault(code: str) -> str:
    return next((fault for fault, short in _CODES.items() if code.startswith(short)), "")
