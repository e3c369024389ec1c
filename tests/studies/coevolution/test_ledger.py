"""The store of the study of coevolution: what is run, what is run again, and what is not."""

import json
from dataclasses import asdict, replace

import pytest

from ludarium import game
from ludarium.evaluate.evolved.inputs import Mapping
from ludarium.evolve.settings import EDITIONS
from ludarium.studies.coevolution import duels, kept, study
from ludarium.studies.coevolution.ledger import Ledger, run_all
from ludarium.studies.coevolution.runs import basis_for, basis_mark, mark_of
from tests.studies.coevolution.made import made_up


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


def test_champions_meet_plain_ones_of_the_same_seed_and_inputs():
    def of(mending, seed):
        return replace(made_up(seed, (50, 49), 0.1, mending=mending), champions=[{}, {}])

    runs = [of("cca", 1), of("managed", 1), of("managed", 2), of("groups", 1)]
    found = duels.pairs(runs, lambda run: Mapping("groups" if run.mending == "groups" else "projection"))
    assert [(run.mending, run.seed, plain.mending) for run, plain in found] == [("managed", 1, "cca")]


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


def test_runs_whose_basis_had_other_rules_are_run_again_and_no_others(tmp_path):
    scale = replace(study.QUICK, runs=1, generations=2, population=4, bouts=2, trials=2, depths=(1,))
    said = []
    with Ledger(tmp_path / "runs.db") as ledger:
        for basis in ("gdl:tic-tac-toe", "gdl:tic-tac-toe", "breakthrough-small"):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("ludarium.studies.coevolution.runs.BASIS_GAMES", (basis,))
                basis_mark.cache_clear()
                basis_for.cache_clear()
                run_all(ledger, scale, ["two-board-tic-tac-toe"], ["cca", "basis"], said.append)
                ledger.fight(said.append)
        basis_mark.cache_clear()
        basis_for.cache_clear()
        plain, begun = sorted(ledger.runs(), key=lambda each: each.basis)
    assert (plain.mark, plain.basis) == (begun.mark, "")
    told = [each.removeprefix("two-board-tic-tac-toe, ") for each in said]
    again = ["basis, run 1 of 1", "basis against cca, run 1"]
    assert told == ["cca, run 1 of 1", *again, *again]
    texts = [json.loads(kept.written([each], [])) for each in (plain, begun)]
    assert [each.get("basis") for each in texts] == [None, begun.basis]
    assert [kept.read(json.dumps(each))[0][0].basis for each in texts] == ["", begun.basis]


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
