"""Shared kernels: compiled once, linked by address, the same in every way of running; callers know what they write through."""

from __future__ import annotations

from array import array

import pytest

from ludarium.kernel import KernelError, Unit, constant, kernel, mode, u64, using
from ludarium.kernel.compiler import native
from ludarium.kernel.machine import engine

from .sources import module

RUNTIME = """
@shared
def fill(out: view[u64], count: i64) -> tuple[i64, bool]:
    work = array(u64, 1000)
    for k in range(count):
        work[k] = u64(k) * {factor}
        out[k] = work[k]
    return count, count > 3
"""
GAME = """
@kernel
def play{n}(out: view[u64], count: i64) -> i64:
    done, many = fill(out, count)
    return done * 10 + many + {n}

@kernel
def pick(f: fn[[view[u64], i64], tuple[i64, bool]], out: view[u64]) -> i64:
    done, many = f(out, 2)
    return done

@kernel
def refer(out: view[u64]) -> i64:
    return pick(fill, out)
"""


@pytest.fixture(params=["native", "check", "python"])
def way(request):
    with using(request.param):
        yield request.param


def load(factor=3, n=1):
    runtime = module(RUNTIME.format(factor=factor), "<shared runtime>")
    return runtime, module(GAME.format(n=n), f"<shared game {n}>", fill=runtime["fill"])


def test_a_shared_kernel_does_what_a_kernel_does(way):
    _, game = load()
    out = array("Q", bytes(80))
    assert game["play1"](out, 5) == 52
    assert list(out[:6]) == [0, 3, 6, 9, 12, 0]
    assert game["refer"](out) == 2


def test_its_text_is_lowered_once_and_not_again_for_each_game(monkeypatch):
    lowered = []
    usual = native.Module.writer

    def noted(self, k):
        lowered.append(k.name)
        return usual(self, k)

    monkeypatch.setattr(native.Module, "writer", noted)
    monkeypatch.setattr(engine.cache, "load", lambda key: None)
    runtime, _ = load(factor=17)
    for n in range(4):
        game = module(GAME.format(n=n), f"<shared game {n}>", fill=runtime["fill"])
        assert game[f"play{n}"](array("Q", bytes(80)), 2) == 20 + n
    assert lowered.count("fill") == 1
    assert sum(name.startswith("play") for name in lowered) == 4


def test_read_only_memory_is_refused_through_a_link(way):
    _, game = load()
    with pytest.raises(TypeError, match="argument 'out' of kernel 'play1' is written to"):
        game["play1"](memoryview(array("Q", bytes(80))).toreadonly(), 5)


def test_a_constant_cannot_be_passed_to_what_writes(way):
    runtime, _ = load()
    text = "@kernel\ndef wrong() -> i64:\n    done, many = fill(TABLE, 1)\n    return done\n"
    broken = module(text, fill=runtime["fill"], TABLE=constant(u64, [1, 2]))["wrong"]
    with pytest.raises(KernelError, match="this would write to a constant"):
        broken.unit(mode())


def test_errors_come_through_a_link_with_their_place():
    _, game = load()
    with using("check"), pytest.raises(IndexError, match="<shared runtime>:7:9: index outside 'out'"):
        game["play1"](array("Q", bytes(80)), 2000)


def test_a_runtime_that_changes_is_linked_anew_and_its_callers_keep_their_code():
    out = array("Q", bytes(80))
    keys = set()
    for factor in (5, 7):
        _, game = load(factor)
        game["play1"](out, 3)
        keys.add(game["play1"].unit("native").code.key)
        assert list(out[:3]) == [0, factor, 2 * factor]
    assert len(keys) == 1


def test_better_code_of_a_runtime_reaches_those_who_linked_to_it():
    runtime, game = load(factor=11)
    unit = runtime["fill"].unit("native")
    out = array("Q", bytes(80))
    game["play1"](out, 3)
    other = module(RUNTIME.format(factor=13), "<shared runtime>")["fill"].unit("native")
    unit.cells["fill"].value = other.addresses["fill"]
    game["play1"](out, 3)
    assert list(out[:3]) == [0, 13, 26]


def test_an_entry_may_be_shared_and_linked_to_in_one_unit(way):
    runtime, game = load()
    unit = Unit({"play1": game["play1"], "fill": runtime["fill"]})
    out = array("Q", bytes(80))
    assert (unit.call("play1", out, 5), unit.call("fill", out, 2)) == (52, (2, False))


def test_what_is_no_function_is_refused():
    with pytest.raises(TypeError, match="takes a Python function"):
        kernel(3)
