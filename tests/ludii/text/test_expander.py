"""A whole description, from its text to a plain tree."""

from ludarium.ludii.text.expander import expand
from ludarium.ludii.text.metadata import info, read_metadata
from tests.ludii.texts import HOPS, LINES


def test_all_passes_work_together():
    assert str(expand(LINES).root) == (
        '(game "Lines" (players 2) (equipment {(board (square 5)) (piece "Stone" Each) (regions "Rim" {1 2 3 7 5 4}) '
        '(regions "Corner" (sites {"A1" "A2" "B1" "B2"}))}) (rules (play (move Add (to (sites Empty) '
        "if:(is In (to) (sites Board))))) (end (if (is Line 4) (result Mover Win)))))"
    )


def test_defines_with_clauses_and_defines_as_arguments():
    piece = expand(HOPS).root.parts[2].parts[0].parts[1]
    assert str(piece) == (
        '(piece "Frog" P1 (move Hop (between if:(is Occupied (between)) (apply (remove (between)))) (to if:(is Empty (to))) '
        "(then (if (can Move (hop (from (last To)) (between if:(is Occupied (between))) (to if:(is Empty (to))))) (moveAgain)))))"
    )


def test_every_word_knows_where_it_is_written():
    description = expand(LINES, "lines.lud")
    lines = LINES.splitlines()
    todo = [description.root]
    while todo:
        node = todo.pop()
        place = description.place(node)
        written = lines[place.line - 1][place.column - 1 :]
        if node.kind == "word" and not node.text.isdigit():
            assert written.startswith(node.text)
        elif node.kind == "clause":
            assert written[0] == "("
        todo += node.parts


def test_the_metadata_is_set_apart_and_its_parts_follow_the_options():
    assert "(metadata" not in expand(LINES).text.string
    large, _ = read_metadata(expand(LINES))
    small, _ = read_metadata(expand(LINES, selections=["Board/Small"]))
    assert str(large.parts[1]) == "(graphics {(player Colour P1 (colour Red))})"
    assert str(small.parts[1]) == "(graphics {(player Colour P1 (colour Blue))})"
    assert str(large.parts[2]) == "(ai)"


def test_what_is_told_about_a_game():
    assert info(expand(LINES)) == {
        "description": ("Lines of stones.",),
        "author": ("Nobody", "Somebody"),
        "version": ("1",),
    }
    assert info(expand(HOPS)) == {}


def test_metadata_may_use_defines_of_the_file():
    text = '(define "Who" "Nobody") (game "x") (metadata (info { (author "Who") }))'
    assert info(expand(text)) == {"author": ("Nobody",)}


def test_a_game_behind_the_metadata_is_found():
    assert str(expand('(metadata (info)) (game "x")').root) == '(game "x")'
