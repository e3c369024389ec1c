"""What is wrong with a kernel is said before it runs: the file, the line, the column and a sentence."""

import ast
import inspect
import os
import random
import re
import subprocess
import sys
import textwrap
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludarium.core import BadParameter
from ludarium.kernel import KernelError, array, i64, kernel, u8, using
from tests.kernel import programs
from tests.kernel.sources import module

SOURCE = """
class Point(Record):
    x: i32
    cells = array(u8, 4)

TABLE = constant(u8, [1, 2, 3])
LISTED = data("listed", u8, b"123")
BIG = 1 << 40
NAMES = ["a"]

@kernel
def helper(a: i64, b: view[u8]) -> i64:
    b[0] = 1
    return a

@kernel
def nothing(a: i64) -> None:
    pass

@kernel
def main({params}) -> {result}:
{body}
"""
FIRST = SOURCE[: SOURCE.index("{body}")].count("\n") + 1


def broken(body, params="a: i64, v: view[u8], p: Point, u: u64, x: f64, q: bool", result="None"):
    """The complaint about a kernel."""
    scope = module(SOURCE.format(params=params, result=result, body=textwrap.indent(textwrap.dedent(body), "    ")))
    complaints = []
    for way in ("python", "check", "native"):
        with using(way), pytest.raises(KernelError) as caught:
            scope["main"]()
        complaints.append(str(caught.value))
    assert len(set(complaints)) == 1
    return caught.value


