"""Ranges: `1..4` is `1 2 3 4`, and `"A1".."B2"` is `"A1" "A2" "B1" "B2"`."""

from __future__ import annotations

import re
from collections.abc import Callable

from ludarium.ludii.text.notes import Notes
from ludarium.ludii.text.options import MAX_CHARACTERS
from ludarium.ludii.text.origin import Text, join, standing

MAX_LENGTH = 1000
"""How many numbers a range may skip."""

_NUMBERS = re.compile(r"(?<=\d)\.\.(?=\d)")
_DIGITS_BEFORE = re.compile(r"\d+\Z")
_DIGITS = re.compile(r"\d+")
_SITES = re.compile(r'"([^"]*)"\.\."([^"]*)"')
_SITE = re.compile(r"([A-Za-z])(\d+)\Z")


def fill_ranges(text: Text, notes: Notes) -> Text:
    """Write out all ranges, first those of numbers, then those of sites."""
    if ".." not in text.string:
        return text
    return _replaced(_replaced(text, _NUMBERS, _numbers, notes), _SITES, _sites, notes)


def _replaced(
    text: Text, pattern: re.Pattern[str], put: Callable[[Text, re.Match[str], Notes], str], notes: Notes
) -> Text:
    parts, behind, length = [], 0, len(text)
    for match in pattern.finditer(text.string):
        written = put(text, match, notes)
        origin = text.origin(match.start())
        length += len(written)
        if length > MAX_CHARACTERS:
            notes.stop(origin, f"ranges make more than {MAX_CHARACTERS:,} characters")
        parts += [text.part(behind, match.start()), standing(written, origin)]
        behind = match.end()
    return join([*parts, text.part(behind)]) if parts else text


def _numbers(text: Text, match: re.Match[str], notes: Notes) -> str:
    before = _DIGITS_BEFORE.search(text.string, max(0, match.start() - 12), match.start())
    behind = _DIGITS.match(text.string, match.end())
    assert before is not None
    assert behind is not None
    first, last = (int(each.group()[:12]) for each in (before, behind))
    if abs(last - first) > MAX_LENGTH:
        notes.stop(text.origin(match.start()), f"the range from {first} to {last} is longer than {MAX_LENGTH}")
    step = 1 if first <= last else -1
    return "".join(f" {number}" for number in range(first + step, last, step)) + " "


def _sites(text: Text, match: re.Match[str], notes: Notes) -> str:
    first, last = (_SITE.match(name) for name in match.groups())
    origin = text.origin(match.start())
    if not first or not last:
        notes.stop(origin, f"{match.group()} is not a range of sites", 'write it as "A1".."C3"')
    columns = range(ord(first[1].upper()), ord(last[1].upper()) + 1)
    rows = range(int(first[2][:12]), int(last[2][:12]) + 1)
    if len(rows) > MAX_LENGTH:
        notes.stop(origin, f"the range {match.group()} is longer than {MAX_LENGTH}")
    return " ".join(f'"{chr(column)}{row}"' for column in columns for row in rows)
