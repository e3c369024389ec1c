"""What roles know in positions of Kuhn poker."""

from ludarium.core import InformationSet

CARDS = "JQK"
MOVES = {"pass": 0, "bet": 1}


def holding(game, card: str, moves: str = "") -> InformationSet:
    """What the role to move knows that holds a card, after some moves."""
    made = [MOVES[word] for word in moves.split()]
    role, value = len(made) % 2, CARDS.index(card)
    return InformationSet(
        game=game,
        role=role,
        legal=(0, 1),
        seen=tuple(bytes([value, *made[:ply]]) for ply in range(len(made) + 1)),
        played=tuple(made[role::2]),
    )
