"""Voting: several players think about a move, and the move with most weight behind it is played; ties are decided at random.

Who fails, or comes too late, does not vote, and the decision says so; the others go on.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from functools import cached_property, partial
from operator import itemgetter
from time import perf_counter
from typing import Any
from weakref import finalize

from ludarium.agents.alphabeta import AlphaBeta, AlphaBetaPlayer
from ludarium.agents.grave import GRAVE
from ludarium.agents.mast import MAST
from ludarium.agents.progressive_history import ProgressiveHistory
from ludarium.agents.search.support import single_move
from ludarium.agents.uct import UCT
from ludarium.arena.seating import sit_down
from ludarium.arena.tournament.threads import Threads
from ludarium.core import (
    Agent,
    Budget,
    BudgetExceeded,
    Decision,
    Game,
    InformationSet,
    Limit,
    Move,
    Player,
    Rng,
    Role,
    UnsupportedGame,
    describe,
)

PAPER: tuple[Agent, ...] = (AlphaBeta(), UCT(), MAST(), GRAVE(), ProgressiveHistory())
"""The five agents of the paper."""

_EQUAL = 1e-9
_LATE, _GRACE_SECONDS = 2.0, 0.1
"""An answer that takes more than so many times its share, and that much longer, is no vote."""


@dataclass(frozen=True)
class Voter:
    """A player with a say."""

    name: str
    player: Player
    weight: float = 1.0


def voters_of(
    name: str, agents: Sequence[Agent], game: Game, role: Role, rng: Rng
) -> tuple[list[Voter], tuple[str, ...]]:
    """Seat agents, and say who cannot play the game; an `UnsupportedGame` if none can."""
    voters, absent = [], []
    for each in agents:
        try:
            voters.append(Voter(describe(each), sit_down(each, game, role, rng.split())))
        except UnsupportedGame as refusal:
            absent.append(str(refusal))
    if not voters:
        raise UnsupportedGame(f"{name} cannot play {game.name}: {'; '.join(absent)}")
    return voters, tuple(absent)


class Late(TimeoutError):
    """An answer that came too late, or has not come yet."""

    def __init__(self, told: str, decision: Decision | None = None) -> None:
        super().__init__(told)
        self.decision = decision


class VotingPlayer:
    """Several players in one seat."""

    def __init__(
        self,
        voters: Sequence[Voter],
        game: Game,
        rng: Rng,
        *,
        parallel: bool = False,
        graded: bool = False,
        absent: Sequence[str] = (),
        because: str = "",
    ) -> None:
        self.voters, self.game, self.rng = tuple(voters), game, rng
        self.parallel, self.graded = parallel, graded
        self.absent, self.because = tuple(absent), because
        self._late: set[int] = set()
        self._thinking: dict[int, Future[Any]] = {}

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Ask everybody, and play what most of them choose."""
        started = perf_counter()
        if len(info.legal) == 1:
            return single_move(info, budget)
        budget.charge()  # an expired budget is an error
        before = budget.spent
        answers = self._together(info, budget) if self.parallel else self._in_turn(info, budget)
        voted = {place: made for place, made in answers.items() if isinstance(made, Decision)}
        failures = [(place, made) for place, made in answers.items() if not isinstance(made, Decision)]
        if not voted:  # better late than never
            voted = {at: late for at, made in failures if (late := _move_of(made)) is not None}
        if not voted:
            raise failures[-1][1]
        failures = [each for each in failures if each[0] not in voted]
        behind = self._behind(info, voted)
        most = max(behind.values())
        move = self.rng.choice([each for each in info.legal if each in behind and behind[each] >= most - _EQUAL])
        after = budget.spent
        return Decision(
            move,
            values=_shared(behind) if self.graded else {},
            iterations=after.iterations - before.iterations,
            forward_calls=after.forward_calls - before.forward_calls,
            seconds=perf_counter() - started,
            votes=tuple((self.voters[place].name, voted[place].move) for place in sorted(voted)),
            note=self._note(
                most, sum(self.voters[place].weight for place in voted), sorted(failures, key=itemgetter(0))
            ),
        )

    def _behind(self, info: InformationSet, voted: Mapping[int, Decision]) -> dict[Move, float]:
        """How much weight is behind each move."""
        behind: defaultdict[Move, float] = defaultdict(float)
        for place, made in sorted(voted.items()):
            bounds = isinstance(self.voters[place].player, AlphaBetaPlayer)  # all it knows of other moves are bounds
            grades = preferences(made, info.legal) if self.graded and not bounds else {made.move: 1.0}
            for move, grade in grades.items():
                behind[move] += self.voters[place].weight * grade
        return behind

    def _in_turn(self, info: InformationSet, budget: Budget) -> dict[int, _Answer]:
        """Ask one after the other, each with an equal share of what is left; who was late before is asked last."""
        answers: dict[int, _Answer] = {}
        order = sorted(range(len(self.voters)), key=lambda place: place in self._late)
        for number, place in enumerate(order):
            try:
                share = budget.split(1 / (len(self.voters) - number))
            except BudgetExceeded as problem:
                answers[place] = problem
            else:
                answers[place] = _asked(self.voters[place].player, info, share)
                if isinstance(answers[place], Late):
                    self._late.add(place)
        return answers

    def _together(self, info: InformationSet, budget: Budget) -> dict[int, _Answer]:
        """Ask all at once: machine code runs beside other machine code. Whoever is still thinking is not waited for."""
        self._thinking = {place: future for place, future in self._thinking.items() if not future.done()}
        answers: dict[int, _Answer] = {place: Late("still thinking about an earlier move") for place in self._thinking}
        free = [place for place in range(len(self.voters)) if place not in answers]
        shares = _shares(budget, len(free))
        asked = {
            place: self._threads.submit(partial(_asked, self.voters[place].player, info, share))
            for place, share in zip(free, shares, strict=False)
        }
        seconds = budget.seconds_left
        _, waiting = wait(asked.values(), timeout=None if seconds is None else _latest(seconds))
        while waiting and not any(_move_of(each.result()) for each in asked.values() if each.done()):
            _, waiting = wait(waiting, return_when=FIRST_COMPLETED)  # better late than never
        for place, future in asked.items():
            if future.done():
                answers[place] = future.result()
            else:
                answers[place] = Late(f"no answer after {_latest(seconds or 0.0):.2f} s")
                self._thinking[place] = future
        spent = BudgetExceeded(f"the budget of {budget.limit} is too small for all")
        return answers | dict.fromkeys(free[len(shares) :], spent)

    @cached_property
    def _threads(self) -> Threads:
        """One for each, so that who hangs holds up nobody else; they end with the player."""
        threads = Threads(len(self.voters))
        finalize(self, threads.close, now=True)
        return threads

    def _note(self, most: float, votes: float, failures: Sequence[tuple[int, Exception]]) -> str:
        parts = [f"{most:.3g} of {votes:.3g} votes"]
        for place, problem in failures:
            parts.append(f"{self.voters[place].name} did not vote: {type(problem).__name__}: {problem}")
        parts += [f"left out: {each}" for each in self.absent]
        return "; ".join([*parts, self.because] if self.because else parts)


