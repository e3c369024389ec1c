import re

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from ludarium.core import BadParameter, LudariumError, UnknownName
from ludarium.hidden.belief import Belief
from ludarium.terminal.commands.belief import belief
from ludarium.terminal.heatmap import beliefs_table, draw, heatmap

SMALL = "battleship(width=4, height=3, fleet=(3, 2))"


def run(*words):
    app = typer.Typer()
    app.command()(belief)
    told = CliRunner().invoke(app, words)
    if told.exception and not isinstance(told.exception, SystemExit):
        raise told.exception
    return told.output


def shown(thing):
    console = Console(width=80, color_system=None)
    with console.capture() as captured:
        console.print(thing)
    return captured.get()


def test_a_board_is_drawn_as_a_heatmap():
    told = run(SMALL, "--moves", "a1-c1 a1-c1 a3-b3 a3-b3 a3 d1", "--samples", "500")
    assert "first to move" in told
    assert "probability of ship, in per cent" in told
    rows = [line.split() for line in told.splitlines() if re.match(r"  [123] ", line)]
    assert [row[0] for row in rows] == ["3", "2", "1"]
    assert rows[0][1] == "·"  # it was shot at
    assert int(rows[0][2]) > 40  # beside a hit
    assert "first: 500 states, states drawn at random, by auto" in told


def test_the_same_seed_draws_the_same():
    assert run(SMALL, "--seed", "3", "--moves", "a1-c1 a1-c1") == run(SMALL, "--seed", "3", "--moves", "a1-c1 a1-c1")


def test_other_places_are_listed_in_a_table():
    told = run("leduc-poker", "--determinizer", "enumeration")
    assert re.search(r"card of second +\d\d\.\d% +\d\d\.\d% +\d\d\.\d%", told)
    assert "first: 3 states, all states there can be, by enumeration" in told


def test_many_contents_are_a_table_unless_one_is_asked_for():
    told = run("attaque", "--samples", "200", "--top", "3")
    assert re.search(r"bomb +captain +flag +marshal +miner +scout +spy", told)
    assert "and 7 more" in told
    assert "probability of flag" in run("attaque", "--samples", "200", "--of", "flag")


def test_a_figure_is_written(tmp_path):
    for name in ("heat.png", "heat.svg"):
        run(SMALL, "--moves", "a1-c1 a1-c1", "--samples", "100", "--figure", str(tmp_path / name))
        assert (tmp_path / name).stat().st_size > 3000


@pytest.mark.parametrize(
    ("words", "kind", "told"),
    [
        (["nim"], BadParameter, "nothing is hidden in nim"),
        ([SMALL, "--role", "third"], UnknownName, "unknown role 'third'"),
        ([SMALL, "--role", "second"], BadParameter, "which is not second now; to move: first"),
        (["leduc-poker", "--moves", "raise fold"], BadParameter, "leduc-poker is over: all is known"),
        (["leduc-poker", "--of", "ace"], BadParameter, "no hidden place can hold 'ace'"),
        (["leduc-poker", "--figure", "x.png"], BadParameter, "a figure shows hidden cells of a board"),
        (["leduc-poker", "--determinizer", "guess"], UnknownName, "unknown determinizer 'guess'"),
        ([SMALL, "--figure", "x.bmp"], BadParameter, r"a figure is a \.png, \.svg or \.pdf file, not 'x\.bmp'"),
        ([SMALL, "--figure", "none/x.png", "--samples", "9" * 30], BadParameter, "there is no folder 'none'"),
        (["goofspiel", "--figure", "x.png"], BadParameter, "a figure is drawn for one role: say which by --role"),
    ],
)
def test_mistakes_are_told(words, kind, told):
    with pytest.raises(kind, match=told):
        run(*words)


def test_files_that_cannot_be_drawn_are_told(tmp_path):
    held = Belief({"a1": {"ship": 0.5, "water": 0.5}}, 2, exact=True)
    with pytest.raises(LudariumError, match="cannot write"):
        draw(held, "ship", tmp_path / "none" / "heat.png", "")


def test_the_table_begins_with_what_is_least_known():
    held = Belief({"a": {"x": 1.0}, "b": {"x": 0.5, "y": 0.5}, "c": {"y": 0.9, "x": 0.1}}, 9, exact=True)
    assert re.findall(r"^ ([abc]) ", shown(beliefs_table(held, most=9)), re.MULTILINE) == ["b", "c", "a"]
    assert "100%" in shown(beliefs_table(held, most=9))
    assert "nothing that is hidden can differ" in shown(beliefs_table(Belief({}, 1, exact=True), most=9))


def test_what_is_no_board_has_no_heatmap():
    assert heatmap(Belief({"card": {"x": 1.0}}, 1, exact=True), "x") is None
