"""Brackets, strings, comments and arguments, as Ludii finds them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludarium.ludii.text.origin import Origins
from ludarium.ludii.text.scan import arguments, closing, closing_quote, without_comments


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("(a (b) c) d)", 8),
        ('(a ")" b)', 8),
        ("{(} ) }", 2),  # only brackets of its own kind count
        ("(< a b)", 6),
        ("<(< a b)>", 8),  # a sign behind ( is a head
        ("<(>= a b) 3>", 11),
        ('("a\\" b")', -1),  # here every quotation mark counts
        ("(a", -1),
        ("[1 [2] 3]", 8),
    ],
)
def test_a_bracket_closes_where_ludii_closes_it(text, end):
    assert closing(text, 0) == end


def test_an_escaped_quotation_mark_does_not_end_a_string():
    assert closing_quote(r'"a\" b" c', 0) == 6
    assert closing_quote(r'"a\" b', 0) == -1


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("a // b\nc", "a \nc"),
        ('"http://x" // y', '"http://x" '),
        ("a // b\r\nc //d", "a \r\nc "),
        ('a // say "hi\n"b" // c', 'a \n"b" '),
        ('"never // closed', '"never // closed'),
        ("no comment / at all", "no comment / at all"),
    ],
)
def test_comments_end_with_the_line_and_are_not_in_strings(text, rest):
    assert without_comments(Origins().file(text, "x")).string == rest


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a b  c", ["a", "b", "c"]),
        ("(a b) {c d}\n<e f>", ["(a b)", "{c d}", "<e f>"]),
        ('"a b" c', ['"a b"', "c"]),
        ("at:(a b) if:c", ["at:(a b)", "if:c"]),
        ('name:"two words"', ['name:"two', 'words"']),  # as in Ludii
        ("(never closed", ["(never closed"]),
        ("", []),
    ],
)
def test_arguments_are_clauses_strings_and_words(text, found):
    assert [text[start:end] for start, end in arguments(text, 0, len(text))] == found


@given(st.text(alphabet='ab (){}<>":/\\\n', max_size=60))
def test_arguments_cover_all_that_is_no_white_space(text):
    spans = list(arguments(text, 0, len(text)))
    assert all(start < end for start, end in spans)
    assert spans == sorted(spans)
    outside = list(text)
    for start, end in spans:
        outside[start:end] = [" "] * (end - start)
    assert "".join(outside).strip() == ""
