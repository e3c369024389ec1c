"""What was dealt to two sites that a player cannot see, exchanged: for whoever imagines how else it may have been."""

from __future__ import annotations

from typing import Any

from ludarium.core.offers import Exchanges
from ludarium.kernel import constant, i64, kernel, u8, u64, view
from ludarium.ludii.memory.dealing import card_exchanges
from ludarium.ludii.memory.hiding import hiding_kernels
from ludarium.ludii.memory.state import Layout


def exchanges(layout: Layout) -> Exchanges | None:
    """Make the kernels that exchange contents of sites; None where more hangs on where a piece is than what is on its site."""
    fields = layout.state.fields
    if layout.cards and layout.hides and not (layout.cycle or layout.history or "on_track" in fields):
        return card_exchanges(layout)
    if not layout.hides or layout.stacking or layout.large or layout.cycle or layout.history or "on_track" in fields:
        return None
    State: Any = layout.state
    sites, words, players = layout.spots, layout.spot_words, layout.players
    flag_words, rows, kinds = layout.flag_words, len(layout.hides) * (layout.players + 1), len(layout.hides)
    counting, has_start, board = layout.counting, "started" in fields, layout.model.board_sites
    has_state, has_value, has_rotation = layout.local_states, layout.values, layout.rotations
    owner = constant(u8, [0, *(each.owner for each in layout.model.components)])
    is_hidden = hiding_kernels(layout)["is_hidden"]

    @kernel
    def alike(state: view[u8], a: i64, other: view[u8], b: i64) -> bool:
        """Whether the same lies on a site of a state and on a site of another."""
        s = State(state)
        o = State(other)
        same = s.what[a] == o.what[b]
        if counting:
            same = same and s.count[a] == o.count[b]
        if has_state:
            same = same and s.state[a] == o.state[b]
        if has_value:
            same = same and s.value[a] == o.value[b]
        if has_rotation:
            same = same and s.rotation[a] == o.rotation[b]
        return bool(same)

    @kernel
    def unseen(s: State, player: i64, x: i64) -> bool:
        """Whether something of a site is hidden from a player."""
        hidden = False
        for kind in range(kinds):
            hidden = hidden or is_hidden(s, kind * (players + 1), player, x)
        return hidden

    @kernel
    def hand_over(s: State, x: i64) -> None:
        """Note whose the piece on a site is."""
        bit = u64(1) << u64(x & 63)
        for p in range(players + 2):
            s.owned[p * words + (x >> 6)] &= ~bit
        if s.what[x] > 0:
            s.owned[owner[s.what[x]] * words + (x >> 6)] |= bit

    @kernel
    def exchange(state: view[u8], role: i64, a: i64, b: i64) -> bool:
        """Exchange what lies on two sites of which the same is hidden, from this player too."""
        s = State(state)
        if alike(state, a, state, b) or not unseen(s, role + 1, a) or not unseen(s, role + 1, b):
            return False
        for row in range(rows):
            at_a = (s.hidden[row * flag_words + (a >> 6)] >> u64(a & 63)) & u64(1)
            at_b = (s.hidden[row * flag_words + (b >> 6)] >> u64(b & 63)) & u64(1)
            if at_a != at_b:
                return False
        piece = s.what[a]
        s.what[a] = s.what[b]
        s.what[b] = piece
        if counting:
            number = s.count[a]
            s.count[a] = s.count[b]
            s.count[b] = number
        if has_state:
            local = s.state[a]
            s.state[a] = s.state[b]
            s.state[b] = local
        if has_value:
            worth = s.value[a]
            s.value[a] = s.value[b]
            s.value[b] = worth
        if has_rotation:
            turned = s.rotation[a]
            s.rotation[a] = s.rotation[b]
            s.rotation[b] = turned
        if has_start:
            if a < board and b < board:
                began = s.started[a]
                s.started[a] = s.started[b]
                s.started[b] = began
        hand_over(s, a)
        hand_over(s, b)
        return True

    return Exchanges(sites, exchange, alike)
