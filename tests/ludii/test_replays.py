"""Games of Ludii's library replay its recorded trials, as the list in the docs says."""

import csv
import random
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from ludarium.kernel.machine.optimiser import OPTIMISER
from ludarium.ludii.trial.check import AGREES, DIFFERS, UNSUPPORTED, check
from tests.ludii.trial.samples import head

pytestmark = pytest.mark.corpus

LISTED = Path(__file__).parents[2] / "docs" / "ludii-games.csv"


def listed():
    with LISTED.open() as file:
        return {row["game"]: row["outcome"] for row in csv.DictReader(file)}


def replayed(work):
    """What two trials of a game say of it: the first that does not agree, or that they do."""
    OPTIMISER.close()  # two trials are over before better code would be there
    for file in work:
        verdict = check(file)
        if verdict.outcome != AGREES:
            return verdict.outcome, str(verdict)
    return AGREES, ""


def test_games_play_as_listed(ludii, pytestconfig, monkeypatch):
    """A twentieth of the library, another with each commit; with --slow all of it.

    What is listed as agreeing agrees, and no other game that can be played is wrong without being listed so. A game that does
    better than the list says is no mistake: the list is made anew from time to time.
    """
    monkeypatch.setenv("LUDARIUM_LUDII", str(ludii))
    games = sorted(listed().items())
    if not pytestconfig.option.slow:
        games = random.Random(head()).sample(games, len(games) // 20)
    files = [sorted((ludii / "trials" / game).glob("*.xz")) for game, _ in games]
    with ProcessPoolExecutor(2) as pool:
        found = list(pool.map(replayed, files))
    wrong = [
        f"{game}: listed as {expected}, but {reason or outcome}"
        for (game, expected), (outcome, reason) in zip(games, found, strict=True)
        if (expected == AGREES and outcome != AGREES) or (expected == UNSUPPORTED and outcome == DIFFERS)
    ]
    assert not wrong, "\n".join(wrong)
