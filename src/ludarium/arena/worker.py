"""A worker: a process that plays the jobs it reads, a line each, and writes what became of them, a line per match.

It runs as `python -m ludarium.arena.worker STATUS MEMORY`. Who has a hold of the match stands in the file STATUS, so that
whoever started the worker can say who ended it. MEMORY is a limit in bytes, 0 for none. When nobody writes jobs any
more, the worker ends, whatever it is doing: it never outlives the process that started it.
"""

from __future__ import annotations

import gc
import json
import mmap
import os
import struct
import sys
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from ludarium.arena.jobs import Job, Shelf, played, result_data
from ludarium.core import Role

STATUS = struct.Struct("<qqqq")
"""A counter that never stands still, the number of the match, the ply and the role."""

READY = "ready"
DONE = "done"


def main() -> None:
    """Play jobs until there are no more."""
    status, memory = sys.argv[1], int(sys.argv[2])
    # What agents print must not get between the results.
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    _limit_memory(memory)
    jobs: SimpleQueue[str] = SimpleQueue()
    Thread(target=_read, args=(jobs,), daemon=True).start()
    shelf = Shelf()
    with Path(status).open("r+b") as file, mmap.mmap(file.fileno(), STATUS.size) as shared:
        counter, began, on_clock = 0, False, False

        def asking(number: int, ply: int, role: Role) -> None:
            nonlocal counter, began
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
                _write(results, result_data(result))
            _write(results, DONE)


def _put_aside() -> None:
    """Keep what is loaded out of the garbage collector's sight: to look through it takes longer than a move may be late."""
    gc.unfreeze()  # what an earlier match has left is not kept for ever
    gc.collect()
    gc.freeze()


def _read(jobs: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        jobs.put(line)
    os._exit(0)


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
