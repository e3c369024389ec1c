"""Models of opponents: what a search expects the other roles to do.

`nothing` passes if it can: where the game knows how to do nothing (see `actions`), or a move written noop or pass is
legal; else it plays at random. `random` draws an action. `osla` tries each of its moves once and plays what looks best to
itself right after. Any other agent thinks about every single move, with a share of the budget: slow, and as good as it is.

Bravi et al., "Rinascimento" (2019), sections VI and VII; its symbols are om for the model and omsb for the share.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field, fields
from math import inf
from typing import Any, ClassVar

from ludarium.agents.rolling.opponents_kernels import Model, Passes, Stage, nothing_model, osla_model, random_model
from ludarium.agents.search.support import forgetful
from ludarium.core import (
    Agent,
    BadParameter,
    Budget,
    BudgetExceeded,
    Decision,
    Game,
    IllegalMove,
    InformationSet,
    Limit,
    Move,
    Player,
    Rng,
    Role,
    UnsupportedGame,
    describe,
)
from ludarium.core.parameters import check
from ludarium.evaluate import evaluator, judging
from ludarium.evaluate.judge import Judge
from ludarium.kernel import Bridge, Bundle, Kernel
from ludarium.kernel.callback import python_entry

WORDS = ("nothing", "random", "osla")
"""The models that are kernels: they cost a search next to nothing."""

PASSES = ("noop", "pass", "(noop)", "skip", "nothing")
"""How games write the move that does the least."""


@dataclass(frozen=True)
class Nothing:
    """Pass where that is legal, else play at random: a yardstick, and a model of opponents."""

    name: ClassVar[str] = "nothing"

    def seat(self, game: Game, role: Role, rng: Rng) -> NothingPlayer:
        """Make a player for one match."""
        return NothingPlayer(passes(game), rng)


@dataclass
class NothingPlayer:
    """Nothing in its seat."""

    passes: list[Move]
    rng: Rng

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Pass or draw a move."""
        budget.charge()
        legal = [move for move in self.passes if move in info.legal]
        return Decision(legal[0] if legal else self.rng.choice(info.legal))


def passes(game: Game) -> list[Move]:
    """Find the moves of a game that do the least, by how they are written."""
    found = []
    for text in PASSES:
        try:
            move = game.parse(text)
        except IllegalMove:
            continue
        if move not in found:
            found.append(move)
    return found


def check_words(agent: Any) -> None:
    """Refuse parameters out of their domains, an evaluator that is none, and a word for an opponent that is no model."""
    check(agent)
    evaluator(agent.evaluator)
    if isinstance(agent.opponent, str) and agent.opponent not in WORDS:
        words = ", ".join(WORDS)
        raise BadParameter(f"{agent.name}: opponent is '{agent.opponent}'; expected {words}, or an agent itself")


def check_opponent(agent: Any, game: Game) -> None:
    """Refuse a model of opponents that was asked for where there are none."""
    default = next(each.default for each in fields(agent) if each.name == "opponent")
    if len(game.roles) == 1 and agent.opponent != default:
        named = agent.opponent if isinstance(agent.opponent, str) else describe(agent.opponent)
        raise UnsupportedGame(
            f"{agent.name} cannot play {game.name} with the opponent model '{named}': it is a game for one"
        )


def opponents(
    agent: Agent | str, game: Game, reached: Bridge, role: Role, rng: Rng, *, judge: Judge, share: float
) -> Opponents:
    """Make the model for a search of `role`; an `osla` without an evaluator of its own judges as the search does."""
    name = agent if isinstance(agent, str) else agent.name
    if name == "random":
        return Opponents(random_model)
    if name == "nothing":
        return Opponents(nothing_model, Passes(moves=array("Q", passes(game))), idle=True)
    if name == "osla" and getattr(agent, "reply", "none") == "none":
        own = getattr(agent, "evaluator", None)
        judge = judge if own is None else judging(own, game)
        return Opponents(osla_model(judge.kernel), judge.judging, reserve=judge.calls)
    assert not isinstance(agent, str), "check_words has seen to that"
    others = [other for other in range(len(game.roles)) if other != role]
    players = {other: forgetful(agent).seat(game, other, rng.split()) for other in others}
    return Opponents(None, thinking=Thinking(game, reached, players, share, rng.split()))


@dataclass
class Thinking:
    """Any agent as a model: seated in the other roles, and asked for each move anew with a share of the budget."""

    game: Game
    bridge: Bridge
    players: dict[Role, Player]
    share: float
    rng: Rng
    charged: int = 0
    """Forward calls that were charged since the search began its slice: its own and those of the agent."""

    def start(self, budget: Budget) -> None:
        """Begin a search with a budget, and set the share of it apart that each move may take."""
        self.budget = budget
        counts = (budget.iterations_left, budget.forward_calls_left)
        self.counts = [None if left is None else max(1, int(left * self.share)) for left in counts]
        self.seconds = None if budget.seconds_left is None else max(budget.seconds_left * self.share, 1e-9)

    def begin(self, calls: int) -> None:
        """Begin a slice of the search that may use so many forward calls."""
        self.calls, self.charged = calls, 0

    def ask(self, block: bytes, role: Role, allowed: int) -> tuple[Move, int, bool]:
        """Let the agent choose, at random when nothing is left to think with; gives the calls, too, and whether time is up."""
        budget = self.budget
        made = self.calls - 1 - allowed  # the search keeps one for the move that is chosen here
        budget.charge(forward_calls=made - self.charged, seconds=inf)
        self.charged = made
        state = self.bridge.state(block)
        legal = tuple(state.legal(role))
        if len(legal) == 1:
            return legal[0], 0, False
        spent = budget.spent.forward_calls
        info = InformationSet(game=self.game, role=role, legal=legal, seen=(state.observe(role),), state=state)
        try:
            move = self.players[role].choose(info, self._part(allowed)).move
        except BudgetExceeded:
            move = self.rng.choice(legal)
        used = budget.spent.forward_calls - spent
        self.charged += used
        return move, used, budget.seconds_left == 0

    def _part(self, allowed: int) -> Budget:
        """Split the share for a move off; the search itself still has to pay for an iteration and the moves to come."""
        iterations, calls = self.counts
        left = self.budget.iterations_left
        if allowed < 1 or left == 1:
            raise BudgetExceeded("nothing is left for the opponents to think with")
        part = Limit(
            seconds=self.seconds,
            iterations=None if iterations is None or left is None else min(iterations, left - 1),
            forward_calls=None if calls is None else min(calls, allowed),
        )
        return Budget(part, parent=self.budget)


@dataclass
class Opponents:
    """A model made ready for a search: a kernel and what it looks at, or an agent that thinks."""

    kernel: Kernel[tuple[int, bool]] | None
    modelling: Bundle = field(default_factory=Bundle)
    reserve: int = 0
    """The most forward calls that judging a state takes it."""

    idle: bool = False
    """Whether to ask the game to do nothing before the model is asked."""

    thinking: Thinking | None = None
    _held: Any = None

    def model(self, stage: Stage) -> Model:
        """Make the model that is asked on a stage."""
        thinking = self.thinking
        if thinking is None:
            return Model(choose=self.kernel)

        def choose(_table: Any, _stage: Any, role: int, allowed: int, _rng: Any) -> tuple[int, bool]:
            stage.moves[0], calls, stop = thinking.ask(bytes(stage.state.memory), role, allowed)
            return calls, stop

        number, self._held = python_entry(Model.fields["choose"][0], choose)
        return Model(choose=number)
