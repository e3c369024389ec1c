"""Loops, sides that are cut off, and sites next to pieces."""

import pytest

from ludarium.kernel import using
from ludarium.ludii.model import Unsupported
from tests.ludii.ludemes.small import holds, made, selected

RING = [6, 7, 8, 11, 13, 16, 17]


def closes(*places, loop="(is Loop)"):
    """Whether the first move of the first player ends the game by a loop."""
    game = made("(move Add (to (sites {18})))", *places, ends=f"(if {loop} (result Mover Win))")
    state = game.initial()
    return not state.after(state.legal(state.movers[0])[0]).movers


def test_a_ring_is_a_loop():
    assert closes(("Man1", RING))
    assert not closes(("Man1", [site for site in RING if site != 7]))


def test_a_loop_may_have_to_go_round_somebody():
    assert not closes(("Man1", RING), loop="(is Loop surround:Next)")
    assert closes(("Man1", RING), ("Man2", [12]), loop="(is Loop surround:Next)")


def test_a_loop_is_looked_for_at_the_last_site_whatever_region_is_told():
    for more in ("(sites {0})", "(sites {0}) path:False", "path:True"):  # without tiles there are no paths
        assert closes(("Man1", RING), loop=f"(is Loop {more})")
    assert not closes(("Man1", RING[:-1]), ("Man2", [17]), loop="(is Loop (sites {0}))")


SIDES = {"more": "(regions P1 {(sites Bottom) (sites Top)})"}


def test_a_wall_blocks():
    assert holds("(is Blocked P1)", ("Man2", [10, 11, 12, 13, 14]), **SIDES)
    assert not holds("(is Blocked P1)", ("Man2", [10, 11, 12, 14]), ("Man1", [13]), **SIDES)


def test_the_first_piece_goes_to_the_centre_and_others_beside_it():
    assert selected("(sites Playable)") == [12]
    assert selected("(sites Playable)", ("Man1", [0]), ("Man2", [1])) == [2, 5, 6, 7]


def test_all_pieces_of_a_region_are_different():
    asked = "(all Different (sites {0 1 2}) if:(is Occupied (site)))"
    assert holds(asked, ("Man1", [0]), ("Man2", [1]), ("Rook1", [2]))
    assert not holds(asked, ("Man1", [0, 2]), ("Man2", [1]))
    assert not holds(asked, ("Man1", [0]), ("Man2", [1]))


def inside(*places, asked="(sites Loop inside:True)"):
    """The sites inside of a loop that the first move closes at 18, and those that the same ludeme means before it."""
    for way in ("native", "python"):
        with using(way):
            play = (
                f"(if (= 0 (count Moves)) (move Add (to (sites {{18}}))) (or (move Select (from {asked})) (move Pass)))"
            )
            game = made(play, *places)
            state = game.initial()
            state = state.after(state.legal(0)[0])
            leaves = [(game.coordinates.leaf(move), move) for move in state.legal(1)]
            found = sorted(leaf.read(move, "from") for leaf, move in leaves if leaf.kind == "Select")
    return found


def test_what_is_inside_of_a_loop():
    mine = "(sites Loop inside:True %s)"
    assert inside(("Man1", RING), asked=mine % "1") == [12]
    assert inside(("Man1", RING), ("Man2", [12]), asked=mine % "1") == [12]
    assert inside(("Man1", RING), asked=mine % "") == []  # it is the second player's turn: his loop is looked for
    assert inside(("Man1", RING[1:]), asked=mine % "1") == [12]  # corners are not needed
    assert inside(("Man1", RING), ("Man2", [12]), asked=mine % "surround:P1 1") == []
    assert inside(("Man1", RING), asked=mine % "1 0") == []


def test_of_two_loops_that_one_piece_closes_the_last_in_turn_counts():
    """Seen from the piece on 20, 26 lies above it and 14 below, which comes later, clockwise from the top."""
    ring = [8, 13, 15, 20, 25, 27, 32]  # around 14 and around 26, both closed by 20
    game = made(
        "(if (= 0 (count Moves)) (move Add (to (sites {20}))) (or (move Select (from (sites Loop inside:True 1))) (move Pass)))",
        ("Man1", [site for site in ring if site != 20]),
        board="(square 6)",
    )
    state = game.initial()
    state = state.after(state.legal(0)[0])
    leaves = [(game.coordinates.leaf(move), move) for move in state.legal(1)]
    assert [leaf.read(move, "from") for leaf, move in leaves if leaf.kind == "Select"] == [14]


def test_the_pieces_of_a_loop_are_not_told_yet():
    with pytest.raises(Unsupported, match="the pieces that it is made of"):
        made("(move Select (from (sites Loop)))")
