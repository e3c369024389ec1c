"""Games without sense, made by mixing numbers: any count of roles, turns in any order, states met in several ways.

Every seed is a game of its own, but only another state to the compiler.
"""

from functools import cache

from ludarium.core import Rng, State, Traits
from ludarium.kernel import KernelGame, Record, Stream, array, buffer, f64, i64, kernel, u8, u64, view


class Heap(Record):
    """How often each move was made: the order does not matter, so different ways lead to one state."""

    counts = array(u8, 3)
    plies: u8
    seed: u8


@kernel
def mixed(state: Heap, what: i64) -> i64:
    """Draw a number from 0 to 2**20 - 1 that belongs to a state, one for each question."""
    h = u64(state.seed * 100 + what + 1) * 0x9E3779B97F4A7C15
    for k in range(3):
        h = (h ^ u64(state.counts[k])) * 0xD6E8FEB86659FD93
        h ^= h >> 32
    return i64(h >> 44)


@kernel
def init(state: Heap, rng: Stream) -> None:
    for k in range(3):
        state.counts[k] = 0
    state.plies = 0
    state.seed = 1


@kernel
def legal(state: Heap, role: i64, out: buffer[u64]) -> i64:
    count = 3 if mixed(state, 2) % 4 > 0 else 1
    for k in range(count):
        out[k] = u64(10 + k)
    return count


def mixed_game(roles: int, *, plies: int = 6, constant_sum: bool = False) -> KernelGame:
    """Make a game: who moves, how many moves there are, when it ends and what it is worth are all mixed."""

    @kernel
    def movers(state: Heap) -> i64:
        if state.plies == plies or (state.plies > 1 and mixed(state, 0) % 8 == 0):
            return 0
        return 1 << (mixed(state, 1) % roles)

    @kernel
    def apply(state: Heap, joint: view[u64], rng: Stream) -> None:
        for role in range(roles):
            if joint[role] >= 10:
                state.counts[i64(joint[role]) - 10] += 1
        state.plies += 1

    @kernel
    def utilities(state: Heap, out: view[f64]) -> None:
        for role in range(roles):
            out[role] = f64(mixed(state, 3 + role) % 9) / 8.0
        if constant_sum:
            out[1] = 1.0 - out[0]

    return KernelGame(
        f"mixed for {roles}",
        [f"role{k}" for k in range(roles)],
        Traits(turn_taking=True, deterministic=True, perfect_information=True, constant_sum=constant_sum),
        state=Heap,
        max_moves=3,
        text=str,
        parse=int,
        picture=lambda state, role: str(list(state.counts)),
        init=init,
        movers=movers,
        legal=legal,
        apply=apply,
        utilities=utilities,
    )


once = cache(mixed_game)


def mixed_states(roles: int, seeds: range, lengths: tuple[int, ...] = (0, 1, 2), **settings) -> list[State]:
    """States with a choice in the games of these seeds, after some random moves."""
    made = once(roles, **settings)
    found = []
    for seed in seeds:
        heap = Heap()
        heap.seed = seed
        found += random_states(made.state(bytes(heap.memory)), seed, lengths)
    return found


def random_states(start: State, seed: int, lengths: tuple[int, ...]) -> list[State]:
    """States with a choice, after so many random moves or as many as leave the game unfinished."""
    found = []
    for length in lengths:
        state, rng = start, Rng.keyed(seed, length)
        for _ in range(length):
            following = state.after(rng.choice(state.legal(state.movers[0])))
            if following.over:
                break
            state = following
        if len(state.legal(state.movers[0])) > 1:
            found.append(state)
    return found
