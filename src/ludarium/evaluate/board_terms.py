"""What a state can be judged by where a game tells of its board: regions, lines, where moves go, what is in danger, scores.

Most are terms of Ludii (its `metadata.ai.heuristics.terms`); `docs/hyper.md` says which.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ludarium.core import Game, UnsupportedGame
from ludarium.core.hints import Amount, Pieces
from ludarium.core.parameters import check, flag, number
from ludarium.evaluate.layout import AMOUNTS, INFLUENCE, LINES, NOTHING, SAFE, TURN
from ludarium.evaluate.places import lines_by_coordinates
from ludarium.evaluate.sheet import Feature
from ludarium.evaluate.terms import near, pieces_of

_MOST = 1e9
_MOST_REGIONS = 1000


@dataclass(frozen=True)
class Region:
    """How near the pieces of a role are to a region of the equipment, summed up: Ludii's RegionProximity."""

    name: ClassVar[str] = "region"

    weight: float = number(1.0, -_MOST, _MOST)
    """What a piece in the region counts."""

    index: int = number(0, 0, _MOST_REGIONS)
    """Which region, in the order of the description."""

    def __post_init__(self) -> None:
        check(self)

    def feature(self, game: Game) -> Feature:
        """Ask the game where its pieces stand."""
        return near(game, f"region {self.index}")


@dataclass(frozen=True)
class PlayerRegions:
    """How near the pieces of a role are to the regions that a player owns, summed up: Ludii's PlayerRegionsProximity."""

    name: ClassVar[str] = "player_regions"

    weight: float = number(1.0, -_MOST, _MOST)
    """What a piece in one of the regions counts."""

    player: int = number(1, 1, 16)
    """Whose regions."""

    def __post_init__(self) -> None:
        check(self)

    def feature(self, game: Game) -> Feature:
        """Ask the game where its pieces stand."""
        return near(game, f"regions of {self.player}")


@dataclass(frozen=True)
class OwnRegions:
    """The number of pieces, whosever they are, in the regions that a role owns: Ludii's OwnRegionsCount."""

    name: ClassVar[str] = "own_regions"

    weight: float = number(1.0, -_MOST, _MOST)
    """What a piece there counts."""

    def __post_init__(self) -> None:
        check(self)

    def feature(self, game: Game) -> Feature:
        """Ask the game what is in the regions."""
        return _amounts(game, self.name, "stores", "it has no regions of players")


@dataclass(frozen=True)
class SiteMap:
    """The number of pieces on the sites that maps of the equipment give a player: Ludii's PlayerSiteMapCount."""

    name: ClassVar[str] = "site_map"

    weight: float = number(1.0, -_MOST, _MOST)
    """What a piece there counts."""

    def __post_init__(self) -> None:
        check(self)

    def feature(self, game: Game) -> Feature:
        """Ask the game what is on the sites."""
        return _amounts(game, self.name, "mapped", "it has no map from players to sites")


@dataclass(frozen=True)
class Score:
    """The score of a role, where a game keeps scores: Ludii's Score."""

    name: ClassVar[str] = "score"

    weight: float = number(1.0, -_MOST, _MOST)
    """What a point counts."""

    def __post_init__(self) -> None:
        check(self)

    def feature(self, game: Game) -> Feature:
        """Ask the game where its scores are."""
        return _amounts(game, self.name, "score", "it is not known to keep scores")


@dataclass(frozen=True)
class ComponentValues:
    """The values of the pieces of a role, summed up: Ludii's ComponentValues."""

    name: ClassVar[str] = "values"

    weight: float = number(1.0, -_MOST, _MOST)
    """What a piece of value 1 counts."""

    def __post_init__(self) -> None:
        check(self)

    def feature(self, game: Game) -> Feature:
        """Ask the game where the values are."""
        return _amounts(game, self.name, "values", "its pieces are not known to have values, one on a site")


