"""Other worlds: matches that went otherwise, and in which a role has seen and done all the same.

They are looked for from the beginning on. Some matches are led along the real one, ply by ply: the role makes the moves
that it made, and chance and the others do something else, or what they did where anything else would have been seen. What
the role would have told apart is dropped. Where few are left when the role has to choose, a determinizer adds other
states: what lies before them is then taken from the real match, which makes no difference to what the role was told.
How likely a world is does not matter here, only that it can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from ludarium.arena.position import Position
from ludarium.core import TOGETHER, Game, InformationSet, LudariumError, Move, Rng, Role, State
from ludarium.hidden import Auto, Enumeration, NotFound, Replay, Sampler, Wander
from ludarium.hidden.chance import Chance
from ludarium.hidden.histories.replay import ReplaySampler

_BEGINNINGS = 200  # beginnings that are tried
_KEPT = 60  # matches that are led on
_TRIES = 6  # ways to go on that are tried for each of them in a ply
_FEW = 8  # matches: if fewer are left, a determinizer adds some
_DRAWN = 32  # states that it is asked for
_REPLAY = Replay(pool=200, tries=1000)  # variety is not needed
_WALK = Wander(walks=2)
_LISTED = 500  # states that are listed to say that there is but one
_CALLS = 20_000  # forward calls that this may take


class Ply(NamedTuple):
    """A ply of a match: the moves, and the chance that they were made with."""

    joint: Mapping[Role, Move]
    chance: Rng


class Swap(NamedTuple):
    """A state that is put in the place of the one that a match came to."""

    ply: int
    state: State


@dataclass(frozen=True)
class World:
    """How a match went, so that it can be played again."""

    game: Game
    seed: int
    """Of the chance in its beginning."""

    steps: tuple[Ply, ...] = ()
    swap: Swap | None = None

    def __iter__(self) -> Iterator[Position]:
        """Play the match again; it is the same object after every ply."""
        position = Position(self.game, self.seed)
        for ply in range(len(self.steps) + 1):
            if ply:
                joint, chance = self.steps[ply - 1]
                position.chance = chance.copy()
                position.play(joint)
            if self.swap is not None and ply == self.swap.ply:
                position.swap(self.swap.state)
            yield position

    @property
    def states(self) -> list[State]:
        """The states that it went through."""
        return [position.state for position in self]

    @property
    def end(self) -> Position:
        """Where it stands."""
        *_, position = self
        return position

    def moves(self, plies: int) -> str:
        """Write the first moves as `ludarium think` reads them."""
        return ", ".join(
            TOGETHER.join(self.game.text(step.joint[role]) for role in sorted(step.joint))
            for step in self.steps[:plies]
        )


def wander(game: Game, seed: int, role: Role, plies: int, choose: Callable[[Position, Role], Move]) -> World | None:
    """Play until a role has a choice after so many plies, or had one for the last time before; None if it never had."""
    position = Position(game, seed)
    steps: list[Ply] = []
    last = None
    while movers := position.state.movers:
        if role in movers and len(position.state.legal(role)) > 1:
            last = position.plies
        if last is not None and last >= plies:
            break
        if last is not None and position.plies > 2 * plies + 2 * len(game.roles):
            break  # it has not had a choice for long
        joint = {each: choose(position, each) for each in movers}
        steps.append(Ply(joint, position.chance.copy()))
        position.play(joint)
    return None if last is None else World(game, seed, tuple(steps[:last]))


class Found(NamedTuple):
    """What the search for another world has come to."""

    world: World | None
    alone: bool = False
    """Whether there is none: all states were listed, or the game's own determinizer draws the same one each time."""


def another(world: World, role: Role, rng: Rng) -> Found:
    """Find a world that a role cannot tell from this one."""
    search = _OtherWorldSearch(world, role, rng)
    found = search.find()
    if found is not None:
        return Found(found)
    if search.always_this:
        return Found(None, alone=True)
    now, listed = world.end.state, all_states(world, role)
    for state in listed:
        if state != now:
            return Found(replace(world, swap=Swap(len(world.steps), state)))
    return Found(None, alone=bool(listed))


def all_states(world: World, role: Role) -> list[State]:
    """List all states that a role can be in; nothing if they are many."""
    known: InformationSet = world.end.information_set(role)
    try:
        begun = sum(1 for _ in islice(Chance(world.game).beginnings(), 2 * _LISTED + 1))
        sampler = Enumeration(limit=_LISTED).sampler(world.game, role)
        calls = 0
        while begun <= 2 * _LISTED and calls < _CALLS:
            states, used, _ = sampler.draw(known, 1, Rng(0), _CALLS - calls)
            if states:
                return list(sampler.likelihoods(known))
            calls += used
    except LudariumError:
        pass
    return []


