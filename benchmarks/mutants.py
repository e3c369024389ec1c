"""Whether the tests notice mistakes: mutants of searches and samplers, made one at a time in a copy of the checkout.

    python benchmarks/mutants.py [--only WORD ...] [--clean]

The mutants and the tests that must catch them are listed in `mutants.toml`. A mutant is caught if one of its tests fails, as the
default run of the tests would; that says something only while they pass without it, which `--clean` tries. A mutant by which
nothing can be loaded any more, or nothing ends, is a bad one. The exit code counts those that were not caught.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
CHECKOUT = HERE.parent
COPIED = ("src", "tests", "benchmarks", "pyproject.toml")
PATIENCE = 1200  # seconds
FAILED = 1  # what pytest answers if tests fail, and all could be run


@dataclass(frozen=True)
class Mutant:
    """A mistake, and who must notice it."""

    what: str
    file: str
    before: str
    after: str
    tests: tuple[str, ...]

    def made(self, source: str) -> str:
        """Put the mistake into a text."""
        if source.count(self.before) != 1:
            raise SystemExit(f"{self.file} has {self.before!r} {source.count(self.before)} times; expected once")
        return source.replace(self.before, self.after)


def mutants() -> list[Mutant]:
    """Read the list."""
    with (HERE / "mutants.toml").open("rb") as file:
        listed = tomllib.load(file)["mutant"]
    return [Mutant(**{**each, "tests": tuple(each["tests"])}) for each in listed]


def main() -> int:
    """Make mutants, run their tests, and answer how many were not caught."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--only", nargs="+", default=[""], metavar="WORD", help="mutants with this in their name or file"
    )
    parser.add_argument("--clean", action="store_true", help="first run the same tests without a mistake")
    given = parser.parse_args()
    chosen = [each for each in mutants() if any(word in f"{each.what} {each.file}" for word in given.only)]
    missed = 0
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "checkout"
        copied(copy)
        if given.clean:
            tests = sorted({test for each in chosen for test in each.tests})
            code, end = run(copy, tests)
            if code:
                raise SystemExit(f"tests fail without any mistake: {end}")
        print("| mutant | file | noticed by |\n| --- | --- | --- |", flush=True)
        for mutant in chosen:
            noticed = tried(copy, mutant)
            missed += not noticed
            print(f"| {mutant.what} | `{mutant.file}` | {noticed or 'NOBODY'} |", flush=True)
    print(f"\n{len(chosen) - missed} of {len(chosen)} were caught")
    return missed


def copied(copy: Path) -> None:
    """Copy what the tests need."""
    for name in COPIED:
        source = CHECKOUT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy / name)


def tried(copy: Path, mutant: Mutant) -> str:
    """Run the tests of a mutant; the first that fails, or nothing."""
    path = copy / "src" / "ludarium" / mutant.file
    source = path.read_text(encoding="utf-8")
    path.write_text(mutant.made(source), encoding="utf-8")
    try:
        code, end = run(copy, mutant.tests)
    finally:
        path.write_text(source, encoding="utf-8")
    if code not in (0, FAILED):
        raise SystemExit(f"a bad mutant, which cannot be tested: {mutant.what}\n{end}")
    return f"`{end}`" if code else ""


def run(copy: Path, tests: Sequence[str]) -> tuple[int, str]:
    """Run tests up to the first that fails; pytest's answer, and the name of that test or the last words."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider", "--tb=no", *tests]
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=copy, env=kept, capture_output=True, text=True, timeout=PATIENCE, check=False)
    lines = done.stdout.splitlines()
    failed = [line.removeprefix("FAILED ").partition(" - ")[0] for line in lines if line.startswith("FAILED ")]
    return done.returncode, failed[0] if failed else "\n".join(lines[-5:] + done.stderr.splitlines()[-5:])


if __name__ == "__main__":
    sys.exit(main())