STATEMENTS = [
    ("try:\n    pass\nfinally:\n    pass", 1, 1, "kernels cannot use 'try' statements"),
    ("with open('x'):\n    pass", 1, 1, "'with'"),
    ("while a > 0:\n    a -= 1\nelse:\n    pass", 4, 5, "'else' on loops"),
    ("for k in range(3):\n    pass\nelse:\n    pass", 4, 5, "'else' on loops"),
    ("global z", 1, 1, "'global'"),
    ("del a", 1, 1, "'del'"),
    ("import os", 1, 1, "'import'"),
    ("from os import path", 1, 1, "'from'"),
    ("def inner():\n    pass", 1, 1, "'def'"),
    ("class Inner:\n    pass", 1, 1, "'class'"),
    ("raise ValueError('x')", 1, 1, "'raise'"),
    ("match x:\n    case 1:\n        pass", 1, 7, "'match' is over an integer, not f64"),
    ("match q:\n    case 1:\n        pass", 1, 7, "not bool"),
    ("match v:\n    case 1:\n        pass", 1, 7, r"not view\[u8\]"),
    ("match a, a:\n    case 1:\n        pass", 1, 7, "Tuple"),
    ("match a:\n    case 1 if q:\n        pass", 2, 15, "a case has no condition"),
    ("match a:\n    case BIG:\n        pass", 2, 10, "'BIG' would be a new name"),
    ("match a:\n    case 1 | 2 as z:\n        pass", 2, 10, "'z' would be a new name"),
    ("match a:\n    case 1.5:\n        pass", 2, 10, "a case is an integer, .* not '1.5'"),
    ("match a:\n    case 'x':\n        pass", 2, 10, "not 'x'"),
    ("match a:\n    case True:\n        pass", 2, 10, "not 'True'"),
    ("match a:\n    case None:\n        pass", 2, 10, "not 'None'"),
    ("match a:\n    case [1]:\n        pass", 2, 10, r"not '\[1\]'"),
    ("match a:\n    case {1: 2}:\n        pass", 2, 10, "not '{1: 2}'"),
    ("match a:\n    case Point():\n        pass", 2, 10, r"not 'Point\(\)'"),
    ("match a:\n    case p.x:\n        pass", 2, 10, "not 'p.x'"),
    (
        "match a:\n    case Point.size | 99 | 3:\n        pass\n    case 98 | 99:\n        pass",
        4,
        15,
        "a case for 99 already",
    ),
    ("match u:\n    case 0 | -1:\n        pass", 2, 14, "-1 does not fit u64, which this 'match' is over"),
    ("match a:\n    case 1:\n        z = 1\ny = z", 4, 5, "'z' may be read"),
    ("match a:\n    case 1:\n        z = 1\n    case 2:\n        z = 2\ny = z", 6, 5, "'z' may be read"),
    ("match a:\n    case 1:\n        z = 1\n    case _:\n        pass\ny = z", 6, 5, "'z' may be read"),
    ("yield 1", 1, 1, r"kernels cannot use '\(yield 1\)'"),
    ("a + 1", 1, 1, "no effect"),
    ("a, u = u, a", 1, 8, "'a' is i64, but this is u64"),
    ("(z, y) = v", 1, 10, "this is view\\[u8\\], not 2 values"),
    ("z = y = 1", 1, 1, "one target at a time"),
    ("z: i64", 1, 1, "gives it a value"),
    ("p.x: i64 = 1", 1, 1, "names a local"),
    ("for k in v:\n    pass", 1, 10, r"range\(...\) only"),
    ("for k, j in range(3):\n    pass", 1, 5, "one name"),
    ("for k in range():\n    pass", 1, 10, "one to three values"),
    ("for k in range(1, 2, 3, 4):\n    pass", 1, 10, "one to three values"),
    ("for k in range(0, 9, a):\n    pass", 1, 22, "a constant other than 0"),
    ("for k in range(0, 9, 0):\n    pass", 1, 22, "a constant other than 0"),
    ("for k in range(x):\n    pass", 1, 16, "a bound of range is i64, but this is f64"),
    ("for u in range(3):\n    pass", 1, 5, "'u' is u64, a loop variable is i64"),
    ("return 1", 1, 1, "returns None"),
    ("assert a > 0, a", 1, 15, "plain string"),
    ("for k in range(3):\n    z = array(u8, 4)\n    y = z[1:]", 3, 9, "made anew in each round"),
]
EXPRESSIONS = [
    ("z = undefined", 1, 5, "'undefined' is not defined"),
    ("z = math.pi", 1, 5, "'math.pi' is not defined"),
    ("z = undefined(a)", 1, 5, "'undefined' is not defined"),
    ("if a > 0:\n    z = 1\ny = z", 3, 5, "'z' may be read before it is assigned"),
    ("for k in range(a):\n    z = 1\ny = z", 3, 5, "'z' may be read"),
    ("while a > 0:\n    z = 1\n    break\ny = z", 4, 5, "'z' may be read"),
    ("z = z + 1", 1, 5, "'z' may be read"),
    ("z += 1", 1, 1, "'z' may be read"),
    ("z = 'text'", 1, 5, "not 'text'"),
    ("z = None", 1, 5, "not None"),
    ("z = 1j", 1, 5, "not 1j"),
    ("z = ...", 1, 5, "not Ellipsis"),
    ("z = b'x'", 1, 5, "not b'x'"),
    ("z = f'{a}'", 1, 5, "JoinedStr"),
    ("z = [1, 2]", 1, 5, "List"),
    ("z = {1: 2}", 1, 5, "Dict"),
    ("z = [k for k in range(3)]", 1, 5, "ListComp"),
    ("z = lambda: 1", 1, 5, "Lambda"),
    ("z = (y := 1)", 1, 6, "NamedExpr"),
    ("z = 1 << 64", 1, 10, "a shift goes from 0 to 63, not by 64"),
    ("z = a << 64", 1, 10, "a shift goes from 0 to 63, not by 64"),
    ("z = a >> -1", 1, 10, "not by -1"),
    ("z = 2**64", 1, 5, "18446744073709551616 does not fit 64 bits"),
    ("z = -2**63 - 1", 1, 5, "does not fit 64 bits"),
    ("z = 9**999999999999", 1, 5, "does not fit 64 bits"),
    ("z = (-8) ** 0.5", 1, 5, "not .*j"),
    ("z = 1 // 0", 1, 5, "zero"),
    ("z = 1 / 0", 1, 5, "zero"),
    ("z = ~1.5", 1, 5, "bad operand"),
    ("z = a ** 2", 1, 5, r"no operator '\*\*'"),
    ("z = a @ a", 1, 5, "no operator '@'"),
    ("z = a + u", 1, 5, r"'\+' mixes i64 and u64"),
    ("z = a < u", 1, 5, "a comparison mixes i64 and u64"),
    ("z = max(a, u)", 1, 5, "'max' mixes"),
    ("z = u - -1", 1, 9, "-1 does not fit"),
    ("z = x // 2", 1, 5, "takes integers, not f64"),
    ("z = x & 1", 1, 5, "takes integers, not f64"),
    ("z = x << 1", 1, 5, "takes integers, not f64"),
    ("z = ~x", 1, 5, "takes integers"),
    ("z = -v", 1, 6, r"takes numbers, not view\[u8\]"),
    ("z = v + 1", 1, 5, "takes numbers, not view"),
    ("z = p == p", 1, 5, "takes numbers, not Point"),
    ("z = a in v", 1, 5, "compare numbers with"),
    ("z = a is a", 1, 5, "compare numbers with"),
    ("z = a and q", 1, 5, "join bools; this is i64"),
    ("z = q or x", 1, 10, "join bools; this is f64"),
    ("z = v if q else v", 1, 5, "takes numbers"),
    ("if v:\n    pass", 1, 4, "a condition is a bool or a number, not view"),
    ("z = nothing(1)", 1, 5, "gives no value"),
    ("z = nothing(1) + 1", 1, 5, "takes numbers, not None"),
    ("z: u8 = 256", 1, 9, "256 does not fit 'z', which is u8"),
    ("z: u8 = 1\nz: i8 = 1", 2, 1, "'z' is u8 already"),
    ("z: f32 = 1", 1, 4, "no type: name 'f32' is not defined"),
    ("z: int = 1", 1, 4, "int: <class 'int'> is not a type"),
    ("z: None = nothing(1)", 1, 4, "None is not a type"),
    ("z: view[u8] = a", 1, 15, r"'z' is view\[u8\], but this is i64"),
    ("z = 1\nz = x", 2, 5, r"'z' is i64, but this is f64; convert it with i64\(...\)"),
    ("z = u\nz = a", 2, 5, "'z' is u64, but this is i64"),
    ("a = v", 1, 5, "'a' is i64, but this is view"),
    ("a = True\nq = 1", 2, 5, "'q' is bool, but this is i64"),
    ("v[0] = 256", 1, 8, "256 does not fit 'v\\[0\\]', which is u8"),
    ("v[0] = x", 1, 8, "'v\\[0\\]' is u8, but this is f64"),
    ("v[x] = 1", 1, 3, "an index is an integer, not f64"),
    ("v[q] = 1", 1, 3, "an index is an integer, not bool"),
    ("v[0:1] = 1", 1, 1, "a slice cannot be assigned"),
    ("z = v[0:4:2]", 1, 11, "slices have no step"),
    ("z = v[x:]", 1, 7, "a bound of a slice is i64"),
    ("z = a[0]", 1, 5, "i64 cannot be indexed"),
    ("z = a[0:1]", 1, 5, "i64 cannot be sliced"),
    ("z = p.cells[4]", 1, 13, r"index 4 is outside array\(u8, 4\)"),
    ("z = p.cells[-1]", 1, 13, "index -1 is outside"),
    ("z = TABLE[3]", 1, 11, "index 3 is outside"),
    ("z = p.y", 1, 5, "Point has no field 'y'; it has x, cells"),
    ("z = a.y", 1, 5, "i64 has no field 'y'"),
    ("p.cells = p.cells", 1, 1, r"cannot be assigned; use copy\(target, source\)"),
    ("p.x = p", 1, 7, "'p.x' is i32, but this is Point"),
    ("TABLE[0] = 1", 1, 1, "would write to a constant"),
    ("z = TABLE\nz[0] = 1", 2, 1, "would write to a constant"),
    ("LISTED[0] = 1", 1, 1, "would write to a constant"),
    ("copy(TABLE, v)", 1, 1, "would write to a constant"),
    ("helper(1, TABLE)", 1, 11, "would write to a constant"),
    ("helper(1, LISTED[1:])", 1, 11, "would write to a constant"),
    ("BIG = 1\nz = BIG + u", 2, 5, "mixes i64 and u64"),
    ("z = BIG.y", 1, 5, "'BIG.y' is not defined"),
    ("BIG.y = 1", 1, 1, "'BIG.y' is not defined"),
    ("z = NAMES", 1, 5, "'NAMES' is a list; kernels can use"),
    ("z = len", 1, 5, "'len' is a builtin_function_or_method"),
    ("z = int(x)", 1, 5, "'int' is a type"),
    ("z = print(x)", 1, 5, "'print' is a builtin"),
    ("z = NAMES()", 1, 5, "'NAMES' is a list"),
    ("z = a(1)", 1, 5, "'a' cannot be called"),
    ("z = v[0](1)", 1, 5, r"'v\[0\]' cannot be called"),
    ("z = helper(1)", 1, 5, "'helper' takes 2 arguments, got 1"),
    ("z = helper(1, v, v)", 1, 5, "'helper' takes 2 arguments, got 3"),
    ("z = helper(x, v)", 1, 12, "argument 1 of 'helper' is i64, but this is f64"),
    ("z = helper(1, p)", 1, 15, "argument 2 of 'helper' is view\\[u8\\], but this is Point"),
    ("z = helper(1, b=v)", 1, 17, "positional arguments"),
    ("z = helper(*v)", 1, 5, "takes 2 arguments, got 1"),
    ("z = helper(1, *v)", 1, 15, "Starred"),
    ("z = u8()", 1, 5, "'u8' takes 1 argument, got 0"),
    ("z = u8(v)", 1, 5, r"view\[u8\] cannot become u8"),
    ("z = sqrt(v)", 1, 10, "what 'sqrt' takes is f64, but this is view"),
    ("z = popcount(x)", 1, 14, "what 'popcount' takes is i64, but this is f64"),
    ("z = nth(a, 1)", 1, 9, "what 'nth' takes is u64, but this is i64"),
    ("z = nth(u, x)", 1, 12, "what 'nth' takes is i64, but this is f64"),
    ("z = nth(u)", 1, 5, "'nth' takes 2 arguments, got 1"),
    ("z = mulhi(a, u)", 1, 11, "what 'mulhi' takes is u64, but this is i64"),
    ("z = min(1)", 1, 5, "'min' takes two numbers or more"),
    ("z = abs(p)", 1, 9, "'abs' takes numbers"),
    ("z = len(a)", 1, 5, "len takes a view or an array"),
    ("z = array(u8, a)", 1, 15, "the length of an array is a constant from 1 on"),
    ("z = empty(u8, a)", 1, 15, "the length of an array is a constant from 1 on"),
    ("z = array(u8, 0)", 1, 15, "the length of an array"),
    ("z = array(u8, 1.5)", 1, 15, "the length of an array"),
    ("z = array(view[u8], 3)", 1, 11, "not a type that can be used here"),
    ("z = array(nowhere, 3)", 1, 11, "no type: name 'nowhere' is not defined"),
    ("z = array(u8, 2000000)", -1, 1, "local arrays take 2000000 bytes"),
    ("z = Point(1)", 1, 11, r"the memory of a Point is view\[u8\], but this is i64"),
    ("z = Point(v, v)", 1, 5, "'Point' takes 1 argument, got 2"),
    ("z = recast(u64, p)", 1, 17, r"what is recast is view\[u8\]"),
    ("copy(v, p)", 1, 1, "copy takes two records or two views of the same type"),
    ("copy(a, a)", 1, 1, "copy takes two"),
    ("copy(p.cells, p)", 1, 1, "copy takes two"),
]


