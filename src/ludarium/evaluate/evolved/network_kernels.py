"""Working networks out: one kernel for all shapes, over flat arrays."""

from __future__ import annotations

from ludarium.kernel import Bundle, Record, exp, f64, i32, i64, kernel, log, sin, tanh, view

ACTIVATIONS = (
    "sigmoid", "tanh", "sin", "gauss", "relu", "elu", "lelu", "selu", "softplus", "identity", "clamped", "inv", "log",
    "exp", "abs", "hat", "square", "cube",
)  # fmt: skip
"""What can be made of a sum: all that neat-python has, in its order."""

AGGREGATIONS = ("sum", "product", "max", "min", "maxabs", "median", "mean")
"""How the numbers that come in over links are put together."""

_LAMBDA = 1.0507009873554804934193349852946
_ALPHA = 1.6732632423543772848170429916717


class Unit(Record):
    """A node: what it makes of its links, which stand from `first` on."""

    bias: f64
    response: f64
    first: i64
    end: i64
    activation: i64
    aggregation: i64


class Networks(Bundle):
    """Networks one after the other, and room to work one of them out."""

    begins: view[i64]
    """Per network its first node; and where the last ends."""
    units: view[Unit]
    sources: view[i32]
    weights: view[f64]
    values: view[f64]
    """The inputs, then what each node gives."""
    inputs: i64


@kernel
def limited(x: f64, most: f64) -> f64:
    """Keep a number between two limits."""
    return max(-most, min(most, x))


@kernel
def activated(function: i64, z: f64) -> f64:
    """Make of a sum what a node gives."""
    match function:
        case 0:
            return 1.0 / (1.0 + exp(-limited(5.0 * z, 60.0)))
        case 1:
            return tanh(limited(2.5 * z, 60.0))
        case 2:
            return sin(limited(5.0 * z, 60.0))
        case 3:
            z = limited(z, 3.4)
            return exp(-5.0 * z * z)
        case 4:
            return z if z > 0.0 else 0.0
        case 5:
            return z if z > 0.0 else exp(z) - 1.0
        case 6:
            return z if z > 0.0 else 0.005 * z
        case 7:
            return _LAMBDA * z if z > 0.0 else _LAMBDA * _ALPHA * (exp(z) - 1.0)
        case 8:
            return 0.2 * log(1.0 + exp(limited(5.0 * z, 60.0)))
        case 9:
            return z
        case 10:
            return limited(z, 1.0)
        case 11:
            return 1.0 / z if z != 0.0 else 0.0
        case 12:
            return log(max(1e-7, z))
        case 13:
            return exp(limited(z, 60.0))
        case 14:
            return abs(z)
        case 15:
            return max(0.0, 1.0 - abs(z))
        case 16:
            return z * z
        case _:
            return z * z * z


@kernel
def summed(sources: view[i32], weights: view[f64], values: view[f64]) -> f64:
    """Add up what comes in over links; four sums at once, as one would wait for itself."""
    count = len(sources)
    whole = count - (count & 3)
    a = 0.0
    b = 0.0
    c = 0.0
    d = 0.0
    for k in range(0, whole, 4):
        a += values[sources[k]] * weights[k]
        b += values[sources[k + 1]] * weights[k + 1]
        c += values[sources[k + 2]] * weights[k + 2]
        d += values[sources[k + 3]] * weights[k + 3]
    for k in range(whole, count):
        a += values[sources[k]] * weights[k]
    return (a + b) + (c + d)


@kernel
def middle(sources: view[i32], weights: view[f64], values: view[f64]) -> f64:
    """Find the median by counting what is less: the mean of the two in the middle if their number is even."""
    count = len(sources)
    low = 0.0
    high = 0.0
    for k in range(count):
        mine = values[sources[k]] * weights[k]
        rank = 0
        for other in range(count):
            its = values[sources[other]] * weights[other]
            if its < mine or (its == mine and other < k):
                rank += 1
        if rank == (count - 1) // 2:
            low = mine
        if rank == count // 2:
            high = mine
    return low if low == high else (low + high) / 2.0


@kernel
def gathered(function: i64, sources: view[i32], weights: view[f64], values: view[f64]) -> f64:
    """Put together what comes in over links, in another way than by adding it up."""
    count = len(sources)
    if function == 1:
        product = 1.0
        for k in range(count):
            product *= values[sources[k]] * weights[k]
        return product
    if count == 0:
        return 0.0
    if function == 5:
        return middle(sources, weights, values)
    if function == 6:
        return summed(sources, weights, values) / f64(count)
    best = values[sources[0]] * weights[0]
    for k in range(1, count):
        mine = values[sources[k]] * weights[k]
        if function == 2:
            best = max(best, mine)
        elif function == 3:
            best = min(best, mine)
        elif abs(mine) > abs(best):
            best = mine
    return best


@kernel
def activate(networks: Networks, number: i64) -> f64:
    """Work a network out from the inputs in `values`, and give what its last node gives."""
    values = networks.values
    slot = networks.inputs
    result = 0.0
    for place in range(networks.begins[number], networks.begins[number + 1]):
        unit = networks.units[place]
        sources = networks.sources[unit.first : unit.end]
        weights = networks.weights[unit.first : unit.end]
        total = 0.0
        if unit.aggregation == 0:
            total = summed(sources, weights, values)
        else:
            total = gathered(unit.aggregation, sources, weights, values)
        result = activated(unit.activation, unit.bias + unit.response * total)
        values[slot] = result
        slot += 1
    return result


@kernel
def activate_all(networks: Networks, rows: view[f64], out: view[f64]) -> None:
    """Work every network out for a row of inputs of its own: row by row, network after network."""
    count = len(networks.begins) - 1
    inputs = networks.inputs
    for k in range(len(out)):
        for place in range(inputs):
            networks.values[place] = rows[k * inputs + place]
        out[k] = activate(networks, k % count)
