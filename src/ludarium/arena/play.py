"""One match: every role is shown what it may see and asked for a move, and the moves are played together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter

from ludarium.core import (
    TOGETHER,
    Agent,
    BadParameter,
    Decision,
    Game,
    IllegalMove,
    InformationSet,
    Limit,
    Match,
    Rng,
    Role,
    State,
    describe,
)

Watcher = Callable[[State, Mapping[Role, Decision]], None]
"""Called with each state and the decisions that led to it; with none at the beginning."""


def play(
    game: Game,
    agents: Sequence[Agent],
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    forward_calls: int | None = None,
    seed: int = 0,
    watch: Watcher | None = None,
) -> Match:
    """Play a match, with the same limit for every move; 1000 iterations a move if no limit is given.

    >>> from ludarium import agent, game
    >>> play(game("tic-tac-toe"), [agent("uct"), agent("uct")], iterations=2000, seed=1).utilities
    (0.5, 0.5)
    """
    if len(agents) != len(game.roles):
        roles = f"{len(game.roles)} roles ({', '.join(game.roles)})"
        raise BadParameter(f"{game.name} has {roles}, but {len(agents)} agents were given")
    if seconds is None and iterations is None and forward_calls is None:
        iterations = 1000
    limit = Limit(seconds=seconds, iterations=iterations, forward_calls=forward_calls)
    players = [agent.seat(game, role, Rng.keyed(seed, "agent", role)) for role, agent in enumerate(agents)]
    chance = Rng.keyed(seed, "chance")
    state = game.initial(chance)
    memories = [_Memory(game, role) for role in range(len(agents))]
    moves: list[str] = []
    times: list[float] = []
    for memory in memories:
        memory.see(state)
    if watch:
        watch(state, {})
    while movers := state.movers:
        started = perf_counter()
        decisions = {}
        for role in movers:
            info = memories[role].facing(state)
            decisions[role] = players[role].choose(info, limit.start())
            if decisions[role].move not in info.legal:
                raise IllegalMove(f"{agents[role].name} chose {decisions[role].move}, which is not legal")
            memories[role].played.append(decisions[role].move)
        times.append(perf_counter() - started)
        moves.append(TOGETHER.join(game.text(decisions[role].move) for role in movers))
        state = state.after({role: decision.move for role, decision in decisions.items()}, chance)
        for memory in memories:
            memory.see(state)
        if watch:
            watch(state, decisions)
    return Match(
        game=game.name,
        agents=tuple(describe(agent) for agent in agents),
        seed=seed,
        moves=tuple(moves),
        utilities=state.utilities(),
        seconds=tuple(times),
    )


class _Memory:
    """What one role has seen and done so far."""

    def __init__(self, game: Game, role: Role) -> None:
        self.game, self.role = game, role
        self.seen: list[bytes] = []
        self.played: list[int] = []

    def see(self, state: State) -> None:
        self.seen.append(state.observe(self.role))

    def facing(self, state: State) -> InformationSet:
        """Tell all that this role knows in a state where it has to choose."""
        return InformationSet(
            game=self.game,
            role=self.role,
            legal=tuple(state.legal(self.role)),
            seen=tuple(self.seen),
            played=tuple(self.played),
            state=state if self.game.traits.perfect_information else None,
        )
