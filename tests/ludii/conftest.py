"""The part of the corpus that holds Ludii's library."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def ludii(pytestconfig: pytest.Config) -> Path:
    """The folder of Ludii's games, defines and trials in what was given by --corpus."""
    folder: Path | None = pytestconfig.getoption("corpus")
    if folder is None:
        pytest.skip("needs a folder with Ludii's library: run pytest --corpus DIR")
    inner = folder / "ludii" if (folder / "ludii").is_dir() else folder
    if not (inner / "lud").is_dir():
        pytest.skip(f"{inner} has no folder lud")
    return inner.resolve()
