"""Features of games: what can be told of any game before it is played, in one list of names for all games."""

from ludarium.hyper.features.sheet import Features, features

__all__ = ["Features", "features"]
