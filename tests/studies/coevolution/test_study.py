"""The study of coevolution: what is run, and its page."""

import pytest

from ludarium.core import UnknownName
from ludarium.studies.coevolution import study
from ludarium.studies.coevolution.runs import settings_of
from tests.commands import run


def test_every_mending_changes_something():
    made = {name: settings_of(study.QUICK, name, 1) for name in study.MENDINGS}
    assert len(set(map(str, made.values()))) == len(made)
    assert made["cca"].alpha == 10 / 11
    assert study.FULL_SCALE.runs >= 10
    assert study.FULL_SCALE.generations == 300


def test_the_quick_form_ends_with_a_page(tmp_path):
    store, page = tmp_path / "c.db", tmp_path / "c.md"
    words = (
        "study",
        "coevolution",
        "--quick",
        "--games",
        "gdl:connect-four",
        "blocker",
        "--store",
        store,
        "--page",
        page,
    )
    told = run(*words)
    assert told.exit_code == 0, told.output
    text = page.read_text()
    for name in (
        "run",
        "teachers",
        "better",
        "depths",
        "losses",
        "held",
        "covered",
        "mended",
        "duels",
        "answer",
        "figure-teachers",
        "figure-held",
    ):
        assert f"<!-- begin {name} -->" in text
    assert "gdl:connect-four" in text
    assert run(*words, "--no-play").exit_code == 0
    assert page.read_text() == text


def test_unknown_games_and_mendings_are_refused():
    with pytest.raises(UnknownName, match="game of the study"):
        study.chosen(["nim"], None, study.QUICK)
    with pytest.raises(UnknownName, match="mending of the study"):
        study.chosen(None, ["prayer"], study.QUICK)
    told = run("study", "coevolution", "--matches", "3")
    assert told.exit_code == 2
    assert "takes no --matches" in told.output + told.stderr
