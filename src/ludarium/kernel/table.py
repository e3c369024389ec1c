"""The game table: a game as native functions over a flat block of bytes, whatever it was written in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ludarium.core import Game, State
from ludarium.kernel.kernel import Kernel, kernel
from ludarium.kernel.language import array, buffer, copy, ctz, f64, fn, i64, recast, u8, u64, view
from ludarium.kernel.random import Stream, below
from ludarium.kernel.types import FnType, Record

if TYPE_CHECKING:
    from ludarium.kernel.game import KernelGame


class Table(Record):
    """What searches know of a game; `joint` has one move per role, 0 where a role does not choose."""

    init: fn[[view[u8], Stream], None]
    movers: fn[[view[u8]], i64]
    legal: fn[[view[u8], i64, buffer[u64]], i64]
    apply: fn[[view[u8], view[u64], Stream], None]
    utilities: fn[[view[u8], view[f64]], None]
    observe: fn[[view[u8], i64, buffer[u8]], i64]
    hash: fn[[view[u8]], u64]
    playout: fn[[view[u8], Stream, i64], i64]
    state_size: i64
    roles: i64
    max_moves: i64


FUNCTIONS = ("init", "movers", "legal", "apply", "utilities", "observe", "hash", "playout")


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
    """Give the table of any game: its own if it has one, else one that calls back into Python."""
    own = getattr(game, "bridge", None)
    if own is not None:
        made: Bridge = own
        return made
    from ludarium.kernel.callback import CallbackBridge

    return CallbackBridge(game)


@kernel
def hash_bytes(state: view[u8]) -> u64:
    """Mix all bytes of a state into 64 bits."""
    h = u64(0x9E3779B97F4A7C15)
    whole = len(state) >> 3
    words = recast(u64, state[0 : 8 * whole])
    for k in range(whole):
        h = (h ^ words[k]) * 0xD6E8FEB86659FD93
        h ^= h >> 32
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
    def table_init(state: view[u8], rng: Stream) -> None:
        init(State(state), rng)

    @kernel
    def table_movers(state: view[u8]) -> i64:
        acting: i64 = movers(State(state))
        assert acting >> roles == 0, "'movers' names a role that the game does not have"
        return acting

    @kernel
    def table_legal(state: view[u8], role: i64, out: buffer[u64]) -> i64:
        count: i64 = legal(State(state), role, out)
        assert 0 <= count <= len(out), "'legal' counts more moves than there is room for"
        return count

    @kernel
    def table_apply(state: view[u8], joint: view[u64], rng: Stream) -> None:
        apply(State(state), joint, rng)

    @kernel
    def table_utilities(state: view[u8], out: view[f64]) -> None:
        utilities(State(state), out)

    @kernel
    def table_observe(state: view[u8], role: i64, out: buffer[u8]) -> i64:
        count: i64 = observe(State(state), role, out)
        assert 0 <= count <= len(out), "'observe' counts more bytes than there is room for"
        return count

    @kernel
    def table_hash(state: view[u8]) -> u64:
        mixed: u64 = hash_(State(state))
        return mixed

    @kernel
    def table_playout(state: view[u8], rng: Stream, limit: i64) -> i64:
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
    made["playout"] = table_playout if playout else _random_playout(made, roles, game.max_moves)
    return {name: made[name] for name in FUNCTIONS}


def _check_signature(name: str, k: Kernel[Any], record: type[Record]) -> None:
    """Refuse a kernel that does not take what the table gives it."""
    wanted = Table.fields[name][0]
    wanted = FnType((record, *wanted.params[1:]), wanted.result)
    have = FnType(tuple(kind for _, kind in k.signature[0]), k.signature[1])
    if have != wanted:
        raise k.source.fault(k.source.tree(), f"'{name}' of a game is {wanted}, but this is {have}")


@kernel
def _observe_all(state: view[u8], role: i64, out: buffer[u8]) -> i64:
    copy(out, state)
    return len(state)


def _random_playout(made: dict[str, Kernel[Any]], roles: int, max_moves: int) -> Kernel[int]:
    movers, legal, apply = made["movers"], made["legal"], made["apply"]

    @kernel
    def random_playout(state: view[u8], rng: Stream, limit: i64) -> i64:
        moves = array(u64, max_moves)
        joint = array(u64, roles)
        plies = 0
        while plies < limit:
            acting = movers(state)
            if acting == 0:
                break
            first = ctz(acting)
            if acting == 1 << first:
                count = legal(state, first, moves)
                assert count > 0, "a mover has no legal move"
                joint[first] = moves[below(rng, count)]
                apply(state, joint, rng)
                joint[first] = 0
            else:
                for role in range(roles):
                    joint[role] = 0
                    if (acting >> role) & 1 == 1:
                        count = legal(state, role, moves)
                        assert count > 0, "a mover has no legal move"
                        joint[role] = moves[below(rng, count)]
                apply(state, joint, rng)
                for role in range(roles):
                    joint[role] = 0
            plies += 1
        return plies

    return random_playout
