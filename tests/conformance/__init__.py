"""Checks that everything of a kind must pass: `check_game` for games, `check_agent` for agents."""

from tests.conformance.agent import check_agent
from tests.conformance.game import check_game

__all__ = ["check_agent", "check_game"]
