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

from ludarium.core.hints import Formulas
from ludarium.kernel import Bundle, Record, exp, f64, i32, i64, kernel, log, u64, view

SWEEPS = 8
"""How often formulas that depend on each other are worked out, at most."""

MOST_FALSE = 0.495
"""The degree of a disjunction of false parts, at most."""


class Mask(Record):
    """Bits of a word of the state that are so many steps away from a fact."""

    bits: u64
    word: i64
    steps: i64


class Net(Bundle):
    """Formulas, and room for their degrees: three numbers for the constant, for every fact and for every gate."""

    bits: view[i32]
    """Where facts stand in a state."""
    starts: view[i32]
    """Per gate where its inputs begin, and whether it is a conjunction; and where the last ends."""
    inputs: view[i32]
    loops: view[i32]
    """Gates that depend on each other: the first, and the one behind the last."""
    goals: view[i32]
    """Role and literal of every goal."""
    worth: view[f64]
    ranks: view[i32]
    """Per fact where its masks begin; and where the last ends."""
    masks: view[Mask]
    degrees: view[f64]
    terminal: i64


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
def either(a: f64, b: f64, power: i64) -> f64:
    """The degree of a disjunction of two."""
    degree = min(1.0, exp(log(raised(a, power) + raised(b, power)) / f64(power)))
    return min(degree, MOST_FALSE) if a <= 0.5 and b <= 0.5 else degree


@kernel
def gate_degree(net: Net, gate: i64, power: i64) -> f64:
    """The degree of a gate, from those of its inputs; a conjunction is what is left of the disjunction of denials."""
    degrees = net.degrees
    inputs = net.inputs
    all_of = i64(net.starts[2 * gate + 1])
    total = 0.0
    alike = True  # all inputs hold, for a conjunction; none holds, for a disjunction
    for k in range(net.starts[2 * gate], net.starts[2 * gate + 2]):
        literal = i64(inputs[k])
        node = 3 * (literal >> 1)
        turned = (literal & 1) ^ all_of
        total += degrees[node + 1 + turned]
        below = degrees[node] <= 0.5
        if below == (turned == 1):
            alike = False
    degree = min(1.0, exp(log(total) / f64(power)))
    if alike:
        degree = min(degree, MOST_FALSE)
    return 1.0 - degree if all_of == 1 else degree


@kernel
def work_out_facts(net: Net, words: view[u64], truth: f64, power: i64) -> None:
    """Give every fact its degree: a fact that does not hold is the truer, the nearer it is."""
    masks = net.masks
    for k in range(len(net.bits)):
        bit = i64(net.bits[k])
        degree = truth
        if (words[bit >> 6] >> (bit & 63)) & 1 == 0:
            degree = 1.0 - truth
            for m in range(net.ranks[k], net.ranks[k + 1]):
                if words[masks[m].word] & masks[m].bits != 0:
                    degree += (0.5 - degree) / f64(1 + masks[m].steps)
                    break
        put(net.degrees, 1 + k, degree, power)


@kernel
def work_out(net: Net, words: view[u64], truth: f64, power: i64, out: view[f64]) -> None:
    """Write how near each role is to its goals, from 0 to 1, into `out`; the words are those of the state.

    A fact that holds is as true as `truth` says; the higher `power` is, the nearer a conjunction comes to its least part.
    """
    degrees = net.degrees
    work_out_facts(net, words, truth, power)
    loop = 0
    gate = 0
    offset = 1 + len(net.bits)
    gates = len(net.starts) // 2 - 1
    while gate < gates:
        first = gate
        end = gate + 1
        sweeps = 1
        if 2 * loop < len(net.loops) and net.loops[2 * loop] == offset + gate:
            end = net.loops[2 * loop + 1] - offset
            sweeps = SWEEPS
            loop += 1
            for k in range(first, end):
                put(degrees, offset + k, 0.0, power)
        while sweeps > 0:
            sweeps -= 1
            change = 0.0
            for k in range(first, end):
                degree = gate_degree(net, k, power)
                change = max(change, abs(degree - degrees[3 * (offset + k)]))
                put(degrees, offset + k, degree, power)
            if change < 1e-6:
                break
        gate = end
    reward(net, power, out)


@kernel
def reward(net: Net, power: i64, out: view[f64]) -> None:
    """Add up the goals, each as near as it is; to end the game is good with a goal, and bad without."""
    ending = degree_of(net.degrees, net.terminal)
    for k in range(len(net.worth)):
        near = degree_of(net.degrees, net.goals[2 * k + 1])
        if near > 0.5:
            near = either(near, ending, power)
        else:
            near = 1.0 - either(1.0 - near, ending, power)
        out[net.goals[2 * k]] += net.worth[k] * near


def net_of(formulas: Formulas, roles: int) -> Net:
    """Lay formulas out as `work_out` reads them; goals of a role count 1 together."""
    starts, inputs = array("i"), array("i")
    for all_of, literals in formulas.gates:
        starts.extend((len(inputs), int(all_of)))
        inputs.extend(literals)
    starts.extend((len(inputs), 0))
    whole = [sum(value for role, value, _ in formulas.goals if role == each) or 1.0 for each in range(roles)]
    ranks, masks = array("i", [0]), bytearray()
    for place in range(len(formulas.bits)):
        for steps, mask in enumerate(formulas.nearer[place] if formulas.nearer else (), 1):
            masks += b"".join(
                struct.pack("<Qqq", mask >> 64 * word & 2**64 - 1, word, steps)
                for word in range(-(-mask.bit_length() // 64))
                if mask >> 64 * word & 2**64 - 1
            )
        ranks.append(len(masks) // Mask.size)
    degrees = array("d", bytes(8 * 3 * (1 + len(formulas.bits) + len(formulas.gates))))
    degrees[0], degrees[1], degrees[2] = 1.0, 1.0, 0.0
    return Net(
        bits=array("i", formulas.bits),
        starts=starts,
        inputs=inputs,
        loops=array("i", [x for run in formulas.loops for x in run]),
        goals=array("i", [x for role, _, literal in formulas.goals for x in (role, literal)]),
        worth=array("d", [value / whole[role] for role, value, _ in formulas.goals]),
        ranks=ranks,
        masks=masks,
        degrees=degrees,
        terminal=formulas.terminal,
    )


def size_of(formulas: Formulas) -> int:
    """The bytes that formulas take, about: what it takes to work them out grows with that."""
    bits, gates, inputs = len(formulas.bits), len(formulas.gates), sum(len(each) for _, each in formulas.gates)
    masks = sum(-(-mask.bit_length() // 64) for each in formulas.nearer for mask in each)
    return 32 * bits + 32 * gates + 4 * inputs + 16 * len(formulas.goals) + Mask.size * masks


NO_FORMULAS = Formulas(bits=(), gates=(), loops=(), goals=(), terminal=0)
