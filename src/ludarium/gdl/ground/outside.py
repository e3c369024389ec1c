"""Grounding in a process of its own: clingo cannot be stopped while it looks for instances and finds none.

Where no more joins are possible than clingo does in little time, it grounds in this process. Otherwise another process does,
and the system ends it when it has taken more processor time or memory than the limits allow. That is a copy of this one, which
notes rules in memory that both share, where no other threads run here; else a new one, which takes a third of a second more.
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from math import ceil, prod
from operator import itemgetter
from typing import NoReturn

import clingo

from ludarium.core import LudariumError
from ludarium.core.limits import LimitExceeded, limits
from ludarium.core.problems import Place
from ludarium.gdl.ground.domains import ANYTHING, Domain, Domains
from ludarium.gdl.ground.instances import Instances, count
from ludarium.gdl.text.syntax import Rule
from ludarium.gdl.watch import alone, data_bytes, seconds_left

_JOINS = 2_500_000  # that clingo does in a second, at least
_PROGRAM = "from ludarium.gdl.ground.outside import serve; serve()"
_SPARE = 500 << 20  # bytes that a process needs before it grounds anything


class TooManyInstances(Exception):
    """There are more ground rules than wanted; the sizes of relations as far as it came."""

    def __init__(self, sizes: dict[tuple[str, int], int]) -> None:
        super().__init__(sizes)
        self.sizes = sizes


@dataclass(frozen=True)
class Work:
    """No fewer than the ways to bind variables that clingo may look at, and the rule with most of them."""

    joins: float
    heaviest: Place | None


def grounded(program: str, work: Work, most: int) -> tuple[Instances, dict[tuple[str, int], int]]:
    """Ground a program: its instances, and the sizes of relations that are declared."""
    if work.joins <= _JOINS * limits().seconds:
        return ground_here(program, most)
    return _by_copy(program, work, most) if alone() else _by_new_process(program, work, most)


def ground_here(program: str, most: int) -> tuple[Instances, dict[tuple[str, int], int]]:
    """Ground a program in this process."""
    found = Instances(most)
    sizes = _note(found, program)
    found.read()
    return found, sizes


def _note(found: Instances, program: str) -> dict[tuple[str, int], int]:
    """Have clingo ground a program; the sizes of relations that are declared."""
    control = clingo.Control(["--warn=none"], message_limit=0, logger=lambda *_: None)
    try:
        control.add("base", [], program)
        found.note(control)
        return {(name, arity): count(control, name, arity) for name, arity in (("base", 1), ("input", 2))}
    except Exception as problem:  # noqa: BLE001  # which holds on to clingo: it ends here
        told: Exception = LudariumError(f"the rules cannot be grounded: {problem}")
        if found.too_many:
            told = TooManyInstances(_sizes(control))
        cause = MemoryError() if isinstance(problem, MemoryError) else None
    del control
    raise told from cause


def _sizes(control: clingo.Control) -> dict[tuple[str, int], int]:
    return {(name, arity): count(control, name, arity) for name, arity, _ in control.symbolic_atoms.signatures}


def work_of(rules: Sequence[Rule]) -> Work:
    """Tell what it takes to ground rules, from what may come where."""
    domains = Domains(rules)
    return heaviest((rule.place, map(_size, (domains.bindings(rule) or {}).values())) for rule in rules)


def heaviest(sizes: Iterable[tuple[Place, Iterable[float]]]) -> Work:
    """Add up the ways to bind the variables of each rule, by the sizes of what they may be."""
    ways = [(prod(each), place) for place, each in sizes]
    most = max(ways, key=itemgetter(0), default=(0.0, None))
    return Work(sum(each for each, _ in ways), most[1])


def _size(domain: Domain) -> float:
    if ANYTHING in domain:
        return float("inf")
    return float(sum(prod(map(_size, parts)) for parts in domain.values()))


def _by_copy(program: str, work: Work, most: int) -> tuple[Instances, dict[tuple[str, int], int]]:
    """Have a copy of this process ground."""
    import pickle  # noqa: PLC0415  # few games need it

    found = Instances(most)
    seconds, room = ceil(seconds_left()), (limits().megabytes << 20) + data_bytes()
    here, there = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads: the only other one is no matter here
        child = _fork(here, there)
    if child == 0:
        _be_copy(found, program, seconds, room, there)
    os.close(there)
    try:
        with os.fdopen(here, "rb") as pipe:
            answer = pipe.read()
    finally:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    try:
        told, found.rules, found.facts, found.shown = pickle.loads(answer)  # noqa: S301  # which our own process wrote
    except (EOFError, pickle.UnpicklingError):  # it was ended before it had said all
        raise _too_much(work) from None
    if isinstance(told, Exception):
        raise told
    found.read()
    return found, told


def _fork(*pipe: int) -> int:
    try:
        return os.fork()
    except OSError as problem:
        for end in pipe:
            os.close(end)
        raise _no_process(problem) from None


def _be_copy(found: Instances, program: str, seconds: int, room: int, pipe: int) -> NoReturn:
    """Be the copy that grounds: what is not noted in memory that both share goes through the pipe."""
    import pickle  # noqa: PLC0415

    try:
        _limit(seconds, room)
        told = _answer(lambda: _note(found, program))
        answer = pickle.dumps((told, found.rules, found.facts, found.shown))
        with os.fdopen(pipe, "wb") as out:
            out.write(answer)
    finally:
        os._exit(0)  # nothing of what the process was to do later is done twice


def _by_new_process(program: str, work: Work, most: int) -> tuple[Instances, dict[tuple[str, int], int]]:
    """Have another process ground; an error if it came to the end of what it may take."""
    import pickle  # noqa: PLC0415  # few games need them
    import subprocess  # noqa: PLC0415

    question = pickle.dumps((program, most, ceil(seconds_left()), limits().megabytes))
    start = f"import sys; sys.path[:] = {sys.path!r}; {_PROGRAM}"
    try:
        process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", start], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError as problem:
        raise _no_process(problem) from None
    try:
        answer, _ = process.communicate(question)
    finally:
        process.kill()
    if process.returncode != 0:
        raise _too_much(work)
    told = pickle.loads(answer)  # noqa: S301  # which our own process wrote
    if isinstance(told, Exception):
        raise told
    found, sizes = told
    return found, sizes


def _answer(make: Callable[[], object]) -> object:
    """What a process that grounds has to say: what it made, or why that cannot be; nothing where it had too little memory."""
    try:
        return make()
    except TooManyInstances as large:
        return large
    except LudariumError as problem:
        if isinstance(problem.__cause__, MemoryError):
            raise
        return LudariumError(str(problem))


def _no_process(problem: OSError) -> LudariumError:
    return LudariumError(f"no process can be started to ground the rules in: {problem}")


def _too_much(work: Work) -> LimitExceeded:
    told = f"to ground the rules takes more than {limits().seconds:g} seconds or {limits().megabytes} megabytes"
    return LimitExceeded("seconds", told, work.heaviest or "")


def _limit(seconds: int, room: int) -> None:
    """Have the system end this process when it has taken so much time, or has so many bytes."""
    with suppress(ImportError, ValueError, OSError):  # where the system knows no such limits
        resource = import_module("resource")
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_DATA, (room, room))


def serve() -> None:
    """Be the process that grounds: a program on standard input, its instances on standard output."""
    import pickle  # noqa: PLC0415

    program, most, seconds, megabytes = pickle.load(sys.stdin.buffer)  # noqa: S301  # from the process that asks
    _limit(seconds, (megabytes << 20) + _SPARE)
    sys.stdout.buffer.write(pickle.dumps(_answer(lambda: ground_here(program, most))))
