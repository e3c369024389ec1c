"""The vocabulary: the types that all of Ludarium speaks in, without any machinery."""

from ludarium.core.agent import Agent, Decision, InformationSet, Player, describe
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
    WrongAnswer,
)
from ludarium.core.game import Game, Move, Role, State, Traits, checked_utilities
from ludarium.core.match import TOGETHER, Match, Terms, Turn
from ludarium.core.offers import ActionKernels, Offers, OwnRecord
from ludarium.core.rng import Rng

__all__ = [
    "TOGETHER",
    "ActionKernels",
    "Agent",
    "BadParameter",
    "Budget",
    "BudgetExceeded",
    "Decision",
    "Game",
    "GameError",
    "HiddenState",
    "IllegalMove",
    "InformationSet",
    "Limit",
    "LudariumError",
    "Match",
    "Move",
    "Offers",
    "OwnRecord",
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
    "WrongAnswer",
    "checked_utilities",
    "describe",
]
