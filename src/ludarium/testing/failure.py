"""What a check says when something breaks a promise: what it is, where it was found, and what is wrong, in one line."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from ludarium.core import GameError, LudariumError
from ludarium.outside import blame


class CheckFailed(LudariumError, AssertionError):
    """A promise that is not kept."""


@contextlib.contextmanager
def failing_as(what: str) -> Iterator[None]:
    """Say where a check failed; whatever is raised meanwhile is a failure."""
    if not __debug__:
        raise LudariumError("the checks are assertions, and Python was told to skip those: run it without -O")
    try:
        yield
    except AssertionError as problem:
        raise CheckFailed(f"{what}: {problem}") from problem.__cause__
    except GameError as problem:
        raise CheckFailed(f"{what}: {blame(problem) or str(problem).removeprefix(f'{what}: ')}") from problem
    except Exception as problem:
        raise CheckFailed(f"{what}: {blame(problem) or f'{type(problem).__name__}: {problem}'}") from problem


def check_refusal(refusal: Exception, game: str, who: str = "it") -> None:
    """Whether somebody who refuses a game says which, and why."""
    told = str(refusal)
    assert game in told, f"{who} refuses, but does not say which game: {told!r}"
    assert len(told.split()) > 5, f"{who} refuses, but does not say why: {told!r}"
