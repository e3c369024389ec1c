"""What the documentation says of the code is true: files that it shows work, and its tables leave nothing out."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ludarium import cli, play, registry

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "ludarium"
README = (ROOT / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
EXTENDING = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


EXPLAINED = 50  # the column of the picture of layers from which on they are explained


def layers():
    (picture,) = [block for block in blocks(ARCHITECTURE, "") if "catalog" in block]
    return picture


COMMANDS = [line for block in blocks(EXTENDING, "sh") for line in block.splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files that the page on extending shows."""
    made = tmp_path_factory.mktemp("reader")
    for block in blocks(EXTENDING, "python"):
        if named := re.match(r"# (my/\w+\.py)\n", block):
            (made / named[1]).parent.mkdir(exist_ok=True)
            (made / named[1]).write_text(block, encoding="utf-8")
    return made


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_about_code_of_ones_own_works_as_it_is_printed(folder, command):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "TERM": "dumb"}
    shell = f"{sys.executable} -m {command}"
    done = subprocess.run(shell, shell=True, check=False, capture_output=True, text=True, cwd=folder, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_mistake_that_is_shown_is_told_like_that(folder):
    told = re.search(r"^(ludarium: .* my/race.py:(\d+): .*)$", EXTENDING, re.MULTILINE)
    lines = (folder / "my" / "race.py").read_text(encoding="utf-8").splitlines(keepends=True)
    place = int(told[2]) - 1
    assert "length" in lines[place]
    (folder / "slip").mkdir()
    (folder / "slip" / "my").mkdir()
    changed = [*lines[:place], lines[place].replace("length", "lenght", 1), *lines[place + 1 :]]
    (folder / "slip" / "my" / "race.py").write_text("".join(changed), encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "ludarium", "show", "my/race.py:Race"]
    options = {"capture_output": True, "text": True, "cwd": folder / "slip", "env": environment}
    done = subprocess.run(command, check=False, **options)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{told[1]}\n"


def modules():
    """The folders and modules of the package that stand side by side."""
    for path in sorted(SOURCE.iterdir()):
        if path.suffix == ".py" and not path.stem.startswith("__"):
            yield path.stem
        elif (path / "__init__.py").exists():
            yield path.name


@pytest.mark.parametrize("name", list(modules()))
def test_every_folder_and_module_is_in_the_tables(name):
    linked = f"`{name}.py`" if (SOURCE / f"{name}.py").exists() else f"`{name}`"
    assert re.search(rf"^\|.*\[{re.escape(linked)}\]\(src/ludarium/", README, re.MULTILINE)
    assert re.search(rf"^.{{,{EXPLAINED}}}\b{name}\b", layers(), re.MULTILINE)


def test_the_layers_are_those_that_import_linter_keeps():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    drawn = [set(re.findall(r"\w+", line[:EXPLAINED])) for line in layers().splitlines()]
    for contract in contracts[:2]:
        rows = [[name for name in re.findall(r"\w+", line) if name in set(modules())] for line in contract["layers"]]
        heights = [{place for name in row for place, each in enumerate(drawn) if name in each} for row in rows if row]
        assert all(len(each) == 1 for each in heights)
        assert heights == sorted(heights, key=min)


@pytest.mark.parametrize("text", [README, ARCHITECTURE, EXTENDING], ids=["README", "architecture", "extending"])
def test_links_lead_somewhere(text):
    base = ROOT if text is README else ROOT / "docs"
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (base / target).exists(), target


COPIED = re.findall(r"^\| an? .*\((src/ludarium/\w+/\w+\.py)\)", README, re.MULTILINE)


@pytest.mark.parametrize("file", COPIED)
def test_what_is_to_be_copied_works_from_another_place(file, tmp_path, monkeypatch):
    kind = {"games": "game", "agents": "agent", "evaluate": "evaluator", "hidden": "determinizer"}[file.split("/")[2]]
    copied = tmp_path / f"copied_{Path(file).name}"
    copied.write_text((ROOT / file).read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(sys, "path", list(sys.path))
    module = ".".join(Path(file).with_suffix("").parts[1:])
    listed = next(entry.place for entry in registry.listed(kind).values() if entry.place.startswith(f"{module}:"))
    place = f"{copied}:{listed.partition(':')[2]}"
    assert registry.kinds_of(place) == [kind]
    made = registry.make(kind, place)
    assert type(made).__module__ in (copied.stem, "ludarium.kernel.game")
    if kind in ("game", "agent"):
        game, agents = (place, ["random"] * 2) if kind == "game" else ("tic-tac-toe", [place, "random"])
        assert play(game, agents, iterations=10, seed=1).utilities
    del sys.modules[copied.stem]


def test_every_variable_is_in_the_table():
    used = {name for path in SOURCE.rglob("*.py") for name in re.findall(r"LUDARIUM_[A-Z]+", path.read_text("utf-8"))}
    assert used
    assert set(re.findall(r"^\| `(LUDARIUM_[A-Z]+)`", README, re.MULTILINE)) == used


def test_every_command_is_in_the_table():
    listed = set(re.findall(r"^\| `ludarium ([\w-]+)", README, re.MULTILINE))
    assert listed == set(cli.COMMANDS)
