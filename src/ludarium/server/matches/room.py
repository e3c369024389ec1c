"""All matches of a server: found by their ids, and let go when nobody has looked at them for long."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any

from ludarium.core import Game
from ludarium.server.errors import Full, Unknown
from ludarium.server.matches.held import HeldMatch
from ludarium.server.matches.seats import Seat

MOST = 500
"""Matches that a server holds."""

FORGOTTEN = 6 * 3600.0
"""Seconds after which a match that nobody looks at makes room for the next."""


class Room:
    """Holds matches, and the threads that agents think in."""

    def __init__(self, *, most: int = MOST, forgotten: float = FORGOTTEN) -> None:
        self.most, self.forgotten = most, forgotten
        self.pool = ThreadPoolExecutor(max_workers=max(4, 2 * (os.cpu_count() or 1)), thread_name_prefix="thinking")
        self._matches: dict[str, HeldMatch] = {}
        self._lock = threading.Lock()

    def open(self, game: Game, seats: list[Seat], **more: Any) -> HeldMatch:
        """Begin a match; what was forgotten makes room for it, then what is over."""
        match = HeldMatch(game, seats, self.pool, **more)
        with self._lock:
            self._make_room()
            self._matches[match.id] = match
        return match.begin()

    def match(self, ident: str) -> HeldMatch:
        """Find a match."""
        with self._lock:
            found = self._matches.get(ident)
        if found is None:
            raise Unknown("there is no such match here (any more)")
        found.touched = monotonic()
        return found

    def matches(self) -> list[HeldMatch]:
        """All matches, the newest first."""
        with self._lock:
            return list(self._matches.values())[::-1]

    def remove(self, ident: str) -> None:
        """End a match and forget it."""
        match = self.match(ident)
        with self._lock:
            self._matches.pop(ident, None)
        match.close()

    def close(self) -> None:
        """End everything."""
        for match in self.matches():
            match.close()
        self.pool.shutdown(wait=False, cancel_futures=True)

    def _make_room(self) -> None:
        self._forget()
        if len(self._matches) < self.most:
            return
        unwatched = [match for match in self._matches.values() if not match.watched]
        if not unwatched:
            raise Full(f"{self.most} matches are being watched here, which is as many as there may be")
        oldest = min(unwatched, key=lambda match: (not match.over, match.touched))
        self._matches.pop(oldest.id).close()

    def _forget(self) -> None:
        limit = monotonic() - self.forgotten
        for match in [m for m in self._matches.values() if m.touched < limit and not m.watched]:
            self._matches.pop(match.id).close()
