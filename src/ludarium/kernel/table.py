"""The game table: a game as native functions over a flat block of bytes, whatever it was written in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ludarium.core import Game, State
from ludarium.kernel.bundle import Bundle
from ludarium.kernel.kernel import Kernel, kernel
from ludarium.kernel.language import array, buffer, copy, ctz, empty, f64, fn, i64, recast, u8, u64, view
from ludarium.kernel.random import Stream, below
from ludarium.kernel.types import FnType, Record

if TYPE_CHECKING:
    from ludarium.kernel.game import KernelGame


class Table(Bundle):
    """What searches know of a game; `joint` has one move per role, 0 where a role does not choose.

    Every search has a table of its own, with the scratch memory that the functions of the game work in. It is zero at first,
    and nobody else writes to it.
    """

    init_function: fn[[view[u8], Stream, view[u8]], None]
    movers_function: fn[[view[u8], view[u8]], i64]
    legal_function: fn[[view[u8], i64, buffer[u64], view[u8]], i64]
    apply_function: fn[[view[u8], view[u64], Stream, view[u8]], None]
    utilities_function: fn[[view[u8], view[f64], view[u8]], None]
    observe_function: fn[[view[u8], i64, buffer[u8], view[u8]], i64]
    hash_function: fn[[view[u8], view[u8]], u64]
    playout_function: fn[[view[u8], Stream, i64, view[u8]], i64]
    scratch: view[u8]
    state_size: i64
    roles: i64
    max_moves: i64

    @kernel
    def init(self: Table, state: view[u8], rng: Stream) -> None:
        """Make the first state."""
        self.init_function(state, rng, self.scratch)

    @kernel
    def movers(self: Table, state: view[u8]) -> i64:
        """Say which roles choose now, a bit each; 0 at the end."""
        return self.movers_function(state, self.scratch)

    @kernel
    def legal(self: Table, state: view[u8], role: i64, out: buffer[u64]) -> i64:
        """List the moves of a role, and count them."""
        return self.legal_function(state, role, out, self.scratch)

    @kernel
    def apply(self: Table, state: view[u8], joint: view[u64], rng: Stream) -> None:
        """Make the next state, in place."""
        self.apply_function(state, joint, rng, self.scratch)

    @kernel
    def utilities(self: Table, state: view[u8], out: view[f64]) -> None:
        """Say what a state is worth to each role."""
        self.utilities_function(state, out, self.scratch)

    @kernel
    def observe(self: Table, state: view[u8], role: i64, out: buffer[u8]) -> i64:
        """Write what a role sees on arriving here, and count the bytes."""
        return self.observe_function(state, role, out, self.scratch)

    @kernel
    def hash(self: Table, state: view[u8]) -> u64:
        """Mix a state into 64 bits."""
        return self.hash_function(state, self.scratch)

    @kernel
    def playout(self: Table, state: view[u8], rng: Stream, limit: i64) -> i64:
        """Play at random until the end, or so many plies, and count them."""
        return self.playout_function(state, rng, limit, self.scratch)


FUNCTIONS = ("init", "movers", "legal", "apply", "utilities", "observe", "hash", "playout")
_FIELDS = {name: f"{name}_function" for name in FUNCTIONS}


def function_type(name: str) -> FnType:
    """The type of a function of the table."""
    kind: FnType = Table.fields[_FIELDS[name]][0]
    return kind


def new_table(game: Game, numbers: Mapping[str, int], state_size: int, scratch_size: int) -> Table:
    """Make a table of a game from the numbers of its functions, with scratch memory of its own."""
    return Table(
        **{field: numbers[name] for name, field in _FIELDS.items()},
        scratch=bytearray(max(8, scratch_size)),
        state_size=state_size,
        roles=len(game.roles),
        max_moves=game.max_moves,
    )


def rewire(table: Table, numbers: Mapping[str, int]) -> None:
    """Lead a table to other functions of the same game."""
    table.fill(**{field: numbers[name] for name, field in _FIELDS.items()})


class Bridge(Protocol):
    """How a search reaches a game: its table, and states as blocks."""

    table: Table

    def block(self, state: State) -> bytes:
        """The bytes of a state, to start a search from; blocks of an earlier call are void."""
        ...

    def blocks(self, states: Sequence[State]) -> list[bytes]:
        """The bytes of several states; blocks of an earlier call are void."""
        ...

    def state(self, block: bytes) -> State:
        """The state that a block stands for."""
        ...


def bridge(game: Game) -> Bridge:
    """Give a table of any game, for one search: its own if it has one, else one that calls back into Python."""
    from ludarium.kernel.callback import CallbackBridge
    from ludarium.kernel.game import TableGame

    return game.bridge.apart() if isinstance(game, TableGame) else CallbackBridge(game)


@kernel
def hash_words(start: u64, words: view[u64]) -> u64:
    """Mix words into 64 bits that others have been mixed into."""
    h = start
    for k in range(len(words)):
        h = (h ^ words[k]) * 0xD6E8FEB86659FD93
        h ^= h >> 32
    return h


@kernel
def hash_bytes(state: view[u8]) -> u64:
    """Mix all bytes of a state into 64 bits."""
    whole = len(state) >> 3
    h = hash_words(u64(0x9E3779B97F4A7C15), recast(u64, state[0 : 8 * whole]))
    word = u64(0)
    for i in range(8 * whole, len(state)):
        word = (word << 8) | u64(state[i])
    h = (h ^ word) * 0xD6E8FEB86659FD93
    h ^= h >> 32
    h *= 0xD6E8FEB86659FD93
    return h ^ (h >> 32)


def table_kernels(game: KernelGame) -> dict[str, Kernel[Any]]:
    """The functions of the table, made from the functions that a game is written in; what they answer is checked."""
    State, given, roles = game.state_record, game.kernels, len(game.roles)
    missing: Any = None
    init, movers, legal, apply, utilities, observe, hash_, playout = (given.get(name, missing) for name in FUNCTIONS)
    for name, k in given.items():
        _check_signature(name, k, State)

    @kernel
    def table_init(state: view[u8], rng: Stream, scratch: view[u8]) -> None:
        init(State(state), rng)

    @kernel
    def table_movers(state: view[u8], scratch: view[u8]) -> i64:
        acting: i64 = movers(State(state))
        assert acting >> roles == 0, "'movers' names a role that the game does not have"
        return acting

    @kernel
    def table_legal(state: view[u8], role: i64, out: buffer[u64], scratch: view[u8]) -> i64:
        count: i64 = legal(State(state), role, out)
        assert 0 <= count <= len(out), "'legal' counts more moves than there is room for"
        return count

    @kernel
    def table_apply(state: view[u8], joint: view[u64], rng: Stream, scratch: view[u8]) -> None:
        apply(State(state), joint, rng)

    @kernel
    def table_utilities(state: view[u8], out: view[f64], scratch: view[u8]) -> None:
        utilities(State(state), out)

    @kernel
    def table_observe(state: view[u8], role: i64, out: buffer[u8], scratch: view[u8]) -> i64:
        count: i64 = observe(State(state), role, out)
        assert 0 <= count <= len(out), "'observe' counts more bytes than there is room for"
        return count

    @kernel
    def table_hash(state: view[u8], scratch: view[u8]) -> u64:
        mixed: u64 = hash_(State(state))
        return mixed

    @kernel
    def table_playout(state: view[u8], rng: Stream, limit: i64, scratch: view[u8]) -> i64:
        plies: i64 = playout(State(state), rng, limit)
        return plies

    made: dict[str, Kernel[Any]] = {
        "init": table_init,
        "movers": table_movers,
        "legal": table_legal,
        "apply": table_apply,
    }
    made |= {"utilities": table_utilities, "hash": table_hash if hash_ else hash_bytes}
    made["observe"] = table_observe if observe else _observe_all
    made["playout"] = table_playout if playout else random_playout(made, roles, game.max_moves)
    return {name: made[name] for name in FUNCTIONS}


def with_scratch(functions: Mapping[str, Kernel[Any]]) -> dict[str, Kernel[Any]]:
    """Let functions that need no scratch memory be called with it, as the table does."""
    return {name: _scratched(name, k) if name in FUNCTIONS else k for name, k in functions.items()}


def _scratched(name: str, given: Kernel[Any]) -> Kernel[Any]:
    if len(given.signature[0]) == len(function_type(name).params):
        return given

    @kernel
    def init(state: view[u8], rng: Stream, scratch: view[u8]) -> None:
        given(state, rng)

    @kernel
    def movers(state: view[u8], scratch: view[u8]) -> i64:
        return i64(given(state))

    @kernel
    def legal(state: view[u8], role: i64, out: buffer[u64], scratch: view[u8]) -> i64:
        return i64(given(state, role, out))

    @kernel
    def apply(state: view[u8], joint: view[u64], rng: Stream, scratch: view[u8]) -> None:
        given(state, joint, rng)

    @kernel
    def utilities(state: view[u8], out: view[f64], scratch: view[u8]) -> None:
        given(state, out)

    @kernel
    def observe(state: view[u8], role: i64, out: buffer[u8], scratch: view[u8]) -> i64:
        return i64(given(state, role, out))

    @kernel
    def hash_(state: view[u8], scratch: view[u8]) -> u64:
        return u64(given(state))

    @kernel
    def playout(state: view[u8], rng: Stream, limit: i64, scratch: view[u8]) -> i64:
        return i64(given(state, rng, limit))

    made: Sequence[Kernel[Any]] = (init, movers, legal, apply, utilities, observe, hash_, playout)
    return made[FUNCTIONS.index(name)]


def _check_signature(name: str, k: Kernel[Any], record: type[Record]) -> None:
    """Refuse a kernel that does not take what the table gives it."""
    wanted = function_type(name)
    wanted = FnType((record, *wanted.params[1:-1]), wanted.result)
    have = FnType(tuple(kind for _, kind in k.signature[0]), k.signature[1])
    if have != wanted:
        raise k.source.fault(k.source.tree, f"'{name}' of a game is {wanted}, but this is {have}")


@kernel
def _observe_all(state: view[u8], role: i64, out: buffer[u8], scratch: view[u8]) -> i64:
    copy(out, state)
    return len(state)


def random_playout(made: dict[str, Kernel[Any]], roles: int, max_moves: int) -> Kernel[int]:
    """Playouts of random moves by what the table has: whoever has to choose does, one or several at once."""
    movers, legal, apply = made["movers"], made["legal"], made["apply"]

    @kernel
    def playout(state: view[u8], rng: Stream, limit: i64, scratch: view[u8]) -> i64:
        moves = empty(u64, max_moves)
        joint = array(u64, roles)
        plies = 0
        while plies < limit:
            acting = movers(state, scratch)
            if acting == 0:
                break
            first = ctz(acting)
            if acting == 1 << first:
                count = legal(state, first, moves, scratch)
                assert count > 0, "a mover has no legal move"
                joint[first] = moves[below(rng, count)]
                apply(state, joint, rng, scratch)
                joint[first] = 0
            else:
                for role in range(roles):
                    joint[role] = 0
                    if (acting >> role) & 1 == 1:
                        count = legal(state, role, moves, scratch)
                        assert count > 0, "a mover has no legal move"
                        joint[role] = moves[below(rng, count)]
                apply(state, joint, rng, scratch)
                for role in range(roles):
                    joint[role] = 0
            plies += 1
        return plies

    return playout
