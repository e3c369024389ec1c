"""An ensemble: several agents think about every move, and the move that most of them choose is played.

Anderson, Rodgers, Levine, Guerrero-Romero and Perez-Liebana, "Ensemble decision systems for general video game playing"
(2019), as in Thompson and Stephenson, "General game playing hyper-agents for Ludii": one vote each, ties at random.
An agent that cannot play the game, fails, or has no budget left does not vote, and the decision says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

from ludarium import registry
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
    Player,
    Rng,
    Role,
    UnsupportedGame,
    describe,
)
from ludarium.core.parameters import check, flag, parts

_PAPER: tuple[Agent, ...] = (AlphaBeta(), UCT(), MAST(), GRAVE(), ProgressiveHistory())


@dataclass(frozen=True)
class Ensemble:
    """Let several agents vote on every move."""

    name: ClassVar[str] = "ensemble"

    agents: tuple[Agent, ...] = parts(_PAPER, "agent")
    """Who votes, as in `[uct, mast, alphabeta]`; by default the five agents of the paper."""

    parallel: bool = flag(default=False)
    """Whether all think at once, each for the whole time; what is counted is shared among them all the same."""

    def __post_init__(self) -> None:
        check(self)
        object.__setattr__(self, "agents", tuple(registry.make("agent", each) for each in self.agents))

    def seat(self, game: Game, role: Role, rng: Rng) -> EnsemblePlayer:
        """Make a player for one match; an `UnsupportedGame` if none of the agents can play it."""
        return EnsemblePlayer(self, game, role, rng)


class EnsemblePlayer:
    """An ensemble in its seat."""

    def __init__(self, agent: Ensemble, game: Game, role: Role, rng: Rng) -> None:
        self.agent, self.game, self.rng = agent, game, rng
        self.voters: list[tuple[str, Player]] = []
        self.absent: list[str] = []
        for each in agent.agents:
            try:
                self.voters.append((describe(each), sit_down(each, game, role, rng.split())))
            except UnsupportedGame as refusal:
                self.absent.append(str(refusal))
        if not self.voters:
            raise UnsupportedGame(f"{agent.name} cannot play {game.name}: {'; '.join(self.absent)}")

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Ask everybody, and play what most of them choose."""
        started = perf_counter()
        if len(info.legal) == 1:
            return single_move(info, budget)
        budget.charge()  # an expired budget is an error
        before = budget.spent
        answers = self._together(info, budget) if self.agent.parallel else self._in_turn(info, budget)
        votes = tuple((name, made.move) for name, made in answers if isinstance(made, Decision))
        failures = [(name, made) for name, made in answers if not isinstance(made, Decision)]
        if not votes:
            raise failures[-1][1]
        counted = Counter(move for _, move in votes)
        most = max(counted.values())
        move = self.rng.choice([each for each in info.legal if counted[each] == most])
        after = budget.spent
        return Decision(
            move,
            iterations=after.iterations - before.iterations,
            forward_calls=after.forward_calls - before.forward_calls,
            seconds=perf_counter() - started,
            votes=votes,
            note=self._note(most, len(votes), failures),
        )

    def _in_turn(self, info: InformationSet, budget: Budget) -> list[_Answer]:
        """Ask one after the other, each with an equal share of what is left."""
        answers: list[_Answer] = []
        for place, (name, player) in enumerate(self.voters):
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
                pool.submit(_asked, player, info, share)
                for (_, player), share in zip(self.voters, shares, strict=False)
            ]
            answers: list[_Answer] = [
                (name, each.result()) for (name, _), each in zip(self.voters, asked, strict=False)
            ]
        spent = BudgetExceeded(f"the budget of {budget.limit} is too small for all")
        return answers + [(name, spent) for name, _ in self.voters[len(shares) :]]

    def _note(self, most: int, votes: int, failures: Sequence[tuple[str, Exception]]) -> str:
        parts = [f"{most} of {votes} votes"]
        parts += [f"{name} did not vote: {type(problem).__name__}: {problem}" for name, problem in failures]
        return "; ".join(parts + [f"left out: {each}" for each in self.absent])


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
