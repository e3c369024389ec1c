"""Where the games of a match are found, by the names that it gives them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ludarium.core.errors import LudariumError
from ludarium.ludii.library import VARIABLE, LudiiLibrary, library_of_user
from ludarium.ludii.text.defines import Library
from ludarium.ludii.text.source import load as load_text


class Found(NamedTuple):
    """A description that was found: its text, what its file is called, and the defines that it may use."""

    text: str
    file: str
    defines: Library


Finder = Callable[[str], Found]
"""Finds a description by the name of its game; a `LudariumError` says why there is none."""


def in_library(library: LudiiLibrary) -> Finder:
    """Look in a library."""

    def find(name: str) -> Found:
        text, file = library.read(name)
        return Found(text, f"{library.name}/{file}", library.defines)

    return find


def beside(folder: Path, defines: Library, otherwise: Finder) -> Finder:
    """Look for a file in a folder, and then elsewhere."""

    def find(name: str) -> Found:
        file = folder / f"{name}.lud"
        if Path(name).name == name and file.is_file():
            return Found(load_text(file), str(file), defines)
        return otherwise(name)

    return find


def anywhere(name: str) -> Found:
    """Look in the user's library, if there is one."""
    library = library_of_user()
    if library is None:
        raise LudariumError(
            f"it is looked for beside the file of the match, and in Ludii's library if {VARIABLE} names it"
        )
    return in_library(library)(name)