@pytest.mark.parametrize(("body", "line", "column", "message"), STATEMENTS + EXPRESSIONS)
def test_what_is_wrong_is_said_with_its_place(body, line, column, message):
    problem = broken(body)
    assert re.search(message, problem.message)
    assert str(problem) == f"{problem.file}:{problem.line}:{problem.column}: {problem.message}"
    if line > 0:
        assert (problem.line, problem.column) == (FIRST + line - 1, column + 4)


SIGNATURES = [
    ("a", "None", "argument 'a' of kernel 'main' has no type; write 'a: i64', say"),
    ("a: i64 = 1", "None", "without defaults"),
    ("*a: i64", "None", "plain positional arguments"),
    ("**a: i64", "None", "plain positional arguments"),
    ("*, a: i64", "None", "plain positional arguments"),
    ("a: i64, /", "None", "plain positional arguments"),
    ("a: int", "None", "is not a type that can be used here"),
    ("a: None", "None", "is not a type that can be used here"),
    ("a: array(u8, 3)", "None", "is not a type that can be used here"),
    ("a: nowhere", "None", "name 'nowhere' is not defined"),
    ("a: view[view[u8]]", "None", "is not a type that can be used here"),
    ("a: view[3]", "None", "is not a type that can be used here"),
    ("a: fn[[i64]]", "None", "no type"),
    ("a: fn[[int], None]", "None", "is not a type"),
    ("a: 'i64 +'", "None", "no type"),
    ("a: i64", "Point", "is not a type that can be used here"),
    ("a: i64", "view[u8]", "is not a type that can be used here"),
    ("a: i64", "i64", "kernel 'main' can end without returning a i64"),
]


