"""A network with its facts at other places, as another way to play keeps them in its states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ludarium.gdl.network.arrange import GAP, Order
from ludarium.gdl.network.network import FALSE, TRUE, Network

NOWHERE = -1
"""The place of a fact that only fills one, and is not needed elsewhere."""


def with_facts_at(net: Network, places: Sequence[int], count: int) -> Network:
    """Put each fact at a place among so many; the other places are filled with facts that never hold."""
    before, shift = len(net.facts), count - len(net.facts)
    names = [f"{GAP} 0 {place})" for place in range(count)]
    initial, following = [False] * count, [FALSE] * count
    new = [0] * (2 * net.size) + [FALSE, TRUE]  # which are -2 and -1, so they find themselves
    for gate in range(net.size):
        place = places[gate] if gate < before else gate + shift
        new[2 * gate], new[2 * gate + 1] = (FALSE, TRUE) if place == NOWHERE else (2 * place, 2 * place + 1)
    moved = new.__getitem__
    for fact, place in enumerate(places):
        if place == NOWHERE:
            continue
        names[place], initial[place], following[place] = net.facts[fact], net.initial[fact], moved(net.next[fact])
    return replace(
        net,
        facts=names,
        inputs=[tuple(sorted(map(moved, literals))) for literals in net.inputs],
        trigger=[x if x < 0 else moved(x) for x in net.trigger],
        components=[(first + shift, end + shift) for first, end in net.components],
        next=following,
        moves=[replace(m, guard=moved(m.guard), gates=[moved(x) for x in m.gates]) for m in net.moves],
        terminal=moved(net.terminal),
        goals=[[(value, moved(x)) for value, x in goals] for goals in net.goals],
        sees=[[(text, moved(x)) for text, x in sees] for sees in net.sees],
        initial=initial,
        lazy=net.lazy + shift,
        order=Order([], [], names),
    )
