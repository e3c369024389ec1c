"""A game answers a few questions: who moves, what is legal, what comes next, what it is worth, who sees what.

States are immutable values. Randomness is an argument and never part of a state, so that planners cannot see
the dice.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, Self
from weakref import WeakValueDictionary

from ludarium.core.errors import BadParameter, GameError, IllegalMove, LudariumError
from ludarium.core.fingerprint import class_parts, code_parts, digest, given, value_parts
from ludarium.core.offers import Offers
from ludarium.core.rng import Rng

Role = int
"""The index of a role in `Game.roles`."""

MAX_ROLES = 63
"""Who is to move is a bit per role in a signed word."""

Move = int
"""A 64-bit code; equal codes are the same move in every state of a game."""

_LISTED = 8  # more legal moves than this are not worth reading in an error message


@dataclass(frozen=True, kw_only=True)
class Traits:
    """What a game promises; a promise not made is one that nobody may rely on."""

    turn_taking: bool = False
    """There is never more than one mover."""

    deterministic: bool = False
    """Neither the beginning nor any move draws chance."""

    perfect_information: bool = False
    """Nothing is hidden from any role."""

    constant_sum: bool = False
    """The utilities of a final state always add up to the same."""

    max_plies: int | None = None
    """No match is longer."""

    def __post_init__(self) -> None:
        if self.max_plies is not None and self.max_plies <= 0:
            raise BadParameter(f"max_plies must be positive, not {self.max_plies}")


class State(ABC):
    """A moment of a match, as a value: equal states have equal futures."""

    __slots__ = ()

    game: Game

    @property
    @abstractmethod
    def movers(self) -> tuple[Role, ...]:
        """The roles that choose now, in order; empty when the game is over."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.movers

    @abstractmethod
    def legal(self, role: Role) -> list[Move]:
        """List what this role may do now.

        A role that does not move has no choice: nothing, or the one move that the rules force on it.
        """

    def after(self, moves: Mapping[Role, Move] | Move, rng: Rng | None = None) -> State:
        """Make the next state from a move per mover, or a bare move if there is one mover."""
        joint = self._joint(moves)
        _check_chance(self.game, rng)
        return _made(self.game, self._after(joint, rng), "_after")

    @abstractmethod
    def utilities(self) -> tuple[float, ...]:
        """Say what this state is worth to each role, from 0 to 1."""

    @abstractmethod
    def observe(self, role: Role) -> bytes:
        """Show what this role sees on arriving here."""

    @abstractmethod
    def __eq__(self, other: object) -> bool: ...

    @abstractmethod
    def __hash__(self) -> int: ...

    def __str__(self) -> str:
        return self.game.picture(self)

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, memo: object) -> State:
        return self

    @abstractmethod
    def _after(self, joint: Sequence[Move], rng: Rng | None) -> State:
        """Make the next state from checked moves, one per role, 0 where a role does not move."""

    def _joint(self, moves: Mapping[Role, Move] | Move) -> list[Move]:
        """Check the moves and line them up by role."""
        movers, roles = self.movers, self.game.roles
        if not movers:
            raise IllegalMove("the game is over: nobody moves")
        if not isinstance(moves, Mapping):
            if len(movers) > 1:
                names = " and ".join(roles[role] for role in movers)
                raise IllegalMove(f"{names} move at once: give a move for each, as {{role: move}}")
            moves = {movers[0]: moves}
        for role in moves:
            if role not in movers:
                name = roles[role] if role in range(len(roles)) else f"role {role!r}"
                raise IllegalMove(f"{name} is not to move now")
        joint = [0] * len(roles)
        for role in movers:
            if role not in moves:
                raise IllegalMove(f"no move given for {roles[role]}")
            joint[role] = self._checked(moves[role], role)
        return joint

    def _checked(self, move: Move, role: Role) -> Move:
        try:
            move = operator.index(move)
        except TypeError:
            raise BadParameter(f"a move is a number, not {move!r}: game.parse(text) finds it") from None
        legal = self.legal(role)
        if move not in legal:
            listed = ", ".join(self.game.text(each) for each in legal[:_LISTED])
            more = f", ... ({len(legal)} in all)" if len(legal) > _LISTED else ""
            raise IllegalMove(
                f"{_named(self.game, move)} is not legal for {self.game.roles[role]}: legal is {listed}{more}"
            )
        return move


