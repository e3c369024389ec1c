"""Where things are: a place in a file, and for a line of generated text also the place in the rules that it came from."""

from __future__ import annotations

import re
import traceback
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakValueDictionary

_GENERATED = re.compile(r"(<[^<>]*>):(\d+):(\d+)")
_HERE = Path(__file__).parent


@dataclass(frozen=True, eq=False)
class Generated:
    """A generated text: the name that stands for its file, and for each line what it came from."""

    file: str
    origins: tuple[str, ...]


GENERATED: WeakValueDictionary[str, Generated] = WeakValueDictionary()


def place(file: str, line: int, column: int | None = None) -> str:
    """How a place is called in messages."""
    here = f"{file}:{line}" if column is None else f"{file}:{line}:{column}"
    text = GENERATED.get(file)
    origin = text.origins[line - 1] if text and 0 < line <= len(text.origins) else ""
    return f"{origin} ({here})" if origin else here


def placed(message: str) -> str:
    """A message of machine code, which begins with a place: origins are no part of the code, so that it can be shared."""
    return _GENERATED.sub(lambda found: place(found[1], int(found[2]), int(found[3])), message, count=1)


def name_place(problem: Exception) -> None:
    """Add to a message where it comes from, if a generated kernel raised it as plain Python."""
    frames = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(problem.__traceback__)]
    while frames and _HERE in Path(frames[-1][0]).parents:  # what the kernel used of the language
        frames.pop()
    if frames and frames[-1][0] in GENERATED:
        here = place(*frames[-1])
        if not str(problem).startswith(here):  # kernels may have been called below kernels
            problem.args = (f"{here}: {problem}",)
