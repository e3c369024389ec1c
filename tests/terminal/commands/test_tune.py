"""The command `tune`."""

import re
import signal
import time
from io import StringIO

import pytest
from rich.console import Console

from ludarium.terminal.tuning import Watch, said
from ludarium.tune import Function, Progress, Space, tune
from ludarium.tune.evaluations import Evaluations
from tests.commands import process, run

UCT = (
    "tune",
    "uct",
    "--game",
    "tic-tac-toe",
    "--against",
    "random",
    "--space",
    "c=0.3,1",
    "leaf",
    "--iterations",
    "30",
)
SHORT = ("--budget", "6", "--check", "4", "--on", "threads")


def test_it_names_the_best_and_how_good_it_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = run(*UCT, *SHORT)
    assert told.exit_code == 0, told.output
    assert re.search(r"score, estimated +[\d.]+", told.output)
    assert re.search(r"score, measured anew +[\d.]+ +[\d.]+", told.output)
    assert re.search(r"95 % interval +[\d.]+ to [\d.]+ +[\d.]+ to [\d.]+", told.output)
    assert re.search(r"best: uct", told.output)
    (store,) = tmp_path.glob("tune-*.db")
    (picture,) = tmp_path.glob("tune-*.svg")
    assert picture.read_text().startswith("<?xml")
    with Evaluations(store) as evaluations:
        assert len(evaluations.rows("search")) == 6
    again = run(*UCT, *SHORT)
    assert again.output == told.output


def test_a_file_and_a_picture_can_be_named(tmp_path):
    file = tmp_path / "my.toml"
    file.write_text(
        'game = "breakthrough"\nagents = ["random"]\nfitness = "length"\ntarget = 12\n[space]\nwidth = [3, 8]\n'
    )
    told = run("tune", file, *SHORT, "--picture", tmp_path / "my.png", "--quiet")
    assert told.exit_code == 0, told.output
    assert "best: breakthrough(width=3)" in told.output
    assert (tmp_path / "my.png").read_bytes()[1:4] == b"PNG"
    assert (tmp_path / "my.db").exists()
    assert "evaluations by ntbea" not in told.output


@pytest.mark.parametrize(
    ("args", "wrong"),
    [
        (("tune",), "what is to be played"),
        (("tune", "utc", "--game", "nim", "--against", "random"), "unknown agent 'utc': did you mean 'uct'?"),
        (("tune", "uct", "--game", "nim", "--against", "random", "--space", "see=1"), "no parameter 'see'"),
        (
            ("tune", "uct", "--game", "nim", "--against", "random", "--picture", "x.gif"),
            "a picture ends in .svg or .png",
        ),
        (("tune", "no.toml"), "no.toml cannot be read"),
    ],
)
def test_mistakes_are_told_in_a_line(args, wrong):
    told = run(*args)
    assert told.exit_code == 2
    assert wrong in told.output + told.stderr


def test_another_tuning_does_not_overwrite_a_store(tmp_path):
    store = tmp_path / "mine.db"
    assert run(*UCT, *SHORT, "--store", store).exit_code == 0
    told = run(*UCT, *SHORT, "--store", store, "--seed", "1")
    assert told.exit_code == 2
    assert "begun with another tuning (seed 1, not 0)" in told.stderr


def test_ctrl_c_says_how_to_go_on(tmp_path):
    store = tmp_path / "mine.db"
    running = process(*UCT[:-1], "300", "--budget", "100000", "--store", store)
    while not store.exists() or _count(store) < 3:
        assert running.poll() is None, running.stderr.read()
        time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    out, errors = running.communicate(timeout=300)
    assert running.returncode == 130, errors
    assert re.search(r"Stopped: \d+ of 100,000 evaluations are made and stored. To go on:", out)
    assert "ludarium tune uct --game tic-tac-toe" in out


def _count(path):
    with Evaluations(path) as store:
        return len(store.rows("search"))


def test_progress_is_told_in_a_terminal_and_elsewhere():
    problem = Function(Space({"a": (0, 1)}), lambda config, rng: float(config["a"]))
    watch = Watch(Console(file=StringIO(), width=80), problem)
    tuned = tune(problem, budget=4, check=0)
    watch(Progress("search", 4, 0, 8, 2.0, lambda: tuned.ranking))
    shown = Console(width=100)
    with shown.capture() as captured:
        shown.print(watch.view())
    assert "searching: 4 of 8, 2.0/s, 2 s left" in captured.get()
    assert "best so far: a=1, fitness about 1.000" in captured.get()
    assert said(Progress("check", 5, 5, 5, 1.0, list)) == "checking: 5 of 5"


def test_an_interval_that_is_not_known_is_called_so(tmp_path, monkeypatch, recwarn):
    monkeypatch.chdir(tmp_path)
    told = run(
        "tune", "--game", "nim", "--agents", "random", "--space", "misere=true,false", "--fitness", "balance",
        "--budget", 2, "--check", 1, "--on", "threads", "--store", "once.db",
    )  # fmt: skip
    assert told.exit_code == 0
    assert re.search(r"95 % interval +not known +not known", told.output)
    assert (tmp_path / "once.svg").exists()
    assert not [each for each in recwarn if "invalid value" in str(each.message)]
