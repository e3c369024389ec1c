"""The leak audit: whether a decision, or what a role is shown, depends on what the rules hide.

A role of a match is put into another world that it cannot tell from the real one. The agent then sits down in both with
the same seed and is asked at every decision from the beginning on, as in a match, so that agents with a memory are
audited, too. An agent that knows no more than it was told decides the same in both, to the last bit. One that does not
has seen something else: that is a proof, and it is reported with all it takes to repeat it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from typing import Any, NamedTuple

from ludarium.arena import streams
from ludarium.arena.leaks.dice import Dice, first_choice
from ludarium.arena.leaks.other_worlds import World, another, wander
from ludarium.arena.leaks.shown import Exposure, exposures
from ludarium.arena.leaks.verdicts import Audit, Leak, Verdict
from ludarium.arena.position import Position
from ludarium.arena.referee import betray
from ludarium.arena.seating import sit_down
from ludarium.core import (
    Agent,
    BadParameter,
    Decision,
    Game,
    GameError,
    IllegalMove,
    Limit,
    LudariumError,
    Move,
    Player,
    Rng,
    Role,
    State,
    UnsupportedGame,
    describe,
)
from ludarium.registry import make

PLIES = 40
"""Decisions that are audited lie within this many plies, unless the role had none."""

_APART = ("seconds",)  # what may differ
_MATCHES = 5  # that tell how long a match lasts
_GOLDEN = 0.6180339887498949  # multiples of it fill a range evenly, however many there are
_BAITS, _MOST = 4, 60  # seeds to guess, for every position, and in all
_SHOWN = 3  # moves that a decision is written with

Choosing = Callable[[Position, Role], Move]


def audit(
    game: Game | str,
    agents: Sequence[Agent | str],
    *,
    positions: int = 20,
    iterations: int | None = None,
    forward_calls: int | None = None,
    plies: int = PLIES,
    seed: int = 0,
    watch: Callable[[str], None] = lambda _agent: None,
) -> Audit:
    """Look for leaks at so many positions: half of them of random play, half of the agent's own play.

    Work is limited by counts, 100 iterations if none is given: what a clock allows is never the same twice.

    >>> found = audit("kuhn-poker", ["ismcts", "omniscient"], positions=6)
    >>> [(each.agent, each.others, each.clean) for each in found.verdicts]
    [('ismcts', 6, True), ('omniscient', 6, False)]
    """
    rules: Game = make("game", game)
    if rules.traits.perfect_information:
        raise BadParameter(f"nothing is hidden in {rules.name}: there is nothing to leak")
    if positions < 1:
        raise BadParameter(f"an audit looks at one position or more, not at {positions}")
    if plies < 1:
        raise BadParameter(f"an audit looks at matches that end after one ply or more, not {plies}")
    if iterations is None and forward_calls is None:
        iterations = 100
    auditor = _Auditor(rules, Limit(iterations=iterations, forward_calls=forward_calls), plies, seed)
    verdicts = []
    for agent in [make("agent", each) for each in agents]:
        watch(describe(agent))
        verdicts.append(auditor.verdict(agent, positions))
    watch("")
    return Audit(rules.name, auditor.exposures(positions), verdicts)


class _Pair(NamedTuple):
    """A role in a match, and another world that it cannot tell from this one, if one was found."""

    role: Role
    world: World
    other: World | None
    alone: bool


class _Answer(NamedTuple):
    """A question, and the answer."""

    ply: int
    state: State
    decision: Decision


class _Auditor:
    """An audit under way; worlds of random play serve all agents."""

    def __init__(self, game: Game, limit: Limit, plies: int, seed: int) -> None:
        self.game, self.limit, self.plies, self.seed = game, limit, plies, seed
        self._pairs: dict[int, _Pair | None] = {}
        self._baits: Dice | None = None

    def exposures(self, positions: int) -> list[Exposure]:
        """Look at what roles are shown in the worlds of random play; one proof of each kind and role is enough."""
        found: dict[tuple[str, str], Exposure] = {}
        for number in range(0, positions, 2):
            if pair := self._random_play(number):
                rng = Rng.keyed(self.seed, "shown", number)
                for each in exposures(pair.role, pair.world, pair.other, rng):
                    found.setdefault((each.what, each.role), each)
        return list(found.values())

    def verdict(self, agent: Agent, positions: int) -> Verdict:
        """Audit an agent."""
        verdict = Verdict(describe(agent))
        try:
            for number in range(positions):
                pair = self._own_play(agent, number) if number % 2 else self._random_play(number)
                if pair is not None:
                    self._judge(agent, pair, verdict)
            verdict.guesses = self._dice(min(_BAITS * positions, _MOST)).guesses(
                first_choice(self._sitting, agent, self.limit)
            )
        except (UnsupportedGame, GameError):
            raise
        except LudariumError as problem:
            verdict.failure = str(problem)
        return verdict

    def _random_play(self, number: int) -> _Pair | None:
        if number not in self._pairs:
            rng = Rng.keyed(self.seed, "random play", number)
            self._pairs[number] = self._pair(number, lambda _: lambda at, mover: rng.choice(at.state.legal(mover)))
        return self._pairs[number]

    def _own_play(self, agent: Agent, number: int) -> _Pair | None:
        """Let the agent play the role, and others at random."""
        rng = Rng.keyed(self.seed, "own play", number)

        def choosing(role: Role) -> Choosing:
            player = self._seated(agent, role, self.seed + number)

            def choose(position: Position, mover: Role) -> Move:
                if mover != role:
                    return rng.choice(position.state.legal(mover))
                return self._asked(player, position, role).move

            return choose

        return self._pair(number, choosing)

    def _pair(self, number: int, choosing: Callable[[Role], Choosing]) -> _Pair | None:
        """Play until a role has a choice, and look for another world; roles and parts of a match take turns."""
        rng = Rng.keyed(self.seed, "position", number)
        roles = len(self.game.roles)
        first, rounds = number // 2 % roles, number // 2 // roles
        plies = int(self._length * ((rounds + 1) * _GOLDEN % 1.0))
        for turn in range(roles):
            role = (first + turn) % roles
            world = wander(self.game, self.seed + number, role, plies, choosing(role))
            if world is not None:
                return _Pair(role, world, *another(world, role, rng))
        return None  # nobody has a choice here

    @cached_property
    def _length(self) -> int:
        """How many plies some random matches last, the longest of them."""
        longest = 1
        for number in range(_MATCHES):
            rng = Rng.keyed(self.seed, "length", number)
            position = Position(self.game, rng.next() >> 12)
            while (movers := position.state.movers) and position.plies < self.plies:
                position.play({role: rng.choice(position.state.legal(role)) for role in movers})
            longest = max(longest, position.plies)
        return longest

    def _judge(self, agent: Agent, pair: _Pair, verdict: Verdict) -> None:
        """Let an agent decide in both worlds, and compare."""
        role, world, other, single = pair
        verdict.positions += 1
        verdict.alone += single
        if other is None:
            return
        verdict.others += 1
        here, there = (
            self._ask_through(agent, role, world, world.seed),
            self._ask_through(agent, role, other, world.seed),
        )
        verdict.whole += other.swap is None or other.swap.ply <= here[0].ply
        verdict.decisions += len(here)
        for ours, theirs in zip(here, there, strict=True):
            if differing := _differing(ours.decision, theirs.decision):
                leak = self._leak(agent, role, world, (ours, theirs), differing)
                again = self._ask_through(agent, role, world, world.seed)
                (verdict.leaks if _same(here, again) else verdict.unrepeatable).append(leak)
                return

    def _ask_through(self, agent: Agent, role: Role, world: World, seed: int) -> list[_Answer]:
        """Let an agent sit through a match, and ask it whenever its role has to choose."""
        player = self._seated(agent, role, seed)
        return [
            _Answer(ply, position.state, self._asked(player, position, role))
            for ply, position in enumerate(world)
            if role in position.state.movers
        ]

    def _dice(self, baits: int) -> Dice:
        if self._baits is None:
            self._baits = Dice(self.game, baits, self.seed)
        return self._baits

    def _seated(self, agent: Agent, role: Role, seed: int) -> Player:
        return self._sitting(agent, role, streams.player(seed, role))

    def _sitting(self, agent: Agent, role: Role, rng: Rng) -> Player:
        return sit_down(agent, self.game, role, rng)

    def _asked(self, player: Player, position: Position, role: Role) -> Decision:
        """Ask as a match asks that lets everybody cheat who can."""
        betray(player, position.state)
        info = position.information_set(role)
        decision = player.choose(info, self.limit.start())
        if decision.move not in info.legal:
            raise IllegalMove(f"{decision.move} was chosen in {self.game.name}, which is not legal")
        return decision

    def _leak(
        self, agent: Agent, role: Role, world: World, answers: tuple[_Answer, _Answer], differing: tuple[str, ...]
    ) -> Leak:
        game, (here, there) = self.game, answers
        return Leak(
            agent=describe(agent),
            game=game.name,
            role=game.roles[role],
            seed=world.seed,
            moves=world.moves(here.ply),
            worlds=(game.picture(here.state), game.picture(there.state)),
            decisions=(_write_decision(game, here.decision), _write_decision(game, there.decision)),
            differing=differing,
        )


def _differing(one: Decision, other: Decision) -> tuple[str, ...]:
    """Name what differs in two decisions; every bit counts."""
    names = [each.name for each in fields(Decision) if each.name not in _APART]
    return tuple(name for name in names if _exact(getattr(one, name)) != _exact(getattr(other, name)))


def _exact(value: Any) -> str:
    """Write a value so that numbers that differ are written differently."""
    return repr(sorted(value.items(), key=repr) if isinstance(value, Mapping) else value)


def _same(here: list[_Answer], again: list[_Answer]) -> bool:
    return not any(_differing(one.decision, two.decision) for one, two in zip(here, again, strict=True))


def _write_decision(game: Game, made: Decision) -> str:
    """Write a decision in a line: the move, and what was thought of the best ones."""
    best = sorted(
        {*made.values, *made.visits}, key=lambda each: (-made.visits.get(each, 0), -made.values.get(each, 0.0))
    )
    thought = [
        f"{game.text(move)} {made.values.get(move, 0.0):.6g}"
        + (f" ({made.visits[move]} visits)" if move in made.visits else "")
        for move in best[:_SHOWN]
    ]
    told = f"{game.text(made.move)}: {', '.join(thought)}" if thought else game.text(made.move)
    return f"{told}; {made.note}" if made.note else told
