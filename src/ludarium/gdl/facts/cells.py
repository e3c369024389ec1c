"""What bits of a state tell a learner without proof: which exclude each other, where on a board they stand, which only count.

As pieces are, all of this is observed in random games, except for what counts turns: that is plain from the network.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ludarium.gdl.facts import plain
from ludarium.gdl.facts.boards import boards
from ludarium.gdl.facts.candidates import candidates, visited
from ludarium.gdl.facts.groups import Group, Standing, maximal
from ludarium.gdl.network.network import Network

if TYPE_CHECKING:
    from ludarium.gdl.game import GdlGame


def exclusive_bits(game: GdlGame) -> tuple[tuple[int, ...], ...]:
    """Share the facts out to groups of which one holds at a time, larger groups first; a fact alone is a group, too."""
    from ludarium.gdl.facts.proof import engine_fact  # noqa: PLC0415  # it brings the solver

    facts = game.network.facts
    left = {bit for bit, text in enumerate(facts) if not engine_fact(text)}
    groups = []
    for each in maximal(candidates(facts, visited(game))):
        taken = tuple(sorted(each.facts & left))
        if len(taken) > 1:
            groups.append(taken)
            left -= each.facts
    return (*groups, *((bit,) for bit in sorted(left)))


def places_of_bits(game: GdlGame) -> Mapping[int, tuple[float, float]]:
    """Say where on its board a fact stands: column and row, each from 0 to 1."""
    facts = game.network.facts
    number = {text: bit for bit, text in enumerate(facts)}
    groups = [
        Group(each.shapes, each.key, tuple(facts[k] for k in sorted(each.facts)), Standing.OBSERVED, Standing.OBSERVED)
        for each in maximal(candidates(facts, visited(game)))
    ]
    found: dict[int, tuple[float, float]] = {}
    for board in boards(groups):
        columns, rows = board.columns, board.rows
        for (x, y), group in board.cells.items():
            place = columns.index(x) / (len(columns) - 1), rows.index(y) / (len(rows) - 1)
            for text in group.facts:
                found.setdefault(number[text], place)
    return found


def clock_bits(net: Network) -> int:
    """The facts of plain counters: a chain that goes on by itself and never comes back, like the number of the turn."""
    mask = 0
    for facts in plain.by_relation(net).values():
        before = {fact: plain.enough_for(net, fact) for fact in facts}
        inside = {2 * fact for fact in facts}
        begun = [fact for fact in facts if net.initial[fact]]
        if len(begun) != 1 or any(each is None or not inside.issuperset(each) for each in before.values()):
            continue
        after = {x >> 1: fact for fact, each in before.items() for x in each or ()}
        here, seen = begun[0], set[int]()
        while here in after and here not in seen:
            seen.add(here)
            here = after[here]
        if here not in seen and len(seen) > 1:  # whose turn it is comes back
            mask |= sum(1 << fact for fact in facts)
    return mask
