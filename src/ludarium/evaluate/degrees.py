"""How far a state is from the end and from the goals: formulas worked out in degrees of truth.

Schiffel and Thielscher, "Fluxplayer: a successful general game player" (2007). A fact that holds counts as `p`, one that does
not as 1 - p; conjunctions are Yager's t-norm with exponent q, kept above a half if all parts are more true than false, and
disjunctions its dual. So a formula holds exactly if its degree is above a half, and the less is missing, the higher it is.
Unlike there, a fact that does not hold is the truer the fewer steps of play can bring it about (Michulke and Schiffel, "Distance
features for general game playing", 2012).
"""

from __future__ import annotations

import struct
from array import array
from typing import Any

from ludarium.core.hints import Formulas
from ludarium.kernel import Record, exp, f64, i32, i64, kernel, log, recast, u8, u64, view

SWEEPS = 8
"""How often formulas that depend on each other are worked out, at most."""

MOST_FALSE = 0.495
"""The degree of a disjunction of false parts, at most."""


class Net(Record):
    """The sizes of the tables of formulas, and where they begin, in bytes from this record on."""

    facts: i64
    gates: i64
    loops: i64
    goals: i64
    terminal: i64
    power: i64
    truth: f64
    bits_at: i64
    starts_at: i64
    inputs_at: i64
    loops_at: i64
    goals_at: i64
    worth_at: i64
    ranks_at: i64
    masks_at: i64
    degrees_at: i64
    end: i64


class Mask(Record):
    """Bits of a word of the state that are so many steps away from a fact."""

    bits: u64
    word: i64
    steps: i64


@kernel
def raised(x: f64, power: i64) -> f64:
    """Raise a number to a whole power."""
    result = 1.0
    factor = x
    left = power
    while left > 0:
        if left & 1 == 1:
            result *= factor
        factor *= factor
        left >>= 1
    return result


@kernel
def put(degrees: view[f64], node: i64, degree: f64, power: i64) -> None:
    """Note a degree, and what it counts for in disjunctions and in conjunctions."""
    degrees[3 * node] = degree
    degrees[3 * node + 1] = raised(degree, power)
    degrees[3 * node + 2] = raised(1.0 - degree, power)


@kernel
def degree_of(degrees: view[f64], literal: i64) -> f64:
    """The degree of a literal."""
    degree = degrees[3 * (literal >> 1)]
    return 1.0 - degree if literal & 1 == 1 else degree


@kernel
def either(a: f64, b: f64, net: Net) -> f64:
    """The degree of a disjunction of two."""
    degree = min(1.0, exp(log(raised(a, net.power) + raised(b, net.power)) / f64(net.power)))
    return min(degree, MOST_FALSE) if a <= 0.5 and b <= 0.5 else degree


@kernel
def gate_degree(net: Net, degrees: view[f64], inputs: view[i32], first: i64, end: i64, all_of: i64) -> f64:
    """The degree of a gate, from those of its inputs; a conjunction is what is left of the disjunction of denials."""
    total = 0.0
    alike = True  # all inputs hold, for a conjunction; none holds, for a disjunction
    for k in range(first, end):
        literal = i64(inputs[k])
        node = 3 * (literal >> 1)
        turned = (literal & 1) ^ all_of
        total += degrees[node + 1 + turned]
        below = degrees[node] <= 0.5
        if below == (turned == 1):
            alike = False
    degree = min(1.0, exp(log(total) / f64(net.power)))
    if alike:
        degree = min(degree, MOST_FALSE)
    return 1.0 - degree if all_of == 1 else degree


@kernel
def work_out_facts(net: Net, memory: view[u8], words: view[u64], degrees: view[f64]) -> None:
    """Give every fact its degree: a fact that does not hold is the truer, the nearer it is."""
    bits = recast(i32, memory[net.bits_at : net.starts_at])
    ranks = recast(i32, memory[net.ranks_at : net.masks_at])
    masks = recast(Mask, memory[net.masks_at : net.degrees_at])
    for k in range(net.facts):
        bit = i64(bits[k])
        degree = net.truth
        if (words[bit >> 6] >> (bit & 63)) & 1 == 0:
            degree = 1.0 - net.truth
            for m in range(ranks[k], ranks[k + 1]):
                if words[masks[m].word] & masks[m].bits != 0:
                    degree += (0.5 - degree) / f64(1 + masks[m].steps)
                    break
        put(degrees, 1 + k, degree, net.power)