class Game(ABC):
    """The rules: where a match begins, and how its moves and states are written for people."""

    name: str
    roles: tuple[str, ...]
    traits: Traits
    max_moves: int
    """No role ever has more legal moves than this."""

    offers: Offers = Offers()
    """What the game offers beyond its rules."""

    spec: str | None = None
    """What the catalog made it from, so that copies in other processes can be made from the same."""

    made_with: tuple[tuple[Any, ...], dict[str, Any]] = ((), {})
    """What its class was called with, so that it can be made again."""

    def __new__(cls, *given: Any, **named: Any) -> Self:
        """Make a game, and remember what it was made with."""
        made = super().__new__(cls)
        object.__setattr__(made, "made_with", (given, named))
        return made

    def __copy__(self) -> Self:
        """Make a twin that shares all that the game holds, so that one thing can be changed in it."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin

    def __deepcopy__(self, memo: object) -> Game:
        return self  # rules do not change

    def __reduce__(self) -> tuple[Any, ...]:
        try:
            spec: str = import_module("ludarium.registry").spec("game", self)  # which stands above
        except LudariumError as problem:
            raise TypeError(f"game '{self.name}' cannot be pickled: {problem}") from None
        _MADE.setdefault(spec, self)
        return _made_again, (spec,)

    @cached_property
    def fingerprint(self) -> str:
        """What the game is, in a few letters: its rules and parameters, whatever it is called.

        Games in Python are known by their code; those of a language by the rules that were read.
        """
        kind = type(self)
        return digest([*(list(code_parts([kind.__module__])) or class_parts(kind)), *value_parts(given(self))])

    def initial(self, rng: Rng | None = None) -> State:
        """Make the state that a match begins with."""
        _check_chance(self, rng)
        return _made(self, self._initial(rng), "_initial")

    @abstractmethod
    def text(self, move: Move) -> str:
        """Write a move for people."""

    def notation(self, move: Move) -> str:
        """Write a move in the short form that people use, where the game has one; `parse` reads it, too."""
        return self.text(move)

    @abstractmethod
    def parse(self, text: str) -> Move:
        """Read what `text` or `notation` writes; an `IllegalMove` that says what was expected otherwise."""

    @abstractmethod
    def picture(self, state: State, role: Role | None = None) -> str:
        """Draw a state for people; for a role, only what that role sees."""

    @abstractmethod
    def _initial(self, rng: Rng | None) -> State:
        """Make the first state; there is an rng unless the game is deterministic."""


def checked_utilities(game: Game, values: Sequence[float]) -> tuple[float, ...]:
    """Give utilities as they are; an error that names the game and the value if they are not a number from 0 to 1 per role."""
    given: Any = values
    if not isinstance(given, Sized) or len(given) != len(game.roles):
        expected = f"expected a number for each of {len(game.roles)} roles"
        raise GameError(f"game '{game.name}' has the utilities {values!r}; {expected}")
    for role, value in zip(game.roles, values, strict=True):
        try:
            fair = 0 <= float(value) <= 1
        except (TypeError, ValueError, OverflowError):
            fair = False
        if not fair:
            raise GameError(f"game '{game.name}' gives {role} the utility {value!r}; utilities are numbers from 0 to 1")
    return tuple(values)


_MADE: WeakValueDictionary[str, Game] = WeakValueDictionary()


def _made_again(spec: str) -> Game:
    """Make the game that a pickle speaks of; all its states share it."""
    made = _MADE.get(spec)
    if made is None:
        made = _MADE[spec] = import_module("ludarium.catalog").game(spec)  # which stands above: so it is asked by name
    return made


def _made(game: Game, state: Any, how: str) -> State:
    if not isinstance(state, State):
        raise GameError(f"game '{game.name}': {how} gives {state!r}, which is no State")
    return state


def _check_chance(game: Game, rng: Rng | None) -> None:
    if rng is None and not game.traits.deterministic:
        raise BadParameter(f"{game.name} draws chance: give an Rng")


def _named(game: Game, move: Move) -> str:
    # A code that is not a move of the game may have no text, and asking for it must not hide the real error.
    try:
        return repr(game.text(move))
    except Exception:  # noqa: BLE001
        return f"move {move}"
