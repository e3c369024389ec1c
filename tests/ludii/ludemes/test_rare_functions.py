"""What functions mean at their edges, in small games of our own: nobody, sites off the board, several answers."""

import pytest

from ludarium.core.problems import RulesError
from tests.ludii.ludemes.small import holds, made, selected, worth

MEN = ("Man1", [10, 11, 12])


def then_selected(first, region, *places, **options):
    """The sites of a region after the first move, made by the only rule that there is before it."""
    game = made(f"(if (= 0 (count Moves)) {first} (or (move Select (from {region})) (move Pass)))", *places, **options)
    state = game.initial()
    state = state.after(state.legal(0)[0])
    codes = [code for code in state.legal(1) if game.coordinates.leaf(code).kind == "Select"]
    return sorted(game.coordinates.leaf(code).read(code, "from") for code in codes)


# Lines


def test_a_line_through_some_sites_is_not_looked_for_beyond_one_where_its_condition_fails():
    line = "(is Line 3 E throughAny:(sites {0 11}) %s if:(!= (to) 0))"
    assert holds(line.replace("0 11", "11") % "", MEN)
    assert not holds(line % "", MEN)
    assert not holds(line % "P1", ("Man2", [0]), MEN)
    assert holds(line % 'what:(id "Man" P1)', ("Man2", [0]), MEN)  # other kinds are passed over before they are asked


def test_a_line_needs_its_kinds_when_it_is_long_enough():
    line = '(is Line 3 E through:%d whats:{(id "Man" P1) (id "Man" P2)} throughHowMuch:2)'
    assert not holds(line % 5, ("Man1", [5, 6, 7]), ("Man2", [8]))
    assert holds(line % 6, ("Man1", [6, 7]), ("Man2", [8]))


def test_one_alone_is_a_line_of_one_and_one_of_many_is_not():
    line = "(is Line 1 E through:6)"
    assert holds(line, ("Man1", [6]))
    assert not holds(line, ("Man1", [6, 7]))


def test_where_pieces_stack_a_line_has_pieces_of_whoever_moves_on_any_level():
    stack = '(place Stack items:{"Man1" "Man2"} 6)'
    assert holds("(is Line 3 E through:6 Mover)", ("Man1", [5]), ("Rook1", [7]), start=stack)
    assert not holds("(is Line 3 E through:6 Next)", ("Man1", [5]), ("Rook1", [7]), start=stack)
    assert not holds("(is Line 3 E through:6 Mover top:True)", ("Man1", [5]), ("Rook1", [7]), start=stack)


@pytest.mark.parametrize("more", ["throughHowMuch:3", "useOpposites:False", "throughAny:(sites {0})"])
def test_where_pieces_stack_these_are_not_looked_at(more):
    through = "" if "Any" in more else "through:6"
    line = f"(is Line 3 E {through} {more})"
    stack = '(place Stack items:{"Man1" "Man1"} 20)'
    if through:
        assert holds(line, ("Man1", [5, 6, 7]), start=stack)
    assert not holds(line, ("Man1", [0, 1, 2]), start=stack)


# Steps and directions


def test_steps_of_several_relations_are_all_counted_by_the_nearest():
    assert worth("(count Steps Orthogonal 0 6)") == 2
    assert worth("(+ (count Steps Orthogonal 0 6) (count Steps 0 6))") == 2


def test_where_no_way_leads_is_not_near():
    assert selected("(sites Distance Diagonal from:12 (range 0 1))") == [6, 8, 12, 16, 18]


def test_the_direction_of_the_last_move_is_one_of_the_relation():
    step, on = "(move Step (from 0) Diagonal (to if:(is Empty (to))))", "(sites Direction from:(last To) %s)"
    crossings = "(square 4) use:Vertex"
    assert then_selected(step, on % "SameDirection", ("Man1", [0])) == [12, 18, 24]
    assert then_selected(step, on % "SameDirection", ("Man1", [0]), board=crossings) == []
    assert then_selected(step, on % "(directions SameDirection of:All)", ("Man1", [0]), board=crossings) == [10, 15]


def test_the_direction_of_the_last_move_may_be_one_of_several():
    step = "(move Step (from 0) E (to if:(is Empty (to))))"
    both = "(sites Direction from:(last To) (directions {SameDirection OppositeDirection Forward}))"
    assert then_selected(step, both, ("Man1", [0])) == [0, 2, 3, 4, 6, 11, 16, 21]


def test_ahead_goes_on_from_where_a_piece_is_to_where_the_last_move_led():
    rules = "(if (= 0 (count Moves)) (move Step (from 0) E (to if:(is Empty (to)))) (forEach Piece (move Select (from (sites {(ahead 12 SameDirection)})))))"
    game = made(rules, ("Man1", [0]), ("Man2", [3]))
    state = game.initial()
    state = state.after(state.legal(0)[0])
    assert [game.text(code) for code in state.legal(1)] == ["select b3"]


