"""Noting what clingo grounds, while it does: by kernels that clingo calls, as there may be hundreds of thousands.

clingo's own way of telling Python makes objects of every rule, which takes longer than grounding. It is used where
clingo is not made as expected here, and where kernels run as plain Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from itertools import islice, pairwise
from mmap import mmap
from typing import Any, cast

import clingo

from ludarium.kernel import Kernel, Record, Unit, array, copy, i32, i64, kernel, mode, u64, view
from ludarium.kernel.addresses import address_of
from ludarium.kernel.machine.engine import Code

MANY = 30_000
"""Atoms of which it is not counted how many there are."""

_FACTS = 0.7  # of the rules that there may be at most, for facts: most of what is possible comes again as rules with conditions
_ROOM = 16  # literals of a rule, on average; with more of them there are too many
_PAGE = 320_000  # rules that there is room for at least: more than most games are grounded for
_LONG = 4096  # bytes of an atom's text, more than nearly all have


class Instances:
    """Ground rules, facts and named atoms of one run of clingo, if there are not too many."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.rules: list[tuple[int, tuple[int, ...]]] = []
        self.facts: set[int] = set()
        self.shown: list[tuple[str, int]] = []
        self.too_many = False
        self._notes: Any = None
        self._code: tuple[Unit, Code] | None = None  # which clingo calls, so it must not go before clingo has ended
        if mode() != "python" and _clingo_is_known():
            self._notes, self._code = _notes(most)

    def take(self, control: clingo.Control) -> None:
        """Ground; an exception, and `too_many` is set, if there are too many rules."""
        self.note(control)
        self.read()

    def note(self, control: clingo.Control) -> None:
        """Ground, and name what is shown; rules and facts are noted in memory that copies of this process share."""
        notes = self._notes
        if self._code is None:
            control.register_observer(_Rules(self), replace=True)
        else:
            _register(control, notes, self._code[1])
        try:
            control.ground([("base", [])])
        except Exception:
            self.too_many |= notes is not None and notes.full != 0
            raise
        if notes is not None:
            symbols = notes.symbol.memory.cast("Q")[: notes.shown].tolist()
            self.shown = list(zip(texts(symbols), notes.atom.memory.cast("i")[: notes.shown].tolist(), strict=True))

    def read(self) -> None:
        """Make lists of what was noted."""
        notes, self._notes, self._code = self._notes, None, None
        if notes is not None:
            heads, ends = (field.memory.cast("i")[: notes.rules].tolist() for field in (notes.head, notes.end))
            literals = notes.literal.memory.cast("i")[: notes.literals].tolist()
            bounds = pairwise([0, *ends])
            self.rules = [(head, tuple(literals[a:b])) for head, (a, b) in zip(heads, bounds, strict=True)]
            self.facts = set(notes.fact.memory.cast("i")[: notes.facts].tolist())


def count(control: clingo.Control, name: str, arity: int) -> int:
    """The atoms of a relation, of which no more than many are counted."""
    if not _clingo_is_known():
        return sum(1 for _ in islice(control.symbolic_atoms.by_signature(name, arity), MANY))
    inside, number = _inside(), 0
    ffi, lib, atoms = inside._ffi, inside._lib, control.symbolic_atoms._rep
    signature, place, valid = ffi.new("clingo_signature_t*"), ffi.new("uint64_t*"), ffi.new("bool*")
    inside._handle_error(lib.clingo_signature_create(name.encode(), arity, True, signature))  # noqa: FBT003
    inside._handle_error(lib.clingo_symbolic_atoms_begin(atoms, signature, place))
    while number < MANY and lib.clingo_symbolic_atoms_is_valid(atoms, place[0], valid) and valid[0]:
        lib.clingo_symbolic_atoms_next(atoms, place[0], place)
        number += 1
    return number


def texts(symbols: Iterable[int]) -> list[str]:
    """What clingo writes for its symbols; all share one piece of memory, which Python's way does not."""
    inside, usual, made = _inside(), cast("Any", clingo.Symbol), []
    memory, write, read = inside._ffi.new("char[]", _LONG), inside._lib.clingo_symbol_to_string, inside._ffi.string
    for symbol in symbols:
        if write(symbol, memory, _LONG):
            made.append(read(memory).decode())
        else:
            made.append(str(usual(symbol)))
    return made


class _Rules(clingo.Observer):
    """Rules, and the atoms that mean something outside, as clingo tells Python."""

    def __init__(self, instances: Instances) -> None:
        self._to = instances

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:  # noqa: FBT001
        if choice:
            return
        if body:
            self._to.rules.append((head[0] if head else 0, tuple(body)))
        else:
            self._to.facts.update(head)
        if len(self._to.rules) + len(self._to.facts) > self._to.most or len(self._to.facts) > _FACTS * self._to.most:
            self._to.too_many = True
            raise RuntimeError("too many rules")

    def output_atom(self, symbol: Any, atom: int) -> None:
        self._to.shown.append((str(symbol), atom))


