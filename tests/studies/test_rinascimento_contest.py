"""Contests in machine code: what they play, that they are stored, and what tuning makes of them."""

import pytest

from ludarium import agent
from ludarium.arena.store import StoreError
from ludarium.core import Rng
from ludarium.kernel.kernel import using
from ludarium.studies import rinascimento_contests as contests
from ludarium.studies import rinascimento_tuning as tuning
from ludarium.studies.rinascimento_contest import Contest, Won
from ludarium.studies.rinascimento_contest_tables import contest_drawings, contest_sheets, interval, told
from ludarium.studies.rinascimento_ledger import BLOCK, Ledger, Tuning, spelled

PLANNERS = ("bmrh", "srh", "widening", "osla")


def quiet(_):
    pass


@pytest.mark.parametrize("name", PLANNERS)
def test_the_same_seed_gives_the_same_games(name):
    contest = Contest(agent(name), calls=30)
    first = contest.play(4, Rng(1))
    assert first == contest.play(4, Rng(1)) == Contest(agent(name), calls=30).play(4, Rng(1))
    assert first != contest.play(4, Rng(2))
    assert 4 * 60 < first.plies < 4 * 300


@pytest.mark.parametrize("name", ["srh", "widening"])
def test_kernels_as_python_play_the_same_games(name):
    rules = "rinascimento(goal=2, ticks=40)"
    found = [Contest(agent(name), rules=rules, calls=6).play(1, Rng(3))]
    for way in ("check", "python"):
        with using(way):
            found.append(Contest(agent(name), rules=rules, calls=6).play(1, Rng(3)))
    assert found[0] == found[1] == found[2]


@pytest.mark.statistical
def test_who_looks_one_step_ahead_wins_as_often_as_others_who_do():
    """Within four standard errors: a false alarm in 16,000 runs."""
    for name in ("osla(moves=sample)", "bmrh(length=1, evaluations=100)"):
        won = Contest(agent(name), calls=100).play(400, Rng(5))
        assert abs(won.share - 0.25) < 4 * (0.25 * 0.75 / 400) ** 0.5
    assert Contest(agent("osla(moves=sample)"), calls=100, looking=False).play(200, Rng(5)).share > 0.7


def test_what_is_stored_is_not_played_again(tmp_path, monkeypatch):
    with Ledger(tmp_path / "ledger.db") as ledger:
        assert ledger.known("bmrh", "OSLA", "rinascimento", 10) is None
        first = ledger.play("bmrh(length=2)", BLOCK, calls=10)
        assert first.games == BLOCK
    with Ledger(tmp_path / "ledger.db") as ledger:
        both = ledger.play("bmrh", BLOCK + 1, calls=10)
        assert (both.games, both.wins >= first.wins) == (2 * BLOCK, True)
        monkeypatch.setattr(Contest, "play", None)
        assert ledger.play("bmrh", 2 * BLOCK, calls=10) == ledger.known("bmrh", "OSLA", "rinascimento", 10) == both
        assert ledger.play("bmrh", BLOCK, calls=10) == first
        assert ledger.known("bmrh", "RND", "rinascimento", 10) is None


def test_a_file_that_cannot_be_used_is_told(tmp_path):
    with pytest.raises(StoreError, match="cannot hold what the study finds"):
        Ledger(tmp_path / "nowhere" / "ledger.db")


@pytest.mark.parametrize("planner", tuning.SPACES)
def test_grids_have_as_many_different_agents(planner):
    agents = tuning.grid_agents(planner)
    assert len(set(agents)) == len(agents) == 144
    assert spelled(agents[7]) == agents[7]


class Known(Ledger):
    """A ledger that knows all win rates without games: the longer the plan, the better."""

    def known(self, agent, others, rules, calls, blocks=0):
        length = agent.count("length=3") * 40 + agent.count("engine") * 40
        return Won(100, 10 + length, 0, 10_000)


