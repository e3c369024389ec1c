"""Loops, sides that are cut off, and sites next to pieces."""

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
