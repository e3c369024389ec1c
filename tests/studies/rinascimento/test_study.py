"""The study of Rinascimento: its plan, its numbers and its page."""

from collections import Counter

import numpy as np
import pytest

from ludarium import catalog
from ludarium.arena.results import Results
from ludarium.core import UnknownName
from ludarium.studies.rinascimento import results as numbers
from ludarium.studies.rinascimento import study, tables
from tests.commands import run
from tests.studies.test_figures import labelled


def made_up(*matches):
    """Results of matches, each a list of players and the seats that won."""
    rows = [
        (number, seat, name, seat in won) for number, (met, won) in enumerate(matches) for seat, name in enumerate(met)
    ]
    match, role, names, won = zip(*rows, strict=True)
    agents = [study.seated(name) for name in names]
    columns = {"match": match, "game": ["rinascimento"] * len(rows), "role": role, "agent": agents, "utility": won}
    return Results.of({**columns, "plies": [100] * len(rows)})


def measured(*matches):
    return numbers.Measured({}, numbers.tallied(made_up(*matches)), [1000])


def test_all_planners_sit_in_every_seat_against_three_of_a_kind():
    plan = study.plan(study.FULL_SCALE)
    counts = Counter()
    for pairing in plan.pairings:
        for seat, one in enumerate(pairing.agents):
            if Counter(pairing.agents)[one] == 1 and len(set(pairing.agents)) == 2 and pairing.game == study.FOUR:
                counts[one, seat] += pairing.matches
    against_both = [study.seated(name) for name in study.PUBLISHED]
    against_osla = [study.seated(name) for name in (study.OSLA, *study.OURS)]
    assert counts == {(one, seat): 500 if one in against_both else 250
                      for one in against_both + against_osla for seat in range(4)}  # fmt: skip


def test_the_final_and_the_games_for_two_have_as_many_matches():
    plan = study.plan(study.FULL_SCALE)
    for fourth, kind in ((study.OSLA, "osla"), (study.RND, "random")):
        finals = [each for each in plan.pairings if len(set(each.agents)) == 4 and study.seated(fourth) in each.agents]
        assert sum(each.matches for each in finals) == 1000, kind
    assert sum(each.matches for each in plan.pairings if each.game == study.TWO) == 3000
    assert {each.terms.limit.forward_calls for each in plan.pairings} == {1000}


def test_other_planners_meet_the_one_step_player():
    plan = study.plan(study.QUICK, ["rinascimento"], ["rmhc"])
    assert len(plan) == 4
    known = study.plan(study.FULL_SCALE, ["rinascimento"], ["OSLA", "MCTS+"])
    assert study.plan(study.FULL_SCALE).holds(known)
    assert known.pairings[0].agents == (study.seated("OSLA"), *[study.seated("RND")] * 3)
    assert study.plan(study.QUICK).holds(study.plan(study.QUICK, ["rinascimento(preset=two)"]))
    with pytest.raises(UnknownName, match="game of the study rinascimento"):
        study.plan(study.QUICK, ["nim"])


@pytest.mark.parametrize("player", study.PLAYERS)
def test_players_are_agents_of_the_catalog(player):
    assert catalog.agent(study.seated(player)).inner.name in ("random", "osla", "bmrh", "srh", "widening")


def test_wins_are_counted_whatever_the_seat_and_shared_ones_for_all():
    found = measured(
        (("OSLA", "RND", "RND", "RND"), {0}),
        (("RND", "OSLA", "RND", "RND"), {0, 1}),
        (("RND", "RND", "OSLA", "RND"), {3}),
        (("RND", "RND", "RND", "OSLA"), set()),
    )
    (((player, others), tally),) = found.challenges().items()
    assert (player, others) == ("OSLA", "RND")
    assert (tally.games, tally.wins, tally.stale, tally.plies) == (4, 2, 1, 400)
    low, high = tally.interval
    assert low < 0.5 < high
    assert next(tables.answer(found)).startswith("Looking one step ahead wins 50.0% (15.0 to 85.0, 4 games)")


def test_finals_and_duels_are_told_apart_from_challenges():
    four = ("BMRH*", "SRH*", "MCTS*", "OSLA")
    found = measured((four, {2}), (four[::-1], {1}), (("MCTS*", "BMRH*"), {0}), (("BMRH*", "MCTS*"), {0}))
    assert not found.challenges()
    assert [(player, tally.wins, tally.games) for player, tally in found.finals(study.OSLA).items()][0] == (
        "MCTS*",
        2,
        2,
    )
    assert found.duels()["MCTS*", "BMRH*"].share == 0.5
    duels = {sheet.name: sheet for sheet in tables.sheets(found)}["duels"]
    assert [row[0] for row in duels.rows] == ["MCTS* vs BMRH*"]


def test_a_planner_of_another_kind_keeps_its_own_name():
    found = measured((("rmhc(length=3)", "OSLA", "OSLA", "OSLA"), {0}))
    assert list(found.challenges()) == [("rmhc(length=3)", "OSLA")]
    (drawing,) = tables.drawings(found)
    assert drawing.svg().startswith("<?xml")
    assert labelled(drawing.draw())


def test_random_games_are_like_those_of_the_paper_by_its_rules():
    found = numbers.measure(made_up((("RND",) * 4, {0})), 20_000)
    published = found.surveys["rules of the published code"]
    assert published.mean == pytest.approx(140.86, rel=0.02)
    assert published.deviation == pytest.approx(21.35, rel=0.1)
    assert not np.isclose(found.surveys["true rules"].mean, published.mean, atol=0.5)


def test_the_study_runs_and_brings_its_page_up_to_date(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = ("--quick", "--workers", 1, "--on", "threads", "--random-matches", 100)
    done = run("study", "rinascimento", *options, "--page", "page.md")
    assert done.exit_code == 0, done.output
    page = (tmp_path / "page.md").read_text()
    assert page.startswith("# Rinascimento")
    assert "| MCTS+ | widening(" in page
    for figure in ("wins", "landscape", "tuning"):
        assert (tmp_path / "page" / f"{figure}.svg").exists()
    assert "| bmrh | played | 200 | 1 |" in page
    again = run("study", "rinascimento", "--quick", "--seconds", 1)
    assert again.exit_code != 0
    assert "study rinascimento takes no --seconds" in again.output