def test_a_piece_may_turn_with_every_step():
    turning = "(step Forward (to if:(is Empty (to)))) newRotation:(+ (value) 2)"
    assert selected(f"(sites Distance {turning} from:12 (range 1 3))", ("Man1", [12])) == [13, 17, 18]
    assert worth(f"(count Steps {turning} 12 13)", ("Man1", [12])) == 3
    assert holds(f"(= {10**9} (count Steps {turning} 12 22))", ("Man1", [12]))


def test_nothing_turns_back():
    turning = "(step Forward (to if:(is Empty (to)))) newRotation:(- (value) 20)"
    assert selected(f"(sites Distance {turning} from:12 (range 1 3))", ("Man1", [12])) == [17, 22]


# Between, blocked


def test_nothing_is_between_a_site_and_none():
    between = "(sites Between from:0 fromIncluded:True to:%s)"
    assert selected(between % "4") == [0, 1, 2, 3]
    assert selected(between % "-1") == []
    assert selected("(sites Between from:-1 to:4 toIncluded:True)") == []


def test_both_ends_are_known_while_sites_between_them_are_asked():
    assert selected("(sites Between from:0 to:4 cond:(and (= (from) 0) (= (to) 4)))") == [1, 2, 3]
    assert selected("(sites Between from:0 to:2 toIncluded:(is Empty (to)))", ("Man1", [2])) == [1]


def test_a_region_that_a_way_begins_in_is_joined_to_others_by_another_site():
    cut_off = ("Man2", [1, 5])
    assert holds("(is Blocked 2 Orthogonal {(sites {0}) (sites {0 24})})", cut_off)
    assert not holds("(is Blocked 2 Orthogonal {(sites {0}) (sites {0 24})})", ("Man2", [1]))


def test_one_region_alone_is_never_cut_off():
    assert not holds("(is Blocked 1 Orthogonal {(sites {0}) (sites {24})})", ("Man2", [0]))


def test_edges_lie_in_directions():
    edges = {"board": "(square 3 diagonals:Solid) use:Edge"}
    counts = [len(selected(f"(sites {kind})", **edges)) for kind in ("Axial", "Angled", "Horizontal", "Vertical")]
    assert counts[0] == counts[2] + counts[3] == 12
    assert counts[1] == 16 == sum(len(selected(f"(sites {kind})", **edges)) for kind in ("Slash", "Slosh"))


def test_cells_and_edges_have_vertices():
    crossings = {"board": "(square 3) use:Vertex"}
    assert selected("(sites Cell 0)", **crossings) == [0, 1, 3, 4]
    assert selected("(sites Edge 0)", **crossings) == [0, 1]
    assert selected("(sites Cell 4)", **crossings) == []


# Players


def test_names_are_looked_for_among_the_pieces_of_one_player():
    assert selected("(sites Occupied by:Friend)", ("Man1", [7])) == [7]
    assert selected('(sites Occupied by:Friend component:"Man")', ("Man1", [7])) == []
    assert selected('(sites Occupied by:Mover component:"Man")', ("Man1", [7])) == [7]
    assert selected('(sites Occupied by:Enemy component:"Man")', ("Man2", [7])) == [7]


def test_kinds_are_found_by_the_roles_that_ludii_knows():
    shared = {"more": '(piece "Ball" Shared)'}
    assert holds('(< 0 (id "Ball" Shared))', **shared)
    assert holds('(= -1 (id "Ball" Each))', **shared)
    assert selected('(forEach (players All if:(< 0 (player))) (sites {(id "Rook" Player)}))') == [1, 2, 3]


def test_regions_of_several_players_come_together():
    assert selected("(forEach (players Enemy) (sites Occupied by:Player))", ("Man1", [3]), ("Man2", [7, 8])) == [7, 8]


def test_nobody_has_no_hand():
    assert selected("(sites Hand Neutral)", more="(hand Neutral size:2)") == []
    assert selected("(sites Hand P1)", more="(hand P1 size:2)") == [25, 26]


def test_empty_sites_of_a_container_whose_number_is_known_in_play():
    hands = {"more": "(hand Each size:2)", "start": '(place "Rook1" 26)'}
    assert selected("(sites Empty (mover))", **hands) == [25]
    assert selected("(sites Empty (next))", **hands) == [27, 28]
    assert selected("(sites Empty (- (mover) 9))", **hands) == selected("(sites Empty -8)", **hands) == [*range(25)]
    with pytest.raises(RulesError, match="there is no container 3"):
        selected("(sites Empty 3)", **hands)


def test_whoever_has_no_number_has_no_hand():
    assert worth("(handSite P2)", more="(hand Each)", board="(square 2)") == 5
    assert holds("(= -1 (handSite (value Player P1)))", more="(hand Each)")


