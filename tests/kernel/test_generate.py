"""Generated kernels: text with places in, kernels out, and whatever goes wrong in them names the place in the rules."""

import gc
import linecache
import subprocess
import sys

import pytest

from ludarium.kernel import Emitter, KernelError, buffer, fn, generate, i64, kernel, using
from ludarium.kernel.generate import kernels
from ludarium.kernel.machine import engine
from ludarium.kernel.places import GENERATED

WAYS = ("native", "check", "python")


def file_of(made):
    return made.function.__code__.co_filename


def shaky(origin, name="game"):
    """A kernel each of whose lines can fail, each line with a place of its own."""
    out = Emitter(name)
    with out.kernel("shaky(v: buffer[i64], what: i64) -> i64", f"{origin}:1"):
        with out.block("if what == 0:", f"{origin}:2"):
            out.line("return v[len(v)]", f"{origin}:3")
        with out.block("if what == 1:", f"{origin}:4"):
            out.line('assert len(v) == 0, "no room"')
        out.line("return 7 // (what - 2)", f"{origin}:5")
    return out.kernels()["shaky"]


FAULTS = [(0, IndexError, 3, "index"), (1, AssertionError, 4, "no room"), (2, ZeroDivisionError, 5, "by zero|modulo")]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("what", "error", "line", "message"), FAULTS)
def test_what_goes_wrong_names_the_place_in_the_rules(way, what, error, line, message):
    made = shaky("chess.kif")
    with using(way), pytest.raises(error, match=rf"^chess.kif:{line} \(<game \w+>:\d+(:\d+)?\): .*({message})"):
        made(memoryview(bytearray(16)).cast("q"), what)


@pytest.mark.parametrize("way", ["check", "python"])
@pytest.mark.parametrize(
    ("line", "error"), [("return v[8]", IndexError), ("return a + a", OverflowError), ("return 1 << a", OverflowError)]
)
def test_faults_that_only_checks_find_name_it_too(way, line, error):
    out = Emitter("game")
    with out.kernel("f(v: view[i64], a: i64) -> i64", "rules:1"):
        out.line(line, "rules:9")
    with using(way), pytest.raises(error, match=r"^rules:9 "):
        out.kernels()["f"](memoryview(bytearray(16)).cast("q"), 1 << 62)


@kernel
def calling(f: fn[[buffer[i64], i64], i64], v: buffer[i64], what: i64) -> i64:
    return f(v, what)


@pytest.mark.parametrize("way", WAYS)
def test_the_place_is_named_through_kernels_that_others_wrote(way):
    with using(way), pytest.raises(ZeroDivisionError, match=r"^chess.kif:5 \(<game \w+>:[\d:]+\): [^<]*$"):
        calling(shaky("chess.kif"), memoryview(bytearray(8)).cast("q"), 2)


def test_what_a_python_function_raises_below_a_generated_kernel_comes_out_as_itself():
    def failing(a):
        raise IndexError("mine")

    made = kernels("game", "@kernel\ndef f(a: i64) -> i64:\n    return a\n", origins=["x", "y", "z"])["f"]
    from ludarium.kernel.compiler.arguments import python_caller

    with pytest.raises(IndexError, match=r"^mine$"):
        python_caller(made, failing, frozenset())(1)


@pytest.mark.parametrize("way", WAYS)
def test_a_kernel_that_cannot_be_compiled_names_the_place_in_the_rules(way):
    out = Emitter("game")
    with out.kernel("f(a: i64) -> i64", "rules:1"), out.block("if a > 0:", "rules:2"):
        out.line("return missing", "rules:3")
    made = out.kernels()["f"]
    with (
        using(way),
        pytest.raises(KernelError, match=r"^rules:3 \(<game \w+>:4:16\): 'missing' is not defined") as caught,
    ):
        made(1)
    assert (caught.value.file, caught.value.line, caught.value.column) == (file_of(made), 4, 16)


def test_so_does_text_that_is_no_python():
    out = Emitter("game")
    with out.kernel("f(a: i64) -> i64", "rules:1"):
        out.line("return a +", "rules:2")
    with pytest.raises(KernelError, match=r"^rules:2 \(<game \w+>:3:\d+\): invalid syntax"):
        out.kernels()


def test_lines_without_an_origin_have_that_of_what_stands_around_them():
    out = Emitter("game")
    with out.kernel("f(a: i64) -> i64", "rules:1"):
        out.line("b = a")
        with out.block("if a > 0:", "rules:2"):
            out.lines(["b = 1", "b = 2"])
            with out.at("rules:3"):
                out.line("b = 3\nb = 4")
            out.line("b = 5", "rules:4")
            out.line("b = 6")
        out.line("return b")
    origins = GENERATED[file_of(out.kernels()["f"])].origins
    assert [int(x[-1:] or 0) for x in origins] == [1, 1, 1, 2, 2, 2, 3, 3, 4, 2, 1, 0]


def test_text_is_indented_and_readable():
    out = Emitter("game")
    with out.kernel("f(a: i64) -> i64"):
        with out.block("while a > 0:"):
            out.lines(["if a > 5:", "    a = 5", "a -= 1"])
        with out.block("if a > 9:"):
            pass
        out.line("return a")
    assert out.text == (
        "@kernel\ndef f(a: i64) -> i64:\n    while a > 0:\n        if a > 5:\n            a = 5\n        a -= 1\n"
        "    if a > 9:\n        pass\n    return a\n\n"
    )
    assert out.kernels()["f"](20) == 0


