"""Games whose rules are kernels: from a table of native functions to `Game` and `State` objects."""

from __future__ import annotations

import threading
import weakref
from abc import abstractmethod
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from ludarium.core import BadParameter, Game, GameError, IllegalMove, Move, Offers, Rng, Role, State, Traits
from ludarium.core.fingerprint import code_parts, digest, given, value_parts
from ludarium.kernel.kernel import Kernel, Unit
from ludarium.kernel.table import FUNCTIONS, new_table, rewire, table_kernels, with_scratch
from ludarium.kernel.types import CapacityError, Record

_NO_CHANCE = Rng(0)
NOTHING_MORE = Offers()


class TableGame(Game):
    """A game whose table is native functions over blocks of `state_size` bytes."""

    state_size: int
    max_observation: int
    scratch_size: int = 0
    """The bytes that its functions need to work in, if they take `scratch: view[u8]` as their last argument."""

    hurry: bool = False
    """Whether its kernels run before they are optimised, even if that would not take long."""

    @abstractmethod
    def functions(self) -> dict[str, Kernel[Any]]:
        """The kernels of the table, by the names of its fields."""

    @cached_property
    def bridge(self) -> KernelBridge:
        """The compiled table; made when it is first used."""
        return KernelBridge(self)

    def state(self, block: bytes) -> KernelState:
        """Make the state that a block stands for."""
        return KernelState(self, block)

    def _initial(self, rng: Rng | None) -> State:
        block = bytearray(self.state_size)
        try:
            self.bridge.call("init", block, rng or _NO_CHANCE)
        except AssertionError as problem:
            raise GameError(f"game '{self.name}' breaks its promises: {problem}") from problem
        return self.state(bytes(block))

    def __repr__(self) -> str:
        return f"<game {self.name}>"


class KernelGame(TableGame):
    """A game made of kernels over a record; `state` is handed to every kernel.

    The kernels are `init(state, rng)`, `movers(state) -> i64` (a bit per role that chooses, 0 at the end),
    `legal(state, role, out: buffer[u64]) -> i64`, `apply(state, joint: view[u64], rng)` and
    `utilities(state, out: view[f64])`; if wanted also `observe(state, role, out: buffer[u8]) -> i64`,
    `hash(state) -> u64` and `playout(state, rng, limit) -> i64`. What else it may give stands in `offers`.
    """

    def __init__(
        self,
        name: str,
        roles: Sequence[str],
        traits: Traits,
        *,
        state: type[Record],
        max_moves: int,
        text: Callable[[Move], str],
        parse: Callable[[str], Move],
        picture: Callable[[Any, Role | None], str],
        max_observation: int | None = None,
        offers: Offers = NOTHING_MORE,
        **kernels: Kernel[Any],
    ) -> None:
        self.name, self.roles, self.traits = name, tuple(roles), traits
        self.state_record, self.state_size, self.max_moves = state, state.size, max_moves
        self.max_observation = state.size if max_observation is None else max_observation
        self.offers = offers
        self.kernels: Mapping[str, Kernel[Any]] = kernels
        self._text, self._parse, self._picture = text, parse, picture
        missing = [k for k in FUNCTIONS[:5] if k not in kernels]
        unknown = [k for k in kernels if k not in FUNCTIONS]
        if missing or unknown:
            problem = f"lacks {', '.join(missing)}" if missing else f"has unknown kernels {', '.join(unknown)}"
            raise GameError(f"game '{name}' {problem}")
        for wrong in (k for k in kernels if not isinstance(kernels[k], Kernel)):
            raise GameError(f"'{wrong}' of game '{name}' is not a kernel; decorate it with @kernel")
        if "observe" not in kernels and not traits.perfect_information:
            raise GameError(f"game '{name}' hides information, so it needs an 'observe' kernel")

    @cached_property
    def fingerprint(self) -> str:
        """What the game is: its code, and the values that its kernels were made with."""
        modules, values = {type(self).__module__}, list(value_parts(given(self)))
        for name in sorted(self.kernels):
            values += _enclosed(name, self.kernels[name].function, modules)
        return digest([*code_parts(sorted(modules)), *values])

    def functions(self) -> dict[str, Kernel[Any]]:
        """The kernels of the table."""
        return table_kernels(self)

    def text(self, move: Move) -> str:
        """Write a move for people."""
        return self._text(move)

    def parse(self, text: str) -> Move:
        """Read a move."""
        try:
            return self._parse(text.strip().lower())
        except IllegalMove:
            raise
        except (ValueError, IndexError, KeyError):
            raise IllegalMove(f"'{text}' is not how {self.name} writes a move") from None

    def picture(self, state: State, role: Role | None = None) -> str:
        """Draw a state; for a role, only what that role sees."""
        assert isinstance(state, KernelState)
        return self._picture(self.state_record(bytearray(state.block)), role)


