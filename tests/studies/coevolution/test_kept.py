"""What is kept of runs beside the page of the study of coevolution."""

from dataclasses import replace
from pathlib import Path

import pytest

from ludarium.core import BadParameter
from ludarium.studies.coevolution import duels, study
from ludarium.studies.coevolution import kept as kept_file
from ludarium.studies.page import filled
from tests.commands import run
from tests.studies.coevolution.made import made_up


def test_a_page_is_made_again_and_gone_on_with_from_what_is_kept_beside_it(tmp_path):
    store, page = tmp_path / "c.db", tmp_path / "c.md"
    words = ["study", "coevolution", "--quick", "--games", "two-board-tic-tac-toe", "--trials", "2", "--page", page]
    assert run(*words, "--store", store).exit_code == 0
    before = {path.name: path.read_text() for path in (page, *page.with_suffix("").iterdir())}
    page.unlink()
    told = run(*words, "--store", tmp_path / "another.db", "--no-play")
    assert told.exit_code == 0, told.output
    assert {path.name: path.read_text() for path in (page, *page.with_suffix("").iterdir())} == before
    told = run(*words, "--store", tmp_path / "third.db", "--runs", "3")
    assert told.exit_code == 0, told.output
    kept = (page.with_suffix("") / kept_file.FILE).read_text()
    old, new = set(before["runs.jsonl"].splitlines()), set(kept.splitlines())
    assert old <= new  # nothing was run again
    assert sorted((each.mending, each.seed) for line in new - old for each, _ in kept_file.read(line)) == [
        ("cca", 3),
        ("managed", 3),
    ]


def test_what_is_kept_is_read_as_it_was_written():
    made = replace(made_up(3, (10, 88), 1 / 3, mending="managed"), teachers=[[0, 1, 1, 2], [0, 0, 0, 1]], mark="m")
    fought = [duels.Duel("blocker", "managed", made.size, 3, role, 0.25, 0.5, "m") for role in (0, 1)]
    text = kept_file.written([replace(made, champions=[{}, {}]), replace(made, seed=4)], fought)
    (first, found), (second, nothing) = kept_file.read(text)
    assert (first.teachers, first.roles, first.mark, first.champions) == (made.teachers, made.roles, "m", [])
    assert (found, nothing, second.seed) == (fought, [], 4)
    assert first.depths[0] == pytest.approx(made.depths[0], rel=1e-5)
    assert kept_file.written([first, second], found) == text
    with pytest.raises(BadParameter, match=r"line 2 of runs\.jsonl is not a run"):
        kept_file.read(text.splitlines()[0] + "\n{}\n")


def test_the_page_says_what_is_kept_beside_it():
    page = Path(__file__).parents[3] / "docs" / "studies" / "coevolution.md"
    folder, text = page.with_suffix(""), page.read_text(encoding="utf-8")
    found = study.told_by((folder / kept_file.FILE).read_text(encoding="utf-8"))
    blocks = found.blocks(folder.name)
    assert filled(text, blocks) == text
    assert all(f"<!-- begin {name} -->" in text for name in blocks)
    assert {path.stem for path in folder.glob("*.csv")} == {sheet.name for sheet in found.sheets}
    assert {path.stem for path in folder.glob("*.svg")} == {drawing.name for drawing in found.drawings}
    assert all((folder / f"{sheet.name}.csv").read_text(encoding="utf-8") == sheet.csv() for sheet in found.sheets)