_Answer = Decision | Exception


def preferences(made: Decision, legal: Sequence[Move]) -> dict[Move, float]:
    """How much a player likes each move, from 0 to 1: the one that it chose is 1.

    Trees tell how often they tried each move, which is what they go by; others what moves are worth, from the worst to the best.
    """
    told: Mapping[Move, float] = made.visits or made.values
    found = {move: float(told[move]) for move in legal if move in told and math.isfinite(told[move])}
    low = 0.0 if made.visits else min(found.values(), default=0.0)
    high = max(found.values(), default=0.0)
    found = {move: (value - low) / (high - low) for move, value in found.items()} if high > low else {}
    return found | {made.move: 1.0}


def _shared(behind: Mapping[Move, float]) -> dict[Move, float]:
    whole = sum(behind.values()) or 1.0
    return {move: weight / whole for move, weight in behind.items()}


def _move_of(answer: _Answer) -> Decision | None:
    """What somebody decided, in time or too late."""
    return answer.decision if isinstance(answer, Late) else answer if isinstance(answer, Decision) else None


def _latest(seconds: float) -> float:
    """Until when an answer counts that should come after so many seconds."""
    return _LATE * seconds + _GRACE_SECONDS


def _asked(player: Player, info: InformationSet, budget: Budget) -> _Answer:
    """Ask a player; whatever goes wrong with it is its answer, since the others go on."""
    seconds, started = budget.seconds_left, perf_counter()
    try:
        made = player.choose(info, budget)
    except Exception as problem:  # noqa: BLE001  (anybody's code may fail in any way)
        return problem
    if made.move not in info.legal:
        return ValueError(f"move {made.move} is not legal")
    took = perf_counter() - started
    if seconds is not None and took > _latest(seconds):
        return Late(f"{took:.2f} s instead of {seconds:.2f} s", made)
    return made


def _shares(budget: Budget, voters: int) -> list[Budget]:
    """Split what is counted, and give everybody all of the time; fewer shares if there is not enough for all."""
    seconds, iterations, calls = budget.seconds_left, budget.iterations_left, budget.forward_calls_left
    if seconds is not None:
        seconds = max(seconds, math.ulp(0.0))  # a limit of zero would be an error
    fed = min([voters, *(each for each in (iterations, calls) if each is not None)])

    def share(left: int | None, place: int) -> int | None:
        return None if left is None else left * (place + 1) // fed - left * place // fed

    limits = [
        Limit(seconds=seconds, iterations=share(iterations, n), forward_calls=share(calls, n)) for n in range(fed)
    ]
    return [budget.child(each) for each in limits]
