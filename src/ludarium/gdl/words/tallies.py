"""Goals that take many gates, such as counts of pieces: only those are looked at that others which hold may turn on.

A count that adds square by square has a gate for every number that it may come to at every square, and one each holds. A
gate that needs all of its inputs waits for one of them, and one for any of its inputs for each, and holds as soon as one
does; what waits for nothing is always looked at. Gates are looked at in the order of their numbers, so all that they read
is known by then.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Any, NamedTuple

from ludarium.gdl.network.network import Network
from ludarium.kernel import Kernel, ctz, data, i32, i64, kernel, u32, u64, view

_ANY, _ALL, _WOKEN = range(3)
"""Gates for any of their inputs; for all; and for any, where what wakes them makes them hold."""


@dataclass
class Tally:
    """Gates of goals: numbers are those of facts, then of what else is read, then of these gates."""

    given: list[int]
    """The gates besides facts that are read."""

    number: dict[int, int]
    size: int
    literals: list[tuple[int, ...]]
    """What each gate reads; the first ones, which are given, read nothing."""

    every: list[bool]
    fan: dict[int, list[int]]
    """The gates that wait for a gate."""

    always: list[int]
    """Gates that wait for none."""


def tally(net: Network, wanted: Sequence[int]) -> Tally:
    """Take out the gates that only goals need."""
    first = len(net.facts) + len(net.does)
    read = [x >> 1 for literals in net.inputs[net.lazy - first :] for x in literals]
    read += [x >> 1 for x in wanted if x >= 0]
    given = sorted({gate for gate in read if first <= gate < net.lazy})
    gates = [*given, *range(net.lazy, net.size)]
    number = {fact: fact for fact in range(len(net.facts))}
    number |= {gate: len(net.facts) + place for place, gate in enumerate(gates)}
    found = Tally(given, number, len(number), [()] * (len(net.facts) + len(given)), [], defaultdict(list), [])
    found.every = [False] * len(found.literals)
    for gate in range(net.lazy, net.size):
        literals = tuple(2 * number[x >> 1] | x & 1 for x in net.inputs[gate - first])
        found.literals.append(literals)
        found.every.append(net.threshold[gate - first] != 1)
        _wait(found, number[gate], literals)
    return found


def _wait(found: Tally, gate: int, literals: Sequence[int]) -> None:
    """Note what a gate waits for: of all that it needs, what comes last, as that holds least often."""
    positive = [x >> 1 for x in literals if x & 1 == 0]
    if found.every[-1] and positive:
        found.fan[max(positive)].append(gate)
    elif len(positive) < len(literals):
        found.always.append(gate)
    else:
        for other in positive:
            found.fan[other].append(gate)


class Tables(NamedTuple):
    """The same as tables of kernels."""

    reads: Any
    reads_at: Any
    fan: Any
    fan_at: Any
    kinds: Any
    always: Any


def tables(found: Tally) -> Tables:
    """Make tables of gates."""
    waiting = [found.fan.get(gate, []) for gate in range(found.size)]
    kinds = [_ALL if every else _WOKEN for every in found.every]
    for gate in found.always:
        kinds[gate] = _ALL if found.every[gate] else _ANY
    return Tables(
        data("reads", i32, array("i", chain.from_iterable(found.literals))),
        data("reads_at", u32, _starts(found.literals)),
        data("waiting", i32, array("i", chain.from_iterable(waiting))),
        data("waiting_at", u32, _starts(waiting)),
        data("kinds", i32, array("i", kinds)),
        data("always", i32, array("i", found.always)),
    )


def counting(found: Tables) -> Kernel[None]:  # noqa: C901
    """Make the kernel that works these gates out, from the facts and gates that are given as bits."""
    reads, reads_at, fan, fan_at, kinds, always = found

    @kernel
    def holds(on: view[u64], x: i64) -> bool:
        """Whether a literal is true."""
        return (on[x >> 7] >> ((x >> 1) & 63)) & 1 != u64(x & 1)

    @kernel
    def wake(pending: view[u64], gate: i64) -> None:
        """Note the gates that wait for one."""
        for k in range(fan_at[gate], fan_at[gate + 1]):
            pending[fan[k] >> 6] |= u64(1) << (fan[k] & 63)

    @kernel
    def count_up(on: view[u64], pending: view[u64]) -> None:
        """Work out all gates from those that are given; nothing is pending at the beginning."""
        for word in range(len(on)):
            bits = on[word]
            while bits != 0:
                wake(pending, 64 * word + ctz(bits))
                bits &= bits - 1
        for k in range(len(always)):
            pending[always[k] >> 6] |= u64(1) << (always[k] & 63)
        for word in range(len(on)):
            while pending[word] != 0:
                gate = 64 * word + ctz(pending[word])
                pending[word] &= pending[word] - 1
                kind = kinds[gate]
                want = kind == _ALL
                k = i64(reads_at[gate])
                end = i64(reads_at[gate + 1])
                while kind != _WOKEN and k < end and holds(on, reads[k]) == want:
                    k += 1
                if kind == _WOKEN or (k == end) == want:
                    on[gate >> 6] |= u64(1) << (gate & 63)
                    wake(pending, gate)

    return count_up


def _starts(rows: Sequence[Sequence[int]]) -> array[int]:
    return array("I", accumulate(map(len, rows), initial=0))
