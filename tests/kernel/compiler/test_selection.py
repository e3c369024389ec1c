"""The place of a set bit, given by how many lie below it: both ways to find it are what plain Python says."""

import ctypes
import random

import llvmlite.binding as llvm
import pytest

from ludarium.kernel import nth, using
from ludarium.kernel.compiler.selection import COUNTED, SPREAD, nth_here
from ludarium.kernel.machine.engine import Code, compile_object
from tests.kernel.sources import module

PROBE = """
declare i64 @llvm.cttz.i64(i64, i1)
define i64 @entry0(i64 %bits, i64 %number) {
  %place = call i64 @nth(i64 %bits, i64 %number)
  ret i64 %place
}
@facts0 = constant [1 x i8] c"\\00"
"""
TEXT = """
@kernel
def f(bits: u64, number: i64) -> i64:
    return nth(bits, number)
"""


def asked():
    """Words of many kinds, and all numbers for which they have a bit, with some for which they have none."""
    rng = random.Random(5)
    words = [
        0,
        1,
        1 << 63,
        (1 << 64) - 1,
        0xFF,
        0xFF << 56,
        0x8080808080808080,
        *(1 << rng.randrange(64) for _ in range(20)),
    ]
    words += [rng.getrandbits(64) & rng.getrandbits(64) for _ in range(50)] + [rng.getrandbits(64) for _ in range(50)]
    return [(word, number) for word in words for number in (-(1 << 63), -1, *range(66), 256, (1 << 63) - 1)]


def expected(bits, number):
    places = [place for place in range(64) if bits >> place & 1]
    return places[number % 64] if number % 64 < len(places) else 64


def test_plain_python_counts_set_bits():
    assert all(nth(*each) == expected(*each) for each in asked())


@pytest.mark.parametrize("way", ["native", "check"])
def test_kernels_find_the_same_bits(way):
    with using(way):
        find = module(TEXT)["f"]
        assert [find(*each) for each in asked()] == [expected(*each) for each in asked()]


@pytest.mark.parametrize("level", [0, 3])
@pytest.mark.parametrize("definition", [COUNTED, SPREAD], ids=["counted", "spread"])
def test_each_way_finds_the_same_bits_whatever_the_processor(definition, level, tmp_path, monkeypatch):
    if definition is SPREAD and not llvm.get_host_cpu_features().get("bmi2"):
        pytest.skip("this processor does not spread bits")
    monkeypatch.setenv("LUDARIUM_CACHE", str(tmp_path))
    monkeypatch.setattr("ludarium.kernel.machine.engine.compile_object", lambda text, **_: compile_object(text, level))
    code = Code(["probe"], f"probe {level}", lambda: definition + PROBE, {}, {}, brief=True)
    find = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_uint64, ctypes.c_int64)(code.addresses[0])
    assert [find(*each) for each in asked()] == [expected(*each) for each in asked()]


@pytest.mark.parametrize(
    ("name", "spreads", "definition"),
    [("znver5", True, SPREAD), ("znver2", True, COUNTED), ("sandybridge", False, COUNTED), ("apple-m1", None, COUNTED)],
)
def test_bits_are_spread_where_the_processor_does_that_at_once(name, spreads, definition, monkeypatch):
    monkeypatch.setattr(llvm, "get_host_cpu_name", lambda: name)
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: {} if spreads is None else {"bmi2": spreads})
    nth_here.cache_clear()
    try:
        assert nth_here() == definition
    finally:
        monkeypatch.undo()
        nth_here.cache_clear()
