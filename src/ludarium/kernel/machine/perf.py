"""Kernels by name in Linux's `perf`: with LUDARIUM_PERF=1 all machine code is listed in the file where it looks.

The loader tells where the entry points lie; the other functions that were not inlined are found in the table of symbols of
the object file, at the same distance from them.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

WANTED = os.environ.get("LUDARIUM_PERF", "") not in ("", "0")
_HEADER = struct.Struct("<40xQ10xHHH")  # where the sections are listed, and how many there are
_SECTION = struct.Struct("<4xI16xQQI12xQ")  # type, offset, size, link, size of an entry
_SYMBOL = struct.Struct("<IBBHQQ")  # name, information, visibility, section, place, size
_SYMBOLS, _FUNCTION = 2, 2


def note(data: bytes, entries: Mapping[str, tuple[str, int]]) -> None:
    """List the functions of an object file; of its entry points, the names of their kernels and where they lie are known."""
    found = list(_functions(data))
    bases = {section: entries[symbol][1] - place for symbol, section, place, _ in found if symbol in entries}
    with Path(f"/tmp/perf-{os.getpid()}.map").open("a", encoding="utf-8") as file:  # noqa: S108  (perf looks there)
        for symbol, section, place, size in found:
            name = entries[symbol][0] if symbol in entries else symbol.partition(".")[2] or symbol
            if section in bases:
                file.write(f"{bases[section] + place:x} {size:x} {name}\n")


def _functions(data: bytes) -> Iterator[tuple[str, int, int, int]]:
    """The functions in an ELF file of 64 bits: name, section, place in it, and size; none in a file of another kind."""
    if data[:6] != b"\x7fELF\x02\x01":
        return
    start, width, count, _ = _HEADER.unpack_from(data)
    sections = [_SECTION.unpack_from(data, start + number * width) for number in range(count)]
    for kind, offset, size, link, _ in sections:
        if kind != _SYMBOLS:
            continue
        texts = sections[link][1]
        for text, about, _, section, place, length in _SYMBOL.iter_unpack(data[offset : offset + size]):
            if about & 15 == _FUNCTION and length:
                begin = texts + text
                yield data[begin : data.index(0, begin)].decode(), section, place, length