@dataclass(frozen=True)
class Influence:
    """The share of sites that the moves of a role lead to: Ludii's Influence, and InfluenceAdvanced."""

    name: ClassVar[str] = "influence"

    weight: float = number(1.0, -_MOST, _MOST)
    """What all sites together count."""

    advanced: bool = flag(default=False)
    """Whether roles that are not to move are asked, too, as if they were."""

    def __post_init__(self) -> None:
        check(self)

    def feature(self, game: Game) -> Feature:
        """Ask the game where its moves go."""
        found = game.offers.targets() if game.offers.targets is not None else None
        if found is None or not any(bits for _, bits, _ in found.rules):
            raise UnsupportedGame(f"influence cannot judge {game.name}: it is not known where its moves go")
        numbers = [found.bits, found.sites, found.numbers, *(x for rule in found.rules for x in rule)]
        return Feature(
            INFLUENCE,
            numbers=numbers,
            looks=int(self.advanced),
            room=-(-found.numbers // 64),
            turn=game.offers.turn if self.advanced else None,
        )


@dataclass(frozen=True)
class LineCompletion:
    """How far a role has come with its two best lines of pieces: Ludii's LineCompletionHeuristic.

    A line that holds pieces of one role only is worth their share of it, half as much for each end behind which another stands.
    """

    name: ClassVar[str] = "lines"

    weight: float = number(1.0, -_MOST, _MOST)
    """What a whole line counts."""

    length: int = number(0, 0, 64)
    """How long lines are; 0 is what the rules ask for in Ludii's language, and 3 elsewhere."""

    def __post_init__(self) -> None:
        check(self)

    def feature(self, game: Game) -> Feature:
        """Ask the game for its lines."""
        offered = game.offers.lines
        found = offered(self.length) if offered is not None else lines_by_coordinates(game, self.length)
        if not found.windows or not found.pieces:
            raise UnsupportedGame(f"lines cannot judge {game.name}: it is not known which sites are in a line")
        cells = 1 + max(max(*line, *ends) for line, *ends in found.windows)
        cells = max(cells, 1 + max(found.cells.values()))
        numbers = [len(found.windows[0][0]), cells, *(x for line, *ends in found.windows for x in (*line, *ends))]
        return Feature(LINES, pieces=found.pieces, numbers=numbers, cells=found.cells, room=cells + len(game.roles))


@dataclass(frozen=True)
class Unthreatened:
    """The number of pieces that no move of another role takes away: as Ludii's UnthreatenedMaterial.

    Moves are tried, and it is looked at what is gone then; Ludii also takes every site that a move goes to as threatened, and
    leaves out the threats of whoever is to move. A role that is not to move threatens something where a game tells how to make
    it the mover.
    """

    name: ClassVar[str] = "unthreatened"

    weight: float = number(1.0, -_MOST, _MOST)
    """What a piece counts."""

    looks: int = number(32, 1, 1024)
    """How many moves of each role are tried at most, evenly spread over the list of legal ones."""

    def __post_init__(self) -> None:
        check(self)

    def feature(self, game: Game) -> Feature:
        """Ask the game for its pieces."""
        pieces = pieces_of(game)
        if not pieces:
            raise UnsupportedGame(f"unthreatened cannot judge {game.name}: it is not known what its pieces are")
        if not game.traits.turn_taking:
            raise UnsupportedGame(f"unthreatened cannot judge {game.name}: roles move at the same time")
        return Feature(SAFE, pieces=pieces, looks=self.looks, turn=game.offers.turn)


@dataclass(frozen=True)
class Mover:
    """1 for a role that is to move, else 0: Ludii's CurrentMoverHeuristic."""

    name: ClassVar[str] = "mover"

    weight: float = number(1.0, -_MOST, _MOST)
    """What it counts to be the mover."""

    def __post_init__(self) -> None:
        check(self)

    def feature(self, game: Game) -> Feature:
        """Every game has movers."""
        return Feature(TURN)


@dataclass(frozen=True)
class Null:
    """Nothing, whatever the state: Ludii's NullHeuristic. A search then looks for wins and losses only."""

    name: ClassVar[str] = "null"

    weight: float = number(1.0, -_MOST, _MOST)
    """What nothing counts."""

    def __post_init__(self) -> None:
        check(self)

    def feature(self, game: Game) -> Feature:
        """There is nothing to know."""
        return Feature(NOTHING)


def _amounts(game: Game, term: str, name: str, lacking: str) -> Feature:
    """Numbers that a game keeps for its roles, and pieces that count for them."""
    offered = game.offers.amounts() if game.offers.amounts is not None else {}
    found = offered.get(name, ())
    if not found:
        raise UnsupportedGame(f"{term} cannot judge {game.name}: {lacking}")
    numbers = [x for each in found if isinstance(each, Amount) for x in (each.role, each.offset, each.size, each.given)]
    return Feature(AMOUNTS, pieces=[each for each in found if isinstance(each, Pieces)], numbers=numbers)
