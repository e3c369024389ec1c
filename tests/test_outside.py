"""A package of somebody else is installed as any other, found by its entry points, and plays everywhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ludarium.arena import Store

PACKAGE = Path(__file__).parent / "outside"
IMAGINING = "determinized(inner=uct(evaluator=cautious(trust=0.3)), determinizer=any-cup)"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder that the package is installed to, by pip and without a network."""
    pytest.importorskip("pip", reason="installing a package needs pip")
    folder = tmp_path_factory.mktemp("installed")
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-index",
        "--no-deps",
    ]
    subprocess.run([*command, "--no-build-isolation", "--target", str(folder), str(PACKAGE)], check=True)
    return folder


@pytest.fixture
def command(installed, tmp_path):
    """Runs `ludarium` as a user who has installed the package, in a folder with nothing in it."""

    def run(*args, code=0, packages=(installed,)):
        path = os.pathsep.join([*map(str, packages), *filter(None, sys.path)])
        environment = os.environ | {"PYTHONPATH": path, "COLUMNS": "150", "TERM": "dumb"}
        options = {"capture_output": True, "text": True, "cwd": tmp_path, "env": environment}
        done = subprocess.run([sys.executable, "-m", "ludarium", *args], check=False, **options)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


def test_what_a_package_adds_is_listed_with_the_rest(command):
    assert re.search(r"cups +2 +Find the pea under the cups", command("games", "cups"))
    assert re.search(r"sweeper +Plays the legal moves in their order", command("agents"))
    told = command("agents", "sweeper", "--verbose")
    assert "start" in told
    assert "The place of the move" in told


def test_it_plays(command):
    options = ("--iterations", "30", "--seed", "1", "--quiet")
    assert command("play", "cups", "sweeper", "sweeper(start=4)", *options)
    assert command("play", "cups(cups=3)", "random", IMAGINING, *options)
    told = command("play", "nim", "uct(evaluator=cautious)", "sweeper", *options)
    assert "uct" in told or "first" in told


def test_it_meets_others_in_worker_processes(command, tmp_path):
    command(
        "tournament", "--games", "cups", "cups(cups=4)", "--agents", "sweeper", "random", IMAGINING, "--games-per-pair", "2",
        "--iterations", "20", "--workers", "2", "--store", "results.db", "--quiet",
    )  # fmt: skip
    with Store(tmp_path / "results.db", readonly=True) as store:
        matches = list(store.matches())
    assert len(matches) == 12
    assert {match.game for match in matches} == {"cups", "cups(cups=4)"}
    assert not [fault for match in matches for fault in match.faults]
    assert command("replay", "results.db", matches[0].id)


def test_it_is_tuned(command):
    told = command(
        "tune", "sweeper", "--game", "cups", "--against", "sweeper", "--space", "start=0,4", "--role", "seeker",
        "--budget", "8", "--check", "4", "--workers", "1", "--quiet",
    )  # fmt: skip
    assert "best: sweeper" in told
    assert "best: sweeper(start=4)" not in told  # the other one hides where this one looks last
    told = command(
        "tune", IMAGINING, "--game", "cups", "--against", "random", "--space", "samples=2,5", "inner.c=0.5,1", "--role",
        "seeker", "--iterations", "10", "--budget", "4", "--check", "2", "--workers", "1", "--quiet",
    )  # fmt: skip
    assert "best: determinized(inner=uct(" in told
    assert "any-cup" in told


def test_it_keeps_its_promises(command):
    assert "cups: no broken promises" in command("check", "cups")
    assert "sweeper: no broken promises" in command("check", "sweeper", "--games", "cups", "nim")
    assert "cautious: no broken promises" in command("check", "cautious", "--games", "cups", "tic-tac-toe")
    told = command("check", "any-cup", "--games", "cups(cups=3)", "tic-tac-toe")
    assert "cups(cups=3): imagines states as promised" in told
    assert "tic-tac-toe: refused, with a reason" in told


def test_without_the_package_there_is_no_such_thing(command):
    assert "unknown game 'cups'" in command("play", "cups", "random", "random", code=2, packages=())
    assert "unknown agent 'sweeper'" in command("play", "nim", "sweeper", "random", code=2, packages=())