@pytest.mark.parametrize(("params", "result", "message"), SIGNATURES)
def test_what_is_wrong_with_a_signature(params, result, message):
    assert message in broken("pass", params, result).message


def test_a_kernel_says_what_it_returns():
    scope = module("@kernel\ndef f(a: i64):\n    pass\n")
    with pytest.raises(KernelError, match=r"<test \d+>:2:1: kernel 'f' does not say what it returns"):
        scope["f"](1)


@pytest.mark.parametrize(
    ("body", "good"),
    [
        ("while True:\n    if a > 3:\n        return 1\n    a += 1", True),
        ("while a > 0:\n    return 1", False),
        ("if a > 0:\n    return 1\nelse:\n    return 2", True),
        ("if a > 0:\n    return 1", False),
        ("for k in range(3):\n    return 1", False),
        ("if True:\n    return 1", True),
        ("assert False", True),
        ("while True:\n    if a > 0:\n        break", False),
    ],
)
def test_every_way_through_a_kernel_returns(body, good):
    if good:
        text = SOURCE.format(params="a: i64", result="i64", body=textwrap.indent(body, "    "))
        assert callable(module(text)["main"].python)
    else:
        assert "can end without returning" in broken(body, "a: i64", "i64").message


def test_recursion():
    assert "'main' leads back to itself (main -> main)" in broken("main(a)", "a: i64").message
    scope = module(
        "@kernel\ndef a(x: i64) -> i64:\n    return b(x)\n\n"
        "@kernel\ndef b(x: i64) -> i64:\n    return c(x)\n\n"
        "@kernel\ndef c(x: i64) -> i64:\n    return b(x - 1)\n"
    )
    with pytest.raises(KernelError, match=r">:11:12: 'b' leads back to itself \(b -> c -> b\); .* stack in an array"):
        scope["a"](1)


