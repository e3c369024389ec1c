"""For each game that hides something: another state that a role cannot tell from the one it is in."""

from ludarium.games.kuhn_poker import State
from ludarium.kernel import KernelState


def kuhn_poker(state, role, rng):
    """Give the other player the third card."""
    swapped = State(bytearray(state.block))
    swapped.cards[1 - role] = 3 - swapped.cards[0] - swapped.cards[1]
    return KernelState(state.game, bytes(swapped.memory))


SWAPS = {"kuhn-poker": kuhn_poker}
