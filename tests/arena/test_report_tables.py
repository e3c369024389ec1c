from io import StringIO

from rich.console import Console

from ludarium.arena.report import report
from ludarium.arena.report_tables import report_view, sheet_table
from ludarium.arena.sheets import Sheet, columns
from tests.arena.samples import duels, lots


def shown(what, width=160):
    console = Console(width=width, record=True, file=StringIO())
    console.print(what)
    return console.export_text()


def test_the_terminal_shows_findings_and_tables():
    text = shown(report_view(report(lots(500, games=7), title="Spring")))
    assert text.startswith("Spring\n- 500 matches of 4 agents in 7 games.")
    for title in (
        "Win rate",
        "Differences, with the game as the unit",
        "Ratings",
        "Head to head",
        "Regret",
        "Balance",
        "The games",
    ):
        assert f"\n{title} " in text
    assert "Differences, with the play as the unit" not in text  # one of them is enough in a terminal


def test_many_agents_are_compared_in_a_list():
    text = shown(report_view(report(lots(3000, agents=8, games=7))))
    assert "other agent" in text
    assert "T:" not in text


def test_columns_of_which_nothing_is_known_are_left_out():
    text = shown(report_view(report(duels([("a", "b", 1), ("b", "a", 0)]))))
    assert "lead changes" not in text
    assert "decisive" in text


def test_names_are_shown_as_they_are():
    assert "[bold]x[/bold]" in shown(report_view(report(duels([("[bold]x[/bold]", "b", 1)]))))


def test_long_tables_end_with_how_many_rows_are_left():
    rows = tuple((str(number),) for number in range(100))
    assert "... 40 more" in shown(sheet_table(Sheet("x", "X", "", columns("name"), rows)))