def test_levels_of_nobodys_pieces_are_nowhere():
    options = {"more": '(piece "Ball" Shared)', "start": '(place Stack items:{"Ball" "Man1"} 0)'}
    assert holds('(= -1 (where Level "Ball" Enemy at:0))', **options)
    assert holds('(= -1 (where Level "Ball" P5 at:0))', **options)
    assert holds('(= 0 (where Level "Ball" Shared at:0))', **options)


# Tracks

TRACKS = '(square 5) { (track "First" {0 1 2}) (track "Own" {5 6 7} P1) }'


@pytest.mark.parametrize(
    ("which", "end"), [("P1", 2), ("P2", 2), ('P1 "Own"', 7), ('P2 "Own"', 2), ('"Own"', 7), ("Enemy", 2), ("P5", 2)]
)
def test_the_end_of_a_track_is_that_of_the_first_that_fits(which, end):
    assert worth(f"(trackSite EndSite {which})", board=TRACKS) == end


def test_a_track_that_nobody_named_is_the_movers():
    assert worth('(trackSite Move from:5 "Third" steps:1)', board=TRACKS) == 6


def test_an_end_rule_knows_the_number_of_its_track():
    ends = "(forEach Track if:(= %d (track)) (result P2 Win))"
    for number, over in [(1, True), (2, False)]:
        game = made("(move Pass)", ("Man1", [0]), board=TRACKS, ends=ends % number)
        state = game.initial()
        assert state.after(state.legal(0)[0]).over is over


# Numbers


def test_numbers_of_pieces_are_counted_whoever_owns_them():
    assert holds("(= 1 (count at:0 who:P2))", ("Man1", [0]))
    assert holds('(= 1 (count in:(sites {0 1}) what:(id "Man" P2)))', ("Man1", [0]))


def test_sites_alone_are_that_of_the_last_move():
    assert holds("(= 0 (count Sites))")
    assert then_selected("(move Pass)", "(sites {(count Sites)})", MEN) == [0]
    assert then_selected("(move Select (from 7))", "(sites {(count Sites)})", MEN) == [1]


def test_neighbours_are_sites_in_any_relation_and_edges_at_both_ends():
    assert [worth(f"(count {each} at:0)") for each in ("Neighbours", "Orthogonal", "Diagonal", "Off")] == [3, 2, 1, 0]
    edges = "(square 3) use:Edge"
    assert worth("(count Adjacent at:0)", board=edges) == 5
    assert worth("(count Diagonal at:0)", board=edges) == 0


def test_a_game_without_phases_has_one():
    assert worth("(count Phases)") == 1


def test_the_first_of_joined_lists_keeps_what_comes_twice():
    assert worth("(size Array (union (array {1 1}) (array {1 2 2})))") == 3


def test_the_level_of_a_move_that_selects_nothing_is_the_ground():
    rules = """(if (= 0 (count Moves)) (move Select (from 0 level:1))
        (if (= 1 (count Moves)) (move Step (from 24) N (to if:True)) (if (= 0 (last LevelTo)) (move Select (from 6)) (move Pass))))"""
    rules = rules.replace("24) N", "24) W")
    game = made(rules, ("Man2", [24]), start='(place Stack items:{"Man1" "Man1"} 0)')
    state = game.initial()
    for _ in range(2):
        state = state.after(state.legal(state.movers[0])[0])
    assert [game.text(code) for code in state.legal(0)] == ["select b2 #2"]


# Groups


def test_a_group_begins_where_from_means_it():
    same = "(= (who at:(from)) (who at:(to)))"
    groups = f"(all Groups of:{same} if:(= %d (count Sites in:(sites))))"
    men = ("Man1", [0, 1]), ("Man2", [2, 3])
    assert holds(groups % 2, *men)
    assert not holds(groups % 4, *men)


def test_groups_are_counted_whether_they_go_through_sites_or_not():
    men = ("Man1", [0, 1, 2, 20])
    assert worth("(count Groups (sites {0}))", men) == 2
    assert worth("(count SizeBiggestGroup (sites {20}))", men) == 1


def test_the_board_may_be_named_where_a_target_is():
    assert holds('(is Target "Board" {1} {7})', ("Man1", [7]))
    assert holds("(is Target 0 {1} {7})", ("Man1", [7]))


def test_where_the_last_move_came_from_and_all_that_was_done_with_it():
    step = "(move Step (from 0) E (to if:(is Empty (to))) %s)"
    men = ("Man1", [0, 12])
    then = "(then (fromTo (from 12) (to 18)))"
    assert then_selected(step % "", "(sites LastFrom)", men) == [0]
    assert then_selected(step % then, "(sites LastFrom)", men) == [0, 12]
    assert then_selected(step % then, "(sites LastTo)", men) == [1, 18]
    hand = {"more": "(hand Each)", "start": '(place "Man1" "Hand1")'}
    move = "(move (from (handSite Mover)) (to (sites {3})))"
    assert then_selected(move, "(sites LastFrom)", **hand) == [25]
