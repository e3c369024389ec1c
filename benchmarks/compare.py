"""Whether a change made Ludarium slower: the speeds of two checkouts in one run, as ratios of CPU time.

    python benchmarks/compare.py --against DIR [--only NAME ...] [--rounds N] [--markdown] [--list]

DIR is a checkout of the version before. A ratio says how many times as fast this checkout is as that one: the median over
the rounds, and an interval of at least 95 % confidence by ranks. What is credibly below 0.97 is SLOWER, for which it takes six
rounds; an `open` row needs more of them, or a quieter machine. The exit code is 1 if something is slower, or cannot be measured.

In a round each side has fresh processes on one core. Work that goes on takes turns of some milliseconds, A B B A A B B A, with
the same seeds and counts; the ratio of a round is the median over its pairs of turns. Whole processes, such as loads, run at
the same time. So both sides meet the same disturbances, and a busy machine costs time rather than precision. All rounds take
about 15 minutes on an idle machine. A NAME picks all measurements that begin with it: `--only uct playouts:gdl`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from comparison.measurements import NAMES, STARTS, SUSTAINED
from comparison.ratio import Pairs, Row, interval
from comparison.starts import STORED
from comparison.turns import Checkout, Failed, Plan, fill, plan, start_together, work_in_turns

HEAD = ("measurement", "before", "after", "ratio", "interval", "n", "")


def main() -> int:
    """Compare, print, and answer whether something is slower."""
    given = arguments()
    names = [name for name in NAMES if not given.only or name.startswith(tuple(given.only))]
    if given.list:
        print("\n".join(names))
        return 0
    if not names:
        raise SystemExit(f"no measurement begins with {' or '.join(given.only)}; --list shows all")
    if hasattr(os, "sched_setaffinity"):  # the processes that are started stay there, too
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as scratch:
        before = Checkout(checkout(given.against), Path(scratch) / "before")
        after = Checkout(checkout(given.checkout), Path(scratch) / "after")
        rows = compare(names, before, after, given.rounds)
    table = [cells(row) for row in rows if row.rounds or row.problem]
    print(markdown(table) if given.markdown else plain(table))
    for row in rows:
        if row.problem:
            print(f"\n{row.name}: {row.problem}")
    return int(any(row.verdict in {"SLOWER", "FAILED"} for row in rows if row.rounds or row.problem))


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--against", type=Path, required=True, metavar="DIR", help="a checkout of the version before")
    here = Path(__file__).parent.parent
    parser.add_argument("--checkout", type=Path, default=here, metavar="DIR", help="the version after; else this one")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="measurements that begin like this")
    parser.add_argument("--rounds", type=int, default=9, metavar="N", help="rounds of each measurement, else 9")
    parser.add_argument("--markdown", action="store_true", help="print the table in markdown")
    parser.add_argument("--list", action="store_true", help="print the names of the measurements, and measure nothing")
    given = parser.parse_args()
    if given.rounds < 1:
        parser.error(f"--rounds is {given.rounds}; expected 1 or more")
    return given


def checkout(folder: Path) -> Path:
    """The whole path of a checkout."""
    if not (folder / "src" / "ludarium" / "__init__.py").is_file():
        raise SystemExit(f"{folder} is no checkout of Ludarium: it has no src/ludarium")
    return folder.resolve()


def compare(names: list[str], before: Checkout, after: Checkout, rounds: int) -> list[Row]:
    """Measure round by round, so that whatever goes on for minutes is in few rounds of each measurement."""
    rows = {name: Row(name) for name in names}
    plans: dict[str, Plan] = {}
    try:
        for number in range(rounds):
            for place, (name, row) in enumerate(rows.items()):
                tell(f"round {number + 1} of {rounds}, {place + 1} of {len(rows)}: {name}")
                try:
                    if name not in plans and name in SUSTAINED:
                        plans[name] = plan(name, before)
                    if not row.problem:
                        row.rounds.append(measured(name, (before, after), number, plans.get(name)))
                except Failed as problem:
                    row.problem = str(problem)
    except KeyboardInterrupt:
        tell("interrupted: these are the rounds so far\n")
    tell("")
    return list(rows.values())


def measured(name: str, sides: tuple[Checkout, Checkout], number: int, planned: Plan | None) -> Pairs:
    """Measure one round."""
    if planned is not None:
        return work_in_turns(name, sides, number, planned)
    start = STARTS[name]
    if number == 0 and start.store == STORED:
        for side in sides:
            fill(start, side)
    return start_together(start, sides, number)


# Tables


def cells(row: Row) -> list[str]:
    """A row of the table."""
    if not row.rounds:
        return [row.name, "", "", "", "", "0", row.verdict]
    low, high = interval(row.ratios)
    told = [f"{row.ratio:.3f}x", f"{low:.3f} to {high:.3f}", str(len(row.rounds)), row.verdict]
    return [row.name, *(_seconds(x) if row.name in STARTS else _rate(x) for x in (row.before, row.after)), *told]


def _rate(value: float) -> str:
    return f"{float(f'{value:.3g}'):,.0f} /s"


def _seconds(rate: float) -> str:
    return f"{1 / rate:.3f} s"


def markdown(rows: list[list[str]]) -> str:
    """The table as RESULTS.md has it."""
    rule = ["---", "--:", "--:", "--:", "---", "--:", "---"]
    return "\n".join(f"| {' | '.join(row)} |" for row in (HEAD, rule, *rows))


def plain(rows: list[list[str]]) -> str:
    """The table for a terminal."""
    widths = [max(map(len, column)) for column in zip(HEAD, *rows, strict=True)]
    lines = []
    for row in (HEAD, *rows):
        name, *rest = (
            cell.ljust(w) if n == 0 else cell.rjust(w) for n, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join([name, *rest]).rstrip())
    return "\n".join(lines)


def tell(what: str) -> None:
    """Say how far the work is, on one line of the terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{what}")
        sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
