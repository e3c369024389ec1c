"""Games on several types of sites at once: numbers mean sites of the type that a ludeme names."""

import pytest

from ludarium.core import LudariumError, Rng
from ludarium.kernel import using
from ludarium.ludii.game import from_text
from ludarium.testing import check_game
from tests.ludii.ludemes.small import holds, made, selected, standing, worth

EVERYWHERE = '(place "Man1" Vertex 3) (place "Man2" Edge 3) (place "Rook1" 3)'


def texts(game, state):
    """The legal moves as people write them; each is read as what it is."""
    moves = state.legal(state.movers[0])
    assert [game.parse(game.text(move)) for move in moves] == list(moves)
    return [game.text(move) for move in moves]


def played(game, *moves):
    """The state after some moves."""
    state = game.initial()
    for move in moves:
        state = state.after(game.parse(move))
    return state


def test_a_number_means_a_site_of_each_type():
    owners = [worth(f"(who {kind} at:3)", start=EVERYWHERE) for kind in ("Vertex", "Edge", "Cell", "")]
    assert owners == [1, 2, 1, 1]
    assert worth("(what Vertex at:3)", start=EVERYWHERE) == worth('(id "Man" P1)')
    assert worth("(what at:3)", start=EVERYWHERE) == worth('(id "Rook" P1)')


def test_what_is_empty_on_one_type_is_not_on_another():
    assert not holds("(is Empty Edge 3)", start=EVERYWHERE)
    assert holds("(is Empty Edge 4)", start=EVERYWHERE)
    assert holds("(is Occupied Vertex 3)", start=EVERYWHERE)
    assert not holds("(is Occupied Vertex 60)", start=EVERYWHERE)
    assert 3 not in selected("(sites Empty Vertex)", start=EVERYWHERE)
    assert selected("(sites Occupied by:All on:Edge)", start=EVERYWHERE) == [3]
    assert selected("(sites Occupied by:P1 on:Edge)", start=EVERYWHERE) == []


def test_where_no_rule_puts_anything_all_is_empty():
    assert holds("(is Empty Vertex 3)", ("Man1", [3]))
    assert not holds("(is Empty Vertex 36)")
    assert not holds("(is Occupied Vertex 3)", ("Man1", [3]))
    assert selected("(sites Occupied by:All on:Vertex)", ("Man1", [3])) == []
    assert len(selected("(sites Empty Vertex)", ("Man1", [3]))) == 36


def test_pieces_are_counted_by_type():
    start = f'{EVERYWHERE} (place "Man1" Edge {{7 9}})'
    assert worth("(count Pieces Edge P1)", start=start) == 2
    assert worth("(count Pieces Vertex P1)", start=start) == 1
    assert worth("(count Pieces P1)", start=start) == 1
    assert worth('(count Pieces Edge All "Man" in:(sites {3 7}))', start=start) == 2
    assert not holds("(no Pieces Vertex P1)", start=start)
    assert holds("(no Pieces Vertex P2)", start=start)


def test_removing_leaves_other_types_alone():
    game = made("(move Remove Edge (sites Occupied by:All on:Edge))", start=EVERYWHERE)
    state = game.initial()
    assert texts(game, state) == ["remove edge.3"]
    after = played(game, "remove edge.3")
    record = game.compiled.layout.state(bytearray(after.block))
    standing = {game.model.site(spot) for spot in range(game.compiled.layout.spots) if record.what[spot]}
    assert standing == {("Cell", 3), ("Vertex", 3)}


def test_pieces_step_along_sites_of_their_own_type():
    game = made(
        "(forEach Piece on:Vertex (move Step (from Vertex) Orthogonal (to if:(is Empty Vertex (to)))))",
        board="(square 2)",
        start='(place "Man1" Vertex 0) (place "Man2" Vertex 1) (place "Man2" 3)',
    )
    assert texts(game, game.initial()) == ["vertex.a1-vertex.a2"]


def test_pieces_slide_hop_and_leap_on_sites_of_their_own_type():
    start = '(place "Man1" Vertex 0) (place "Man2" Vertex 4) (place "Man2" 1)'
    empty = "(to if:(is Empty Vertex (to)))"
    enemy = "(between if:(is Enemy (who Vertex at:(between))))"
    ways = {
        "(move Slide (from Vertex) Orthogonal)": ["b1", "c1", "a2", "a3"],
        f"(move Hop (from Vertex) Diagonal {enemy} {empty})": ["c3"],
        f"(move Leap (from Vertex) {{ {{F F R F}} }} {empty})": ["b3"],
    }
    for move, ends in ways.items():
        game = made(f"(forEach Piece on:Vertex {move})", board="(square 2)", start=start)
        assert sorted(texts(game, game.initial())) == sorted(f"vertex.a1-vertex.{end}" for end in ends)
        after = played(game, texts(game, game.initial())[0])
        record = game.compiled.layout.state(bytearray(after.block))
        assert record.what[1]
        assert not record.what[game.model.spot("Vertex", 0)]


