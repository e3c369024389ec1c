"""What belongs together travels as a record or a bundle: kernels of the package have few parameters, all in one glance."""

import ast
from pathlib import Path

import ludarium

MOST = 8
REASONS: dict[str, str] = {}
"""Kernels that have more, as `folder/file.py:name`, and why."""

SOURCE = Path(ludarium.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))


def is_kernel(node):
    """Whether a function is made a kernel where it is written."""
    return any(name.id in ("kernel", "shared") for d in node.decorator_list for name in ast.walk(d) if is_name(name))


def is_name(node):
    return isinstance(node, ast.Name)


def signatures(text):
    """The kernels in a text, and the types of functions that kernels call by reference, with their parameters."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and is_kernel(node):
            every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            yield node.name, len(every)
        elif isinstance(node, ast.Subscript) and is_name(node.value) and node.value.id == "fn":
            taken = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) else node.slice
            yield ast.unparse(node), len(taken.elts)


def crowded(text):
    return [name for name, count in signatures(text) if count > MOST]


def test_no_kernel_takes_more_than_eight_parameters():
    found = [f"{path.relative_to(SOURCE)}:{name}" for path in FILES for name in crowded(path.read_text("utf-8"))]
    assert [each for each in found if each not in REASONS] == []
    assert [each for each in REASONS if each not in found] == [], "a reason that is not needed any more"


def test_kernels_are_found_wherever_they_stand():
    many = ", ".join(f"{name}: i64" for name in "abcdefghi")
    text = f"""
class Sums(Bundle):
    call: fn[[{"i64, " * 9}], i64]
    few: fn[[i64, u8], i64]

    @kernel
    def method(self: Sums, {many}) -> None: ...

def make():
    @shared
    def inner({many}) -> i64: ...

    @kernel
    def enough(a: i64, b: i64) -> i64: ...

def plain({many}): ...
"""
    nine = f"fn[[{', '.join(['i64'] * 9)}], i64]"
    assert sorted(crowded(text)) == sorted([nine, "method", "inner"])
    assert len(list(signatures(text))) == 5
    assert sum(1 for path in FILES for _ in signatures(path.read_text("utf-8"))) > 300