@dataclass(frozen=True)
class _Lead:
    """A match that is led along another one, and the one that it goes on from."""

    state: State
    seed: int = 0
    step: Ply | None = None
    before: _Lead | None = None
    swap: Swap | None = None
    same: bool = False
    """Whether it is the match itself."""

    def world(self, game: Game) -> World:
        steps: list[Ply] = []
        lead = self
        while lead.step is not None and lead.before is not None:
            steps.append(lead.step)
            lead = lead.before
        return World(game, lead.seed, tuple(reversed(steps)), self.swap)


class _OtherWorldSearch:
    """The search for matches that look like one to a role."""

    def __init__(self, world: World, role: Role, rng: Rng) -> None:
        self.world, self.role, self.rng = world, role, rng
        self.declared = world.game.offers.hidden is not None or world.game.offers.redeal is not None
        self.sampler: Sampler | None = None
        self.able = True
        self.always_this = False

    def find(self) -> World | None:
        """Lead other matches along this one; each may leave it at any ply."""
        world, game = self.world, self.world.game
        positions = iter(world)
        position = next(positions)
        real = position.state
        leads = [_Lead(real, world.seed, same=True)]
        if not game.traits.deterministic:
            seeds = [self.rng.next() >> 12 for _ in range(_BEGINNINGS)]
            begun = (_Lead(Position(game, seed).state, seed) for seed in seeds)
            leads += [lead for lead in begun if lead.state != real and self._alike(lead.state, real)]
        leads += self._draw_leads(leads, position)
        for step in world.steps:
            position = next(positions)
            leads = self._led_on(self._some(leads), step, position.state)
            leads += self._draw_leads(leads, position)
        others = [lead for lead in leads if not lead.same]
        # One that is other now is better than one that was other once, and one that was so for long is best.
        others = [lead for lead in others if lead.state != position.state] or others
        since = min((lead.swap.ply if lead.swap else -1 for lead in others), default=-1)
        others = [lead for lead in others if (lead.swap.ply if lead.swap else -1) == since]
        return self.rng.choice(others).world(game) if others else None

    def _some(self, leads: list[_Lead]) -> list[_Lead]:
        """Keep some of many; the match itself comes first, and stays."""
        if len(leads) <= _KEPT:
            return leads
        rest = leads[1:]
        self.rng.shuffle(rest)
        return [leads[0], *rest[: _KEPT - 1]]

    def _led_on(self, leads: list[_Lead], step: Ply, real: State) -> list[_Lead]:
        """Go on with all of them, in a way that the role cannot tell from what has really happened."""
        found: dict[State, _Lead] = {}
        itself = [_Lead(real, step=step, before=lead, same=True) for lead in leads if lead.same]
        for lead in leads:
            for attempt in range(_TRIES):
                joint = self._joint(lead.state, step.joint, anew=attempt % 2 == 0)
                chance = step.chance.copy() if attempt == 1 else self.rng.split()
                state = lead.state.after(joint, chance.copy())
                if (lead.same and state == real) or not self._alike(state, real):
                    continue
                found.setdefault(state, _Lead(state, step=Ply(joint, chance), before=lead, swap=lead.swap))
                if not lead.same:
                    break
        return itself + list(found.values())

    def _joint(self, state: State, real: Mapping[Role, Move], *, anew: bool) -> dict[Role, Move]:
        """Let the role do what it did, and others too where they can; or anything else."""
        joint = {}
        for mover in state.movers:
            legal = state.legal(mover)
            kept = real.get(mover) if mover == self.role or not anew else None
            joint[mover] = kept if kept is not None and kept in legal else self.rng.choice(legal)
        return joint

    def _alike(self, state: State, real: State) -> bool:
        """Whether the role sees the same, and has to choose among the same moves; their order does not matter here."""
        if state.observe(self.role) != real.observe(self.role):
            return False
        movers, really = state.movers, real.movers
        if bool(movers) != bool(really) or (self.role in movers) != (self.role in really):
            return False
        return self.role not in movers or sorted(state.legal(self.role)) == sorted(real.legal(self.role))

    def _draw_leads(self, leads: list[_Lead], position: Position) -> list[_Lead]:
        """Ask the determinizer that suits the game best for other states, if the role has a choice and few are left."""
        real = position.state
        if not self.able or len(leads) > _FEW or self.role not in real.movers:
            return []
        try:
            states = self._drawn(position)
        except LudariumError:
            self.able = False
            return []
        self.always_this = self.declared and states == [real]
        itself = leads[0]
        return [
            _Lead(state, itself.seed, itself.step, itself.before, Swap(position.plies, state))
            for state in states
            if state != real and self._alike(state, real)
        ]

    def _drawn(self, position: Position) -> list[State]:
        """Draw states as the role may imagine them, by a walk if none is found otherwise."""
        game, known = self.world.game, position.information_set(self.role)
        if self.sampler is None:
            self.sampler = (Auto() if self.declared else _REPLAY).sampler(game, self.role)
        try:
            found = self.sampler.sample(known, _DRAWN, self.rng)
        except NotFound:
            if not isinstance(self.sampler, ReplaySampler):
                raise
            self.sampler = _WALK.sampler(game, self.role)
            found = self.sampler.sample(known, _DRAWN, self.rng)
        return list(dict.fromkeys(found))
