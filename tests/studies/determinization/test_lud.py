"""The part of the study for games of Ludii's language: both tournaments in any game for two that hides something."""

import pytest

from ludarium import catalog
from ludarium.arena import Store
from ludarium.core import BadParameter
from ludarium.studies.determinization import lud, study
from tests.commands import run

HUNT = """
(game "Hunt" (players 2)
    (equipment { (board (square 3)) (piece "Mine" P1) (piece "Flag" P2) })
    (rules
        (play (if (is Mover P1)
            (move Add (to (sites Empty)) (then (set Hidden at:(last To) to:P2)))
            (move Add (to (union (sites Empty) (sites Hidden to:Mover))))))
        (end { (if (and (is Mover P2) (no Pieces P1)) (result P2 Win)) (if (= (count Moves) 6) (result P1 Win)) })
    )
)
"""
"""One side buries mines, the other one flags squares: on a mine, a flag takes its place."""


@pytest.fixture
def hunt(tmp_path):
    path = tmp_path / "hunt.lud"
    path.write_text(HUNT)
    return str(path)


def test_all_meet_all_and_only_those_that_see_everything_are_admitted_as_cheats(hunt):
    scale = study.Scale(matches=0, budget_matches=0, long_matches=0, lud_native=3, lud_determinized=2)
    made = study.plan(scale, [hunt])
    assert sum(each.matches for each in made.pairings) == 30 * 3 + 30 * 2
    assert all(("omniscient" in str(each.agents)) <= each.terms.cheating for each in made.pairings)
    honest = [each for each in made.pairings if not each.terms.cheating]
    assert len(honest) == 30
    assert all("walk" in spec for each in honest for spec in each.agents if spec != "random")


def test_other_players_are_refused_there(hunt):
    with pytest.raises(BadParameter, match="takes no --agents"):
        study.plan(study.QUICK, [hunt], ["uct"])
    assert not lud.is_lud(catalog.game("lud:tic-tac-toe"))
    assert lud.is_lud(catalog.game("ghosts"))


def test_it_is_played_and_written_with_intervals(hunt, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("study", "determinization", "--quick", "--workers", 1, "--on", "threads", "--games", hunt,
               "--store", "it.db", "--page", "it.md")  # fmt: skip
    assert done.exit_code == 0, done.output
    page = (tmp_path / "it.md").read_text()
    assert "Players that see everything win" in page
    assert "| RMHC+Det |" in page
    assert "paper" not in page, "it is another game"
    with Store("it.db", readonly=True) as store:
        matches = list(store.matches())
        measured = lud.lud_measure(store, study.QUICK, hunt)
    beside = next(sheet for sheet in lud.lud_sheets(measured, lud.GAME) if sheet.name == lud.DETERMINIZED)
    assert {row[0]: row[2] for row in beside.rows}["OSLA+Det"] == 0.875
    assert len(matches) == 60
    assert not any(match.faults for match in matches)
