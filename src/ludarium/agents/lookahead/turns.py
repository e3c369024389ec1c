"""What searches that look ahead move by move ask of a game: turns, no chance, nothing hidden."""

from __future__ import annotations

from ludarium.agents.search.support import require
from ludarium.core import Agent, Game, Move, Role, State, UnsupportedGame


def require_turns(game: Game, agent: Agent, *, roles: int = 1) -> None:
    """Refuse a game that cannot be searched by looking ahead, and say why."""
    require(game, agent, perfect_information=True)
    traits = game.traits
    reason = None
    if not traits.turn_taking:
        reason = f"it looks ahead one mover at a time, and {game.name} does not promise that roles take turns"
    elif not traits.deterministic:
        reason = f"it looks ahead without dice, and {game.name} draws chance"
    elif len(game.roles) < roles:
        reason = f"it needs at least {roles} roles, and {game.name} has {len(game.roles)}"
    if reason:
        raise UnsupportedGame(f"{agent.name} cannot play {game.name}: {reason}")


def with_movers(state: State, moves: list[Move]) -> tuple[tuple[Role, Move], ...]:
    """Say who makes each of the moves that follow a state; a move that two states with one hash have mixed up ends it."""
    line: list[tuple[Role, Move]] = []
    for k, move in enumerate(moves):
        state = state.after(moves[k - 1]) if k else state
        if state.over or move not in state.legal(state.movers[0]):
            break
        line.append((state.movers[0], move))
    return tuple(line)
