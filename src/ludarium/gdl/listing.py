"""A compiled game for people: what its rules became, gate by gate, in the syntax of Python.

Every name of the description is written as a string, so that nothing in it can be taken for code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ludarium.gdl.network.arrange import GAP
from ludarium.gdl.network.network import FALSE, TRUE, Network

if TYPE_CHECKING:
    from ludarium.gdl.game import GdlGame
    from ludarium.gdl.words.words_kernels import Words

_SMALL = 600  # gates: a network larger than this is summed up


def listing(game: GdlGame) -> str:
    """Write the network of a game, unless it is too large to be read."""
    net = game.network
    parts = ["\n".join(_summary(game))]
    if net.size <= _SMALL:
        parts += ["\n".join(lines) for lines in _network(net, _role_names(game))]
    else:
        parts.append(f"# The network is too large to be read: it has more than {_SMALL} gates.")
    if game.joined:
        parts.append("# The game is played by loops over relations; facts are where a state of theirs has them.")
    if game.words:
        parts.append("\n".join(_words(net, game.words)))
    return "\n\n".join(parts)


def _words(net: Network, words: Words) -> Iterator[str]:
    """What the variables of the kernels hold."""
    yield f"# The game is played by operations on words, {words.operations} in a turn of a random playout."
    for number, row in enumerate(net.order.rows):
        place, fact = next((place, fact) for place, fact in row.facts.items() if not fact.startswith(GAP))
        yield f"# v{number}_0: {fact!r} at bit {place}, and what else differs in its coordinates only"
    for number, fact in enumerate(net.order.others, len(net.order.rows)):
        yield f"# v{number}_0: all bits are {fact!r}"


def _summary(game: GdlGame) -> Iterator[str]:
    net = game.network
    inner = len(net.inputs)
    literals = sum(map(len, net.inputs))
    looped = sum(end - first for first, end in net.components)
    yield f"# {game.name}"
    yield f"# {len(net.facts)} facts, {len(net.does)} moves, {inner} gates with {literals} inputs"
    yield f"# {len(net.moves)} groups of moves that share a condition; {looped} gates in recursions"
    yield f"# {net.size - net.lazy} gates matter for goals only"
    yield f"# a state takes {game.state_size} bytes; at most {game.max_moves} moves to choose from"


def _role_names(game: GdlGame) -> list[str]:
    names = iter(game.roles)
    every = range(len(game.network.goals))
    return [next(names) if place in game.seats else "random" for place in every]


def _network(net: Network, roles: Sequence[str]) -> Iterator[list[str]]:
    names = [repr(fact) for fact in net.facts]
    names += [f"does[{roles[role]!r}, {move!r}]" for role, move in net.does]
    first = len(names)
    names += [f"g{number}" for number in range(first, net.size)]

    def literal(x: int) -> str:
        if x < 0:
            return {TRUE: "True", FALSE: "False"}[x]
        name = names[x >> 1]
        shown = f"true[{name}]" if x >> 1 < len(net.facts) else name
        return f"not {shown}" if x & 1 else shown

    def gate(inputs: Sequence[int], threshold: int) -> str:
        word = " or " if threshold == 1 < len(inputs) else " and "
        return word.join(map(literal, inputs)) or "True"

    initial = [name for name, holds in zip(net.facts, net.initial, strict=True) if holds]
    yield ["initial = [", *(f"    {name!r}," for name in initial), "]"]
    yield [f"g{first + place} = {gate(inputs, net.threshold[place])}" for place, inputs in enumerate(net.inputs)]
    yield [
        f"legal[{roles[group.role]!r}, {name!r}] = {_both(literal(group.guard), literal(x))}"
        for group in net.moves
        for name, x in zip(group.names, group.gates, strict=True)
    ]
    yield [f"next[{name!r}] = {literal(x)}" for name, x in zip(net.facts, net.next, strict=True)]
    yield [f"terminal = {literal(net.terminal)}"]
    yield [
        f"goal[{roles[role]!r}, {value}] = {literal(x)}" for role, values in enumerate(net.goals) for value, x in values
    ]
    if any(net.sees):
        yield [
            f"sees[{roles[role]!r}, {text!r}] = {literal(x)}"
            for role, percepts in enumerate(net.sees)
            for text, x in percepts
        ]


def _both(one: str, other: str) -> str:
    return " and ".join(x for x in (one, other) if x != "True") or "True"
