"""What chance did before the first move, found out from a record."""

import pytest

from ludarium.ludii.drawing import start_draws
from ludarium.ludii.trial.record import Action
from tests.ludii.ludemes.small import made


def added(*pieces):
    return [
        Action("Add", {"to": to, "what": what, **({"value": value} if value else {})}) for to, what, value in pieces
    ]


@pytest.mark.parametrize(
    ("start", "pieces", "drawn"),
    [
        ('(place "Man1" {0 1}) (place Random {"Rook1"} count:2)', [(0, 1, 0), (1, 1, 0), (9, 3, 0), (7, 3, 0)], [9, 7]),
        ('(place "Man1" 0) (place Random {"Man1"} count:2)', [(0, 1, 0), (9, 1, 0), (7, 1, 0)], [9, 7]),
        ('(place Random {"Man1"} count:(value Random (range 1 5)))', [(9, 1, 0), (7, 1, 0)], [4, 9, 4, 7, 0]),
        ('(place "Man1" 3 value:(value Random (range 2 5)))', [(3, 1, 4)], [2]),
        ('(place Random (sites {3 4}) {"Man1" "Man2" "Rook1"} True)', [(4, 2, 0), (3, 1, 0)], [1, 4, 0, 3]),
        ('(place Random { (count "Man1" 2) (count "Man2" 1) } 6)', [(6, 2, 0), (6, 1, 0), (6, 1, 0)], [2, 0, 0]),
        ('(forEach Value min:1 max:2 (place Random {"Man1"}))', [(9, 1, 0), (7, 1, 0)], [9, 7]),
        ('(place Random {"Man1"}) (place "Rook1" {3 4})', [(9, 1, 0), (3, 3, 0), (4, 3, 0)], []),
    ],
)
def test_what_was_drawn(start, pieces, drawn):
    model = made("(move Pass)", start=start).model
    assert start_draws(model, added(*pieces)) == drawn
