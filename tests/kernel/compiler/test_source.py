"""A kernel is read once, and its lines keep their places."""

from __future__ import annotations

import linecache
import sys
import traceback

import pytest

from ludarium.core import syntax
from ludarium.kernel import KernelError, Record, i64, kernel, using
from ludarium.kernel.compiler import source
from tests.kernel.sources import module

TEXT = """
@kernel
def lowest(a: i64) -> i64:
    return a - 1

@kernel
def main(a: i64) -> i64:
    total = 0
    for k in range(a):
        total += lowest(k)

    # The last line counts.
    return total // (a - 3)  # of the kernel
"""


@pytest.fixture
def parsed(monkeypatch):
    """The texts that are parsed."""
    texts = []
    monkeypatch.setattr(source, "parse", lambda text: (texts.append(text), syntax.parse(text))[1])
    return texts


@pytest.mark.parametrize("way", ["native", "check", "python"])
def test_a_kernel_is_parsed_once(parsed, way, monkeypatch, tmp_path):
    monkeypatch.setenv("LUDARIUM_CACHE", str(tmp_path))
    made = module(TEXT)
    with using(way):
        assert made["main"](5) == 2
        assert made["main"](2) == 1
    assert [text.splitlines()[1] for text in parsed] == ["def main(a: i64) -> i64:", "def lowest(a: i64) -> i64:"]


def test_its_tree_is_dropped_once_it_is_compiled():
    made = module(TEXT)
    made["main"](5)
    assert "tree" not in vars(made["main"].source)
    assert made["main"].source.tree.name == "main"


@pytest.mark.parametrize("way", ["native", "check"])
def test_machine_code_names_the_line_of_the_file(way):
    with using(way), pytest.raises(ZeroDivisionError, match=r":13:12: "):
        module(TEXT)["main"](3)


def test_plain_python_runs_on_the_lines_of_the_file():
    with using("python"), pytest.raises(ZeroDivisionError) as caught:
        module(TEXT)["main"](3)
    *_, frame = traceback.extract_tb(caught.tb)
    assert (frame.lineno, frame.line) == (13, "return total // (a - 3)  # of the kernel")


class Indented(Record):
    x: i64

    @kernel
    def broken(self: Indented, a: i64) -> i64:
        return (
            a
            // self.x
        )  # fmt: skip

    @kernel
    def wrong(self: Indented) -> i64:
        return missing  # noqa: F821


def test_a_kernel_that_is_indented_has_its_lines_too():
    first = Indented.broken.source.first
    with using("native"), pytest.raises(ZeroDivisionError, match=rf"test_source.py:{first + 3}:13: "):
        Indented().broken(1)
    with using("python"), pytest.raises(ZeroDivisionError) as caught:
        Indented().broken(1)
    assert traceback.extract_tb(caught.tb)[-1].lineno == first + 2
    with pytest.raises(KernelError, match=rf"test_source.py:{Indented.wrong.source.first + 2}:16: 'missing'"):
        Indented().wrong()


def test_names_of_a_kernel_hide_those_outside_even_before_they_are_assigned():
    text = "z = 5\n@kernel\ndef f(a: i64) -> i64:\n    b = z\n    {}\n    return b\n"
    for hiding in ("z = a", "for z in range(3):\n        pass", "z += 1", "z: u8 = 1", "z, y = a, a"):
        with pytest.raises(KernelError, match="'z' may be read before it is assigned"):
            module(text.format(hiding))["f"](1)
    assert module(text.format("pass"))["f"](1) == 5


BRANCHES = """
@kernel
def lowest(a: i64) -> i64:
    return a - 1

@kernel
def main(a: i64) -> i64:
    total = 0
    if a > 10:
        total = lowest(a)
    else:
        total = lowest(a) + 1
    return total
"""


def test_as_python_only_lines_that_are_reached_are_traced():
    with using("python"):
        main = module(BRANCHES)["main"]
        main(1)
        seen = set()

        def line(frame, event, _argument):
            if event == "line" and frame.f_code.co_name == "main":
                seen.add(linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip())
            return line

        before = sys.gettrace()
        sys.settrace(line)
        try:
            main(1)
        finally:
            sys.settrace(before)
    assert seen == {"total = 0", "if a > 10:", "total = lowest(a) + 1", "return total"}
