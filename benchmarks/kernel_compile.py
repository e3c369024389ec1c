"""How long kernels take to compile, and a search to be called from Python, in CPU time.

    python benchmarks/kernel_compile.py [--quick] [--runs N]

Kernels are generated, of the kind that compilers of rules write: 20 of them as a hand-written game has, 200 as a large game from
rules has, and one that is nearly as long as a kernel may be. Every figure is the median of some runs, each in a process of its
own with an empty store of code. To check and lower is what happens between parsed Python and LLVM assembly; -O0 is LLVM without
optimisation, -O3 the process that optimises. Where that is little work it is done at once, and there is no -O0 before it.
The exit code counts the bars that were missed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

from comparison import generated

MODULES = {
    "20 kernels": generated.kernels(20),
    "200 kernels": generated.kernels(200),
    "1 kernel": generated.kernel(4950),
}
LOWERING = {"200 kernels": 0.8}
"""CPU seconds to check and lower, at most."""

SLICE = 25
"""Microseconds of a call of the native search, at most."""

SLICED = ("connect-four", "breakthrough")

_COMPILE = """
import json
from comparison.compiling import first_run, optimising
from kernel_compile import MODULES
first = first_run(MODULES[{name!r}])
full = optimising() if {optimise} else 0.0
quick, full = (0.0, first.llvm) if first.optimises else (first.llvm, full)
print(json.dumps([first.ours, first.lowering, quick, full]))
"""
_SLICE = """
from time import process_time
from comparison import work
do = work.slices({title!r})
do(100)
work.wait_for_the_best_code()
times = []
for _ in range(200):
    started = process_time()
    do(50)
    times.append((process_time() - started) / 50)
print(sorted(times)[100])
"""


def main() -> int:
    """Measure, print, and answer how many bars were missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="optimise nothing, which takes longest")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="runs of each figure, else 5")
    given = parser.parse_args()
    missed = 0
    print("| generated | lines | all that is ours | check and lower | bar | -O0 | -O3 |  |")
    print("| --- | --: | --: | --: | --- | --: | --: | --- |")
    for name, text in MODULES.items():
        code = _COMPILE.format(name=name, optimise=not given.quick)
        ours, lowering, quick, full = map(median, zip(*(json.loads(run(code)) for _ in range(given.runs)), strict=True))
        bar = LOWERING.get(name)
        missed += bar is not None and lowering > bar
        cells = [
            name,
            f"{text.count(chr(10)):,}",
            f"{ours:.2f} s",
            f"{lowering:.2f} s",
            f"at most {bar} s" if bar else "",
        ]
        cells += [*(f"{taken:.2f} s" if taken else "" for taken in (quick, full)), verdict(lowering, bar)]
        print(f"| {' | '.join(cells)} |", flush=True)
    print("\n| one call of the native search from Python | measured | bar |  |\n| --- | --: | --- | --- |")
    for title in SLICED:
        taken = 1e6 * median(float(run(_SLICE.format(title=title))) for _ in range(given.runs))
        missed += taken > SLICE
        print(f"| {title}, one iteration | {taken:.0f} us | at most {SLICE} us | {verdict(taken, SLICE)} |", flush=True)
    return missed


def verdict(measured: float, bar: float | None) -> str:
    """Whether a bar was met, if there is one."""
    return "" if bar is None else "pass" if measured <= bar else "FAIL"


def run(code: str) -> str:
    """Run code in a fresh process; what it prints."""
    here = Path(__file__).parent
    path = os.pathsep.join([str(here.parent / "src"), str(here)])
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
