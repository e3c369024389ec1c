"""The one interface through which searches sample actions: every game has it, and a game may specialise it.

Without more, an action is drawn uniformly from the list of legal moves. A game whose moves are too many to list, or
that knows better what is worth trying, or can tell faster, offers `ActionKernels`. Bravi et al., "Rinascimento: optimising
statistical forward planning agents for playing Splendor" (2019), section VI, calls this a random action generator.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from ludarium.core import ActionKernels, Game, GameError
from ludarium.kernel import (
    Kernel,
    KernelGame,
    Record,
    Stream,
    Table,
    TableGame,
    below,
    buffer,
    fn,
    i64,
    kernel,
    mode,
    u8,
    u64,
    view,
)
from ludarium.kernel.types import FnType, ViewType


class Actions(Record):
    """How to draw an action, whether one is legal, how to do nothing, and how to play on and tell it."""

    sample: fn[[Table, view[u8], i64, buffer[u64], Stream], i64]
    fits: fn[[Table, view[u8], i64, u64, buffer[u64]], i64]
    idle: fn[[Table, view[u8], i64, Stream], i64]
    count: fn[[Table, view[u8], i64, buffer[u64]], i64]
    record: fn[[Table, view[u8], Stream, i64, view[u64]], i64]


@kernel
def sample_listed(table: Table, state: view[u8], role: i64, out: buffer[u64], rng: Stream) -> i64:
    """Draw uniformly from the legal moves."""
    count: i64 = table.legal(state, role, out)
    assert count > 0, "a mover has no legal move"
    out[0] = out[below(rng, count)]
    return 1


@kernel
def fits_listed(table: Table, state: view[u8], role: i64, move: u64, out: buffer[u64]) -> i64:
    """Look a move up in the list of legal ones."""
    count: i64 = table.legal(state, role, out)
    for k in range(count):
        if out[k] == move:
            return 1
    return 0


@kernel
def count_listed(table: Table, state: view[u8], role: i64, out: buffer[u64]) -> i64:
    """Count the legal moves by listing them."""
    count: i64 = table.legal(state, role, out)
    return count


@kernel
def never_idle(table: Table, state: view[u8], role: i64, rng: Stream) -> i64:
    """Do not know how to do nothing."""
    return 0


@kernel
def never_recorded(table: Table, state: view[u8], rng: Stream, limit: i64, record: view[u64]) -> i64:
    """Leave it to those who want a record to play move by move."""
    return -1


@kernel
def sampled(table: Table, actions: Actions, state: view[u8], role: i64, out: buffer[u64], rng: Stream) -> u64:
    """Draw an action, by the game's own way if it has one and finds one."""
    if actions.sample(table, state, role, out, rng) == 0:
        sample_listed(table, state, role, out, rng)
    return out[0]


def address(k: Kernel[Any]) -> int:
    """Give the number that a record holds a kernel by, as kernels run now."""
    return k.unit(mode()).addresses[k.name]


def wire(record: Record, /, **numbers: int) -> None:
    """Put functions, by their numbers, into the fields of a record."""
    for field, value in numbers.items():
        setattr(record, field, value)


def actions_of(game: Game, *, records: bool = False) -> Actions:
    """Fill in how actions of a game are drawn; do so anew before each search, for code may have moved.

    A playout that records what is played takes long to compile, so it is there only for those who want it.
    """
    record = Actions()
    found = action_kernels(game) | ({} if records else {"record": never_recorded})
    wire(record, **{field: _address_in(game, k) for field, k in found.items()})
    return record


def _address_in(game: Game, k: Kernel[Any]) -> int:
    """Give the number of a kernel; one of the game's own is compiled with the others, or in the same hurry."""
    if isinstance(game, TableGame) and game.hurry and k not in _DEFAULTS.values():
        unit = game.bridge.unit
        if unit.mode != mode() or unit.kernels.get(k.name) is not k:
            unit = k.unit(mode(), hurry=True)
        return unit.addresses[k.name]
    return address(k)


_DEFAULTS: dict[str, Kernel[Any]] = {
    "sample": sample_listed,
    "fits": fits_listed,
    "idle": never_idle,
    "count": count_listed,
    "record": never_recorded,
}
_MADE: WeakKeyDictionary[Game, dict[str, Kernel[Any]]] = WeakKeyDictionary()


def action_kernels(game: Game) -> dict[str, Kernel[Any]]:
    """Give the kernels that `actions_of` refers to, to build on."""
    if game not in _MADE:
        offered = game.offers.actions() if game.offers.actions else ActionKernels()
        named = {
            "sample": offered.sample or offered.draw,
            "fits": offered.is_legal,
            "idle": offered.do_nothing,
            "count": offered.count_moves,
            "record": offered.recorded_playout,
        }
        found = {field: _hook(game, field, given) for field, given in named.items() if given is not None}
        return _MADE.setdefault(game, _DEFAULTS | found)  # the same for all threads: no other kernels are kept
    return _MADE[game]


def samples_actions(game: Game) -> bool:
    """Whether a game has a way of its own to draw what is worth trying."""
    return game.offers.actions is not None and game.offers.actions().sample is not None


def _hook(game: Game, field: str, given: Any) -> Kernel[Any]:
    """Fit a game's own kernel to the table."""
    if not isinstance(given, Kernel) or not isinstance(game, TableGame):
        raise GameError(
            f"game '{game.name}' offers an action that is not a kernel; only games made of kernels offer them"
        )
    record: Any = game.state_record if isinstance(game, KernelGame) else None
    first = given.signature[0][0][1] if given.signature[0] else None
    raw = isinstance(first, ViewType)
    wanted = Actions.fields[field][0]
    params = [view[u8] if raw or record is None else record, *wanted.params[2:]]
    if field in ("fits", "count"):
        params.pop()  # the room for a list is for those who make one
    expected = FnType(tuple(params), wanted.result)
    have = FnType(tuple(kind for _, kind in given.signature[0]), given.signature[1])
    if have == wanted:
        return given
    if have != expected:
        raise given.source.fault(given.source.tree, f"'{given.name}' of a game is {expected}, but this is {have}")
    return _fitted(field, given, None if raw else record)


@lru_cache(maxsize=256)
def _fitted(field: str, given: Kernel[Any], state_record: Any) -> Kernel[Any]:
    raw, State = state_record is None, state_record  # noqa: N806

    @kernel
    def sample(table: Table, state: view[u8], role: i64, out: buffer[u64], rng: Stream) -> i64:
        found: i64 = given(state, role, out, rng) if raw else given(State(state), role, out, rng)
        return found

    @kernel
    def fits(table: Table, state: view[u8], role: i64, move: u64, out: buffer[u64]) -> i64:
        found: i64 = given(state, role, move) if raw else given(State(state), role, move)
        return found

    @kernel
    def idle(table: Table, state: view[u8], role: i64, rng: Stream) -> i64:
        found: i64 = given(state, role, rng) if raw else given(State(state), role, rng)
        return found

    @kernel
    def count(table: Table, state: view[u8], role: i64, out: buffer[u64]) -> i64:
        found: i64 = given(state, role) if raw else given(State(state), role)
        return found

    @kernel
    def record(table: Table, state: view[u8], rng: Stream, limit: i64, out: view[u64]) -> i64:
        plies: i64 = given(state, rng, limit, out) if raw else given(State(state), rng, limit, out)
        return plies

    return {"sample": sample, "fits": fits, "idle": idle, "count": count, "record": record}[field]
