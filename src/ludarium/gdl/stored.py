"""What loading rules has worked out, kept on disk beside the machine code: the next load only reads it.

A part is plain values, tables of kernels, and objects of this package with named fields. Reading one runs nothing, and what is
not whole, too large or of another kind is worked out anew. Whose files are used is the business of the cache.
"""

from __future__ import annotations

import hashlib
import marshal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from ludarium.kernel.machine import cache as files
from ludarium.kernel.types import BOOL, F64, INTEGERS, Data

MOST = 1 << 25
"""Bytes of a part that are kept."""

_VALUE, _LIST, _TUPLE, _DICT, _OBJECT, _ROWS, _TABLE = range(7)
_ELEMENTS = {kind.name: kind for kind in (*INTEGERS, F64, BOOL)}
_OURS = f"{__name__.rpartition('.')[0]}."
_SPOILT = (ValueError, TypeError, EOFError, LookupError, AttributeError, ImportError)
_NONE = object()
T = TypeVar("T")


def _same(thing: Any) -> Any:
    return thing


class Stored:
    """The parts of one load, by all that they depend on; without that, nothing is kept."""

    def __init__(self, *causes: object) -> None:
        self._key = _digest("\n".join([_engine(), *map(repr, causes)]).encode()) if causes else ""

    def part(
        self,
        name: str,
        make: Callable[[], T],
        less: Callable[[T], object] = _same,
        whole: Callable[[Any], T] = _same,
    ) -> T:
        """A part as it was kept, else as it is made now; `less` leaves out what need not be kept, `whole` puts it back."""
        found = self.find(name, _NONE)
        if found is not _NONE:
            return whole(found)
        made = make()
        if self._key:
            self.keep(name, less(made))
        return made

    def find(self, name: str, otherwise: object = None) -> Any:
        """A part that was kept, or something else if there is none."""
        return self._read(name, otherwise)[0]

    def keep(self, name: str, part: object) -> str:
        """Keep a part, unless it is too large or holds something that cannot be kept; the hash of what was written."""
        with suppress(TypeError):
            data = freeze(part) if self._key else b""
            if 0 < len(data) <= MOST:
                files.store(f"{self._key}-{name}", data)
                return _digest(data)
        return ""

    def first(self, name: str, make: Callable[[], T]) -> tuple[T, Stored]:
        """A part as it was kept or is made now, and where parts are kept that were made from just this one."""
        found, mark = self._read(name, _NONE)
        if found is _NONE:
            found = make()
            mark = self.keep(name, found)
        return found, Stored(self._key, mark) if mark else NOTHING

    def _read(self, name: str, otherwise: object) -> tuple[Any, str]:
        data = files.load(f"{self._key}-{name}") if self._key else None
        try:
            return (otherwise, "") if data is None else (thaw(data), _digest(data))
        except _SPOILT:
            return otherwise, ""


NOTHING = Stored()
"""For rules that come from no file."""


def freeze(value: object) -> bytes:
    """Write something down; a TypeError if it is of a kind that cannot be.

    >>> thaw(freeze({"a": [1, 2.5], "b": None}))
    {'a': [1, 2.5], 'b': None}
    """
    tables: dict[int, tuple[Data, int]] = {}
    node = _node(value, tables)
    return marshal.dumps(([_table(table) for table, _ in tables.values()], node))


def thaw(data: bytes) -> Any:
    """Read what was written down."""
    tables, node = marshal.loads(data)  # noqa: S302 (which makes values, and runs nothing)
    return _value(node, [Data(name, _ELEMENTS[element], memory) for name, element, memory in tables])


def _table(table: Data) -> tuple[str, str, bytes]:
    return table.name, table.element.name, bytes(table.memory)  # type: ignore[union-attr]


def _node(value: Any, tables: dict[int, tuple[Data, int]]) -> tuple[Any, ...]:
    """Something in values that `marshal` knows, with a number in front that tells how they are meant."""
    if isinstance(value, Data):  # which stays one table, wherever it is spoken of
        return _TABLE, tables.setdefault(id(value), (value, len(tables)))[1]
    if _plain(value):
        return _VALUE, value
    kind = type(value)
    if kind is list or kind is tuple:
        first = type(value[0])
        if hasattr(first, "_fields") and all(type(row) is first for row in value):
            rows = [tuple(row) for row in value]
            if kind is list and _plain(rows):
                return _ROWS, _name(first), rows
        return _LIST if kind is list else _TUPLE, [_node(item, tables) for item in value]
    if kind is dict:
        return _DICT, [(_node(key, tables), _node(item, tables)) for key, item in value.items()]
    if is_dataclass(kind):
        return _OBJECT, _name(kind), [_node(getattr(value, field.name), tables) for field in fields(kind) if field.init]
    if hasattr(kind, "_fields"):
        return _OBJECT, _name(kind), [_node(item, tables) for item in value]
    raise TypeError(f"{value!r} cannot be kept")


def _plain(value: Any) -> bool:
    """Whether `marshal` gives something back as it was: it takes arrays for bytes."""
    try:
        return bool(marshal.loads(marshal.dumps(value)) == value)  # noqa: S302
    except ValueError:
        return False


def _name(kind: type) -> str:
    if not kind.__module__.startswith(_OURS):
        raise TypeError(f"{kind} is not ours to keep")
    return f"{kind.__module__}:{kind.__qualname__}"


@lru_cache(maxsize=256)
def _kind(name: str) -> Any:
    module, _, title = name.partition(":")
    kind = getattr(import_module(module), title) if module.startswith(_OURS) else None
    if not isinstance(kind, type) or not (is_dataclass(kind) or hasattr(kind, "_fields")):
        raise ValueError(f"{name} is no class of fields")
    return kind


def _value(node: tuple[Any, ...], tables: list[Data]) -> Any:
    tag, *name, held = node
    if tag == _VALUE:
        return held
    if tag == _TABLE:
        return tables[held]
    if tag == _ROWS:
        return list(map(_kind(*name)._make, held))
    if tag == _DICT:
        return {_value(key, tables): _value(item, tables) for key, item in held}
    items = [_value(item, tables) for item in held]
    return items if tag == _LIST else tuple(items) if tag == _TUPLE else _kind(*name)(*items)


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=20).hexdigest()


@cache
def _engine() -> str:
    """What works the rules out: the code of this folder, what it builds on, and Python, whose values are kept."""
    package = Path(__file__).parents[1]
    return "|".join([sys.version, *(files.code_in(str(package / part)) for part in ("core", "kernel", "gdl"))])
