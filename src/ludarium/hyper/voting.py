"""Voting: several players think about a move, and the move with most weight behind it is played; ties are decided at random."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter

from ludarium.agents.alphabeta import AlphaBeta
from ludarium.agents.grave import GRAVE
from ludarium.agents.mast import MAST
from ludarium.agents.progressive_history import ProgressiveHistory
from ludarium.agents.search.support import single_move
from ludarium.agents.uct import UCT
from ludarium.arena.seating import sit_down
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


class VotingPlayer:
    """Several players in one seat."""

    def __init__(
        self,
        voters: Sequence[Voter],
        game: Game,
        rng: Rng,
        *,
        parallel: bool = False,
        absent: Sequence[str] = (),
        because: str = "",
    ) -> None:
        self.voters, self.game, self.rng, self.parallel = tuple(voters), game, rng, parallel
        self.absent, self.because = tuple(absent), because

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Ask everybody, and play what most of them choose."""
        started = perf_counter()
        if len(info.legal) == 1:
            return single_move(info, budget)
        budget.charge()  # an expired budget is an error
        before = budget.spent
        answers = self._together(info, budget) if self.parallel else self._in_turn(info, budget)
        votes = tuple((name, made.move) for name, made in answers if isinstance(made, Decision))
        failures = [(name, made) for name, made in answers if not isinstance(made, Decision)]
        if not votes:
            raise failures[-1][1]
        behind: defaultdict[Move, float] = defaultdict(float)
        for (name, made), voter in zip(answers, self.voters, strict=True):
            assert name == voter.name
            if isinstance(made, Decision):
                behind[made.move] += voter.weight
        most = max(behind.values())
        move = self.rng.choice([each for each in info.legal if each in behind and behind[each] >= most - _EQUAL])
        after = budget.spent
        return Decision(
            move,
            iterations=after.iterations - before.iterations,
            forward_calls=after.forward_calls - before.forward_calls,
            seconds=perf_counter() - started,
            votes=votes,
            note=self._note(most, sum(behind.values()), failures),
        )

    def _in_turn(self, info: InformationSet, budget: Budget) -> list[_Answer]:
        """Ask one after the other, each with an equal share of what is left."""
        answers: list[_Answer] = []
        for place, voter in enumerate(self.voters):
            name, player = voter.name, voter.player
            try:
                share = budget.split(1 / (len(self.voters) - place))
            except BudgetExceeded as problem:
                answers.append((name, problem))
            else:
                answers.append((name, _asked(player, info, share)))
        return answers

    def _together(self, info: InformationSet, budget: Budget) -> list[_Answer]:
        """Ask all at once: machine code runs beside other machine code."""
        shares = _shares(budget, len(self.voters))
        with ThreadPoolExecutor(max_workers=len(shares)) as pool:
            asked = [
                pool.submit(_asked, voter.player, info, share)
                for voter, share in zip(self.voters, shares, strict=False)
            ]
            answers: list[_Answer] = [
                (voter.name, each.result()) for voter, each in zip(self.voters, asked, strict=False)
            ]
        spent = BudgetExceeded(f"the budget of {budget.limit} is too small for all")
        return answers + [(voter.name, spent) for voter in self.voters[len(shares) :]]

    def _note(self, most: float, votes: float, failures: Sequence[tuple[str, Exception]]) -> str:
        parts = [f"{most:.3g} of {votes:.3g} votes"]
        parts += [f"{name} did not vote: {type(problem).__name__}: {problem}" for name, problem in failures]
        parts += [f"left out: {each}" for each in self.absent]
        return "; ".join([*parts, self.because] if self.because else parts)


_Answer = tuple[str, Decision | Exception]


def _asked(player: Player, info: InformationSet, budget: Budget) -> Decision | Exception:
    """Ask a player; whatever goes wrong with it is its answer, since the others go on."""
    try:
        made = player.choose(info, budget)
    except Exception as problem:  # noqa: BLE001  (anybody's code may fail in any way)
        return problem
    return made if made.move in info.legal else ValueError(f"move {made.move} is not legal")


def _shares(budget: Budget, voters: int) -> list[Budget]:
    """Split what is counted, and give everybody all of the time; fewer shares if there is not enough for all."""
    seconds, iterations, calls = budget.seconds_left, budget.iterations_left, budget.forward_calls_left
    fed = min([voters, *(each for each in (iterations, calls) if each is not None)])

    def share(left: int | None, place: int) -> int | None:
        return None if left is None else left * (place + 1) // fed - left * place // fed

    limits = [
        Limit(seconds=seconds, iterations=share(iterations, n), forward_calls=share(calls, n)) for n in range(fed)
    ]
    return [budget.child(each) for each in limits]
