"""Moves as people and programs write them."""

from __future__ import annotations

from ludarium.core import Move, Role
from ludarium.server.matches.held import HeldMatch


def reading(match: HeldMatch, role: Role, text: str) -> Move:
    """Find the legal move that a text means, in either way of writing it; an `IllegalMove` for what is no move at all."""
    for move in match.position.state.legal(role):
        if text in (match.game.text(move), match.game.notation(move)):
            return move
    return match.game.parse(text)
