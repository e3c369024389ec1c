"""The tafl family is written from one source."""

import pytest

from ludarium import library
from ludarium.gdl import tafl


@pytest.mark.parametrize("game", tafl.FAMILY, ids=lambda game: game.name)
def test_the_rule_file_is_what_the_source_says(game: tafl.Tafl) -> None:
    assert library.path(game.name).read_text(encoding="utf-8") == tafl.description(game)


def test_there_are_eleven_variants() -> None:
    assert len(tafl.VARIANTS) == 11
    assert len({tafl.description(game) for game in tafl.FAMILY}) == len(tafl.FAMILY) == 14


def test_main_writes_all_files(tmp_path) -> None:
    tafl.main(tmp_path)
    assert {file.stem for file in tmp_path.glob("*.kif")} == {game.name for game in tafl.FAMILY}
