"""States that are remembered: numbers for what lies on all sites, and which of them were there before."""

from __future__ import annotations

from typing import Any

from ludarium.kernel import Kernel, i64, kernel, u64
from ludarium.ludii.memory.state import Layout


def remembering_kernels(layout: Layout) -> dict[str, Kernel[Any]]:
    """Make the kernels that remember states, and know them again."""
    State: Any = layout.state
    slots, counting, stacking = layout.spots * layout.height, layout.counting, layout.stacking
    has_state, has_value = layout.local_states, layout.values
    history, in_turn = layout.history, "InTurn" in layout.repetition
    situational, stores = layout.repetition.startswith("Situational"), layout.stores

    @kernel
    def position_hash(s: State) -> u64:
        """A number for what lies on all sites."""
        found = u64(0xCBF29CE484222325)
        for k in range(slots):
            found = (found ^ u64(s.what[k])) * u64(0x100000001B3)
            if counting:
                found = (found ^ u64(i64(s.count[k]))) * u64(0x100000001B3)
            if not stacking or s.what[k] > 0:
                if has_state:
                    found = (found ^ u64(i64(s.state[k]))) * u64(0x100000001B3)
                if has_value:
                    found = (found ^ u64(i64(s.value[k]))) * u64(0x100000001B3)
        return found

    @kernel
    def repetition_hash(s: State) -> u64:
        """A number for all that makes states the same that may not come again."""
        found = position_hash(s)
        if situational:
            found = (found ^ u64(i64(s.mover))) * u64(0x100000001B3)
        return found

    @kernel
    def was_before(new: State, s: State) -> bool:
        """Whether a state is one of those that another one remembers."""
        if history:
            found = repetition_hash(new)
            for k in range(s.history_count):
                if s.history[k] == found:
                    return True
        return False

    @kernel
    def note_state(s: State) -> None:
        """Remember a state that may not come again: of each turn the first, or in a turn all."""
        if history:
            first = s.mover != s.prev
            if in_turn and first:
                s.history_count = 0
            if in_turn or first:
                assert s.history_count < history, "more states than can be remembered"
                s.history[s.history_count] = repetition_hash(s)
                s.history_count += 1

    @kernel
    def store_state(s: State) -> None:
        """Remember a state that moves must not lead to."""
        if stores:
            s.stored = position_hash(s)

    made: list[Kernel[Any]] = [position_hash, repetition_hash, was_before, note_state, store_state]
    return {each.name: each for each in made}
