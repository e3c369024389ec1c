"""Steps, hops and what goes on from where a piece has stepped, in small games of our own."""

import pytest

from ludarium.core import Rng
from ludarium.kernel import using
from ludarium.ludii.game import from_text
from tests.ludii.ludemes.small import made, standing

GAME = """
(game "Going"
    (players 2)
    (equipment { (board %s) (piece "Man" Each %s) (piece "Wall" Neutral) })
    (rules (start { %s }) (play (forEach Piece)) (end (if (no Moves Next) (result Mover Win))))
)
"""


def targets(board, moves, *places):
    """Where the first player can go."""
    game = from_text(GAME % (board, moves, " ".join(f'(place "{name}" {{{sites}}})' for name, sites in places)))
    state = game.initial()
    return sorted(game.text(move).partition(" #")[0] for move in state.legal(state.movers[0]))


def test_a_group_of_directions_is_taken_away_as_what_it_means_at_a_site():
    """On the drawn diagonal steps are no diagonals; beside it they are."""
    board = "(add (square 3) edges:{{0 4} {4 8}}) use:Vertex"
    step = "(move Step (difference Adjacent Diagonal) (to if:(is Empty (to))))"
    assert targets(board, step, ("Man1", '"A1"')) == ["a1-a2", "a1-b1", "a1-b2"]
    assert targets(board, step, ("Man1", '"C1"')) == ["c1-b1", "c1-c2"]


LAME = """
    (forEach Direction Orthogonal
        (to if:(is Empty (to))
            (apply (forEach Direction (from (to)) (directions {FR FL} of:All)
                (if (is Empty (to)) (move (from) (to)))))))
"""


def test_a_piece_looks_where_it_has_just_stepped():
    free = ["b2-a4", "b2-c4", "b2-d1", "b2-d3"]
    assert targets("(square 4)", LAME, ("Man1", '"B2"')) == free
    assert targets("(square 4)", LAME, ("Man1", '"B2"'), ("Wall0", '"B3"')) == ["b2-d1", "b2-d3"]


CANNON = """
    (move Hop Orthogonal
        (between before:9 after:9 if:(is Occupied (between)))
        (to if:(is Empty (to)) (apply if:(is Enemy (who at:(to))) (remove (to)))))
"""


def test_a_hop_that_captures_lands_there_only():
    places = ("Man1", '"A1"'), ("Wall0", '"A3" "C1"')
    assert targets("(square 6)", CANNON, *places, ("Man2", '"A6"')) == ["a1-a6"]


OVER = """
    (move Hop Orthogonal
        (between (range 1 3) if:(is Occupied (between)) (apply (remove (between))))
        (to if:(is Empty (to))))
"""


def test_hurdles_are_counted():
    assert targets("(square 6)", OVER, ("Man1", '"A1"'), ("Wall0", '"A2" "A3"')) == ["a1-a4 hurdles=2"]
    assert targets("(square 6)", OVER, ("Man1", '"A1"'), ("Wall0", '"A2" "A3" "A4" "A5"')) == ["pass"]


STEPS_OR_HOPS = """
    (move Hop Orthogonal (between (range 0 1) if:(is Occupied (between))) (to if:(is Empty (to))))
"""


def test_without_a_hurdle_a_hop_is_a_step():
    assert targets("(square 6)", STEPS_OR_HOPS, ("Man1", '"A1"'), ("Wall0", '"A2"')) == ["a1-a3", "a1-b1"]


@pytest.mark.parametrize("moves", [LAME, CANNON, OVER])
def test_kernels_as_python_are_machine_code(moves):
    text = GAME % ("(square 4)", moves, '(place "Man1" {"A1" "B2"}) (place "Man2" {"D4" "C3"}) (place "Wall0" {"B4"})')
    results = []
    for backend in ("python", "native"):
        with using(backend):
            state, rng, seen = from_text(text).initial(), Rng(7), []
            while not state.over and len(seen) < 20:
                legal = state.legal(state.movers[0])
                seen.append(sorted(legal))
                state = state.after(legal[rng.below(len(legal))])
            results.append(seen)
    assert results[0] == results[1]


