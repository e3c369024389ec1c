"""The command `compare`: what is wrong with a mapping is told, and not taken for a difference of the games."""

from tests.commands import run

GAMES = ("tic-tac-toe", "gdl:tic-tac-toe", "--positions", 300, "--matches", 2)


def compared(tmp_path, text):
    file = tmp_path / "moves.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return run("compare", *GAMES, "--mapping", file, columns=200)


def test_what_is_no_move_is_refused_with_its_file_and_key(tmp_path):
    result = compared(tmp_path, '"a1" = "(mark 9 1)"\n')
    assert result.exit_code == 2
    assert "moves.toml: the entry 'a1': '(mark 9 1)' is not a move of gdl:tic-tac-toe" in result.stderr
    result = compared(tmp_path, '"z9" = "(mark 1 1)"\n')
    assert result.exit_code == 2
    assert "moves.toml: the entry 'z9': " in result.stderr


def test_a_move_that_nobody_ever_has_is_named_where_positions_do_not_fit(tmp_path):
    result = compared(tmp_path, '"a1" = "noop"\n')
    assert "moves.toml: the entry 'a1': 'noop' is no move of gdl:tic-tac-toe in what was looked at" in result.stdout


def test_a_mapping_that_fits_is_left_alone(tmp_path):
    result = compared(tmp_path, '"a1" = "(mark 1 1)"\n')
    assert result.exit_code == 0
    assert "the entry" not in result.output


def test_a_mapping_that_is_not_text_is_told_with_its_place(tmp_path):
    result = compared(tmp_path, b'"a1" = "(mark 1 1)"\n"b\xff" = "x"\n')
    assert result.exit_code == 2
    assert "moves.toml:2:3: the byte 0xff is not UTF-8 text" in result.stderr