def test_without_a_type_pieces_of_all_types_move():
    game = made(
        "(forEach Piece (or (move (from Edge) (to Edge (sites {0}))) (move (from) (to (sites {1})))))",
        board="(square 2)",
        start='(place "Man1" Edge 2) (place "Man1" 3)',
    )
    assert sorted(texts(game, game.initial())) == ["b2-b1", "edge.2-edge.0"]


def test_walls_stand_between_cells():
    beside = "(intersection (sites Incident Edge of:Cell at:(from)) (sites Incident Edge of:Cell at:(to)))"
    step = f"(move Step Orthogonal (to if:(and (is Empty (to)) (all Sites {beside} if:(is Empty Edge (site))))))"
    wall = "(move (from (handSite Mover)) (to Edge (sites {4 9})))"
    game = made(
        f"(or {wall} (forEach Piece {step}))",
        ("Man1", [4]),
        board="(square 3)",
        more="(hand Each)",
        start='(place "Rook1" "Hand" count:2) (place "Man2" 8)',
        ends="(if (and (is LastTo Edge) (= 2 (count Pieces Edge P1))) (result P1 Win))",
    )
    state = game.initial()
    assert game.compiled.layout.types == ("Cell", "Edge")
    steps = [move for move in texts(game, state) if move.startswith("b2")]
    assert sorted(steps) == ["b2-a2", "b2-b1", "b2-b3", "b2-c2"]
    ends = [leaf.types for leaf in game.compiled.leaves if "hand" not in leaf.kind]
    assert ("Cell", "Edge") in ends
    state = state.after(game.parse("hand1-edge.9"))
    assert "edge.9" in game.picture(state)
    assert 'data-site="edge.9"' in game.svg(state)
    state = state.after(game.parse(texts(game, state)[-1]))
    blocked = {move for move in texts(game, state) if move.startswith("b2")}
    assert len(blocked) == 3
    after = state.after(game.parse("hand1-edge.4"))
    assert after.utilities() == (1.0, 0.0)


def test_what_is_in_a_hand_is_seen_whatever_type_is_asked_for():
    options = {"board": "(square 3) use:Vertex", "more": "(hand Each)", "start": '(place "Rook1" "Hand" count:2)'}
    assert worth("(what at:(handSite P1))", **options) == worth('(id "Rook" P1)', **options)
    assert worth("(count Cell at:(handSite P1))", **options) == 2
    assert worth("(count at:(handSite P1))", **options) == 0  # on the board there is no such vertex
    assert worth("(who at:(handSite P1))", **options) == 0


BOXES = """
(game "Boxes"
    (players 2)
    (equipment { (board (square 2)) (piece "Line" Each) })
    (rules
        (play (move Add (to Edge (sites Empty Edge)) (then
            (forEach Site (sites Incident Cell of:Edge at:(last To))
                (if (= 0 (count Sites in:(intersection (sites Incident Edge of:Cell at:(site)) (sites Empty Edge))))
                    (claim (to Cell (site)) (then (and (addScore Mover 1) (moveAgain))))
                )
            )
        )))
        (end (if (= 4 (+ (score P1) (score P2))) (byScore)))
    )
)
"""


def test_a_game_on_edges_and_cells_is_played_to_its_end():
    game = from_text(BOXES)
    check_game(game)
    state = game.initial()
    for edge in (game.text(move) for move in state.legal(0)):
        state = state.after(game.parse(edge))
    assert not state.movers
    record = game.compiled.layout.state(bytearray(state.block))
    assert sum(record.score[player] for player in (1, 2)) == 4
    assert all(record.what[cell] for cell in range(4))


def test_a_ludeme_that_does_not_know_types_is_refused_with_its_place():
    with pytest.raises(LudariumError, match=r"sites of several types"):
        made('(move Promote Edge 1 (piece "Rook1"))', start='(place "Man1" Edge 1)')


def test_the_usual_type_may_be_named():
    places = [("Man1", [1, 5, 6]), ("Man2", [24])]
    with using("python"):
        assert (
            worth("(size Territory Cell P1 Orthogonal)", *places)
            == worth("(size Territory P1 Orthogonal)", *places)
            == 1
        )
        assert not holds("(is Loop Cell)", *places)
        rng = Rng(3)
        game = made("(move Pass)", *places, start='(place Random (sites Board) {"Rook1"} count:3 Cell)')
        names = list(standing(game, game.initial(rng)).values())
        assert names.count("Rook1") == 3
