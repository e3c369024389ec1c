"""How changes run through the network: only what changes is worked out, and the values lie in the state itself.

A gate is on when its counter is not negative. When a gate changes, the counters of the gates that it feeds change by
one; those that thereby go on or off are pending. Pending gates are taken lowest first, and as gates are numbered
after what feeds them, each changes at most once.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludarium.gdl.network.layout import (
    BASE,
    COUNTERS,
    DIFF,
    GATES,
    LAZY,
    LEGAL,
    PAST,
    PENDING,
    SEEN,
    STACK,
    SUMMARY,
    Layout,
)
from ludarium.kernel import Kernel, Stream, copy, ctz, i16, i32, i64, kernel, recast, u8, u64, view


@dataclass(frozen=True)
class Gates:
    """The kernels that work the network out."""

    init: Kernel[None]
    settle: Kernel[None]
    holds: Kernel[bool]
    goals: Kernel[None]


def gates(layout: Layout) -> Gates:
    """Make the kernels for a network."""
    LOOPS = layout.loops
    at, start, initial = (layout.tables[k] for k in ("at", "start", "initial"))
    nodes, fan, pull = (layout.tables[k] for k in ("nodes", "fan", "pull"))
    feeders, lazy_start = layout.tables["feeders"], layout.tables["lazy_start"]
    lazy_at, lazy = layout.tables["lazy_at"], layout.tables["lazy"]
    inner_at, inner = layout.tables["inner_at"], layout.tables["inner"]
    fixed_bits, fixed_diff = layout.tables["fixed_bits"], layout.tables["fixed_diff"]
    components, component_of = layout.tables["components"], layout.tables["component_of"]

    @kernel
    def add(c: view[i16], bits: view[u64], summary: view[u64], gate: i64, delta: i64) -> None:
        """Change a counter, and note it if the gate goes on or off; without a branch, as either is as likely."""
        old = c[gate]
        new = old + delta
        c[gate] = new
        if LOOPS:
            if gate >= at[GATES]:
                first = components[2 * component_of[gate - at[GATES]]]
                bits[first >> 6] |= u64(1) << (first & 63)
                summary[first >> 12] |= u64(1) << ((first >> 6) & 63)
                return
        flip = u64(old ^ new) >> 63
        bits[gate >> 6] ^= flip << (gate & 63)
        summary[gate >> 12] |= flip << ((gate >> 6) & 63)

    @kernel
    def fire(c: view[i16], bits: view[u64], summary: view[u64], gate: i64, on: bool) -> None:
        """Pass on that a gate has changed."""
        step = 1 if on else -1
        middle = i64(nodes[4 * gate + 1])
        for k in range(nodes[4 * gate], middle):
            fed = i64(fan[k])
            add(c, bits, summary, fed >> 1, step - 2 * step * (fed & 1))
        for k in range(middle, nodes[4 * gate + 2]):
            bit = i64(fan[k])
            bits[bit >> 6] ^= u64(1) << (bit & 63)
            summary[bit >> 12] |= u64(1) << ((bit >> 6) & 63)

    @kernel
    def settle(state: view[u8]) -> None:
        """Work out all pending gates, lowest first."""
        c = recast(i16, state[at[COUNTERS] : at[STACK]])
        bits = recast(u64, state[at[PENDING] : at[SUMMARY]])
        summary = recast(u64, state[at[SUMMARY] : at[SEEN]])
        words = (at[LEGAL] - at[PENDING]) >> 3
        for block in range((words + 63) >> 6):
            while summary[block] != 0:
                word = 64 * block + ctz(summary[block])
                summary[block] &= summary[block] - 1
                if word < words:
                    while bits[word] != 0:
                        gate = 64 * word + ctz(bits[word])
                        bits[word] &= bits[word] - 1
                        if LOOPS:
                            if loop_at(gate) >= 0:
                                work_out(state, c, bits, summary, loop_at(gate))
                                continue
                        k = i64(nodes[4 * gate + 3])
                        if k != 0:
                            now = True
                            while pull[k] >= 0 and now:
                                now = (c[pull[k] >> 1] >= 0) == (pull[k] & 1 == 0)
                                k += 1
                            if now == (c[gate] >= 0):
                                continue
                            c[gate] = 0 if now else -1
                        fire(c, bits, summary, gate, c[gate] >= 0)

    @kernel
    def loop_at(gate: i64) -> i64:
        """The component that begins with a gate, or -1."""
        low = 0
        high = len(components) >> 1
        while low < high:
            middle = (low + high) >> 1
            if components[2 * middle] < gate:
                low = middle + 1
            else:
                high = middle
        if 2 * low < len(components) and components[2 * low] == gate:
            return low
        return -1

    @kernel
    def port(component: i64) -> i64:
        """Where the outside counters of a component begin."""
        total = i64(at[GATES])
        for k in range(component):
            total += components[2 * k + 1] - components[2 * k]
        return total

    @kernel
    def fixed_point(c: view[i16], work: view[i32], component: i64) -> None:
        """Find the least fixed point of gates that depend on each other, from what feeds them from outside."""
        first = i64(components[2 * component])
        size = components[2 * component + 1] - first
        ports = port(component)
        top = size
        for k in range(size):
            c[first + k] = c[ports + k]
            if c[first + k] >= 0:
                work[top] = first + k
                top += 1
        while top > size:
            top -= 1
            gate = i64(work[top])
            for e in range(inner_at[gate], inner_at[gate + 1]):
                fed = i64(inner[e])
                c[fed] += 1
                if c[fed] == 0:
                    work[top] = fed
                    top += 1

    @kernel
    def work_out(state: view[u8], c: view[i16], bits: view[u64], summary: view[u64], component: i64) -> None:
        """Work out a component anew, and pass on what changed."""
        first = i64(components[2 * component])
        size = components[2 * component + 1] - first
        work = recast(i32, state[at[STACK] : at[PAST]])
        for k in range(size):
            work[k] = 1 if c[first + k] >= 0 else 0
        fixed_point(c, work, component)
        for k in range(size):
            now = c[first + k] >= 0
            if (work[k] == 1) != now:
                fire(c, bits, summary, first + k, now)

    @kernel
    def holds(c: view[i16], literal: i64) -> bool:
        """Whether a literal is true now."""
        if literal < 0:
            return literal == -1
        return (c[literal >> 1] >= 0) == (literal & 1 == 0)

    @kernel
    def start_bits(state: view[u8]) -> None:
        """Bits as they are while every gate is off: moves that are always possible, facts that come by themselves."""
        legal_bits = recast(u64, state[at[LEGAL] : at[DIFF]])
        diff = recast(u64, state[at[DIFF] : at[SUMMARY]])
        for k in range(len(fixed_bits)):
            place = i64(fixed_bits[k])
            legal_bits[place >> 6] ^= u64(1) << (place & 63)
        for k in range(len(fixed_diff)):
            place = i64(fixed_diff[k])
            diff[place >> 6] ^= u64(1) << (place & 63)

    @kernel
    def enter(state: view[u8], c: view[i16], gate: i64) -> None:
        """Count a gate's first value with the gates that it feeds."""
        on = c[gate] >= 0
        middle = i64(nodes[4 * gate + 1])
        for k in range(nodes[4 * gate], middle):
            if (fan[k] & 1 == 0) == on:
                c[fan[k] >> 1] += 1
        if on:
            bits = recast(u64, state[at[PENDING] : at[SUMMARY]])
            for k in range(middle, nodes[4 * gate + 2]):
                if fan[k] >= 8 * (at[LEGAL] - at[PENDING]):
                    bits[fan[k] >> 6] ^= u64(1) << (fan[k] & 63)

    @kernel
    def table_init(state: view[u8], rng: Stream) -> None:
        """Begin with the counters of an empty state, and work everything out once, lowest gate first."""
        for k in range(len(state)):
            state[k] = 0
        c = recast(i16, state[at[COUNTERS] : at[STACK]])
        for k in range(len(start)):
            c[k] = start[k]
        base = recast(u64, state[at[BASE] : at[PENDING]])
        diff = recast(u64, state[at[DIFF] : at[SUMMARY]])
        for k in range(len(initial)):
            fact = i64(initial[k])
            base[fact >> 6] |= u64(1) << (fact & 63)
            diff[fact >> 6] ^= u64(1) << (fact & 63)
            c[fact] = 0
        start_bits(state)
        # A gate that is off counts for those it feeds negatively; a gate that is on has more to say.
        component = 0
        gate = 0
        while gate < at[LAZY]:
            if LOOPS:
                if 2 * component < len(components) and gate == components[2 * component]:
                    fixed_point(c, recast(i32, state[at[STACK] : at[PAST]]), component)
                    end = i64(components[2 * component + 1])
                    while gate < end:
                        enter(state, c, gate)
                        gate += 1
                    component += 1
                    continue
            enter(state, c, gate)
            gate += 1

    @kernel
    def work_out_goals(state: view[u8], c: view[i16]) -> None:
        """Work out the gates that only goals need, from what they are while everything is off."""
        pending = recast(u64, state[at[PENDING] : at[SUMMARY]])
        summary = recast(u64, state[at[SUMMARY] : at[SEEN]])
        copy(c[at[LAZY] : at[GATES]], lazy_start)
        for k in range(len(feeders)):
            if c[feeders[k]] >= 0:
                for e in range(lazy_at[2 * k], lazy_at[2 * k + 1]):
                    add(c, pending, summary, lazy[e], 1)
                for e in range(lazy_at[2 * k + 1], lazy_at[2 * k + 2]):
                    add(c, pending, summary, lazy[e], -1)
        settle(state)

    return Gates(table_init, settle, holds, work_out_goals)
