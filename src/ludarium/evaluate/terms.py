"""What a state can be judged by: each term gives every role a number, the more the better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from ludarium.core import Game, UnsupportedGame
from ludarium.core.hints import Pieces
from ludarium.core.parameters import check, number
from ludarium.evaluate.layout import ADVANCED, GOALS, MATERIAL, MOBILITY, PLACES
from ludarium.evaluate.places import by_coordinates
from ludarium.evaluate.sheet import Feature

_MOST = 1e9


class Term(Protocol):
    """A part of a sum: a frozen dataclass of parameters, with its weight in the sum."""

    @property
    def name(self) -> str:
        """What `evaluator` calls it."""
        ...

    @property
    def weight(self) -> float:
        """What it counts in the sum."""
        ...

    def feature(self, game: Game) -> Feature:
        """What the kernel has to know of a game; an `UnsupportedGame` if there is nothing to judge by."""
        ...


def pieces_of(game: Game) -> Sequence[Pieces]:
    """The pieces of a game, as far as it tells."""
    return game.offers.pieces() if game.offers.pieces else ()


@dataclass(frozen=True)
class Mobility:
    """The number of legal moves of a role that is to move, else 0: Ludii's MobilitySimple."""

    name: ClassVar[str] = "mobility"

    weight: float = number(1.0, -_MOST, _MOST)
    """What a move counts."""

    def __post_init__(self) -> None:
        check(self)

    def feature(self, game: Game) -> Feature:
        """Every game has legal moves."""
        return Feature(MOBILITY)


@dataclass(frozen=True)
class AdvancedMobility:
    """The number of legal moves of every role, whether it is to move or not: as Ludii's MobilityAdvanced.

    A role that is not to move is made the mover, where a game tells how: games in Ludii's language do. Elsewhere it is asked
    what it may do all the same; if that is no choice, its moves are counted in the states that come next.
    """

    name: ClassVar[str] = "advanced"

    weight: float = number(1.0, -_MOST, _MOST)
    """What a move counts."""

    looks: int = number(1, 1, 64)
    """How many of the states that come next are looked at, for moves evenly spread over the list of legal ones."""

    def __post_init__(self) -> None:
        check(self)

    def feature(self, game: Game) -> Feature:
        """Every game has legal moves."""
        return Feature(ADVANCED, looks=self.looks, turn=game.offers.turn)


@dataclass(frozen=True)
class Material:
    """The number of pieces of a role, where a game tells its pieces: Ludii's Material."""

    name: ClassVar[str] = "material"

    weight: float = number(1.0, -_MOST, _MOST)
    """What a piece counts."""

    def __post_init__(self) -> None:
        check(self)

    def feature(self, game: Game) -> Feature:
        """Ask the game for its pieces."""
        pieces = pieces_of(game)
        if not pieces:
            raise UnsupportedGame(f"material cannot judge {game.name}: it is not known what its pieces are")
        return Feature(MATERIAL, pieces=pieces)


@dataclass(frozen=True)
class Goals:
    """How near a role is to its goals, where the rules are formulas: goal and end of the game in degrees of truth."""

    name: ClassVar[str] = "goals"

    weight: float = number(1.0, -_MOST, _MOST)
    """What a goal reached counts."""

    truth: float = number(0.75, 0.51, 0.99)
    """The degree of a fact that holds; one that does not has the rest."""

    power: int = number(25, 1, 100)
    """How near conjunctions come to the least of their parts: 1 adds up what is missing, 100 is almost the least."""

    def __post_init__(self) -> None:
        check(self)

    def feature(self, game: Game) -> Feature:
        """Ask the game for its formulas."""
        formulas = game.offers.formulas
        if formulas is None:
            raise UnsupportedGame(f"goals cannot judge {game.name}: its rules are not known as ground formulas")
        return Feature(GOALS, formulas=formulas(), truth=self.truth, power=self.power)


@dataclass(frozen=True)
class Centre:
    """How near the pieces of a role are to the centre, summed up: Ludii's CentreProximity."""

    name: ClassVar[str] = "centre"

    weight: float = number(1.0, -_MOST, _MOST)
    """What a piece in the centre counts."""

    def __post_init__(self) -> None:
        check(self)

    def feature(self, game: Game) -> Feature:
        """Ask the game where its pieces stand."""
        return near(game, self.name)


@dataclass(frozen=True)
class Corners:
    """How near the pieces of a role are to corners, summed up: Ludii's CornerProximity."""

    name: ClassVar[str] = "corners"

    weight: float = number(1.0, -_MOST, _MOST)
    """What a piece in a corner counts."""

    def __post_init__(self) -> None:
        check(self)

    def feature(self, game: Game) -> Feature:
        """Ask the game where its pieces stand."""
        return near(game, self.name)


@dataclass(frozen=True)
class Sides:
    """How near the pieces of a role are to the sides, summed up: Ludii's SidesProximity."""

    name: ClassVar[str] = "sides"

    weight: float = number(1.0, -_MOST, _MOST)
    """What a piece at a side counts."""

    def __post_init__(self) -> None:
        check(self)

    def feature(self, game: Game) -> Feature:
        """Ask the game where its pieces stand."""
        return near(game, self.name)


def near(game: Game, place: str) -> Feature:
    """Pieces by how near they are to a place, in steps where the game tells, else by their coordinates."""
    offered = game.offers.nearness() if game.offers.nearness is not None else by_coordinates(game)
    if not offered.get(place):
        raise UnsupportedGame(f"{place} cannot judge {game.name}: it is not known where its pieces stand")
    return Feature(PLACES, pieces=[each for each, _ in offered[place]], worth=[worth for _, worth in offered[place]])
