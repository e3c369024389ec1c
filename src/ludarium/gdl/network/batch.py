"""Sixty-four playouts at once: every gate is a word with a bit per playout, and all of them are worked out each turn.

Gates are taken level by level, and within a level by kind and number of inputs, so that the loops are long and even.
What depends on the state alone comes first (it tells the legal moves), then what depends on moves (it tells the next
state). Goals are worked out once, when all playouts have ended.
"""

from __future__ import annotations

from array import array as numbers
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from ludarium.gdl.network.layout import BASE, Layout
from ludarium.gdl.network.network import FALSE, TRUE, Network
from ludarium.kernel import (
    Kernel,
    Stream,
    array,
    below,
    ctz,
    data,
    f64,
    i32,
    i64,
    kernel,
    nth,
    popcount,
    recast,
    u8,
    u64,
    view,
)


@dataclass
class Batch:
    """The kernel that plays many playouts, and the bytes of work space that it needs."""

    kernel: Kernel[int]
    work: int


def make(net: Network, layout: Layout) -> Batch:
    """Make the batch kernel of a game; a game that remembers positions has none."""
    blocks = sum(-(-len(moves.gates) // 64) for moves in net.moves)
    return Batch(_kernel(_tables(net, layout)), 8 * (net.size + 1 + len(net.facts) + 65 * blocks))


def _tables(net: Network, layout: Layout) -> dict[str, Any]:
    inputs, size = len(net.facts) + len(net.does), net.size

    def literal(x: int) -> int:
        """False is a gate beyond the others, true its negation."""
        return 2 * size + 1 if x == TRUE else 2 * size if x == FALSE else x

    phases = _phases(net)
    levels = _levels(net)
    looped = {gate: k for k, (first, end) in enumerate(net.components) for gate in range(first, end)}
    runs: list[int] = []
    gates: list[int] = []
    literals: list[int] = []
    starts = [0]
    for phase in range(3):
        for (_, kind, count, _), members in sorted(_runs(net, phases, levels, looped, phase).items()):
            runs += [kind, count, len(gates), len(gates) + len(members), len(literals)]
            for gate in members:
                gates.append(gate)
                parts = [literal(x) for x in net.inputs[gate - inputs]]
                if kind == LOOP:  # gates of a loop differ: each says its kind and its number of inputs first
                    parts = [_kind(net, gate), len(parts), *parts]
                literals += parts
        starts.append(len(runs) // 5)
    groups: list[int] = []
    slots: list[int] = []
    does = {pair: len(net.facts) + k for k, pair in enumerate(net.does)}
    for moves in net.moves:
        groups += [moves.role, literal(moves.guard), len(slots) // 2, len(slots) // 2 + len(moves.gates)]
        for name, gate in zip(moves.names, moves.gates, strict=True):
            slots += [literal(gate), does[moves.role, name]]
    # The highest goal comes first: where several hold, it counts.
    goals = [x for r, g in enumerate(net.goals) for v, lit in sorted(g, reverse=True) for x in (r, v, literal(lit))]
    made = {
        "starts": starts,
        "runs": runs,
        "gates": gates,
        "literals": literals,
        "groups": groups,
        "slots": slots,
    }
    made |= {"goals": goals, "next": [literal(x) for x in net.next]}
    made["sizes"] = [len(net.facts), len(net.does), size, literal(net.terminal), layout.at[BASE]]
    return {name: data(f"batch_{name}", i32, numbers("i", values)) for name, values in made.items()}


def _phases(net: Network) -> list[int]:
    """0 for gates that depend on the state alone, 1 for those that depend on moves, 2 for what only goals need."""
    inputs = len(net.facts) + len(net.does)
    phase = [0] * len(net.facts) + [1] * len(net.does) + [0] * len(net.inputs)
    for gate in range(inputs, net.size):
        phase[gate] = max([0, *(phase[x >> 1] for x in net.inputs[gate - inputs])])
    for first, end in net.components:
        phase[first:end] = [max(phase[x >> 1] for g in range(first, end) for x in net.inputs[g - inputs])] * (
            end - first
        )
    for gate in range(inputs, net.size):  # again, for what loops feed
        phase[gate] = max([phase[gate], *(phase[x >> 1] for x in net.inputs[gate - inputs])])
    for gate in range(net.lazy, net.size):
        phase[gate] = 2
    return phase


ALL, ANY, LOOP = range(3)
REFILL = 16  # playouts that have ended are replaced by new ones when there are this many


def _kind(net: Network, gate: int) -> int:
    place = gate - len(net.facts) - len(net.does)
    return ANY if net.threshold[place] == 1 and len(net.inputs[place]) != 1 else ALL


def _levels(net: Network) -> list[int]:
    """How deep each gate lies; gates of a loop lie at one depth."""
    inputs = len(net.facts) + len(net.does)
    level = [0] * net.size
    ends = dict(net.components)
    gate = inputs
    while gate < net.size:
        end = ends.get(gate, gate + 1)
        below_ = (level[x >> 1] for g in range(gate, end) for x in net.inputs[g - inputs] if not gate <= x >> 1 < end)
        depth = 1 + max(below_, default=0)
        level[gate:end] = [depth] * (end - gate)
        gate = end
    return level


def _runs(
    net: Network, phases: list[int], levels: list[int], looped: dict[int, int], phase: int
) -> dict[tuple[int, int, int, int], list[int]]:
    """The gates of a phase by level, kind, number of inputs, and loop."""
    inputs = len(net.facts) + len(net.does)
    out: dict[tuple[int, int, int, int], list[int]] = defaultdict(list)
    for gate in range(inputs, net.size):
        if phases[gate] == phase:
            if gate in looped:
                out[levels[gate], LOOP, 0, looped[gate]].append(gate)
            else:
                out[levels[gate], _kind(net, gate), len(net.inputs[gate - inputs]), 0].append(gate)
    return out


def _kernel(tables: dict[str, Any]) -> Kernel[int]:
    starts, runs, gates, literals = (tables[k] for k in ("starts", "runs", "gates", "literals"))
    groups, slots, goals, following, sizes = (tables[k] for k in ("groups", "slots", "goals", "next", "sizes"))

    @kernel
    def value(w: view[u64], literal: i64) -> u64:
        """A literal in all playouts."""
        return w[literal >> 1] ^ (0 - u64(literal & 1))

    @kernel
    def work_out(w: view[u64], phase: i64) -> None:
        """Work out the gates of a phase."""
        for r in range(starts[phase], starts[phase + 1]):
            count = i64(runs[5 * r + 1])
            at = i64(runs[5 * r + 4])
            if runs[5 * r] == LOOP:
                work_out_loop(w, runs[5 * r + 2], runs[5 * r + 3], at)
            elif runs[5 * r] == ANY:
                for g in range(runs[5 * r + 2], runs[5 * r + 3]):
                    any_of = u64(0)
                    for k in range(count):
                        any_of |= value(w, literals[at + k])
                    w[gates[g]] = any_of
                    at += count
            else:
                for g in range(runs[5 * r + 2], runs[5 * r + 3]):
                    all_of = ~u64(0)
                    for k in range(count):
                        all_of &= value(w, literals[at + k])
                    w[gates[g]] = all_of
                    at += count

    @kernel
    def work_out_loop(w: view[u64], first: i64, end: i64, start: i64) -> None:
        """Work out gates that depend on each other: from nothing, until nothing is added."""
        for g in range(first, end):
            w[gates[g]] = 0
        changed = True
        while changed:
            changed = False
            at = start
            for g in range(first, end):
                is_any = literals[at] == ANY
                count = i64(literals[at + 1])
                now = u64(0) if is_any else ~u64(0)
                for k in range(count):
                    if is_any:
                        now |= value(w, literals[at + 2 + k])
                    else:
                        now &= value(w, literals[at + 2 + k])
                if now != w[gates[g]]:
                    w[gates[g]] = now
                    changed = True
                at += count + 2

    @kernel
    def transpose(m: view[u64]) -> None:
        """Turn 64 words of 64 bits over: bit j of word i becomes bit i of word j."""
        width = 32
        mask = u64(0x00000000FFFFFFFF)
        while width != 0:
            k = 0
            while k < 64:
                t = ((m[k] >> width) ^ m[k + width]) & mask
                m[k] ^= t << width
                m[k + width] ^= t
                k = (k + width + 1) & ~width
            width >>= 1
            mask ^= mask << width

    @kernel
    def choose(w: view[u64], masks: view[u64], active: u64, role: i64, rng: Stream) -> None:
        """Draw a move of a role in every active playout."""
        many = u64(0)  # playouts with more than one move, as far as that can be told cheaply
        seen = u64(0)
        for g in range(len(groups) >> 2):
            guard = value(w, groups[4 * g + 1]) & active
            if groups[4 * g] == role and guard != 0:
                some = u64(0)
                for k in range(groups[4 * g + 2], groups[4 * g + 3]):
                    some |= value(w, slots[2 * k])
                some &= guard
                many |= some & seen if groups[4 * g + 3] - groups[4 * g + 2] == 1 else some
                seen |= some
        assert active & ~seen == 0, "a role has no legal move"
        for g in range(len(groups) >> 2):
            if groups[4 * g] == role and groups[4 * g + 3] - groups[4 * g + 2] == 1:
                slot = i64(groups[4 * g + 2])
                guard = value(w, groups[4 * g + 1]) & active & ~many
                w[slots[2 * slot + 1]] |= value(w, slots[2 * slot]) & guard
        if many == 0:
            return
        blocks = 0
        for g in range(len(groups) >> 2):
            guard = value(w, groups[4 * g + 1]) & many
            if groups[4 * g] == role and guard != 0:
                first = i64(groups[4 * g + 2])
                end = i64(groups[4 * g + 3])
                while first < end:
                    some = u64(0)
                    block = masks[65 * blocks : 65 * blocks + 65]
                    for k in range(64):
                        block[k] = 0
                    for k in range(min(64, end - first)):
                        block[k] = value(w, slots[2 * (first + k)]) & guard
                        some |= block[k]
                    if some != 0:
                        transpose(block)
                        block[64] = u64(first)
                        blocks += 1
                    first += 64
        while many != 0:
            lane = ctz(many)
            many &= many - 1
            total = 0
            for k in range(blocks):
                total += popcount(masks[65 * k + lane])
            wanted = below(rng, total)
            k = 0
            while wanted >= popcount(masks[65 * k + lane]):
                wanted -= popcount(masks[65 * k + lane])
                k += 1
            found = nth(masks[65 * k + lane], wanted)
            w[slots[2 * (i64(masks[65 * k + 64]) + found) + 1]] |= u64(1) << lane

    @kernel
    def add_goals(w: view[u64], playing: u64, cut: u64, totals: view[f64]) -> None:
        """Add up the goals of all playouts; without one it is 0, or 0.5 where a playout was cut."""
        for role in range(len(totals)):
            left = playing
            for k in range(len(goals) // 3):
                if goals[3 * k] == role:
                    here = value(w, goals[3 * k + 2]) & left
                    totals[role] += f64(popcount(here)) * f64(goals[3 * k + 1]) / 100.0
                    left &= ~here
            totals[role] += 0.5 * f64(popcount(left & cut))

    @kernel
    def batch(
        state: view[u8], work: view[u8], rng: Stream, count: i64, limit: i64, roles: i64, totals: view[f64]
    ) -> i64:
        """Play random games from a state, add up what they were worth to each role, and count the turns."""
        w = recast(u64, work)
        base = recast(u64, state[sizes[4] : len(state)])
        facts = i64(sizes[0])
        moves = i64(sizes[1])
        size = i64(sizes[2])
        fresh = w[size + 1 : size + 1 + facts]
        masks = w[size + 1 + facts : len(w)]
        started = array(i64, 64)
        for k in range(size + 1):
            w[k] = 0
        turns = 0
        plies = 0
        left = count  # playouts that have not begun
        active = u64(0)
        ended = ~u64(0)  # lanes that are free, or hold a playout that waits for its goals to be worked out
        scored = u64(0)
        cut = u64(0)
        while True:
            if active == 0 or (left > 0 and popcount(ended) >= REFILL):
                if scored != 0:
                    work_out(w, 2)
                    add_goals(w, scored, cut, totals)
                    scored = u64(0)
                    cut = u64(0)
                new = u64(0)
                while ended != 0 and left > 0:
                    new |= ended & (0 - ended)
                    started[ctz(ended)] = turns
                    ended &= ended - 1
                    left -= 1
                active |= new
                if active == 0:
                    break
                for k in range(facts):
                    fact = 0 - ((base[k >> 6] >> (k & 63)) & 1)
                    w[k] = (w[k] & ~new) | (fact & new)
                work_out(w, 0)
            over = active & value(w, sizes[3])
            late = u64(0)
            if turns >= limit:
                for lane in range(64):
                    if turns - started[lane] >= limit:
                        late |= u64(1) << lane
            late &= active & ~over
            active &= ~(over | late)
            ended |= over | late
            scored |= over | late
            cut |= late
            if active != 0:
                for role in range(roles):
                    choose(w, masks, active, role, rng)
                work_out(w, 1)
                for k in range(facts):
                    fresh[k] = (value(w, following[k]) & active) | (w[k] & ~active)
                for k in range(facts):
                    w[k] = fresh[k]
                for k in range(facts, facts + moves):
                    w[k] = 0
                turns += 1
                plies += popcount(active)
                work_out(w, 0)
        return plies

    return batch
