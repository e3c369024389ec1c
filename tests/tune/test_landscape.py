import re

import pytest

from ludarium.tune import Function, Grid, Space, tune
from ludarium.tune.landscape import marks, ordered
from ludarium.tune.measure import measure, student

SPACE = Space({"a": (0, 1, 2), "fixed": (1,), "b": ("x", "y")})


def tuned(budget=12, *, share=True, check=3):
    def truth(config, rng):
        return config["a"] / 2 if config["b"] == "y" else 0.0

    return tune(Function(SPACE, truth, goal="truth", share=share), Grid(), budget=budget, check=check)


def test_every_value_is_averaged_over_all_others():
    first, second = marks(tuned())
    assert [(mark.name, mark.value, mark.measure.mean, mark.measure.count) for mark in first] == [
        ("a", 0, 0.0, 4),
        ("a", 1, 0.25, 4),
        ("a", 2, 0.5, 4),
    ]
    assert [(mark.value, mark.measure.mean, mark.best) for mark in second] == [("x", 0.0, False), ("y", 0.5, True)]


def test_what_was_never_tried_has_no_measure():
    columns = marks(tuned(1))
    assert [mark.measure is None for column in columns for mark in column].count(True) == 3


def test_configurations_come_in_the_order_of_their_estimates():
    assert ordered(tuned()) == [1.0, 0.5, 0.0, 0.0, 0.0, 0.0]


def test_intervals_hold_what_they_should():
    assert measure([0.0, 1.0] * 50, share=True).low == pytest.approx(0.404, abs=0.001)
    any_scale = measure([10.0, 12.0, 14.0], share=False)
    assert (any_scale.mean, any_scale.low) == (12.0, pytest.approx(12 - 4.3027 * 2 / 3**0.5, abs=1e-3))
    for alike in ([3.0], [10 / 9, 10 / 9], [0.5] * 30):
        assert (measure(alike, share=False).low, measure(alike, share=False).high) == (float("-inf"), float("inf"))


def test_student_is_as_scipy_says():
    stats = pytest.importorskip("scipy.stats", reason="needs the extra [report]")
    for freedom in (1, 2, 3, 4, 7, 20, 500):
        assert student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=0.005)


@pytest.mark.parametrize("share", [True, False])
@pytest.mark.parametrize("budget", [1, 12])
def test_the_picture_shows_every_parameter_and_the_order(share, budget):
    pytest.importorskip("matplotlib", reason="needs the extra [report]")
    from ludarium.tune.picture import landscape

    drawing = landscape(tuned(budget, share=share))
    svg = drawing.svg()
    for word in ("a", "b", "configurations in order", "best, measured anew"):
        assert re.search(rf"<!-- {word} -->", svg)
    assert "fixed" not in re.findall(r"<!-- (\w+) -->", svg)
    assert "estimated at" in drawing.words
    assert drawing.png()[1:4] == b"PNG"
    assert landscape(tuned(budget, share=share)).svg() == svg
