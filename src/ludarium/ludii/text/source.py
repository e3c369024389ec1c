"""Fetching the text of a `.lud` file; whatever stands in the way is the user's to mend."""

from __future__ import annotations

from pathlib import Path

from ludarium.core.errors import LudariumError
from ludarium.core.problems import Place, Problem, RulesError

MAX_BYTES = 4 << 20
"""Larger files are refused: the longest description of Ludii's library has half a megabyte."""

ENDING = ".lud"


def load(path: Path) -> str:
    """Fetch the text of a description."""
    if path.suffix.lower() != ENDING:
        raise LudariumError(f"{path}: a description in Ludii's language ends in {ENDING}")
    return decoded(data(path), str(path))


def data(path: Path, most: int = MAX_BYTES) -> bytes:
    """Fetch the bytes of a file that must not be larger than that."""
    if path.exists() and not path.is_file():
        raise LudariumError(f"{path}: this is {'a folder' if path.is_dir() else 'not a file'}; expected a file")
    try:
        with path.open("rb") as file:
            found = file.read(most + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise LudariumError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    return within(found, str(path), most)


def within(found: bytes, file: str, most: int = MAX_BYTES) -> bytes:
    """Refuse what is too large."""
    if len(found) > most:
        raise LudariumError(f"{file}: the file is larger than {most >> 20} MB")
    return found


def decoded(found: bytes, file: str) -> str:
    """The text that bytes are."""
    try:
        text = found.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message, at = f"the byte {found[error.start]:#04x} is not UTF-8 text", error.start
    else:
        if "\0" not in text:
            return text
        message, at = "a NUL is not text", found.index(0)
    before = found[:at].decode("utf-8-sig", "replace")
    place = Place(file, before.count("\n") + 1, len(before) - before.rfind("\n"))
    raise RulesError([Problem(place, message, "save the file as UTF-8")])
