"""Angles between a site where one condition holds and a later one where another does."""

import pytest

from ludarium.kernel import using
from tests.ludii.ludemes.small import holds

KINDS = ("Acute", "Right", "Obtuse", "Reflex")


def angles(first, second, at=24, board="(square 5)"):
    """Which angles there are between pieces of the first player and of the second."""
    pair = "(= (who at:(site)) P1) (= (who at:(site)) P2)"
    places = ("Man1", first), ("Man2", second)
    return [kind for kind in KINDS if holds(f"(is {kind} at:{at} {pair})", *places, board=board)]


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        ([0], [3], ["Right"]),
        ([0], [5], ["Obtuse"]),
        ([4], [5], ["Obtuse"]),
        ([5], [4], []),  # the second comes first
        ([0, 6], [3, 7], ["Right", "Obtuse"]),
    ],
)
def test_the_later_site_is_in_the_row_or_above_it(first, second, found):
    for way in ("native", "python"):
        with using(way):
            assert angles(first, second) == found


def test_neither_site_is_the_one_that_is_named_which_is_on_the_board():
    assert angles([0], [3], at=0) == angles([0], [3], at=3) == []
    assert angles([0], [3], at=-1) == angles([0], [3], at=25) == []
    assert angles([0, 1], [3], at=0) == ["Right"]


def test_a_later_site_may_be_lower():
    turned = "(rotate 180 (square 3))"
    assert angles([0], [3], at=8, board=turned) == ["Acute"]
