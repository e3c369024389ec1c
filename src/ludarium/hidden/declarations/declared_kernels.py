"""The kernel that makes a state of what was drawn, where a game declares what it hides."""

from __future__ import annotations

from ludarium.kernel import Bundle, Table, copy, fn, i64, kernel, u8, view


class Making(Bundle):
    """How states are made for a role, and where they go."""

    base: view[u8]
    """The state without what is hidden."""
    arena: view[u8]
    role: i64
    put: fn[[view[u8], i64, view[i64]], None]
    """How the game puts what was drawn into a state."""

    @kernel
    def make(self: Making, table: Table, place: i64, drawn: view[i64]) -> bool:
        """Put a state into a place of the arena; False if the role would not have to choose there."""
        size = len(self.base)
        state = self.arena[place * size : (place + 1) * size]
        copy(state, self.base)
        self.put(state, self.role, drawn)
        return (table.movers(state) >> self.role) & 1 == 1
