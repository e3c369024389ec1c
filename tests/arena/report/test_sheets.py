import csv
from io import StringIO
from math import inf, nan

import pytest

from ludarium.arena.report.sheets import Cell, Sheet, columns, written


@pytest.mark.parametrize(
    ("value", "kind", "text", "strong"),
    [
        ("a", "text", "a", False),
        (0.12345, "percent", "12.35%", False),
        (1234567, "count", "1,234,567", False),
        (1512.6, "points", "1513", False),
        (0.0004, "p", "4.0e-04", False),
        (0.05, "p", "0.05", False),
        (-inf, "number", "-∞", False),
        (nan, "percent", "-", False),
        (None, "text", "-", False),
        (True, "flag", "yes", False),
        (True, "alarm", "yes", True),
        (False, "alarm", "no", False),
        (Cell("x", strong=True), "cell", "x", True),
    ],
)
def test_values_are_written_for_people(value, kind, text, strong):
    assert written(value, kind) == Cell(text, strong)


def test_the_csv_has_values_in_full_and_nothing_where_nothing_is_known():
    heads = columns("agent", ("rate", "percent"), ("sure", "alarm"), "cell")
    sheet = Sheet("x", "X", "", heads, (('uct(c="1,4")', 1 / 3, True, Cell("T:1")), ("b", nan, False, None)))
    read = list(csv.reader(StringIO(sheet.csv())))
    assert read[0] == ["agent", "rate", "sure", "cell"]
    assert read[1] == ['uct(c="1,4")', repr(1 / 3), "yes", "T:1"]
    assert read[2] == ["b", "", "no", ""]
