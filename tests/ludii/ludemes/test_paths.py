"""Tiles with paths: sides that match, how far paths lead, paths that close, and tiles that are turned as they are put down."""

import pytest

from ludarium.core.problems import RulesError
from ludarium.kernel import using
from tests.ludii.ludemes.small import after, holds, made, worth

# The middle of the board is 12; above it is 17, to the right 13, below 7, to the left 11.
TILES = """
(tile "Cross" numSides:4 { (path from:0 to:2 colour:1) (path from:1 to:3 colour:2) })
(tile "Curve" numSides:4 { (path from:0 to:1 colour:1) (path from:2 to:3 colour:2) })
"""


def laid(*tiles):
    """Options of a game with tiles, each a name, a site and how often it is turned by an eighth."""
    return {
        "more": TILES,
        "start": " ".join(f'(place "{name}" {site} rotation:{turned})' for name, site, turned in tiles),
    }


@pytest.mark.parametrize(
    ("tiles", "matches"),
    [
        ([("Cross", 12, 0)], True),
        ([("Cross", 12, 0), ("Cross", 13, 0)], True),
        ([("Cross", 12, 0), ("Cross", 13, 2)], False),
        ([("Cross", 12, 0), ("Cross", 18, 2)], True),  # only a corner
        ([("Curve", 12, 0), ("Cross", 13, 0)], False),
        ([("Curve", 12, 0), ("Cross", 13, 2)], True),
        ([("Curve", 12, 2), ("Cross", 17, 0)], False),
        ([("Curve", 12, 2), ("Cross", 17, 2)], True),
        ([("Curve", 12, 6), ("Cross", 17, 0), ("Cross", 11, 2)], True),
        ([("Curve", 12, 6), ("Cross", 17, 0), ("Cross", 11, 0)], False),
    ],
)
def test_sides_match_where_colours_meet(tiles, matches):
    for way in ("native", "python"):
        with using(way):
            assert holds("(is SidesMatch 12)", **laid(*tiles)) == matches


def test_where_no_tile_is_sides_match_if_there_is_a_piece():
    assert holds("(is SidesMatch 12)", ("Man1", [12]), **laid(("Cross", 13, 0)))
    assert holds("(is SidesMatch 13)", ("Man1", [12]), **laid(("Cross", 13, 0)))
    assert not holds("(is SidesMatch 11)", **laid(("Cross", 12, 0)))
    assert not holds("(is SidesMatch -1)", **laid(("Cross", 12, 0)))


def test_slots_of_a_side_meet_the_other_way_round():
    two = """(tile "Two" numSides:4 slotsPerSide:2 { (path from:1 slotsFrom:0 to:3 slotsTo:%d colour:1)
                                                     (path from:1 slotsFrom:1 to:3 slotsTo:%d colour:2) })"""
    places = {"start": '(place "Two" 12 rotation:0) (place "Two" 13 rotation:0)'}
    assert holds("(is SidesMatch 12)", more=two % (1, 0), **places)
    assert not holds("(is SidesMatch 12)", more=two % (0, 1), **places)


@pytest.mark.parametrize(
    ("colour", "start", "tiles", "most"),
    [
        (1, 12, [("Cross", 12, 0)], 1),
        (1, 12, [("Cross", 12, 0), ("Cross", 17, 0)], 2),
        (1, 22, [("Cross", 12, 0), ("Cross", 17, 0), ("Cross", 22, 0)], 3),
        (2, 12, [("Cross", 12, 0), ("Cross", 17, 0)], 1),
        (1, 12, [("Curve", 12, 0), ("Cross", 13, 2), ("Cross", 17, 2)], 2),  # beyond 17 it leads to the sides
        (1, 12, [("Man1", 12, 0)], 0),
    ],
)
def test_how_far_a_path_leads(colour, start, tiles, most):
    for way in ("native", "python"):
        with using(way):
            assert worth(f"(pathExtent {colour} {start})", **laid(*tiles)) == most


def test_paths_from_several_sites_stop_where_there_is_no_tile():
    tiles = laid(("Cross", 7, 0), ("Cross", 12, 0), ("Cross", 17, 0))
    assert worth("(pathExtent 1 (sites {7 12}))", **tiles) == 3
    assert worth("(pathExtent 1 (sites {6 7 12}))", **tiles) == 0
    assert worth("(pathExtent 1 (sites {12 18}))", **tiles) == 2


RING = [("Curve", 6, 0), ("Curve", 7, 6), ("Curve", 11, 2), ("Curve", 12, 4)]


def test_a_path_that_leads_back_is_a_loop():
    for way in ("native", "python"):
        with using(way):
            for tile in RING:
                assert holds(f"(is Loop 1 {tile[1]} path:True)", **laid(*RING))
                assert not holds(f"(is Loop 2 {tile[1]} path:True)", **laid(*RING))
                missing = [each for each in RING if each != tile]
                assert not holds(f"(is Loop 1 {missing[0][1]} path:True)", **laid(*missing))
    turned = [*RING[:3], ("Curve", 12, 0)]
    assert not holds("(is Loop 1 6 path:True)", **laid(*turned))


LAY = "(move (from (handSite Shared)) (to (sites {12}) (rotations {%s})) copy:True)"


def lay(directions, ends):
    """A game where the last tile of a ring can be laid, turned as directions say."""
    placed = " ".join(f'(place "{name}" {site} rotation:{turned})' for name, site, turned in RING[:3])
    return made(
        LAY % directions,
        more=TILES + "(hand Shared)",
        start=placed + ' (place "Curve" (handSite Shared))',
        ends=f"(if {ends} (result Mover Win))",
    )


def test_tiles_are_turned_as_they_are_laid():
    game = lay("N E S W", "(is Loop path:True)")
    state = game.initial()
    moves = state.legal(0)
    assert [game.coordinates.leaf(move).read(move, "rotation") for move in moves] == [0, 2, 4, 6]
    ended = [move for move in moves if not state.after(move).movers]
    # as Ludii follows paths: one end has to lead on, whether or not the way back meets the other
    assert [game.coordinates.leaf(move).read(move, "rotation") for move in ended] == [2, 4, 6]
    assert len(lay("Orthogonal", "(is Loop path:True)").initial().legal(0)) == 4
    hexagons = made(
        "(move (from (handSite Shared)) (to (sites {3}) (rotations Orthogonal)) copy:True)",
        board="(hex 2)",
        more='(tile "Plain" numSides:6) (hand Shared)',
        start='(place "Plain" (handSite Shared))',
    )
    codes = hexagons.initial().legal(0)
    assert len(codes) == 6


def test_what_would_happen_beside_the_move_of_a_turned_tile_does_not():
    play = (
        '(move (from (handSite Shared)) (to (sites {12}) %s (apply (add (piece "Wall0") (to (sites {0}))))) copy:True)'
    )
    options = {"more": TILES + "(hand Shared)", "start": '(place "Curve" (handSite Shared))'}
    assert after(play % "", **options)[0] == "Wall0"
    assert 0 not in after(play % "(rotations N)", **options)


def test_cells_that_differ_have_no_tiles():
    board = "(tiling T3636 2) use:Cell"
    with pytest.raises(RulesError, match="cells differ"):
        made("(if (is SidesMatch 0) (move Pass))", board=board, more=TILES)
    tile = '(tile "Odd" numSides:4 { (path from:2 slotsFrom:1 to:0 colour:1) })'
    with pytest.raises(RulesError, match="no slot 1 of a side 2"):
        made("(if (is SidesMatch 0) (move Pass))", more=tile)
