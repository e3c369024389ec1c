"""Games of Ludii's library replay its recorded trials, as the list in the docs says."""

import csv
import random
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from ludarium.core import Rng
from ludarium.ludii.game import from_text
from ludarium.ludii.library import open_library
from ludarium.ludii.trial.check import AGREES, DIFFERS, UNSUPPORTED, check
from ludarium.testing import check_agent, check_game
from tests.ludii.trial.samples import head

pytestmark = pytest.mark.corpus

LISTED = Path(__file__).parents[2] / "docs" / "ludii-games.csv"


def listed():
    with LISTED.open() as file:
        return {row["game"]: row["outcome"] for row in csv.DictReader(file)}


def replayed(work):
    """What two trials of a game say of it: the first that does not agree, or that they do."""
    for file in work:
        verdict = check(file)
        if verdict.outcome != AGREES:
            return verdict.outcome, str(verdict)
    return AGREES, ""


def test_games_play_as_listed(ludii, pytestconfig, monkeypatch):
    """A twentieth of the library, another with each commit; with --slow all of it.

    What is listed as agreeing agrees, and no other game that can be played is wrong without being listed so.
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


SAMPLE = [
    "board/space/line/Tic-Tac-Toe", "board/space/line/Connect Four", "board/space/connection/Hex", "board/race/reach/Breakthrough",
    "board/war/leaping/diagonal/English Draughts", "board/war/replacement/checkmate/chess/Chess", "board/sow/two_rows/Kalah",
    "board/hunt/Adugo", "board/space/group/Lines of Action", "board/space/line/Nine Men's Morris",
]  # fmt: skip


def loaded(ludii, path):
    library = open_library(ludii)
    matches = [each for each in library.paths if each.removesuffix(".lud").endswith(path)]
    if not matches:
        pytest.skip(f"{path} is not in this library")
    text, file = library.read(matches[0])
    return from_text(text, file, (), library.defines)


@pytest.mark.slow
@pytest.mark.parametrize("path", SAMPLE)
def test_games_of_the_library_keep_the_promises_of_games(ludii, path):
    check_game(loaded(ludii, path), seeds=range(1))


@pytest.mark.slow
@pytest.mark.parametrize("path", SAMPLE[:4])
def test_agents_keep_their_promises_with_games_of_the_library(ludii, path):
    from ludarium import agent

    for name in ("uct", "mast", "alphabeta"):
        check_agent(agent(name), loaded(ludii, path))


TWICE = {
    "board/space/line/Tic-Tac-Toe": "tic-tac-toe",
    "board/space/line/Connect Four": "connect-four",
    "board/race/reach/Breakthrough": "breakthrough",
    "board/space/connection/Hex": "",
}


@pytest.mark.parametrize("path", [path for path, other in TWICE.items() if other])
def test_the_same_game_in_two_languages_has_as_many_moves_and_the_same_ends(ludii, path):
    """Walked side by side: positions are matched by the moves that led to them, which both games list in the order of sites."""
    from ludarium import game

    ours, other = loaded(ludii, path), game(TWICE[path])
    for depth, (one, two) in enumerate(zip(perft(ours, 3), perft(other, 3), strict=True)):
        assert one == two, f"at depth {depth}"


def perft(game, depth):
    """How many positions there are at each depth, and how many of them are over."""
    states, found = [game.initial(Rng(1))], []
    for _ in range(depth):
        states = [state.after(move) for state in states if not state.over for move in state.legal(state.movers[0])]
        found.append((len(states), sum(state.over for state in states)))
    return found
