r"""Finding one's way in the text of a description: brackets, strings, comments.

To find where a bracket closes, every quotation mark opens or closes a string; where a string stands alone, `\"` is a part of it.
That is how Ludii reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ludarium.ludii.text.origin import Text

OPENING = "({[<"

_STRING = r'"(?:\\"|[^"])*+"'
_SKIPPED = r'"[^"]*(?:"|\Z)'
_BRACKETS = {
    "(": re.compile(rf"{_SKIPPED}|[()]"),
    "{": re.compile(rf"{_SKIPPED}|[{{}}]"),
    "[": re.compile(rf"{_SKIPPED}|[\[\]]"),
    "<": re.compile(rf"{_SKIPPED}|(?<!\()[<>]"),  # in (< a b) it is the head of a clause
}
_COMMENT = re.compile(rf'{_STRING}|//[^\r\n]*|"')
_CLOSED = re.compile(_STRING)
_ARGUMENT_END = re.compile(r"\s|:(?=[({\[<])")
_NOT_SPACE = re.compile(r"\S")


def closing(string: str, at: int) -> int:
    """Where the bracket at a position is closed, or -1.

    >>> closing('(a "):" (b))', 0)
    11
    """
    opening = string[at]
    depth = 0
    for match in _BRACKETS[opening].finditer(string, at):
        found = match.group()
        if found == opening:
            depth += 1
        elif found[0] != '"':
            depth -= 1
            if not depth:
                return match.start()
    return -1


def closing_quote(string: str, at: int) -> int:
    """Where the string that begins at a position ends, or -1."""
    match = _CLOSED.match(string, at)
    return match.end() - 1 if match else -1


def comments(string: str) -> Iterator[tuple[int, int]]:
    """Where the comments are, up to a string that is never closed."""
    for match in _COMMENT.finditer(string):
        found = match.group()
        if found == '"':
            return
        if found[0] == "/":
            yield match.span()


def without_comments(text: Text) -> Text:
    """The text without its comments."""
    return text.without(list(comments(text.string))) if "//" in text.string else text


def arguments(string: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where the arguments of a use are: clauses, strings, words, and what follows `name:` if that is a clause."""
    at = start
    while (match := _NOT_SPACE.search(string, at, end)) is not None:
        begin = at = match.start()
        if string[at] in OPENING:
            at = _behind(closing(string, at), end)
        elif string[at] == '"':
            at = _behind(closing_quote(string, at), end)
        elif (stop := _ARGUMENT_END.search(string, at, end)) is None:
            at = end
        elif string[stop.start()] == ":":
            at = _behind(closing(string, stop.end()), end)
        else:
            at = stop.start()
        yield begin, at


def _behind(last: int, end: int) -> int:
    return last + 1 if 0 <= last < end else end
