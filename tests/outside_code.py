"""Code of strangers to test with: a game, an agent, an evaluator and a determinizer in a file."""

RACE = '''
"""Two runners move one or two steps; who is first at the end wins."""

from dataclasses import dataclass
from typing import ClassVar

from ludarium.core import BadParameter, Decision, Game, IllegalMove, Rng, State, Traits
from ludarium.core.parameters import check, number, part
from ludarium.evaluate import Judge
from ludarium.hidden import Enumeration
from ludarium.kernel import Bundle, Stream, Table, f64, i64, kernel, u8, view


class Race(Game):
    roles = ("left", "right")
    traits = Traits(turn_taking=True, deterministic=True, perfect_information=True, constant_sum=True)
    max_moves = 2

    def __init__(self, length: int = 5):
        if not 1 <= length <= 50:
            raise BadParameter(f"a race is 1 to 50 steps long, not {length}")
        self.length = length
        self.name = f"race-{length}"

    def text(self, move):
        return str(move)

    def parse(self, text):
        if text not in ("1", "2"):
            raise IllegalMove(f"{text!r} is no number of steps; expected 1 or 2")
        return int(text)

    def picture(self, state, role=None):
        return f"{state.at} of {self.length}"

    def _initial(self, rng):
        return Lap(self, (0, 0), 0)


@dataclass(frozen=True)
class Lap(State):
    game: Race
    at: tuple[int, int]
    turn: int

    @property
    def movers(self):
        return () if max(self.at) >= self.game.length else (self.turn,)

    def legal(self, role):
        return [1, 2] if self.movers == (role,) else []

    def utilities(self):
        left, right = self.at
        return (0.5, 0.5) if left == right else (1.0, 0.0) if left > right else (0.0, 1.0)

    def observe(self, role):
        return bytes((*self.at, self.turn))

    def _after(self, joint, rng):
        at = list(self.at)
        at[self.turn] += joint[self.turn]
        return Lap(self.game, tuple(at), 1 - self.turn)


def short(length: int = 2):
    return Race(length)


SPRINT = Race(1)


@dataclass(frozen=True)
class Bold:
    """Plays the last legal move."""

    name: ClassVar[str] = "bold"

    patience: int = number(0, 0, 9, tries=(0, 1, 2))
    """How often it plays the first one instead."""

    def __post_init__(self):
        check(self)

    def seat(self, game, role, rng):
        return BoldPlayer(self)


class BoldPlayer:
    def __init__(self, agent):
        self.agent = agent

    def choose(self, info, budget):
        budget.charge()
        return Decision(info.legal[0 if len(info.played) < self.agent.patience else -1])


def timid(patience: int = 9):
    return Bold(patience)


@kernel
def ahead(table: Table, state: view[u8], out: view[f64], judging: Bundle, rng: Stream) -> i64:
    """Give everybody a half before the end."""
    if table.movers(state) == 0:
        table.utilities(state, out)
    else:
        for role in range(table.roles):
            out[role] = 0.5
    return 0


@dataclass(frozen=True)
class Fair:
    """Thinks that every unfinished state is worth the same to all."""

    name: ClassVar[str] = "fair"

    weight: int = number(1, 1, 9)
    """Nothing."""

    def judge(self, game):
        return Judge(ahead)


@dataclass(frozen=True)
class Exact:
    """Lists all states there can be."""

    name: ClassVar[str] = "exact"

    def sampler(self, game, role):
        return Enumeration().sampler(game, role)


nothing = 3
'''
