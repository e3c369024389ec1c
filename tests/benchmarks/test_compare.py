"""The comparison of two checkouts: what its rounds say, and that everything it measures can still be measured."""

import inspect
import shutil
import subprocess
import sys
from math import comb
from pathlib import Path

import pytest

HERE = Path(__file__).parents[2]
sys.path.insert(0, str(HERE / "benchmarks"))

from comparison import starts, work  # noqa: E402
from comparison.measurements import NAMES, STARTS, SUSTAINED  # noqa: E402
from comparison.ratio import Row, interval  # noqa: E402


def row(*ratios):
    return Row("playouts", [[(2.0, 2.0 * ratio)] for ratio in ratios])


def compared(*arguments):
    command = [sys.executable, str(HERE / "benchmarks" / "compare.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("count", "rank"), [(1, 0), (5, 0), (6, 0), (8, 0), (9, 1), (12, 2), (20, 5)])
def test_the_interval_is_the_narrowest_that_holds_the_median_with_confidence(count, rank):
    assert interval([float(n) for n in range(count)][::-1]) == (rank, count - 1 - rank)
    outside = [2 * sum(comb(count, k) for k in range(r + 1)) / 2**count for r in (rank, rank + 1)]
    assert outside[1] > 0.05
    assert outside[0] <= 0.05 or rank == 0


def test_a_verdict_is_credible_or_open():
    spread = (0.98, 0.99, 1.0, 1.0, 1.0, 1.0, 1.0, 1.01, 1.02)
    assert row(*spread).verdict == "pass"
    assert row(*(0.9 * ratio for ratio in spread)).verdict == "SLOWER"
    assert row(*(0.97 * ratio for ratio in spread)).verdict == "open"
    assert row(*(1.2 * ratio for ratio in spread)).verdict == "faster"
    assert row(0.5, 0.5, 0.5, 0.5, 0.5).verdict == "open"  # by chance all are on one side one time in sixteen
    assert Row("playouts", problem="no such game").verdict == "FAILED"


def test_a_ratio_is_that_of_rates_side_by_side():
    drifting = Row("playouts", [[(100.0, 50.0), (10.0, 5.0), (1.0, 4.0)]])
    assert drifting.ratios == [0.5]
    assert (drifting.before, drifting.after) == (10.0, 5.0)


@pytest.mark.parametrize("name", SUSTAINED)
def test_work_is_prepared_by_a_function_with_these_arguments(name):
    function, *arguments = SUSTAINED[name]
    inspect.signature(getattr(work, function)).bind(*arguments)


@pytest.mark.slow
@pytest.mark.parametrize("name", SUSTAINED)
def test_work_can_be_done(name):
    function, *arguments = SUSTAINED[name]
    assert getattr(work, function)(*arguments)(1) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", STARTS)
def test_a_process_can_be_timed(name, tmp_path):
    environment = {"PYTHONPATH": f"{HERE / 'src'}:{HERE / 'benchmarks'}", "LUDARIUM_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", STARTS[name].timed]
    assert float(subprocess.check_output(command, env=environment, text=True).split()[-1]) > 0


def test_names_are_all_different():
    assert len(set(NAMES)) == len(SUSTAINED) + len(STARTS)
    assert {start.store for start in STARTS.values()} == {starts.STORED, starts.EMPTY}


def test_a_checkout_is_compared_with_itself():
    done = compared("--against", str(HERE), "--rounds", "1", "--markdown", "--only", "start:python", "steps:connect")
    steps, python = done.stdout.splitlines()[2:]
    assert steps.startswith("| steps:connect-four | ")
    assert python.startswith("| start:python | ")
    assert done.stdout.count("x | ") == 2, done.stdout + done.stderr
    assert "FAILED" not in done.stdout


def test_what_cannot_be_measured_is_told(tmp_path):
    package = tmp_path / "src" / "ludarium"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('broken on purpose')\n")
    done = compared("--against", str(HERE), "--checkout", str(tmp_path), "--rounds", "1", "--only", "start:import")
    assert done.returncode == 1
    assert "FAILED" in done.stdout
    assert f"{tmp_path}: ImportError: broken on purpose" in done.stdout
    shutil.rmtree(package)
    done = compared("--against", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.strip() == f"{tmp_path} is no checkout of Ludarium: it has no src/ludarium"


def test_a_name_that_picks_nothing_is_an_error():
    done = compared("--against", str(HERE), "--only", "chess-by-mail")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.strip() == "no measurement begins with chess-by-mail; --list shows all"
