"""How long a kernel module of 500 lines takes to compile, cold: `python benchmarks/kernel_compile.py [lines]`."""

import importlib.util
import os
import sys
import tempfile
import time
from pathlib import Path

HEAD = """
from __future__ import annotations
from ludarium.kernel import *

class State(Record):
    board = array(i8, 64)
    hands = array(u64, 4)
    turn: u8
    score: f64

"""
# 25 lines, of the kind that games consist of.
KERNEL = """
@kernel
def part{n}(state: State, moves: buffer[u64], rng: Stream, limit: i64) -> i64:
    count = 0
    side = 1 if state.turn & 1 == 0 else -1
    for cell in range(64):
        piece = state.board[cell] * side
        if piece > 0:
            row = cell // 8
            column = cell % 8
            for step in range(-1, 2):
                target = (row + side) * 8 + column + step
                if 0 <= column + step < 8 and 0 <= target < 64:
                    if state.board[target] * side <= 0 and (step != 0 or state.board[target] == 0):
                        moves[count] = u64(cell * 64 + target + {n})
                        count += 1
    word = state.hands[{n} & 3]
    while word != 0 and count < limit:
        place = ctz(word)
        word &= word - 1
        if uniform(rng) < 0.5 or popcount(word) > 10:
            moves[count] = u64(place) << ({n} & 31)
            count += 1
    state.score += sqrt(f64(count)) * 0.5 + log(1.0 + count)
    return count{more}

"""


def source(lines: int) -> str:
    """A module of about so many lines; each kernel calls the one before it."""
    kernels = []
    for n in range(max(1, lines // 25)):
        more = f" + part{n - 1}(state, moves, rng, limit - {n})" if n else ""
        kernels.append(KERNEL.format(n=n, more=more))
    return HEAD + "".join(kernels)


def main() -> None:
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LUDARIUM_CACHE"] = str(Path(folder) / "cache")
        file = Path(folder) / "generated.py"
        file.write_text(source(lines))
        begin = time.process_time()
        spec = importlib.util.spec_from_file_location("generated", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        loaded = time.process_time()
        last = getattr(module, f"part{max(1, lines // 25) - 1}")
        from ludarium.kernel import Unit, engine

        text = Unit.assembly(_unit(last))
        written = time.process_time()
        engine.compile_object("define i64 @nothing() {\n  ret i64 0\n}", level=engine.FULL_LEVEL)
        started = time.process_time()
        data = engine.compile_object(text, level=engine.FULL_LEVEL)
        done = time.process_time()
        last.unit("native")
        linked = time.process_time()
        print(
            f"{len(file.read_text().splitlines())} lines, {len(text):,} characters of assembly, {len(data):,} bytes of code"
        )
        print(f"import ludarium.kernel   {loaded - begin:.2f} s CPU")
        print(f"check and write          {written - loaded:.2f} s CPU")
        print(f"start LLVM               {started - written:.2f} s CPU")
        print(f"optimise and translate   {done - started:.2f} s CPU")
        print(f"all of it, once          {linked - done:.2f} s CPU")
        print(
            f"process in all, cold     {linked - (done - written) + (started - written) - (written - loaded):.2f} s CPU"
        )


def _unit(kernel: object) -> object:
    """A unit that is not compiled."""
    from ludarium.kernel import Unit

    unit = Unit.__new__(Unit)
    unit.kernels, unit.mode, unit._seen = {"last": kernel}, "native", {}
    return unit


if __name__ == "__main__":
    main()
