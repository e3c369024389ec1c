"""Moves made of other moves."""

import pytest

from tests.ludii.ludemes.small import after, made, standing

THEN = "(move Select (from (sites {0})) (then %s))"
STEP = '(if (is Empty %d) (add (piece "Wall0") (to %d)))'


def test_effects_in_a_row_see_what_came_before():
    """Both look at the same empty site; together both would see it empty, and one after the other only the first does."""
    both = '(if (is Empty 6) (add (piece "Wall0") (to 6))) (if (is Empty 6) (add (piece "Wall0") (to 7)))'
    assert set(after(THEN % f"(and {both})", ("Man1", [0]))) == {0, 6, 7}
    assert set(after(THEN % f"(seq {{ {both} }})", ("Man1", [0]))) == {0, 6}


def test_effects_in_a_row_inside_others():
    both = '(if (is Empty 6) (add (piece "Wall0") (to 6))) (if (is Empty 6) (add (piece "Wall0") (to 7)))'
    third = '(if (is Empty 6) (add (piece "Wall0") (to 8)))'
    assert set(after(THEN % f"(and (seq {{ {both} }}) {third})", ("Man1", [0]))) == {0, 6, 8}


@pytest.mark.parametrize("inside", ["%s", '(and (add (piece "Wall0") (to 20)) %s)'])
def test_effects_as_long_as_a_condition_holds(inside):
    loop = '(while (< (count Pieces Neutral in:(sites Row 1)) 3) (add (piece "Wall0") (to (regionSite (intersection (sites Empty) (sites Row 1)) index:0))))'
    found = after(THEN % (inside % loop), ("Man1", [0]))
    assert {site for site in found if site < 20} == {0, 5, 6, 7}


REVERSE = """
(forEach Site (sites Empty)
    (append (custodial (from (site))
        (between if:(is Enemy (who at:(between)))
            (apply (allCombinations (add (piece "Rook1") (to (site))) (remove (between)))))
        (to if:(is Friend (who at:(to)))))))
"""


def test_all_moves_of_a_rule_are_one():
    game = made(REVERSE, ("Man1", [5, 20]), ("Man2", [6, 7, 13]))
    state = game.initial()
    found = [standing(game, state.after(move)) for move in state.legal(state.movers[0])]
    assert found == [{5: "Man1", 8: "Rook1", 20: "Man1", 13: "Man2"}]


def test_effects_that_all_bring_what_came_before():
    """Each of the 64 effects sets 64 sites pending first."""
    play = """(move Select (from (sites Occupied by:Mover))
        (then (do (set Pending (sites Board)) next:(forEach Site (sites Pending) (remember Value (site))))))"""
    game = made(play, ("Man1", [0]), board="(square 8)")
    state = game.initial()
    after = state.after(state.legal(0)[0])
    record = game.compiled.layout.state(bytearray(after.block))
    assert (record.pending_count, record.list_count[0]) == (64, 64)


def test_pairs_of_sites_to_select():
    game = made("(move Select (from (sites Empty)) (to (sites Empty)))", ("Man1", [0]), board="(square 9)")
    assert len(game.initial().legal(0)) == 80 * 80


def test_several_effects_before_others_come_in_the_order_of_ludii():
    """The third goes to where the second would end if it were the first: between the two, if both are as long."""
    sets = " ".join(f'(set Var "V" {number})' for number in (1, 2, 3))
    play = THEN % f'(do (and {{ {sets} }}) next:(remember Value (var "V")))'
    game = made(play, ("Man1", [0]))
    state = game.initial()
    record = game.compiled.layout.state(bytearray(state.after(state.legal(0)[0]).block))
    assert (record.var[0], record.list[0]) == (2, 3)


def test_nothing_comes_of_forgetting_nothing():
    forget = '(forget Value All (then (add (piece "Wall0") (to 7))))'
    assert 7 not in after(THEN % forget, ("Man1", [0]))
    both = f"(seq {{ (remember Value 3) {forget} }})"
    assert after(THEN % both, ("Man1", [0]))[7] == "Wall0"


def test_a_filter_inside_the_moves_of_another_player_asks_as_if_he_moved():
    """The other way round it asks as the one who moves: of two filters with the same words only one lets moves through."""
    step = "(move Step Orthogonal (to if:(is Empty (to))))"
    inside = f"(forEach Piece (do {step} ifAfterwards:(is Mover P2)) Next)"
    outside = f"(do (forEach Piece {step} Next) ifAfterwards:(is Mover P2))"
    counts = []
    for moves in (inside, outside):
        play = f"(if (= 2 (count Sites in:(sites To {moves}))) (move Select (from 0)) (move Pass))"
        game = made(play, ("Man1", [0]), ("Man2", [24]))
        counts.append(game.coordinates.leaf(game.initial().legal(0)[0]).kind)
    assert counts == ["Select", "Pass"]


def test_what_is_done_before_a_move_is_done_again_in_the_order_of_ludii():
    first = '(seq {(set Var "A" 1) (set Var "A" 2) (set Var "A" 3)})'
    game = made(f'(do {first} next:(move Select (from (sites {{(var "A")}}))))')
    state = game.initial()
    (move,) = state.legal(0)
    assert game.coordinates.leaf(move).read(move, "from") == 3
    after = game.compiled.layout.state(bytearray(state.after(move).block))
    assert after.var[0] == 2  # the first, the third, then the second