def test_a_kernel_may_be_written_in_the_middle_of_another():
    out = Emitter("game")
    with out.kernel("outer(a: i64) -> i64", "rules:1"), out.block("if a > 0:"):
        with out.kernel("inner(a: i64) -> i64", "rules:2"):
            out.line("return a * 2")
        out.line("return inner(a)")
        out.line("assert False")
    assert out.text.index("def inner") < out.text.index("def outer")
    with pytest.raises(KernelError, match="rules:1 .*can end without returning"):
        out.kernels()["outer"](3)
    more = Emitter("game")
    with more.kernel("outer(a: i64) -> i64"):
        with more.kernel("inner(a: i64) -> i64"):
            more.line("return a * 2")
        more.line("return inner(a)")
    assert more.kernels()["outer"](3) == 6


def test_fresh_names_are_names_and_never_the_same():
    out = Emitter("game")
    hints = [
        "row",
        "row",
        "row_2",
        "row",
        "piece-at",
        "?x",
        "9",
        "",
        "if",
        "len",
        "view",
        "kernel",
        "größe",
        "piece at",
    ]
    names = [out.fresh(hint) for hint in hints]
    assert names[0] == "row"
    assert len(set(names)) == len(names)
    assert all(name.isidentifier() for name in names)
    assert not {"if", "len", "view", "kernel"} & set(names)


def test_kernels_know_the_scope_and_kernels_of_another_text():
    first = kernels("game", "@kernel\ndef first(a: i64) -> i64:\n    return a + ONE\n", {"ONE": 1})
    assert list(first) == ["first"]
    second = kernels("game", "@kernel\ndef second(a: i64) -> i64:\n    return first(first(a))\n", first)
    assert list(second) == ["second"]
    assert second["second"](5) == 7


def test_the_same_text_has_the_same_name_and_different_texts_have_not():
    one, same, other = shaky("a.kif"), shaky("a.kif"), shaky("a.kif", name="other")
    assert file_of(one) == file_of(same) != file_of(other)
    text = "@kernel\ndef f(a: i64) -> i64:\n    return a * {}\n"
    two, three = (kernels("game", text.format(n))["f"] for n in (2, 3))
    assert file_of(two) != file_of(three)
    assert (two(5), three(5)) == (10, 15)


@pytest.mark.parametrize("way", WAYS)
def test_the_same_code_from_two_places_names_each_its_own(way):
    games = [shaky("a.kif"), shaky("b.kif"), shaky("a.kif")]
    for made, origin in zip(games, ("a.kif", "b.kif", "a.kif"), strict=True):
        with using(way), pytest.raises(ZeroDivisionError, match=f"^{origin}:5 "):
            made(memoryview(bytearray(8)).cast("q"), 2)


@pytest.fixture
def compiled(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDARIUM_CACHE", str(tmp_path))
    texts = []
    real = engine.compile_object
    monkeypatch.setattr(engine, "compile_object", lambda text, level: (texts.append(text), real(text, level))[1])
    return texts


def test_rules_that_moved_in_their_file_keep_their_machine_code(compiled):
    for origin in ("a.kif", "b.kif"):
        made = shaky(origin, name="moved")
        with using("native"), pytest.raises(ZeroDivisionError, match=f"^{origin}:5 "):
            made(memoryview(bytearray(8)).cast("q"), 2)
        del made
        gc.collect()
    assert len(compiled) == 1


def test_another_process_finds_the_machine_code(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDARIUM_CACHE", str(tmp_path / "cache"))
    program = (
        "import sys\nfrom ludarium.kernel import Emitter\nfrom ludarium.kernel.machine import engine\n"
        "out = Emitter('game')\nwith out.kernel('f(a: i64) -> i64', 'rules:1'):\n    out.line('return a * a')\n"
        "if sys.argv[1] == 'again':\n    engine.compile_object = None\nprint(out.kernels()['f'](12))\n"
    )
    for word in ("first", "again"):
        command = [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}\n{program}", word]
        assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "144\n"


def test_the_text_of_kernels_that_are_gone_is_forgotten():
    kept, dropped = shaky("a.kif", name="kept"), shaky("a.kif", name="dropped")
    again = shaky("a.kif", name="dropped")
    file = file_of(dropped)
    dropped.source.text
    del dropped
    gc.collect()
    assert linecache.getlines(file)
    del again
    gc.collect()
    assert file not in GENERATED
    assert file in linecache.cache, "whoever walks through the cache meanwhile"
    shaky("a.kif", name="next")
    assert file not in linecache.cache
    assert linecache.getlines(file_of(kept))


def test_a_text_that_is_held_anew_is_not_forgotten_with_the_old_one():
    """Its last holder may be found gone when the next one is there already, in another thread."""
    out = Emitter("anew")
    with out.kernel("seven() -> i64", "rules.kif:1"):
        out.line("return 7")
    made = out.kernels()
    file = file_of(made["seven"])
    generate._GONE.append((file, (0, None, [], file)))  # as the end of an earlier holder would
    generate._forget_what_is_gone()
    assert file in linecache.cache
    assert made["seven"]() == 7
    generate._GONE.append((file, linecache.cache[file]))
    generate._forget_what_is_gone()
    assert file not in linecache.cache
