"""Groups one after the other, and areas."""

import pytest

from ludarium.kernel import using
from ludarium.ludii.game import from_text
from tests.ludii.ludemes.small import holds, made, selected, standing, worth

GROUPS = ("Man1", [0, 1, 2, 12]), ("Man2", [4, 9])


def test_sizes_of_groups():
    assert worth("(max (sizes Group Orthogonal P1))", *GROUPS) == 3
    assert worth("(size Array (sizes Group Orthogonal))", *GROUPS) == 3
    assert worth("(size Array (sizes Group Orthogonal P1 min:2))", *GROUPS) == 1


def test_a_rule_is_asked_of_each_group():
    assert holds("(all Groups Orthogonal if:(>= (count Sites in:(sites)) 1))", *GROUPS)
    assert not holds("(all Groups Orthogonal if:(>= (count Sites in:(sites)) 2))", *GROUPS)


def test_moves_of_each_group():
    play = "(forEach Group Orthogonal (if (> (count Sites in:(sites)) 1) (move Remove (sites))))"
    game = made(play, *GROUPS)
    state = game.initial()
    assert len(state.legal(state.movers[0])) == 3


def test_territory_touches_one_player_alone():
    wall = ("Man1", [2, 7, 12, 17, 22]), ("Man2", [24])
    assert worth("(size Territory P1 Orthogonal)", *wall) == 10
    assert worth("(size Territory P2 Orthogonal)", *wall) == 0


def test_sites_without_anything_are_empty_outside_of_groups():
    assert selected("(sites)", *GROUPS) == []


def test_steps_of_a_rule_lead_away_from_where_they_begin():
    step = "(sites Distance (step Orthogonal (to if:(is Mover (who at:(to))))) from:{} {})"
    men = ("Man1", [0, 1, 2, 7])
    assert selected(step.format(0, "(min 0)"), men) == [1, 2, 7]
    assert selected(step.format(0, "(exact 0)"), men) == [1]
    assert selected(step.format(0, "(exact 2)"), men) == [2]


def test_a_region_grows_by_as_many_steps_as_a_number_says():
    assert selected("(expand (sites {0}) steps:(+ 2 (count Moves)) Orthogonal)") == [0, 1, 2, 5, 6, 10]
    assert selected("(expand (sites Occupied by:P1) steps:(count Pieces P1) E)", ("Man1", [5, 6])) == [5, 6, 7, 8]
    assert selected("(expand origin:12 steps:(count Moves))") == [12]
    assert selected("(expand origin:0 Orthogonal Cell)") == [0, 1, 5]


SIDES = """
(game "Sides" (players {(player N) (player S)}) (equipment {(board (square 3)) (piece "Man" Each)})
    (rules (play (or (move Select (from (sites Side WHOSE))) (move Pass))) (end (if (is Full) (result P1 Win)))))
"""


@pytest.mark.parametrize(
    ("whose", "sides"),
    [
        ("Mover", [[6, 7, 8], [0, 1, 2]]),
        ("(player (next))", [[0, 1, 2], [6, 7, 8]]),
        ("P2", [[0, 1, 2], [0, 1, 2]]),
        ("Neutral", [[], []]),
        ("Shared", [[0, 1, 2, 3, 5, 6, 7, 8]] * 2),
    ],
)
def test_players_have_the_sides_that_they_look_to(whose, sides):
    game = from_text(SIDES.replace("WHOSE", whose))
    state, found = game.initial(), []
    for _ in range(2):
        leaves = [(game.coordinates.leaf(move), move) for move in state.legal(state.movers[0])]
        found.append([leaf.read(move, "from") for leaf, move in leaves if leaf.kind == "Select"])
        state = state.after(leaves[0][1])
    assert found == sides


def test_where_nobody_is_named_nobody_owns_anything():
    with using("python"):
        assert selected("(sites Occupied by:Player)", ("Man1", [0]), ("Wall0", [1])) == []
        assert selected("(sites Occupied by:P1 container:3)", ("Man1", [0])) == []


def test_groups_by_a_condition_begin_with_pieces_that_all_share():
    """As in Ludii, which asks for the first piece with `(to)` as it was, and goes on wherever the condition holds."""
    places, more = [("Ball", [0, 1, 12]), ("Man1", [2, 24])], '(piece "Ball" Shared)'

    def sizes(condition):
        asked = f"(sizes Group Orthogonal if:{condition})"
        number = f"(+ (* 10 (size Array {asked})) (min {asked}))"
        return worth(number, *places, more=more)

    with using("python"):
        assert sizes("(or (is Occupied (to)) (< (to) 0))") == 13  # not 12: the last neighbour of the others is empty