def _enclosed(name: str, function: Any, modules: set[str]) -> Iterator[str]:
    """Give what a kernel, and those that it calls, have from the function that made them; note where they stand."""
    modules.add(function.__module__)
    values = {}
    for free, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            values[free] = cell.cell_contents
        except ValueError:  # it was never given a value
            continue
    yield from (f"{name}.{part}" for part in value_parts(values))
    for free in sorted(values):
        if isinstance(values[free], Kernel) and values[free].function is not function:
            yield from _enclosed(f"{name}.{free}", values[free].function, modules)


class KernelBridge:
    """The table of a `TableGame`, and the Python side of its functions."""

    def __init__(self, game: TableGame, unit: Unit | None = None) -> None:
        self.game = game
        self.unit = unit or self._compiled(game)
        self.table = new_table(game, self.unit.addresses, game.state_size, game.scratch_size)
        self._scratch = threading.local()
        self._works = {n for n, k in self.unit.kernels.items() if k.signature[0] and k.signature[0][-1][0] == "scratch"}
        follow = weakref.WeakMethod(self._fill)
        self.unit.watch(lambda: (fill := follow()) and fill())

    def _compiled(self, game: TableGame) -> Unit:
        unit = Unit(with_scratch(game.functions()), hurry=game.hurry)
        for name in ("movers", "legal", "observe", "hash"):
            if (0,) in unit.written[name]:
                raise GameError(f"'{name}' of game '{game.name}' writes to the state, which it may only read")
        return unit

    def _fill(self) -> None:
        rewire(self.table, self.unit.addresses)

    def apart(self) -> KernelBridge:
        """The same, with scratch memory of its own: for another search, perhaps in another thread."""
        return KernelBridge(self.game, self.unit) if self.game.scratch_size else self

    def call(self, name: str, *args: Any) -> Any:
        """Call a function of the game from Python; it works in scratch memory of this thread."""
        if name not in self._works:
            return self.unit.call(name, *args)
        memory = getattr(self._scratch, "memory", None)
        if memory is None:
            memory = self._scratch.memory = bytearray(max(8, self.game.scratch_size))
        return self.unit.call(name, *args, memory)

    def block(self, state: State) -> bytes:
        """The bytes of a state."""
        assert isinstance(state, KernelState)
        return state.block

    def blocks(self, states: Sequence[State]) -> list[bytes]:
        """The bytes of several states."""
        return [self.block(state) for state in states]

    def state(self, block: bytes) -> State:
        """The state that a block stands for."""
        return self.game.state(block)


class KernelState(State):
    """A state as a value: a game and its block of bytes."""

    __slots__ = ("block", "game")
    game: TableGame

    def __init__(self, game: TableGame, block: bytes) -> None:
        self.game, self.block = game, block

    @property
    def movers(self) -> tuple[Role, ...]:
        """The roles that choose now."""
        acting = self._call("movers", self.block)
        return tuple(role for role in range(len(self.game.roles)) if acting >> role & 1)

    def legal(self, role: Role) -> list[Move]:
        """List what this role may do now."""
        out = array("Q", bytes(8 * self.game.max_moves))
        try:
            count = self._call("legal", self.block, self._valid_role(role), out)
        except CapacityError as problem:
            announced = f"(max_moves={len(out)})"
            raise GameError(
                f"game '{self.game.name}' has more legal moves than it announced {announced}: {problem}"
            ) from None
        if count > 1 and role not in self.movers:  # a game may say what a role could do; it has no choice all the same
            return []
        return out[:count].tolist()

    def utilities(self) -> tuple[float, ...]:
        """Say what this state is worth to each role."""
        out = array("d", bytes(8 * len(self.game.roles)))
        self._call("utilities", bytearray(self.block), out)  # which may use the block as scratch paper
        return tuple(out)

    def observe(self, role: Role) -> bytes:
        """Show what this role sees."""
        out = bytearray(self.game.max_observation)
        count = self._call("observe", self.block, self._valid_role(role), out)
        return bytes(out[:count])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KernelState) and self.block == other.block and self.game is other.game

    def __hash__(self) -> int:
        return int(self._call("hash", self.block))

    def _after(self, joint: Sequence[Move], rng: Rng | None) -> State:
        block = bytearray(self.block)
        self._call("apply", block, array("Q", joint), rng or _NO_CHANCE)
        return self.game.state(bytes(block))

    def _valid_role(self, role: Role) -> Role:
        if role not in range(len(self.game.roles)):
            raise BadParameter(f"{self.game.name} has the roles 0 to {len(self.game.roles) - 1}, not {role!r}")
        return role

    def _call(self, name: str, *args: Any) -> Any:
        try:
            return self.game.bridge.call(name, *args)
        except AssertionError as problem:
            raise GameError(f"game '{self.game.name}' breaks its promises: {problem}") from problem
