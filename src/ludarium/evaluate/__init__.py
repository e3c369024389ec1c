"""Judging a state without searching it: heuristics, features, networks."""

from ludarium.evaluate.judge import Evaluator, Judge, Result, result, values
from ludarium.evaluate.linear import Model, train
from ludarium.evaluate.spec import evaluator

__all__ = ["Evaluator", "Judge", "Model", "Result", "evaluator", "result", "train", "values"]
