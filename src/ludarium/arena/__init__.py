"""Play matches, and say what they prove."""

from ludarium.arena.play import Watcher, play

__all__ = ["Watcher", "play"]
