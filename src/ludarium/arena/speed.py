"""How fast a game runs on this machine, in CPU time: loading, random playouts, and searches by an agent."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from time import process_time

from ludarium.core import Agent, Game, InformationSet, Limit, Rng
from ludarium.core.limits import limits
from ludarium.kernel import Stream, Table, bridge, i64, kernel, u8, view


@dataclass(frozen=True)
class Speed:
    """Work done, and the CPU time that it took."""

    count: int
    plies: int
    seconds: float

    @property
    def rate(self) -> float:
        """Pieces of work per second."""
        return self.count / self.seconds

    @property
    def plies_rate(self) -> float:
        """States made per second."""
        return self.plies / self.seconds


@kernel
def random_matches(table: Table, state: view[u8], rng: Stream, count: i64, limit: i64) -> i64:
    """Play whole matches at random, one after the other, and count their plies."""
    plies = 0
    for _ in range(count):
        table.init(state, rng)
        plies += table.playout(state, rng, limit)
    return plies


def load_seconds(make: Callable[[], Game]) -> tuple[float, float]:
    """Time making a game and its first state: with the cache as it is, and then with an empty one."""
    times = []
    before = os.environ.get("LUDARIUM_CACHE")
    with TemporaryDirectory() as empty:
        try:
            for _ in range(2):
                started = process_time()
                make().initial(Rng(0))
                times.append(process_time() - started)
                os.environ["LUDARIUM_CACHE"] = empty
        finally:
            os.environ.pop("LUDARIUM_CACHE", None)
            if before is not None:
                os.environ["LUDARIUM_CACHE"] = before
    return times[0], times[1]


def playout_speed(game: Game, *, seconds: float = 1.0, seed: int = 0) -> Speed:
    """Play random matches from the beginning for this long."""
    rng, reached = Rng(seed), bridge(game)
    beginning = game.initial(rng)
    _wait_for_the_best_code(game)
    limit = game.traits.max_plies or limits().moves
    count = plies = 0
    batch = 1
    started = process_time()
    while (elapsed := process_time() - started) < seconds:
        if count:
            batch = max(1, min(2 * batch, int(count / elapsed * 0.05) if elapsed else 2 * batch))
        state = bytearray(reached.block(beginning))
        plies += random_matches(reached.table, state, rng, batch, limit)
        count += batch
    return Speed(count, plies, elapsed)


def search_speed(game: Game, agent: Agent, *, seconds: float = 1.0, seed: int = 0) -> Speed:
    """Let an agent think about the beginning for this long; iterations are what is counted."""
    rng = Rng(seed)
    state = game.initial(rng)
    role = state.movers[0]
    info = InformationSet(
        game=game,
        role=role,
        legal=tuple(state.legal(role)),
        seen=(state.observe(role),),
        state=state if game.traits.perfect_information else None,
    )
    player = agent.seat(game, role, rng.split())
    player.choose(info, Limit(iterations=1).start())  # compiles the search
    _wait_for_the_best_code(game)
    started = process_time()
    decision = player.choose(info, Limit(seconds=seconds).start())
    return Speed(decision.iterations, decision.forward_calls, process_time() - started)


def _wait_for_the_best_code(game: Game) -> None:
    """A game may run before its kernels are optimised, and they are soon."""
    unit = getattr(bridge(game), "unit", None)
    if unit is not None:
        unit.finish()
