"""Ludii's library of games, wherever the user has it: a folder with `lud` and `def`, or Ludii's own archive.

`LUDARIUM_LUDII` says where. Games go by the names of their files; defines by the names inside of theirs.
"""

from __future__ import annotations

import os
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath
from typing import Protocol

from ludarium.core.errors import LudariumError, UnknownName
from ludarium.ludii.text.defines import Library
from ludarium.ludii.text.source import data, decoded, largest, within

VARIABLE = "LUDARIUM_LUDII"
"""The name of the environment variable that says where Ludii's library is."""

_EXPECTED = "Ludii's .jar, or a folder with its lud and def, is expected"
_BROKEN = (OSError, ValueError, EOFError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error)
_UNFINISHED = ("bad", "bad_playout", "test", "wip", "wishlist", "WishlistDLP", "reconstruction/pending", "proprietary")
_DEFINE = re.compile(r'\(define\s+"([^"]*)"')


class _Files(Protocol):
    """Where files are read from, by their paths inside."""

    name: str

    @property
    def paths(self) -> Sequence[str]: ...

    def read(self, path: str) -> bytes: ...


class LudiiLibrary:
    """Games and defines by name."""

    def __init__(self, files: _Files) -> None:
        self._files = files
        self.paths: tuple[str, ...] = tuple(sorted(path[4:] for path in files.paths if _is(path, "lud/", ".lud")))
        """The games, each by its path below `lud`."""

    @property
    def name(self) -> str:
        """Where the library is."""
        return self._files.name

    @cached_property
    def defines(self) -> Library:
        """The defines that games may use."""
        found: dict[str, tuple[str, str]] = {}
        for path in sorted(path for path in self._files.paths if _is(path, "def/", ".def")):
            text = self._text(path)
            for name in _DEFINE.findall(text):
                found.setdefault(name, (text, path))
        return Library(found)

    def find(self, name: str) -> str:
        """The path of a game: by its name, or the end of its path, with or without `.lud`."""
        wanted = name if name.lower().endswith(".lud") else f"{name}.lud"
        for same in (str, str.casefold):
            several = [path for path in self.paths if f"/{same(path)}".endswith(f"/{same(wanted)}")]
            finished = [path for path in several if not _unfinished(path)] or several
            if len(finished) == 1:
                return finished[0]
            if finished:
                listed = ", ".join(path.removesuffix(".lud") for path in finished)
                raise LudariumError(f"several games are called {name!r}: name one of {listed}")
        raise UnknownName("game of Ludii's library", name, [PurePosixPath(path).stem for path in self.paths])

    def search(self, text: str = "") -> Iterator[str]:
        """The paths of games that have all words of a text: first in their path, then in what the file says.

        Games that are not finished are left out.
        """
        words = text.casefold().split()
        others = []
        for path in self.paths:
            if _unfinished(path):
                continue
            if all(word in path.casefold() for word in words):
                yield path
            else:
                others.append(path)
        for path in others:
            said = f"{path} {self._text(f'lud/{path}')}".casefold()
            if all(word in said for word in words):
                yield path

    def read(self, path: str) -> tuple[str, str]:
        """The text of a game, and what its file is called."""
        if path not in self.paths:
            path = self.find(path)
        return self._text(f"lud/{path}"), f"lud/{path}"

    def _text(self, path: str) -> str:
        file = f"{self.name}/{path}"
        return decoded(within(self._files.read(path), file), file)


class _Folder:
    def __init__(self, root: Path) -> None:
        self.name = str(root)
        self._root = root

    @cached_property
    def paths(self) -> Sequence[str]:
        found = [path for part in ("lud", "def") for path in (self._root / part).rglob(f"*.{part}")]
        return [path.relative_to(self._root).as_posix() for path in found]

    def read(self, path: str) -> bytes:
        return data(self._root / path)


class _Archive:
    def __init__(self, file: Path) -> None:
        self.name = str(file)
        self._file = file
        try:
            with zipfile.ZipFile(file) as archive:
                self.paths: Sequence[str] = archive.namelist()
        except (OSError, ValueError, zipfile.BadZipFile) as error:
            reason = getattr(error, "strerror", None) or "this is not an archive: Ludii's .jar is expected"
            raise LudariumError(f"{file}: {reason}") from error

    def read(self, path: str) -> bytes:
        try:
            with zipfile.ZipFile(self._file) as archive, archive.open(path) as entry:
                return entry.read(largest() + 1)
        except _BROKEN as error:
            raise LudariumError(f"{self._file}: {path} in it cannot be read: {error}") from error


def open_library(place: Path) -> LudiiLibrary:
    """Open Ludii's library: its .jar, or a folder that has, or is inside of one that has, `lud` and `def`."""
    if not place.exists():
        raise LudariumError(f"{place}: there is no such file or folder; {_EXPECTED}")
    if place.is_file():
        library = LudiiLibrary(_Archive(place))
    else:
        roots = [place, place / "Common" / "res", *place.absolute().parents]
        root = next((each for each in roots if (each / "lud").is_dir()), place)
        library = LudiiLibrary(_Folder(root))
    if not library.paths:
        raise LudariumError(f"{place}: there are no games here; {_EXPECTED}")
    return library


def library_of_user(environment: Mapping[str, str] = os.environ) -> LudiiLibrary | None:
    """The library that the user has named, if any."""
    place = environment.get(VARIABLE, "").strip()
    if not place:
        return None
    try:
        return _opened(Path(place).expanduser())
    except LudariumError as error:
        raise LudariumError(f"{VARIABLE}: {error}") from error


def needed_library(what: str) -> LudiiLibrary:
    """The library that the user has named; an error that says how to name it if there is none."""
    found = library_of_user()
    if found is None:
        raise LudariumError(
            f"{what} needs Ludii's library: set {VARIABLE} to Ludii's .jar, or to a folder with its lud and def"
        )
    return found


@lru_cache(maxsize=4)
def _opened(place: Path) -> LudiiLibrary:
    return open_library(place)


def _is(path: str, folder: str, ending: str) -> bool:
    return path.startswith(folder) and path.endswith(ending)


def _unfinished(path: str) -> bool:
    return any(path.startswith(f"{folder}/") for folder in _UNFINISHED)
