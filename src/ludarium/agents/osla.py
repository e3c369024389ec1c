"""One-step look-ahead: try every move, judge the state it leads to, and play the best one; ties at random.

Ludii's One-Ply with `evaluator=result`. Where the next state depends on chance, or on others who move at once, moves are tried
again and again until the budget is gone, and their values averaged (Bravi et al., "Rinascimento: optimising statistical
forward planning agents for playing Splendor", 2019); others choose at random. The paper's agent knows no list of moves: where
a game of chance has a random action generator, or with `moves=sample` in every game, they come from it until the budget is gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from time import perf_counter
from typing import ClassVar

from ludarium.agents.search.actions import Actions, actions_of, sampled, samples_actions
from ludarium.agents.search.pacing import spend
from ludarium.agents.search.support import blaming, require, single_move
from ludarium.agents.search.trial import Trial, begin, trial
from ludarium.core import Budget, Decision, Game, InformationSet, Rng, Role
from ludarium.core.parameters import check, choice, part
from ludarium.evaluate import Evaluator, Judge, evaluator, judging
from ludarium.kernel import Bundle, Kernel, Stream, Table, below, bridge, f64, i64, kernel, u64, view

_REPLIES = 64  # plies of others that are played at most before a state is judged


class OneStep(Bundle):
    """A look one step ahead: the moves that are tried, and how states are reached and judged."""

    trial: Trial
    actions: Actions
    judging: Bundle
    reserve: i64
    """The most forward calls that judging a state can take."""
    replies: i64
    """Plies of others before a state is judged, at most."""
    once: bool
    """Whether to try a move again would show the same."""
    sampling: bool
    """Whether moves are drawn, instead of taken in turn."""

    @kernel
    def affords(self: OneStep) -> bool:
        """Whether there are forward calls for another move, and to judge what comes of it."""
        return self.trial.calls + 1 + self.reserve <= self.trial.call_limit


@kernel
def place_of(moves: view[u64], move: u64) -> i64:
    """Find a move in the list of legal ones."""
    place = 0
    while place < len(moves) and moves[place] != move:
        place += 1
    assert place < len(moves), "a move was drawn that is not legal"
    return place


@kernel
def best_place(step: OneStep, rng: Stream) -> i64:
    """Find the move with the best average; of equals, any, or if they were sampled each draw counts the same; -1 if none."""
    means = step.trial.worth
    visits = step.trial.visits
    best = 0.0
    weights = 0
    chosen = -1
    for place in range(step.trial.count):
        if visits[place] > 0:
            if weights == 0 or means[place] > best:
                best = means[place]
                weights = 0
            if means[place] == best:
                weight = visits[place] if step.sampling else 1
                weights += weight
                if below(rng, weights) < weight:
                    chosen = place
    return chosen


@cache
def look_one_step(judge: Kernel[int]) -> Kernel[int]:
    """Make the search kernel from the one that judges states."""

    @kernel
    def try_and_judge(table: Table, step: OneStep, rng: Stream, iterations: i64) -> i64:
        """Try moves in turn; as many as are wanted, or as there are forward calls for."""
        trial = step.trial
        means = trial.worth
        role = trial.role
        done = 0
        acting = table.movers(trial.root) if iterations > 0 else 0
        while done < iterations and step.affords():
            if step.once and trial.tries >= trial.count:
                break
            place = trial.tries % trial.count
            if step.sampling:
                drawn = sampled(table, step.actions, trial.root, role, trial.others, rng)
                place = place_of(trial.moves[0 : trial.count], drawn)
            trial.make(table, acting, place, rng)
            for _ in range(step.replies):
                answering = table.movers(trial.state)
                ready = answering == 0 or (answering >> role) & 1 == 1
                if ready or not step.affords():
                    break
                trial.others_move(table, trial.state, answering, -1, rng)
                table.apply(trial.state, trial.joint, rng)
                trial.calls += 1
            trial.calls += judge(table, trial.state, trial.values, step.judging, rng)
            trial.visits[place] += 1
            # Not a sum that is divided in the end: rounding would tell apart what is equally good.
            means[place] += (trial.values[role] - means[place]) / f64(trial.visits[place])
            trial.tries += 1
            done += 1
        return done

    return try_and_judge


@dataclass(frozen=True)
class OSLA:
    """Look one step ahead."""

    name: ClassVar[str] = "osla"

    evaluator: str | Evaluator = part("auto", "evaluator", tries=("auto", "mobility", "result"))
    """How to judge the state after a move."""

    reply: str = choice("none", ("none", "random"))
    """Judge the state right after the move, or let others answer at random until it is one's turn again."""

    moves: str = choice("auto", ("auto", "list", "sample"))
    """Try the moves of the `list` in turn, or `sample` them; `auto` samples games of chance that say how to draw a move.

    Of sampled moves that are equally good, those that were drawn more often are played more often.
    """

    def __post_init__(self) -> None:
        check(self)
        evaluator(self.evaluator)

    def seat(self, game: Game, role: Role, rng: Rng) -> OSLAPlayer:
        """Make a player for one match."""
        require(game, self, perfect_information=True)
        judge = judging(self.evaluator, game)
        drawn = samples_actions(game) and not game.traits.deterministic
        sample = self.moves == "sample" or (self.moves == "auto" and drawn)
        return OSLAPlayer(game, role, judge, rng, reply=self.reply == "random", sample=sample)


class OSLAPlayer:
    """One-step look-ahead in its seat."""

    def __init__(
        self, game: Game, role: Role, judge: Judge, rng: Rng, *, reply: bool = False, sample: bool = False
    ) -> None:
        self.game, self.role, self.rng = game, role, rng
        self.bridge, self.kernel = bridge(game), look_one_step(judge.kernel)
        self.step = OneStep(
            trial=trial(self.bridge.table, role),
            actions=actions_of(game),
            judging=judge.judging,
            reserve=judge.calls,
            replies=_REPLIES if reply else 0,
            sampling=sample,
        )
        self._slice(0)  # what is compiled now is not on the clock of the first move
        best_place(self.step, rng)

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Try every move, and play the one that leads to the best state."""
        started = perf_counter()
        if len(info.legal) == 1:
            return single_move(info, budget)
        assert info.state is not None
        step, trial, moves = self.step, self.step.trial, list(info.legal)
        self.rng.shuffle(moves)  # a budget that is not enough for all moves must not favour the first ones
        means, counts = begin(trial, self.bridge.block(info.state), moves)
        sure = self.game.traits.deterministic and info.state.movers == (self.role,) and not step.replies
        step.once = sure and not step.sampling
        step.fill(actions=actions_of(self.game))

        def search(iterations: int, calls: int) -> tuple[int, int]:
            before = trial.calls
            trial.call_limit = before + calls
            return self._slice(iterations), trial.calls - before

        iterations, calls = spend(budget, search)
        visits = dict(zip(moves, counts, strict=True))
        tried = {move: mean for move, mean in zip(moves, means, strict=True) if visits[move]}
        place = best_place(step, self.rng)
        chosen = moves[place] if place >= 0 else self.rng.choice(moves)
        return Decision(
            chosen,
            values={move: tried.get(move, 0.5) for move in info.legal} if tried else {},
            visits=visits if tried else {},
            iterations=iterations,
            forward_calls=calls,
            seconds=perf_counter() - started,
            line=((self.role, chosen),),
            depth=1 if tried else 0,
            note="" if tried else "too few forward calls to judge a move",
        )

    def _slice(self, iterations: int) -> int:
        with blaming(self.game):
            return self.kernel(self.bridge.table, self.step, self.rng, iterations)
