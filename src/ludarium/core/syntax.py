"""Python's own parser, for one thread at a time.

CPython 3.11 counts how deep the trees of all threads are in one place: where two threads parse at once, one of them
gets a SystemError about a "recursion depth mismatch".
"""

import ast
import inspect
import textwrap
import threading
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
    with _PARSER:
        return ast.parse(text, mode="eval").body


def parse_call(text: str) -> tuple[str, dict[str, ast.expr], str] | None:
    """Take `name(key=value, ...)` or `name` apart: the name, the values, and the text they stand in; None if it is neither.

    >>> name, values, source = parse_call("uct(c=1)")
    >>> name, {key: ast.get_source_segment(source, value) for key, value in values.items()}
    ('uct', {'c': '1'})
    """
    name, bracket, rest = text.strip().partition("(")
    source = f"f({rest}" if bracket else "f()"
    try:
        call = parse_expression(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    match call:
        case ast.Call(func=ast.Name(), args=[], keywords=given):
            values = {each.arg: each.value for each in given if each.arg}
            if len(values) == len(given):  # no key twice, no ** of a dictionary
                return name.strip(), values, source
    return None


def parse_definition(thing: Any) -> ast.stmt:
    """The tree of a function or class as its file has it; OSError or TypeError where there is none."""
    with _PARSER:  # inspect parses the whole file to find a class
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(thing))).body
        return tree
