"""Tools know kernels: profilers by their names, debuggers by their lines."""

import itertools
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
from __future__ import annotations
import os, sys
from ludarium.kernel import Unit, i64, kernel, view

@kernel
def small(a: i64) -> i64:
    return a + 1

@kernel
def large(v: view[i64], a: i64) -> i64:
    total = a
{lines}
    return total

@kernel
def first(v: view[i64]) -> i64:
    return large(v, small(3)) + 1

@kernel
def second(v: view[i64]) -> i64:
    return large(v, small(4)) + 2

unit = Unit(dict(one=first, two=second), hurry=True)
quick = dict(unit.addresses)
unit.finish()
print(os.getpid(), *quick.values(), *unit.addresses.values())
"""


def listed(tmp_path, wanted):
    """The functions that a program lists, and the addresses of its entry points: before and after they are optimised."""
    file = tmp_path / "program.py"
    lines = (f"    for k in range({n}, len(v)):\n        total += v[k] // (total + {n + 2})" for n in range(60))
    file.write_text(PROGRAM.format(lines="\n".join(lines)))
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "LUDARIUM_PERF": wanted}
    done = subprocess.run([sys.executable, str(file)], env=env, capture_output=True, text=True, check=True)
    pid, *addresses = map(int, done.stdout.split())
    found = Path(f"/tmp/perf-{pid}.map")
    if not found.exists():
        return [], addresses
    rows = [line.split() for line in found.read_text().splitlines()]
    found.unlink()
    return [(int(start, 16), int(size, 16), name) for start, size, name in rows], addresses


@pytest.mark.skipif(platform.system() != "Linux", reason="perf is a tool of Linux")
def test_all_functions_are_listed_with_the_names_of_their_kernels(tmp_path):
    functions, addresses = listed(tmp_path, "1")
    by_start = {start: name for start, _, name in functions}
    assert [by_start[address] for address in addresses] == ["first", "second", "first", "second"]
    assert sum(name == "large" for _, _, name in functions) == 2  # too large to be inlined, so it is there each time
    ends = sorted((start, start + size) for start, size, _ in functions)
    assert all(size > 0 for _, size, _ in functions)
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(ends))


@pytest.mark.parametrize("wanted", ["", "0"])
def test_nothing_is_listed_unless_it_is_wanted(tmp_path, wanted):
    assert listed(tmp_path, wanted)[0] == []


def test_a_debugger_stops_at_a_line_of_a_kernel(tmp_path):
    file = tmp_path / "program.py"
    text = "from __future__ import annotations\nfrom ludarium.kernel import i64, kernel\n\n@kernel\n"
    text += "def double(a: i64) -> i64:\n    b = a * 2\n    return b\n\nprint(double(21))\n"
    file.write_text(text)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "LUDARIUM_KERNEL": "python"}
    commands = f"b {file}:7\nc\np ('stopped', a, b)\nc\nq\n"
    command = [sys.executable, "-m", "pdb", str(file)]
    done = subprocess.run(command, input=commands, env=env, capture_output=True, text=True, check=True)
    assert "('stopped', 21, 42)" in done.stdout
    assert f"> {file}(7)double()" in done.stdout
