"""Commands to test with: in process where that is enough, as a process where signals, pipes and streams matter."""

import signal
import subprocess
import sys

from typer.testing import CliRunner

from ludarium.cli import app


def run(*args, typed=None, columns=100):
    words = [str(word) for word in args]
    result = CliRunner().invoke(app, words, input=typed, env={"COLUMNS": str(columns), "TERM": "dumb"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def process(*args, **options):
    command = [sys.executable, "-m", "ludarium", *map(str, args)]
    return subprocess.Popen(
        command,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_heed_ctrl_c,  # noqa: PLW1509
        **{"stdin": subprocess.DEVNULL} | options,
    )


def read_until(stream, word):
    """Read what a process says, up to a line with a word in it."""
    while line := stream.readline():
        if word in line:
            return
    raise AssertionError(f"it ended without saying {word!r}")


def _heed_ctrl_c():
    """A shell starts what runs in its background deaf to Ctrl-C, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
