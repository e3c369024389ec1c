"""Games that show what they hide, and agents that know what they were not told."""

from collections.abc import Callable
from dataclasses import dataclass
from random import SystemRandom
from typing import Any

from ludarium.core import Decision, LudariumError
from ludarium.games import kuhn_poker, leduc_poker
from ludarium.hidden import determinizer
from ludarium.kernel import KernelGame, buffer, i64, kernel, u8, u64
from tests.hidden.small_games import Urn


@kernel
def observe_all(state: kuhn_poker.State, role: i64, out: buffer[u8]) -> i64:
    """Show the other's card as well."""
    count = kuhn_poker.observe(state, role, out)
    out[count] = state.cards[1 - role]
    return count + 1


@kernel
def legal_in_order(state: kuhn_poker.State, role: i64, out: buffer[u64]) -> i64:
    """List what is better against the other's card first."""
    better = 1 if state.cards[role] > state.cards[1 - role] else 0
    out[0] = u64(better)
    out[1] = u64(1 - better)
    return 2


@kernel
def observe_a_king(state: leduc_poker.State, role: i64, out: buffer[u8]) -> i64:
    """Show whether the other holds a king, where nobody looks for it: in the number of the folder."""
    count = leduc_poker.observe(state, role, out)
    shown = leduc_poker.State(out[0 : leduc_poker.State.size])
    shown.folded = 1 if state.cards[1 - role] == 2 else 0
    return count


def poker(**other: Any) -> KernelGame:
    """Kuhn poker with some parts changed."""
    made = kuhn_poker.kuhn_poker()
    parts = dict(made.kernels) | {"text": kuhn_poker.text, "parse": kuhn_poker.parse, "picture": kuhn_poker.picture}
    parts |= {"max_observation": 5, **other}
    return KernelGame("leaky-poker", made.roles, made.traits, state=kuhn_poker.State, max_moves=2, **parts)


def winking_leduc() -> leduc_poker.LeducPoker:
    """Leduc poker that declares the other's card to be hidden, and shows something of it."""
    made = leduc_poker.LeducPoker()
    made.kernels = {**made.kernels, "observe": observe_a_king}
    return made


class Gossip(Urn):
    """A game in plain Python that keeps the last state that it began with, where everybody can look."""

    def _initial(self, rng):
        self.last = super()._initial(rng)
        return self.last


@dataclass(frozen=True)
class Sly:
    """An agent that answers by a function of what its player has peeked at, its rng, and what it was told."""

    answer: Callable[..., Decision]
    name: str = "sly"
    cheats: bool = True

    def seat(self, game, role, rng):
        """Make a player; only a cheat has eyes for the state."""
        return (_Cheat if self.cheats else _Player)(self, rng)


class _Player:
    def __init__(self, made, rng):
        self.made, self.rng, self.peeks = made, rng, []

    def choose(self, info, budget):
        budget.charge()
        return self.made.answer(self.peeks, self.rng, info)


class _Cheat(_Player):
    def peek(self, state):
        self.peeks.append(state)


def remembers(peeks, rng, info):
    """Look at the state of the first decision, and make use of it at the second one only."""
    return Decision(info.legal[0] if len(peeks) < 2 else info.legal[hash(peeks[0]) % len(info.legal)])


def asks_the_game(peeks, rng, info):
    """Look where the game has kept the state."""
    return Decision(info.game.last.ball)


def takes_the_first(peeks, rng, info):
    """Play the first move of the list."""
    return Decision(info.legal[0])


def gives_up(peeks, rng, info):
    """Make a mistake that a user is told of."""
    raise LudariumError("it has given up")


def trusts_to_luck(peeks, rng, info):
    """Decide by what nobody can repeat."""
    return Decision(info.legal[0], values={move: SystemRandom().random() for move in info.legal})


def guesses_well(peeks, rng, info):
    """Draw states, as is fair, and put the true one among them."""
    sampler = determinizer("auto").sampler(info.game, info.role)
    states = [*sampler.sample(info, 5, rng), peeks[-1]]
    worth = {move: sum(_played_out(state, move, info.role, rng) for state in states) for move in info.legal}
    return Decision(max(worth, key=worth.__getitem__), values=worth)


def guesses(peeks, rng, info):
    """Draw states, and no more."""
    sampler = determinizer("auto").sampler(info.game, info.role)
    states = sampler.sample(info, 6, rng)
    worth = {move: sum(_played_out(state, move, info.role, rng) for state in states) for move in info.legal}
    return Decision(max(worth, key=worth.__getitem__), values=worth)


def _played_out(state, move, role, rng):
    first = {role: move}
    while not state.over:
        joint = {mover: first.get(mover, rng.choice(state.legal(mover))) for mover in state.movers}
        state, first = state.after(joint, rng), {}
    return state.utilities()[role]
