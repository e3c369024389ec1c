"""The vocabulary: the types that all of Ludarium speaks in, without any machinery."""

from ludarium.core.agent import Agent, Decision, Determinizer, Evaluator, InformationSet, Player, describe
from ludarium.core.budget import Budget, Limit, Spent
from ludarium.core.errors import (
    BadParameter,
    BudgetExceeded,
    GameError,
    HiddenState,
    IllegalMove,
    LudariumError,
    UnknownName,
    UnsupportedGame,
)
from ludarium.core.game import Game, Move, Role, State, Traits
from ludarium.core.match import TOGETHER, Match, Terms, Turn
from ludarium.core.rng import Rng

__all__ = [
    "TOGETHER",
    "Agent",
    "BadParameter",
    "Budget",
    "BudgetExceeded",
    "Decision",
    "Determinizer",
    "Evaluator",
    "Game",
    "GameError",
    "HiddenState",
    "IllegalMove",
    "InformationSet",
    "Limit",
    "LudariumError",
    "Match",
    "Move",
    "Player",
    "Rng",
    "Role",
    "Spent",
    "State",
    "Terms",
    "Traits",
    "Turn",
    "UnknownName",
    "UnsupportedGame",
    "describe",
]
