"""Errors that a limit of memory leads to, in words: libraries that find no room say that a file cannot be found, or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

USUAL_MEMORY = 300 << 20
"""The bytes that a process takes with a compiled game."""

_NO_ROOM = ("could not find/load", "failed to map segment", "cannot allocate memory", "can't start new thread")


def short_of_memory(problem: BaseException) -> str:
    """Say that memory is too little, if this process has a limit and the problem is of that kind; nothing otherwise."""
    if not (most := _limit()):
        return ""
    if not any(isinstance(each, MemoryError) or _found_no_room(each) for each in _causes(problem)):
        return ""
    return f"{most >> 20} MB of memory are too few for it (a compiled game takes about {USUAL_MEMORY >> 20}): --memory gives more"


def _found_no_room(problem: BaseException) -> bool:
    return isinstance(problem, OSError | ImportError | RuntimeError) and any(
        word in str(problem).lower() for word in _NO_ROOM
    )


def _causes(problem: BaseException | None) -> Iterator[BaseException]:
    while problem is not None:
        yield problem
        problem = problem.__cause__ or problem.__context__


def _limit() -> int:
    """The bytes that this process may take; 0 if there is no limit, or the system tells none."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        return 0 if most == resource.RLIM_INFINITY else most
    return 0
