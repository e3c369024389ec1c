"""Plain minimax by recursion: slow, short and sure."""

from functools import cache

from ludarium.core import Role, State


@cache
def best_value(state: State, role: Role) -> float:
    """What a state is worth to a role when everyone plays for their own utility: two players, one mover at a time."""
    if state.over:
        return state.utilities()[role]
    (mover,) = state.movers
    values = [best_value(state.after(move), role) for move in state.legal(mover)]
    return max(values) if mover == role else min(values)
