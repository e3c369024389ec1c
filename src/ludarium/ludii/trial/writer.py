"""Writing trial files as Ludii writes them."""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from pathlib import Path

from ludarium.core.errors import LudariumError
from ludarium.core.files import write_file
from ludarium.ludii.trial.record import Trial


def text(trial: Trial) -> str:
    """A trial as the text of a file."""
    newline, last = trial.layout
    return newline.join(_lines(trial)) + (newline if last else "")


def write(trial: Trial, path: Path) -> None:
    """Write a trial to a file, packed if its name ends in `.xz`."""
    found = text(trial).encode()
    try:
        write_file(path, lzma.compress(found) if path.suffix == ".xz" else found)
    except OSError as error:
        raise LudariumError(f"{path}: {error.strerror}") from error


def _lines(trial: Trial) -> Iterator[str]:
    yield f"game={trial.game}"
    yield "START GAME OPTIONS"
    yield from trial.options
    yield "END GAME OPTIONS"
    yield f"RNG internal state={','.join(map(str, trial.rng))}"
    for move in trial.moves:
        yield f"Move={move}"
    for size in trial.sizes:
        yield f"LEGAL MOVES LIST SIZE = {size}"
    for moves in trial.legal:
        yield "NEW LEGAL MOVES LIST"
        yield from map(str, moves)
        yield "END LEGAL MOVES LIST"
    for name, value in trial.ending.items():
        yield f"{name}={value}"
