"""Games of a few lines that hide something."""

from ludarium.core import Game, IllegalMove, State, Traits
from ludarium.kernel import KernelGame, Record, Stream, below, buffer, f64, i64, kernel, u8, u16, u64, view

LENGTH = 200
SUMS = 20


class Walk(Record):
    """A hidden place on a ring, and how long the walk has lasted."""

    plies: u8
    place: u8


@kernel
def init(state: Walk, rng: Stream) -> None:
    state.plies = 0
    state.place = 0


@kernel
def movers(state: Walk) -> i64:
    return 1 if state.plies < LENGTH else 0


@kernel
def legal(state: Walk, role: i64, out: buffer[u64]) -> i64:
    out[0] = 0
    out[1] = 1
    return 2


@kernel
def apply(state: Walk, joint: view[u64], rng: Stream) -> None:
    state.place = (state.place + below(rng, 3)) % 8
    state.plies += 1


@kernel
def utilities(state: Walk, out: view[f64]) -> None:
    out[0] = f64(state.place) / 8.0


@kernel
def observe(state: Walk, role: i64, out: buffer[u8]) -> i64:
    out[0] = state.place & 1
    return 1


def long_walk() -> KernelGame:
    """Chance walks on a ring of eight places for a long time; all that is seen is whether the place is odd."""
    return KernelGame(
        "long-walk",
        ("walker",),
        Traits(turn_taking=True, max_plies=LENGTH),
        state=Walk,
        max_moves=2,
        max_observation=1,
        init=init,
        movers=movers,
        legal=legal,
        apply=apply,
        utilities=utilities,
        observe=observe,
        text=str,
        parse=int,
        picture=lambda state, role: f"{state.plies} {state.place if role is None else state.place & 1}",
    )


class Sum(Record):
    """What both roles have named so far, added up."""

    plies: u8
    total: u16


def two_at_once(*, deterministic=False) -> KernelGame:
    """Both roles name a number at once, each from a range of its own; all that is seen is whether the sum is odd."""

    @kernel
    def init(state: Sum, rng: Stream) -> None:
        state.plies = 0
        state.total = 0

    @kernel
    def movers(state: Sum) -> i64:
        return 3 if state.plies < SUMS else 0

    @kernel
    def legal(state: Sum, role: i64, out: buffer[u64]) -> i64:
        for k in range(3):
            out[k] = u64(10 * role + k)
        return 3

    @kernel
    def apply(state: Sum, joint: view[u64], rng: Stream) -> None:
        for role in range(2):
            assert joint[role] // 10 == u64(role), "this is a move of the other role"
            state.total += i64(joint[role])
        state.plies += 1

    @kernel
    def utilities(state: Sum, out: view[f64]) -> None:
        out[0] = 0.5
        out[1] = 0.5

    @kernel
    def observe(state: Sum, role: i64, out: buffer[u8]) -> i64:
        out[0] = state.total & 1
        return 1

    return KernelGame(
        "two-at-once",
        ("first", "second"),
        Traits(max_plies=SUMS, deterministic=deterministic),
        state=Sum,
        max_moves=3,
        max_observation=1,
        init=init,
        movers=movers,
        legal=legal,
        apply=apply,
        utilities=utilities,
        observe=observe,
        text=str,
        parse=int,
        picture=lambda state, role: str(state.total if role is None else state.total & 1),
    )


class Noise(Record):
    """A secret, and the number that was called out last."""

    plies: u8
    secret: u8
    number: u8


def loud() -> KernelGame:
    """Chance hides one of eight secrets, and calls out any of 200 numbers each ply, odd ones if the secret is 0."""

    @kernel
    def init(state: Noise, rng: Stream) -> None:
        state.plies = 0
        state.secret = below(rng, 8)
        state.number = 0

    @kernel
    def movers(state: Noise) -> i64:
        return 1 if state.plies < SUMS else 0

    @kernel
    def legal(state: Noise, role: i64, out: buffer[u64]) -> i64:
        out[0] = 0
        out[1] = 1
        return 2

    @kernel
    def apply(state: Noise, joint: view[u64], rng: Stream) -> None:
        state.plies += 1
        state.number = below(rng, 200)
        if state.secret == 0:
            state.number |= 1

    @kernel
    def utilities(state: Noise, out: view[f64]) -> None:
        out[0] = 0.5

    @kernel
    def observe(state: Noise, role: i64, out: buffer[u8]) -> i64:
        out[0] = state.number
        return 1

    return KernelGame(
        "loud",
        ("listener",),
        Traits(turn_taking=True, max_plies=SUMS),
        state=Noise,
        max_moves=2,
        max_observation=1,
        init=init,
        movers=movers,
        legal=legal,
        apply=apply,
        utilities=utilities,
        observe=observe,
        text=str,
        parse=int,
        picture=lambda state, role: f"{state.number} {state.secret if role is None else '?'}",
    )


class Urn(Game):
    """Plain Python: chance draws a ball of four colours; who guesses it in two tries wins more the sooner."""

    name, roles, max_moves = "urn", ("guesser",), 4
    traits = Traits(turn_taking=True, max_plies=2)

    def __init__(self):
        self.plays = 0

    def _initial(self, rng):
        return UrnState(self, rng.below(4), ())

    def text(self, move):
        return str(move)

    def parse(self, text):
        if text not in ("0", "1", "2", "3"):
            raise IllegalMove(f"{text!r} is no colour")
        return int(text)

    def picture(self, state, role=None):
        return f"{state.ball if role is None else '?'} {state.guesses}"


class UrnState(State):
    """The ball, and the guesses so far."""

    __slots__ = ("ball", "game", "guesses")

    def __init__(self, game, ball, guesses):
        self.game, self.ball, self.guesses = game, ball, guesses

    @property
    def movers(self):
        return () if self.ball in self.guesses or len(self.guesses) == 2 else (0,)

    def legal(self, role):
        return [0, 1, 2, 3]

    def utilities(self):
        return (1.0 - 0.5 * self.guesses.index(self.ball) if self.ball in self.guesses else 0.0,)

    def observe(self, role):
        return bytes([*self.guesses, int(self.ball in self.guesses)])

    def _after(self, joint, rng):
        self.game.plays += 1
        return UrnState(self.game, self.ball, (*self.guesses, joint[0]))

    def __eq__(self, other):
        return isinstance(other, UrnState) and (self.ball, self.guesses) == (other.ball, other.guesses)

    def __hash__(self):
        return hash((self.ball, self.guesses))
