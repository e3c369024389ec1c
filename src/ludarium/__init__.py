"""A laboratory for general game playing: describe a game, play it, study it."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludarium.arena import play
    from ludarium.catalog import agent, game

__version__ = "0.1.0"

__all__ = ["__version__", "agent", "game", "play"]

# They are imported when they are wanted: whoever uses a part of Ludarium does not wait for the rest.
_PLACES = {"agent": "catalog", "game": "catalog", "play": "arena"}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'ludarium' has no attribute '{name}'")
    return getattr(import_module(f"ludarium.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
