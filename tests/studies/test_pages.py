"""The pages of the studies: what they withdraw, what they deviate in, and how sure their numbers are."""

import re
from pathlib import Path

import pytest

PAGES = sorted((Path(__file__).parents[2] / "docs" / "studies").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_page_lists_its_deviations(page):
    text = page.read_text(encoding="utf-8")
    listed = re.search(r"#+ Deviations from the (?:paper|thesis)\n\n((?:- .*\n(?:  .*\n)*)+)", text)
    assert listed
    assert listed[1].count("\n- ") >= 4


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_shares_in_tables_have_intervals_and_numbers(page):
    """Every table with percentages of ours says how many they are of, and where they may lie."""
    for name, table in re.findall(
        r"<!-- begin ([a-z-]+) -->\n(\|.*?)<!-- end", page.read_text(encoding="utf-8"), re.DOTALL
    ):
        if "%" in table.partition("\n\n")[0] and name not in ("copies", "turns"):
            assert re.search(r"\(\d+\.\d to \d+\.\d, n [\d,]+\)|95% from", table), name
            assert re.search(r"n \d|games|matches", table), name


@pytest.mark.parametrize(
    ("page", "deviation"),
    [
        ("balanced-asymmetry", "20,000 states per turn"),
        ("determinization", "a bias of 0.02"),
        ("determinization", "RMHC keeps its plan"),
        ("determinization", "lists its moves instead of drawing them"),
        ("rinascimento", "RMHC and BMRH keep their plan"),
        ("rinascimento", "lists that opponent's moves instead of drawing them"),
        ("rinascimento", "compares absolute values in its selection, and children that were never visited may starve"),
        ("rinascimento", "`srh` averages the tries of a plan"),
        ("rinascimento", "NTBEA recommends only points that it has evaluated"),
    ],
)
def test_what_was_found_to_deviate_is_listed(page, deviation):
    (text,) = (" ".join(each.read_text(encoding="utf-8").split()) for each in PAGES if each.stem == page)
    assert deviation in re.split(r" #+ ", text.partition(" Deviations from the ")[2])[0]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_papers_are_cited_by_their_titles(page):
    """Numbers that a paper has in somebody's list mean nothing to a reader."""
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"[Pp]aper \d{3}\b", text)
    assert re.search(r"""\*[^*]{20,}\*|"[^"]{20,}\"""", text.split("\n\n")[1])


def test_what_was_withdrawn_is_gone():
    texts = {page.stem: " ".join(page.read_text(encoding="utf-8").split()) for page in PAGES}
    assert "In these games taken together, alphabeta prefers the defender." not in texts["balanced-asymmetry"]
    assert "1/175" in texts["balanced-asymmetry"]
    assert "More iterations change little" not in texts["determinization"]
    assert "the thesis has no such bias" in texts["determinization"]
    assert "may be many more than our 500 iterations" not in texts["determinization"]
    for figure in ("83.5 %", "82.0 %", "83.8 %", "by the true rules (88.5", "reversed here"):
        assert figure in texts["rinascimento"]
