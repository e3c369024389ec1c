"""The few facts of a game without which recorded actions mean nothing: its sites, who owns what, whether pieces stack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

CELL, VERTEX, EDGE = "Cell", "Vertex", "Edge"
"""The kinds of sites."""


class Site(NamedTuple):
    """A place for pieces: on the board by its kind and number; in hands, dice and decks always a cell."""

    type: str
    number: int

    def __str__(self) -> str:
        return f"{self.type.lower()} {self.number}"


class Container(NamedTuple):
    """The board, a hand, dice or a deck: where its sites begin, and how many there are."""

    name: str
    first: int
    sites: int


DICE = "Dice"
"""How the names of containers with dice begin."""


@dataclass(frozen=True)
class GameFacts:
    """What the interpreter of actions must know of a game.

    >>> facts = GameFacts(use="Vertex", vertices=9, cells=4, containers=(Container("Board", 0, 9), Container("Hand1", 9, 1)))
    >>> print(facts.site("Vertex", 8), facts.site("", 8), facts.site("Vertex", 9), sep=", ")
    vertex 8, vertex 8, cell 9
    """

    players: int = 2
    stacking: bool = False
    counts: bool = False
    """Whether a site can hold several equal pieces without a stack."""
    hidden: bool = False
    use: str = CELL
    """The kind of sites that is meant when none is named."""
    vertices: int = 0
    edges: int = 0
    cells: int = 0
    containers: tuple[Container, ...] = ()
    owners: tuple[int, ...] = (0,)
    """The owner of each component, by index; there is none at 0."""
    names: tuple[str, ...] = ("",)
    """The name of each component, by index."""
    faces: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """The numbers on the faces of each component that is a die."""

    def site(self, type_: str, number: int) -> Site:
        """The site that an action means: what the board does not have is a cell somewhere else."""
        kind = type_ or self.use
        most = self.vertices if kind == VERTEX else self.edges if kind == EDGE else number + 1
        return Site(CELL if number >= most else kind, number)

    @property
    def dice(self) -> tuple[int, ...]:
        """Where dice lie."""
        hands = [container for container in self.containers if container.name.startswith(DICE)]
        return tuple(hand.first + number for hand in hands for number in range(hand.sites))

    def owner(self, what: int) -> int:
        """Who owns a component."""
        return self.owners[what] if 0 < what < len(self.owners) else 0

    def name(self, what: int) -> str:
        """What a component is called."""
        return self.names[what] if 0 < what < len(self.names) else f"component {what}"
