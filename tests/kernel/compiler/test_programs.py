"""Random kernel programs do the same as Python and as machine code."""

import random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ludarium.kernel import KernelError, using
from ludarium.kernel.compiler.arguments import python_caller
from ludarium.kernel.compiler.debug import as_python
from tests.kernel.programs import LIBRARY, Memory, Writer, forget, module, outcome

_few = settings(max_examples=60, suppress_health_check=list(HealthCheck), database=None)
_INTEGERS = [st.integers(0, n - 1) for n in range(1, 200)]
ALWAYS = (ZeroDivisionError, AssertionError)  # errors in release builds, too


def compared(pick, seed, *, safe, runs=4):
    """Write a program, run it both ways on a few inputs; False if it is no valid one."""
    text = LIBRARY + Writer(pick, safe=safe).program()
    try:
        scope = module(text)
        main = scope["main"]
        try:
            main.signature
            wrapping = as_python(main, wrap=True)
        except KernelError:
            return False
        for run in range(runs):
            memory = Memory(main, random.Random(seed + run))
            if safe:
                expected = outcome(from_python(main, wrapping), memory)
                way = "native"
                if not (expected[1] in ALWAYS or expected[0] is not type):
                    continue
            else:
                way = "check"
                with using("python"):
                    expected = outcome(main, memory)
            with using(way):
                got = outcome(main, memory)
            assert got == expected, f"run {run} with seed {seed} of\n{text}"
        return True
    finally:
        forget(scope)


def from_python(main, function):
    """A Python version of a kernel, called as a kernel is."""
    return python_caller(main, function, function.written)


def drawn(data, *, safe):
    """A program that hypothesis can make smaller."""

    def pick(n):
        return data.draw(_INTEGERS[n - 1])

    assume(compared(pick, data.draw(st.integers(0, 10**6)), safe=safe))


@pytest.mark.usefixtures("depth_for_compiling")
@_few
@given(st.data())
def test_python_equals_machine_code_with_checks(data):
    drawn(data, safe=False)


@pytest.mark.usefixtures("depth_for_compiling")
@_few
@given(st.data())
def test_python_that_wraps_equals_machine_code_in_release(data):
    drawn(data, safe=True)


@pytest.mark.parametrize("safe", [False, True])
@pytest.mark.parametrize("block", range(4))
def test_many_programs(block, safe):
    """Larger programs than hypothesis draws."""
    _run(range(50 * block, 50 * (block + 1)), safe=safe)


@pytest.mark.slow
@pytest.mark.parametrize("safe", [False, True])
@pytest.mark.parametrize("block", range(20))
def test_very_many_programs(block, safe):
    _run(range(1000 + 250 * block, 1000 + 250 * (block + 1)), safe=safe)


def _run(seeds, *, safe):
    valid = sum(compared(random.Random(seed).randrange, seed, safe=safe) for seed in seeds)
    assert valid > 0.8 * len(seeds), "most programs should be valid, or little is tested"
