import subprocess
import sys

from ludarium import core


def test_all_that_is_public_is_listed_once_and_documented():
    assert len(set(core.__all__)) == len(core.__all__)
    classes = [thing for thing in map(core.__dict__.get, core.__all__) if isinstance(thing, type)]
    assert all(thing.__doc__ for thing in classes)


def test_the_vocabulary_loads_without_any_machinery():
    code = "import sys, ludarium.core; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert "ludarium" in loaded
    assert not {"numpy", "llvmlite", "typer", "rich"} & set(loaded)
