"""The facts of Ludii's games, from the table that comes with the recorded trials."""

import csv
import re
from pathlib import Path

import pytest

from ludarium.ludii.trial.facts import Container, GameFacts


@pytest.fixture(scope="session")
def index(ludii: Path) -> dict[str, GameFacts]:
    """The facts of each game, by its path below `lud`; of matches next to nothing is known."""
    with (ludii / "index.csv").open(encoding="utf-8") as file:
        return {row["path"].removesuffix(".lud"): facts(row) for row in csv.DictReader(file)}


def facts(row: dict[str, str]) -> GameFacts:
    components = re.findall(r"(.+?):(-?\d+)(?: |$)", row["components"])
    containers = re.findall(r"(.+?):(\d+):(\d+)(?: |$)", row["containers"])
    match = row["match"] == "1"
    return GameFacts(
        players=int(row["players"] or 2),
        stacking=row["stacking"] == "1" or match,
        counts=row["counts"] == "1",
        hidden=row["hidden"] == "1",
        use=row["use"] or "Cell",
        vertices=1 << 30 if match else int(row["vertices"] or 0),
        edges=1 << 30 if match else int(row["edges"] or 0),
        cells=int(row["cells"] or 0),
        containers=tuple(Container(name, int(first), int(sites)) for name, first, sites in containers),
        owners=(0, *(int(owner) for _, owner in components)),
        names=("", *(name for name, _ in components)),
    )
