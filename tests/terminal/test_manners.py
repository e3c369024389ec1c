"""What commands leave behind, ask first and call by its name."""

import os
import re
import shlex
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from ludarium import catalog, library
from ludarium.arena import Store, load
from ludarium.arena import run as play_plan
from ludarium.cli import COMMANDS
from ludarium.evolve.run import evolve
from ludarium.evolve.settings import Settings
from ludarium.terminal.asked import Command
from tests.commands import run
from tests.outside_code import RACE

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "words",
    [
        ("show", "./x.kif"),
        ("play", "./x.kif", "uct", "random"),
        ("check", "x.kif"),
        ("convert", "x.kif", "y.hrf"),
        ("results", "x.db"),
        ("report", "x.db"),
        ("replay", "x.db", "1"),
        ("export", "x.db", "y.csv"),
        ("tournament", "x.toml"),
        ("tournament", "--games", "nim", "--agents", "uct", "random", "--store", "x.db"),
        ("show", "./folder"),
        ("show", "folder"),
        ("check", "folder"),
    ],
)
def test_a_folder_is_called_a_folder(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("x.kif", "x.db", "x.toml", "folder"):
        (tmp_path / name).mkdir()
    told = run(*words)
    assert told.exit_code == 2
    assert "is a folder" in told.output


def test_a_refused_tournament_leaves_no_store_behind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = run("tournament", "--games", "nim", "--agents", "uct", "random", "--on", "nowhere", "--store", "new.db")
    assert told.exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_was_there_before_stays(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ("tournament", "--games", "nim", "--agents", "flat", "random", "--games-per-pair", "2", "--iterations", "5")
    assert run(*words, "--store", "old.db", "--no-report", "--on", "threads").exit_code == 0
    assert run(*words, "--store", "old.db", "--on", "nowhere").exit_code == 2
    assert (tmp_path / "old.db").exists()


def test_convert_says_what_it_wrote_and_asks_before_overwriting(tmp_path):
    source, target = tmp_path / "x.kif", tmp_path / "x.hrf"
    source.write_text("(role x)\n", encoding="utf-8")
    assert run("convert", source, target).output == f"{target}: 1 line in infix form\n"
    target.write_text("mine\n", encoding="utf-8")
    for typed in ("n\n", None):
        told = run("convert", source, target, typed=typed)
        assert told.exit_code == 2
        assert "was left alone (--force overwrites it)" in told.output.replace("\n", " ")
        assert target.read_text(encoding="utf-8") == "mine\n"
    assert run("convert", source, target, typed="y\n").exit_code == 0
    assert target.read_text(encoding="utf-8") != "mine\n"
    assert run("convert", source, target, "--force").exit_code == 0


def test_the_readme_lists_every_command_and_every_document():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"`ludarium {name}" in readme, name
    for document in [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "studies").glob("*.md")]:
        assert f"({document.relative_to(ROOT).as_posix()})" in readme, document


def examples():
    """All that the help texts print after "Example"."""
    for name, command in COMMANDS.items():
        if isinstance(command, Command):
            for line in re.findall(r"\[bold\](ludarium .*?)\[/\]", command.epilog):
                yield pytest.param(name, line, id=line)


def test_every_command_has_an_example():
    known = {name for name, command in COMMANDS.items() if isinstance(command, Command)}
    assert {each.values[0] for each in examples()} == known


NEEDS_LUDII = {"--ludii"}
"""Words in examples that need Ludii's own library."""

LESS = {
    "play": ["--iterations 5", "--games 2"], "tune": ["--budget 4", "--check 2", "--iterations 3"], "bench": ["--seconds 0.01"],
    "audit": ["--positions 20", "--iterations 5"], "tournament": ["--iterations 2", "--games-per-pair 2", "--on threads"],
    "study": ["--matches 1", "--random-matches 2", "--games hnefatafl-no-moves", "--on threads"], "think": ["--seconds 0.1"],
    "evolve": ["--generations 2", "--population 4"], "compare": ["--matches 2"],
    "assess": ["--matches 2", "--iterations 5"],
}  # fmt: skip
"""What makes examples short; an option that an example has itself keeps its name, and gets the smaller number."""


SERVES = {"serve", "ggp-player", "ggp-host"}
"""What goes on until it is ended, or needs somebody to talk to: the tests of the server run them."""


@pytest.mark.parametrize(
    ("name", "line"),
    [each for each in examples() if not {*SERVES, "--watch"} & {*each.values[1].split()}],  # who watches goes on, too
)
def test_the_examples_of_help_texts_run_as_they_are_printed(name, line, tmp_path, monkeypatch):
    """Words as a shell takes them, with the files that they name; numbers are made smaller, so that it takes seconds."""
    monkeypatch.chdir(tmp_path)
    _furnish(tmp_path)
    _, command, *words = shlex.split(line)
    if NEEDS_LUDII & set(words) and not os.environ.get("LUDARIUM_LUDII"):
        pytest.skip("LUDARIUM_LUDII does not name Ludii's library")
    for less in LESS.get(command, []):
        option, value = less.split()
        if option in words:
            words[words.index(option) + 1] = value
        elif _fits(command, option, words):
            words += [option, value]
    told = run(command, *words, typed="quit\n" if "human" in words else None)
    assert told.exit_code == (1 if "omniscient" in words else 0), told.output


def _fits(command, option, words):
    """Whether an option may be added to an example."""
    if command == "tournament" and "plan.toml" in words:
        return option == "--on"
    return (command, option) not in {("play", "--games"), ("tune", "--games")}


def _furnish(folder):
    """Make the files that the examples name."""
    (folder / "my").mkdir()
    shutil.copy(library.path("tic-tac-toe"), folder / "my" / "game.kif")
    shutil.copy(library.path("tic-tac-toe", library.LUDII), folder / "my" / "game.lud")
    assert run("convert", folder / "my" / "game.kif", folder / "my" / "game.hrf").exit_code == 0
    for name in ("game.py", "bots.py"):
        (folder / "my" / name).write_text(RACE, encoding="utf-8")
    plan = 'kind = "round-robin"\ngames = ["nim"]\nagents = ["flat", "random"]\nmatches = 1\niterations = 3\n'
    (folder / "plan.toml").write_text(plan, encoding="utf-8")
    corresponds = "".join(f""""(mark {x} {y})" = "add {"abc"[x - 1]}{y}"\n""" for x in (1, 2, 3) for y in (1, 2, 3))
    (folder / "moves.toml").write_text(corresponds, encoding="utf-8")
    champions = evolve(catalog.game("connect-four"), Settings(generations=1, population=4, bouts=1)).champions()
    champions.save(folder / "champions.json")
    with Store(folder / "plan.db") as store:
        play_plan(load(folder / "plan.toml"), store, on="threads")
        store.add(replace(next(store.matches()), id="3f2a"))
