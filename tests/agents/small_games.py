"""Games of a few lines, each for one question about searches."""

from ludarium.core import Traits
from ludarium.kernel import KernelGame, Record, Stream, below, buffer, f64, i64, kernel, u8, u64, view


class Spot(Record):
    """Where a match is, and what it is worth so far."""

    plies: u8
    place: u8


@kernel
def init(state: Spot, rng: Stream) -> None:
    state.plies = 0
    state.place = 0


@kernel
def first_once(state: Spot) -> i64:
    return 1 if state.plies == 0 else 0


@kernel
def both_once(state: Spot) -> i64:
    return 3 if state.plies == 0 else 0


@kernel
def two_moves(state: Spot, role: i64, out: buffer[u64]) -> i64:
    out[0] = 0
    out[1] = 1
    return 2


@kernel
def half_utilities(state: Spot, out: view[f64]) -> None:
    out[0] = f64(state.place) / 2.0
    out[1] = 1.0 - out[0]


@kernel
def compare(state: Spot, joint: view[u64], rng: Stream) -> None:
    state.place = 2 if joint[0] == joint[1] else 0
    state.plies += 1


@kernel
def gamble(state: Spot, joint: view[u64], rng: Stream) -> None:
    state.place = 1
    if joint[0] == 1:
        state.place = 2 if below(rng, 4) == 0 else 0
    state.plies += 1


def made(name: str, traits: Traits, *, max_moves: int = 2, **kernels) -> KernelGame:
    kernels = {"init": init, "legal": two_moves, "utilities": half_utilities} | kernels
    return KernelGame(
        name,
        ("first", "second"),
        traits,
        state=Spot,
        max_moves=max_moves,
        text=str,
        parse=int,
        picture=lambda state, role: f"{state.plies} {state.place}",
        **kernels,
    )


def matching_pennies(both_first: int = 2, both_second: int = 2) -> KernelGame:
    """Both choose at once; if they choose alike the first gets so many halves, else nothing."""

    @kernel
    def compare_halves(state: Spot, joint: view[u64], rng: Stream) -> None:
        state.place = 0
        if joint[0] == joint[1]:
            state.place = both_first if joint[0] == 0 else both_second
        state.plies += 1

    traits = Traits(deterministic=True, perfect_information=True)
    return made("pennies", traits, movers=both_once, apply=compare_halves)


def several_at_once() -> KernelGame:
    """Matching pennies that says it is turn-taking."""
    traits = Traits(turn_taking=True, deterministic=True, perfect_information=True)
    return made("pennies", traits, movers=both_once, apply=compare)


def walk() -> KernelGame:
    """Take a half for sure, or gamble: one in four wins all."""
    traits = Traits(turn_taking=True, perfect_information=True)
    return made("walk", traits, movers=first_once, apply=gamble)


@kernel
def first_twice(state: Spot) -> i64:
    return 1 if state.plies < 2 else 0


@kernel
def by_the_weather(state: Spot, role: i64, out: buffer[u64]) -> i64:
    out[0] = u64(state.place)
    if state.plies == 0:
        out[1] = 1
    return 2 - state.plies


@kernel
def go_out(state: Spot, joint: view[u64], rng: Stream) -> None:
    if state.plies == 0:
        state.place = 1 + below(rng, 2)
    else:
        assert joint[0] == u64(state.place), "nobody can do that in this weather"
    state.plies += 1


def weather() -> KernelGame:
    """Go out by one of two doors; then chance says what the only move is."""
    traits = Traits(turn_taking=True, perfect_information=True)
    return made("weather", traits, movers=first_twice, legal=by_the_weather, apply=go_out)


@kernel
def turn_key(state: Spot, joint: view[u64], rng: Stream) -> None:
    if state.plies == 0:
        state.place = u8(joint[0])
    else:
        state.place = 2 if joint[0] == u64(state.place) else 0
    state.plies += 1


@kernel
def see_how_late_it_is(state: Spot, role: i64, out: buffer[u8]) -> i64:
    out[0] = state.plies
    return 1


def two_keys() -> KernelGame:
    """Turn two keys the same way; nobody is shown how the first was turned, but who has turned it may remember."""
    traits = Traits(turn_taking=True, deterministic=True)
    return made("keys", traits, movers=first_twice, apply=turn_key, observe=see_how_late_it_is, max_observation=1)


@kernel
def always_first(state: Spot) -> i64:
    return 1


@kernel
def no_move_later(state: Spot, role: i64, out: buffer[u64]) -> i64:
    out[0] = 0
    out[1] = 1
    return 2 if state.plies < 2 else 0


@kernel
def many_moves_later(state: Spot, role: i64, out: buffer[u64]) -> i64:
    count = 2 if state.plies < 2 else 9
    for k in range(count):
        out[k] = u64(k)
    return count


@kernel
def step(state: Spot, joint: view[u64], rng: Stream) -> None:
    state.plies += 1


def faulty(fault: str) -> KernelGame:
    """A game whose `legal` breaks its promise after two plies."""
    traits = Traits(turn_taking=True, deterministic=True, perfect_information=True)
    legal = no_move_later if fault == "no move" else many_moves_later
    return made("faulty", traits, movers=always_first, legal=legal, apply=step)
