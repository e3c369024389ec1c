"""What a role is shown in a game that hides the state: its percepts, and whether the game is over or goes on by itself.

Players are told when a match ends, whatever the rules say that they see. A state in which nobody has a choice names the
first role as mover, which gives away that nobody has; so everybody is told. Two states with the same facts are not
the same if somebody has seen different things on the way there.
"""

from __future__ import annotations

from typing import Any

from ludarium.gdl.network.layout import COUNTERS, SEEN, Layout
from ludarium.kernel import Kernel, buffer, i64, kernel, u8, u64, view
from ludarium.kernel.table import hash_bytes


def kernels(made: dict[str, Kernel[Any]], ending: Kernel[int], layout: Layout) -> dict[str, Kernel[Any]]:
    """Take the kernels of a game that hides nothing, and put those in that hide the state."""
    percepts: Kernel[int] = made["observe"]
    hash_facts: Kernel[int] = made["hash"]
    at = layout.tables["at"]

    @kernel
    def observe_percepts(state: view[u8], player: i64, shown: buffer[u8], scratch: view[u8]) -> i64:
        """Show a byte per percept, and one that tells whether anybody has a choice."""
        count = percepts(state, player, shown)
        shown[count] = ending(state, scratch)
        return count + 1

    @kernel
    def hash_percepts(state: view[u8]) -> u64:
        """Mix the facts with what all roles see."""
        return (hash_facts(state) * 0xD6E8FEB86659FD93) ^ hash_bytes(state[at[SEEN] : at[COUNTERS]])

    return made | {"observe": observe_percepts, "hash": hash_percepts}
