"""Calling kernels from Python: what fits is taken, what does not is refused, in every way to run kernels."""

import numpy as np
import pytest

from ludarium.core import Rng
from ludarium.kernel import Record, Stream, array, f64, fn, i64, kernel, u8, u64, using, view


@pytest.fixture(params=["native", "check", "python"], autouse=True)
def way(request):
    with using(request.param):
        yield request.param


class Pair(Record):
    """Two numbers."""

    a: u8
    b: f64


class Other(Record):
    """Something else."""

    a: i64
    b: i64


@kernel
def total(values: view[i64], weight: f64, up: bool, small: u8) -> f64:
    """Read only."""
    sum_ = 0.0
    for k in range(len(values)):
        sum_ += values[k] * weight
    return sum_ if up else -sum_ + small


@kernel
def fill(values: view[u64], pair: Pair, value: u64) -> None:
    """Write."""
    for k in range(len(values)):
        values[k] = value
    pair.a = 1


@kernel
def fill_below(values: view[u64], pair: Pair) -> None:
    """Write by way of another kernel, a slice and a second name."""
    part = values[1:]
    fill(part, pair, 7)


@kernel
def ask(f: fn[[u64], u64], x: u64) -> u64:
    """Call what is given."""
    return f(x)


@kernel
def half(x: u64) -> u64:
    """Halve."""
    return x >> 1


@kernel
def negative(x: i64) -> i64:
    """Another signature."""
    return -x


@kernel
def next_word(rng: Stream) -> u64:
    """Advance a generator."""
    rng.words[0] += 1
    return rng.words[0]


@pytest.mark.parametrize(
    ("args", "error", "message"),
    [
        ((np.zeros(3, np.int64), 1.0, True), TypeError, "takes 4 arguments, got 3"),
        (
            (np.zeros(3, np.int32), 1.0, True, 0),
            TypeError,
            "argument 'values' of kernel 'total' is a contiguous array of i64",
        ),
        ((np.zeros(3, np.uint64), 1.0, True, 0), TypeError, "a contiguous array of i64, not of format"),
        ((np.zeros(3), 1.0, True, 0), TypeError, "a contiguous array of i64, not of format 'd'"),
        ((np.zeros(6, np.int64)[::2], 1.0, True, 0), TypeError, "contiguous"),
        ((np.zeros(3, ">i8"), 1.0, True, 0), TypeError, "not of format '>q'"),
        (([1, 2], 1.0, True, 0), TypeError, r"is view\[i64\], not \[1, 2\]"),
        ((None, 1.0, True, 0), TypeError, r"is view\[i64\], not None"),
        ((np.zeros(3, np.int64), "1", True, 0), TypeError, "'weight' of kernel 'total' is f64, not '1'"),
        ((np.zeros(3, np.int64), None, True, 0), TypeError, "is f64, not None"),
        ((np.zeros(3, np.int64), 1.0, 2, 0), OverflowError, "2 does not fit bool"),
        ((np.zeros(3, np.int64), 1.0, "x", 0), TypeError, "is bool, not 'x'"),
        ((np.zeros(3, np.int64), 1.0, True, 256), OverflowError, "'small' of kernel 'total': 256 does not fit u8"),
        ((np.zeros(3, np.int64), 1.0, True, -1), OverflowError, "-1 does not fit u8"),
        ((np.zeros(3, np.int64), 1.0, True, 1.0), TypeError, "is u8, not 1.0"),
    ],
)
def test_calls_with_wrong_arguments(args, error, message):
    with pytest.raises(error, match=message):
        total(*args)


def test_calls_with_all_that_fits():
    numbers = [1, 2, 3]
    for values in (
        np.array(numbers),
        np.array(numbers, np.int64),
        memoryview(np.array(numbers)),
        np.array(numbers).reshape(1, 3),
    ):
        assert total(values, np.float64(2), np.True_, np.uint8(0)) == 12.0
    assert total(np.array([], np.int64), 1, False, 3) == 3.0


def test_calls_that_write_refuse_read_only_memory():
    pair, values = Pair(), np.zeros(3, np.uint64)
    frozen = values.copy()
    frozen.flags.writeable = False
    for writer, more in ((fill, [5]), (fill_below, [])):
        writer(values, pair, *more)
        with pytest.raises(TypeError, match="argument 'values' .* is written to, but this memory is read-only"):
            writer(frozen, pair, *more)
        with pytest.raises(TypeError, match="argument 'pair' .* read-only"):
            writer(values, bytes(Pair.size), *more)
    assert frozen.tolist() == [0, 0, 0]
    assert values.tolist() == [5, 7, 7]
    with pytest.raises(TypeError, match="'rng' .* read-only"):
        next_word(bytes(32))
    read_only = np.arange(3)
    read_only.flags.writeable = False
    assert total(read_only, 1.0, True, 0) == 3.0


def test_calls_with_records():
    values = np.zeros(1, np.uint64)
    with pytest.raises(TypeError, match="'pair' of kernel 'fill' is Pair, not <"):
        fill(values, Other(), 1)
    with pytest.raises(IndexError, match="a Pair takes 16 bytes, got 15"):
        fill(values, bytearray(15), 1)
    with pytest.raises(TypeError, match="is Pair, not 3"):
        fill(values, 3, 1)
    assert next_word(Rng(1)) == Rng(1).words[0] + 1


def test_calls_with_functions():
    assert ask(half, 9) == 4
    for wrong in (negative, 12345, None, len):
        with pytest.raises(TypeError, match=r"argument 'f' of kernel 'ask' is a kernel of type fn\[\[u64\], u64\]"):
            ask(wrong, 9)


class Holder(Record):
    """A function in memory."""

    ask: fn[[u64], u64]
    numbers = array(i64, 2)


@kernel
def ask_it(holder: Holder, x: u64) -> u64:
    """Call what a record holds."""
    return holder.ask(x)


def test_calls_of_nothing(way):
    holder = Holder()
    with pytest.raises(TypeError, match="there is no"):
        ask_it(holder, 1)
    holder.ask = 3 if way != "python" else 1 << 40
    with pytest.raises(TypeError, match="there is no"):
        ask_it(holder, 1)


@pytest.mark.parametrize("count", [0, 1, 7])
def test_calls_with_memory_of_any_alignment(count):
    block = bytearray(8 * 4 + 8)
    part = memoryview(block)[count : count + Pair.size]
    fill(np.zeros(1, np.uint64), part, 1)
    assert Pair(part).a == 1


@kernel
def read_float(pair: Pair) -> f64:
    """Read only."""
    return pair.b


def test_calls_that_read_take_bytes():
    pair = Pair()
    pair.b = 2.5
    assert read_float(bytes(pair.memory)) == 2.5