@cache
def _recorder(room: int) -> tuple[dict[str, Kernel[None]], type[Any]]:
    """The kernels that note rules and names, and the record that they note them in."""

    class Notes(Record):
        rule_entry: u64
        atom_entry: u64
        most: i64
        most_facts: i64
        full: i64
        rules: i64
        literals: i64
        facts: i64
        shown: i64
        symbol = array(u64, room)
        atom = array(i32, room)
        head = array(i32, room)
        end = array(i32, room)
        literal = array(i32, _ROOM * room)
        fact = array(i32, room)

    @kernel
    def note_rule(choice: i64, head: view[i32], body: view[i32], notes: Notes) -> None:
        """Note a rule, or facts; more than there should be is an error, which ends grounding."""
        if choice != 0:
            return
        more = len(head) if len(body) == 0 else 1
        if notes.rules + notes.facts + more > notes.most or notes.literals + len(body) > _ROOM * room:
            notes.full = 1
        assert notes.full == 0, "too many rules"
        if len(body) == 0 and notes.facts + more > notes.most_facts:
            notes.full = 1
        assert notes.full == 0, "too many facts"
        if len(body) == 0:
            copy(notes.fact[notes.facts : notes.facts + len(head)], head)
            notes.facts += len(head)
        else:
            copy(notes.literal[notes.literals : notes.literals + len(body)], body)
            notes.head[notes.rules] = head[0] if len(head) > 0 else 0
            notes.literals += len(body)
            notes.end[notes.rules] = notes.literals
            notes.rules += 1

    @kernel
    def note_atom(symbol: u64, atom: i64, notes: Notes) -> None:
        """Note an atom that means something outside."""
        if notes.shown == room:
            notes.full = 1
        assert notes.full == 0, "too many atoms"
        notes.symbol[notes.shown] = symbol
        notes.atom[notes.shown] = atom
        notes.shown += 1

    return {"rule": note_rule, "atom": note_atom}, Notes


def _notes(most: int) -> tuple[Any, tuple[Unit, Code]]:
    """A record with room for at least so many rules, and the code that notes them.

    There are few kinds of records, as each takes a kernel of its own. Whoever notes has to hold the code: two threads
    that are the first to ask make one each, of which only the later is kept here.
    """
    room = _PAGE
    while room < most:
        room *= 16
    unit, kind = _compiled(room, mode())
    notes = kind(mmap(-1, kind.size))  # pages that are not written to cost nothing
    notes.most_facts = int(_FACTS * most)
    notes.most, notes.rule_entry, notes.atom_entry = most, unit.addresses["rule"], unit.addresses["atom"]
    return notes, (unit, _bridge(kind.fields["rule_entry"][1], kind.fields["atom_entry"][1]))


@cache
def _compiled(room: int, way: str) -> tuple[Unit, type[Any]]:
    kernels, kind = _recorder(room)
    return Unit(kernels, way, brief=True), kind


# Functions as clingo calls them. Kernels answer 0 when all went well, clingo wants to hear "true" then.
_BRIDGE = """
@facts0 = constant [2 x i8] c"0\\00"
@facts1 = constant [2 x i8] c"0\\00"
define zeroext i1 @entry0(i1 zeroext %choice, ptr %head, i64 %heads, ptr %body, i64 %bodies, ptr %notes) {
  %place = getelementptr i8, ptr %notes, i64 RULE
  %kernel = load ptr, ptr %place
  %number = zext i1 %choice to i64
  %status = call i64 %kernel(i64 %number, ptr %head, i64 %heads, ptr %body, i64 %bodies, ptr %notes)
  %good = icmp eq i64 %status, 0
  ret i1 %good
}
define zeroext i1 @entry1(i64 %symbol, i32 zeroext %atom, ptr %notes) {
  %place = getelementptr i8, ptr %notes, i64 ATOM
  %kernel = load ptr, ptr %place
  %number = zext i32 %atom to i64
  %status = call i64 %kernel(i64 %symbol, i64 %number, ptr %notes)
  %good = icmp eq i64 %status, 0
  ret i1 %good
}
"""


@cache
def _bridge(rule: int, atom: int) -> Code:
    text = _BRIDGE.replace("RULE", str(rule)).replace("ATOM", str(atom))
    return Code(["rule_noted", "atom_noted"], text, lambda: text, {}, {}, brief=True)


_CALLS = [
    "_Bool(*)(_Bool, uint32_t *, size_t, int32_t *, size_t, void *)",
    "_Bool(*)(uint64_t, uint32_t, void *)",
    "_Bool(*)(uint64_t, char *, size_t)",
]


@cache
def _clingo_is_known() -> bool:
    """Whether clingo's inner parts are those that this was written for."""
    try:
        inside = _inside()
        fields = dict(inside._ffi.typeof("clingo_ground_program_observer_t").fields)
        called = [str(fields[name].type.cname) for name in ("rule", "output_atom")]
        written = inside._ffi.typeof(inside._lib.clingo_symbol_to_string).cname
        return [*called, written] == _CALLS
    except (ImportError, AttributeError, KeyError, TypeError):
        return False


def _register(control: Any, notes: Any, bridge: Code) -> None:
    """Have clingo call the kernels for every rule and name."""
    inside, replace = _inside(), True
    ffi = inside._ffi
    table = ffi.new("clingo_ground_program_observer_t*")
    rule, atom = bridge.addresses
    table.rule = ffi.cast(ffi.typeof(table.rule), rule)
    table.output_atom = ffi.cast(ffi.typeof(table.output_atom), atom)
    data = ffi.cast("void*", address_of(notes.memory))
    inside._handle_error(inside._lib.clingo_control_register_observer(control._rep, table, replace, data))


def _inside() -> Any:
    return import_module("clingo._internal")
