"""The study of coevolution: what is run, what the numbers say, and its page."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from ludarium import game
from ludarium.core import BadParameter, UnknownName
from ludarium.evaluate.evolved.inputs import Mapping
from ludarium.evolve.settings import EDITIONS
from ludarium.studies.coevolution import duels, measures, study, tables
from ludarium.studies.coevolution import kept as kept_file
from ludarium.studies.coevolution.figures import drawings
from ludarium.studies.coevolution.ledger import Ledger, run_all
from ludarium.studies.coevolution.runs import Run, Tried, mark_of, settings_of
from tests.commands import run
from tests.studies.test_figures import labelled


def made_up(seed, held, gain, game="blocker", mending="cca", generations=100):
    depths = [Tried(depth, role, 0.5 + gain, 0.05, 0.5, 0.001, 80) for depth in (1, 2) for role in (0, 1)]
    teachers = [list(np.linspace(0, 5, generations)), list(np.linspace(0, 3, generations))]
    return Run(
        game=game, roles=("crosser", "blocker"), mending=mending, generations=generations, population=10, bouts=5,
        seed=seed, trials=20, teachers=teachers, held=[*held, generations - sum(held)], ranks=[[0.5, 0.7], [0.6]],
        depths=depths, matches=1000, seconds=1.0, covered=[0.5, 0.7], edition=EDITIONS.get(mending, 1), mark="m",
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
    differences = [-78 + 2 * seed for seed in range(4)]
    assert first.disengaged_by_run == pytest.approx(measures.apart(differences)[2])
    assert first.disengaged_by_run > first.disengaged
    assert np.isnan(measures.groups([made_up(seed, (50, 50), 0.2) for seed in range(4)])[0].disengaged_by_run)


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
    assert all(np.isnan(value) for value in sheet.rows[1][8:12])


def test_what_others_lose_less_by_looking_farther_is_told_seed_by_seed():
    plain = [shallow(seed, 0.3, 0.1 + 0.02 * seed) for seed in range(3)]
    deep = [replace(shallow(seed, 0.2, 0.2), mending="depth-2") for seed in range(1, 5)]
    (sheet,) = [each for each in tables.sheets([*plain, *deep]) if each.name == "losses"]
    ((*_, lost, _, runs, less, half, p, _, seeds),) = [
        row for row in sheet.rows if row[0] == "depth-2" and row[3] == "blocker"
    ]
    assert (lost, runs, less, seeds) == (pytest.approx(0.0), 4, pytest.approx(0.17), 2)
    assert (half, p) == pytest.approx(measures.apart([0.18, 0.16])[1:])


def shallow(seed, near, far):
    made = made_up(seed, (50, 49), near)
    return replace(made, depths=[row._replace(score=0.5 + (near if row.depth == 1 else far)) for row in made.depths])


def test_champions_meet_plain_ones_of_the_same_seed_and_inputs():
    def of(mending, seed):
        return replace(made_up(seed, (50, 49), 0.1, mending=mending), champions=[{}, {}])

    runs = [of("cca", 1), of("managed", 1), of("managed", 2), of("groups", 1)]
    found = duels.pairs(runs, lambda run: Mapping("groups" if run.mending == "groups" else "projection"))
    assert [(run.mending, run.seed, plain.mending) for run, plain in found] == [("managed", 1, "cca")]


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
    assert [[each.generations for each in family] for family in measures.families(found)] == [[100], [10]]


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
        for _ in range(2):
            ledger.fight(said.append)
        fought = ledger.duels()
    assert said == [
        "two-board-tic-tac-toe, cca, run 1 of 1",
        "two-board-tic-tac-toe, nash, run 1 of 1",
        "two-board-tic-tac-toe, nash against cca, run 1",
    ]
    assert [(each.mending, each.role) for each in fought] == [("nash", 0), ("nash", 1)]
    assert all(0 <= value <= 1 for each in fought for value in (each.score, each.plain))
    assert all(0 <= share <= 1 for share in first.covered)
    assert len(first.champions) == 2
    assert len(first.teachers[0]) == 3
    assert sum(first.held) == 3
    assert [each.name for each in tmp_path.iterdir() if "generations" in each.name] == []


def test_runs_of_an_algorithm_that_was_changed_since_are_not_taken_for_its_own(tmp_path):
    scale = replace(study.QUICK, runs=1, trials=2, depths=(1,))
    wanted = (scale, ["two-board-tic-tac-toe"], ["cca", "managed"])
    said = []
    with Ledger(tmp_path / "runs.db") as ledger:
        run_all(ledger, *wanted, said.append)
        ledger.fight(said.append)
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(EDITIONS, "managed", EDITIONS["managed"] + 1)
            assert [each.mending for each in ledger.runs()] == ["cca"]
            assert ledger.duels() == []
            run_all(ledger, *wanted, said.append)
            ledger.fight(said.append)
            assert len(ledger.duels()) == len(ledger.runs()) == 2
        assert len(ledger.duels()) == len(ledger.runs()) == 2
    assert [each.partition(",")[2] for each in said[2:]] == [
        " managed against cca, run 1",
        " managed, run 1 of 1",
        " managed against cca, run 1",
    ]


def test_runs_of_another_version_are_run_again(tmp_path):
    scale = replace(study.QUICK, runs=1, trials=2, depths=(1,))
    wanted = (scale, ["two-board-tic-tac-toe"], ["cca", "nash"])
    said = []
    with Ledger(tmp_path / "runs.db") as ledger:
        run_all(ledger, *wanted, said.append)
        ledger.fight(said.append)
        before = {each.mark for each in ledger.runs()}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("ludarium.studies.coevolution.ledger.mark_of", lambda name: "other")
            patch.setattr("ludarium.studies.coevolution.runs.mark_of", lambda name: "other")
            run_all(ledger, *wanted, said.append)
            ledger.fight(said.append)
        assert {each.mark for each in ledger.runs()} == {each.mark for each in ledger.duels()} == {"other"}
        assert len(said) == 6
    (mark,) = before
    assert mark == mark_of("two-board-tic-tac-toe")
    assert mark.startswith(game("two-board-tic-tac-toe").fingerprint)


def test_runs_that_do_not_tell_their_version_are_left_out_of_an_older_store(tmp_path):
    marked = made_up(1, (50, 49), 0.2)
    unmarked = {key: value for key, value in asdict(marked).items() if key != "mark"}
    fought = asdict(duels.Duel("blocker", "managed", marked.size, 1, 0, 0.5, 0.5, "m"))
    place = json.dumps([*marked.size, EDITIONS["managed"]])
    with Ledger(tmp_path / "runs.db") as ledger:
        ledger.note(("blocker", "cca", "", "", 1), marked)
        insert = ledger.connection.execute
        insert("INSERT INTO runs VALUES ('blocker', 'cca', '', '', 2, ?)", (json.dumps(unmarked),))
        insert("INSERT INTO duels VALUES ('blocker', 'managed', ?, 1, ?)", (place, json.dumps([fought])))
        del fought["mark"]
        insert("INSERT INTO duels VALUES ('blocker', 'managed', ?, 2, ?)", (place, json.dumps([fought])))
        insert("PRAGMA user_version = 3")
    with Ledger(tmp_path / "runs.db") as ledger:
        assert ledger.runs() == [marked]
        assert [each.mark for each in ledger.duels()] == ["m"]


def test_the_mark_changes_with_what_an_evolution_comes_to():
    before = mark_of("two-board-tic-tac-toe")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ludarium.evolve.run.Genomes.breed", lambda self, values: None)
        changed = mark_of.__wrapped__("two-board-tic-tac-toe")
    assert before == mark_of.__wrapped__("two-board-tic-tac-toe") != changed


def test_a_run_of_another_size_that_was_stopped_is_not_in_the_way(tmp_path):
    scale = replace(study.QUICK, runs=1, trials=2, depths=(1,))

    def stop(evolution):
        raise KeyboardInterrupt

    with Ledger(tmp_path / "runs.db") as ledger, pytest.MonkeyPatch.context() as patch:
        patch.setattr("ludarium.evolve.run.Evolution.champions", stop)
        with pytest.raises(KeyboardInterrupt):
            run_all(ledger, scale, ["two-board-tic-tac-toe"], ["cca"], print)
        patch.undo()
        run_all(ledger, replace(scale, generations=2), ["two-board-tic-tac-toe"], ["cca"], print)
        assert [each.generations for each in ledger.runs()] == [2]
    assert len([each for each in tmp_path.iterdir() if "generations" in each.name]) == 1


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
