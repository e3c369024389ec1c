"""The list of mutants stays true: each can be made in the source as it is, and names tests that there are."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[2]
sys.path.insert(0, str(HERE / "benchmarks"))

from mutants import CHECKOUT, Mutant, mutants  # noqa: E402

LISTED = mutants()


@pytest.mark.parametrize("mutant", LISTED, ids=lambda mutant: mutant.what)
def test_every_mutant_can_be_made(mutant):
    source = (HERE / "src" / "ludarium" / mutant.file).read_text(encoding="utf-8")
    made = mutant.made(source)
    assert made != source
    compile(made, mutant.file, "exec")
    assert mutant.tests
    assert all((CHECKOUT / test).is_file() for test in mutant.tests)


def test_there_are_mutants_of_searches_and_of_samplers():
    folders = [mutant.file.partition("/")[0] for mutant in LISTED]
    assert len(LISTED) == len({mutant.what for mutant in LISTED}) >= 12
    assert folders.count("agents") >= 12
    assert folders.count("hidden") >= 5


@pytest.mark.parametrize("source", ["nothing of the kind", "a = 1\na = 1\n"])
def test_a_mutant_that_is_not_in_its_place_is_an_error(source):
    with pytest.raises(SystemExit, match=r"x.py has 'a = 1' [02] times; expected once"):
        Mutant("a mistake", "x.py", "a = 1", "a = 2", ("tests/test_x.py",)).made(source)


@pytest.mark.slow
def test_a_mutant_is_made_tested_and_told():
    script = HERE / "benchmarks" / "mutants.py"
    done = subprocess.run(
        [sys.executable, str(script), "--clean", "--only", "tournament of parents"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "`tests/agents/rolling/test_evolve.py::test_a_tournament_prefers_the_fitter`" in done.stdout
    assert done.stdout.endswith("1 of 1 were caught\n")
