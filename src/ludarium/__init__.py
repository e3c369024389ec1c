"""A laboratory for general game playing: describe a game, play it, study it."""

from ludarium.arena import play
from ludarium.catalog import agent, game

__version__ = "0.1.0"

__all__ = ["__version__", "agent", "game", "play"]
