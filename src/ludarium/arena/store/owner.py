"""Who holds a claim in a store: a process, and whether it is still there.

Stores in WAL mode live on one machine, so a process number is enough; with the time at which the process began, a number
that is given again to another process is told apart.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path


def owner() -> str:
    """Name this process."""
    return _named(os.getpid())


def alive(holder: str) -> bool:
    """Whether the process of that name is still running."""
    number = int(holder.partition(" ")[0])
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # it is somebody else's
    return _started(number) == holder.partition(" ")[2]


@cache
def _named(process: int) -> str:
    return f"{process} {_started(process)}"


def _started(process: int) -> str:
    """When a process began, in ticks since the machine did; nothing where the system does not tell."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[19]
