"""A tug of war in a few lines, and games that are odd in one way each, for searches that plan and expect replies."""

from dataclasses import replace

from ludarium.core import ActionKernels, Traits
from ludarium.kernel import Bundle, KernelGame, Record, Stream, Table, below, buffer, f64, i64, kernel, u8, u64, view

PASS, UP, DOWN = range(3)
TEXTS = ("pass", "up", "down")


class Rope(Record):
    """Where the rope is, and how often it was pulled."""

    plies: u8
    place: u8


@kernel
def init(state: Rope, rng: Stream) -> None:
    state.plies = 0
    state.place = 20


@kernel
def in_turn(state: Rope) -> i64:
    return 0 if state.plies >= 8 else 1 << (state.plies & 1)


@kernel
def together(state: Rope) -> i64:
    return 0 if state.plies >= 8 else 3


@kernel
def alone(state: Rope) -> i64:
    return 0 if state.plies >= 8 else 1


@kernel
def once_and_never_again(state: Rope) -> i64:
    return 1 if state.plies == 0 else 2


@kernel
def three_moves(state: Rope, role: i64, out: buffer[u64]) -> i64:
    for k in range(3):
        out[k] = u64(k)
    return 3


@kernel
def no_pass(state: Rope, role: i64, out: buffer[u64]) -> i64:
    out[0] = 1
    out[1] = 2
    return 2


@kernel
def no_way_back(state: Rope, role: i64, out: buffer[u64]) -> i64:
    """After a pass there is nothing but passing."""
    out[0] = 0
    out[1] = 1
    return 2 if state.plies == 0 or state.place > 20 else 1


@kernel
def pull(state: Rope, joint: view[u64], rng: Stream) -> None:
    for role in range(2):
        if joint[role] == 1:
            state.place += 1
        if joint[role] == 2:
            state.place -= 1
    state.plies = 1 if state.plies == 255 else state.plies + 1


@kernel
def pull_with_luck(state: Rope, joint: view[u64], rng: Stream) -> None:
    if joint[0] == 1:
        state.place = 40 if below(rng, 4) == 0 else 0
    state.plies = 8


@kernel
def pull_alone(state: Rope, joint: view[u64], rng: Stream) -> None:
    state.place += i64(joint[0]) & 1
    state.plies += 1


@kernel
def utilities(state: Rope, out: view[f64]) -> None:
    out[0] = f64(state.place) / 40.0
    if len(out) > 1:
        out[1] = 1.0 - out[0]


@kernel
def wait(state: Rope, role: i64, rng: Stream) -> i64:
    """How to do nothing, though nobody may."""
    state.plies += 1
    return 1


@kernel
def always_up(state: Rope, role: i64, out: buffer[u64], rng: Stream) -> i64:
    out[0] = 1
    return 1


@kernel
def up_is_legal(state: view[u8], role: i64, move: u64) -> i64:
    return 1 if move == 1 else 0


def offer(game, **kernels):
    """Let a game offer kernels that draw actions, beside those it offers already."""
    before = game.offers.actions() if game.offers.actions else ActionKernels()
    actions = replace(before, **kernels)
    game.offers = replace(game.offers, actions=lambda: actions)


def rope(name="rope", roles=("left", "right"), **changed) -> KernelGame:
    """Make the game: the first role pulls up, the second down, four times each; any may pass."""
    deterministic, turns = changed.pop("deterministic", True), changed.pop("turn_taking", True)
    kernels = {"init": init, "movers": in_turn, "legal": three_moves, "apply": pull, "utilities": utilities} | changed
    return KernelGame(
        name,
        roles,
        Traits(turn_taking=turns, deterministic=deterministic, perfect_information=True),
        state=Rope,
        max_moves=3,
        text=lambda move: TEXTS[move],
        parse=TEXTS.index,
        picture=lambda state, role: f"{state.plies} {state.place}",
        **kernels,
    )


def rope_for_one() -> KernelGame:
    return rope("rope for one", ("only",), movers=alone, apply=pull_alone)


def rope_together() -> KernelGame:
    return rope("rope together", movers=together, turn_taking=False)


def rope_without_pass() -> KernelGame:
    return rope("rope without pass", legal=no_pass)


def rope_with_luck() -> KernelGame:
    """Passing keeps a half; up wins all, one time in four."""
    return rope("rope with luck", apply=pull_with_luck, legal=no_way_back, deterministic=False)


def rope_without_end() -> KernelGame:
    """The first role moves once, and the second ever after."""
    return rope("rope without end", movers=once_and_never_again)


@kernel
def pricey(table: Table, state: view[u8], out: view[f64], judging: Bundle, rng: Stream) -> i64:
    """Judge by the utilities, as if that took three forward calls."""
    table.utilities(state, out)
    return 3


def charging(player):
    """Let a player judge at a price."""
    player.scene.planning.fill(judge=pricey, judging=Bundle(), reserve=3)
    return player
