"""Bundles: the same in all three ways of running, safe against what Python fills in, and methods and several results."""

from __future__ import annotations

import gc
from array import array as words

import pytest

from ludarium.core import Rng
from ludarium.kernel import (
    Bundle,
    KernelError,
    Record,
    Stream,
    below,
    f64,
    fn,
    i64,
    kernel,
    mode,
    u8,
    u64,
    using,
    view,
    zeros,
)

from .sources import module


class Cell(Record):
    worth: i64
    name: u8


class Inner(Bundle):
    bits: view[u64]


class Work(Bundle):
    cells: view[Cell]
    root: view[u8]
    best: Cell
    inner: Inner
    judge: fn[[i64, f64], i64]
    rng: Stream
    any: Bundle
    count: i64
    small: u8
    done: bool

    @kernel
    def bump(self: Work, by: i64) -> i64:
        self.count += by
        return self.count


@kernel
def half(x: i64, y: f64) -> i64:
    return x // 2 + i64(y)


@kernel
def split(x: i64) -> tuple[i64, bool, f64]:
    return x + 1, x > 3, f64(x) / 2.0


@kernel
def use(work: Work, k: i64) -> i64:
    cells = work.cells
    cells[k].worth = work.judge(10 * k, 0.5)
    work.best.worth = cells[k].worth + work.root[0]
    work.inner.bits[0] |= u64(1) << k
    work.done = k == 1
    again = Inner.of(work.any)
    return work.bump(3) + i64(again.bits[0]) + below(work.rng, 5)


@kernel
def through(work: Work, k: i64) -> i64:
    return use(work, k)


@kernel
def several(k: i64) -> i64:
    a, large, x = split(k)
    b, c = a, k
    b, c = c, b
    return 100 * b + c + i64(x) + large


@kernel
def pass_on(k: i64) -> tuple[i64, bool, f64]:
    return split(k)


@pytest.fixture(params=["native", "check", "python"], autouse=True)
def way(request):
    with using(request.param):
        yield request.param


def work(**other):
    inner = Inner(bits=words("Q", [0]))
    given = {
        "cells": bytearray(3 * Cell.size),
        "root": b"\5",
        "inner": inner,
        "judge": half,
        "rng": Rng(1),
        "any": inner,
    }
    return Work(**{**given, **other})


def test_kernels_read_and_write_through_every_kind_of_field():
    made = work()
    assert use(made, 1) == 3 + 2 + 3  # the third is drawn from the generator
    assert (made.cells[1].worth, made.best.worth, made.inner.bits[0]) == (5, 10, 2)
    assert (made.count, made.done, made.small) == (3, True, 0)


def test_a_generator_is_drawn_from_where_it_lies():
    rng, same = Rng(7), Rng(7)
    use(work(rng=rng), 1)
    same.below(5)
    assert rng.words == same.words


def test_what_grows_is_filled_in_again():
    made = work()
    use(made, 2)
    made.grow("cells", 10)
    assert (len(made.cells), made.cells[2].worth, made.cells[9].worth) == (10, 10, 0)
    use(made, 9)
    assert made.cells[9].worth == 45


def test_memory_cannot_move_while_a_bundle_leads_to_it():
    memory = bytearray(3 * Cell.size)
    made = work(cells=memory)
    with pytest.raises(BufferError):
        memory += b"more"
    made.fill(cells=bytearray(Cell.size))
    memory += b"more"


def test_a_bundle_keeps_what_it_leads_to():
    made = work(cells=bytearray(3 * Cell.size), inner=Inner(bits=words("Q", [0])))
    gc.collect()
    use(made, 1)
    assert made.inner.bits[0] == 2


def test_read_only_memory_is_refused_where_it_is_written_to_and_nowhere_else():
    with pytest.raises(TypeError, match=r"argument 'work' of kernel 'through': 'cells' is written to, .* read-only"):
        through(work(cells=bytes(3 * Cell.size)), 1)
    with pytest.raises(TypeError, match=r"'inner.bits' is written to"):
        through(work(inner=Inner(bits=memoryview(words("Q", [0])).toreadonly())), 1)


def test_indices_are_checked(way):
    if way != "native":
        with pytest.raises(IndexError):
            use(work(), 3)


