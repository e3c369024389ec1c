"""How fast Rinascimento is played at random: states per second in games of four, on one core.

    python benchmarks/rinascimento.py [--quick]

The paper reports 1.74 million states per second on its machine. Rates are by CPU time, the median of several runs; the
exit code counts the bars that were missed.
"""

from __future__ import annotations

import argparse
import sys
from statistics import median
from time import process_time

from ludarium.games.rinascimento import rinascimento
from ludarium.games.rinascimento_survey import survey

BAR = 6e6


def main() -> int:
    """Measure, print, and answer how many bars were missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a rough answer in a few seconds")
    games, runs = (4000, 3) if parser.parse_args().quick else (20_000, 9)
    missed = 0
    for preset in ("standard", "published", "two", "eight"):
        made = rinascimento(preset=preset)
        survey(made, 10)
        rates = []
        for run in range(runs):
            started = process_time()
            found = survey(made, games, run)
            rates.append(found.mean * games / (process_time() - started))
        rate = median(rates)
        bar = BAR if preset in ("standard", "published") else 0.0
        missed += rate < bar
        print(
            f"{preset:10} {rate / 1e6:5.2f} M states/s   length {found.mean:.1f}, stale {100 * found.stale:.1f} %",
            end="",
        )
        print(f"   bar {bar / 1e6:g} M: {'met' if rate >= bar else 'missed'}" if bar else "")
    return missed


if __name__ == "__main__":
    sys.exit(main())
