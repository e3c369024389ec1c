"""Whether a store is damaged: asked when something went wrong with one, since nobody reads all of a file before that."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from math import isfinite
from pathlib import Path

from ludarium.arena.store.database import StoreError
from ludarium.arena.store.store import Store
from ludarium.core import LudariumError


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Blame what goes wrong on the store, if it is damaged; what is not its fault stays what it is."""
    try:
        yield
    except LudariumError:
        raise
    except Exception as problem:
        if (found := damage(path)) is None:
            raise
        told = f"{path} is damaged: {found}; 'sqlite3 {path} .recover' may save what is left"
        raise StoreError(told) from problem


def damage(path: Path) -> str | None:
    """Say what is damaged in a store, by reading all of it; None if nothing is."""
    try:
        address = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
            (whole,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            if whole != "ok":
                return str(whole).splitlines()[-1]
        with Store(path, readonly=True) as store:
            for match in store.matches():
                numbers = (*match.utilities, *match.seconds, *match.thinking, match.started)
                if not match.utilities or not all(isfinite(each) for each in numbers):
                    return f"the match {match.id!r} holds what is no result"
                if not all(0 <= each <= 1 for each in match.utilities):
                    return f"the match {match.id!r} has utilities that are not from 0 to 1"
            store.plans(), store.runs(), store.failures(), store.table(), store.moves()
    except Exception as problem:  # noqa: BLE001  # whatever a broken file leads to
        return f"{type(problem).__name__}: {problem}"
    return None
