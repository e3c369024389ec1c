"""A walk among histories that look to a role as its match did: for games in which none of them is found by trying.

A history is what the others chose and how chance fell, ply by ply. A step draws one of these anew (or exchanges what was
dealt to two hidden places, where the game offers that), plays the rest of the match again, and counts the observations in
which something new looks wrong. Moves are kept as far as uniform choices can be the same before and after. Whether the walk
goes there is decided as Metropolis and Hastings do, with a weight per fault, and states of histories without a fault are
handed out (one-site sampling of traces: Wingate, Stuhlmueller and Goodman 2011). Faults are allowed on the way, so that it
does not get stuck where every single change is wrong.

In the long run it draws from the distribution that `sampler` states, up to two simplifications: a ply that is drawn anew is
drawn until it looks right, and how hard that was is not weighed; and exchanged deals count as equally likely. States
that are handed out one after the other resemble each other the more, the fewer steps lie between them.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import ClassVar

from ludarium.core import Game, InformationSet, Rng, Role, State, UnsupportedGame
from ludarium.core.parameters import check, number
from ludarium.hidden.histories.replay_kernels import Story
from ludarium.hidden.histories.tale_kernels import Tale, Walk
from ludarium.hidden.histories.walk_kernels import extend, roam, start
from ludarium.hidden.sampler import UNLIMITED, Draw, Sampler, goes_on, same
from ludarium.kernel import TableGame, bridge, f64, i64, kernel, u8, u64, view, zeros

_SLICE = 0.004  # seconds of work between two looks at a budget with a clock
_PIECE = 1 << 14  # forward calls between two looks at another budget
_STEPS = 64  # steps in one go
_BEGINNINGS = 4096  # tries to find a beginning that looks right
_DEALS = 256  # beginnings that show what can be dealt where
_DEALT = 1 << 24  # bytes that these may take


@dataclass(frozen=True)
class Wander:
    """Walk among histories of the match, and hand out where those end that look as what was seen."""

    name: ClassVar[str] = "walk"

    gap: int = number(32, 1, 1 << 20, tries=(8, 32, 128))
    """Steps between two states that are handed out."""

    walks: int = number(4, 1, 1 << 10)
    """Walks that are under way at the same time and hand out states in turn."""

    strict: float = number(5.0, 0.1, 100.0)
    """How much a fault weighs: one more is accepted with probability exp(-strict)."""

    vain: int = number(50_000, 1, 1 << 40)
    """Steps of each walk in vain after which it is an error that nothing was found."""

    def __post_init__(self) -> None:
        check(self)

    def sampler(self, game: Game, role: Role) -> WalkSampler:
        """Make a sampler for one match."""
        if not isinstance(game, TableGame):
            raise UnsupportedGame(f"walk cannot imagine states of {game.name}: it is written in plain Python")
        return WalkSampler(self, game, role)


class WalkSampler(Sampler):
    """Walks for a role in a match."""

    game: TableGame

    def __init__(self, agent: Wander, game: TableGame, role: Role) -> None:
        super().__init__(game, role)
        self.settings = agent
        self.bridge = bridge(game)
        self.table = self.bridge.table
        self._story = Story(role=role, shown=b"", ends=array("q", [0]), played=array("Q"), legal=array("Q"))
        self._info: InformationSet | None = None
        self._room, self._turn = 0, 0
        self._deals = zeros(u8, 0)
        self._dealt = False
        self._walks = [self._walk() for _ in range(agent.walks)]
        self._ready = [False] * agent.walks
        self._vain = [0] * agent.walks
        self._grow(64)
        walk, rng = self._walks[0], Rng(0)  # what is compiled now is not on the clock of the first move
        walk.now.length, walk.present = 0, -1
        start(self.table, walk, rng, 0)
        extend(self.table, walk, rng)
        roam(self.table, walk, rng, 0, 0)
        walk.now.length = -1

    def draw(self, info: InformationSet, count: int, rng: Rng, calls: int = UNLIMITED) -> Draw:
        """Walk on, and hand out states of histories that look right."""
        until = perf_counter() + _SLICE if self.clocked else inf
        self._listen(info, rng)
        found: list[State] = []
        used = 0
        while len(found) < count and used < calls and (perf_counter() < until if self.clocked else used < _PIECE):
            used += self._go(self._turn, rng, calls - used)
            walk = self._walks[self._turn]
            if self._ready[self._turn] and walk.energy == 0 and walk.since >= self.settings.gap:
                size, last = self.table.state_size, walk.now.length
                found.append(self.game.state(bytes(walk.now.states.memory[last * size : (last + 1) * size])))
                walk.since, self._vain[self._turn] = 0, 0
                self._turn = (self._turn + 1) % len(self._walks)
            elif self._vain[self._turn] >= self.settings.vain:
                self._give_up()
        return Draw(found, used, more=True)

    def _go(self, at: int, rng: Rng, calls: int) -> int:
        """Let a walk go some steps; says how many forward calls that took.

        It looks at one more ply of the match whenever the history has no fault so far: faults are best mended one by one.
        """
        walk, table = self._walks[at], self.table
        before = walk.calls
        walk.call_limit = before + calls
        if walk.now.length < 0:
            walk.plies = 0
            if not start(table, walk, rng, _BEGINNINGS):
                raise self.contradiction(f"none of {_BEGINNINGS} beginnings looks as the first state did", sure=False)
        if not self._ready[at]:
            extend(table, walk, rng)
            while walk.plies < walk.present and walk.energy == 0 and walk.calls < walk.call_limit:
                walk.plies += 1
                extend(table, walk, rng)
            if walk.plies == walk.present:
                self._ready[at] = True
        self._vain[at] += roam(table, walk, rng, _STEPS, self.settings.gap if self._ready[at] else 0)
        return walk.calls - before

    def _give_up(self) -> None:
        """Leave a walk that gets nowhere, and say that nothing is found if none gets anywhere."""
        if all(each >= self.settings.vain for each in self._vain):
            least = min(walk.energy for walk in self._walks)
            how = f"none was found in {sum(self._vain)} steps; the best history has this many faults: {least}"
            raise self.contradiction(how, sure=False)
        self._turn = (self._turn + 1) % len(self._walks)

    # What was seen

    def _listen(self, info: InformationSet, rng: Rng) -> None:
        self.check(info)
        if same(self._info, info):
            return
        if not goes_on(self._info, info):
            for walk in self._walks:
                walk.now.length = -1
        self._info = info
        ends, seen = array("q", [0]), b"".join(info.seen)
        for each in info.seen:
            ends.append(ends[-1] + len(each))
        self._story.fill(shown=seen, ends=ends, played=array("Q", info.played), legal=array("Q", info.legal))
        plies = len(info.seen) - 1
        if plies >= self._room:
            self._grow(max(64, 2 * plies))
        if not self._dealt:
            self._deal(rng)
        for at, walk in enumerate(self._walks):
            walk.present = plies
            self._ready[at], self._vain[at] = False, 0

    def _walk(self) -> Walk:
        table, offered = self.table, self.game.offers.exchanges
        chance = not self.game.traits.deterministic
        return Walk(
            story=self._story,
            now=self._tale(),
            then=self._tale(),
            deals=self._deals,
            weights=zeros(f64, 0),
            exchange=offered.exchange if offered and chance else _never,
            alike=offered.alike if offered and chance else _unlike,
            arrange=offered.arrange if offered and chance and offered.arrange else _as_it_is,
            spots=offered.places if offered and chance else 0,
            trial=zeros(u8, table.state_size),
            moves=zeros(u64, table.max_moves),
            options=zeros(u64, table.roles * table.max_moves),
            before=zeros(u64, table.max_moves),
            slots=zeros(i64, 1 << (2 * table.max_moves).bit_length()),
            counts=zeros(i64, table.roles),
            fresh=zeros(i64, table.roles),
            again=zeros(f64, table.roles),
            joint=zeros(u64, table.roles),
            shown=zeros(u8, self.game.max_observation),
            strict=self.settings.strict,
            chance=chance,
        )

    def _tale(self) -> Tale:
        return Tale(
            states=zeros(u8, 0), joints=zeros(u64, 0), seeds=zeros(u64, 0), choices=zeros(i64, 0),
            owns=zeros(i64, 0), marks=zeros(u64, 0), faults=zeros(i64, 0), length=-1,
        )  # fmt: skip

    def _grow(self, plies: int) -> None:
        """Make room for longer histories."""
        self._room, table = plies, self.table
        for walk in self._walks:
            walk.grow("weights", plies)
            for tale in (walk.now, walk.then):
                tale.grow("states", (plies + 2) * table.state_size)
                tale.grow("joints", (plies + 1) * table.roles)
                tale.grow("choices", (plies + 1) * table.roles)
                for name in ("seeds", "owns", "marks", "faults"):
                    tale.grow(name, plies + 2)

    def _deal(self, rng: Rng) -> None:
        """Draw some beginnings, which show what chance can put where."""
        self._dealt = True
        if not self._walks[0].spots:
            return
        count = max(16, min(_DEALS, _DEALT // self.table.state_size))
        blocks = b"".join(self.bridge.block(self.game.initial(rng)) for _ in range(count))
        self._deals = memoryview(bytearray(blocks))
        for walk in self._walks:
            walk.fill(deals=self._deals)


@kernel
def _never(state: view[u8], role: i64, a: i64, b: i64) -> bool:
    return False


@kernel
def _as_it_is(state: view[u8], role: i64, seen: view[u8]) -> bool:
    return True


@kernel
def _unlike(state: view[u8], a: i64, other: view[u8], b: i64) -> bool:
    return False
