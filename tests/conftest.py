"""Options and fixtures that every test may use."""

import gc
import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import settings

from ludarium.kernel.compiler.source import deeply

collect_ignore = ["outside"]  # a package of its own, which a test installs

# A busy machine is no failure, and a failure must come back on the next run.
settings.register_profile("ludarium", deadline=None, derandomize=True)
settings.load_profile("ludarium")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests marked slow, too")
    parser.addoption("--corpus", metavar="DIR", type=Path, help="a folder of other people's collections to test with")


def pytest_configure(config: pytest.Config) -> None:
    if config.option.slow and config.option.markexpr == "not slow":
        config.option.markexpr = ""
    folder = config.option.corpus
    if folder is not None and not folder.is_dir():
        raise pytest.UsageError(f"--corpus: {folder} is not a folder")
    # Rule files lie in the folder itself, or in its part named gdl.
    inner = folder / "gdl" if folder is not None and (folder / "gdl").is_dir() else folder
    config.option.rule_files = inner
    # Processes that tests start find the package compiled, even where the environment keeps Python from storing that.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    cache = getattr(config, "cache", None)  # there is none with -p no:cacheprovider
    if cache is not None:
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(cache.mkdir("bytecode")))
    # Started in the background, tests would be deaf to Ctrl-C, and so would the processes that they send it to.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        with suppress(ValueError):  # only the main thread may
            signal.signal(signal.SIGINT, signal.default_int_handler)
    # Matrices are small here: on a busy machine, threads that share them mostly wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def pytest_collection_finish() -> None:
    """Spare the garbage collector ten thousand tests and all that they import: it would look through them again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def depth_for_compiling() -> None:
    """Let recursion go as deep as compiling allows: if the first kernel is compiled within a test of hypothesis, that calls it a fault."""
    with deeply(None):
        pass


@pytest.fixture(scope="session")
def corpus(pytestconfig: pytest.Config) -> Path:
    """The folder given by --corpus."""
    folder: Path | None = pytestconfig.getoption("corpus")
    if folder is None:
        pytest.skip("needs a folder of rule files: run pytest --corpus DIR")
    return folder.resolve()