def test_a_bundle_of_any_kind_is_told_by_its_tag():
    with pytest.raises(TypeError, match="this bundle is no Inner"):
        use(work(any=work()), 1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"cells": words("q", [1])}, r"'cells' of a Work is a contiguous array of Cell"),
        ({"inner": work}, r"'inner' of a Work is a Inner, not"),
        ({"judge": split}, r"'judge' of a Work is a kernel of type fn\[\[i64, f64\], i64\]"),
        ({"sells": b""}, r"Work has no field 'sells'; it has cells, root"),
        ({"best": bytearray(3)}, "a Cell takes 16 bytes, got 3"),
    ],
)
def test_what_does_not_fit_a_field_is_refused(given, message):
    with pytest.raises((TypeError, IndexError), match=message):
        work(**given)


def test_everything_that_leads_somewhere_is_given():
    with pytest.raises(TypeError, match=r"a Inner is made with bits=..., which is view\[u64\]"):
        Inner()


def test_a_kernel_takes_its_own_bundle_only():
    with pytest.raises(TypeError, match="argument 'work' of kernel 'use' is a Work, not"):
        use(Inner(bits=words("Q", [0])), 1)


def test_several_results_come_as_a_tuple():
    assert [several(k) for k in (1, 9)] == [100 + 2 + 0 + 0, 900 + 10 + 4 + 1]
    assert split(5) == pass_on(5) == (6, True, 2.5)
    assert [type(each) for each in split(5)] == [int, bool, float]


def test_methods_can_be_called_from_python():
    made = work()
    made.bump(4)
    assert made.count == 4


_SHAPES = """
class In(Bundle):
    bits: view[u64]
class Box(Bundle):
    bits: view[u64]
    inner: In
    count: i64
class Cell(Record):
    worth: i64
@kernel
def two() -> tuple[i64, f64]:
    return 1, 2.0
@kernel
def main(box: Box, any: Bundle, k: i64) -> i64:
    {body}
    return 0
"""


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("box.bits = box.inner.bits", "'box.bits' is filled in by Python; kernels cannot replace it"),
        ("box.inner = In.of(any)", "'box.inner' is filled in by Python"),
        ("b = Box()", "a Box is made in Python; Box.of\\(bundle\\) says that a bundle is one"),
        ("b = Box.of(box)", "Box cannot become a Box; a Bundle of any kind can"),
        ("box.none = 1", "Box has no field 'none'; it has bits, inner, count"),
        ("box.none()", "Box has no field 'none'"),
        ("any.bits[0] = 1", "Bundle has no field 'bits'"),
        ("copy(box, box)", "copy takes two records or two views"),
        ("a = two()", "'two\\(\\)' gives 2 values; write 'a, b = ...'"),
        ("a, b, c = two()", "2 values for 3 names"),
        ("a, b = k", "this is i64, not 2 values"),
        ("a, box.count = two()", "several values are assigned to as many names"),
        ("a, b = box, k", "several values at once are numbers"),
        ("return 1, 2", "this kernel returns i64, not 2 values"),
    ],
)
def test_misuse_is_a_kernel_error(body, message):
    with pytest.raises(KernelError, match=message):
        module(_SHAPES.format(body=body))["main"].unit(mode())


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("size: i64", "a field cannot be called 'size'; bundles use that name themselves"),
        ("x: int", "is not a type that can be used here"),
        ("x: view[In]", "is not a type that can be used here"),
    ],
)
def test_fields_that_cannot_be_are_refused(field, message):
    text = f"class In(Bundle):\n    a: i64\nclass Box(Bundle):\n    {field}\n"
    with pytest.raises(KernelError, match=message):
        module(text)


def test_two_bundles_that_differ_in_a_field_have_different_machine_code():
    text = """
class Box(Bundle):
    {fields}
    bits: view[u64]
@kernel
def main(box: Box) -> i64:
    return box.a * 10 + box.b
"""
    for fields, expected in (("a: i64\n    b: i64", 12), ("b: i64\n    a: i64", 12)):
        scope = module(text.format(fields=fields), "<two bundles>")
        assert scope["main"](scope["Box"](bits=zeros(u64, 1), a=1, b=2)) == expected


def test_a_method_that_changes_changes_the_kernels_that_call_it():
    text = """
class Box(Bundle):
    a: i64
    @kernel
    def worth(self: Box) -> i64:
        return self.a * {factor}
@kernel
def main(box: Box) -> i64:
    return box.worth()
"""
    for factor in (2, 3):
        scope = module(text.format(factor=factor), "<a method>")
        assert scope["main"](scope["Box"](a=7)) == 7 * factor
