"""Tune the parameters of agents and games: NTBEA, grid and random search, and Optuna."""

from ludarium.tune.fitness import Fitness, fitness
from ludarium.tune.matches import AgentTuning, GameTuning
from ludarium.tune.outcome import Progress, Tuned
from ludarium.tune.problem import Function, TuneError
from ludarium.tune.searches.ntbea import NTBEA
from ludarium.tune.searches.optuna import Optuna
from ludarium.tune.searches.search import Grid, Guess, RandomSearch
from ludarium.tune.space import Space
from ludarium.tune.tuning import tune
from ludarium.tune.words import Order, load, order

__all__ = [
    "NTBEA", "AgentTuning", "Fitness", "Function", "GameTuning", "Grid", "Guess", "Optuna", "Order", "Progress",
    "RandomSearch", "Space", "TuneError", "Tuned", "fitness", "load", "order", "tune",
]  # fmt: skip
