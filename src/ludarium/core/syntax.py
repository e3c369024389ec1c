"""Python's own parser, for one thread at a time.

CPython 3.11 counts how deep the trees of all threads are in one place: where two threads parse at once, one of them
gets a SystemError about a "recursion depth mismatch".
"""

import ast
import inspect
import re
import textwrap
import threading
import warnings
from typing import Any

_PARSER = threading.RLock()


def parse(text: str) -> ast.Module:
    """The tree of a piece of Python; SyntaxError where it is none."""
    with _PARSER:
        return ast.parse(text)


def parse_expression(text: str) -> ast.expr:
    """The tree of one Python expression; SyntaxError where it is none.

    >>> ast.dump(parse_expression("7"))
    'Constant(value=7)'
    """
    with _PARSER, warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # what is odd is not code that somebody maintains
        return ast.parse(text, mode="eval").body


def parse_call(text: str) -> tuple[str, dict[str, str]] | None:
    """Take `name(key=value, ...)` or `name` apart: the name, and the values as they are written; None if it is neither.

    A name may be a place, as in `my/bots.py:Bold`, and so may the name of a value.

    >>> parse_call("uct(c=1, evaluator=my/judges.py:Mild(weight=2))")
    ('uct', {'c': '1', 'evaluator': 'my/judges.py:Mild(weight=2)'})
    """
    text = text.strip()
    at = text.find("(")
    parts = split(text[at + 1 : -1]) if at >= 0 else []
    if parts is None and (ended := _ENDED.search(text)):  # that was a bracket in the name of a folder
        at = ended.end() - 1
        parts = split(text[at + 1 : -1])
    if parts is None or (at >= 0 and not text.endswith(")")):
        return None
    if parts and not parts[-1].strip():  # after a last comma, or between empty brackets
        parts.pop()
    values: dict[str, str] = {}
    for part in parts:
        key, _, value = (each.strip() for each in part.partition("="))
        if not key.isidentifier() or key in values or not _is_value(value):
            return None
        values[key] = value
    return text[:at].strip() if at >= 0 else text, values


def split(text: str) -> list[str] | None:
    """Cut a text at the commas that stand in no brackets and no quotes; None if those are not closed.

    >>> split("1, f(2, 3), 'a, b'")
    ['1', ' f(2, 3)', " 'a, b'"]
    """
    parts, closing = [""], ""
    for piece in re.findall(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|.", text, re.DOTALL):
        if piece == "," and not closing:
            parts.append("")
            continue
        parts[-1] += piece
        if piece in _BRACKETS:
            closing = _BRACKETS[piece] + closing
        elif piece in (")", "]", "}", "'", '"'):
            if closing[:1] != piece:
                return None
            closing = closing[1:]
    return None if closing else parts


def is_place(text: str) -> bool:
    """Whether a text says where something is, as in `my/bots.py:Bold(c=1)` or `package.module:make`."""
    return _PLACE.fullmatch(text) is not None


_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_PLACE = re.compile(r"(?:[^\s()'\",=]+|[^'\",=]+\.py):[A-Za-z_][\w.]*\s*(?:\(.*\))?", re.DOTALL)
_ENDED = re.compile(r"(?:\.|:)\w+\(")  # how the name of a file or of something in it ends, before its parameters


def _is_value(text: str) -> bool:
    try:
        parse_expression(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        items = _items(text)
        return is_place(text) or (bool(items) and all(map(_is_value, items or ())))
    return True


def _items(text: str) -> list[str] | None:
    """Cut a list in square brackets into what stands in it; None if it is none."""
    if not (text.startswith("[") and text.endswith("]")):
        return None
    found = split(text[1:-1])
    return None if found is None else [each.strip() for each in found if each.strip()]


def read_value(text: str) -> Any:
    """Read a value; a word, a call, a sum or a place is a string, so that nobody has to quote inside quotes.

    >>> read_value("[uct(c=1), my/bots.py:Bold, 3]")
    ['uct(c=1)', 'my/bots.py:Bold', 3]
    """
    if (items := _items(text)) is not None:
        return [read_value(each) for each in items]
    if is_place(text):
        return text
    node = parse_expression(text)
    try:
        return ast.literal_eval(node)
    except ValueError:
        words = (
            ast.Name,
            ast.Attribute,
            ast.Call,
            ast.BinOp,
            ast.UnaryOp,
            ast.keyword,
            ast.Constant,
            ast.operator,
            ast.unaryop,
        )
        if not all(isinstance(each, (*words, ast.Load)) for each in ast.walk(node)):
            raise
    return text  # as it was written: progressive-history is a name


def parse_definition(thing: Any) -> ast.stmt:
    """The tree of a function or class as its file has it; OSError or TypeError where there is none."""
    with _PARSER:  # inspect parses the whole file to find a class
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(thing))).body
        return tree
