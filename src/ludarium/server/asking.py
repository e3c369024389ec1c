"""Asking agents about positions: once, or again and again with a growing budget, so that thoughts can be watched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ludarium.arena.position import Position, after
from ludarium.arena.seating import decided, seating_note, sit_down
from ludarium.catalog import agent
from ludarium.core import Decision, Game, InformationSet, Limit, Rng, Role
from ludarium.server.errors import Refused
from ludarium.server.matches.seats import plain
from ludarium.server.matches.thoughts import told

MOST_SECONDS, MOST_ITERATIONS = 120.0, 20_000_000
_FIRST_SECONDS, _FIRST_ITERATIONS = 0.05, 64


def limit(seconds: float | None, iterations: int | None) -> Limit:
    """Make a limit within what the server allows; 1000 iterations if nothing is said."""
    if seconds is None and iterations is None:
        iterations = 1000
    if seconds is not None and not 0 < seconds <= MOST_SECONDS:
        raise Refused(f"thinking takes up to {MOST_SECONDS:g} seconds, not {seconds:g}")
    if iterations is not None and not 0 < iterations <= MOST_ITERATIONS:
        raise Refused(f"thinking takes up to {MOST_ITERATIONS:,} iterations, not {iterations:,}")
    return Limit(seconds=seconds, iterations=iterations)


def position(game: Game, moves: str, seed: int = 0) -> Position:
    """Play moves from the beginning."""
    if len(moves) > 100_000:
        raise Refused("more moves than a match has")
    return after(game, moves, seed=seed)


def to_move(at: Position, name: str = "") -> Role:
    """Find the role that is asked for: by its name, or else the first that is to move."""
    game, movers = at.game, at.state.movers
    if not movers:
        raise Refused("the game is over: there is nothing to think about")
    if not name:
        return movers[0]
    if name not in game.roles:
        raise Refused(f"{game.name} has the roles {', '.join(game.roles)}, not '{name[:40]}'")
    if (role := game.roles.index(name)) not in movers:
        raise Refused(f"{name} is not to move; to move: {', '.join(game.roles[each] for each in movers)}")
    return role


def thought(info: InformationSet, spec: str, given: Limit, seed: int = 0) -> Decision:
    """Ask an agent what it would do."""
    asked = agent(plain(spec))
    player = sit_down(asked, info.game, info.role, Rng.keyed(seed, "asked", len(info.seen)))
    return decided(asked, player, info, given.start())


def growing(
    info: InformationSet, spec: str, given: Limit, *, stopped: Callable[[], bool] = lambda: False, seed: int = 0
) -> Iterator[dict[str, Any]]:
    """Ask again and again with twice the budget, up to the whole; each answer is told when it is there."""
    note = seating_note(agent(plain(spec)), info.game)
    for stage in _stages(given):
        if stopped():
            return
        made = thought(info, spec, stage, seed)
        yield {"agent": spec, "done": stage == given, "seat": note, **told(info.game, info.role, made, len(info.legal))}


def _stages(given: Limit) -> Iterator[Limit]:
    """Smaller budgets that double, then the whole."""
    seconds, iterations = given.seconds, given.iterations
    share = min(
        _FIRST_SECONDS / seconds if seconds else 1.0, _FIRST_ITERATIONS / iterations if iterations else 1.0, 1.0
    )
    while share < 0.7:
        yield Limit(
            seconds=None if seconds is None else seconds * share,
            iterations=None if iterations is None else max(1, int(iterations * share)),
        )
        share *= 2
    yield given
