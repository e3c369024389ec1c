"""The part of the corpus that holds rule files."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def corpus(pytestconfig: pytest.Config) -> Path:
    """The folder of rule files in what was given by --corpus."""
    folder: Path | None = pytestconfig.getoption("rule_files")
    if folder is None:
        pytest.skip("needs a folder of rule files: run pytest --corpus DIR")
    return folder.resolve()
