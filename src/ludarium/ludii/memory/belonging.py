"""Local states that say whose pieces are: kept as sets of bits as well, one for each player.

Where discs are turned over, there may be one kind of them, which is nobody's, and the local state of each says whose it is now:
`(is Enemy (state at:(between)))`. Then the sites of a state are asked for all the time, and to look through all pieces for
them, or along each line, takes longer than to keep them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludarium.kernel import Kernel, i64, kernel, u64
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.model import Model, walk

if TYPE_CHECKING:
    from ludarium.ludii.memory.state import Layout


def site_of_state(player: Value | None) -> Value | None:
    """The site whose local state says which player is meant; nothing if the player is named otherwise."""
    if not isinstance(player, Bound) or f"{player.family}:{player.unit}" != "int:state":
        return None
    return player.arguments["at"] if player.arguments.keys() == {"at"} else None


def asks_belonging(model: Model) -> bool:
    """Whether rules ask if a local state is that of a friend or an enemy."""
    asked = (each for each in walk(model.root) if each.unit in ("is Friend", "is Enemy"))
    return any(site_of_state(each.arguments.get("index")) is not None for each in asked)


def belonging_kernels(layout: Layout) -> dict[str, Kernel[Any]]:
    """Make the kernel that sets a local state."""
    State: Any = layout.state
    has_state, belonging, players = layout.local_states, layout.belonging, layout.players

    @kernel
    def put_state(s: State, k: i64, state: i64) -> None:
        """Give a piece a local state, and note which sites have it; all with one other than 0 are the set of nobody."""
        if has_state:
            s.state[k] = state
            if belonging:
                bit = u64(1) << u64(k)
                s.belonging[0] = (s.belonging[0] & ~bit) | (bit if state != 0 else u64(0))
                for p in range(1, players + 1):
                    s.belonging[p] = (s.belonging[p] & ~bit) | (bit if state == p else u64(0))

    return {"put_state": put_state}
