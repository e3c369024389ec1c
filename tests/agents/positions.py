"""Positions, and what an agent decides in them."""

from ludarium.core import Decision, Game, InformationSet, Limit, Rng, State


def after(game: Game, moves: str) -> State:
    """The state after some moves, separated by blanks."""
    state = game.initial(Rng(0))
    for move in moves.split():
        state = state.after(game.parse(move), Rng(0))
    return state


def facing(state: State, role: int | None = None) -> InformationSet:
    """What a mover knows where nothing is hidden."""
    role = state.movers[0] if role is None else role
    return InformationSet(game=state.game, role=role, legal=tuple(state.legal(role)), state=state)


def decide(agent, state: State, *, role: int | None = None, seed: int = 0, **limit) -> Decision:
    """Let an agent think once."""
    info = facing(state, role)
    player = agent.seat(state.game, info.role, Rng(seed))
    return player.choose(info, Limit(**limit).start())
