"""Machine code: big units start at once and get better, threads run side by side."""

import threading
import time

import numpy as np
import pytest

from ludarium.core import Rng
from ludarium.games.connect_four import connect_four
from ludarium.kernel import Stream, Table, Unit, copy, i64, kernel, u8, using, view
from ludarium.kernel.machine import engine, optimiser
from tests.kernel.sources import module


@pytest.fixture(autouse=True)
def _native(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDARIUM_CACHE", str(tmp_path))
    with using("native"):
        yield


def big_module(kernels):
    """Kernels enough to be too many to optimise before they are run."""
    text = ""
    for n in range(kernels):
        text += f"@kernel\ndef part{n}(values: view[i64], a: i64) -> i64:\n    total = a\n    for k in range(len(values)):\n"
        for line in range(20):
            text += f"        if values[k] % {line + 3} == {line % 3}:\n            total += values[k] * {n + line} // {line + 2}\n"
        text += f"    return total % 1000003{f' + part{n - 1}(values, total % 1000)' if n else ''}\n"
    return module(text)[f"part{kernels - 1}"]


def improved(unit, seconds=120):
    """Wait for the better code."""
    event = threading.Event()
    before = list(unit.code.addresses)
    unit.watch(lambda: unit.code.addresses == before or event.set())
    assert event.wait(seconds)


def test_a_big_unit_runs_at_once_and_is_replaced_by_better_code():
    big = big_module(12)
    values = np.arange(1000)
    unit = big.unit("native")
    assert len(unit.assembly()) > engine.QUICK_ABOVE
    quick = unit.addresses[big.name]
    expected = big(values, 5)
    improved(unit)
    assert unit.addresses[big.name] != quick
    assert big(values, 5) == expected
    with using("check"):
        assert big(values, 5) == expected


def test_better_code_is_stored_and_found(monkeypatch):
    big = big_module(2)
    monkeypatch.setattr(engine, "QUICK_ABOVE", 0)
    improved(big.unit("native"))
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        unit = Unit({big.name: big})
        if len(unit.code._libraries) == 1 and unit.code.best:
            break
        time.sleep(0.05)
    else:
        pytest.fail("the better code is compiled again and again")


def test_in_a_hurry_even_small_kernels_run_before_they_are_optimised():
    small = big_module(1)
    unit = Unit({small.name: small}, hurry=True)
    assert len(unit.assembly()) < engine.QUICK_ABOVE
    quick, expected = unit.addresses[small.name], unit.call(small.name, np.arange(100), 5)
    unit.finish()
    assert unit.addresses[small.name] != quick
    assert unit.call(small.name, np.arange(100), 5) == expected
    again = Unit({small.name: small}, hurry=True)
    assert again.code.best  # nothing is left to do


def test_what_was_compiled_in_a_hurry_is_found_again(monkeypatch):
    monkeypatch.setattr(optimiser, "WAIT", 1000.0)
    small = big_module(1)
    first = Unit({small.name: small}, hurry=True)
    monkeypatch.setattr(engine, "compile_object", None)
    second = Unit({small.name: small}, hurry=True)
    assert second.call(small.name, np.arange(9), 1) == first.call(small.name, np.arange(9), 1)
    assert not second.code.best  # it is still to be optimised


def test_the_text_of_code_is_written_once_and_kept_until_it_has_been_optimised(monkeypatch):
    small, written = big_module(1), []
    write = Unit.assembly
    monkeypatch.setattr(Unit, "assembly", lambda unit: written.append(unit) or write(unit))
    unit = Unit({small.name: small}, hurry=True)
    unit.finish()
    assert unit.code.best
    assert len(written) == 1
    assert unit.code.assembly() == unit.assembly()  # anew, as nobody needs it any more
    assert len(written) == 3


def test_what_runs_briefly_is_never_optimised(monkeypatch):
    levels, small = [], big_module(1)
    compiled = engine.compile_object
    monkeypatch.setattr(engine, "compile_object", lambda text, level: levels.append(level) or compiled(text, level))
    for _ in range(2):
        unit = Unit({small.name: small}, brief=True)
        assert unit.code.best
    assert levels == [engine.QUICK_LEVEL]
    lasting = Unit({small.name: small})
    assert levels == [engine.QUICK_LEVEL, engine.FULL_LEVEL]  # and is not taken for what is optimised
    assert lasting.call(small.name, np.arange(9), 1) == unit.call(small.name, np.arange(9), 1)


def test_table_pointers_follow_and_a_search_that_is_running_is_not_disturbed(monkeypatch):
    monkeypatch.setattr(engine, "QUICK_ABOVE", 0)
    game = connect_four()
    bridge = game.bridge
    before = bytes(bridge.table._memory)
    root = game.initial().block
    expected = play_many(bridge.table, root, bytearray(root), Rng(3), 300)
    done = []
    stop = threading.Event()

    def keep_playing():
        while not stop.is_set():
            done.append(play_many(bridge.table, root, bytearray(root), Rng(3), 300))

    player = threading.Thread(target=keep_playing)
    player.start()
    improved(bridge.unit)
    stop.set()
    player.join()
    assert bytes(bridge.table._memory) != before
    assert play_many(bridge.table, root, bytearray(root), Rng(3), 300) == expected
    assert set(done) == {expected}


@kernel
def play_many(table: Table, root: view[u8], state: view[u8], rng: Stream, count: i64) -> i64:
    plies = 0
    for _ in range(count):
        copy(state, root)
        plies += table.playout(state, rng, 100)
    return plies


@kernel
def wait_for(flag: view[i64], limit: i64, other: i64) -> i64:
    """Spin until another thread raises a flag."""
    for k in range(limit):
        if flag[0] != 0:
            return k
        flag[other] += 1  # for all that LLVM knows this may be the flag, so it is read again and again
    return -1


def test_kernels_release_the_lock_of_the_interpreter():
    wait_for(np.ones(2, np.int64), 1, 1)
    flag = np.zeros(2, np.int64)
    answers = []
    waiting = threading.Thread(target=lambda: answers.append(wait_for(flag, 20_000_000_000, 1)))
    waiting.start()
    time.sleep(0.01)
    assert waiting.is_alive()  # the kernel runs, and so does this thread
    flag[0] = 1
    waiting.join(60)
    assert answers
    assert answers[0] >= 0


def test_two_kernels_run_at_the_same_time():
    """Each waits for what only the other can do."""
    flags = np.zeros(4, np.int64)
    answers = []
    ping_pong(flags, 0, 0, 1)

    def run(me):
        answers.append(ping_pong(flags, me, 20, 20_000_000_000))

    threads = [threading.Thread(target=run, args=(me,)) for me in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert answers == [20, 20]


@kernel
def ping_pong(flags: view[i64], me: i64, rounds: i64, limit: i64) -> i64:
    """Count up in turns with the other one."""
    for done in range(rounds):
        waited = 0
        while flags[1 - me] < done + me:
            waited += 1
            flags[2 + me] = waited
            if waited == limit:
                return done
        flags[me] = done + 1
    return rounds


def test_many_threads_compile_and_call_the_same_kernel_at_once(monkeypatch):
    compiled = []
    real = engine.compile_object

    def counting(text, level):
        compiled.append(level)
        return real(text, level)

    monkeypatch.setattr(engine, "compile_object", counting)
    big = big_module(3)
    values = np.arange(50)
    barrier, answers, problems = threading.Barrier(8), [], []

    def run():
        try:
            barrier.wait()
            answers.extend(big(values, n) for n in range(20))
        except BaseException as problem:  # noqa: BLE001
            problems.append(problem)

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert len(compiled) == 1
    assert len(answers) == 160
    assert len(set(answers)) == 20


def test_memory_cannot_be_moved_while_a_kernel_uses_it():
    flag = bytearray(16)
    waiting = threading.Thread(target=wait_for, args=(memoryview(flag).cast("q"), 20_000_000_000, 1))
    wait_for(np.ones(2, np.int64), 1, 1)
    waiting.start()
    time.sleep(0.01)
    with pytest.raises(BufferError):
        flag.extend(bytes(1000))
    flag[0] = 1
    waiting.join(60)


def test_a_kernel_may_be_called_like_a_function_of_the_c_library():
    scope = module(
        "import ludarium.kernel as k\n"
        "@kernel\ndef memset(a: f64) -> f64:\n    z = array(u8, 300)\n    z[3] = 1\n    return k.log(a) + z[3] + z[4]\n"
        "@kernel\ndef log(a: f64) -> f64:\n    return k.log(a) + memset(a)\n"
    )
    assert scope["log"](1.0) == 1.0


def test_names_need_not_be_ascii():
    scope = module("@kernel\ndef größe(ä: i64, ß: view[u8]) -> i64:\n    ö: u8 = ä\n    return ö + len(ß)\n")
    assert scope["größe"](3, b"12") == 5


def test_an_empty_table_has_no_elements():
    scope = module("NONE = data('none', i32, b'')\n@kernel\ndef f() -> i64:\n    return len(NONE)\n")
    assert scope["f"]() == 0


def test_kernels_that_differ_in_their_tables_share_their_code(monkeypatch):
    texts = []
    real = engine.compile_object
    monkeypatch.setattr(engine, "compile_object", lambda text, level: (texts.append(text), real(text, level))[1])
    text = "SAME = data('same', u8, bytes({}))\nALSO = data('same', u8, b'7')\n@kernel\ndef f() -> i64:\n    return SAME[1] + ALSO[0] + len(SAME)\n"
    assert module(text.format([1, 2, 3]), file="<the same>")["f"]() == 2 + 55 + 3
    assert module(text.format([4, 5]), file="<the same>")["f"]() == 5 + 55 + 2
    assert len(texts) == 1