def test_a_kernel_that_is_its_own_argument_is_recursion():
    scope = module(
        "@kernel\ndef run(f: fn[[i64], i64], x: i64) -> i64:\n    return f(x)\n\n"
        "@kernel\ndef loop(x: i64) -> i64:\n    return run(loop, x)\n"
    )
    with pytest.raises(KernelError, match="'loop' leads back to itself"):
        scope["loop"](1)


def test_many_paths_through_the_calls_are_checked_once():
    text = "@kernel\ndef f0(x: i64) -> i64:\n    return x\n"
    for k in range(1, 60):
        text += f"@kernel\ndef f{k}(x: i64) -> i64:\n    return f{k - 1}(x) + f{k - 1}(x)\n"
    with using("python"):
        assert callable(module(text)["f59"].python)


def test_source_that_cannot_be_read():
    scope = {"kernel": kernel, "i64": i64}
    exec("@kernel\ndef f(a: i64) -> i64:\n    return a\n", scope)
    with pytest.raises(KernelError, match="<string>:1:1: the source of kernel 'f' cannot be read"):
        scope["f"](1)


def test_only_plain_functions_are_kernels():
    with pytest.raises(TypeError, match="takes a Python function"):
        kernel(print)
    with pytest.raises(KernelError, match="a kernel is a plain function"):
        module("f = kernel(lambda a: a)\n")["f"](1)
    with pytest.raises(KernelError, match="a kernel is a plain function"):
        module("@kernel\nasync def f(a: i64) -> i64:\n    return a\n")["f"](1)


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("x: int", "x: <class 'int'> is not a type"),
        ("x: nowhere", "name 'nowhere' is not defined"),
        ("x: view[u8]", "is not a type that can be used here"),
        ("x: None", "is not a type"),
        ("size: i64", "a field cannot be called 'size'"),
        ("memory: i64", "a field cannot be called 'memory'"),
    ],
)
def test_records(field, message):
    with pytest.raises((KernelError, NameError), match=message) as caught:
        module(f"\n\nclass Wrong(Record):\n    {field}\n")
    if isinstance(caught.value, KernelError):
        assert (caught.value.line, "record 'Wrong': " in caught.value.message) == (3, True)


