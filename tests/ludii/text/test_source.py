"""Files that can be read, and what is said about those that cannot."""

import pytest

from ludarium.core import LudariumError
from ludarium.ludii.text.source import MAX_BYTES, load


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
    (tmp_path / "large.lud").write_bytes(b" " * (MAX_BYTES + 1))
    (tmp_path / "binary.lud").write_bytes(b"(game\n \0\1\2)")
    (tmp_path / "latin.lud").write_bytes('(game\n  "Größe")'.encode("latin-1"))
    assert "ends in .lud" in refusal(tmp_path / "rules.kif")
    assert "No such file" in refusal(tmp_path / "missing.lud")
    assert "this is a folder; expected a file" in refusal(tmp_path / "folder.lud")
    assert "larger than 4 MB" in refusal(tmp_path / "large.lud")
    assert "binary.lud:2:2: a NUL is not text" in refusal(tmp_path / "binary.lud")
    assert "latin.lud:2:6: the byte 0xf6 is not UTF-8 text" in refusal(tmp_path / "latin.lud")
