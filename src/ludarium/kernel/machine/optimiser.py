"""Better machine code while a program runs: one process at a time optimises, and first what somebody waits for.

It is a process of its own because LLVM holds one lock for all threads.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Protocol
from weakref import WeakSet

from ludarium.kernel.machine import cache

if TYPE_CHECKING:
    import subprocess

WAIT = 0.5  # seconds that code is in use before it is worth optimising: many programs are over by then
PROGRAM = "from ludarium.kernel.machine.optimiser import serve; serve()"
_LOOK = 0.5  # seconds after which it is asked again whether anybody still uses what is being optimised


class Improvable(Protocol):
    """Machine code that can be replaced by better one."""

    key: str
    """Under which the better one is stored."""
    best: bool

    def assembly(self) -> str:
        """What the code is made from."""
        ...

    def improve(self, data: bytes) -> bool:
        """Use a better object file from now on; whether that could be done."""
        ...


@dataclass(eq=False)
class _Job:
    """Code that is to be optimised, once for all who use it; they are not kept for that."""

    due: float
    wanted: bool = False
    users: WeakSet[Improvable] = field(default_factory=WeakSet)
    over: threading.Event = field(default_factory=threading.Event)


class Optimiser:
    """Jobs, and one thread that has them done one after the other while there are any."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Know of no jobs; after a fork the thread and the process are the parent's."""
        self._changed = threading.Condition()
        self._jobs: dict[str, _Job] = {}
        self._thread: threading.Thread | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def add(self, code: Improvable, *, wanted: bool = False) -> threading.Event:
        """Have code optimised after a while, or as soon as possible; what happens then."""
        with self._changed:
            job = self._jobs.setdefault(code.key, _Job(time.monotonic() + WAIT))
            job.users.add(code)
            if wanted and not job.wanted:
                job.wanted, job.due = True, time.monotonic()
            if self._closed:
                job.over.set()
            elif self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, daemon=True, name="optimiser")
                self._thread.start()
            self._changed.notify()
            return job.over

    def close(self) -> None:
        """Stop at once, when the program ends."""
        with self._changed:
            self._closed = True
            for job in self._jobs.values():
                job.over.set()
            self._changed.notify()
            if self._process is not None:
                self._process.kill()

    def _work(self) -> None:
        while (found := self._next()) is not None:
            key, job = found
            improved = False
            try:
                improved = self._improved(key, job)
            finally:
                with self._changed:
                    if not improved or all(user.best for user in job.users):  # else somebody came late
                        del self._jobs[key]
                        job.over.set()

    def _next(self) -> tuple[str, _Job] | None:
        """The next job, once it is time for it; None if there is none left."""
        with self._changed:
            while not self._closed:
                for key in [key for key, job in self._jobs.items() if not job.users]:
                    self._jobs.pop(key).over.set()
                if not self._jobs:
                    break
                key, job = min(self._jobs.items(), key=lambda item: (not item[1].wanted, item[1].due))
                left = job.due - time.monotonic()
                if left <= 0:
                    return key, job
                self._changed.wait(left)
            self._thread = None
            return None

    def _improved(self, key: str, job: _Job) -> bool:
        """Give all users of some code better one, which another process may have stored by now."""
        stored = cache.load(key)
        if stored is not None and _take(stored, list(job.users)):
            return True
        text = next((user.assembly() for user in job.users), "")
        data = self._optimised(text, job) if text else None
        if data is None or not _take(data, list(job.users)):
            return False
        cache.store(key, data)
        return True

    def _optimised(self, text: str, job: _Job) -> bytes | None:
        """The best object file; None if there are no processes to be had, or nobody wants it any more."""
        import subprocess  # many programs are over before
        import tempfile

        try:
            with tempfile.TemporaryFile() as given:  # a pipe would have to be filled while the process reads
                given.write(text.encode())
                given.seek(0)
                process = self._start(given)
        except (OSError, RuntimeError):
            return None
        data = b""
        with process:
            while process.returncode is None:
                try:
                    data, _ = process.communicate(timeout=_LOOK)
                except subprocess.TimeoutExpired:
                    if not job.users:
                        process.kill()
        self._process = None
        return data if process.returncode == 0 else None

    def _start(self, given: IO[bytes]) -> subprocess.Popen[bytes]:
        import subprocess

        program = f"import sys; sys.path[:] = {sys.path!r}; {PROGRAM}"
        command = [sys.executable, "-c", program, str(os.getpid())]
        with self._changed:
            if self._closed:
                raise RuntimeError("the program ends")
            made = subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # noqa: S603
            self._process = made
            return made


def _take(data: bytes, users: Sequence[Improvable]) -> bool:
    taken = [user.best or user.improve(data) for user in users]
    return all(taken)


OPTIMISER = Optimiser()
atexit.register(OPTIMISER.close)
if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=OPTIMISER.begin)


def serve() -> None:
    """Be the process that optimises: assembly on standard input, the object file on standard output."""
    from ludarium.kernel.machine.engine import FULL_LEVEL, compile_object

    threading.Thread(target=_follow, args=(int(sys.argv[1]),), daemon=True).start()
    sys.stdout.buffer.write(compile_object(sys.stdin.read(), level=FULL_LEVEL))


def _follow(parent: int) -> None:
    """End with the process that asked, however that ended."""
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(1)
