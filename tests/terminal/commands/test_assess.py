"""The command `assess`: files and names, mistakes, pages, Ctrl-C, and watching a file."""

import os
import signal
import time
from pathlib import Path

from tests.commands import process, run

GAME = """
(game "Three" (players 2)
    (equipment { (board (square 3)) (piece "Stone" Each) })
    (rules (play (move Add (to (sites Empty)))) (end { (if (is Line 3) (result Mover Win)) (if (is Full) (result Mover Draw)) }))
)
"""


def test_a_file_is_assessed_and_a_page_is_written(tmp_path):
    file, page = tmp_path / "three.lud", tmp_path / "page.html"
    file.write_text(GAME)
    told = run("assess", file, "--matches", 3, "--iterations", 20, "--report", page)
    assert told.exit_code == 0
    assert "three in numbers" in told.output
    assert "score of player1" in told.output
    assert "Rules without a part" in told.output
    assert page.read_text().startswith("<!DOCTYPE html>")


def test_mistakes_in_a_file_are_listed_and_nothing_is_played(tmp_path):
    file = tmp_path / "three.lud"
    file.write_text(GAME.replace("Line", "Lime"))
    told = run("assess", file)
    assert told.exit_code == 2
    assert "three.lud:4:" in told.output
    assert "did you mean 'Line'" in told.output
    assert "in numbers" not in told.output


def test_what_cannot_be_is_told_in_a_line(tmp_path):
    assert "unknown game" in run("assess", "xyzzy").output
    refused = run("assess", "nim", "--report", tmp_path / "none" / "page.html", "--matches", 10**20)
    assert (refused.exit_code, "there is no folder" in refused.output) == (2, True)
    assert "expected a file that ends in .html" in run("assess", "nim", "--report", tmp_path / "page.pdf").output
    assert "is no file that could be watched" in run("assess", "nim", "--watch").output


def test_ctrl_c_keeps_what_was_found(tmp_path):
    page = tmp_path / "page.html"
    running = process("assess", "tic-tac-toe", "--matches", 100000, "--iterations", 200, "--report", page)
    stat = Path(f"/proc/{running.pid}/stat")
    if stat.exists():  # it begins later on a busy machine
        _wait_for(
            lambda: sum(map(int, stat.read_text().rpartition(")")[2].split()[11:13])) > 6 * os.sysconf("SC_CLK_TCK")
        )
    else:
        time.sleep(8)
    running.send_signal(signal.SIGINT)
    output, errors = running.communicate(timeout=300)
    assert running.returncode == 130
    assert "tic-tac-toe in numbers" in output
    assert "stopped after" in errors
    assert page.exists()


def test_a_watched_file_is_assessed_again_when_it_is_saved(tmp_path):
    file, page = tmp_path / "three.lud", tmp_path / "page.html"
    file.write_text(GAME)
    running = process("assess", file, "--watch", "--matches", 1, "--iterations", 5, "--report", page)
    try:
        _wait_for(page.exists)
        file.write_text(GAME.replace('"Stone"', '"Pebble"').replace("Full", "Fall"))
        page.unlink()
        time.sleep(1)
        file.write_text(GAME.replace('"Stone"', '"Pebble"'))
        _wait_for(page.exists)
    finally:
        running.send_signal(signal.SIGINT)
        output, errors = running.communicate(timeout=300)
    assert running.returncode == 130
    assert errors.count("--- ") == 3
    assert output.count("three in numbers") >= 1


def _wait_for(happened, seconds=300):
    for _ in range(seconds * 10):
        if happened():
            return
        time.sleep(0.1)
    raise AssertionError("it did not happen")