@kernel
def work_out(memory: view[u8], words: view[u64], out: view[f64]) -> None:
    """Write how near each role is to its goals, from 0 to 1, into `out`; the words are those of the state."""
    net = Net(memory)
    degrees = recast(f64, memory[net.degrees_at : net.end])
    starts = recast(i32, memory[net.starts_at : net.inputs_at])
    inputs = recast(i32, memory[net.inputs_at : net.loops_at])
    loops = recast(i32, memory[net.loops_at : net.goals_at])
    work_out_facts(net, memory, words, degrees)
    loop = 0
    gate = 0
    offset = 1 + net.facts
    while gate < net.gates:
        first = gate
        end = gate + 1
        sweeps = 1
        if loop < net.loops and loops[2 * loop] == offset + gate:
            end = loops[2 * loop + 1] - offset
            sweeps = SWEEPS
            loop += 1
            for k in range(first, end):
                put(degrees, offset + k, 0.0, net.power)
        while sweeps > 0:
            sweeps -= 1
            change = 0.0
            for k in range(first, end):
                degree = gate_degree(net, degrees, inputs, starts[2 * k], starts[2 * k + 2], starts[2 * k + 1])
                change = max(change, abs(degree - degrees[3 * (offset + k)]))
                put(degrees, offset + k, degree, net.power)
            if change < 1e-6:
                break
        gate = end
    reward(net, memory, degrees, out)


@kernel
def reward(net: Net, memory: view[u8], degrees: view[f64], out: view[f64]) -> None:
    """Add up the goals, each as near as it is; to end the game is good with a goal, and bad without."""
    goals = recast(i32, memory[net.goals_at : net.worth_at])
    worth = recast(f64, memory[net.worth_at : net.ranks_at])
    ending = degree_of(degrees, net.terminal)
    for k in range(net.goals):
        near = degree_of(degrees, goals[2 * k + 1])
        if near > 0.5:
            near = either(near, ending, net)
        else:
            near = 1.0 - either(1.0 - near, ending, net)
        out[goals[2 * k]] += worth[k] * near


def tables(formulas: Formulas, roles: int, *, truth: float, power: int) -> bytes:
    """Lay formulas out as `work_out` reads them, with room for the degrees; goals of a role count 1 together."""
    starts, inputs = array("i"), array("i")
    for all_of, literals in formulas.gates:
        starts.extend((len(inputs), int(all_of)))
        inputs.extend(literals)
    starts.extend((len(inputs), 0))
    whole = [sum(value for role, value, _ in formulas.goals if role == each) or 1.0 for each in range(roles)]
    goals = array("i", [x for role, _, literal in formulas.goals for x in (role, literal)])
    worth = array("d", [value / whole[role] for role, value, _ in formulas.goals])
    ranks, masks = array("i", [0]), bytearray()
    for place in range(len(formulas.bits)):
        for steps, mask in enumerate(formulas.nearer[place] if formulas.nearer else (), 1):
            masks += b"".join(
                struct.pack("<Qqq", mask >> 64 * word & 2**64 - 1, word, steps)
                for word in range(-(-mask.bit_length() // 64))
                if mask >> 64 * word & 2**64 - 1
            )
        ranks.append(len(masks) // Mask.size)
    nodes = 1 + len(formulas.bits) + len(formulas.gates)
    degrees = array("d", bytes(8 * 3 * nodes))
    degrees[0], degrees[1], degrees[2] = 1.0, 1.0, 0.0
    net = Net()
    net.facts, net.gates, net.terminal = len(formulas.bits), len(formulas.gates), formulas.terminal
    net.loops, net.goals, net.truth, net.power = len(formulas.loops), len(formulas.goals), truth, power
    block = bytearray(Net.size)
    loops = array("i", [x for run in formulas.loops for x in run])
    parts: tuple[array[Any] | bytes, ...] = (
        array("i", formulas.bits),
        starts,
        inputs,
        loops,
        goals,
        worth,
        ranks,
        bytes(masks),
        degrees,
    )
    for name, part in zip(_PARTS, parts, strict=True):
        setattr(net, f"{name}_at", len(block))
        block += memoryview(part).tobytes()
        block += bytes(-len(block) % 8)
    net.end = len(block)
    block[: Net.size] = net.memory
    return bytes(block)


_PARTS = ("bits", "starts", "inputs", "loops", "goals", "worth", "ranks", "masks", "degrees")
