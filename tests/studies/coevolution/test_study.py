"""The study of coevolution: what is run, what the numbers say, and its page."""

from dataclasses import replace

import numpy as np
import pytest

from ludarium.core import UnknownName
from ludarium.studies.coevolution import measures, study, tables
from ludarium.studies.coevolution.figures import drawings
from ludarium.studies.coevolution.runs import Ledger, Run, run_all, settings_of
from tests.commands import run
from tests.studies.test_figures import labelled


def made_up(seed, held, gain, game="blocker", mending="cca", generations=100):
    depths = [[depth, role, 0.5 + gain, 0.05, 0.5, 0.001] for depth in (1, 2) for role in (0, 1)]
    teachers = [list(np.linspace(0, 5, generations)), list(np.linspace(0, 3, generations))]
    return Run(
        game=game, roles=("crosser", "blocker"), mending=mending, generations=generations, population=10, bouts=5,
        seed=seed, trials=20, teachers=teachers, held=[*held, generations - sum(held)], ranks=[[0.5, 0.7], [0.6]],
        depths=depths, matches=1000, seconds=1.0,
    )  # fmt: skip


def test_disengagement_is_the_test_of_the_paper():
    apart = [made_up(seed, (10 + seed, 88 - seed), 0.2) for seed in range(4)]
    alike = [made_up(seed, (50 + 9 * (-1) ** seed, 49 - 9 * (-1) ** seed), 0.2) for seed in range(4)]
    (first,), (second,) = measures.groups(apart), measures.groups(alike)
    assert first.disengaged < 1e-6
    assert second.disengaged > 0.5
    assert (
        measures.groups(apart[:1])[0].disengaged != measures.groups(apart[:1])[0].disengaged
    )  # one run proves nothing
    assert first.imbalance == pytest.approx(0.865)


def test_only_what_is_better_counts_as_better():
    better = measures.groups([made_up(seed, (50, 49), 0.2 + 0.01 * seed) for seed in range(4)])
    worse = measures.groups([made_up(seed, (50, 49), -0.2 - 0.01 * seed) for seed in range(4)])
    assert better[0].better(0)[2] < 0.01
    said = [tables.answer(group[0].runs)[0] for group in (better, worse)]
    assert "in 2 of 2 roles over runs, 8 of 8 of them" in said[0]
    assert "in 0 of 2 roles over runs, 0 of 8 of them" in said[1]


def test_runs_of_the_largest_size_count():
    small = [made_up(seed, (5, 4), 0.1, generations=10) for seed in range(2)]
    large = [replace(made_up(seed, (50, 49), 0.1), matches=9000) for seed in range(2)]
    (group,) = measures.groups([*small, *large])
    assert group.generations == 100


def test_every_mending_changes_something():
    made = {name: settings_of(study.QUICK, name, 1) for name in study.MENDINGS}
    assert len(set(map(str, made.values()))) == len(made)
    assert made["cca"].alpha == 10 / 11
    assert study.FULL_SCALE.runs >= 10
    assert study.FULL_SCALE.generations == 300


def test_what_is_stored_is_not_run_again(tmp_path):
    scale = replace(study.QUICK, runs=1, trials=2, depths=(1,))
    said = []
    with Ledger(tmp_path / "runs.db") as ledger:
        for _ in range(2):
            run_all(ledger, scale, ["two-board-tic-tac-toe"], ["cca", "nash"], said.append)
        assert [each.mending for each in ledger.runs()] == ["cca", "nash"]
        first = ledger.runs()[0]
    assert said == ["two-board-tic-tac-toe, cca, run 1 of 1", "two-board-tic-tac-toe, nash, run 1 of 1"]
    assert len(first.teachers[0]) == 3
    assert sum(first.held) == 3
    assert [each.name for each in tmp_path.iterdir() if "generations" in each.name] == []


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
    for name in ("run", "teachers", "better", "depths", "held", "answer", "figure-teachers", "figure-held"):
        assert f"<!-- begin {name} -->" in text
    assert "gdl:connect-four" in text
    assert run(*words, "--no-play").exit_code == 0


def test_figures_are_labelled():
    runs = [made_up(seed, (10 + seed, 88 - seed), 0.2) for seed in range(3)]
    runs += [made_up(seed, (40, 50), 0.2, mending="managed") for seed in range(3)]
    made = drawings(runs)
    assert [each.name for each in made] == ["teachers", "ranks", "depths", "held"]
    for each in made:
        labelled(each.draw())


def test_unknown_games_and_mendings_are_refused():
    with pytest.raises(UnknownName, match="game of the study"):
        study.chosen(["nim"], None, study.QUICK)
    with pytest.raises(UnknownName, match="mending of the study"):
        study.chosen(None, ["prayer"], study.QUICK)
    told = run("study", "coevolution", "--matches", "3")
    assert told.exit_code == 2
    assert "takes no --matches" in told.output + told.stderr
