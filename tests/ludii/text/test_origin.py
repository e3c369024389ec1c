"""Where characters came from, through cutting, joining and uses of defines."""

from hypothesis import given
from hypothesis import strategies as st

from ludarium.ludii.text.expander import expand
from ludarium.ludii.text.origin import Origins, Use, join
from tests.ludii.texts import LIBRARY


def place(origins, text, piece):
    found = origins.place(text.origin(text.string.index(piece)))
    return found.file, found.line, found.column


def test_characters_of_a_file_know_their_lines_and_columns():
    origins = Origins()
    text = origins.file("one\r\n two\nthree\rfour", "a.lud")
    assert [place(origins, text, word) for word in ("one", "two", "three", "four")] == [
        ("a.lud", 1, 1),
        ("a.lud", 2, 2),
        ("a.lud", 3, 1),
        ("a.lud", 4, 1),
    ]


def test_cutting_and_joining_keeps_places():
    origins = Origins()
    one, other = origins.file("first second", "one"), origins.file("\nthird", "other")
    text = join([one.part(6), other.strip(), one.without([(2, 8)])])
    assert text.string == "secondthirdficond"
    assert place(origins, text, "second") == ("one", 1, 7)
    assert place(origins, text, "third") == ("other", 2, 1)
    assert place(origins, text.part(11), "cond") == ("one", 1, 9)


def test_what_a_use_puts_in_is_written_where_the_body_is_and_knows_the_use():
    origins = Origins()
    text = origins.file('body "Use"', "game.lud")
    put = origins.inserted(text.part(0, 4), Use("Use", text.origin(5)))
    again = origins.inserted(put.part(1), Use("Outer", put.origin(0)))
    assert place(origins, again, "ody") == ("game.lud", 1, 2)
    assert [use.name for use in origins.uses(again.origin(0))] == ["Outer", "Use"]
    assert origins.uses(text.origin(0)) == []
    assert origins.depth(again.origin(0)) == 2


def test_the_user_is_sent_to_the_body_of_an_own_define_and_told_of_the_use():
    description = expand('(define "Own"\n  (own))\n(game "x"\n  ("Own"))', "x.lud")
    own = description.root.parts[1]
    found, how = description.notes.origins.mend(description.text.origin(own.at))
    assert (found.line, found.column) == (2, 3)
    assert how == 'in the define "Own", used at 4:4'


def test_the_user_is_sent_to_the_use_of_a_library_define():
    description = expand('(game "x"\n  ("StepToEmpty"))', "x.lud", library=LIBRARY)
    empty = description.root.parts[1].parts[1].parts[0]
    assert str(empty) == "if:(is Empty (to))"
    found, how = description.notes.origins.mend(description.text.origin(empty.at))
    assert str(found) == "x.lud:2:4"
    assert how == 'in the define "StepToEmpty" of the library (def/IsEmptyTo.def:3:5)'


@given(st.text(alphabet="ab \n", max_size=40), st.data())
def test_any_part_of_a_text_is_the_text_there(string, data):
    origins = Origins()
    text = origins.file(string, "x")
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(string))] * 2)))
    part = text.part(start, end)
    assert part.string == string[start:end]
    lines = string.split("\n")
    for at in range(len(part)):
        found = origins.place(part.origin(at))
        assert (lines[found.line - 1] + "\n")[found.column - 1] == part.string[at]
