"""What the numbers of the study of coevolution say: tests, tables, sentences and figures."""

from dataclasses import replace

import numpy as np
import pytest

from ludarium.evaluate.evolved.inputs import Mapping
from ludarium.studies.coevolution import duels, measures, study, tables
from ludarium.studies.coevolution.figures import drawings
from tests.studies.coevolution.made import made_up, shallow
from tests.studies.test_figures import labelled


def test_disengagement_is_the_test_of_the_paper():
    apart = [made_up(seed, (10 + seed, 88 - seed), 0.2) for seed in range(4)]
    alike = [made_up(seed, (50 + 9 * (-1) ** seed, 49 - 9 * (-1) ** seed), 0.2) for seed in range(4)]
    (first,), (second,) = measures.groups(apart), measures.groups(alike)
    assert first.disengaged < 1e-6
    assert second.disengaged > 0.5
    assert (
        measures.groups(apart[:1])[0].disengaged != measures.groups(apart[:1])[0].disengaged
    )  # one run proves nothing
    differences = [-78 + 2 * seed for seed in range(4)]
    assert first.disengaged_by_run == pytest.approx(measures.apart(differences)[2])
    assert first.disengaged_by_run > first.disengaged
    assert np.isnan(measures.groups([made_up(seed, (50, 50), 0.2) for seed in range(4)])[0].disengaged_by_run)


def test_values_without_spread_prove_nothing():
    for values in ([0.2, 0.2, 0.2], [0.2, 0.7 - 0.5, 0.3 - 0.1]):  # which are equal but for rounding
        mean, *others = measures.apart(values)
        assert mean == pytest.approx(0.2)
        assert np.isnan(others).all()
    assert measures.apart([0.0, 0.0]) == (0.0, 0.0, 1.0)


def test_what_a_mending_is_worth_to_a_role_is_compared_seed_by_seed():
    plain = [made_up(seed, (50, 49), 0.1 * seed) for seed in range(4)]
    mended = [made_up(seed, (50, 49), 0.1 * seed + 0.2 + 0.01 * seed, mending="managed") for seed in range(1, 6)]
    longer = [made_up(seed, (50, 49), 0.9, generations=200) for seed in range(4)]
    (sheet,) = [each for each in tables.sheets([*plain, *mended, *longer]) if each.name == "mended"]
    first, _, second, _ = sheet.rows
    assert first[:5] == ("managed", "blocker", 100, "crosser", 1)
    assert first[5:8] == pytest.approx((0.42, 0.2, 0.22))
    half, p = measures.apart([0.21, 0.22, 0.23])[1:]
    assert first[8:11] == pytest.approx((half, p, 4 * p))  # four tests: two roles, two depths
    assert (first[11], second[3]) == (3, "blocker")


def test_only_what_is_better_counts_as_better():
    better = measures.groups([made_up(seed, (50, 49), 0.2 + 0.01 * seed) for seed in range(4)])
    worse = measures.groups([made_up(seed, (50, 49), -0.2 - 0.01 * seed) for seed in range(4)])
    assert better[0].better(0)[2] < 0.01
    said = [tables.answer(group[0].runs)[0] for group in (better, worse)]
    assert "in 2 of 2 roles over runs, in 2 after Holm's correction; 8 of 8 champions" in said[0]
    assert "in 0 of 2 roles over runs, in 0 after Holm's correction; 0 of 8 champions" in said[1]


def test_what_is_lost_by_looking_farther_is_told():
    runs = [shallow(seed, 0.3, 0.1 + 0.02 * seed) for seed in range(3)]
    near = replace(runs[0], seed=9, depths=runs[0].depths[:2])  # was not tried at depth 2
    (sheet,) = [each for each in tables.sheets([*runs, near]) if each.name == "losses"]
    *_, lost, half, count = sheet.rows[1][:8]
    assert (lost, half, count) == (pytest.approx(0.18), pytest.approx(0.0497, abs=1e-4), 3)
    assert all(np.isnan(value) for value in (*sheet.rows[1][8:12], *sheet.rows[1][13:]))


def test_what_others_lose_less_by_looking_farther_is_told_seed_by_seed():
    plain = [shallow(seed, 0.3, 0.1 + 0.02 * seed) for seed in range(3)]
    deep = [replace(shallow(seed, 0.2, 0.2), mending="depth-2") for seed in range(1, 5)]
    (sheet,) = [each for each in tables.sheets([*plain, *deep]) if each.name == "losses"]
    ((*_, lost, _, runs, less, half, p, _, seeds, below, around),) = [
        row for row in sheet.rows if row[0] == "depth-2" and row[3] == "blocker"
    ]
    assert (lost, runs, less, seeds) == (pytest.approx(0.0), 4, pytest.approx(0.17), 2)
    assert (half, p) == pytest.approx(measures.apart([0.18, 0.16])[1:])
    assert (below, around) == pytest.approx(measures.apart([0.09, 0.08])[:2])


