"""Games without sense, made by mixing numbers: any count of roles, turns in any order, states met in several ways."""

from ludarium.core import Rng, Traits
from ludarium.kernel import KernelGame, Record, Stream, array, buffer, f64, i64, kernel, u8, u64, view


class Heap(Record):
    """How often each move was made: the order does not matter, so different ways lead to one state."""

    counts = array(u8, 3)
    plies: u8


@kernel
def mixed(state: Heap, salt: i64) -> i64:
    """Draw a number from 0 to 2**20 - 1 that belongs to a state."""
    h = u64(salt + 1) * 0x9E3779B97F4A7C15
    for k in range(3):
        h = (h ^ u64(state.counts[k])) * 0xD6E8FEB86659FD93
        h ^= h >> 32
    return i64(h >> 44)


def mixed_game(roles: int, seed: int, *, plies: int = 7, constant_sum: bool = False) -> KernelGame:
    """Make a game: who moves, how many moves there are, when it ends and what it is worth are all mixed."""
    salt = 100 * seed

    @kernel
    def init(state: Heap, rng: Stream) -> None:
        for k in range(3):
            state.counts[k] = 0
        state.plies = 0

    @kernel
    def movers(state: Heap) -> i64:
        if state.plies == plies or (state.plies > 1 and mixed(state, salt) % 8 == 0):
            return 0
        return 1 << (mixed(state, salt + 1) % roles)

    @kernel
    def legal(state: Heap, role: i64, out: buffer[u64]) -> i64:
        count = 3 if mixed(state, salt + 2) % 4 > 0 else 1
        for k in range(count):
            out[k] = u64(10 + k)
        return count

    @kernel
    def apply(state: Heap, joint: view[u64], rng: Stream) -> None:
        for role in range(roles):
            if joint[role] >= 10:
                state.counts[i64(joint[role]) - 10] += 1
        state.plies += 1

    @kernel
    def utilities(state: Heap, out: view[f64]) -> None:
        for role in range(roles):
            out[role] = f64(mixed(state, salt + 3 + role) % 9) / 8.0
        if constant_sum:
            out[1] = 1.0 - out[0]

    return KernelGame(
        f"mixed {seed}",
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


def random_states(made, seed, plies):
    """States with a choice, after so many random moves or as many as leave the game unfinished."""
    for n, length in enumerate(plies):
        state, rng = made.initial(Rng(0)), Rng.keyed(seed, n)
        for _ in range(length):
            following = state.after(rng.choice(state.legal(state.movers[0])))
            if following.over:
                break
            state = following
        if len(state.legal(state.movers[0])) > 1:
            yield state
