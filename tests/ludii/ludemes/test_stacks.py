"""Levels of stacks."""

import pytest

from ludarium.core.errors import GameError
from ludarium.kernel import using
from tests.ludii.ludemes.small import made, selected, standing, worth

STACK = '(place Stack items:{"Man1" "Rook1" "Man1" "Man2"} 6)'


def test_the_level_of_a_piece():
    assert worth('(where Level "Man" P1 at:6)', start=STACK) == 2
    assert worth('(where Level "Man" P1 at:6 fromTop:False)', start=STACK) == 0
    assert worth('(where Level (id "Rook" P1) at:6)', start=STACK) == 1


def test_levels_are_counted_until_one_stops_it():
    own = "(= (who at:(to) level:(level)) P1)"
    assert worth(f"(count Stack at:6 if:{own})", start=STACK) == 3
    assert worth(f"(count Stack FromTop at:6 stop:{own})", start=STACK) == 1


def test_levels_where_something_holds():
    assert selected("(forEach Level at:6 if:(= (who at:6 level:(level)) P1))", start=STACK) == [0, 1, 2]


def test_levels_from_one_on():
    assert selected("(forEach Level at:6 FromBottom startAt:2)", start=STACK) == [2, 3]
    assert selected("(forEach Level at:6 FromTop startAt:2)", start=STACK) == [0, 1, 2]
    assert selected("(forEach Level at:6 FromTop startAt:9)", start=STACK) == [0, 1, 2, 3]


def stack(game, state, site):
    """The names of the pieces on a site from the bottom up, with their states."""
    layout, names = game.compiled.layout, ["", *(each.name for each in game.model.components)]
    record = layout.state(bytearray(state.block))
    at = range(site * layout.height, site * layout.height + record.height[site])
    return [(names[record.what[k]], record.state[k] if layout.local_states else 0) for k in at]


def after(play, site, moves=1, start=STACK):
    """What is on a site when so many moves were made, always the first."""
    game = made(play, start=start)
    state = game.initial()
    for _ in range(moves):
        state = state.after(state.legal(state.movers[0])[0])
    return stack(game, state, site)


def test_a_piece_comes_into_a_stack():
    names = ["Man1", "Rook1", "Man1", "Man2"]
    for level in range(5):
        found = [name for name, _ in after(f'(move Add (piece "Rook2") (to (sites {{6}}) level:{level}))', 6)]
        assert found == [*names[:level], "Rook2", *names[level:]]


def test_a_piece_moves_into_a_stack():
    start = f'{STACK} (place "Rook2" 3)'
    assert [name for name, _ in after("(move (from 3) (to (sites {6}) level:1))", 6, start=start)] == [
        "Man1", "Rook2", "Rook1", "Man1", "Man2",
    ]  # fmt: skip
    assert after("(move (from 3) (to (sites {6}) level:1))", 3, start=start) == []
    moved = after("(move (from 6 level:1) (to (sites {3}) level:0))", 3, start=start)
    assert [name for name, _ in moved] == ["Rook1", "Rook2"]


@pytest.mark.parametrize("seen", ["(no Pieces P1)", "(= 9 (state at:7))"])
def test_a_step_leads_to_the_level_that_is_named_whether_pieces_have_states_or_not(seen):
    start = '(place Stack items:{"Rook1" "Rook1"} 15) (place "Man1" 20)'
    game = made("(move Step (from 20) S (to level:0 if:True))", start=start, ends=f"(if {seen} (result P2 Win))")
    state = game.initial()
    assert [name for name, _ in stack(game, state.after(state.legal(0)[0]), 15)] == ["Man1", "Rook1", "Rook1"]


def test_a_piece_takes_over_what_one_from_below_has_left():
    """As in Ludii: where a named level is taken out, its place on top keeps the state of the piece that has sunk."""
    start = '(place Stack items:{"Man1" "Man2"} 6 state:2) (place "Rook1" 3)'
    play = "(if (= 2 (size Stack at:6)) (move {} (from 6 {}) (to (sites {{8}}))) (move (from 3) (to (sites {{6}}))))"
    taken = play.format("", "level:0")
    assert after(taken, 6, 2, start=start) == [("Man2", 2), ("Rook1", 2)]
    assert after(play.format("", ""), 6, 2, start=start) == [("Man1", 2), ("Rook1", 0)]


def test_no_state_without_a_piece():
    play = '(move Remove 6 level:3 (then (set State at:6 level:3 5 (then (add (piece "Rook1") (to 6))))))'
    assert after(play, 6)[3] == ("Rook1", 0)


def test_sites_by_the_state_of_their_pieces():
    start = '(place "Man1" {3 8} state:2)'
    assert selected("(sites State 2)", start=start) == [3, 8]
    assert 3 not in selected("(sites State 0)", start=start)


def test_a_level_that_moves_lead_to_makes_no_stacks():
    """As in Ludii: what is taken from a level makes them, but not what comes to one."""
    play = "(or (move Select (from (sites {0})) (to (sites {1}) level:0)) (move (from %s) (to (sites {2}))))"
    assert not made(play % "(sites {0})").compiled.layout.stacking
    assert made(play % "0 level:0").compiled.layout.stacking