TRAIL = '(move Slide Orthogonal (between trail:(id "Wall" Neutral)))'
PATH = """
    (move Slide Orthogonal
        (between if:(not (is Friend (who at:(between)))) (apply (remove (between)))))
"""
COPY = "(move (from) (to (sites Around (from) Orthogonal) if:(is Empty (to))) copy:True)"
BETWEEN = """
    (move Hop Orthogonal
        (between if:(is Occupied (between)))
        (to if:(is Empty (to)) (apply (remove (between)))))
"""


def board_after(moves, move, *places):
    """What stands where after a move of the first player."""
    game = from_text(GAME % ("(square 4)", moves, " ".join(f'(place "{name}" {{{sites}}})' for name, sites in places)))
    state = game.initial()
    chosen = next(each for each in state.legal(state.movers[0]) if move in game.text(each).split())
    block = game.compiled.layout.state(bytearray(state.after(chosen).block))
    names = ["", *(each.name for each in game.model.components)]
    return {f"{game.coordinates.label(k)}:{names[block.what[k]]}" for k in range(16) if block.what[k]}


@pytest.mark.parametrize(
    ("moves", "move", "places", "expected"),
    [
        (TRAIL, "a1-a3", [], {"a1:Wall", "a2:Wall", "a3:Man1"}),
        (PATH, "a1-a4", [("Wall0", '"A2"'), ("Man2", '"A3"')], {"a4:Man1"}),
        (COPY, "a1-a2", [], {"a1:Man1", "a2:Man1"}),
        (BETWEEN, "a1-a3", [("Wall0", '"A2"')], {"a3:Man1"}),
    ],
)
def test_what_a_move_leaves_behind(moves, move, places, expected):
    found = board_after(moves, move, ("Man1", '"A1"'), *places, ("Man2", '"D4"'))
    assert {each.replace("Wall0", "Wall") for each in found} == expected | {"d4:Man2"}


def test_where_a_step_goes_is_known_before_where_it_comes_from():
    """`(from)` in the directions of a step from somewhere else is still the piece that asks."""
    other = '(move Step (from (coord "B1")) (directions Cell from:(from) to:(coord "A3")) (to if:(is Empty (to))))'
    assert targets("(square 3)", other, ("Man1", '"A1"'), ("Wall0", '"B1"')) == ["b1-b2"]


FIRST = """
(game "First"
    (players 1)
    (equipment { (board (rectangle 1 4)) (piece "Man" P1) })
    (rules
        (start (place "Man" {"A1"}))
        (play (do
            (priority (move Remove (sites Occupied by:P1)) (move Add (to (sites Empty))))
            ifAfterwards:%s))
        (end (if False (result P1 Win)))
    )
)
"""


def test_what_goes_first_is_decided_before_anything_is_filtered():
    """If all that goes first is filtered away, nothing is left."""
    for filtered, expected in [("(is Empty 0)", ["remove a1"]), ("(is Occupied 0)", ["pass"])]:
        game = from_text(FIRST % filtered)
        state = game.initial()
        assert [game.text(move) for move in state.legal(0)] == expected


def test_a_hop_begins_at_the_piece_that_asks_even_if_it_names_a_region():
    hop = "(move Hop (from (sites Occupied by:Mover)) Orthogonal (between if:True) (to if:(is Empty (to))))"
    assert targets("(rectangle 1 5)", hop, ("Man1", '"A1" "E1"')) == ["a1-c1", "e1-c1"]


RAILS = '(move Slide "%s" (between if:(is Empty (between))) (to if:(is Enemy (who at:(to)))))'


@pytest.mark.parametrize(
    ("name", "enemy", "expected"),
    [
        ("Ring", (), ["a1-a2", "a1-b1", "a1-b2", "a1-c1", "a1-c2"]),
        ("Ring", (("Man2", '"C1"'),), ["a1-b1", "a1-c1"]),
        ("Ring", (("Wall0", '"C1"'),), ["a1-b1", "a1-c1"]),  # Ludii lets a slide end where it cannot go on
        ("AllTracks", (), ["a1-a2", "a1-b2", "a1-c2"]),
    ],
)
def test_slides_along_tracks(name, enemy, expected):
    """Along all tracks a slide only ends behind a bend, which is a site that comes twice."""
    board = '(rectangle 2 3) (track "Ring" {0 1 2 2 5 4 3} loop:True)'
    assert targets(board, RAILS % name, ("Man1", '"A1"'), *enemy) == expected


