"""Cards that were dealt where a player cannot see them, exchanged: for whoever imagines how else they may have been dealt.

A place is that of one of the cards, counted through all sites from below. What is hidden stays with the place.
"""

from __future__ import annotations

from typing import Any

from ludarium.core.offers import Exchanges
from ludarium.kernel import constant, i32, i64, kernel, u8, view
from ludarium.ludii.memory.cards import card_kernels
from ludarium.ludii.memory.hiding import hiding_kernels
from ludarium.ludii.memory.state import Layout


def card_exchanges(layout: Layout) -> Exchanges:
    """Make the kernels that exchange cards of a deck."""
    State: Any = layout.state
    spots, height = layout.spots, layout.height
    slots = spots * height
    has_state, has_value, has_rotation = layout.local_states, layout.values, layout.rotations
    knows, deck = card_kernels(layout, hiding_kernels(layout))["knows"], constant(i32, _decks(layout))

    @kernel
    def slot_of_place(s: State, place: i64) -> i64:
        """Where the fields of the card in a place are; -1 if there are not so many."""
        left = place
        for x in range(spots):
            if left < i64(s.height[x]):
                return x * height + left
            left -= i64(s.height[x])
        return -1

    @kernel
    def alike(state: view[u8], a: i64, other: view[u8], b: i64) -> bool:
        """Whether the cards in a place of each state are dealt from one deck."""
        s = State(state)
        o = State(other)
        one = slot_of_place(s, a)
        two = slot_of_place(o, b)
        if one < 0 or two < 0:
            return False
        return bool(deck[s.what[one]] == deck[o.what[two]])

    @kernel
    def swap(s: State, one: i64, two: i64) -> bool:
        """Exchange two cards of a deck with all that is said of them."""
        if deck[s.what[one]] != deck[s.what[two]]:
            return False
        piece = s.what[one]
        s.what[one] = s.what[two]
        s.what[two] = piece
        if has_state:
            local = s.state[one]
            s.state[one] = s.state[two]
            s.state[two] = local
        if has_value:
            worth = s.value[one]
            s.value[one] = s.value[two]
            s.value[two] = worth
        if has_rotation:
            turned = s.rotation[one]
            s.rotation[one] = s.rotation[two]
            s.rotation[two] = turned
        return True

    @kernel
    def exchange(state: view[u8], role: i64, a: i64, b: i64) -> bool:
        """Exchange two cards that a player cannot see."""
        s = State(state)
        one = slot_of_place(s, a)
        two = slot_of_place(s, b)
        if one < 0 or two < 0 or one == two:
            return False
        if knows(s, role + 1, one) or knows(s, role + 1, two):
            return False
        return swap(s, one, two)

    @kernel
    def arrange(state: view[u8], role: i64, seen: view[u8]) -> bool:
        """Put every card where a player has seen it; those that he has not seen stay in any order."""
        s = State(state)
        o = State(seen)
        for x in range(spots):
            for level in range(i64(o.height[x])):
                slot = x * height + level
                wanted = o.what[slot]
                if wanted != 0 and s.what[slot] != wanted:
                    found = -1
                    for k in range(slots):
                        if s.what[k] == wanted and o.what[k] != wanted and k % height < i64(s.height[k // height]):
                            found = k
                    if found < 0 or level >= i64(s.height[x]):
                        return False
                    if not swap(s, found, slot):
                        return False
        return True

    return Exchanges(len(layout.model.cards), exchange, alike, arrange)


def _decks(layout: Layout) -> list[int]:
    """Which deck each kind of piece is dealt from: cards that are in none are exchanged with nothing but their like."""
    found = [-1 - k for k in range(len(layout.model.components) + 1)]
    for number, (_, cards) in enumerate(layout.model.decks):
        for card in cards:
            found[card.index] = number
    return found
