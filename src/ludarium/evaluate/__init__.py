"""Judging a state without searching it: heuristics, features, networks."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ludarium.evaluate.judge import Evaluator, Judge, Result, result, values
from ludarium.evaluate.spec import evaluator, judging

if TYPE_CHECKING:
    from ludarium.evaluate.linear import Model, train

__all__ = ["Evaluator", "Judge", "Model", "Result", "evaluator", "judging", "result", "train", "values"]


def __getattr__(name: str) -> Any:
    """What few need is imported when it is wanted: every search judges, and few learn."""
    if name not in ("Model", "train"):
        raise AttributeError(f"module 'ludarium.evaluate' has no attribute '{name}'")
    return getattr(import_module("ludarium.evaluate.linear"), name)