def test_arrays_and_constants_are_checked_where_they_are_made():
    with pytest.raises(TypeError, match="a length is a whole number from 1 on"):
        array(u8, 0)
    with pytest.raises(TypeError, match="is not a type that can be used here"):
        array(int, 3)
    with pytest.raises(ValueError, match="a constant of u8"):
        module("TABLE = constant(u8, [256])")


def test_the_way_to_run_kernels_is_checked():
    with pytest.raises(BadParameter, match="is 'fast'; expected one of native, check, python"), using("fast"):
        pass
    command = [sys.executable, "-c", "import ludarium.kernel"]
    done = subprocess.run(
        command, env={**os.environ, "LUDARIUM_KERNEL": "fast"}, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert done.stderr.endswith("LUDARIUM_KERNEL is 'fast'; expected one of native, check, python\n")


# Fuzzing: whatever is written as a kernel either compiles or is a KernelError

_few = settings(max_examples=40, suppress_health_check=list(HealthCheck), database=None)
_PIECES = [
    "undefined", "None", "'text'", "1.5", "-1", "2**63", "2**64", "True", "v0", "cell", "pair.minis", "bump", "kernel", "u8", "Cell",
    "DIGITS", "LISTED", "cells[0]", "[]", "lambda: 1", "cell.row[1:2]", "len(v0)", "array(u8, 3)", "Cell()", "x0", "narrow", "1 // 0", "math",
    "bump(counters, 1)", "copy(cell, cell)", "...", "(1, 2)", "v0[0]", "1 << 99", "recast(u16, raw)", "Mini(raw)", "-(2**63)", "~True", "u64(-1)",
]  # fmt: skip
_STATEMENTS = [
    "pass", "break", "continue", "return", "return 1", "assert False", "x0 = v0", "del v0", "x = y = 1", "v0 = v1", "cell = cells[1]", "raise E",
    "for k in range(3): pass", "while 1: break", "x0: u8 = 3", "v0[0] += 1", "p0 += True", "copy(v0, v1)", "import os", "a, b = 1, 2", "if 1.5: pass",
]  # fmt: skip


class Spoil(ast.NodeTransformer):
    """Puts other expressions and statements into a kernel here and there."""

    def __init__(self, pick):
        self.pick = pick

    def visit(self, node):
        decorators = getattr(node, "decorator_list", None)
        node = super().visit(node)
        if decorators:
            node.decorator_list = [ast.Name("kernel", ast.Load())]
        if isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), ast.Store) and self.pick(150) == 0:
            return ast.parse(_PIECES[self.pick(len(_PIECES))], mode="eval").body
        if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef) and self.pick(60) == 0:
            return [node, *ast.parse(_STATEMENTS[self.pick(len(_STATEMENTS))]).body][self.pick(2) :]
        return node


