"""From a thing to what names it, here and in other processes."""

from __future__ import annotations

import inspect
from typing import Any

from ludarium.core import BadParameter, Game, describe
from ludarium.core.agent import PLACES
from ludarium.core.syntax import read_value
from ludarium.outside import place_of
from ludarium.registry.kinds import KINDS, Kind


def spec(kind: str, thing: Any) -> str:
    """Write what names a thing, here and in other processes; what is text already stays as it is.

    >>> from ludarium.agents.flat import Flat
    >>> spec("agent", Flat(playout_limit=9))
    'flat(playout_limit=9)'
    """
    if isinstance(thing, str):
        return thing
    KINDS[kind].checked(thing)
    if kind == "game":
        return _game_spec(thing)
    name_by_place(KINDS[kind], thing)
    return describe(thing)


def name_by_place(kind: Kind, thing: Any) -> None:
    """See to it that a thing is described by what names it: things from outside do not go by their own names."""
    inner = list(vars(thing).values()) if hasattr(thing, "__dict__") else []
    for each in [part for value in inner for part in (value if isinstance(value, tuple) else (value,))]:
        for other in KINDS.values():
            if other.holds(each) and other.name != "game":
                name_by_place(other, each)
    maker = type(thing)
    if maker in PLACES or maker.__module__.partition(".")[0] == "ludarium":
        return
    if thing.name in kind.own and kind.own[thing.name].make is maker:
        return
    own = f"{maker.__module__}:{maker.__qualname__}"
    installed = kind.installed.items()
    name = next((name for name, places in installed if places == [own] and name not in kind.own), "")
    PLACES[maker] = name or place_of(maker)


def _game_spec(game: Game) -> str:
    """Write a game as its class and the parameters that it was made with."""
    if game.spec is None:
        maker = type(game)
        given, named = game.made_with
        values = inspect.signature(maker).bind(*given, **named).arguments
        if not all(map(_is_text, values.values())):
            raise BadParameter(
                f"game '{game.name}' does not tell how to make it again, as other processes must: name it, "
                "as in my/games.py:race(size=5)"
            )
        brackets = ", ".join(f"{key}={value!r}" for key, value in values.items())
        object.__setattr__(game, "spec", place_of(maker) + (f"({brackets})" if brackets else ""))
    return str(game.spec)


def _is_text(value: Any) -> bool:
    """Whether a value can be written and read again."""
    try:
        return bool(read_value(repr(value)) == value)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
