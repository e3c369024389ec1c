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


def parse_definition(thing: Any) -> ast.stmt:
    """The tree of a function or class as its file has it; OSError or TypeError where there is none."""
    with _PARSER:  # inspect parses the whole file to find a class
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(thing))).body
        return tree
