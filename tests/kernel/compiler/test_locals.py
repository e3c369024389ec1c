"""Locals that are assigned once are values; only what changes lies in memory."""

import ast
import re

import pytest

from ludarium.kernel import using
from ludarium.kernel.compiler.source import times_assigned
from ludarium.kernel.machine import engine
from tests.kernel.sources import module

TEXT = """
@kernel
def f(count: i64, v: view[u8], doubled: bool, small: u8, high: i64) -> i64:
    total = 0
    cut = u8(count + 250)
    for k in range(count):
        here = v[k % len(v)] + k
        if doubled:
            part = 2 * here
        else:
            part = here + small
        while part > high:
            part -= high
        total += part + cut
        if total > 1000:
            high += 1
    while True:
        last = total % 7
        if last < 5:
            found = last
            break
        total += 1
    return 1000 * total + found

@kernel
def swap(a: i64, b: i64) -> i64:
    c, d = b, a
    a, b = b, a
    e = a
    a = 5
    return 1000 * c + 100 * d + 10 * e + b
"""


@pytest.mark.parametrize("way", ["native", "check"])
@pytest.mark.parametrize("doubled", [False, True])
def test_values_are_those_of_plain_python(way, doubled):
    kernels = module(TEXT)
    asked = [(5, b"abc", doubled, 7, 50), (0, b"x", doubled, 255, 9), (40, bytes(range(200, 256)), doubled, 1, 90)]
    with using("python"):
        expected = [kernels["f"](*each) for each in asked]
    with using(way):
        assert [kernels["f"](*each) for each in asked] == expected
        assert kernels["swap"](1, 2) == 2121


def test_only_what_changes_takes_room_in_memory():
    text = module(TEXT)["f"].unit("native").assembly()
    room = {
        name for name in ("total", "part", "high", "count", "v", "doubled", "here", "last") if f"%v.{name} =" in text
    }
    assert room == {"total", "part", "high"}


def test_values_of_a_loop_keep_the_order_of_the_text():
    text = """
@kernel
def mixed(v: view[u8], count: i64) -> i64:
    apple, pear, plum = i64(v[0]), i64(v[1]), i64(v[2])
    while count > 0:
        apple, pear, plum = (pear * 3) ^ plum, plum * 5 + apple, apple * 7 - pear
        count -= 1
    return apple + 2 * pear + 3 * plum
"""
    optimised = _optimised(module(text)["mixed"].unit("native").assembly())
    assert re.findall(r"%v\.(apple|pear|plum)\S* = phi", optimised)[:3] == ["apple", "pear", "plum"]


def _optimised(text: str) -> str:
    import llvmlite.binding as llvm

    machine = engine._machine(engine.FULL_LEVEL)
    made = llvm.parse_assembly(text, llvm.create_context())
    made.triple, made.data_layout = machine.triple, str(machine.target_data)
    builder = llvm.create_pass_builder(machine, llvm.PipelineTuningOptions(speed_level=engine.FULL_LEVEL))
    builder.getModulePassManager().run(made, builder)
    return str(made)


def test_all_ways_to_assign_are_counted():
    text = """
a = 1
b, c = a, a
for d in range(3):
    e: int = d
    if e:
        b = 2
    else:
        while True:
            f += 1
match a:
    case 1:
        g = 1
    case _:
        g = x[a] = 2
"""
    assert times_assigned(ast.parse(text).body) == {"a": 1, "b": 2, "c": 1, "d": 1, "e": 1, "f": 2, "g": 2}
