"""Generated kernels: text in, kernels out, every line with the place in the rules that it came from.

Whatever goes wrong in a generated kernel, before it runs or while it does, names that place.
"""

from __future__ import annotations
import __future__

import builtins
import contextlib
import hashlib
import keyword
import linecache
import re
import sys
import threading
import weakref
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ludarium.kernel.kernel import Kernel
from ludarium.kernel.places import GENERATED, Generated
from ludarium.kernel.types import KernelError

_INDENT = "    "
_LOCK = threading.Lock()
_GONE: deque[tuple[str, object]] = deque()
"""Texts that nobody holds any more, in `linecache` still: who walks through it must not have it changed by a collection."""


def kernels(
    name: str, text: str, scope: Mapping[str, Any] | None = None, origins: Sequence[str] = ()
) -> dict[str, Kernel[Any]]:
    r"""Make the kernels that a text defines; it knows the words of the language, and the names in the scope.

    >>> made = kernels("example", "@kernel\ndef double(a: i64) -> i64:\n    return TWO * a\n", {"TWO": 2})
    >>> made["double"](21)
    42
    """
    held = _generated(name, text, tuple(origins))
    names = {"__name__": f"generated {name}", "__generated__": held, **_words(), **(scope or {})}
    before = dict(names)
    try:
        code = compile(text, held.file, "exec", __future__.annotations.compiler_flag, dont_inherit=True)
    except SyntaxError as problem:
        raise KernelError(held.file, problem.lineno or 1, problem.offset or 1, problem.msg) from None
    exec(code, names)
    return {k: v for k, v in names.items() if isinstance(v, Kernel) and before.get(k) is not v}


def _words() -> dict[str, Any]:
    """All that the language has."""
    language = sys.modules["ludarium.kernel"]
    return {word: getattr(language, word) for word in language.__all__}


def _generated(name: str, text: str, origins: tuple[str, ...]) -> Generated:
    """A text under a name that stays the same from run to run, so that its machine code is found again."""
    plain = re.sub(r"[<>:\s]+", " ", name)
    with _LOCK:
        _forget_what_is_gone()
        file = _file(plain, text)
        if file in GENERATED and GENERATED[file].origins != origins:  # the same text, from other places
            file = _file(plain, "\n".join([text, *origins]))
        held = GENERATED.get(file)
        if held is None:
            held = GENERATED[file] = Generated(file, origins)
            entry = linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
            weakref.finalize(held, _GONE.append, (file, entry)).atexit = False
    return held


def _forget_what_is_gone() -> None:
    """Drop texts that nobody holds any more; while that was noticed, somebody may have come to hold the same one anew."""
    while _GONE:
        file, entry = _GONE.popleft()
        if linecache.cache.get(file) is entry:
            del linecache.cache[file]


def _file(name: str, content: str) -> str:
    return f"<{name} {hashlib.blake2b(content.encode(), digest_size=8).hexdigest()}>"


class Fragment:
    """Lines that were written, and are not yet part of a text."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.lines: list[tuple[str, str]] = []

    def __bool__(self) -> bool:
        return bool(self.lines)


class Emitter:
    """Writes the text of kernels line by line.

    >>> out = Emitter("example")
    >>> with out.kernel("count(v: view[u8]) -> i64", "rules.kif:3"):
    ...     total = out.fresh("total")
    ...     out.line(f"{total} = 0")
    ...     with out.block("for k in range(len(v)):"):
    ...         out.line(f"{total} += v[k]", "rules.kif:4")
    ...     out.line(f"return {total}")
    >>> out.kernels()["count"](b"123")
    150
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._written: list[tuple[str, str]] = []  # lines and their origins
        self._lines = self._written
        self._depth, self._origin = 0, ""
        self._names = Counter([*keyword.kwlist, *vars(builtins), *_words()])

    @property
    def text(self) -> str:
        """All that has been written."""
        return "".join(f"{line}\n" for line, _ in self._written)

    @property
    def origins(self) -> list[str]:
        """What each line came from."""
        return [origin for _, origin in self._written]

    def kernels(self, scope: Mapping[str, Any] | None = None) -> dict[str, Kernel[Any]]:
        """Make the kernels that have been written; besides each other they know the names in the scope."""
        return kernels(self.name, self.text, scope, self.origins)

    def fresh(self, hint: str) -> str:
        """A name like this one, never given before."""
        plain = re.sub(r"\W", "_", hint)
        plain = plain if plain.isidentifier() else f"_{plain}"
        self._names[plain] += 1
        if self._names[plain] == 1:
            return plain
        return self.fresh(f"{plain}_{self._names[plain]}")

    def line(self, text: str, origin: str = "") -> None:
        """Write a line, or a text of several; where it does not say what it came from, that is what its block came from."""
        margin, origin = _INDENT * self._depth, origin or self._origin
        self._lines += [((margin + line).rstrip(), origin) for line in text.split("\n")]

    def lines(self, texts: Iterable[str], origin: str = "") -> None:
        """Write lines, which may be indented among themselves."""
        for text in texts:
            self.line(text, origin)

    @contextlib.contextmanager
    def at(self, origin: str) -> Iterator[None]:
        """Say what the lines in here came from."""
        before, self._origin = self._origin, origin or self._origin
        try:
            yield
        finally:
            self._origin = before

    @contextlib.contextmanager
    def block(self, head: str, origin: str = "") -> Iterator[None]:
        """Write the head of a block, and below it what is written in here."""
        self.line(head, origin)
        start = len(self._lines)
        self._depth += 1
        try:
            with self.at(origin):
                yield
                if len(self._lines) == start:
                    self.line("pass")
        finally:
            self._depth -= 1

    @contextlib.contextmanager
    def apart(self) -> Iterator[Fragment]:
        """Keep what is written in here, to be pasted where it is wanted."""
        before, kept = self._lines, Fragment(self._depth)
        self._lines = kept.lines
        try:
            yield kept
        finally:
            self._lines = before

    def paste(self, fragment: Fragment) -> None:
        """Write what was kept, as deep as it stands now."""
        deeper = self._depth - fragment.depth
        assert deeper >= 0, "what was kept cannot stand farther out than it was written"
        self._lines += [(_INDENT * deeper + line if line else line, origin) for line, origin in fragment.lines]

    @contextlib.contextmanager
    def kernel(self, head: str, origin: str = "") -> Iterator[None]:
        """Write a kernel; one that is written in the middle of another stands before it."""
        before = self._lines, self._depth, self._origin
        self._lines, self._depth, self._origin = [], 0, origin
        try:
            self.line("@kernel")
            with self.block(f"def {head}:"):
                yield
            self._written += [*self._lines, ("", "")]
        finally:
            self._lines, self._depth, self._origin = before
