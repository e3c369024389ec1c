"""Writing the rules of a game as kernels: every ludeme writes a few lines, or says what it is worth as an expression.

All kernels look at a state by its bytes, `v` (as a record, `s`), and work in `c`, which holds the registers: what `(from)` and
its like mean while a rule is evaluated. What a ludeme becomes stands in `ludemes/`; what is done with the moves that are
found, in `sinks.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ludarium.kernel import Emitter, data, i32, u64
from ludarium.ludii.code.regions import Region, fixed
from ludarium.ludii.code.sinks import SINGLE
from ludarium.ludii.grammar.binder import Array, Bound, Constant, Symbol, Value
from ludarium.ludii.memory.state import Layout
from ludarium.ludii.model import Model, bound, walk

if TYPE_CHECKING:
    from ludarium.ludii.code.sinks import Leaf, Sink

Writer: TypeAlias = Callable[["Script", Bound], Any]

NUMBERS: dict[str, Callable[[Script, Bound], str]] = {}
TRUTHS: dict[str, Callable[[Script, Bound], str]] = {}
REGIONS: dict[str, Callable[[Script, Bound], Region]] = {}
ARRAYS: dict[str, Writer] = {}
DIRECTIONS: dict[str, Callable[..., Any]] = {}
MOVES: dict[str, Callable[[Script, Bound], None]] = {}

_FAMILIES: Mapping[str, dict[str, Any]] = {
    "int": NUMBERS, "bool": TRUTHS, "region": REGIONS, "ints": ARRAYS, "dirs": DIRECTIONS, "moves": MOVES,
}  # fmt: skip

PARTS = (
    "apply_code", "apply_joint", "arrive", "chosen_by", "drawn", "end_rules", "finish", "goes_on",
    "holds", "list_all", "list_moves", "next_phases", "perform", "perform_late", "perform_own", "place_all",
    "worth_of_game",
)  # fmt: skip
"""The kernels that every game has: no other kernel may take their names."""

_SMALL = 6  # ludemes that are written in place wherever they stand
_INTEGER = re.compile(r"-?\d+\Z")


FORGETFUL: set[str] = set()
"""Effects whose own consequences never come."""


def ludeme(family: str, *units: str, single: bool = False, forgets_then: bool = False) -> Callable[[Any], Any]:
    """Let a function write these ludemes."""

    def listed(function: Any) -> Any:
        for unit in units:
            assert unit not in _FAMILIES[family], unit
            _FAMILIES[family][unit] = function
            if single:
                SINGLE.add(unit)
            if forgets_then:
                FORGETFUL.add(unit)
        return function

    return listed


class Script:
    """The kernels of one game while they are written."""

    def __init__(self, model: Model, layout: Layout) -> None:
        self.model, self.layout, self.topology = model, layout, model.topology
        self.out = Emitter(model.name)
        for part in PARTS:
            self.out.fresh(part)
        self.scope: dict[str, Any] = {}
        self.sink: Sink | None = None
        self.modes: frozenset[str] = frozenset()
        """What the kernel is written for, where the same rule means different things."""
        self.thens: list[Bound] = []
        """The consequences around the moves that are being written, outermost first."""
        self.live: list[str] = []
        """The registers that loops around the moves have set."""
        self.priors: list[tuple[str, Bound]] = []
        """What is done before the moves that are being written: kernels, and what they are written from."""
        self.groups: list[tuple[int, str]] = []
        """Of the loops over groups whose group is asked for when a move is made: how much is done before moves around them, and
        the kernels that find the group again."""
        self.group_reads: set[str] = set()
        """The registers that the conditions of such groups read."""
        self.group_asked = False
        """Whether there are such loops."""
        self.acting = ""
        """The player as whose moves the moves are written, if not as those of the mover."""
        self.late: dict[int, str] | None = None
        """The tests of leaves whose filters are asked after all moves are listed, or nothing where they are asked at once."""
        self.players_put = 0
        """How often moves around are those of another player, as if he were to move."""
        self.copies = 0
        self.open_regions: set[int] = set()
        """The regions of the equipment that are being written."""
        self.cards_dealt = 0
        """How many cards of the first deck start rules have dealt."""
        self.chains = False
        """Whether moves are chosen by the chains that they begin."""
        self.leaves: list[Leaf] = []
        self.offered: set[int] = set()
        """The leaves whose moves players choose from."""
        self._registers: list[tuple[str, str]] = []  # set in this kernel, with where the old value is
        self._kernels: dict[Any, str] = {}
        self._tables: dict[Any, str] = {}
        self.sizes: dict[str, int] = {}
        """How many numbers each table has."""
        self._weights: dict[int, int] = {}

    # What is written

    def line(self, text: str) -> None:
        """Write a line."""
        self.out.line(text)

    def block(self, head: str) -> Any:
        """Write the head of a block; what follows stands in it."""
        return self.out.block(head)

    def local(self, hint: str, expression: str) -> str:
        """Keep a value in a variable."""
        if _INTEGER.match(expression):
            return expression
        name = self.out.fresh(hint)
        self.line(f"{name} = {expression}")
        return name

    def place(self, value: Value) -> str:
        """Where something is written in the rules."""
        return str(self.model.place(value))

    @contextmanager
    def kernel(self, name: str, more: str = "", result: str = "None", origin: str = "") -> Iterator[str]:
        """Write a kernel over a state and the memory to work in."""
        name = self.out.fresh(name)
        registers, self._registers = self._registers, []
        extra = f", {more}" if more else ""
        try:
            with self.out.kernel(f"{name}(v: view[u8], c: Context{extra}) -> {result}", origin):
                self.line("s = State(v)")
                yield name
        finally:
            self._registers = registers

    def once(self, key: Any, write: Callable[[], str]) -> str:
        """The name of a kernel that is written when it is first wanted."""
        if key not in self._kernels:
            self._kernels[key] = write()
        return self._kernels[key]

    def table(self, values: Any, kind: Any = i32, hint: str = "table") -> str:
        """The name of a table of numbers."""
        memory = np.ascontiguousarray(values, dtype={i32: np.int32, u64: np.uint64}[kind])
        key = (str(memory.dtype), memory.tobytes())
        if key not in self._tables:
            name = self._tables[key] = self.out.fresh(hint.upper())
            self.sizes[name] = memory.size
            self.scope[name] = data(name, kind, memory if memory.size else np.zeros(1, memory.dtype))
        return self._tables[key]

    # Registers

    @contextmanager
    def register(self, name: str, expression: str, *, loop: bool = False) -> Iterator[None]:
        """Set a register for what is written in here; in a `loop`, for the moves that are found."""
        saved = self.local(f"old_{name}", f"c.{name}")
        self.line(f"c.{name} = {expression}")
        self._registers.append((name, saved))
        if loop:
            self.live.append(name)
        try:
            yield
        finally:
            if loop:
                self.live.pop()
            self._registers.pop()
            self.line(f"c.{name} = {saved}")

    def answer(self, expression: str) -> None:
        """Leave the kernel with a result, and the registers as they were."""
        found = (
            self.local("found", expression) if self._registers and expression not in ("True", "False") else expression
        )
        for name, saved in reversed(self._registers):
            self.line(f"c.{name} = {saved}")
        self.line(f"return {found}")

    @contextmanager
    def filtered_at_once(self) -> Iterator[None]:
        """Let no filter wait in here, where it counts which moves there are, or where the state is another."""
        late, self.late = self.late, None
        try:
            yield
        finally:
            self.late = late

    # Values

    def weight(self, value: Value) -> int:
        """How many ludemes there are in a value."""
        key = id(value)
        if key not in self._weights:
            self._weights[key] = sum(1 for _ in walk(value))
        return self._weights[key]

    def number(self, value: Value | None, default: str = "-1") -> str:
        """A number or a site, as an expression."""
        if value is None:
            return default
        match value:
            case Constant():
                return str(int(value.value))
            case Symbol():
                return self.role(value)
            case Bound():
                return self._written(value, NUMBERS, "n", "i64")
        raise self.model.unsupported(value)

    def truth(self, value: Value | None, default: str = "True") -> str:
        """A condition, as an expression."""
        if value is None:
            return default
        if isinstance(value, Constant):
            return str(bool(value.value))
        return self._written(bound(value), TRUTHS, "b", "bool")

    def settled(self, node: Bound, slot: str, *, default: bool = False) -> bool:
        """Whether an argument says yes; one that depends on the state is refused."""
        if slot not in node.arguments:
            return default
        known = self.truth(node.arguments[slot])
        if known not in ("True", "False"):
            raise self.model.unsupported(node, why=f"{slot!r} that depends on the state")
        return known == "True"

    def _written(self, node: Bound, family: Mapping[str, Callable[[Script, Bound], str]], hint: str, kind: str) -> str:
        handler = family.get(node.unit)
        if handler is None:
            raise self.model.unsupported(node)
        if self.weight(node) <= _SMALL:
            return handler(self, node)

        def write() -> str:
            with self.kernel(hint, result=kind, origin=self.place(node)) as name:
                self.answer(handler(self, node))
            return name

        folded = self._folded(node, handler)
        if folded is not None:
            return folded
        return f"{self.once((hint, id(node), self.modes), write)}(v, c)"

    def _folded(self, node: Bound, handler: Callable[[Script, Bound], str]) -> str | None:
        """A value that is a plain number, found without writing anything."""
        if not all(each.unit in _FOLDABLE for each in walk(node)):
            return None
        found = handler(self, node)
        return found if _INTEGER.match(found) else None

    def region(self, value: Value | None) -> Region:
        """A set of sites."""
        if value is None:
            return fixed(self, ())
        node = bound(value)
        handler = REGIONS.get(node.unit)
        if handler is None:
            raise self.model.unsupported(node)
        return handler(self, node)

    def numbers(self, value: Value | None) -> Any:
        """An array of numbers."""
        node = bound(value)
        handler = ARRAYS.get(node.unit)
        if handler is None:
            raise self.model.unsupported(node)
        return handler(self, node)

    def role(self, value: Value) -> str:
        """The number of the player that a role means."""
        assert isinstance(value, Symbol), value
        role, players = value.word, self.model.players
        if re.fullmatch(r"P\d+", role):
            return role[1:]
        known = {
            "Neutral": "0", "Shared": str(players + 1), "All": str(players + 1), "Each": str(players + 1),
            "Mover": "s.mover", "Next": "s.next", "Prev": "s.prev", "Player": "c.player",
        }  # fmt: skip
        if role in known:
            return f"i64({known[role]})" if known[role][0] == "s" else known[role]
        if re.fullmatch(r"Team\d+", role):
            return role[4:]
        if role == "TeamMover" and "team" in self.layout.state.fields:
            return "i64(s.team[s.mover])"
        return "-1"

    def player(self, node: Bound, role: str = "role", other: str = "player", default: str = "-1") -> str:
        """A player that is given as a role, or by a number."""
        if role in node.arguments:
            return self.role(node.arguments[role])
        if other in node.arguments:
            given = node.arguments[other]
            if isinstance(given, Bound) and given.family == "util":
                return self.number(given.arguments["index"])
            return self.number(given)
        return default

    # Pieces of code that may or may not be needed

    def both(self, sides: Sequence[Value], *, all_of: bool) -> str:
        """Conditions from left to right, until one decides."""
        decided, joined = ("", " and ") if all_of else ("not ", " or ")
        pure: list[str] = []
        result = ""
        for side in sides:
            with self.out.apart() as lines:
                expression = self.truth(side)
            if lines or result:
                if not result:
                    result = self.out.fresh("holds")
                    self.line(f"{result} = {joined.join(pure) if pure else str(all_of)}")
                with self.block(f"if {decided}{result}:"):
                    self.out.paste(lines)
                    self.line(f"{result} = {expression}")
            else:
                pure.append(f"({expression})")
        return result or (joined.join(pure) if len(pure) != 1 else pure[0]) or str(all_of)

    def either(self, condition: str, first: Callable[[], str], second: Callable[[], str], hint: str = "chosen") -> str:
        """One of two values."""
        if condition in ("True", "False"):
            return first() if condition == "True" else second()
        with self.out.apart() as lines:
            one = first()
        with self.out.apart() as others:
            other = second()
        if not lines and not others:
            return f"({one} if {condition} else {other})"
        name = self.out.fresh(hint)
        with self.block(f"if {condition}:"):
            self.out.paste(lines)
            self.line(f"{name} = {one}")
        with self.block("else:"):
            self.out.paste(others)
            self.line(f"{name} = {other}")
        return name

    # Moves

    def moves(self, value: Value) -> None:
        """Write what finds the moves of a ludeme, for the sink of the kernel that is being written."""
        node = bound(value)
        handler = MOVES.get(node.unit)
        if handler is None:
            raise self.model.unsupported(node)
        then = node.arguments.get("then") if node.unit not in FORGETFUL else None
        if then is not None:
            self.thens.append(bound(then))
        try:
            with self.out.at(self.place(node)):
                handler(self, node)
        finally:
            if then is not None:
                self.thens.pop()


_FOLDABLE = frozenset(
    [
        "+",
        "-",
        "*",
        "/",
        "%",
        "^",
        "max",
        "min",
        "abs",
        "count Rows",
        "count Columns",
        "count Sites",
        "centrePoint",
        "coord",
    ]
)


def by_phase(script: Script, player: str, write: Callable[[int], None]) -> None:
    """Write something for each phase, of which the one that a player is in counts."""
    if script.layout.phases == 1:
        write(0)
        return
    with script.block(f"match s.phase[{player}]:"):
        for phase in range(script.layout.phases):
            with script.block(f"case {phase}:"):
                write(phase)
        with script.block("case _:"):
            script.line("pass")


def literal(expression: str) -> int | None:
    """The number that an expression is, if it is one."""
    return int(expression) if _INTEGER.match(expression) else None


def listed(value: Value) -> Sequence[Value]:
    """The items of an array, or the one value."""
    return value.items if isinstance(value, Array) else [value]
