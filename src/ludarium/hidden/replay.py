"""Replay sampling: histories drawn at random that look to a role as its match did, with a pool carried along.

A try begins at a state of an earlier pool, or at the beginning of the match, plays on with the role's own moves and
everything else drawn at random, and fails where the role would have seen something else (rejection). Tries from the
beginning draw exactly from the distribution that `sampler` states. Tries from a pool do so in the limit of large pools:
each of its states gets its turn equally often, so those that explain the match better have more descendants (the
"alive" particle filter: Jasra, Lee, Yau and Zhang 2013). Most tries begin at the newest pool, some at older ones, which
brings lost variety back. Where all states of a pool turn out wrong it goes back, as HyperPlay does (Schofield, Cerexhe
and Thielscher 2012): to older pools, and then to the beginning, from where larger pools are led up to the present ply by
ply. Older pools are thinned out, so that a decision costs as much as the plies since the last one, times the logarithm
of the match's length at most; going back to the beginning costs more, and is rare where pools are large.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

from ludarium.core import Game, InformationSet, Rng, Role, State
from ludarium.core.parameters import check, number
from ludarium.hidden.replaying import VAIN, Aim, Level, advance, replay
from ludarium.hidden.sampler import UNLIMITED, Draw, Sampler, goes_on, same
from ludarium.kernel import TableGame, bridge

_SLICE = 0.004  # seconds of work between two looks at a budget
_BATCH = 0.001  # seconds of work between two looks at the clock
_KEPT = 6  # pools of the past
_NEAR = 2  # plies that tries can span at once; over longer ways there are pools between
_BETWEEN = 256  # states in such a pool, at first
_AGAIN = 3  # times that the largest pools are led up from the beginning before that is given up
_ENOUGH = 4096  # states to begin with on the whole, if pools are small
_FEW = 64  # states that are worth as many tries as all others, if nothing is found at all
_MEMORY = 1 << 26  # bytes that a pool may take
_SHOWN = 1 << 16  # bytes that a game in plain Python may show at once


@dataclass(frozen=True)
class Replay:
    """Draw histories at random, and keep those that look as what was seen."""

    name: ClassVar[str] = "replay"

    pool: int = number(4000, 1, 1 << 24)
    """States to keep per decision; fewer if they take more than 64 MB."""

    tries: int = number(10_000, 1, 1 << 40)
    """Tries per state after which no more are looked for; 64 times as many in vain are an error."""

    def __post_init__(self) -> None:
        check(self)

    def sampler(self, game: Game, role: Role) -> ReplaySampler:
        """Make a sampler for one match."""
        return ReplaySampler(self, game, role)


@dataclass
class _Pool:
    """States that agree with all that was seen up to a ply, and the place in memory where they lie."""

    ply: int
    slot: int
    size: int = 0
    tries: int = 0


class ReplaySampler(Sampler):
    """Replay for a role in a match."""

    def __init__(self, agent: Replay, game: Game, role: Role) -> None:
        super().__init__(game, role)
        self.bridge = bridge(game)
        table = self.bridge.table
        self.tries, self.room = agent.tries, max(1, min(agent.pool, _MEMORY // table.state_size))
        self._arena = bytearray(table.state_size * self.room * (_KEPT + 1))
        self._owns = array("q", bytes(8 * self.room * (_KEPT + 1)))
        self._weights = array("d", bytes(8 * self.room * (_KEPT + 1)))
        self._trial, self._counts = bytearray(table.state_size), array("q", bytes(8 * table.roles))
        self._options = array("Q", bytes(8 * table.roles * table.max_moves))
        self._state, self._joint = bytearray(table.state_size), array("Q", bytes(8 * table.roles))
        self._moves = array("Q", bytes(8 * table.max_moves))
        self._shown = bytearray(getattr(game, "max_observation", _SHOWN))
        self._aim = Aim()
        self._aim.role = role
        self._batch, self._given, self._between, self._least, self._fresh = 8, 0, _BETWEEN, 0, True
        self._came_from, self._again, self._led = 0, _AGAIN, 0
        self._info: InformationSet | None = None
        self._pools: list[_Pool] = []  # the newest comes first
        self._forget()
        self._run(Rng(0), 0)  # what is compiled now is not on the clock of the first move
        self._advance(0, 0, bytearray(), Rng(0))

    def draw(self, info: InformationSet, count: int, rng: Rng, calls: int = UNLIMITED) -> Draw:
        """Look for more states, until the pool is full or too many tries were in vain."""
        self._listen(info)
        aim, until = self._aim, perf_counter() + _SLICE
        before = aim.calls
        aim.call_limit = before + calls
        while True:
            present = self._pool.ply == len(info.seen) - 1
            aim.wanted = min(self._wanted(count, present=present), self.room)
            leads = not present and bool(self._pools) and self._led < self._pools[0].size
            done = not leads and (aim.found >= aim.wanted or self._tries_left() <= 0)
            if done and not aim.found:
                self._go_back()
            elif done and not present:
                self._keep()
                self._begin()
            elif done or (aim.call_limit <= aim.calls and self._pool.ply > 0) or perf_counter() > until:
                again = done and self._given == aim.found
                if again:
                    self._given = 0  # whoever asks for more than there are gets the same ones again
                # What is found at once after a long way back is held back until there is some variety in it.
                ready = present and (done or aim.found >= self._least or aim.call_limit <= aim.calls)
                states = self._hand_out(count) if ready else []
                new = self._given < aim.found or (aim.found < self.room and self._tries_left() > 0)
                return Draw(states, aim.calls - before, more=new and not again)
            elif leads:
                self._lead(rng)
            else:
                self._try(rng)

    def _wanted(self, count: int, *, present: bool) -> int:
        """How many states there shall be in the pool that is being filled."""
        if present:
            return max(self._given + count, self._least)
        if self._pools:  # being led on loses states where chance has fallen otherwise, and only there more tries help
            return 0 if self.game.traits.deterministic else self._least // 4
        return self._least

    def _tries_left(self) -> int:
        aim = self._aim
        if self._pools and aim.found < max(1, self._least):
            return min(VAIN * (_FEW + self._pools[0].size), self.tries * _FEW) - aim.tries
        return self.tries * (_FEW + aim.found) - aim.tries

    def _go_back(self) -> None:
        """Drop a pool whose states are all wrong; from the beginning, larger pools may do what smaller ones did not."""
        if self._fresh:
            self._again -= self._between == self.room
            if not self._pools or not self._again:
                raise self.contradiction("none was found, however it was tried")
            self._between = min(4 * self._between, self.room)
        # Pools that were led up in vain have a common fault: the one that they come from.
        self._pools = [pool for pool in self._pools if pool.ply < self._came_from]
        self._came_from = self._pools[0].ply if self._pools else 0
        self._fresh = not self._pools
        self._begin()

    def _try(self, rng: Rng) -> None:
        started = perf_counter()
        # However long batches are, one ends where it may be time to give up: what is drawn does not depend on the clock.
        done = self._run(rng, min(self._batch, self._tries_left()))
        each = (perf_counter() - started) / max(1, done)
        self._batch = max(1, min(int(_BATCH / max(each, 1e-9)), 4 * self._batch))

    def _lead(self, rng: Rng) -> None:
        """Lead some states of the newest pool a ply on."""
        source, ply = self._pools[0], self._pool.ply
        places = min(max(1, self._batch // 32), source.size - self._led)
        started = perf_counter()
        seen = self._seen[self._ends[ply] : self._ends[ply + 1]]
        self._led += self._advance(source.slot * self.room + self._led, places, seen, rng)
        if self._led == source.size:
            self._thin_out(rng)
        self._batch = self._batch * 2 if perf_counter() - started < _BATCH else max(32, self._batch // 2)

    def _advance(self, first: int, places: int, seen: bytearray, rng: Rng) -> int:
        return advance(
            self.bridge.table, self._aim, self._arena, self._owns, self._weights, first, places, self._state,
            self._trial, seen, self._played, self._options, self._counts, self._joint, self._shown, rng,
        )  # fmt: skip

    def _thin_out(self, rng: Rng) -> None:
        """Drop states at random so that those that are left are as likely as their weights said."""
        first, size = self._aim.first, len(self._state)
        weights = self._weights[first : first + self._aim.found]
        most = max(weights, default=0.0)
        kept = [k for k, weight in enumerate(weights) if rng.uniform() * most < weight]
        for to, k in enumerate(kept):
            at, source = (first + to) * size, (first + k) * size
            self._arena[at : at + size] = self._arena[source : source + size]
            self._owns[first + to] = self._owns[first + k]
        self._aim.found = len(kept)

    def _run(self, rng: Rng, tries: int) -> int:
        return replay(
            self.bridge.table, self._levels, self._aim, self._arena, self._owns, self._state, self._seen, self._ends,
            self._played, self._legal, self._moves, self._joint, self._shown, rng, tries,
        )  # fmt: skip

    # What was seen

    def _listen(self, info: InformationSet) -> None:
        self.check(info)
        if same(self._info, info):
            return
        if goes_on(self._info, info):
            self._keep()
        else:
            self._forget()
        self._info = info
        for seen in info.seen[len(self._ends) - 1 :]:
            self._seen += seen
            self._ends.append(len(self._seen))
        self._played.extend(info.played[len(self._played) :])
        self._legal = array("Q", info.legal)
        self._renumber()
        self._least, self._fresh, self._again = 0, not self._pools, max(_AGAIN, _ENOUGH // self.room)
        self._came_from = self._pools[0].ply if self._pools else 0
        self._begin()

    def _forget(self) -> None:
        self._seen, self._ends, self._played, self._legal = bytearray(), array("q", [0]), array("Q"), array("Q")
        self._pools = []
        self._pool = _Pool(0, 0)
        self._aim.found = self._given = self._least = 0
        self._between = min(_BETWEEN, self.room)
        self._levels = bytearray(Level.size)

    # Pools

    def _begin(self) -> None:
        """Aim at the present, or at a ply on the way if that is far."""
        present = len(self._ends) - 2
        last = self._pools[0].ply if self._pools else -1
        taken = {pool.slot for pool in self._pools}
        ply = present if present - max(last, 0) <= _NEAR else last + 1
        self._pool = _Pool(ply, min(slot for slot in range(_KEPT + 1) if slot not in taken))
        self._given = self._led = 0
        if ply < present:
            self._least = self._between
        elif self._least:
            self._least = min(self._between, _BETWEEN)
        aim = self._aim
        aim.ply, aim.present, aim.first = ply, int(ply == present), self._pool.slot * self.room
        aim.found = aim.tries = 0
        self._levels = bytearray(Level.size * (len(self._pools) + 1))
        for place, pool in enumerate(self._pools):
            level = Level(memoryview(self._levels)[place * Level.size :])
            level.ply, level.first, level.states = pool.ply, pool.slot * self.room, pool.size

    def _keep(self) -> None:
        """Put the states that were found to the pools of the past, of which the most crowded one goes if there are too many."""
        self._pool.size = self._aim.found
        if not self._pool.size:
            return
        now = self._pool.ply
        self._pools.insert(0, self._pool)
        if len(self._pools) > _KEPT:
            ages = [now + 1 - pool.ply for pool in self._pools]
            self._pools.pop(min(range(1, _KEPT), key=lambda k: ages[k + 1] / ages[k - 1]))

    def _hand_out(self, count: int) -> list[State]:
        first, size = self._aim.first, len(self._state)
        end = min(self._given + count, self._aim.found)
        places = range(first + self._given, first + end)
        self._given = end
        return [self.bridge.state(bytes(self._arena[place * size : (place + 1) * size])) for place in places]

    def _renumber(self) -> None:
        """Let a game in plain Python forget the states that no pool holds; its blocks are numbers of states."""
        if isinstance(self.game, TableGame):
            return
        size = len(self._state)
        places = [pool.slot * self.room + k for pool in self._pools for k in range(pool.size)]
        states = [self.bridge.state(bytes(self._arena[place * size : (place + 1) * size])) for place in places]
        for place, block in zip(places, self.bridge.blocks(states), strict=True):
            self._arena[place * size : (place + 1) * size] = block
