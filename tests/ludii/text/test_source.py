"""Files that can be read, and what is said about those that cannot."""

import pytest

from ludarium.core import LudariumError
from ludarium.core.limits import limited
from ludarium.ludii.text.source import load


def refusal(path):
    with pytest.raises(LudariumError) as caught:
        load(path)
    return str(caught.value)


def test_a_file_is_read_with_or_without_a_mark_at_its_beginning(tmp_path):
    (tmp_path / "a.lud").write_bytes('\ufeff(game "Größe")'.encode())
    (tmp_path / "b.LUD").write_bytes('(game "Größe")'.encode())
    assert load(tmp_path / "a.lud") == load(tmp_path / "b.LUD") == '(game "Größe")'


def test_what_cannot_be_read_is_refused(tmp_path):
    (tmp_path / "folder.lud").mkdir()
    (tmp_path / "binary.lud").write_bytes(b"(game\n \0\1\2)")
    (tmp_path / "latin.lud").write_bytes('(game\n  "Größe")'.encode("latin-1"))
    assert "ends in .lud" in refusal(tmp_path / "rules.kif")
    assert "No such file" in refusal(tmp_path / "missing.lud")
    assert "this is a folder; expected a file" in refusal(tmp_path / "folder.lud")
    assert "binary.lud:2:2: a NUL is not text" in refusal(tmp_path / "binary.lud")
    assert "latin.lud:2:6: the byte 0xf6 is not UTF-8 text" in refusal(tmp_path / "latin.lud")


def test_a_file_that_is_too_large_names_its_limit_which_can_be_raised(tmp_path):
    file = tmp_path / "large.lud"
    file.write_bytes(b" " * 2000)
    with limited(file_megabytes=0.0019):
        said = refusal(file)
    assert said.startswith(f"{file}: the file has more than 0.0019 megabytes\n")
    assert "ludarium --limit file_megabytes=NUMBER" in said
    with limited(file_megabytes=0.002):
        assert load(file) == " " * 2000
