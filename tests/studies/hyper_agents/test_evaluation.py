"""Games for evaluation, and the map of all games."""

import shutil

import numpy as np
import pytest

from ludarium.core import LudariumError
from ludarium.hyper.models.published import AGENTS, CONCEPTS, HEURISTICS, LUDEMES, NAMES
from ludarium.studies.hyper_agents.evaluation import choices, map_figure
from ludarium.studies.hyper_agents.mapping import RESULTS, draw_map, kept, read
from ludarium.studies.hyper_agents.selecting import directions, most_spread, selected
from tests.hyper.tables import table, write


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """Files like the published ones: 30 games to learn from, 20 others, and what agents won in these."""
    folder = tmp_path_factory.mktemp("published")
    made = table(50)
    write(folder, made)[0].rename(folder / CONCEPTS)
    lines = "".join(f"{name},{k % 2}\n" for k, name in enumerate(made.games))
    (folder / LUDEMES).write_text(f"GameName,Add_game.Add\n{lines}")
    rows = [[game, *row, *row[:2]] for game, row in zip(made.games, made.scores, strict=True)]
    for file, part in ((AGENTS, rows[:30]), (HEURISTICS, rows), (RESULTS, rows[30:])):
        text = "\n".join(",".join(map(str, row)) for row in [["GameName", *NAMES], *part])
        (folder / file).write_text(text + "\n")
    return folder


def test_games_are_selected_as_far_apart_as_can_be():
    angles = np.radians([0, 1, 2, 90, 91, 180, 181])
    rows = np.column_stack([np.cos(angles), np.sin(angles)])
    chosen = most_spread(rows, 3)
    assert {round(float(np.degrees(angles[k])) / 90) for k in chosen} == {0, 1, 2}
    assert sorted(most_spread(rows, 99)) == list(range(7))


def test_concepts_count_in_standard_deviations_and_ludemes_as_they_are():
    rows = directions(("NumPlayers", "Add_game.Add"), np.array([[1.0, 1.0], [3.0, 0.0]]))
    assert rows == pytest.approx(np.array([[-1 / np.sqrt(2), 1 / np.sqrt(2)], [1.0, 0.0]]))


def test_games_that_were_learned_from_are_not_selected(published):
    chosen = selected(published, count=8)
    assert len(set(chosen)) == 8
    assert all(int(name.split()[1]) >= 30 for name in chosen)


def test_the_map_has_all_games_and_says_what_choices_cost(published, tmp_path):
    path = tmp_path / "study.db"
    said = []
    draw_map(published, path, said.append)
    draw_map(published, path, said.append)
    assert said == ["a map of 50 games"]
    drawn = read(path)
    kinds = [each[3] for each in drawn["games"]]
    assert kinds.count("learned") == 30
    assert kinds.count("selected") == 20  # there are no more than 20
    (sheet,), (told,) = choices(drawn)
    assert sum(row[2] for row in sheet.rows) == pytest.approx(100)
    assert "95 % interval" in told
    assert map_figure(drawn).svg().startswith("<?xml")
    other = tmp_path / "other"
    shutil.copytree(published, other)
    results = (other / RESULTS).read_text().splitlines()
    (other / RESULTS).write_text("\n".join(results[:-1]) + "\n")
    draw_map(other, path, said.append)
    assert len(said) == 2, "from other tables it is drawn again"
    assert len(read(path)["choices"]) == len(drawn["choices"]) - 1
    kept(path).write_text("{")
    with pytest.raises(LudariumError, match="delete it to draw the map again"):
        read(path)
