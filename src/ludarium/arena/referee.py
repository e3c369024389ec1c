"""The referee: asks a player for its move, holds the clock, and judges the answer.

As in the competitions of general game playing, an answer that is late, illegal or missing costs nothing but the move:
a random legal one is played in its place, and the fault is recorded.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any
from weakref import WeakKeyDictionary

from ludarium.arena import streams
from ludarium.arena.memory import short_of_memory
from ludarium.arena.position import Position
from ludarium.arena.seating import sit_down
from ludarium.core import (
    Agent,
    Budget,
    BudgetExceeded,
    Decision,
    Game,
    GameError,
    InformationSet,
    Limit,
    LudariumError,
    Move,
    Player,
    Rng,
    Role,
    State,
    UnsupportedGame,
)
from ludarium.core.match import CRASH, ILLEGAL, TIMEOUT, Alternative, Terms, Turn
from ludarium.outside import blame

_LISTED = 5  # alternatives that a record keeps
_SHOWN = 200  # characters of what an agent says when it fails


@dataclass(frozen=True)
class Answer:
    """What became of a question: a decision that stands, or a fault in one word and in a sentence."""

    decision: Decision
    seconds: float
    fault: str = ""
    detail: str = ""


class Absent:
    """A player that is not there: every answer is missing, for the reason given."""

    def __init__(self, fault: str, detail: str) -> None:
        self.fault, self.detail = fault, detail

    def choose(self, info: InformationSet, budget: Budget) -> Decision:  # noqa: ARG002
        """Say why there is no answer."""
        raise NoAnswer(self.fault, self.detail)


class NoAnswer(LudariumError):
    """There is no answer, or none that stands: the fault that this is, in one word and in a sentence."""

    def __init__(self, fault: str, detail: str) -> None:
        super().__init__(fault, detail)  # the arguments, so that the error survives pickling
        self.fault, self.detail = fault, detail

    def __str__(self) -> str:
        return self.detail


def ask(player: Player, info: InformationSet, terms: Terms) -> Answer:
    """Ask for a move; a decision that does not stand has a fault."""
    budget = terms.limit.start()
    started = perf_counter()
    try:
        decision: Any = player.choose(info, budget)  # strangers may answer anything
        seconds = perf_counter() - started
        move = _legal_move(decision, info)
    except GameError:
        raise  # the game broke its promises below the search: no agent's fault
    except (Exception, SystemExit) as problem:  # noqa: BLE001
        return Answer(Decision(info.legal[0]), perf_counter() - started, *_reason(problem, budget))
    if move is None:
        chosen = getattr(decision, "move", decision)
        told = decision if isinstance(decision, Decision) else Decision(info.legal[0])
        wrong = "is not a legal move" if isinstance(decision, Decision) else "is no Decision, which choose is to give"
        return Answer(told, seconds, ILLEGAL, f"{_short(chosen)} {wrong}")
    if (allowed := terms.limit.seconds) is not None and seconds > allowed + terms.tolerance_seconds:
        return Answer(decision, seconds, TIMEOUT, f"{seconds:.3f} s of {allowed:g} s")
    return Answer(decision if decision.move is move else replace(decision, move=move), seconds)


def betray(player: Player, state: State) -> None:
    """Show the state itself to a player that cheats; nobody else has eyes for it."""
    peek = getattr(player, "peek", None)
    if peek is not None:
        peek(state)


def seat(agent: Agent, game: Game, role: Role, seed: int, terms: Terms) -> tuple[Player, str, str]:
    """Seat an agent for a match; the fault, if any, in one word and in a sentence.

    Against a clock it thinks about the beginning first, in another seat and on the start clock: a search that is
    compiled when it is first used would be late with its first move.
    """
    started = perf_counter()
    try:
        player = sit_down(agent, game, role, streams.player(seed, role))
        if terms.limit.seconds is not None:
            _warm_up(agent, game)
    except (UnsupportedGame, GameError):
        raise
    except (Exception, SystemExit) as problem:  # noqa: BLE001
        fault, detail = _reason(problem, None)
        return Absent(fault, detail), fault, detail
    seconds = perf_counter() - started
    if terms.start_seconds is not None and seconds > terms.start_seconds + terms.tolerance_seconds:
        return player, TIMEOUT, f"{seconds:.3f} s of {terms.start_seconds:g} s to sit down"
    return player, "", ""


def turn(game: Game, ply: int, info: InformationSet, move: Move, answer: Answer) -> Turn:
    """Record a decision, and what the agent told of it as far as that makes sense."""
    told = answer.decision
    values, visits = _numbers(told, "values", info), _numbers(told, "visits", info)
    best = sorted(set(values) | set(visits), key=lambda each: (-visits.get(each, 0), -values.get(each, -1.0)))
    return Turn(
        ply=ply,
        role=info.role,
        move=game.text(move),
        seconds=answer.seconds,
        choices=len(info.legal),
        iterations=_count(told, "iterations"),
        forward_calls=_count(told, "forward_calls"),
        value=values.get(told.move) if not answer.fault else None,
        alternatives=tuple(
            Alternative(game.text(each), int(visits.get(each, 0)), values.get(each)) for each in best[:_LISTED]
        ),
        fault=answer.fault,
    )


def _warm_up(agent: Agent, game: Game) -> None:
    """Let an agent think once about a game; if it cannot, the match will tell."""
    warm = _warm.setdefault(game, [])
    if agent in warm:
        return
    warm.append(agent)
    position = Position(game)
    with suppress(Exception, SystemExit):
        for role in position.state.movers[:1]:
            player = sit_down(agent, game, role, Rng.keyed(0, "warm"))
            betray(player, position.state)
            player.choose(position.information_set(role), Limit(iterations=2).start())


_warm: WeakKeyDictionary[Game, list[Agent]] = WeakKeyDictionary()


def _legal_move(decision: Any, info: InformationSet) -> Move | None:
    """Give the move of a decision, if it is one."""
    if not isinstance(decision, Decision):
        return None
    try:
        move = operator.index(decision.move)
    except TypeError:
        return None
    return move if move in info.legal else None


def _reason(problem: BaseException, budget: Budget | None) -> tuple[str, str]:
    """Tell a clock that ran out before the search began from an agent that fails."""
    if isinstance(problem, NoAnswer):
        return problem.fault, problem.detail
    if isinstance(problem, BudgetExceeded) and (budget is None or budget.seconds_left == 0):
        return TIMEOUT, str(problem)
    if told := blame(problem):
        return CRASH, told
    if not isinstance(problem, MemoryError) and (told := short_of_memory(problem)):
        return CRASH, told
    said = _short(problem, str)
    return CRASH, f"{type(problem).__name__}: {said}" if said else type(problem).__name__


def _short(what: object, write: Any = repr) -> str:
    try:
        text = " ".join(write(what).split())
    except Exception:  # noqa: BLE001
        return f"a {type(what).__name__}"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} ..."


def _numbers(decision: Any, name: str, info: InformationSet) -> dict[Move, float]:
    """Take what a decision says of the legal moves; what is no number is left out."""
    told = getattr(decision, name, None)
    if not isinstance(told, Mapping):
        return {}
    return {move: number for move in info.legal if (number := _finite(told.get(move))) is not None}


def _finite(number: Any) -> float | None:
    try:
        told = float(number)
    except (TypeError, ValueError, OverflowError):
        return None
    return told if math.isfinite(told) else None


def _count(decision: Any, name: str) -> int:
    return int(_finite(getattr(decision, name, 0)) or 0)
