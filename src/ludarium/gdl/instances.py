"""Noting what clingo grounds, while it does: by a kernel that clingo calls, as there may be hundreds of thousands.

clingo's own way of telling Python makes objects of every rule, which takes longer than grounding. It is used where
clingo is not made as expected here, and where kernels run as plain Python.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import Any

import clingo

from ludarium.kernel import Kernel, Record, array, i32, i64, kernel, mode, u32, u64, view
from ludarium.kernel.engine import Code
from ludarium.kernel.types import address_of

_ROOM = 16  # literals of a rule, on average; with more of them there are too many
_PAGE = 20_000  # rules that there is room for at least
_LOOK = 0.05  # seconds between two looks at the clock


class Instances:
    """Ground rules, facts and named atoms of one run of clingo, if there are not too many."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.rules: list[tuple[int, tuple[int, ...]]] = []
        self.facts: set[int] = set()
        self.shown: list[tuple[str, int]] = []
        self.too_many = False

    def take(self, control: clingo.Control, seconds: float | None = None) -> None:
        """Ground; an exception, and `too_many` is set, if there are too many rules or it takes too long."""
        native = mode() != "python" and _known()
        notes = _notes(self.most) if native else None
        if notes is None:
            control.register_observer(_Rules(self), replace=True)
        else:
            _register(control, notes)
        control.register_observer(_Names(self))
        with _in_time(seconds, notes or self):
            try:
                control.ground([("base", [])])
            except Exception:
                self.too_many |= notes is not None and notes.full != 0
                raise
        if notes is not None:
            self._read(notes)

    def _read(self, notes: Any) -> None:
        heads, ends = (field.memory.cast("i")[: notes.rules].tolist() for field in (notes.head, notes.end))
        literals = notes.literal.memory.cast("i")[: notes.literals].tolist()
        bounds = pairwise([0, *ends])
        self.rules = [(head, tuple(literals[a:b])) for head, (a, b) in zip(heads, bounds, strict=True)]
        self.facts = set(notes.fact.memory.cast("i")[: notes.facts].tolist())


class _Rules(clingo.Observer):
    """Rules as clingo tells Python."""

    def __init__(self, instances: Instances) -> None:
        self._to = instances

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:  # noqa: FBT001
        if choice:
            return
        if body:
            self._to.rules.append((head[0] if head else 0, tuple(body)))
        else:
            self._to.facts.update(head)
        if len(self._to.rules) + len(self._to.facts) > self._to.most:
            self._to.too_many = True
            raise RuntimeError("too many rules")


class _Names(clingo.Observer):
    """The atoms that mean something outside."""

    def __init__(self, instances: Instances) -> None:
        self._to = instances

    def output_atom(self, symbol: Any, atom: int) -> None:
        self._to.shown.append((str(symbol), atom))


@contextmanager
def _in_time(seconds: float | None, stopped: Any) -> Iterator[None]:
    """Allow no more rules when the (processor) time is over."""
    done = threading.Event()
    end = time.process_time() + (seconds or 0.0)

    def watch() -> None:
        while not done.wait(_LOOK):
            if time.process_time() > end:
                stopped.most = -1

    if seconds is not None:
        threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        done.set()


@cache
def _recorder(room: int) -> tuple[Kernel[None], type[Any]]:
    """The kernel that notes rules, and the record that it notes them in."""

    class Notes(Record):
        entry: u64
        most: i64
        full: i64
        rules: i64
        literals: i64
        facts: i64
        head = array(i32, room)
        end = array(i32, room)
        literal = array(i32, _ROOM * room)
        fact = array(i32, room)

    @kernel
    def note_rule(choice: i64, head: view[u32], body: view[i32], notes: Notes) -> None:
        """Note a rule, or facts; more than there should be is an error, which ends grounding."""
        if choice != 0:
            return
        more = len(head) if len(body) == 0 else 1
        if notes.rules + notes.facts + more > notes.most or notes.literals + len(body) > _ROOM * room:
            notes.full = 1
        assert notes.full == 0, "too many rules"
        if len(body) == 0:
            for k in range(len(head)):
                notes.fact[notes.facts + k] = head[k]
            notes.facts += len(head)
        else:
            for k in range(len(body)):
                notes.literal[notes.literals + k] = body[k]
            notes.head[notes.rules] = i64(head[0]) if len(head) > 0 else 0
            notes.literals += len(body)
            notes.end[notes.rules] = notes.literals
            notes.rules += 1

    return note_rule, Notes


def _notes(most: int) -> Any:
    """A record with room for at least so many rules; there are few kinds of them, as each takes a kernel of its own."""
    room = _PAGE
    while room < most:
        room *= 16
    note, kind = _recorder(room)
    notes = kind()
    notes.most, notes.entry = most, note.unit(mode()).addresses[note.name]
    return notes


# A function as clingo calls it. Kernels answer 0 when all went well, clingo wants to hear "true" then.
_BRIDGE = """
@written0 = constant [1 x i8] c"\\00"
define zeroext i1 @entry0(i1 zeroext %choice, ptr %head, i64 %heads, ptr %body, i64 %bodies, ptr %notes) {
  %place = getelementptr i8, ptr %notes, i64 OFFSET
  %kernel = load ptr, ptr %place
  %number = zext i1 %choice to i64
  %status = call i64 %kernel(i64 %number, ptr %head, i64 %heads, ptr %body, i64 %bodies, ptr %notes)
  %good = icmp eq i64 %status, 0
  ret i1 %good
}
"""


@cache
def _bridge(offset: int) -> Code:
    text = _BRIDGE.replace("OFFSET", str(offset))
    return Code(1, text, lambda: text, {})


@cache
def _known() -> bool:
    """Whether clingo's inner parts are those that this was written for."""
    try:
        fields = dict(_inside()._ffi.typeof("clingo_ground_program_observer_t").fields)
        called = str(fields["rule"].type.cname)
        return called == "_Bool(*)(_Bool, uint32_t *, size_t, int32_t *, size_t, void *)"
    except (ImportError, AttributeError, KeyError, TypeError):
        return False


def _register(control: Any, notes: Any) -> None:
    """Have clingo call the kernel for every rule."""
    inside, replace = _inside(), True
    ffi = inside._ffi
    table = ffi.new("clingo_ground_program_observer_t*")
    address = _bridge(notes.fields["entry"][1]).addresses[0]
    table.rule = ffi.cast(ffi.typeof(table.rule), address)
    data = ffi.cast("void*", address_of(notes.memory))
    inside._handle_error(inside._lib.clingo_control_register_observer(control._rep, table, replace, data))


def _inside() -> Any:
    return import_module("clingo._internal")