@pytest.mark.parametrize(
    ("site", "expected"),
    [
        ('(ahead (coord "B1") Forward)', "b2"),
        ('(ahead (coord "C1") Forward)', "c1"),  # where nothing stands, nothing looks anywhere
        ('(ahead (coord "C1") N)', "c2"),
        ('(ahead (coord "C1") steps:2 Orthogonal)', "c3"),
        ('(ahead (coord "C2") steps:2 Orthogonal)', "a2"),  # the first way that is long enough
        ('(ahead (coord "C1") steps:3 N)', "c1"),
    ],
)
def test_what_lies_ahead(site, expected):
    jump = f"(move (from) (to {site}))"
    assert targets("(square 3)", jump, ("Man1", '"A1"'), ("Wall0", '"B1"')) == [f"a1-{expected}"]


TOGGLED = """
(game "Toggled"
    (players 1)
    (equipment { (board (rectangle 1 3)) (piece "Man" P1) })
    (rules
        (start (place "Man" {"A1"} value:0))
        (play (do
            (do (set Value at:0 (- 1 (value Piece at:0))) next:(move Add (to (sites Empty))))
            ifAfterwards:(= %s (value Piece at:0))))
        (end (if False (result P1 Win)))
    )
)
"""


def test_what_is_done_before_a_move_is_done_once_before_it_is_filtered():
    for value, expected in [("1", ["add b1", "add c1"]), ("0", ["pass"])]:
        game = from_text(TOGGLED % value)
        state = game.initial()
        assert [game.text(move) for move in state.legal(0)] == expected


def test_a_player_alone_who_cannot_move_has_lost_without_a_place():
    stuck = FIRST % "(is Occupied 0)"
    state = from_text(stuck).initial()
    ended = state.after(next(iter(state.legal(0))))
    assert (ended.over, ended.utilities()) == (True, (0.0,))


@pytest.mark.parametrize(
    ("play", "to", "passed"),
    [
        ("(move Hop Orthogonal (between if:(is Enemy (who at:(between)))) (to if:(is Empty (to))))", 2, [1]),
        ("(move Hop Orthogonal (between (exact 2) if:True) (to if:(is Empty (to))))", 15, [5, 10]),
        ("(move Slide Orthogonal)", 20, [5, 10, 15]),
        ("(move Step Orthogonal (to if:(is Empty (to))))", 5, []),
    ],
)
def test_what_the_last_move_went_over(play, to, passed):
    first = f"(if (= 0 (count Moves)) (forEach Piece {play}) (or (move Select (from (last Between))) (move Pass)))"
    game = made(first, ("Man1", [0]), ("Man2", [1]))
    state, leaf = game.initial(), game.coordinates.leaf
    (move,) = [code for code in state.legal(0) if leaf(code).read(code, "to") == to]
    state = state.after(move)
    assert [leaf(code).read(code, "from") for code in state.legal(1) if leaf(code).kind == "Select"] == passed


def test_a_slide_knows_the_site_before_the_one_it_may_end_at():
    """Enemies are taken behind b1 only."""
    play = "(forEach Piece (move Slide E (to if:(and (is Enemy (who at:(to))) (= 1 (between))) (apply (remove (to))))))"
    near = made(play, ("Man1", [0]), ("Man2", [2]))
    far = made(play, ("Man1", [0]), ("Man2", [3]))
    ends = [[near.text(move) for move in near.initial().legal(0)], [far.text(move) for move in far.initial().legal(0)]]
    assert [[text.split()[0] for text in each] for each in ends] == [["a1-b1", "a1-c1"], ["a1-b1", "a1-c1"]]
    assert standing(near, near.initial().after(near.initial().legal(0)[1])) == {2: "Man1"}


def test_where_a_slide_begins_is_told_once_where_there_is_no_room_for_more():
    """On so many sites the site that `(from)` means has no bits of its own: it is the one that the move begins at."""
    slide = """(move Slide (from (from) if:(= 0 (from))) Adjacent
        (between if:(is Empty (between)) (apply (if (= 1 (+ 1 (from))) (remove (between))))))"""
    game = made(f"(forEach Piece {slide})", ("Man1", [0, 99]), board="(square 45)")
    state = game.initial()
    leaf = game.coordinates.leaf(state.legal(0)[0])
    assert "from_" not in leaf.fields
    assert len(state.legal(0)) == 3 * 44
    assert standing(game, state.after(state.legal(0)[0])) == {45: "Man1", 99: "Man1"}
