"""Typed Python to machine code: the language, its compiler, random numbers and the game table."""

from ludarium.kernel.bundle import Bundle, zeros
from ludarium.kernel.game import KernelGame, KernelState, TableGame
from ludarium.kernel.generate import Emitter
from ludarium.kernel.kernel import Kernel, Unit, kernel, mode, shared, using
from ludarium.kernel.language import *  # noqa: F403
from ludarium.kernel.random import Stream, below, draw, uniform
from ludarium.kernel.table import Bridge, Table, bridge
from ludarium.kernel.types import KernelError, Record

__all__ = [  # noqa: F405
    "Bridge", "Bundle", "Emitter", "Kernel", "KernelError", "KernelGame", "KernelState", "Record", "Stream", "Table", "TableGame",
    "Unit",
    "array", "below", "bridge", "buffer", "clz", "constant", "copy", "cos", "ctz", "data", "draw", "empty", "exp",
    "f64", "floor", "fn", "i8", "i16", "i32", "i64", "kernel", "log", "mode", "mulhi", "nth", "popcount", "recast", "shared",
    "sin", "sqrt", "tanh", "u8", "u16", "u32", "u64", "uniform", "using", "view", "zeros",
]  # fmt: skip
