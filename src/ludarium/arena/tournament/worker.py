"""A worker: a process that plays the jobs it reads, a line each, and writes what became of them, a line per match.

It runs as `python -m ludarium.arena.tournament.worker STATUS MEMORY`. Who has a hold of the match stands in the
file STATUS (or the open one of that number), so that whoever started the worker can say who ended it. MEMORY is a limit
in bytes, 0 for none. When nobody writes jobs any more, the worker ends, whatever it is doing, and the processes that
agents have started with it: it never outlives the process that started it. A copy of it that an agent makes by forking
plays nothing, and has no way to the results.
"""

from __future__ import annotations

import gc
import json
import mmap
import os
import signal
import struct
import sys
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

from ludarium.arena.tournament.jobs import Job, Shelf, played, result_data
from ludarium.core import Role

STATUS = struct.Struct("<qqqq")
"""A counter that never stands still, the number of the match, the ply and the role."""

READY = "ready"
NO_ROOM = "no room"
DONE = "done"


def main() -> None:
    """Play jobs until there are no more."""
    status, memory = sys.argv[1], int(sys.argv[2])
    # What agents print must not get between the results, nor may processes of theirs read the jobs.
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    lines = os.fdopen(os.dup(0), encoding="utf-8")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    _keep_to_itself(results.fileno(), lines.fileno())
    _limit_memory(memory)
    jobs: SimpleQueue[str] = SimpleQueue()
    try:
        Thread(target=_read, args=(lines, jobs), daemon=True).start()
    except (RuntimeError, MemoryError):  # no room for its stack
        _write(results, NO_ROOM)
        return
    shelf, process = Shelf(), os.getpid()
    with (
        os.fdopen(int(status), "r+b") if status.isdigit() else Path(status).open("r+b") as file,
        mmap.mmap(file.fileno(), STATUS.size) as shared,
    ):
        counter, began, on_clock = 0, False, False

        def asking(number: int, ply: int, role: Role) -> None:
            nonlocal counter, began
            if os.getpid() != process:
                os._exit(0)  # an agent has forked, and this is the copy
            if on_clock and ply >= 0 and not began:
                _put_aside()
            began = ply >= 0
            counter += 1
            STATUS.pack_into(shared, 0, counter, number, ply, role)

        _write(results, READY)
        while True:
            job = Job.read(json.loads(jobs.get()))
            on_clock = job.pairing.terms.limit.seconds is not None
            for result in played(job, shelf, asking):
                if os.getpid() != process:
                    os._exit(0)
                _write(results, result_data(result))
            _write(results, DONE)


def _put_aside() -> None:
    """Keep what is loaded out of the garbage collector's sight: to look through it takes longer than a move may be late."""
    gc.unfreeze()  # what an earlier match has left is not kept for ever
    gc.collect()
    gc.freeze()


def _read(lines: IO[str], jobs: SimpleQueue[str]) -> None:
    for line in lines:
        jobs.put(line)
    end_group(os.getpid())
    os._exit(0)


def end_group(process: int) -> None:
    """End a worker and all processes that it has started, as far as they have not left its group."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process, signal.SIGKILL)


def _keep_to_itself(*files: int) -> None:
    """Close files in copies of this process."""

    def close() -> None:
        for file in files:
            with suppress(OSError):
                os.close(file)

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=close)


def _write(results: Any, what: Any) -> None:
    try:
        results.write(json.dumps(what) + "\n")
        results.flush()
    except BrokenPipeError:
        os._exit(0)


def _limit_memory(most: int) -> None:
    if not most:
        return
    with suppress(ImportError, ValueError, OSError):  # where the system has no such limit, or a lower one
        import resource  # noqa: PLC0415

        resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    main()
