"""The functions of the game table, on top of the kernels that rules became."""

from __future__ import annotations

from typing import Any

from ludarium.kernel import Kernel, Stream, buffer, copy, draw, f64, i64, kernel, u8, u64, view
from ludarium.kernel.table import random_playout
from ludarium.ludii.memory.state import Layout


def table_functions(
    layout: Layout, Context: Any, given: dict[str, Any], most: int, *, stochastic: bool, repeats: bool
) -> dict[str, Kernel[Any]]:
    """The functions of the game table."""
    State: Any = layout.state
    players = layout.players
    together = layout.together
    swaps, hides, hide, size = layout.swaps, bool(layout.hides), given["hide"], layout.state.size
    list_moves, place_all = given["list_moves"], given["place_all"]
    apply_code, apply_joint = given.get("apply_code", list_moves), given.get("apply_joint", list_moves)
    arrive, prepare, sift = (given[k] for k in ("arrive", "prepare", "sift"))

    @kernel
    def seat_of(s: State, player: i64) -> i64:
        """The role that plays for a player."""
        if swaps:
            return i64(s.order[player]) - 1
        return player - 1

    @kernel
    def init(state: view[u8], rng: Stream, scratch: view[u8]) -> None:
        for k in range(len(state)):
            state[k] = 0
        s = State(state)
        c = Context(scratch)
        prepare(c)
        c.seed = u64(0)
        if stochastic:
            c.seed = draw(rng)
        s.mover = 1
        s.next = 2 if players > 1 else 1
        s.turns = 1
        s.counter = -1
        s.temp = -1
        s.last_from = -1
        s.last_to = -1
        s.after_from = -1
        s.after_to = -1
        s.seen_from = -1
        s.seen_to = -1
        s.turn_from = -1
        s.active = (1 << (players + 1)) - 2
        if swaps:
            for p in range(players + 1):
                s.order[p] = p
        place_all(state, c)
        arrive(state, c)

    @kernel
    def movers(state: view[u8], scratch: view[u8]) -> i64:
        s = State(state)
        if s.over == 1:
            return 0
        if together:
            return i64(s.active) >> 1
        return 1 << seat_of(s, s.mover)

    @kernel
    def keep_first(c: Context, out: buffer[u64]) -> None:
        """Keep each code once, in the order of the list."""
        size = 16
        while size < 2 * c.count:
            size *= 2
        for k in range(size):
            c.seen[k] = 0
        kept = 0
        for k in range(c.count):
            code = out[k]
            at = i64((code * u64(0x9E3779B97F4A7C15)) >> u64(32)) & (size - 1)
            while c.seen[at] != 0 and out[c.seen[at] - 1] != code:
                at = (at + 1) & (size - 1)
            if c.seen[at] == 0:
                out[kept] = code
                kept += 1
                c.seen[at] = kept
        c.count = kept

    @kernel
    def legal(state: view[u8], role: i64, out: buffer[u64], scratch: view[u8]) -> i64:
        count = i64(legal_repeated(state, role, out, scratch))
        if repeats and count > 1:
            c = Context(scratch)
            keep_first(c, out)
            return i64(c.count)
        return count

    @kernel
    def legal_repeated(state: view[u8], role: i64, out: buffer[u64], scratch: view[u8]) -> i64:
        """List the moves as often as rules make them."""
        s = State(state)
        if together:
            if s.over == 1 or (s.active >> (role + 1)) & 1 == 0:
                return 0
        elif s.over == 1 or seat_of(s, s.mover) != role:
            return 0
        c = Context(scratch)
        prepare(c)
        if together:
            c.chooser = role + 1
        list_moves(state, c, out)
        sift(state, c, out)
        if c.count == 0:
            out[0] = u64(0)
            return 1
        return i64(c.count)

    @kernel
    def apply(state: view[u8], joint: view[u64], rng: Stream, scratch: view[u8]) -> None:
        s = State(state)
        c = Context(scratch)
        prepare(c)
        if stochastic:
            c.seed = draw(rng)
        if together:
            apply_joint(state, c, joint)
        else:
            apply_code(state, c, joint[seat_of(s, s.mover)])
        arrive(state, c)

    @kernel
    def utilities(state: view[u8], out: view[f64], scratch: view[u8]) -> None:
        s = State(state)
        for p in range(1, players + 1):
            worth = 0.5
            if s.over == 1:
                if players == 1:
                    worth = f64(s.rank2[1]) / 2.0
                else:
                    worth = 1.0 - (f64(s.rank2[p]) / 2.0 - 1.0) / f64(players - 1)
            out[seat_of(s, p)] = worth

    @kernel
    def observe(state: view[u8], role: i64, out: buffer[u8], scratch: view[u8]) -> i64:
        copy(out, state)
        if hides:
            s = State(state)
            for p in range(1, players + 1):
                if seat_of(s, p) == role:
                    hide(out[0:size], p)
        return len(state)

    made: list[Kernel[Any]] = [init, movers, legal, legal_repeated, apply, utilities, observe]
    if layout.in_match:
        made.append(_worth_function(layout, Context, given))
    named = {each.name: each for each in made}
    return {**named, "playout": given["playout"] if "playout" in given else random_playout(named, players, most)}


def _worth_function(layout: Layout, Context: Any, given: dict[str, Any]) -> Kernel[Any]:
    """The function that says what a game that is over is worth to a player in a match."""
    State: Any = layout.state
    players, worth_of_game, prepare = layout.players, given["worth_of_game"], given["prepare"]
    rated = layout.model.within is not None and layout.model.within.worth is not None

    @kernel
    def worth(state: view[u8], player: i64, scratch: view[u8]) -> i64:
        s = State(state)
        won = (i64(s.won) >> player) & 1
        if rated and won == 1:
            c = Context(scratch)
            prepare(c)
            return i64(worth_of_game(state, c))
        if players == 2:
            return 2 - i64(s.rank2[player]) // 2
        if players == 1:
            return 1 if s.rank2[player] == 2 else 0
        return won

    return worth
