"""A limit of memory that is too low is named, whatever the libraries say that found no room."""

import os
import subprocess
import sys

import pytest

from ludarium.arena import round_robin, run
from ludarium.arena.memory import short_of_memory

UNDER = """
import resource, sys
from ludarium.arena.memory import short_of_memory
assert "llvmlite" not in sys.modules
resource.setrlimit(resource.RLIMIT_AS, ({most}, {most}))
try:
    {task}
except Exception as problem:
    print(short_of_memory(problem))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the limit is not kept")
@pytest.mark.parametrize("task", ["import llvmlite.binding", "bytearray(1 << 30)"])
def test_what_finds_no_room_is_told_to_be_memory(task):
    code = UNDER.format(most=120 << 20, task=task)
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    told = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
    assert told.startswith("120 MB of memory are too few for it")


def test_without_a_limit_nothing_is_said_of_memory():
    assert short_of_memory(MemoryError()) == ""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the limit is not kept")
@pytest.mark.parametrize(
    ("game", "memory"), [("gdl:tic-tac-toe", 100), ("lud:tic-tac-toe", 60), ("lud:tic-tac-toe", 120)]
)
def test_a_compiled_game_without_room_is_refused_for_want_of_memory(game, memory, tmp_path):
    plan = round_robin([game], ["flat", "random"], seed=0, matches=1, iterations=5)
    outcome = run(plan, tmp_path / "results.db", 1, "processes", memory=memory << 20)
    assert outcome.played == 0
    assert all(f"{memory} MB of memory" in told and "\n" not in told for told in outcome.failed.values())