def test_liberties_are_of_pieces_that_are_alike():
    places = ("Man1", [6, 7]), ("Rook1", [8]), ("Man2", [24])
    with using("python"):
        assert worth("(count Liberties at:6 Orthogonal)", *places) == 5
        assert worth("(count Liberties at:6 Orthogonal if:(is Mover (who at:(to))))", *places) == 5
        assert worth("(count Liberties at:12 Orthogonal)", *places) == 0  # the empty sites are a group that has none


def test_where_a_group_begins_is_not_yet_meant_when_the_beginning_is_tested():
    places, same = [("Man1", [6, 7]), ("Rook1", [8]), ("Man2", [24])], "(= (who at:(to)) (who at:(from)))"
    with using("python"):
        assert worth(f"(size Group at:6 Orthogonal if:{same})", *places) == 0
        assert worth(f"(size Group at:6 Orthogonal if:(or (< (from) 0) {same}))", *places) == 3
        assert selected(f"(sites Group at:6 Orthogonal if:(or (< (from) 0) {same}))", *places) == [6, 7, 8]


# Groups that are asked for when a move is made

NEXT_TO_A_GROUP = """
(forEach Group Orthogonal if:(is Next (who at:(to)))
    (move Add
        (to (intersection (sites Empty) (sites Around (sites) Orthogonal))
            (apply (forEach Site (sites) (set State at:(site) (count Sites in:(sites))))))))
"""


def states(game, state):
    """The local states of sites that have one."""
    record = game.compiled.layout.state(bytearray(state.block))
    return {site: record.state[site] for site in range(game.model.sites) if record.state[site]}


def test_what_happens_beside_a_move_is_done_to_the_group_that_it_was_found_for():
    for way in ("native", "python"):
        with using(way):
            game = made(NEXT_TO_A_GROUP, ("Man2", [0, 1, 5]), board="(square 3)")
            state = game.initial()
            found = {}
            for move in state.legal(0):
                to = game.coordinates.leaf(move).read(move, "to")
                found.setdefault(to, []).append(states(game, state.after(move)))
            # the groups are 0, 1 and 5; 2 and 4 touch both
            first, second = {0: 2, 1: 2}, {5: 1}
            assert found == {2: [first, second], 3: [first], 4: [first, second], 8: [second]}


REMOVED = """
(do (forEach Site (sites Occupied by:Next) (set State at:(site) 1))
    next:(forEach Group Orthogonal if:(and (= 1 (state at:(to))) (!= (to) 2))
        (do (and (set Pending (sites)) (forEach Site (sites) (set State at:(site) 2)))
            next:(move Remove (regionSite (sites) index:0) (then (remove (sites Pending)))))))
"""


def test_a_group_is_found_again_as_it_was_after_what_is_done_around_it_and_before_what_is_done_with_it():
    for way in ("native", "python"):
        with using(way):
            game = made(REMOVED, ("Man2", [0, 1, 2, 8]), board="(square 3)")
            state = game.initial()
            moves = state.legal(0)
            assert [game.coordinates.leaf(move).read(move, "to") for move in moves] == [0, 8]
            after_first, after_second = (state.after(move) for move in moves)
            assert standing(game, after_first) == {2: "Man2", 8: "Man2"}
            assert states(game, after_first) == {2: 1, 8: 1}
            assert standing(game, after_second) == {0: "Man2", 1: "Man2", 2: "Man2"}
            assert states(game, after_second) == {0: 1, 1: 1, 2: 1}


def test_a_group_is_told_apart_by_where_it_begins_in_the_words_of_moves():
    game = made(NEXT_TO_A_GROUP, ("Man2", [0, 1, 5]), board="(square 3)")
    state = game.initial()
    texts = [game.text(move) for move in state.legal(0)]
    assert texts == [
        *(f"add {to} group=a1" for to in ("c1", "a2", "b2")),
        *(f"add {to} group=c2" for to in ("c1", "b2", "c3")),
    ]
    assert all(game.parse(text) == move for text, move in zip(texts, state.legal(0), strict=True))
