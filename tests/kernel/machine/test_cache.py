"""Compiled code is found again by what it was made from, and no trouble with the folder is an error."""

import errno
import multiprocessing
import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import pytest

from ludarium.kernel import using
from ludarium.kernel.machine import cache, engine
from tests.kernel.sources import module

TEXT = """
FACTOR = {factor}
TABLE = constant(i64, [{entry}, 2, 3])
UNRELATED = {unrelated}

class Point(Record):
    x: {width}
    y: i64

Points = view[Point]

@kernel
def below(a: i64) -> i64:
    return a + {inner}

@kernel
def unrelated(a: i64) -> i64:
    return a * UNRELATED

@kernel
def main(a: i64, points: Points) -> i64:
    return below(a) * FACTOR + TABLE[0]
"""
PLAIN = {"factor": 3, "entry": 1, "width": "i32", "inner": 1, "unrelated": 5}


def key(**changes):
    """The name under which a program is stored; its file is always called the same."""
    scope = module(TEXT.format(**PLAIN | changes), file="<the same>")
    return scope["main"].source.digest({})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDARIUM_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def compiled(monkeypatch):
    """How often LLVM is asked to compile."""
    levels = []
    real = engine.compile_object

    def counting(text, level):
        levels.append(level)
        return real(text, level)

    monkeypatch.setattr(engine, "compile_object", counting)
    return levels


def run(**changes):
    scope = module(TEXT.format(**PLAIN | changes), file="<the same>")
    with using("native"):
        return scope["main"](10, bytearray(16))


@pytest.mark.parametrize("change", [{"factor": 4}, {"entry": 9}, {"width": "i64"}, {"inner": 2}])
def test_the_key_changes_with_constants_tables_records_and_callees(change):
    assert key(**change) != key()


def test_the_key_does_not_change_with_anything_else():
    assert key(unrelated=6) == key()


def test_a_second_use_compiles_nothing(folder, compiled):
    assert run() == run() == 34
    assert len(compiled) == 1
    assert len(list(folder.iterdir())) == 1
    assert run(factor=4) == 45
    assert len(compiled) == 2


def test_check_and_release_are_kept_apart(folder, compiled):
    scope = module(TEXT.format(**PLAIN), file="<the same>")
    for way in ("native", "check"):
        with using(way):
            assert scope["main"](10, bytearray(16)) == 34
    assert len(compiled) == 2


def test_another_process_compiles_nothing(folder, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent("""
        from __future__ import annotations
        import sys
        from ludarium.kernel import i64, kernel
        from ludarium.kernel.machine import engine

        @kernel
        def square(a: i64) -> i64:
            return a * a

        if sys.argv[1] == "again":
            engine.compile_object = None
        print(square(12))
        """)
    )
    for word in ("first", "again"):
        assert _python(program, word) == "144\n"


def _python(program, *words, **more):
    """Run a program with this source tree, and give what it prints."""
    path = os.pathsep.join(sys.path)
    command = [sys.executable, str(program), *words]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path, **more}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "damage",
    [lambda d: d[:-1], lambda d: d[:10], lambda d: b"", lambda d: d[:99] + b"x" + d[100:], lambda d: b"\0" * len(d)],
)
def test_a_damaged_file_is_compiled_again_and_replaced(folder, compiled, damage):
    run()
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert run() == 34
    assert len(compiled) == 2
    assert file.read_bytes() == whole


def test_whole_files_with_wrong_content_are_compiled_again(folder, compiled):
    run()
    (file,) = folder.iterdir()
    cache.store(file.stem, b"no object file")
    assert run() == 34
    assert len(compiled) == 2


def test_a_folder_that_cannot_be_written(folder, compiled, monkeypatch):
    def refused(**_):
        raise PermissionError(errno.EACCES, "Permission denied")

    folder.mkdir()
    folder.chmod(0o500)
    monkeypatch.setattr(tempfile, "mkstemp", refused)  # to the superuser nothing is read-only
    assert run() == run() == 34
    assert len(compiled) == 2


@pytest.mark.parametrize("place", ["/dev/null", "/dev/null/deeper", "/proc/none"])
def test_a_folder_that_is_none(monkeypatch, compiled, place):
    monkeypatch.setenv("LUDARIUM_CACHE", place)
    assert run() == run() == 34
    assert len(compiled) == 2


def test_no_home_folder(monkeypatch, compiled):
    for name in ("LUDARIUM_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", _no_home)
    assert run() == 34


def _no_home():
    raise RuntimeError("Could not determine home directory.")


def test_a_full_disk(folder, compiled, monkeypatch):
    real = os.fdopen

    def full(handle, *args):
        file = real(handle, *args)
        file.write(b"a part of it")
        file.flush()

        class Full:
            def __enter__(self):
                return self

            def __exit__(self, *_):
                file.close()

            def write(self, data):
                raise OSError(errno.ENOSPC, "No space left on device")

        return Full()

    monkeypatch.setattr(os, "fdopen", full)
    assert run() == 34
    assert list(folder.iterdir()) == []


def test_where_the_folder_is(monkeypatch):
    monkeypatch.setenv("LUDARIUM_CACHE", "here")
    assert cache.folder() == Path("here")
    monkeypatch.delenv("LUDARIUM_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "there")
    assert cache.folder() == Path("there/ludarium")


def test_old_files_are_dropped(folder):
    cache.store("11", b"old")
    os.utime(folder / "11.o", (0, 0))
    cache.store("22", b"new")
    assert cache.load("11") == b"old"
    cache.store("0022", b"now and then the folder is tidied")
    assert (cache.load("11"), cache.load("22")) == (None, b"new")


def _compile_at_once(number, barrier, answers):
    barrier.wait()
    answers.put(run(factor=77))


def test_several_processes_compile_the_same_kernel_at_once(folder):
    context = multiprocessing.get_context("spawn")
    barrier, answers = context.Barrier(4), context.Queue()
    workers = [context.Process(target=_compile_at_once, args=(k, barrier, answers)) for k in range(4)]
    for worker in workers:
        worker.start()
    assert [answers.get(timeout=120) for _ in workers] == [11 * 77 + 1] * 4
    for worker in workers:
        worker.join()
    assert [file.suffix for file in folder.iterdir()] == [".o"]


def test_code_that_others_may_write_is_not_run(folder, caplog):
    cache.store("key", b"code")
    stored = folder / "key.o"
    assert cache.load("key") == b"code"
    assert folder.stat().st_mode & 0o077 == 0
    for path, told in ((stored, f"{stored} is not used: others may write"), (folder, f"{folder} is not used: others")):
        mode = path.stat().st_mode
        path.chmod(mode | 0o020)
        assert cache.load("key") is None
        assert cache.load("key") is None
        assert sum(told in record.getMessage() for record in caplog.records) == 1  # said once
        path.chmod(mode)
        assert cache.load("key") == b"code"
    folder.chmod(0o777)
    cache.store("new", b"code")
    assert not (folder / "new.o").exists()


def test_code_of_another_user_is_not_run(folder, caplog, monkeypatch):
    cache.store("key", b"code")
    monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
    assert cache.load("key") is None
    assert "belongs to another user" in caplog.text
