"""The board as plain tables: sites of three types, what is known of each, and how one gets from site to site.

Sites of a type are numbered from 0, as Ludii numbers them. Where this page says *per site*, the place in the tuple is the site.
Steps, radials and distances are worked out when somebody asks, and remembered: there are some fifty directions, a game uses few.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludarium.ludii.grammar.binder import Bound

if TYPE_CHECKING:
    from ludarium.ludii.board.ways.table import Table

SiteType: TypeAlias = Literal["Vertex", "Edge", "Cell"]
TYPES: tuple[SiteType, ...] = ("Vertex", "Edge", "Cell")

Group: TypeAlias = tuple[int, ...]
"""Several sites of one type, mostly in ascending order."""


class Radial(NamedTuple):
    """A straight line of sites, from a site outwards."""

    sites: Group
    """The site it starts from comes first."""

    opposites: tuple[Group, ...] = ()
    """The radials that continue it on the other side of its first site."""


@dataclass(frozen=True, eq=False)
class Sites:
    """All sites of one type."""

    type: SiteType
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    z: NDArray[np.float64]
    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    layers: NDArray[np.int32]
    labels: tuple[str, ...]
    """Coordinates as rules name them: `A1`."""

    groups: Mapping[str, Group]
    """By name: Corners, ConvexCorners, ConcaveCorners, Outer, Inner, Perimeter, Top, Bottom, Left, Right, Centre, Major, Minor,
    and of edges Axial, Horizontal, Vertical, Angled, Slash, Slosh."""

    sides: Mapping[str, Group]
    """By the sixteen names of the compass."""

    phases: tuple[Group, ...]
    """Colours such that neighbours differ, as on a chess board: six groups, most of them empty on most boards."""

    row_sites: tuple[Group, ...]
    column_sites: tuple[Group, ...]
    layer_sites: tuple[Group, ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.labels)

    @property
    def corners(self) -> Group:
        """Convex and concave corners of the outline."""
        return self.groups["Corners"]

    @property
    def outer(self) -> Group:
        """What touches the outline."""
        return self.groups["Outer"]

    @property
    def inner(self) -> Group:
        """What does not touch the outline."""
        return self.groups["Inner"]

    @property
    def perimeter(self) -> Group:
        """What makes up the outline."""
        return self.groups["Perimeter"]

    @property
    def top(self) -> Group:
        """The highest."""
        return self.groups["Top"]

    @property
    def bottom(self) -> Group:
        """The lowest."""
        return self.groups["Bottom"]

    @property
    def left(self) -> Group:
        """The leftmost."""
        return self.groups["Left"]

    @property
    def right(self) -> Group:
        """The rightmost."""
        return self.groups["Right"]

    @property
    def centre(self) -> Group:
        """The nearest to the outline on all sides."""
        return self.groups["Centre"]

    @cached_property
    def phase(self) -> NDArray[np.int32]:
        """The phase of each site: the first one that it is in."""
        of = np.full(self.count, -1, np.int32)
        for number in reversed(range(len(self.phases))):
            of[list(self.phases[number])] = number
        return of

    @cached_property
    def by_label(self) -> Mapping[str, int]:
        """The site of a coordinate; of several the first."""
        return {label: site for site, label in reversed(list(enumerate(self.labels)))}


@dataclass(frozen=True)
class Container:
    """What holds pieces: the board, hands, dice, decks. Sites of all but the board are counted as cells behind it."""

    name: str
    kind: Literal["board", "hand", "dice", "deck"]
    owner: int
    """The player, or 0 if it belongs to none, or to all."""

    role: str
    first: int
    """Its first site."""

    count: int
    """How many sites it has; of the board as many as its cells, or its default sites if these are more."""

    faces: tuple[tuple[int, ...], ...] = ()
    """Of dice: for each die, what its faces show."""

    biased: tuple[tuple[int, ...], ...] = ()
    """Of dice: for each die, how often its faces fall; nothing where they fall alike."""

    items: tuple[Bound, ...] = ()
    """The ludemes that describe it."""


@dataclass(frozen=True)
class Track:
    """A way around the board. Elements know where they lead to: -1 is nowhere, -2 off the board."""

    name: str
    owner: int
    loop: bool
    directed: bool
    sites: tuple[int, ...]
    next: tuple[int, ...]
    """Per element the next site."""

    previous: tuple[int, ...]
    next_index: tuple[int, ...]
    """Per element the place of the next one."""

    previous_index: tuple[int, ...]
    bumps: tuple[int, ...]
    """Per element how often the site came again at once."""

    internal_loop: bool
    """Whether a site comes twice, but not at once."""


@dataclass(frozen=True)
class Topology:
    """A board and everything beside it that has sites."""

    default_type: SiteType
    """What a bare site number means."""

    boardless: bool
    vertices: Sites
    edges: Sites
    cells: Sites
    ends: tuple[tuple[int, int], ...]
    """Per edge its two vertices."""

    corners_of: tuple[Group, ...]
    """Per cell its vertices, clockwise."""

    sides_of: tuple[Group, ...]
    """Per cell its edges, each beginning at the vertex in the same place."""

    containers: tuple[Container, ...]
    tracks: tuple[Track, ...]
    maps: tuple[Bound, ...]
    regions: tuple[Bound, ...]
    """The ludemes of maps and regions, in the order of the description."""

    ways: Table = field(repr=False)

    def sites(self, kind: SiteType | None = None) -> Sites:
        """The sites of a type."""
        return {"Vertex": self.vertices, "Edge": self.edges, "Cell": self.cells}[kind or self.default_type]

    def steps(self, kind: SiteType, direction: str, target: SiteType | None = None) -> tuple[Group, ...]:
        """Per site, where one step in a direction leads to, clockwise from the north.

        A direction is one of Ludii's absolute directions: `N`, `NNE`, .. `CW`, `In`, `U`, or a group such as `Adjacent`,
        `Orthogonal`, `Diagonal`, `OffDiagonal`, `All`, `SameLayer`, `Rotational`. `target` asks for sites of another type.
        """
        return self.ways.steps(kind, target or kind, direction)

    def radials(self, kind: SiteType, direction: str) -> tuple[tuple[Radial, ...], ...]:
        """Per site, the straight lines that begin with a step in a direction, clockwise from the north."""
        return self.ways.radials(kind, direction)

    def distinct_radials(self, kind: SiteType, direction: str) -> tuple[tuple[Radial, ...], ...]:
        """Per site the radials of a direction, without those that are opposite to an earlier one: each line once."""
        return self.ways.distinct(kind, direction)

    def supported(self, kind: SiteType, relation: str = "All") -> tuple[str, ...]:
        """The specific directions (`N`, `NNE`, ..) in which steps of a relation lead anywhere on the board, clockwise."""
        return self.ways.supported(kind, relation)

    def supported_at(self, kind: SiteType, relation: str = "All") -> tuple[tuple[str, ...], ...]:
        """Per site the specific directions in which steps of a relation lead, in the order in which they turn up."""
        return self.ways.supported_at(kind, relation)

    def distances(self, kind: SiteType, relation: str = "Adjacent") -> NDArray[np.int32]:
        """From each site to each site the number of steps; 0 also where there is no way."""
        return self.ways.distances(kind, relation)
