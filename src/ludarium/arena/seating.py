"""How agents sit down: by themselves, or where a game hides what they search from, in imagined states.

So every agent that searches states can be named for every game, and what is tuned or compared are its own parameters.
"""

from __future__ import annotations

from typing import Any

from ludarium.core import (
    Agent,
    Budget,
    Decision,
    Game,
    HiddenState,
    InformationSet,
    Player,
    Rng,
    Role,
    WrongAnswer,
    describe,
)
from ludarium.core.answers import asked


def sit_down(agent: Agent, game: Game, role: Role, rng: Rng) -> Player:
    """Make a player for one match."""
    try:
        player: Any = asked(lambda: _named(agent), "seat(game, role, rng)", agent.seat, game, role, rng)
    except HiddenState:
        player = imagining(agent, game).seat(game, role, rng)
    if not callable(getattr(player, "choose", None)):
        raise WrongAnswer(f"{_named(agent)}: seat gives {player!r}, which has no choose(info, budget)")
    made: Player = player
    return made


def decided(agent: Agent, player: Player, info: InformationSet, budget: Budget) -> Decision:
    """Ask a player for its decision; an error that says what it answered instead, if that is none."""
    decision: Any = asked(lambda: _named(agent), "choose(info, budget)", player.choose, info, budget)
    if not isinstance(decision, Decision):
        told = f"choose gives {decision!r}; expected a Decision, as in Decision(info.legal[0])"
        raise WrongAnswer(f"{_named(agent)}: {told}")
    return decision


def _named(agent: Agent) -> str:
    return f"agent '{describe(agent)}'"


def seating_note(agent: Agent, game: Game) -> str:
    """Say as what an agent plays a game that hides what it searches from; nothing if it plays as it is.

    An `UnsupportedGame` if it cannot play the game at all.

    >>> from ludarium import agent, game
    >>> seating_note(agent("uct(c=1)"), game("kuhn-poker"))
    'uct(c=1) plays kuhn-poker as determinized(inner=uct(c=1))'
    >>> seating_note(agent("ismcts"), game("kuhn-poker"))
    ''
    """
    try:
        agent.seat(game, 0, Rng(0))
    except HiddenState:
        lent = imagining(agent, game)
        lent.seat(game, 0, Rng(0))
        return f"{describe(agent)} plays {game.name} as {describe(lent)}"
    return ""


def imagining(agent: Agent, game: Game) -> Agent:
    """Lend an agent states, drawn as the game knows best how to.

    A game that deals anew from what was shown last hides little: there one state is as good as many, and the whole budget
    goes to it.
    """
    from ludarium.agents.determinized import Determinized  # noqa: PLC0415

    if game.offers.redeal is not None:
        return Determinized(inner=agent, samples=1, final="votes")
    return Determinized(inner=agent)
