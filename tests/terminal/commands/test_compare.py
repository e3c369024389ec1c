"""The command `compare`: what is wrong with a mapping is told, and not taken for a difference of the games."""

from tests.commands import run

GAMES = ("tic-tac-toe", "gdl:tic-tac-toe", "--positions", 300, "--matches", 2)


def compared(tmp_path, text, games=GAMES):
    file = tmp_path / "moves.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return run("compare", *games, "--mapping", file, columns=200)


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


def test_a_mapping_is_not_blamed_for_trees_that_differ_whatever_moves_are_called(tmp_path):
    result = compared(tmp_path, '"a1" = "noop"\n', ("tic-tac-toe", "gdl:connect-four"))
    assert result.exit_code == 1
    assert "they differ" in result.stdout
    assert "the entry" not in result.output


def test_a_mapping_that_fits_is_left_alone(tmp_path):
    result = compared(tmp_path, '"a1" = "(mark 1 1)"\n')
    assert result.exit_code == 0
    assert "the entry" not in result.output


def test_a_mapping_that_is_not_text_is_told_with_its_place(tmp_path):
    result = compared(tmp_path, b'"a1" = "(mark 1 1)"\n"b\xff" = "x"\n')
    assert result.exit_code == 2
    assert "moves.toml:2:3: the byte 0xff is not UTF-8 text" in result.stderr


def test_what_holds_no_mapping_is_refused(tmp_path):
    for text in ("a = " + "[" * 100_000, "a = " + "9" * 10_000):
        result = compared(tmp_path, text)
        assert result.exit_code == 2
        assert "moves.toml: " in result.stderr
    result = run("compare", *GAMES, "--mapping", tmp_path)
    assert result.exit_code == 2
    assert "this is a folder; expected a file" in " ".join(result.stderr.split())


def test_two_entries_that_mean_one_move_are_refused_with_the_line_of_the_second(tmp_path):
    result = compared(tmp_path, '"(mark 1 1)" = "a1"\n\n"( mark 1  1 )" = "b2"\n', tuple(reversed(GAMES[:2])))
    assert result.exit_code == 2
    told = "moves.toml:3: '( mark 1  1 )' is the same move as '(mark 1 1)', which stands above"
    assert told in " ".join(result.stderr.split("\n"))
