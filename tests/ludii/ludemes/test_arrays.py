"""Arrays of numbers."""

import pytest

from tests.ludii.ludemes.small import worth


@pytest.mark.parametrize(
    ("array", "size", "total"),
    [
        ("(difference (array {3 5 3 4}) (array {3 4}))", 2, 8),
        ("(difference (array {3 5 3 4}) 3)", 3, 12),
        ("(difference (array {3 5}) 4)", 2, 8),
        ("(intersection (array {3 5}) (array {3 3 4}))", 2, 6),
        ("(union (array {3 5}) (array {3 4}))", 3, 12),
    ],
)
def test_arrays_keep_what_comes_again(array, size, total):
    assert worth(f"(size Array {array})", ("Man1", [0])) == size
    assert worth(f"(+ {array})", ("Man1", [0])) == total
