"""The study of coevolution: what is run, and its page."""

import pytest

from ludarium.core import UnknownName
from ludarium.evolve.run import Evolution
from ludarium.studies.coevolution import study
from ludarium.studies.coevolution.runs import basis_for, game_of, run_one, settings_of
from tests.commands import run


def test_every_mending_changes_something():
    made = {name: settings_of(study.QUICK, name, 1) for name in study.MENDINGS if name != "basis"}
    assert len(set(map(str, made.values()))) == len(made)
    assert made["cca"].alpha == 10 / 11
    assert study.FULL_SCALE.runs >= 10
    assert study.FULL_SCALE.generations == 300


def test_a_basis_evolves_in_games_that_are_not_those_of_the_study_and_is_begun_with(tmp_path):
    assert not {*study.BASIS_GAMES} & {*study.GAMES}
    tiny = study.Scale(runs=1, generations=2, population=4, bouts=2, trials=2, depths=(1,))
    settings = settings_of(tiny, "basis", 1)
    assert settings == settings_of(tiny, "cca", 1)
    made, plain = (
        run_one(tiny, "two-board-tic-tac-toe", each, settings, tmp_path / "runs.db") for each in ("basis", "cca")
    )
    basis = basis_for(settings)
    begun = Evolution(game_of("two-board-tic-tac-toe"), settings, basis=basis)
    while not begun.done:
        begun.advance()
    assert made.champions == [each.written() for each in begun.champions().networks] != plain.champions


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
