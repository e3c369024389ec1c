"""The part of the corpus that holds rule files."""

from pathlib import Path

import pytest

from ludarium.gdl.stored import Stored


@pytest.fixture(scope="session")
def corpus(pytestconfig: pytest.Config) -> Path:
    """The folder of rule files in what was given by --corpus."""
    folder: Path | None = pytestconfig.getoption("rule_files")
    if folder is None:
        pytest.skip("needs a folder of rule files: run pytest --corpus DIR")
    return folder.resolve()


@pytest.fixture(autouse=True)
def nothing_kept(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work rules out anew: what was kept would hide what a test changes, and what it changes must not be kept."""
    if request.module.__name__.rpartition(".")[2] != "test_stored":
        monkeypatch.setattr(Stored, "_read", lambda stored, name, otherwise: (otherwise, ""))
        monkeypatch.setattr(Stored, "keep", lambda stored, name, part: "")
