"""Plain Python games in the game table: native functions that call back into Python.

A block holds the number of a state object. States are values, so copying the number copies the state. What a callback
raises is kept and raised again when the kernel returns: it never turns into a plausible result.
"""

from __future__ import annotations

import ctypes
import signal
import struct
import threading
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ludarium.core import Game, GameError, Rng, State, checked_utilities
from ludarium.core.answers import checked_legal, checked_movers, complain
from ludarium.kernel import addresses
from ludarium.kernel import types as t
from ludarium.kernel.compiler.arguments import keep_exception, slots
from ludarium.kernel.kernel import mode
from ludarium.kernel.table import FUNCTIONS, function_type, new_table

_NUMBER = struct.Struct("q")


class CallbackBridge:
    """The table of a game without kernels: correct, and as slow as its Python."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._states: list[State] = []
        self._pointers: list[Any] = []  # ctypes frees a callback that nobody holds
        numbers = {name: self._entry(name, getattr(self, f"_{name}")) for name in FUNCTIONS}
        self.table = new_table(game, numbers, _NUMBER.size, 0)

    def block(self, state: State) -> bytes:
        """Start over from a state; earlier blocks are void."""
        return self.blocks([state])[0]

    def blocks(self, states: Sequence[State]) -> list[bytes]:
        """Start over from several states; earlier blocks are void."""
        self._states = list(states)
        return [_NUMBER.pack(number) for number in range(len(states))]

    def _entry(self, name: str, function: Callable[..., Any]) -> int:
        number, pointer = python_entry(function_type(name), lambda *given: function(*given[:-1]))
        self._pointers.append(pointer)
        return number

    def state(self, block: bytes | memoryview) -> State:
        """The state that a block stands for."""
        number: int = _NUMBER.unpack_from(block)[0]
        return self._states[number]

    def _state(self, block: t.Span) -> State:
        return self.state(block.memory)

    def _put(self, block: t.Span, state: State) -> None:
        self._states.append(state)
        _NUMBER.pack_into(block.memory, 0, len(self._states) - 1)

    def _fill(self, out: t.Span, values: Sequence[Any], complaint: str) -> int:
        """Write what a game answers into a kernel's memory."""
        try:
            given = array(out.element.code, values)  # type: ignore[union-attr]
        except (TypeError, OverflowError):
            raise GameError(f"game '{self.game.name}' {complaint}") from None
        out.memory[: len(given) * given.itemsize] = given.tobytes()
        return len(given)

    def _init(self, block: t.Span, stream: Any) -> None:
        self._put(block, _with_stream(stream, self.game.initial))

    def _movers(self, block: t.Span) -> int:
        state = self._state(block)
        return sum(1 << role for role in checked_movers(self.game, state.movers))

    def _legal(self, block: t.Span, role: int, out: t.Span) -> int:
        moves = checked_legal(self.game, role, self._state(block).legal(role))
        if len(moves) > len(out):
            announced = f"more than it announced (max_moves={len(out)})"
            raise GameError(f"game '{self.game.name}' has {len(moves)} legal moves, {announced}")
        given: tuple[Any, ...] = moves  # a game may answer anything
        wrong = [repr(move) for move in given if not isinstance(move, int) or not 0 <= move <= t.U64.high]
        return self._fill(out, given, f"has a legal move {', '.join(wrong[:1])}; moves are numbers from 0 to 2**64 - 1")

    def _apply(self, block: t.Span, joint: t.Span, stream: Any) -> None:
        state = self._state(block)
        moves = {role: joint[role] for role in state.movers}
        self._put(block, _with_stream(stream, lambda rng: state.after(moves, rng)))

    def _utilities(self, block: t.Span, out: t.Span) -> None:
        values = checked_utilities(self.game, self._state(block).utilities())
        self._fill(out, values, f"has the utilities {values!r}; expected a number for each role")

    def _observe(self, block: t.Span, role: int, out: t.Span) -> int:
        seen = self._state(block).observe(role)
        if len(seen) > len(out):
            raise GameError(f"game '{self.game.name}' shows {len(seen)} bytes, more than there is room for")
        return self._fill(out, seen, "shows something else than bytes")

    def _hash(self, block: t.Span) -> int:
        return hash(self._state(block)) & t.U64.high

    def _playout(self, block: t.Span, stream: Any, limit: int) -> int:
        state = self._state(block)

        def play(rng: Rng) -> tuple[State, int]:
            now, plies = state, 0
            try:
                while plies < limit and (movers := now.movers):
                    now = now.after({role: rng.choice(now.legal(role)) for role in movers}, rng)
                    plies += 1
            except (TypeError, ValueError):
                complain(now)
                raise
            return now, plies

        end, plies = _with_stream(stream, play)
        self._put(block, end)
        return int(plies)


