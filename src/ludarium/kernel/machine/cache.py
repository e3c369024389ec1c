"""Compiled code on disk, by content: many processes may read and write it, and no trouble with it is an error.

What is loaded is run, so a folder or a file is used only if it belongs to the user and nobody else may write to it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from functools import cache
from pathlib import Path

_DIGEST = 16
_KEEP_DAYS = 60
_OTHERS = 0o022  # the right to write of the group and of everybody


def folder() -> Path:
    """Where compiled code is kept: `LUDARIUM_CACHE`, or `ludarium` in the user's cache folder."""
    named = os.environ.get("LUDARIUM_CACHE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ludarium"


def load(key: str) -> bytes | None:
    """What was stored under a key; None if nothing, or nothing whole."""
    try:
        where = folder()
        if not _safe(where, where.stat()):
            return None
        with (where / f"{key}.o").open("rb") as file:
            raw = file.read() if _safe(Path(file.name), os.fstat(file.fileno())) else b""
    except (OSError, RuntimeError):
        return None
    data = raw[_DIGEST:]
    return data if raw[:_DIGEST] == _digest(data) else None


def store(key: str, data: bytes) -> None:
    """Keep data under a key, whole or not at all."""
    import tempfile  # slow to import, and what is stored is mostly only read

    with contextlib.suppress(OSError, RuntimeError):
        where = folder()
        where.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _safe(where, where.stat()):
            return
        handle, temporary = tempfile.mkstemp(dir=where, suffix=".new")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_digest(data) + data)
            Path(temporary).replace(where / f"{key}.o")
        except OSError:
            Path(temporary).unlink()
        if key.startswith("00"):  # now and then
            _prune(where)


@cache
def code_in(where: str) -> str:
    """A hash of the Python files in a folder and those below it, as what is stored depends on the code that made it."""
    made = hashlib.blake2b(digest_size=_DIGEST)
    for inner, folders, files in os.walk(where):
        folders.sort()
        for name in sorted(name for name in files if name.endswith(".py")):
            path = os.path.join(inner, name)  # noqa: PTH118 (there are hundreds)
            with open(path, "rb") as file:  # noqa: PTH123
                made.update(path[len(where) :].encode() + b"\n" + file.read())
    return made.hexdigest()


def _safe(path: Path, known: os.stat_result) -> bool:
    """Whether only the user can have written something; says so once where it is otherwise."""
    if not hasattr(os, "getuid"):  # where files have no such owners
        return True
    if known.st_uid != os.getuid():
        _complain(path, "it belongs to another user")
        return False
    if known.st_mode & _OTHERS:
        _complain(path, "others may write to it (chmod go-w mends that)")
        return False
    return True


@cache
def _complain(path: Path, why: str) -> None:
    import logging  # seldom wanted, and slow to import

    logging.getLogger("ludarium").warning("ludarium: the compiled code in %s is not used: %s", path, why)


def _prune(where: Path) -> None:
    limit = time.time() - _KEEP_DAYS * 86400
    for file in where.iterdir():
        with contextlib.suppress(OSError):
            if file.stat().st_mtime < limit:
                file.unlink()


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_DIGEST).digest()