@pytest.mark.usefixtures("depth_for_compiling")
@_few
@given(st.data())
def test_spoilt_kernels_compile_or_are_refused(data):
    _spoil(lambda n: data.draw(st.integers(0, n - 1)))


@pytest.mark.parametrize("block", range(2))
def test_more_spoilt_kernels(block):
    for seed in range(75 * block, 75 * block + 75):
        _spoil(random.Random(seed).randrange)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_very_many_spoilt_kernels(block):
    for seed in range(1000 + 300 * block, 1000 + 300 * (block + 1)):
        _spoil(random.Random(seed).randrange)


def test_a_kernel_has_a_limit_of_lines():
    head, line = "@kernel\ndef total(x: i64) -> i64:\n", "    x += 1\n"
    scope = module(head + line * 4999 + "    return x\n")
    for way in ("python", "check", "native"):
        with (
            using(way),
            pytest.raises(KernelError, match="kernel 'total' has 5001 lines, more than 5000; make several"),
        ):
            scope["total"](1)


def test_a_kernel_of_as_many_lines_as_there_may_be_runs():
    scope = module("@kernel\ndef total(x: i64) -> i64:\n" + "    x += 1\n" * 4998 + "    return x\n")
    with using("python"):
        assert scope["total"](1) == 4999


def test_long_chains_of_operators_and_calls():
    text = "@kernel\ndef total(x: i64) -> i64:\n    return " + " + ".join(["x"] * 1500) + "\n"
    text += "@kernel\ndef f0(x: i64) -> i64:\n    return x\n"
    for k in range(1, 150):
        text += f"@kernel\ndef f{k}(x: i64) -> i64:\n    return f{k - 1}(x) + 1\n"
    scope = module(text)
    for way in ("native", "python"):
        with using(way):
            assert (scope["total"](2), scope["f149"](1)) == (3000, 150)


def _spoil(pick):
    tree = ast.parse(programs.Writer(pick, safe=False).program())
    text = programs.LIBRARY + ast.unparse(ast.fix_missing_locations(Spoil(pick).visit(tree)))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            scope = programs.module(text)
    except SyntaxError:
        return
    for name in ("main", "helper0", "helper1"):
        if name in scope:
            _compiles_or_is_refused(scope[name])


def _compiles_or_is_refused(k):
    try:
        assert callable(k.python)
    except KernelError as problem:
        assert re.match(r"<.*>:\d+:\d+: .", str(problem))
        return
    k.unit("check")
    k.unit("native")


@pytest.mark.parametrize("name", ["textwrap", "heapq", "bisect", "random", "colorsys", "fractions", "difflib"])
def test_any_function_of_the_standard_library_is_refused_or_compiles(name):
    lines, functions = [], []
    for function in ast.walk(ast.parse(inspect.getsource(__import__(name)))):
        if isinstance(function, ast.FunctionDef) and not function.decorator_list:
            function.name = f"function{len(functions)}"
            function.returns = ast.Name("i64", ast.Load())
            function.decorator_list = [ast.Name("kernel", ast.Load())]
            function.args = ast.arguments(
                [], [ast.arg(a.arg, ast.Name("i64", ast.Load())) for a in function.args.args], None, [], [], None, []
            )
            functions.append(function.name)
            lines.append(ast.unparse(ast.fix_missing_locations(function)))
    scope = module("\n".join(lines))
    for function in functions:
        _compiles_or_is_refused(scope[function])