def test_who_asks_for_pieces_on_top_means_stacks():
    play = "(forEach Piece (move Step (to if:(is Empty (to)))) %s)"
    assert not made(play % "").compiled.layout.stacking
    assert made(play % "top:True").compiled.layout.stacking


def test_stacks_are_placed_on_sites_that_are_found_then():
    with using("python"):
        game = made(
            "(move Pass)",
            ("Man1", [3]),
            start='(place Stack "Rook1" (difference (sites Row 0) (sites Occupied by:P1)) count:2)',
        )
        state = game.initial()
        assert standing(game, state) == {0: "Rook1", 1: "Rook1", 2: "Rook1", 3: "Man1", 4: "Rook1"}
        record = game.compiled.layout.state(bytearray(state.block))
        assert [record.height[site] for site in range(6)] == [2, 2, 2, 1, 2, 0]


def test_a_piece_of_a_stack_is_found_by_its_state():
    start = '(place Stack "Man1" {3}) (place Stack "Man1" {7} state:2) (place Stack "Rook1" {3 7})'
    with using("python"):
        assert worth('(where "Man" P1)', start=start) == 3
        assert worth('(where "Man" P1 state:2)', start=start) == 7
        assert worth('(+ 1 (where "Man" P1 state:1))', start=start) == 0
        assert worth('(+ 1 (where "Man" Enemy))', start=start) == 0


def test_pieces_of_several_players_count_for_each_of_them_in_a_stack():
    """As in Ludii, which looks through a stack once for each player who has a piece in it."""
    start = '(place Stack items:{"Man1" "Man2" "Man1"} 6) (place Stack "Rook1" 7 count:2)'
    with using("python"):
        assert worth("(count Pieces P1)", start=start) == 4
        assert worth("(count Pieces P2)", start=start) == 1
        assert worth("(count Pieces All)", start=start) == 3 + 3 + 2
        assert worth("(count Pieces in:(sites {7}))", start=start) == 2


def test_a_track_from_nowhere_is_all_of_it():
    board = '(square 5) {(track "Way" {4 3 2 1 0} P1)}'
    with using("python"):
        assert selected('(sites Track P1 "Way" from:3 to:1)', board=board) == [1, 2, 3]
        assert selected('(sites Track P1 "Way" from:(from) to:3)', board=board) == [3, 4]
        assert selected('(sites Track P1 "Way" from:9)', board=board) == []


# Effects that move tops, or turn a stack over


def levels(then, *stacks, at, more=""):
    """The names of pieces on levels of stacks, and their states if they have some, after something was done with a site."""
    for way in ("native", "python"):
        with using(way):
            start = " ".join(f"(place Stack items:{{{items}}} {site})" for items, site in stacks)
            game = made(f"(move Select (from (sites {{{at}}})) (then {then}))", start=start, more=more)
            state = game.initial()
            state = state.after(state.legal(0)[0])
            layout, names = game.compiled.layout, ["", *(each.name for each in game.model.components)]
            record, found = layout.state(bytearray(state.block)), {}
            for site in range(game.model.sites):
                slots = range(site * layout.height, site * layout.height + record.height[site])
                if slots and layout.local_states:
                    found[site] = [(names[record.what[slot]], record.state[slot]) for slot in slots]
                elif slots:
                    found[site] = [names[record.what[slot]] for slot in slots]
    return found


def test_the_top_of_a_stack_is_pushed_off_and_comes_on_as_what_is_below():
    """As Ludii has it: a piece is taken from the top, but what stands on a site is the lowest one."""
    stacks = ('"Man1" "Man2"', 5), ('"Rook1"', 6)
    assert levels("(push (from (last To)) E)", *stacks, at=5) == {5: ["Man1"], 6: ["Man1"], 7: ["Rook1"]}


def test_tops_of_stacks_are_drawn_near_as_what_is_below():
    stacks = ('"Man1"', 0), ('"Rook1" "Man2"', 3)
    found = levels("(attract (from (last To)) Orthogonal)", *stacks, at=0)
    assert found == {0: ["Man1"], 1: ["Rook1"], 3: ["Rook1"]}


def test_a_top_that_changes_places_comes_onto_the_other_stack_for_what_is_below_there():
    stacks = ('"Man1"', 3), ('"Rook1" "Man2"', 8)
    assert levels("(swap Pieces 3 8)", *stacks, at=3) == {3: ["Rook1"], 8: ["Rook1", "Man2", "Man1"]}
    with pytest.raises(GameError, match="a stack changes places with nothing"):
        levels("(swap Pieces 3 7)", *stacks, at=3)
    with pytest.raises(GameError, match="nothing is pushed"):
        levels("(push (from 7) E)", *stacks, at=3)


def test_a_stack_is_turned_upside_down():
    disc = '(piece "Disc" Neutral (flips 0 1))'
    turned = [("Man2", 0), ("Disc0", 1), ("Disc0", 1)]
    assert levels("(flip (last To))", ('"Disc0" "Disc0" "Man2"', 6), at=6, more=disc) == {6: turned}
    assert levels("(flip (last To))", ('"Disc0"', 6), at=6, more=disc) == {6: [("Disc0", 1)]}
    assert levels("(flip (last To))", ('"Man2"', 6), at=6, more=disc) == {6: [("Man2", 0)]}
