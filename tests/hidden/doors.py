"""A game in which some choices are made from fewer moves than others, so that not all states are equally likely."""

from ludarium.core import Traits
from ludarium.kernel import KernelGame, Record, Stream, buffer, f64, i64, kernel, u8, u64, view


class House(Record):
    """Behind which door somebody hides, and in which room."""

    plies: u8
    door: u8
    room: u8


@kernel
def init(state: House, rng: Stream) -> None:
    state.plies = 0
    state.door = 0
    state.room = 0


@kernel
def movers(state: House) -> i64:
    if state.plies == 12:
        return 0
    return 1 if state.plies > 1 and state.plies % 2 == 0 else 2


@kernel
def legal(state: House, role: i64, out: buffer[u64]) -> i64:
    count = 1
    if state.plies == 0:
        count = 2
    elif state.plies == 1 and state.door == 1:
        count = 5
    for k in range(count):
        out[k] = u64(k)
    return count


@kernel
def apply(state: House, joint: view[u64], rng: Stream) -> None:
    if state.plies == 0:
        state.door = u8(joint[1])
    elif state.plies == 1:
        state.room = u8(joint[1])
    state.plies += 1


@kernel
def utilities(state: House, out: view[f64]) -> None:
    out[0] = 0.5
    out[1] = 0.5


@kernel
def observe(state: House, role: i64, out: buffer[u8]) -> i64:
    out[0] = state.plies
    if role == 0:
        return 1
    out[1] = state.door
    out[2] = state.room
    return 3


def doors(*, deterministic: bool) -> KernelGame:
    """The second role hides behind one of two doors, where there is one room or five; the first waits, and sees nothing of it."""
    return KernelGame(
        "doors",
        ("seeker", "hider"),
        Traits(turn_taking=True, max_plies=12, deterministic=deterministic),
        state=House,
        max_moves=5,
        max_observation=3,
        init=init,
        movers=movers,
        legal=legal,
        apply=apply,
        utilities=utilities,
        observe=observe,
        text=str,
        parse=int,
        picture=lambda state, role: f"{state.plies} {state.door}{state.room}" if role != 0 else f"{state.plies}",
    )
