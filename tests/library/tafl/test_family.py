"""The tafl family is written from one source."""

import pytest

from ludarium import library
from ludarium.library.tafl import family


@pytest.mark.parametrize("game", family.FAMILY, ids=lambda game: game.name)
def test_the_rule_file_is_what_the_source_says(game: family.Tafl) -> None:
    assert library.path(game.name).read_text(encoding="utf-8") == family.description(game)


def test_there_are_eleven_variants() -> None:
    assert len(family.VARIANTS) == 11
    assert len({family.description(game) for game in family.FAMILY}) == len(family.FAMILY) == 14


def test_main_writes_all_files(tmp_path) -> None:
    family.main(tmp_path)
    assert {file.stem for file in tmp_path.glob("*.kif")} == {game.name for game in family.FAMILY}