def test_who_is_ahead_is_compared_with_plain_runs_seed_by_seed():
    plain = [made_up(seed, (60 + seed, 40 - seed), 0.2) for seed in range(4)]
    even = [made_up(seed, (50 - seed, 50 + seed), 0.2, mending="managed") for seed in range(1, 6)]
    alone = made_up(1, (50, 49), 0.2, mending="nash", generations=50)  # which has no plain run to stand beside
    (sheet,) = [each for each in tables.sheets([*plain, *even, alone]) if each.name == "ahead"]
    ((*title, ahead, before, more, half, p, holm, seeds),) = sheet.rows
    assert title == ["managed", "blocker", 100]
    assert (ahead, before, more, seeds) == (*map(pytest.approx, (-0.04, 0.24, -0.28)), 3)
    assert (half, p, holm) == (*map(pytest.approx, measures.apart([-0.24, -0.28, -0.32])[1:]), pytest.approx(p))


def test_a_champion_that_does_better_in_the_place_of_a_plain_one_gains():
    runs = [made_up(seed, (50, 49), 0.2, mending=mending) for seed in range(3) for mending in ("cca", "managed")]
    fought = [
        duels.Duel("blocker", "managed", (100, 10, 5), seed, 1, 0.75 + 0.01 * seed, 0.5, "m") for seed in range(3)
    ]
    fought.append(duels.Duel("blocker", "managed", (100, 20, 5), 1, 1, 0.0, 1.0, "m"))  # of another size
    (sheet,) = [each for each in tables.sheets(runs, fought) if each.name == "duels"]
    ((mending, game, _, role, champion, plain, gain, _, p, _, count, _),) = sheet.rows
    assert (mending, game, role, count) == ("managed", "blocker", "blocker", 3)
    assert (champion, plain, gain) == pytest.approx((0.76, 0.5, 0.26))
    assert p < 0.001


def test_runs_of_every_size_stand_apart_and_the_largest_is_drawn():
    small = [made_up(seed, (5, 4), 0.1, generations=10) for seed in range(2)]
    large = [replace(made_up(seed, (50, 49), 0.1), matches=9000) for seed in range(2)]
    found = measures.groups([*large, *small])
    assert [(each.generations, len(each.runs)) for each in found] == [(10, 2), (100, 2)]
    assert [each.generations for each in measures.largest(found)] == [100]


def test_what_is_tested_together_does_not_change_when_longer_runs_come():
    def of(game, generations):
        return [made_up(seed, (5, 4), 0.1, game=game, generations=generations) for seed in range(2)]

    runs = [*of("blocker", 300), *of("melee-chess", 80), *of("criss-cross", 40)]
    titles = [[(each.game, each.generations) for each in family] for family in measures.families(measures.groups(runs))]
    assert titles == [[("blocker", 300)], [("criss-cross", 40), ("melee-chess", 80)]]
    longer = measures.families(measures.groups([*runs, *of("criss-cross", 300)]))
    assert [(each.game, each.generations) for each in longer[1]] == titles[1]
    assert [said.partition(":")[0] for said in tables.answer([*runs, *of("melee-chess", 60)])] == [
        "cca (2 runs of 1 game)",
        "cca, short (2 runs of each of 3 games and sizes)",
    ]


def test_runs_by_other_rules_or_another_version_are_never_counted_together():
    runs = [replace(made_up(seed, (50, 49), 0.1 * seed), mark="ab"[seed % 2]) for seed in range(4)]
    mended = replace(made_up(1, (50, 49), 0.5, mending="managed"), mark="a")
    found = measures.groups([*runs, mended])
    assert [(each.mark, [run.seed for run in each.runs]) for each in found] == [
        ("a", [0, 2]),
        ("b", [1, 3]),
        ("a", [1]),
    ]
    assert measures.plain_of(found, found[2]) is found[0]
    sheets = {each.name: each for each in tables.sheets([*runs, mended])}
    assert sheets["mended"].rows == ()  # the plain run with its seed has another mark
    assert [row[-1] for row in sheets["run"].rows] == ["a", "b", "a"]
    strange = replace(made_up(1, (50, 49), 0.1), mark="b", champions=[{}, {}])
    assert duels.pairs([strange, replace(mended, champions=[{}, {}])], lambda run: Mapping()) == []


def test_claims_are_corrected_for_their_number():
    assert measures.corrected([0.01, float("nan"), 0.04, 0.03]) == pytest.approx(
        [0.03, np.nan, 0.06, 0.06], nan_ok=True
    )
    assert measures.corrected([]) == []
    runs = [made_up(seed, (10 + seed, 88 - seed), 0.05 * seed, name) for seed in range(4) for name in study.GAMES[:2]]
    sheets = {each.name: each for each in tables.sheets(runs)}
    p, sure = (sheets["better"].rows[0][8 + k] for k in (0, 1))
    assert 0.05 < 4 * p == pytest.approx(sure)  # four roles
    by_run, sure = (sheets["held"].rows[0][9 + k] for k in (0, 1))
    assert sure == pytest.approx(2 * by_run)  # two games


def test_one_run_has_no_interval():
    (sheet,) = [each for each in tables.sheets([made_up(1, (50, 49), 0.2)]) if each.name == "teachers"]
    assert all(np.isnan(row[4]) for row in sheet.rows)
    assert "(over matches, where there is one run)" in tables.answer([made_up(1, (50, 49), 0.2)])[0]


def test_figures_are_labelled():
    runs = [made_up(seed, (10 + seed, 88 - seed), 0.2) for seed in range(3)]
    runs += [made_up(seed, (40, 50), 0.2, mending="managed") for seed in range(3)]
    made = drawings(runs)
    assert [each.name for each in made] == ["teachers", "ranks", "depths", "together", "held"]
    for each in made:
        labelled(each.draw())
