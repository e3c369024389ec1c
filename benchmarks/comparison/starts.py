"""Whole processes: Python code, timed from the start of its process to its end."""

from __future__ import annotations

from dataclasses import dataclass

STORED, EMPTY = "stored code", "empty store"

_CLOCK = "\nfrom time import process_time\nprint(process_time())"
_WAIT = "\nfrom comparison.work import wait_for_the_best_code\nwait_for_the_best_code()"
_GAME = """
from ludarium import agent, game
from ludarium.core import InformationSet, Limit, Rng
played = game({title!r})
state = played.initial(Rng(7))
movers = state.movers
"""
_MOVE = """
info = InformationSet(game=played, role=0, legal=tuple(state.legal(0)), seen=(state.observe(0),), state=state)
decision = agent("uct").seat(played, 0, Rng(7)).choose(info, Limit(iterations=1000).start())
assert decision.iterations == 1000
"""
_COMMAND = """
import contextlib, io, runpy, sys
sys.argv = ["ludarium", "games"]
try:
    with contextlib.redirect_stdout(io.StringIO()):
        runpy.run_module("ludarium", run_name="__main__")
except SystemExit as left:
    assert not left.code, left.code
"""
_COMPILE = "from comparison.compiling import {what}\nprint({what}({kernels}))"


@dataclass(frozen=True)
class Start:
    """Code, and whether it finds machine code that an earlier process has stored."""

    code: str
    store: str = STORED
    tells: bool = False
    """Whether the code prints the seconds that count itself."""

    @property
    def timed(self) -> str:
        """The code, which prints the CPU seconds of its process in the end."""
        return self.code if self.tells else self.code + _CLOCK

    @property
    def fills(self) -> str:
        """The code, which stores the best machine code in the end."""
        return self.code + _WAIT


def load(title: str, store: str) -> Start:
    """From the start of the process to the first state."""
    return Start(_GAME.format(title=title), store)


def move(title: str, store: str) -> Start:
    """From the start of the process to a move of UCT with 1,000 iterations."""
    return Start(_GAME.format(title=title) + _MOVE, store)


def command() -> Start:
    """The command line, which lists the games."""
    return Start(_COMMAND)


def compile_kernels(what: str, kernels: int) -> Start:
    """A figure of `compiling.py` for so many generated kernels."""
    return Start(_COMPILE.format(what=what, kernels=kernels), EMPTY, tells=True)
