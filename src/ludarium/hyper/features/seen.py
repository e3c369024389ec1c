"""What can be seen of a game whose rules tell no concepts: its promises, its board, and what happens in random games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ludarium.core import Game, Move, Rng, Role, State
from ludarium.core.features import Feature
from ludarium.core.hints import Pieces
from ludarium.kernel import KernelState

MOST_PLIES = 3000
"""How many moves are looked at; a Python game without kernels makes about as many in a second."""

MOST_GAMES = 100
_SEED = 1
_PLACES = 1e-6
_DONE = ("Capture", "AddDecision", "TwoSitesMoves")
"""What moves are seen to do."""


def seen(game: Game) -> dict[str, Feature]:
    """Tell what is found, and what is absent; what is not here is unknown."""
    return {**_promised(game), **_board(game), **_played(game)}


def _promised(game: Game) -> dict[str, Feature]:
    traits, players = game.traits, len(game.roles)
    said = {
        "Discrete": 1,
        "Realtime": 0,
        "Simulation": 0,
        "Match": 0,
        "Alternating": traits.turn_taking,
        "Simultaneous": not traits.turn_taking,
        "Stochastic": not traits.deterministic,
        "HiddenInformation": not traits.perfect_information,
        "NumPlayers": players,
        "Solitaire": players == 1,
        "TwoPlayer": players == 2,
        "Multiplayer": players > 2,
        "Puzzle": players == 1,
        "End": 1,
    }
    return {name: Feature(float(value), "what the game promises") for name, value in said.items()}


def _board(game: Game) -> dict[str, Feature]:
    """The board, where the game tells which facts stand where on it."""
    cells = game.offers.cells() if game.offers.cells is not None else {}
    places = {(round(x / _PLACES), round(y / _PLACES)) for x, y in cells.values()}
    if not places:
        return {}
    xs, ys = sorted({x for x, _ in places}), sorted({y for _, y in places})
    grid = {(xs.index(x), ys.index(y)) for x, y in places}
    size = len(grid)
    straight, slanted = ((0, 1), (1, 0), (0, -1), (-1, 0)), ((1, 1), (1, -1), (-1, 1), (-1, -1))
    around = {cell: _beside(grid, cell, straight) for cell in grid}
    outer = sum(near < len(straight) for near in around.values())
    full = size == len(xs) * len(ys)
    orthogonal = sum(around.values()) / size
    diagonal = sum(_beside(grid, cell, slanted) for cell in grid) / size
    said: dict[str, float] = {
        "Board": 1,
        "Cell": 1,
        "NumColumns": len(xs),
        "NumRows": len(ys),
        "NumCells": size,
        "NumPlayableSites": size,
        "NumPlayableSitesOnBoard": size,
        "NumOuterSites": outer,
        "NumPerimeterSites": outer,
        "NumInnerSites": size - outer,
        "NumOrthogonalDirections": round(orthogonal, 2),
        "NumDiagonalDirections": round(diagonal, 2),
        "NumAdjacentDirections": round(orthogonal + diagonal, 2),
        "NumDirections": round(orthogonal + diagonal, 2),
        "SquareTiling": 1,
    }
    if full:
        said |= {
            "SquareShape": len(xs) == len(ys),
            "RectangleShape": len(xs) != len(ys),
            "NumTopSites": len(xs),
            "NumBottomSites": len(xs),
            "NumLeftSites": len(ys),
            "NumRightSites": len(ys),
            "NumCorners": min(4, size),
            "NumCentreSites": (2 - len(xs) % 2) * (2 - len(ys) % 2),
        }
    return {name: Feature(float(value), "coordinates in the rules") for name, value in said.items()}


def _beside(grid: set[tuple[int, int]], cell: tuple[int, int], steps: Sequence[tuple[int, int]]) -> int:
    return sum((cell[0] + dx, cell[1] + dy) in grid for dx, dy in steps)


def _played(game: Game) -> dict[str, Feature]:
    """What moves do to pieces in random games, and how these end."""
    pieces = game.offers.pieces() if game.offers.pieces is not None else ()
    happened: dict[str, int] = {}
    rng = Rng(_SEED)
    plies = games = 0
    drawn = False
    while plies < MOST_PLIES and games < MOST_GAMES:
        state = game.initial(rng)
        games += 1
        while (movers := state.movers) and plies < MOST_PLIES:
            chosen: Mapping[Role, Move] = {role: rng.choice(state.legal(role)) for role in movers}
            following = state.after(chosen, rng)
            plies += 1
            if len(chosen) == 1 and pieces and len(happened) < len(_DONE):
                for name in _happened(pieces, next(iter(chosen)), state, following):
                    happened.setdefault(name, games)
            state = following
        drawn = drawn or (state.over and len(game.roles) > 1 and len(set(state.utilities())) == 1)
    told = f"{games} random games"
    found = {name: Feature(1, f"random game {first}") for name, first in happened.items()}
    if drawn:
        found["Draw"] = Feature(1, told)
    if pieces:
        kinds = len({each.name for each in pieces if each.name}) or len(pieces)
        found["NumComponentsType"] = Feature(kinds, "pieces in the rules")
        for name in _DONE:
            found.setdefault(name, Feature(0, f"not in {told}"))
        found["Piece"] = Feature(1, "pieces in the rules")
    return found


def _happened(pieces: Sequence[Pieces], mover: Role, before: State, after: State) -> Iterator[str]:
    """What a move was, by the bits of pieces that it changed."""
    if not isinstance(before, KernelState) or not isinstance(after, KernelState):
        return
    gone = come = taken = 0
    for each in pieces:
        was, now = _bits(each, before.block), _bits(each, after.block)
        if each.role == mover:
            gone += (was & ~now).bit_count()
            come += (now & ~was).bit_count()
        else:
            taken += was.bit_count() - now.bit_count()
    if come and not gone:
        yield "AddDecision"
    if come and gone:
        yield "TwoSitesMoves"
    if taken > 0:
        yield "Capture"


def _bits(pieces: Pieces, block: bytes) -> int:
    """Where pieces stand."""
    size = -(-pieces.mask.bit_length() // 8)
    return int.from_bytes(block[pieces.offset : pieces.offset + size], "little") & pieces.mask
