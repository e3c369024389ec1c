"""The command `evolve`, from its words to its files."""

import signal
from time import monotonic, sleep

import pytest

from ludarium import game
from ludarium.evaluate.evolved.champions import Champions
from ludarium.evolve.basis import basis_of
from ludarium.evolve.run import evolve
from ludarium.evolve.settings import Settings
from tests.commands import process, run

SMALL = ("tic-tac-toe", "--population", "8", "--bouts", "2")


def test_it_ends_with_champions_and_a_page(tmp_path):
    out = tmp_path / "c.json"
    told = run("evolve", *SMALL, "--generations", "3", "--out", out)
    assert told.exit_code == 0, told.output
    assert "to play:" in told.output
    champions = Champions.load(out)
    assert len(champions.networks) == 2
    page = (tmp_path / "c.html").read_text()
    assert page.count("<figure>") == 4
    assert "3 generations of 8 networks" in page
    spec = f"osla(evaluator=evolved('{out}'))"
    played = run("play", "tic-tac-toe", spec, "random", "--games", "2", "--seed", "1")
    assert played.exit_code == 0, played.output


def test_champions_sit_in_a_tournament(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("evolve", *SMALL, "--generations", "2").exit_code == 0
    told = run(
        *("tournament", "--games", "tic-tac-toe", "--agents", "alphabeta(evaluator=evolved(champions.json), depth=2)"),
        *(
            "random",
            "--games-per-pair",
            "2",
            "--store",
            "t.db",
            "--workers",
            "1",
            "--iterations",
            "50",
            "--on",
            "threads",
        ),
    )
    assert told.exit_code == 0, told.output
    assert "evolved" in told.output


def test_killed_it_goes_on_with_the_same_result(tmp_path):
    words = (*SMALL, "--generations", "25", "--quiet")
    assert run("evolve", *words, "--out", tmp_path / "whole.json").exit_code == 0
    killed = tmp_path / "killed.json"
    started = process("evolve", *words, "--out", killed)
    generations = tmp_path / "killed.json.generations"
    end = monotonic() + 300
    while not generations.exists() and started.poll() is None and monotonic() < end:
        sleep(0.01)
    started.send_signal(signal.SIGKILL)
    started.communicate()
    assert run("evolve", *words, "--out", killed).exit_code == 0
    assert Champions.load(killed) == Champions.load(tmp_path / "whole.json")


def test_it_begins_with_what_evolved_in_other_games(tmp_path):
    out = tmp_path / "c.json"
    told = run(
        "evolve",
        *SMALL,
        "--generations",
        "3",
        "--out",
        out,
        "--basis-games",
        "connect-four",
        "breakthrough-small",
        "--quiet",
    )
    assert told.exit_code == 0, told.output
    made, settings = Champions.load(out), Settings(generations=3, population=8, bouts=2)
    basis = basis_of([game("connect-four"), game("breakthrough-small")], settings)
    assert evolve(game("tic-tac-toe"), settings, basis=basis).champions() == made
    assert evolve(game("tic-tac-toe"), settings).champions() != made


def test_interrupted_it_says_how_to_go_on(tmp_path):
    out = tmp_path / "c.json"
    started = process("evolve", *SMALL, "--generations", "5000", "--out", out, "--workers", "2")
    end = monotonic() + 300
    while not (tmp_path / "c.json.generations").exists() and started.poll() is None and monotonic() < end:
        sleep(0.01)
    started.send_signal(signal.SIGINT)
    told, _ = started.communicate(timeout=300)
    assert started.returncode == 130
    assert "To go on:" in told
    assert "--generations 5000" in told
    assert not out.exists()


def test_interrupted_before_it_begins_it_does_not_say_that_a_basis_is_kept(tmp_path, monkeypatch):
    def stop(self, evolution):
        raise KeyboardInterrupt

    out = tmp_path / "c.json"
    words = ("evolve", *SMALL, "--generations", "2", "--basis-games", "connect-four", "--quiet", "--out", out)
    monkeypatch.setattr("ludarium.terminal.evolving.Watch.__call__", stop)
    told = run(*words)
    assert told.exit_code == 130
    assert "the basis is not written down" in told.output
    assert "To go on:" in told.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("eight-puzzle",), "one role"),
        (("tic-tac-toe", "--population", "1"), "population is 1"),
        (("tic-tac-toe", "--generations", "0"), "generations is 0"),
        (("tic-tac-toe", "--inputs", "smell"), "projection, groups, features"),
        (("tic-tac-toe", "--algorithm", "cc"), "did you mean"),
        (("tic-tac-toe", "--out", "nowhere/c.json"), "folder that exists"),
        (("tic-tac-toe", "--basis", "nothing.json"), "cannot read nothing.json"),
        (("tic-tac-toe", "--basis", "c.json", "--basis-games", "connect-four"), "only one of them"),
        (("tic-tac-toe", "--basis-games", "three-player-connect-four"), "is for 3 roles, and tic-tac-toe has 2"),
        (("tic-tac-toe", "--inputs", "groups", "--basis-games", "connect-four"), "inputs: connect-four has"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = run("evolve", *words)
    assert told.exit_code == 2
    assert message in told.output + told.stderr
    assert list(tmp_path.iterdir()) == []
