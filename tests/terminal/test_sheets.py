"""Tables of reports on narrow and wide screens."""

import io

import pytest
from rich.console import Console

from ludarium.arena.report.report import report
from ludarium.arena.report.sheets import Sheet, columns
from ludarium.terminal.sheets import print_sheets, sheet_table
from tests.arena.samples import duels, lots, thoughts

RESULTS = lots(200)
SHEETS = {sheet.name: sheet for sheet in report(RESULTS, thoughts(RESULTS, 20)).sheets}


def printed(name, width):
    return shown([SHEETS[name]], width)


def shown(sheets, width):
    console = Console(file=io.StringIO(), width=width)
    print_sheets(console, sheets)
    return console.file.getvalue()


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_number_is_cut(name, width):
    told = printed(name, width)
    numbers = told.split("\n\n")[0]
    assert "…" not in numbers
    assert max(map(len, told.splitlines())) <= width


def test_what_does_not_fit_is_named():
    assert "Not shown for lack of space: " in " ".join(printed("measures", 80).split())
    _, without = sheet_table(SHEETS["balance"], 80)
    assert "significant" in without
    assert "score" not in without
    assert sheet_table(SHEETS["balance"], 200)[1] == []


def test_faults_are_shown_only_if_there_are_any():
    table, without = sheet_table(SHEETS["standings"], 200)
    heads = [str(column.header) for column in table.columns]
    assert "late" not in heads + without
    results = lots(50)
    results.timeouts[0] = 3
    (standings, *_) = report(results).sheets
    heads = [str(column.header) for column in sheet_table(standings, 60)[0].columns]
    assert "late" in heads


def test_names_are_shown_as_they_are():
    assert "[bold]x[/bold]" in shown(report(duels([("[bold]x[/bold]", "b", 1)])).sheets, 160)


def test_long_tables_end_with_how_many_rows_are_left():
    rows = tuple((str(number),) for number in range(100))
    assert "… 40 more" in shown([Sheet("x", "X", "", columns("name"), rows)], 160)
