"""One process of a comparison: prepares some work, then does as much of it as it is told, and answers the CPU time.

A line on standard input is a count; the answer is a line with the units of work that were done and the CPU seconds they took.
"""

from __future__ import annotations

import gc
import json
import sys
from time import process_time

from comparison import work
from comparison.measurements import SUSTAINED

import ludarium


def main() -> None:
    """Prepare, say so, and work."""
    name, *arguments = SUSTAINED[sys.argv[1]]
    do = getattr(work, name)(*arguments)
    do(1)  # compiles the search
    work.wait_for_the_best_code()
    do(1)
    gc.collect()
    gc.freeze()  # what is there by now is no garbage: to look through it would be noise
    answer(ludarium.__file__)
    for line in sys.stdin:
        count = int(line)
        started = process_time()
        units = do(count)
        answer([units, process_time() - started])


def answer(what: object) -> None:
    """Write a line, at once."""
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    main()
