"""A laboratory for general game playing: describe a game, play it, study it."""

__all__ = ["__version__"]

__version__ = "0.1.0"
