"""The source of a game for people: the kernels that are compiled and run, with the numbers in them."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from typing import Any

from ludarium.core import Game
from ludarium.kernel import Kernel, KernelGame, Record, TableGame

_LIBRARY = "ludarium.kernel."


def listing(game: Game) -> str:
    """Give the source of a game: of its kernels if it has any, else of its module.

    A game that is made of something else, such as rules, may tell of it with a method `listing`.
    """
    if not isinstance(game, TableGame):
        return inspect.getsource(sys.modules[type(game).__module__]).rstrip()
    parts = _Parts()
    if isinstance(game, KernelGame):
        parts.add_record(game.state_record)
    for each in game.kernels.values() if isinstance(game, KernelGame) else game.functions().values():
        parts.add_kernel(each)
    head = game.offers.listing() if game.offers.listing else f"# {game.name}"
    numbers = "\n".join(f"{name} = {value}" for name, value in parts.numbers.items())
    return "\n\n\n".join(filter(None, [head, numbers, *parts.texts.values()]))


class _Parts:
    """What has been found so far: numbers by name, and texts of records and kernels in order."""

    def __init__(self) -> None:
        self.numbers: dict[str, str] = {}
        self.texts: dict[Any, str] = {}

    def add_record(self, record: type[Record]) -> None:
        if record in self.texts or record.__module__.startswith(_LIBRARY):
            return
        try:
            self.texts[record] = textwrap.dedent(inspect.getsource(record)).rstrip()
        except (OSError, TypeError):
            fields = (f"    # byte {offset}: {name}, {kind}" for name, (kind, offset) in record.fields.items())
            self.texts[record] = "\n".join([f"class {record.__name__}(Record):", *fields])

    def add_kernel(self, each: Kernel[Any]) -> None:
        """Add a kernel, and below it what it calls."""
        if each in self.texts or each.function.__module__.startswith(_LIBRARY):
            return
        source = each.source
        self.texts[each] = textwrap.dedent(source.text).rstrip()
        names = (node.id for node in ast.walk(source.tree) if isinstance(node, ast.Name))
        for name in dict.fromkeys(names):
            try:
                thing = source.lookup(name)
            except KeyError:
                continue  # a variable of its own
            if isinstance(thing, Kernel):
                self.add_kernel(thing)
            elif isinstance(thing, type) and issubclass(thing, Record):
                self.add_record(thing)
            elif isinstance(thing, int | float):
                self.numbers[name] = hex(thing) if isinstance(thing, int) and thing > 0xFFFF else repr(thing)
