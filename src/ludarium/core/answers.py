"""What a game answers, held against what was asked: games of others may forget a `return`, and are told so in a sentence.

A referee checks every answer that it goes by; a search goes by what the referee has seen, and is not slowed down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import getattr_static
from typing import Any

from ludarium.core.errors import GameError, WrongAnswer
from ludarium.core.game import Game, Move, Role, State, Traits

_NEEDED = {
    "roles": "the names of its roles, as in roles = ('left', 'right')",
    "traits": "what it promises, as in traits = Traits(turn_taking=True)",
    "max_moves": "the most legal moves that a role ever has, as in max_moves = 2",
}
"""What a game has to declare, beside what its abstract methods are; its name is asked for before."""


def missing(game: Any) -> str:
    """Say what a game does not declare, without asking for what is worked out late; nothing if it is complete.

    >>> from ludarium import game
    >>> missing(game("nim"))
    ''
    """
    if hasattr(type(game), "__getattr__"):
        return ""  # it may answer for another game, which has been asked
    for name, told in _NEEDED.items():
        declared = getattr_static(game, name, None)
        wrong = name == "traits" and not isinstance(declared, Traits) and not hasattr(declared, "__get__")
        if declared is None or wrong:
            return f"has no {name}: expected {told}"
    return ""


def checked_movers(game: Game, movers: Any) -> tuple[Role, ...]:
    """Give who is to move as it is, if these are roles of the game."""
    known = range(len(game.roles))
    if not isinstance(movers, tuple | list) or any(role not in known for role in movers):
        raise GameError(f"game '{game.name}': movers are {movers!r}; expected a tuple of roles, from 0 to {known[-1]}")
    return tuple(movers)


def checked_legal(game: Game, role: Role, legal: Any) -> tuple[Move, ...]:
    """Give legal moves as they are, if they can be counted and taken by their number."""
    if not isinstance(legal, Sequence):
        raise GameError(f"game '{game.name}': the legal moves of {game.roles[role]} are {legal!r}; expected a list")
    return tuple(legal)


def checked_text(game: Game, move: Move) -> str:
    """Write a move, if the game gives a text for it."""
    text: Any = game.text(move)
    if not isinstance(text, str):
        raise GameError(f"game '{game.name}': text gives {text!r} for the move {move!r}; expected a text")
    return text


def asked(whom: Callable[[], str], call: str, method: Callable[..., Any], *given: Any) -> Any:
    """Call a method of somebody else; if it takes other arguments, say which it is given."""
    try:
        return method(*given)
    except TypeError as problem:
        if problem.__traceback__ is not None and problem.__traceback__.tb_next is None:  # it was not even entered
            raise WrongAnswer(f"{whom()} is asked for {call}: {problem}") from problem
        raise


def complain(state: State) -> None:
    """Say what is wrong with what a state answers, if anything is: for whoever has stumbled over it."""
    for role in checked_movers(state.game, state.movers):
        if not checked_legal(state.game, role, state.legal(role)):
            raise GameError(f"game '{state.game.name}': {state.game.roles[role]} is to move, but has no legal move")
