"""Networks of any shape: what they are, how they are written down, and how they lie in flat memory for the kernel.

A network takes numbers in and gives one. Its nodes stand in the order in which they are worked out, so every link comes from an
input or from a node before; the last node is the output. What nodes do with their links are the functions of NEAT, under the
names that neat-python gives them.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from ludarium.evaluate.evolved.network_kernels import ACTIVATIONS, AGGREGATIONS, Networks, Unit
from ludarium.kernel import f64, zeros


@dataclass(frozen=True)
class Node:
    """What a node makes of its links."""

    bias: float
    response: float
    activation: str
    aggregation: str
    links: tuple[tuple[int, float], ...]
    """Where a number comes from, and its weight: inputs are counted from 0, and nodes go on from there."""


@dataclass(frozen=True)
class Network:
    """A network with some inputs and one output, the last node."""

    inputs: int
    nodes: tuple[Node, ...]

    def __post_init__(self) -> None:
        """Refuse what no kernel could work out."""
        if not self.nodes:
            raise ValueError("a network has at least one node")
        for place, node in enumerate(self.nodes):
            if node.activation not in ACTIVATIONS or node.aggregation not in AGGREGATIONS:
                raise ValueError(f"node {place} has an unknown function {node.activation} or {node.aggregation}")
            if any(not 0 <= source < self.inputs + place for source, _ in node.links):
                raise ValueError(f"node {place} has a link from something that is not known before it")
            if not all(map(isfinite, (node.bias, node.response, *(weight for _, weight in node.links)))):
                raise ValueError(f"node {place} has a number that is not finite")

    @property
    def connections(self) -> int:
        """How many links there are."""
        return sum(len(node.links) for node in self.nodes)

    def written(self) -> dict[str, Any]:
        """Write it as JSON has it."""
        nodes = [
            {
                "bias": node.bias,
                "response": node.response,
                "activation": node.activation,
                "aggregation": node.aggregation,
                "links": [[source, weight] for source, weight in node.links],
            }
            for node in self.nodes
        ]
        return {"inputs": self.inputs, "nodes": nodes}

    @classmethod
    def read(cls, given: Any) -> Network:
        """Read what `written` wrote; ValueError, KeyError or TypeError if it is something else."""
        nodes = tuple(
            Node(
                float(node["bias"]),
                float(node["response"]),
                str(node["activation"]),
                str(node["aggregation"]),
                tuple((_whole(source), float(weight)) for source, weight in node["links"]),
            )
            for node in given["nodes"]
        )
        return cls(_whole(given["inputs"]), nodes)


def flat(networks: Sequence[Network], inputs: int) -> Networks:
    """Lay networks out one after the other; all have the same number of inputs."""
    begins, units, sources, weights = array("q", [0]), bytearray(), array("i"), array("d")
    for network in networks:
        if network.inputs != inputs:
            raise ValueError(f"a network has {network.inputs} inputs; expected {inputs}")
        for node in network.nodes:
            first = len(sources)
            sources.extend(source for source, _ in node.links)
            weights.extend(weight for _, weight in node.links)
            functions = ACTIVATIONS.index(node.activation), AGGREGATIONS.index(node.aggregation)
            units += _UNIT.pack(node.bias, node.response, first, len(sources), *functions)
        begins.append(len(units) // Unit.size)
    most = max((len(network.nodes) for network in networks), default=1)
    return Networks(
        begins=begins,
        units=units or bytearray(Unit.size),
        sources=sources or array("i", [0]),
        weights=weights or array("d", [0.0]),
        values=zeros(f64, inputs + most),
        inputs=inputs,
    )


_UNIT = struct.Struct("<ddqqqq")


def _whole(number: Any) -> int:
    if isinstance(number, bool) or not isinstance(number, int):
        raise TypeError(f"expected a whole number, not {number!r}")
    return number
