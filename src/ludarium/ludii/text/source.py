"""Fetching the text of a `.lud` file; whatever stands in the way is the user's to mend."""

from __future__ import annotations

from pathlib import Path

from ludarium.core.errors import LudariumError
from ludarium.core.limits import LimitExceeded, limits
from ludarium.core.problems import Place, Problem, RulesError

ENDING = ".lud"


def load(path: Path) -> str:
    """Fetch the text of a description."""
    if path.suffix.lower() != ENDING:
        raise LudariumError(f"{path}: a description in Ludii's language ends in {ENDING}")
    return decoded(data(path), str(path))


def data(path: Path, most: int | None = None) -> bytes:
    """Fetch the bytes of a file that must not be larger than that, or than files of rules may be."""
    if path.exists() and not path.is_file():
        raise LudariumError(f"{path}: this is {'a folder' if path.is_dir() else 'not a file'}; expected a file")
    try:
        with path.open("rb") as file:
            found = file.read((largest() if most is None else most) + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise LudariumError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    return within(found, str(path), most)


def largest() -> int:
    """How many bytes a file of rules may have: as in GDL, and the longest of Ludii's library has half a megabyte."""
    return int(limits().file_megabytes * 1_000_000)


def within(found: bytes, file: str, most: int | None = None) -> bytes:
    """Refuse what is too large."""
    if most is None and len(found) > largest():
        raise LimitExceeded("file_megabytes", f"the file has more than {limits().file_megabytes:g} megabytes", file)
    if most is not None and len(found) > most:
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
