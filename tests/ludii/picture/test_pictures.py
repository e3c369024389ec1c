"""Boards for people: letters, coordinates, what is beside the board, and images from the boards' own geometry."""

import re
from xml.etree import ElementTree as ET

import pytest

from ludarium.catalog import game
from ludarium.core import Rng
from ludarium.ludii.game import from_text

RULES = '(rules (start {start}) (play (move Add (piece "Stone1") (to (sites Empty)))) (end (if (is Line 9) (result P1 Win))))'


def board(equipment, start, players=2):
    text = f'(game "Board" (players {players}) (equipment {{ {equipment} }}) {RULES.format(start=start)})'
    return from_text(text)


def test_squares_have_letters_below_and_numbers_at_the_left():
    made = game("lud:tic-tac-toe")
    state = made.initial()
    for text in ("add b2", "add a3"):
        state = state.after(made.parse(text))
    assert made.picture(state).splitlines() == [" 3 O . .", " 2 . X .", " 1 . . .", "   a b c"]


def test_hexagons_stand_between_those_of_the_next_line():
    made = game('lud:hex(options="Size/5x5")')
    state = made.initial().after(made.parse("add a2"))
    lines = made.picture(state).splitlines()
    assert lines[-2:] == ["          2     .     b", "             1     a"]
    assert lines[-3] == "       3     X     .     c"


def test_kinds_of_pieces_have_letters_and_players_have_cases():
    pieces = '(board (square 3)) (piece "Stone" Each) (piece "King" Each) (piece "Knight" P1)'
    start = '{ (place "King1" 0) (place "Knight1" 1) (place "King2" 2) (place "Stone2" 3) }'
    made = board(pieces, start)
    assert made.picture(made.initial()).splitlines()[1:3] == [" 2 s . .", " 1 K N k"]
    assert made.offers.symbols == {"S": 0, "s": 1, "K": 0, "k": 1, "N": 0}
    assert made.roles == ("player1", "player2")


def test_pieces_of_different_names_give_roles_and_letters():
    made = board('(board (square 3)) (piece "Stone" P1) (piece "WildDog" P2)', '(place "WildDog2" 4)')
    assert made.roles == ("stone", "wild-dog")
    assert " 2 . W ." in made.picture(made.initial())


def test_three_players_have_a_letter_each():
    made = board('(board (square 3)) (piece "Stone" Each)', '(place "Stone3" 4)', players=3)
    assert " 2 . Y ." in made.picture(made.initial())


def test_stacks_are_told_from_below():
    start = '{ (place Stack items:{"Stone1" "Stone2" "Stone1"} 0) (place "Stone2" 1) }'
    made = board('(board (square 3)) (piece "Stone" Each)', start)
    picture = made.picture(made.initial())
    assert " 1  X3 O  ." in picture
    assert "stacks, from below: a1 XOX" in picture


def test_hands_and_counts_are_told():
    start = '(place "Stone1" (handSite P1) count:4)'
    made = board('(board (square 3)) (hand Each) (piece "Stone" Each)', start)
    assert made.picture(made.initial()).splitlines()[-1] == "player 1 holds X4"
    assert "player 1 holds" in made.svg(made.initial())


def test_heaps_of_one_kind_show_how_many_they_are():
    made = board('(board (square 3)) (piece "Stone" P1)', '(place "Stone1" 4 count:7)')
    assert " 2 . 7 ." in made.picture(made.initial())
    assert ">7</text>" in made.svg(made.initial())
    assert "#</text>" not in made.svg(made.initial())


def test_dice_are_told():
    made = game("oncoming")
    rng = Rng(5)
    state = made.initial(rng)
    assert re.search(r"\ndice: [123]$", made.picture(state))
    assert len(shapes(made.svg(state), "rect")) == 2  # the ground and the die


@pytest.mark.parametrize(
    "shape",
    ["(hex 3)", "(tri 4)", "(concentric {4 8 8})", "(tiling T33434 2)", "(rotate 30 (square 4))", "(hex Star 3)"],
)
@pytest.mark.parametrize("use", ["Cell", "Vertex"])
def test_every_board_is_drawn_with_letters_and_as_an_image(shape, use):
    made = board(f'(board {shape} use:{use}) (piece "Stone" Each)', '(place "Stone1" 0)')
    state = made.initial()
    assert "X" in made.picture(state)
    sites = made.model.topology.sites()
    image = made.svg(state)
    if use == "Cell":
        assert len(shapes(image, "polygon")) == sites.count
    else:
        assert len(shapes(image, "line")) == made.model.topology.edges.count
        assert len(shapes(image, "circle")) == sites.count + 1
    inside(image)


def test_the_last_move_is_ringed_and_colours_differ():
    made = game("lud:breakthrough")
    state = made.initial()
    assert "stroke-dasharray" not in made.svg(state)
    state = state.after(made.parse("a2-a3"))
    image = made.svg(state)
    assert image.count("stroke-dasharray") == 2
    fills = {each.get("fill") for each in shapes(image, "circle")} - {"none"}
    assert len(fills) == 2


