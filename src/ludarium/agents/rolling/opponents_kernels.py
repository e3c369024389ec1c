"""The models of opponents that are kernels: next to free for a search."""

from __future__ import annotations

from functools import cache

from ludarium.agents.search.actions import Actions, sampled
from ludarium.kernel import Bundle, Kernel, Stream, Table, below, buffer, copy, f64, fn, i64, kernel, u8, u64, view


class Stage(Bundle):
    """The state that a search has come to, and what it takes to move there: room, actions, what the model looks at."""

    actions: Actions
    state: view[u8]
    spare: view[u8]
    moves: buffer[u64]
    """Twice as many as a role can have: a model tries its own, and draws those of others."""
    joint: view[u64]
    tried: view[u64]
    """Joint moves that a model tries."""
    values: view[f64]
    modelling: Bundle
    """What the model of opponents looks at."""
    reserve: i64
    """The most forward calls that it takes the model to judge a state."""


class Model(Bundle):
    """What opponents do: `choose(table, stage, role, allowed, rng)` writes a move to `moves[0]`.

    It answers the forward calls it took, of so many that are allowed, and whether time is up and the search has to end.
    """

    choose: fn[[Table, Stage, i64, i64, Stream], tuple[i64, bool]]


@kernel
def random_model(table: Table, stage: Stage, role: i64, allowed: i64, rng: Stream) -> tuple[i64, bool]:
    """Draw an action."""
    sampled(table, stage.actions, stage.state, role, stage.moves, rng)
    return 0, False


class Passes(Bundle):
    """The moves that pass."""

    moves: view[u64]


@kernel
def nothing_model(table: Table, stage: Stage, role: i64, allowed: i64, rng: Stream) -> tuple[i64, bool]:
    """Pass if that is legal, else draw an action; the bundle lists the passing moves."""
    passes = Passes.of(stage.modelling).moves
    for k in range(len(passes)):
        if stage.actions.fits(table, stage.state, role, passes[k], stage.moves) != 0:
            stage.moves[0] = passes[k]
            return 0, False
    sampled(table, stage.actions, stage.state, role, stage.moves, rng)
    return 0, False


@cache
def osla_model(judge: Kernel[int]) -> Kernel[tuple[int, bool]]:
    """Make the model that looks one step ahead with a judge; the bundle is the judge's."""

    @kernel
    def osla(table: Table, stage: Stage, role: i64, allowed: i64, rng: Stream) -> tuple[i64, bool]:
        """Try each legal move once, in random order, as far as the calls go; others that move at once draw theirs."""
        moves = stage.moves
        joint = stage.tried
        acting = table.movers(stage.state)
        count: i64 = table.legal(stage.state, role, moves)
        assert count > 0, "a mover has no legal move"
        others = moves[table.max_moves : 2 * table.max_moves]
        calls = 0
        tried = 0
        best = -1.0
        chosen = moves[below(rng, count)]
        while tried < count and calls + stage.reserve < allowed and count > 1:
            place = tried + below(rng, count - tried)
            move = moves[place]
            moves[place] = moves[tried]
            moves[tried] = move
            for other in range(table.roles):
                joint[other] = 0
                if other != role and (acting >> other) & 1 == 1:
                    joint[other] = sampled(table, stage.actions, stage.state, other, others, rng)
            joint[role] = move
            copy(stage.spare, stage.state)
            table.apply(stage.spare, joint, rng)
            calls += 1 + judge(table, stage.spare, stage.values, stage.modelling, rng)
            if stage.values[role] > best:
                best = stage.values[role]
                chosen = move
            tried += 1
        moves[0] = chosen
        return calls, False

    return osla
