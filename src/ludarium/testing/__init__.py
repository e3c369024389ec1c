"""Checks that everything of a kind must pass, for our own things and for yours; nothing here needs pytest.

>>> from ludarium.testing import check_agent, check_game
>>> check_game("tic-tac-toe")
>>> [(each.game, each.supported) for each in check_agent("flat", ["tic-tac-toe", "kuhn-poker"])]
[('tic-tac-toe', True), ('kuhn-poker', False)]

Each takes what it checks by name or as an object, and games to check it with; `ludarium check` does the same.
"""

from ludarium.testing.agent import BRIEF, THOROUGH, Effort, check_agent
from ludarium.testing.determinizer import check_determinizer
from ludarium.testing.evaluator import check_evaluator
from ludarium.testing.failure import CheckFailed
from ludarium.testing.game import check_game
from ludarium.testing.same_game import compare

__all__ = [
    "BRIEF", "THOROUGH", "CheckFailed", "Effort", "check_agent", "check_determinizer", "check_evaluator", "check_game",
    "compare",
]  # fmt: skip
