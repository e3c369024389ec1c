"""Files are written whole, or left as they were."""

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from ludarium.core import BadParameter
from ludarium.core.files import whole, write_file
from ludarium.terminal.arguments import check_writable


def full(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def interrupted(file):
    with whole(file) as part:
        part.write_text("half")
        raise KeyboardInterrupt


@pytest.mark.parametrize("before", [None, "old"])
@pytest.mark.parametrize("broken", ["write_bytes", "replace"])
def test_a_full_disk_leaves_what_was_there(tmp_path, monkeypatch, before, broken):
    file = tmp_path / "page.html"
    if before:
        file.write_text(before)
    with monkeypatch.context() as disk:
        disk.setattr(Path, broken, full)
        with pytest.raises(OSError, match="No space left"):
            write_file(file, "new")
    assert {each.name: each.read_text() for each in tmp_path.iterdir()} == ({file.name: before} if before else {})


def test_an_end_in_the_middle_leaves_what_was_there(tmp_path):
    (tmp_path / "page.html").write_text("old")
    with pytest.raises(KeyboardInterrupt):
        interrupted(tmp_path / "page.html")
    assert [each.read_text() for each in tmp_path.iterdir()] == ["old"]


def test_links_and_permissions_stay(tmp_path):
    file, link = tmp_path / "file.txt", tmp_path / "link.txt"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    write_file(link, b"new\r\n")
    assert (link.is_symlink(), file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (True, b"new\r\n", 0o640)


def test_devices_are_written_to_and_folders_refuse(tmp_path):
    write_file(Path(os.devnull), "gone")
    assert not Path(os.devnull).is_file()
    with pytest.raises(IsADirectoryError):
        write_file(tmp_path, "text")


def test_who_reads_a_pipe_gets_what_is_written(tmp_path):
    command = (
        "from pathlib import Path; from ludarium.core.files import write_file; write_file(Path('/dev/stdout'), 'x')"
    )
    told = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=False)
    assert (told.stdout, told.stderr) == ("x", "")


def test_two_who_write_one_file_are_not_in_each_others_way(tmp_path):
    file = tmp_path / "file.txt"
    with whole(file) as one, whole(file) as two:
        one.write_text("one")
        two.write_text("two")
        assert (one.read_text(), two.read_text()) == ("one", "two")
    assert [each.read_text() for each in tmp_path.iterdir()] == ["one"]


def test_a_link_to_nothing_is_written_where_it_points(tmp_path):
    there = tmp_path / "there"
    link, lost = tmp_path / "link.txt", tmp_path / "lost.txt"
    link.symlink_to(there / "file.txt")
    lost.symlink_to(tmp_path / "nowhere" / "file.txt")
    with pytest.raises(BadParameter, match=f"there is no folder '{there}'"):
        check_writable(link)
    there.mkdir()
    check_writable(link)
    write_file(link, "new")
    assert (there / "file.txt").read_text() == "new"
    with pytest.raises(BadParameter, match=f"there is no folder '{tmp_path / 'nowhere'}'"):
        check_writable(lost)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_in_a_folder_that_takes_no_other_is_written(tmp_path):
    file = tmp_path / "closed" / "file.txt"
    file.parent.mkdir()
    file.write_text("old")
    file.parent.chmod(0o500)
    try:
        check_writable(file)
        write_file(file, "new")
        with pytest.raises(KeyboardInterrupt):
            interrupted(file)
        with pytest.raises(BadParameter, match="may not write"):
            check_writable(file.with_name("other.txt"))
        assert [each.read_text() for each in file.parent.iterdir()] == ["new"]
    finally:
        file.parent.chmod(0o700)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_files_that_may_not_be_written_stay(tmp_path):
    file = tmp_path / "file.txt"
    file.write_text("old")
    file.chmod(0o400)
    with pytest.raises(PermissionError):
        write_file(file, "new")
    assert file.read_text() == "old"
