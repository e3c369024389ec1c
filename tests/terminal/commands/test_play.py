"""The command `play`: where a match ends that does not end by itself, and where it can be saved."""

import pytest

from tests.commands import run

NIM = ("play", "nim", "random", "random", "--seed", 1)


def test_a_match_is_cut_at_the_move_limit_and_says_so():
    told = run(*NIM, "--move-limit", 3)
    assert told.exit_code == 0
    assert "nobody wins: cut after 3 plies (--move-limit" in told.output
    assert told.output.rstrip().endswith("--move-limit 3 --seed 1")  # which is the same match again


def test_one_line_tells_a_cut_match_from_a_draw():
    assert "3 plies, cut there, seed 1" in run(*NIM, "--move-limit", 3, "--quiet").output


def test_a_series_counts_the_matches_that_were_cut():
    assert "3.0 plies each, 4 cut at the move limit, seeds 1 to 4" in run(*NIM, "--move-limit", 3, "--games", 4).output


def test_a_limit_of_none_is_no_limit():
    unlimited = run("--limit", "moves=3", *NIM, "--move-limit", 0, "--quiet").output
    assert unlimited == run(*NIM, "--quiet").output
    assert "cut" in run("--limit", "moves=3", *NIM, "--quiet").output


@pytest.mark.parametrize("wrong", ["-1", "x"])
def test_a_limit_is_a_number_from_0_up(wrong):
    told = run(*NIM, "--move-limit", wrong)
    assert told.exit_code == 2
    assert "limit" in told.output


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("folder.json", "it is a folder"),
        ("folder.db", "it is a folder"),
        ("nowhere/match.json", "there is no folder 'nowhere'"),
        ("nowhere/match.db", "there is no folder 'nowhere'"),
        ("noise.db", "not a store"),
        ("match.doc", "a match is saved as .json, .txt, .db"),
    ],
)
def test_where_a_match_cannot_be_saved_is_said_before_it_is_played(file, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("folder.json", "folder.db"):
        (tmp_path / folder).mkdir()
    (tmp_path / "noise.db").write_bytes(b"no store" * 1000)
    told = run(*NIM, "--quiet", "--save", file)
    assert told.exit_code == 2
    assert message in told.output
    assert "Match(" not in told.output
