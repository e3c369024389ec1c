"""What is loaded when: measured in modules, which a busy machine does not change."""

import subprocess
import sys

import pytest

import ludarium

HEAVY = ("numpy", "pandas", "scipy", "sklearn", "matplotlib", "rich", "typer", "llvmlite", "clingo")


def loaded_by(code, whole=False):
    code = f"{code}\nimport sys\nprint(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name if whole else name.partition(".")[0] for name in told.stdout.split()}


def test_the_package_loads_nothing_heavy():
    assert not loaded_by("from ludarium import *") & set(HEAVY)


def test_the_package_loads_neither_games_nor_agents_nor_the_compiler():
    code = "from ludarium import *; import sys; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "ludarium.core" in modules
    assert not [part for part in ("games", "agents", "kernel") if f"ludarium.{part}" in modules]


@pytest.mark.parametrize("heavy", ["pandas", "scipy", "sklearn", "matplotlib", "rich", "typer"])
def test_a_match_needs_none_of_these(heavy):
    code = "from ludarium import *; play(game('tic-tac-toe'), [agent('uct'), agent('random')], iterations=10)"
    assert heavy not in loaded_by(code)


def test_the_command_line_loads_rich_when_something_is_drawn():
    assert "rich" not in loaded_by("import ludarium.cli")


def test_listing_games_compiles_none():
    code = "from ludarium.catalog import GAMES, game\nfor name in GAMES: game(name)"
    assert "llvmlite" not in loaded_by(code)


def test_the_command_that_lists_games_does_without_arrays():
    code = """if True:
        import contextlib, io, runpy, sys
        sys.argv = ["ludarium", "games"]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            runpy.run_module("ludarium", run_name="__main__")"""
    loaded = loaded_by(code)
    assert "typer" in loaded
    assert not loaded & {"numpy", "pandas", "scipy", "llvmlite"}
    whole = loaded_by(code, whole=True)
    assert "ludarium.terminal.commands.lists" in whole
    assert not whole & {"ludarium.hidden", "ludarium.arena", "ludarium.terminal.commands.play", "ludarium.server"}


def test_the_front_door_is_three_names():
    assert set(ludarium.__all__) == {"__version__", "agent", "game", "play"}
    assert all(hasattr(ludarium, name) for name in dir(ludarium))
    with pytest.raises(AttributeError, match="'ludarium' has no attribute 'gmae'"):
        _ = ludarium.gmae


def test_a_gdl_game_is_loaded_without_what_a_playout_does_not_need():
    code = "import ludarium.gdl.game, sys; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    unwanted = (
        "catalog",
        "arena",
        "gdl.joins",
        "gdl.facts.groups",
        "gdl.facts.pieces",
        "gdl.facts.promises",
        "gdl.network.batch",
        "gdl.listing",
        "gdl.view",
        "gdl.check.suspicions",
        "kernel.compiler.checker",
    )
    assert not {f"ludarium.{name}" for name in unwanted} & set(modules)
