"""Pages of studies: what people wrote stays, what was found is replaced."""

import pytest

from ludarium.arena.report.figures import Drawing
from ludarium.arena.report.sheets import Cell, Sheet, columns
from ludarium.core import LudariumError
from ludarium.studies.page import Findings, filled, markdown_table, write

SHEET = Sheet(
    "wins",
    "Wins",
    "A note.",
    columns("who", ("wins", "count"), ("p", "p")),
    (("a|b", 1200, None), (Cell("c", strong=True), 2, None)),
)


def figure():
    from matplotlib.figure import Figure

    made = Figure()
    made.add_subplot()
    return made


FOUND = Findings("A study", ("It is so.", "It may be."), (SHEET,), (Drawing("bars", "Bars [of a]", "1 and 2", figure),))


def test_a_table_in_markdown_leaves_out_what_is_not_known():
    assert markdown_table(SHEET).splitlines() == [
        "| who | wins |", "| --- | ---: |", "| a\\|b | 1,200 |", "| **c** | 2 |", "", "A note.",
    ]  # fmt: skip


def test_only_what_stands_between_the_marks_is_replaced():
    text = "before <!-- begin x -->\nold\nolder<!-- end x --> between <!-- begin y -->kept<!-- end y --> after"
    told = filled(text, {"x": r"new \1", "z": "nowhere"})
    assert told == "before <!-- begin x -->\nnew \\1\n<!-- end x --> between <!-- begin y -->kept<!-- end y --> after"
    assert filled(told, {"x": r"new \1"}) == told


def test_a_page_is_begun_and_brought_up_to_date(tmp_path):
    page = tmp_path / "folder" / "study.md"
    written = write(FOUND, page)
    assert {path.name for path in written} == {"study.md", "bars.svg", "wins.csv"}
    text = page.read_text()
    assert text.startswith("# A study\n")
    assert "- It is so.\n- It may be.\n" in text
    assert "![Bars (of a): 1 and 2](study/bars.svg)" in text
    assert (page.parent / "study" / "bars.svg").read_text().startswith("<?xml")
    page.write_text(text.replace("# A study", "# By hand").replace("It is so.", "old"))
    write(FOUND, page)
    assert page.read_text() == text.replace("# A study", "# By hand")


def test_a_page_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "study").write_text("no folder")
    with pytest.raises(LudariumError, match="cannot write the page of the study"):
        write(FOUND, tmp_path / "study.md")
