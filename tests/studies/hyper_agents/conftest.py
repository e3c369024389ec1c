"""Tables to learn from that look like the published ones."""

import pytest

from ludarium.hyper.models.published import AGENTS, CONCEPTS, HEURISTICS, LUDEMES, NAMES
from tests.hyper.tables import table, write


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """Files like the published ones, with scores of our own making."""
    folder = tmp_path_factory.mktemp("published")
    made = table(40)
    features, _ = write(folder, made)
    features.rename(folder / CONCEPTS)
    (folder / LUDEMES).write_text(
        "GameName,Add_game.Add\n" + "".join(f"{name},{k % 2}\n" for k, name in enumerate(made.games))
    )
    for file, heads in ((AGENTS, NAMES), (HEURISTICS, ["MaterialPos", "MobilitySimplePos", "ScorePos"])):
        rows = [[game, *(*row, *row)[: len(heads)]] for game, row in zip(made.games, made.scores, strict=True)]
        text = "\n".join(",".join(map(str, row)) for row in [["GameName", *heads], *rows])
        (folder / file).write_text(text + "\n")
    return folder