def python_entry(kind: t.FnType, function: Callable[..., Any]) -> tuple[int, Any]:
    """Make a function reference that calls Python, and the pointer to hold for as long as it is used."""
    if mode() == "python":
        return addresses.function_number(function), function

    def enter(*raw: Any) -> int:
        try:
            _Interrupt.meet()
            answer = function(*_arguments(kind, list(raw)))
            answers = answer if isinstance(kind.result, t.TupleType) else () if kind.result is None else (answer,)
            for place, each in enumerate(answers):
                ctypes.c_uint64.from_address(raw[-1] + 8 * place).value = int(each) & t.U64.high
        except BaseException as problem:  # noqa: BLE001
            return keep_exception(problem)
        return 0

    pointer = ctypes.CFUNCTYPE(ctypes.c_int64, *slots(list(kind.params), kind.result))(enter)
    return int(ctypes.cast(pointer, ctypes.c_void_p).value or 0), pointer


class _Interrupt:
    """Whether Ctrl-C was pressed while machine code was calling Python."""

    pressed = False

    @classmethod
    def press(cls, number: int, frame: Any) -> None:
        """Remember the first Ctrl-C; the second one ends what the game itself is busy with."""
        if cls.pressed:
            signal.default_int_handler(number, frame)
        cls.pressed = True

    @classmethod
    def meet(cls) -> None:
        if cls.pressed:
            cls.pressed = False
            raise KeyboardInterrupt


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """Let Ctrl-C wait until Python code can raise it.

    An exception that is raised on the way from machine code into Python would be lost, and a wrong answer with it.
    """
    usual = signal.default_int_handler
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is not usual:
        yield
        return
    signal.signal(signal.SIGINT, _Interrupt.press)
    try:
        yield
        _Interrupt.meet()
    finally:
        signal.signal(signal.SIGINT, usual)
        _Interrupt.pressed = False


def _with_stream(stream: Any, use: Callable[[Rng], Any]) -> Any:
    """Let Python code draw from a kernel's random numbers."""
    rng = Rng(0)
    memory = addresses.as_bytes(stream)
    rng.words[:] = array("Q", bytes(memory[:32]))
    result = use(rng)
    memory[:32] = rng.words.tobytes()
    return result


def _arguments(kind: t.FnType, raw: list[Any]) -> list[Any]:
    """Look at what a kernel passes as it would look in plain Python."""
    made: list[Any] = []
    for param in kind.params:
        if isinstance(param, t.Scalar):
            made.append(raw.pop(0))
        elif isinstance(param, t.ViewType):
            address, length = raw.pop(0), raw.pop(0)
            made.append(t.Span(_memory(address, length * param.element.size), param.element))
        else:
            # Of a bundle, too, only the memory is passed: whoever made it has all that it leads to.
            assert t.is_record(param) or t.is_bundle(param)
            made.append(_memory(raw.pop(0), param.size))
    return made


def _memory(address: int | None, size: int) -> memoryview:
    return memoryview((ctypes.c_uint8 * size).from_address(address)).cast("B") if address and size else memoryview(b"")
