"""Whatever users wrote is read or refused in a sentence: 300 spoiled texts for each reader, always the same ones."""

import pytest

from ludarium import catalog
from ludarium.arena import Store
from ludarium.arena.store.damage import damage, reading
from ludarium.core import BadParameter
from tests.commands import run
from tests.fuzz import readers
from tests.fuzz.spoil import damaged


@pytest.mark.parametrize("name", readers.READERS)
def test_spoiled_texts_end_in_no_traceback(name):
    found = [readers.outcome(readers.READERS[name], f"{name} {number}") for number in range(300)]
    assert not [each for each in found if each][:1]


def test_commands_tell_of_damage(tmp_path):
    for number in range(4):
        path = tmp_path / f"{number}.db"
        path.write_bytes(damaged(readers.made_store(), f"commands {number}"))
        for command in (["results", path], ["export", path, tmp_path / "out.csv"], ["replay", path, ""]):
            told = run(*command)
            assert told.exit_code in (0, 2), told.output


def test_a_store_is_blamed_only_for_its_own_damage(tmp_path):
    path = tmp_path / "whole.db"
    path.write_bytes(readers.made_store())
    assert damage(path) is None
    with pytest.raises(ZeroDivisionError), reading(path), Store(path, readonly=True):
        raise ZeroDivisionError


@pytest.mark.parametrize("name", ["x" * 3000 + ".py:B", "a\0b.py:B", "\ud800.py:B", "~nobody-at-all/a.py:B"])
def test_names_that_no_file_can_have_are_no_files(name):
    with pytest.raises(BadParameter, match="there is no file"):
        catalog.agent(name)
