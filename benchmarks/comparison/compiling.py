"""How long generated kernels take to compile, in CPU seconds: what is ours, and what is LLVM's.

LLVM's part is told by a clock around the functions of llvmlite, so little needs to be known of our compiler. New code runs
unoptimised; optimising begins in the background when that code has been in use for a while, in a process of its own.
"""

from __future__ import annotations

import importlib.util
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time
from typing import Any
from unittest.mock import patch

import llvmlite.binding as llvm
from comparison import generated
from comparison.work import wait_for_the_best_code

from ludarium.kernel import Unit

_LLVM = (
    (llvm, "parse_assembly"),
    (llvm, "create_lljit_compiler"),
    (llvm.TargetMachine, "emit_object"),
    (llvm.JITLibraryBuilder, "link"),
)
_PASSES = ((llvm.ModulePassManager, "run"),)
_OURS = ((Unit, "assembly"),)


@dataclass(frozen=True)
class FirstRun:
    """CPU seconds until kernels have run once: in all, to check and lower them, and in LLVM."""

    seconds: float
    lowering: float
    llvm: float
    optimises: bool
    """Whether LLVM optimised at once, as it does where that is little work."""

    @property
    def ours(self) -> float:
        """What is not LLVM's: to read, check and lower kernels, and to look for their code in the store."""
        return self.seconds - self.llvm


def first_run(text: str) -> FirstRun:
    """Write a module, import it, and compile and run its kernels, with an empty store of code."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LUDARIUM_CACHE"] = str(Path(folder) / "code")
        file = Path(folder) / "generated_kernels.py"
        file.write_text(text, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(file.stem, file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        with clock(_LLVM) as translating, clock(_PASSES) as passing, clock(_OURS) as lowering:
            started = process_time()
            module.run()
            seconds = process_time() - started
        return FirstRun(seconds, lowering[0], translating[0] + passing[0], passing[0] > 0)


@contextmanager
def clock(functions: Sequence[tuple[Any, str]]) -> Iterator[list[float]]:
    """Count the CPU seconds that functions take, of which none calls another."""
    taken = [0.0]
    with ExitStack() as stack:
        for owner, name in functions:
            stack.enter_context(patch.object(owner, name, _timed(getattr(owner, name), taken)))
        yield taken


def _timed(function: Any, taken: list[float]) -> Any:
    @wraps(function)
    def timed(*args: Any, **named: Any) -> Any:
        started = process_time()
        try:
            return function(*args, **named)
        finally:
            taken[0] += process_time() - started

    return timed


def optimising() -> float:
    """Wait for optimised code; the CPU seconds of the processes that made it."""
    before = getrusage(RUSAGE_CHILDREN)
    wait_for_the_best_code()
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def outside_llvm(kernels: int) -> float:
    """What we take to compile so many kernels."""
    return first_run(generated.kernels(kernels)).ours


def optimised(kernels: int) -> float:
    """All that it takes until the optimised code of so many kernels is in place."""
    began = process_time()
    first_run(generated.kernels(kernels))
    return optimising() + process_time() - began
