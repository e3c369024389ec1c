"""Replay sampling: histories drawn at random that look to a role as its match did, with a pool carried along.

A try begins at a state of an earlier pool, or at the beginning of the match, plays on with the role's own moves and
everything else drawn at random, and fails where the role would have seen something else (rejection). Tries from the
beginning draw exactly from the distribution that `sampler` states. Tries from a pool do so in the limit of large pools:
each of its states gets its turn as often as it is likely, so those that explain the match better have more descendants
(the "alive" particle filter: Jasra, Lee, Yau and Zhang 2013). Most tries begin at the newest pool, some at older ones,
which brings lost variety back.

Where most tries fail, states are led on instead, ply by ply: each by all joint moves of the others (by some if there are
too many), those that look right weighted by how likely they are, equal ones merged. In games without chance, in which
all that can be fits into a pool, this is done from the beginning: then nothing is ever lost, and draws are exact.

Where all states of a pool turn out wrong it goes back, as HyperPlay does (Schofield, Cerexhe and Thielscher 2012): to
older pools, and then to the beginning, from where larger pools are led up to the present. Older pools are thinned out,
so that a decision costs as much as the plies since the last one, times the logarithm of the match's length at most;
going back to the beginning costs more, and is rare where pools are large.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from math import gcd, inf
from time import perf_counter
from typing import ClassVar

from ludarium.core import Game, InformationSet, Rng, Role, State
from ludarium.core.parameters import check, number
from ludarium.hidden.histories.leading import WAYS, Lead, lead_on, merge
from ludarium.hidden.histories.pools import Pool, Pools
from ludarium.hidden.histories.replay_kernels import VAIN, Aim, Level, Story, replay
from ludarium.hidden.sampler import UNLIMITED, Draw, Sampler, goes_on, same
from ludarium.kernel import TableGame, bridge, i64, u8, u64, zeros

_SLICE = 0.004  # seconds of work between two looks at a budget with a clock
_BATCH = 0.001  # seconds of work between two looks at the clock
_PIECE = 1 << 13  # tries and forward calls between two looks at another budget
_PART = 1 << 11  # tries and forward calls in one go, where no clock runs
_NEAR = 2  # plies that tries can span at once; over longer ways there are pools between
_BETWEEN = 256  # states in such a pool, at first
_TRACKED = 1024  # states up to which all of them are followed
_WORK = 1 << 15  # forward calls in a decision up to which that is done
_TOUCHED = 1 << 27  # bytes of states up to which that is done
_LOOK = 256  # tries after which it is judged whether it goes well
_POOR = 16  # tries per state from which on it does not
_OFTEN = 2  # times that a state is led on, at least
_MORE = 8  # times as often if nearly nothing is found
_AGAIN = 3  # times that the largest pools are led up from the beginning before that is given up
_ENOUGH = 4096  # states to begin with on the whole, if pools are small
_FEW = 64  # states that are worth as many tries as all others, if nothing is found at all
_LITTLE = 16  # states in a pool, below which it is poor
_MEMORY = 1 << 24  # bytes that a pool may take
_SHOWN = 1 << 16  # bytes that a game in plain Python may show at once


@dataclass(frozen=True)
class Replay:
    """Draw histories at random, and keep those that look as what was seen."""

    name: ClassVar[str] = "replay"

    pool: int = number(4000, 1, 1 << 24)
    """States to keep per decision; fewer if they take more than 16 MB."""

    tries: int = number(10_000, 1, 1 << 40)
    """Tries per state after which no more are looked for; 64 times as many in vain are an error."""

    def __post_init__(self) -> None:
        check(self)

    def sampler(self, game: Game, role: Role) -> ReplaySampler:
        """Make a sampler for one match."""
        return ReplaySampler(self, game, role)


class ReplaySampler(Sampler):
    """Replay for a role in a match."""

    def __init__(self, agent: Replay, game: Game, role: Role) -> None:
        super().__init__(game, role)
        self.bridge = bridge(game)
        table = self.bridge.table
        self.tries, self.room = agent.tries, max(1, min(agent.pool, _MEMORY // table.state_size))
        self.pools = Pools(self.bridge, self.room)
        self._merges = isinstance(game, TableGame)
        self._tracks = self._merges and game.traits.deterministic
        self._story = Story(role=role, shown=b"", ends=array("q", [0]), played=array("Q"), legal=array("Q"))
        self._aim = Aim(
            story=self._story,
            past=self.pools.past,
            levels=zeros(Level, 1),
            slots=zeros(i64, 0),
            keys=zeros(u64, self.room),
            state=zeros(u8, table.state_size),
            trial=zeros(u8, table.state_size),
            moves=zeros(u64, table.max_moves),
            options=zeros(u64, table.roles * table.max_moves),
            counts=zeros(i64, table.roles),
            joint=zeros(u64, table.roles),
            shown=zeros(u8, game.max_observation if isinstance(game, TableGame) else _SHOWN),
        )
        self._lead = Lead()
        self._lead.chance = not game.traits.deterministic
        self._batch, self._worked = 8, 0
        self._info: InformationSet | None = None
        self._leading, self._tracking, self._given, self._look = False, False, 0, _LOOK
        self._forget()
        self._try(Rng(0), 0)  # what is compiled now is not on the clock of the first move
        self._lead_on(Rng(0), 0)

    @property
    def exact(self) -> bool:
        """Whether all states that agree with what was seen were followed, so that nothing is left to luck but the draw."""
        return self._pool.exact and self._pool.size > 0

    @property
    def poor(self) -> bool:
        """Whether few states are left of many in a game without chance, where few would have been followed exactly."""
        return self._tracks and not self._pool.exact and 0 < self._pool.size < _LITTLE

    def draw(self, info: InformationSet, count: int, rng: Rng, calls: int = UNLIMITED) -> Draw:
        """Look for more states, until the pool is full or too many tries were in vain."""
        aim, until, self._worked = self._aim, perf_counter() + _SLICE if self.clocked else inf, 0
        self._listen(info, rng, calls)
        before = aim.calls
        aim.call_limit = before + calls
        while True:
            done = self._led(rng) if self._leading else self._tried(count, rng)
            present = aim.present
            if done and not aim.found:
                self._go_back(rng)
            elif done and not present:
                self._keep()
                self._begin(rng)
            elif done or (aim.call_limit <= aim.calls and aim.ply > 0) or self._late(until):
                there = self.room if self._pool.weighted else aim.found
                again = done and self._given >= there
                if again:
                    self._given = 0  # whoever asks for more than there are gets the same ones again
                # What is found at once after a long way back is held back until there is some variety in it.
                enough = (aim.tries > _LOOK and aim.found >= self._least) or aim.call_limit <= aim.calls
                ready = done or (enough and not self._leading)
                states = self._hand_out(count, rng) if present and ready else []
                endless = not self._pool.weighted and aim.found < self.room and self._tries_left() > 0
                return Draw(states, aim.calls - before, more=(self._given < there or not done or endless) and not again)
            else:
                self._work(rng)

    def _late(self, until: float) -> bool:
        """Whether a piece of work is done."""
        return perf_counter() > until if self.clocked else self._worked >= _PIECE

    def _work(self, rng: Rng) -> None:
        """Do so much that it is time to look at the budget."""
        started, before = perf_counter(), self._aim.calls
        # However long batches are, one ends where something is decided: what is drawn does not depend on the clock.
        if self._leading:
            done = self._lead_on(rng, min(self._batch, self._allowance()))
        else:
            done = self._try(rng, min(self._batch, self._tries_left(), self._look - self._aim.tries))
        cost = max(1, done + self._aim.calls - before)
        self._worked += cost
        whole, spent = (_BATCH, max(perf_counter() - started, 1e-9)) if self.clocked else (_PART, cost)
        self._batch = max(1, min(int(whole * max(1, done) / spent), 4 * self._batch))

    # Tries

    def _try(self, rng: Rng, tries: int) -> int:
        return replay(self.bridge.table, self._aim, rng, tries)

    def _tried(self, count: int, rng: Rng) -> bool:
        """Whether there have been enough tries; where they go badly, states are led on instead."""
        aim, pool = self._aim, self._pool
        if pool.exact:  # the beginning
            if aim.found:
                self._finish(exact=True)
            return aim.tries > 0
        aim.wanted = min(max(self._given + count if aim.present else 0, self._least), self.room)
        if aim.tries == self._look:
            self._look = UNLIMITED  # to judge again, when something may have been handed out, would be up to the clock
            if aim.ply > 0 and aim.found * _POOR < aim.tries:
                self._poor = True
                self._begin(rng)
                return False
        return aim.found >= aim.wanted or self._tries_left() <= 0

    def _tries_left(self) -> int:
        aim = self._aim
        if self._pool.exact:
            return 1 - aim.tries
        if self.pools.kept and aim.found < max(1, self._least):
            return min(VAIN * (_FEW + self.pools.kept[0].size), self.tries * _FEW) - aim.tries
        return self.tries * (_FEW + aim.found) - aim.tries

    # Leading on

    def _start(self, rng: Rng, each: int, wanted: int) -> None:
        """Begin to lead the newest pool a ply on; states have their turn in no order."""
        lead, source, aim = self._lead, self.pools.kept[0], self._aim
        lead.source, lead.states, lead.each = self.pools.first(source), source.size, each
        lead.led = lead.way = lead.hits = 0
        lead.cut = False
        self._tried_each = each
        lead.start = rng.below(source.size)
        lead.stride = 1 + rng.below(source.size)
        while gcd(lead.stride, source.size) != 1:
            lead.stride = 1 + rng.below(source.size)
        aim.found, aim.wanted = 0, wanted
        aim.fill(slots=zeros(i64, _slots(wanted) if self._merges else 0))

    def _lead_on(self, rng: Rng, steps: int) -> int:
        return lead_on(self.bridge.table, self._aim, self._lead, rng, steps)

    def _allowance(self) -> int:
        """How many forward calls are left for following all states."""
        return self._means - self._aim.calls if self._tracking else UNLIMITED

    def _led(self, rng: Rng) -> bool:
        """Whether all states were led on, or as many as there is room for."""
        aim, lead = self._aim, self._lead
        full = aim.found >= aim.wanted and lead.led < lead.states
        if lead.led < lead.states and not full and self._allowance() > 0:
            return False
        exact = self._tracking and lead.led == lead.states and not lead.cut
        if self._tracking and not exact:
            self._lost = aim.ply
            self._begin(rng)
            return False
        if lead.cut and not full and self._meagre():
            return self._lead_again(rng)
        if aim.found and not self._pool.size:
            self._finish(exact=exact)
        return True

    def _meagre(self) -> bool:
        """Whether so little was found that it may be worth to try more joint moves."""
        aim, lead = self._aim, self._lead
        if not lead.chance:
            return 4 * aim.found < aim.wanted and lead.each < WAYS
        enough = lead.hits >= min(_BETWEEN, aim.wanted) or lead.hits >= _MORE * max(1, aim.found)
        return not enough and self._tried_each * lead.states < VAIN * (_FEW + lead.states)

    def _lead_again(self, rng: Rng) -> bool:
        """Lead the states on by more joint moves; where there is chance, this adds to what was found."""
        aim, lead = self._aim, self._lead
        if not lead.chance:
            self._start(rng, lead.each * _MORE, aim.wanted)
        else:
            lead.led, lead.each = 0, 2 * lead.each
            self._tried_each += lead.each
        return False

    # What was seen

    def _listen(self, info: InformationSet, rng: Rng, calls: int) -> None:
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
        # Kernels look at copies: what a bundle leads to cannot become longer.
        self._story.fill(
            shown=bytes(self._seen), ends=self._ends[:], played=self._played[:], legal=array("Q", info.legal)
        )
        if not isinstance(self.game, TableGame):
            self.pools.renumber()
        kept = self.pools.kept
        self._least, self._fresh, self._again = 0, not kept, max(_AGAIN, _ENOUGH // self.room)
        self._poor, self._came_from = False, max(self.pools.last, 0)
        self._means = self._aim.calls + min(_WORK, _TOUCHED // self.bridge.table.state_size, calls // 4)
        self._begin(rng)

    def _forget(self) -> None:
        self._seen, self._ends, self._played = bytearray(), array("q", [0]), array("Q")
        self.pools.kept, self._pool = [], Pool(0, 0)
        self._aim.found = self._given = self._least = self._means = self._came_from = self._again = 0
        self._leading = self._tracking = self._poor = self._fresh = False
        self._lost, self._look = -1, _LOOK
        self._between = min(_BETWEEN, self.room)

    # Pools

    def _begin(self, rng: Rng) -> None:
        """Aim at the present, or at a ply on the way if that is far or nothing shall be lost on it."""
        present, last, newest = len(self._ends) - 2, self.pools.last, next(iter(self.pools.kept), None)
        far = present - max(last, 0) > _NEAR
        self._tracking = newest is not None and newest.exact and last + 1 != self._lost
        self._leading = newest is not None and (self._tracking or far or self._poor)
        exact = newest is None and self._tracks
        ply = last + 1 if self._leading or self._poor or exact or far else present
        self._pool = self.pools.free(ply)
        self._pool.exact = exact
        self._given, self._look = 0, _LOOK
        if ply < present:
            self._least = self._between
        elif self._least:
            self._least = min(self._between, _BETWEEN)
        aim = self._aim
        aim.ply, aim.present, aim.first = ply, ply == present, self.pools.first(self._pool)
        aim.found = aim.tries = 0
        aim.wanted = 1
        aim.fill(levels=self.pools.levels())
        if newest is not None and self._leading:
            wanted = self._between if far and not self._tracking else min(self.room, _TRACKED)
            tries = _BETWEEN if self._lead.chance else 2 * wanted
            self._start(rng, 0 if self._tracking else max(_OFTEN, tries // newest.size), wanted)

    def _finish(self, *, exact: bool) -> None:
        """Weigh what was led on."""
        pool = self._pool
        pool.size, pool.exact, pool.weighted = self._aim.found, exact, True
        if self._aim.ply == 0:
            self.pools.weights[self._aim.first] = 1.0
        self.pools.weigh(pool)

    def _keep(self) -> None:
        """Put the states that were found to the pools of the past."""
        aim, pools = self._aim, self.pools
        if not self._leading and not self._pool.weighted and aim.found:
            if self._merges:
                aim.wanted = aim.found
                aim.fill(slots=zeros(i64, _slots(aim.found)))
                merge(self.bridge.table, aim)
            self._pool.size, self._pool.weighted = aim.found, self._merges
        if self._pool.size:
            pools.keep(self._pool)

    def _go_back(self, rng: Rng) -> None:
        """Drop a pool whose states are all wrong; from the beginning, larger pools may do what smaller ones did not."""
        if self._tracking or self._pool.exact:
            raise self.contradiction(f"none was found after {self._aim.ply} plies, where all were looked at")
        if self._fresh:
            self._again -= self._between == self.room
            if not self.pools.kept or not self._again:
                raise self.contradiction(f"none was found, however it was tried{self._advice()}", sure=False)
            self._between = min(4 * self._between, self.room)
        # Pools that were led up in vain have a common fault: the one that they come from.
        self.pools.kept = [pool for pool in self.pools.kept if pool.ply < self._came_from]
        self._came_from = max(self.pools.last, 0)
        self._fresh = not self.pools.kept
        self._begin(rng)

    def _advice(self) -> str:
        """Say who may find states where much is dealt at once, so that a deal that looks the same is too rare to be drawn."""
        for name, offered in (("redeal", self.game.offers.redeal), ("constraint", self.game.offers.hidden)):
            if offered is not None:
                return f" (it may be too rare for replay; this game deals anew what it hides for '{name}', or 'auto')"
        return ""

    def _hand_out(self, count: int, rng: Rng) -> list[State]:
        pool, first, begin = self._pool, self._aim.first, self._given
        if pool.weighted:
            self._given = min(begin + count, self.room)
            return [self.pools.drawn(pool, rng) for _ in range(begin, self._given)]
        self._given = min(begin + count, self._aim.found)
        return [self.pools.state(place) for place in range(first + begin, first + self._given)]


def _slots(room: int) -> int:
    """How many slots it takes to look up so many states."""
    return 1 << (2 * room - 1).bit_length()