class Lucky(Ledger):
    """A ledger that notes how many games it should play, and says that longer plans win more."""

    asked: dict

    def play(self, agent, games, *, calls):
        self.asked[agent] = games
        return Won(100, 10 * agent.count("length=3") + 20 * agent.count("engine") + 30 * agent.count("fresh"), 0, 0)


def test_the_better_a_configuration_the_more_games_it_has():
    with Lucky(":memory:") as ledger:
        ledger.asked = {}
        tuning.measure_grid(ledger, "bmrh", 100, 1000, quiet)
    counts = sorted(ledger.asked.values(), reverse=True)
    assert counts == [400] * 12 + [100] * 24 + [20] * 108
    assert all("fresh" in agent and "engine" in agent for agent, games in ledger.asked.items() if games == 400)


def test_ntbea_finds_the_best_of_a_grid_that_is_drawn_from():
    with Known(":memory:") as ledger:
        tuning.tune_on_grid(ledger, "bmrh", budgets=(20, 400), repeats=4, calls=100, say=quiet)
        found = list(ledger.tunings())
        again = tuning.tune_on_grid(ledger, "bmrh", budgets=(20, 400), repeats=4, calls=100, say=quiet)
        assert again is None
        assert list(ledger.tunings()) == found
    assert [(each.budget, each.repeat) for each in found] == [(b, r) for b in (20, 400) for r in range(4)]
    late = [each for each in found if each.budget == 400]
    assert tuning.near_best(late, 0.9) == 1.0
    assert {each.config["length"] for each in late} == {3}


def test_a_tuning_with_games_is_measured_in_new_ones(tmp_path):
    with Ledger(":memory:") as ledger:
        tuning.tune_with_games(ledger, "srh", budget=8, repeats=1, check=4, calls=10, say=quiet)
        (found,) = ledger.tunings()
    assert (found.planner, found.way, found.budget, found.repeat) == ("srh", "games", 8, 0)
    assert found.fitness in (0, 0.25, 0.5, 0.75, 1)
    assert 0 < found.thinking < found.seconds


def test_the_tables_tell_what_was_found():
    grid = {name: Won(100, 50, 0, 10_000) for name in tuning.grid_agents("bmrh")}
    grid[tuning.grid_agents("bmrh")[3]] = Won(200, 180, 0, 20_000)
    tunings = [Tuning("bmrh", "grid", 1000, n, {}, 0.9 if n else 0.5, 1.0, 1.0) for n in range(4)]
    tunings.append(Tuning("bmrh", "games", 1000, 0, {}, 0.89, 10.0, 0.4))
    answers = {asked: Won(100, 60, 1, 12_000) for asked in contests.QUESTIONS}
    made = contests.Contests(1000, answers, {"bmrh": grid}, tunings)
    said = list(told(made))
    assert said[0].startswith("Looking one step ahead wins 60.0% (50.2 to 69.1, 100 games)")
    assert said[-1].endswith("within 2 points of its best (90.0%) in 3 of 4 repeats.")
    sheets = {sheet.name: sheet for sheet in contest_sheets(made)}
    assert len(sheets["contests"].rows) == len(contests.QUESTIONS)
    assert sheets["grids"].rows[0][:4] == ("bmrh", 144, 14_500, 0.9)
    drawn, played = sheets["tuning"].rows
    assert (drawn[3], drawn[-2], drawn[-1]) == (4, 0.75, None)
    assert (played[3], played[-2], played[-1]) == (1, 1.0, pytest.approx(0.04))
    assert [drawing.name for drawing in contest_drawings(made)] == ["landscape", "tuning"]
    assert all(drawing.svg().startswith("<?xml") for drawing in contest_drawings(made))
    assert interval(Won(100, 60, 0, 0)) == pytest.approx((0.502, 0.691), abs=1e-3)
    assert list(told(contests.Contests())) == []


def test_nothing_is_known_without_a_file(tmp_path):
    assert contests.known_contests(tmp_path / "none.db", [1000]) == contests.Contests()
