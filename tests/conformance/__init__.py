"""Checks that everything of a kind must pass: `check_game`, `check_agent` (`BRIEF` or not), `check_determinizer`, `check_evaluator`."""

from tests.conformance.agent import BRIEF, check_agent
from tests.conformance.determinizer import check_determinizer
from tests.conformance.evaluator import check_evaluator
from tests.conformance.game import check_game

__all__ = ["BRIEF", "check_agent", "check_determinizer", "check_evaluator", "check_game"]
