"""Names in both forms are one-to-one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludarium.gdl.text.names import infix_name, prefix_word

NAMES = st.lists(
    st.sampled_from(
        [
            "name_",
            "var_",
            "_",
            "u",
            "u005f",
            "_u0041_",
            "_u002d_",
            "N",
            "x",
            "1",
            "-",
            "é",
            "日",
            "𝔸",
            "?",
            "<=",
        ]
    ),
    min_size=1,
).map("".join)


@given(NAMES)
def test_a_prefix_name_comes_back(name):
    for word in (name, f"?{name}"):
        if word not in ("?", "<=") and not (name.startswith("?") and word == name):
            assert prefix_word(infix_name(word)) == word


@given(
    st.from_regex(r"[A-Za-z0-9_]+", fullmatch=True)
    | NAMES.map(lambda name: "".join(c for c in name if c.isascii() and (c.isalnum() or c == "_")) or "x")
)
def test_an_infix_name_comes_back_or_is_refused(name):
    word = prefix_word(name) if name != "_" else None
    assert word is None or infix_name(word) == name


@pytest.mark.parametrize(
    "name", ["cell", "1", "a_1", "x1_y2", "name_", "name_a", "X", "Age1", "myVar", "_x", "Var_a", "u0041"]
)
def test_ordinary_infix_names_are_never_refused(name):
    assert prefix_word(name) is not None


@given(NAMES)
def test_an_infix_name_has_the_right_letters(name):
    assert infix_name(name.lstrip("?") or "a")[0] in "abcdefghijklmnopqrstuvwxyz0123456789"
    variable = infix_name(f"?{name}")
    assert variable[0].isupper() or (variable[0] == "_" and len(variable) > 1)
    assert variable.isascii()
    assert variable.replace("_", "a").isalnum()
