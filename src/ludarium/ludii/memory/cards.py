"""Cards: where those of a player lie, and which of them he sees, as kernels over the layout of a game.

All that a player holds is counted through: his hands and decks in their order, each site from below.
"""

from __future__ import annotations

from typing import Any

from ludarium.kernel import Kernel, constant, i32, i64, kernel
from ludarium.ludii.memory.state import Layout

_KINDS = ("Hidden", "What", "Who")
"""What may not be hidden of a card that a player knows."""


def card_kernels(layout: Layout, given: dict[str, Kernel[Any]]) -> dict[str, Kernel[Any]]:
    """Make the kernels that look for cards; where there are none, nobody asks."""
    if not layout.cards:
        return {}
    State: Any = layout.state
    model, height = layout.model, layout.height
    players = layout.players
    held = [
        [
            site
            for each in model.topology.containers[1:]
            if each.kind != "dice" and model.owner_of(each) == player
            for site in range(each.first, each.first + each.count)
        ]
        for player in range(players + 1)
    ]
    sites = constant(i32, [*(site for each in held for site in each), -1])
    starts = constant(i32, [sum(map(len, held[:player])) for player in range(players + 2)])
    rows = constant(i32, [layout.hides.index(kind) * (players + 1) if kind in layout.hides else -1 for kind in _KINDS])
    is_hidden = given["is_hidden"]

    @kernel
    def draw_card(s: State, x: i64, rank: i64, left: i64) -> None:
        """Of the lowest cards of a stack that are left, let one by its rank lie on those that were drawn before."""
        first = x * height
        drawn = i64(s.height[x]) - left
        piece = s.what[first + drawn + rank]
        k = drawn + rank
        while k > drawn:
            s.what[first + k] = s.what[first + k - 1]
            k -= 1
        s.what[first + drawn] = piece

    @kernel
    def held_by(s: State, player: i64) -> i64:
        """How many cards a player holds."""
        many = 0
        for k in range(i64(starts[player]), i64(starts[player + 1])):
            many += i64(s.height[sites[k]])
        return many

    @kernel
    def slot_held(s: State, player: i64, number: i64) -> i64:
        """Where the fields of a card are that a player holds, by its number; -1 if there is none."""
        left = number
        for k in range(i64(starts[player]), i64(starts[player + 1])):
            if left < i64(s.height[sites[k]]):
                return i64(sites[k]) * height + left
            left -= i64(s.height[sites[k]])
        return -1

    @kernel
    def knows(s: State, player: i64, slot: i64) -> bool:
        """Whether a player can tell which card lies there."""
        hidden = False
        for k in range(len(rows)):
            hidden = hidden or is_hidden(s, i64(rows[k]), player, slot)
        return not hidden

    @kernel
    def slot_with(s: State, player: i64, piece: i64) -> i64:
        """Where the first card of a kind is that a player holds and knows; -1 if there is none."""
        for number in range(held_by(s, player)):
            slot = slot_held(s, player, number)
            if i64(s.what[slot]) == piece and knows(s, player, slot):
                return slot
        return -1

    @kernel
    def slot_played(s: State, player: i64, piece: i64, number: i64) -> i64:
        """Where a card is that a player plays: one that he knows, or one by its number."""
        if piece >= 0:
            return slot_with(s, player, piece)
        return slot_held(s, player, number)

    made: list[Kernel[Any]] = [draw_card, held_by, slot_held, knows, slot_with, slot_played]
    return {each.name: each for each in made}
