"""Play matches, and say what they prove."""

from ludarium.arena.play import Watcher, play
from ludarium.arena.series import Score, series, wilson

__all__ = ["Score", "Watcher", "play", "series", "wilson"]
