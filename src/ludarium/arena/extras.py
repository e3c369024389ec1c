"""What a plain installation does not bring: a sentence that says how to get it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ludarium.core import LudariumError


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Import in here what an extra brings.

    >>> with needs("report"):
    ...     import no_such_package
    Traceback (most recent call last):
    ludarium.core.errors.LudariumError: no_such_package is not installed: pip install 'ludarium[report]' brings it
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        raise LudariumError(f"{missing.name} is not installed: pip install 'ludarium[{extra}]' brings it") from None
