"""What the players of Rinascimento see, and how the rest is dealt anew.

A role is shown the state itself, with two changes: cards that others have reserved unseen show their backs only, and what
may still be in the decks includes them. That is all that it can know of them, so a state can be made from what was shown
last: `redeal` draws the hidden cards from what may be in their decks.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ludarium.games.rinascimento.rules import UNSEEN
from ludarium.games.rinascimento.settings import Settings
from ludarium.kernel import Stream, buffer, copy, i64, kernel, u8, u64, view

_TRIES = 1000  # until another player whose turn it is can move


def hidden_kernels(settings: Settings, State: Any, turns: SimpleNamespace, box: SimpleNamespace) -> SimpleNamespace:  # noqa: N803
    """Make the kernels that show a state and deal it anew."""
    players, max_reserved, size = settings.players, settings.max_reserved, State.size
    deck_of, first = box.deck_of, box.first
    draw_card, can_move = turns.draw_card, turns.can_move

    @kernel
    def observe(state: State, role: i64, out: buffer[u8]) -> i64:
        """See everything but the order of the decks and the cards that others have reserved unseen."""
        shown = State(out[0:size])
        copy(shown, state)
        for player in range(players):
            for place in range(max_reserved):
                at = player * max_reserved + place
                if player != role and (state.unseen[player] >> place) & 1 == 1:
                    card = state.reserved[at] - 1
                    deck = deck_of[card]
                    shown.decks[deck] |= u64(1) << (card - first[deck])
                    shown.reserved[at] = UNSEEN + deck
        return i64(size)

    @kernel
    def redeal(seen: view[u8], role: i64, state: State, rng: Stream) -> i64:
        """Make a state from what a role was shown last, and answer 1; 0 if it cannot have been shown that."""
        if len(seen) != size:
            return 0
        shown = State(seen)
        for _ in range(_TRIES):
            copy(state, shown)
            for at in range(players * max_reserved):
                if shown.reserved[at] >= UNSEEN:
                    deck = shown.reserved[at] - UNSEEN
                    card = draw_card(state, deck, rng) if deck < len(state.decks) else 0
                    if card == 0:
                        return 0
                    state.reserved[at] = card
            if state.ended != 0 or can_move(state, state.tick % players):
                return 1
        return 0

    return SimpleNamespace(observe=observe, redeal=redeal)
