"""Memory and functions as numbers: where bytes lie, and what stands for a function that a field holds."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

_PLAIN = (memoryview, bytearray, bytes)


def as_bytes(memory: Any) -> memoryview:
    """The bytes behind any buffer, view, record or random generator."""
    for _ in range(2):
        if isinstance(memory, _PLAIN):
            break
        memory = getattr(memory, "memory", getattr(memory, "words", memory))
    raw = memoryview(memory)
    if raw.format == "B" and raw.ndim == 1:
        return raw
    return raw.cast("B") if raw.nbytes else memoryview(b"")


class _PyBuffer(ctypes.Structure):
    """The head of CPython's Py_buffer: ctypes itself gives no address of read-only memory."""

    _fields_ = (("address", ctypes.c_void_p), ("rest", ctypes.c_byte * 128))


def address_of(memory: memoryview) -> int:
    """Where bytes lie."""
    if not memory.readonly and memory.nbytes:  # three times as fast
        return ctypes.addressof(ctypes.c_char.from_buffer(memory))
    held = _PyBuffer()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(memory), ctypes.byref(held), 0)
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(held))
    return held.address or 0


# Functions in memory are numbers: addresses, or with kernels as plain Python the keys of this table.
FUNCTIONS: dict[int, Callable[..., Any]] = {}
LOWEST_ADDRESS = 1 << 20  # no machine code lies below: a number there is a key, or nothing at all


def function_number(function: Callable[..., Any]) -> int:
    """The number under which a Python function can be stored in a record."""
    number = len(FUNCTIONS) + 1
    FUNCTIONS[number] = function
    return number


def function_at(number: int) -> Callable[..., Any]:
    """The Python function that is stored under a number."""
    if number not in FUNCTIONS:
        raise TypeError("there is no Python function in this field")
    return FUNCTIONS[number]
