"""Matches as the language of their game writes them, such as trials of Ludii: for other programs, and from them."""

from __future__ import annotations

from ludarium.arena.position import Position
from ludarium.arena.replay import check_end, joint, replay
from ludarium.core import BadParameter, Game, LudariumError, Match, OwnRecord, State

_UNKNOWN = "unknown"


def to_own(match: Match, game: Game) -> str:
    """Write a match in the form of its game's language.

    >>> from ludarium import game, play
    >>> print(to_own(play("lud:hex", ["random", "random"], seed=1), game("lud:hex")).splitlines()[0])
    game=/lud/Hex.lud
    """
    form = own_form(game)
    states: list[State] = []
    check_end(match, game, replay(match, game, watch=lambda state, _: states.append(state)))
    position, joints = Position(game, match.seed), []
    for text in match.moves:
        joints.append(joint(position, text))
        position.play(joints[-1])
    return form.write(states, joints)


def from_own(text: str, game: Game) -> Match:
    """Read a match; it must play here as it is written, or it is refused."""
    position = Position(game)
    moves = own_form(game).read(text)
    for number, move in enumerate(moves, 1):
        try:
            position.play(joint(position, move))
        except LudariumError as problem:
            raise BadParameter(f"move {number}: {problem}") from None
    roles, over = len(game.roles), position.state.over
    return Match(
        game=game.name,
        agents=(_UNKNOWN,) * roles,
        seed=0,
        moves=moves,
        utilities=position.state.utilities() if over else (1 / roles if roles > 1 else 0.0,) * roles,
        roles=game.roles,
        cut=not over,
        rules=game.fingerprint,
    )


def own_form(game: Game) -> OwnRecord:
    """How the language of a game writes matches, or an error for one that has no form of its own."""
    if game.offers.record is None:
        raise BadParameter(f"{game.name} is not in a language that has a form for matches: trials are of .lud games")
    return game.offers.record
