"""Plans as TOML files: the words of a Python call, with line numbers for what is wrong.

For example `kind = "round-robin"`, `games = ["nim"]`, `agents = ["uct", "random"]`, `matches = 100`, a line each;
docs/arena.md lists all that a plan may say.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludarium.arena.plan.check import PlanError, Problem
from ludarium.arena.plan.makers import make
from ludarium.arena.plan.plan import Plan
from ludarium.outside import search

_AT_LINE = re.compile(r"(.*) \(at line (\d+), column (\d+)\)")


def load(path: str | Path) -> Plan:
    """Read a plan from a file; a `PlanError` tells all that is wrong with it."""
    if Path(path).is_dir():
        raise PlanError([Problem("this is a folder; expected a file that says what is played")], str(path))
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        said = getattr(problem, "strerror", None) or "it is not text"
        raise PlanError([Problem(f"it cannot be read: {said}")], str(path)) from None
    search(Path(path).parent)  # for the code and the rules that it names
    return read(text, str(path))


def read(text: str, file: str = "") -> Plan:
    """Read a plan from the text of a file.

    >>> read('kind = "self-play"; games = ["nim"]'.replace("; ", chr(10)), "my.toml")
    Traceback (most recent call last):
    ...
    ludarium.arena.plan.check.PlanError: my.toml: there are no agents: give a list of names
    """
    try:
        return make(_given(text, file), Lines(text, file))
    except RecursionError:
        raise PlanError([Problem("it is nested too deep")], file) from None


def _given(text: str, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except ValueError as problem:  # a TOMLDecodeError, or a number with thousands of digits
        found = _AT_LINE.fullmatch(str(problem))
        said, line = (found[1], int(found[2])) if found else (str(problem), len(text.splitlines()))
        raise PlanError([Problem(f"this is not TOML: {said}", line)], file) from None


def write(plan: Plan) -> str:
    """Write the file that means the same as the call that made a plan."""
    return "".join(f"{key} = {_toml(value)}\n" for key, value in plan.source.items())


class Lines:
    """Finds the words of a plan in its text."""

    def __init__(self, text: str, file: str = "") -> None:
        self.lines, self.file = text.splitlines(), file

    def __call__(self, key: str, value: object = None) -> int | None:
        """Give the line of a key, or of one of its values if it is written out."""
        start = re.compile(rf"""\s*(\[+\s*)?["']?{re.escape(key)}["']?\s*[=\].]""")
        at = next((number for number, line in enumerate(self.lines) if start.match(line)), None)
        if at is None or not isinstance(value, str):
            return None if at is None else at + 1
        written = (f"'{value}'", json.dumps(value, ensure_ascii=False))
        for number in range(at, len(self.lines)):
            if any(form in self.lines[number] for form in written):
                return number + 1
        return at + 1


def _toml(value: Any) -> str:
    """Write a value; the texts and numbers of JSON are those of TOML."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key} = {_toml(each)}' for key, each in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value)
