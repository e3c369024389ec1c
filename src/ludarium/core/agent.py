"""Who plays: an agent is a bundle of parameters, and becomes a player when it is seated at a game.

A player is handed an information set and never a hidden state: what is not handed over cannot leak.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from ludarium.core.budget import Budget
from ludarium.core.game import Game, Move, Role, State
from ludarium.core.rng import Rng

HUMAN = "human"
"""The name of a person, in the place of an agent's."""


@dataclass(frozen=True, kw_only=True)
class InformationSet:
    """All that a role knows when it has to choose."""

    game: Game
    role: Role
    legal: tuple[Move, ...]
    seen: tuple[bytes, ...] = ()
    """What the role was shown so far, the present state included."""

    played: tuple[Move, ...] = ()
    """The role's own moves so far."""

    state: State | None = None
    """The state itself, only where nothing is hidden."""

    def __post_init__(self) -> None:
        if self.state is not None and not self.game.traits.perfect_information:
            raise ValueError(f"{self.game.name} hides information: its states are not shown to players")


@dataclass(frozen=True)
class Decision:
    """The move chosen, what the search thought of the others, and the work it took."""

    move: Move
    values: Mapping[Move, float] = field(default_factory=dict)
    visits: Mapping[Move, int] = field(default_factory=dict)
    iterations: int = 0
    forward_calls: int = 0
    seconds: float = field(default=0.0, compare=False)
    line: tuple[tuple[Role, Move], ...] = ()
    """The play that the search expects from here on, this decision first."""

    depth: int = 0
    """How many plies ahead the search has looked where it looked farthest."""

    proven: float | None = None
    """What the position is worth to the role, where the search has proved it."""

    note: str = ""
    votes: tuple[tuple[str, Move], ...] = ()
    """Who chose what, where several agents had a say."""


class Player(Protocol):
    """An agent in its seat, for one match."""

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Choose one of the legal moves within the budget."""
        ...


class Agent(Protocol):
    """The parameters of a way to play: a frozen dataclass."""

    @property
    def name(self) -> str:
        """What the catalog calls it."""
        ...

    def seat(self, game: Game, role: Role, rng: Rng) -> Player:
        """Make a player for one match; an `UnsupportedGame` if it cannot play this game."""
        ...


ELSEWHERE = "ggp:"
"""How the names of agents begin that are players somewhere else, and need no process of their own here."""

PLACES: WeakKeyDictionary[type, str] = WeakKeyDictionary()
"""What classes go by that are not called by their own name: where they are, for those that nobody lists."""


def describe(thing: Any) -> str:
    """Write an agent, or a part of one, as it is read: its name, and the parameters that are not at their defaults."""
    if isinstance(spec := getattr(thing, "spec", None), str):
        return spec
    changed = []
    for each in fields(thing) if is_dataclass(thing) else ():
        value = getattr(thing, each.name)
        if value != each.default:
            changed.append(f"{each.name}={_written(value)}")
    name = PLACES.get(type(thing), thing.name)
    return f"{name}({', '.join(changed)})" if changed else str(name)


def _written(value: Any) -> str:
    """Write a parameter; one that is an agent is easier to read without quotes."""
    if isinstance(value, tuple) and any(hasattr(each, "seat") for each in value):
        return f"[{', '.join(map(_written, value))}]"
    if not any(hasattr(value, method) for method in ("seat", "judge", "sampler")):
        return repr(value)
    text = describe(value)
    return text if hasattr(value, "seat") and not {" ", '"'} & set(text.partition("(")[0]) else repr(text)
