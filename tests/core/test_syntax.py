"""Python's parser, used by many threads."""

import ast
import gc
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from ludarium.core.syntax import parse, parse_call, parse_definition, parse_expression


@pytest.fixture
def hasty():
    """Threads take turns as often as they can, also while a tree is made: Python code runs as garbage is collected."""
    before, rarely = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(50)
    gc.callbacks.append(_pause)
    yield
    gc.callbacks.remove(_pause)
    gc.set_threshold(*rarely)
    sys.setswitchinterval(before)


def _pause(phase, info):
    time.sleep(0)


class Nested:
    def method(self):
        return 1


def test_threads_parse_at_once(hasty):
    deep = "(" * 30 + "x" + "+1)" * 30
    program = f"def f(x):\n    if x:\n        return {deep}\n    return [{deep}, {deep}]\n"
    wanted = ast.dump(parse(program))

    def work(number):
        match number % 3:
            case 0:
                return ast.dump(parse(program)) == wanted
            case 1:
                return isinstance(parse_expression(deep), ast.BinOp)
            case _:
                return isinstance(parse_definition(Nested), ast.ClassDef)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(600)))


def test_an_indented_definition_is_read():
    def inner(x):
        return x

    assert parse_definition(inner).name == "inner"


@pytest.mark.parametrize(
    "text", ["lud:Hex (Match)", "uct(c=)", "uct(c=[a b])", "uct(c=[)", "uct(c=[,])", "f(a=[[b c]])"]
)
def test_what_is_no_call_is_none_at_once(text):
    assert parse_call(text) is None