def test_a_board_that_lies_far_from_the_origin_is_drawn_from_the_corner():
    far = "(graph vertices:{ {100 50} {101 50} {102 51} } edges:{ {0 1} {1 2} })"
    made = board(f'(board {far} use:Vertex) (piece "Stone" Each)', '(place "Stone1" 0)')
    image = made.svg(made.initial())
    assert float(ET.fromstring(image).get("width")) < 400
    inside(image)


def test_the_corner_of_player_one_is_dark():
    made = board('(board (square 8)) (piece "Stone" Each)', '(place "Stone1" 0)')
    first, second = (each.get("fill")[1:] for each in shapes(made.svg(made.initial()), "polygon")[:2])
    assert int(first, 16) < int(second, 16)


def test_a_stack_tells_how_high_it_is():
    made = board('(board (square 2)) (piece "Stone" Each)', '(place Stack "Stone1" 0 count:4)')
    image = made.svg(made.initial())
    assert "4" in [each.text for each in shapes(image, "text")]
    inside(image)


def test_stores_at_the_ends_do_not_push_holes_apart():
    made = board('(mancalaBoard 2 6) (piece "Stone" Each)', '(place "Stone1" (sites Board))')
    first, *_ = made.picture(made.initial()).splitlines()
    assert first.split() == ["2", *"XXXXXX"]
    assert len({len(gap) for gap in re.findall(r" +(?=X)", first)}) == 1


def test_coordinates_stay_outside_of_the_board():
    made = board('(board (concentric Square rings:3) use:Vertex) (piece "Stone" Each)', '(place "Stone1" 0)')
    lines = made.picture(made.initial()).splitlines()
    assert all(not re.search(r"[.X] +[a-z0-9]+ +[.X]", line) for line in lines)


def test_players_are_drawn_in_the_colours_that_they_are_called_by():
    metadata = "(metadata (graphics { (player Colour P1 (colour Black)) (player Colour P2 (colour White)) }))"
    made = from_text(
        '(game "B" (players 2) (equipment { (board (square 3)) (piece "Stone" Each) }) '
        + RULES.format(start='(place "Stone1" 0)')
        + f") {metadata}"
    )
    assert made.roles == ("black", "white")
    assert shapes(made.svg(made.initial()), "circle")[0].get("fill") == "#303030"


def test_players_go_by_the_names_of_the_metadata():
    metadata = '(metadata (graphics { (player Name P1 "Night Owls") (player Name P2 "mice") }))'
    rules = RULES.format(start='(place "Stone1" 0)')
    made = from_text(
        f'(game "B" (players 2) (equipment {{ (board (square 3)) (piece "Stone" Each) }}) {rules}) {metadata}'
    )
    assert made.roles == ("night-owls", "mice")


def test_a_piece_whose_kind_is_hidden_is_seen_to_be_there():
    pieces = '(board (square 3)) (piece "Stone" Each) (piece "Evil" Each)'
    made = board(pieces, '{ (place "Stone1" 0) (place "Evil2" 8) (set Hidden What at:8 to:P1) }')
    assert made.picture(made.initial(), 0).splitlines()[0].split() == ["3", ".", ".", "?"]
    assert made.picture(made.initial(), 1).splitlines()[0].split() == ["3", ".", ".", "e"]
    assert [each.text for each in shapes(made.svg(made.initial(), 0), "text")].count("?") == 1


def test_the_numbers_of_a_puzzle_are_drawn():
    made = from_text("""
        (game "P" (players 1)
            (equipment { (board (square 2) (values Cell (range 0 2))) (regions { Columns Rows }) })
            (rules (start (set { { 0 2 } { 3 0 } })) (play (satisfy (all Different except:0))) (end (if (is Solved) (result P1 Win)))))
    """)
    assert made.picture(made.initial()).split()[:6] == ["2", ".", "0", "1", "2", "."]
    assert {"0", "2"} <= {each.text for each in shapes(made.svg(made.initial()), "text")}


def test_sites_that_would_cover_each_other_are_listed():
    wheel = "(concentric {" + " ".join(["60"] * 6) + "})"
    made = board(f'(board {wheel}) (piece "Stone" Each)', '(place "Stone1" 0)')
    assert made.picture(made.initial()).endswith(" X")


def shapes(image, kind):
    """What is drawn; sites to click on are not seen."""
    found = ET.fromstring(image).findall(f"{{http://www.w3.org/2000/svg}}{kind}")
    return [each for each in found if each.get("class") != "site"]


def inside(image):
    """Nothing is drawn outside of the image."""
    _, _, width, height = map(float, ET.fromstring(image).get("viewBox").split())
    for each in shapes(image, "circle"):
        x, y, radius = (float(each.get(name)) for name in ("cx", "cy", "r"))
        assert radius <= x <= width - radius
        assert radius <= y <= height - radius
