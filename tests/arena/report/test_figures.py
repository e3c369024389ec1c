import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.image import imread

import ludarium
from ludarium.arena.report.figures import drawings, short
from ludarium.arena.report.palette import BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, SKY
from ludarium.arena.report.report import report
from tests.arena.samples import duels, lots, plays, thoughts


@pytest.fixture(scope="module")
def drawn():
    results = lots(400, games=6)
    return {drawing.name: drawing for drawing in drawings(report(results, thoughts(results, 40)))}


def texts(figure):
    figure.draw_without_rendering()
    return {
        text.get_text() for text in figure.findobj(lambda artist: hasattr(artist, "get_text")) if text.get_visible()
    }


def test_all_figures_are_there(drawn):
    assert list(drawn) == ["rates", "ratings", "meetings", "balance", "margins", "paces"]


@pytest.mark.parametrize("name", ["rates", "ratings", "meetings", "balance", "margins", "paces"])
def test_a_figure_has_ink_and_words_and_is_a_picture_of_its_own(drawn, name):
    pixels = imread(BytesIO(drawn[name].png()))
    assert min(pixels.shape[:2]) > 150
    assert 0.01 < np.mean(pixels[:, :, :3].min(axis=2) < 0.9) < 0.9
    svg = drawn[name].svg()
    assert svg.startswith("<?xml")
    assert "<script" not in svg
    assert drawn[name].words


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        (
            "rates",
            {"score", "won", "from draws", "agent 0", "agent 3", "95%, over games", "95%, over plays of these games"},
        ),
        ("ratings", {"Elo (400 points: odds of 10 to 1)", "agent 0"}),
        ("meetings", {"against", "score of the row, a draw counts half", "agent 0"}),
        ("balance", {"score of the role (a draw counts in part)", "a fair share", "game 0, white"}),
        ("margins", {"own utility minus that of the best opponent", "matches", "agent 0"}),
        ("paces", {"ply", "seconds per move", "agent 0"}),
    ],
)
def test_axes_and_rows_are_labelled(drawn, name, labels):
    assert labels <= texts(drawn[name].draw())


def test_bars_are_as_long_as_the_rates():
    made = report(duels([("a", "b", 1)] * 3 + [("a", "b", 0)]))
    figure = next(drawings(made)).draw()
    assert [bar.get_width() for bar in figure.axes[0].patches] == [0.75, 0.25]


def test_the_interval_over_games_needs_some_games():
    few, many = (next(drawings(report(lots(300, games=games)))).draw() for games in (5, 6))
    assert "95%, over games" in texts(many)
    assert "95%, over games" not in texts(few)


def test_a_dollar_in_a_name_is_a_dollar_and_long_names_are_cut():
    made = report(duels([("$x_1$", "a" * 100, 1)] * 3))
    words = texts(next(drawings(made)).draw())
    assert "$x_1$" in words
    assert next(drawings(made)).svg()
    assert short("a" * 100) in words
    assert len(short("a" * 100)) == 36


def test_times_that_differ_much_are_on_a_scale_with_plain_numbers():
    results = lots(40)
    moves = thoughts(results, 40)
    made = report(results, replace(moves, seconds=10.0 ** -(moves.role * 4 + moves.ply % 2)))
    (drawing,) = [each for each in drawings(made) if each.name == "paces"]
    figure = drawing.draw()
    assert figure.axes[0].get_yscale() == "log"
    figure.draw_without_rendering()
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert len(labels) > 3
    assert all(float(label.replace("\N{MINUS SIGN}", "-")) > 0 for label in labels)


def test_results_without_meetings_or_decisions_have_fewer_figures():
    assert [drawing.name for drawing in drawings(report(plays({"a": [1, 0], "b": [0, 0]})))] == ["rates"]


def test_colours_differ_for_people_who_do_not_see_red_or_green():
    """Simulated dichromacy (Viénot 1999), and grey: no two colours of lines may fall together unless their dashes differ."""
    protan = np.array([[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]])
    deutan = np.array([[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]])
    colours = np.array([to_rgb(colour) for colour in (BLUE, ORANGE, GREEN, RED, SKY, PURPLE, BLACK)]) ** 2.2
    for seen in (protan, deutan):
        shown = np.clip(colours @ seen.T, 0, 1) ** (1 / 2.2)
        apart = np.linalg.norm(shown[:, None] - shown[None, :], axis=2) + 9 * np.eye(len(colours))
        assert apart.min() > 0.1


def test_every_legend_says_where_it_is():
    """Else matplotlib looks at the clock, and warns where a busy machine takes a second for it."""
    sources = [path.read_text(encoding="utf-8") for path in Path(ludarium.__file__).parent.rglob("*.py")]
    calls = [call for source in sources for call in re.findall(r"\.legend\((.*)", source)]
    assert calls
    assert all("loc=" in call for call in calls)
