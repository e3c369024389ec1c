"""Compiled code on disk, by content: many processes may read and write it, and no trouble with it is an error."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import time
from pathlib import Path

_DIGEST = 16
_KEEP_DAYS = 60


def folder() -> Path:
    """Where compiled code is kept: `LUDARIUM_CACHE`, or `ludarium` in the user's cache folder."""
    named = os.environ.get("LUDARIUM_CACHE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ludarium"


def load(key: str) -> bytes | None:
    """What was stored under a key; None if nothing, or nothing whole."""
    try:
        raw = (folder() / f"{key}.o").read_bytes()
    except (OSError, RuntimeError):
        return None
    data = raw[_DIGEST:]
    return data if raw[:_DIGEST] == _digest(data) else None


def store(key: str, data: bytes) -> None:
    """Keep data under a key, whole or not at all."""
    with contextlib.suppress(OSError, RuntimeError):
        where = folder()
        where.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=where, suffix=".new")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_digest(data) + data)
            Path(temporary).replace(where / f"{key}.o")
        except OSError:
            Path(temporary).unlink()
        if key.startswith("00"):  # now and then
            _prune(where)


def _prune(where: Path) -> None:
    limit = time.time() - _KEEP_DAYS * 86400
    for file in where.iterdir():
        with contextlib.suppress(OSError):
            if file.stat().st_mtime < limit:
                file.unlink()


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_DIGEST).digest()
