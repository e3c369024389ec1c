"""Contests in machine code: what they play, that they are stored, and what tuning makes of them."""

from collections import Counter
from itertools import islice

import pytest

from ludarium import agent
from ludarium.arena.report.sheets import Share
from ludarium.arena.store.database import StoreError
from ludarium.arena.store.store import Store
from ludarium.core import Rng
from ludarium.kernel.kernel import using
from ludarium.studies.rinascimento import contests, tuning
from ludarium.studies.rinascimento.contest import Contest, Won
from ludarium.studies.rinascimento.contest_tables import contest_drawings, contest_sheets, interval, told
from ludarium.studies.rinascimento.ledger import BLOCK, Ledger, Tuning, spelled
from tests.studies.test_figures import labelled

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
    with pytest.raises(StoreError, match="cannot be opened: is there such a folder"):
        Ledger(tmp_path / "nowhere" / "ledger.db")
    Store(tmp_path / "matches.db").close()
    with pytest.raises(StoreError, match="a database of another program, not a ledger of contests"):
        Ledger(tmp_path / "matches.db")


def test_a_ledger_that_was_made_before_files_were_marked_is_taken_over(tmp_path):
    path = tmp_path / "ledger.db"
    with Ledger(path) as ledger:
        ledger._all("INSERT INTO contests VALUES ('bmrh', 'OSLA', 'rinascimento', 10, 0, 5, 0, 900)")
        ledger._all("PRAGMA application_id = 0")
        ledger._all("PRAGMA user_version = 0")
    with Ledger(path) as ledger:
        assert ledger.known("bmrh", "OSLA", "rinascimento", 10).wins == 5
        assert ledger._one("PRAGMA user_version") == 1


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
    """A ledger that notes how many games it should play, and says that the same things always win more."""

    def __init__(self):
        super().__init__(":memory:")
        self.asked = {}

    def play(self, agent, games, *, calls):
        self.asked[agent] = games
        return self.known(agent, "OSLA", "rinascimento", calls)

    def known(self, agent, others, rules, calls, blocks=0):
        games = self.asked.get(agent, 0)
        share = 0.1 * agent.count("length=3") + 0.4 * agent.count("engine") + 0.3 * agent.count("fresh")
        return Won(games, round(share * games), 0, 0) if games else None


def test_the_better_a_configuration_the_more_games_it_has():
    with Lucky() as ledger:
        tuning.measure_grid(ledger, "bmrh", games=100, sure=5000, calls=1000, say=quiet)
    counts = Counter(ledger.asked.values())
    assert counts == {20: 108, 100: 12, 400: 18, 5000: 6}
    best = [agent for agent, games in ledger.asked.items() if games == 5000]
    assert all("fresh" in agent and "engine" in agent and "length=3" in agent for agent in best)


def test_whoever_may_be_the_best_plays_on():
    grid = {
        "best": Won(400, 360, 0, 0),
        "near": Won(400, 352, 0, 0),
        "far": Won(400, 320, 0, 0),
        "lucky": Won(20, 20, 0, 0),
    }
    assert tuning.contenders(grid, 1000) == ["lucky", "best", "near"]
    assert tuning.contenders(grid, 400) == ["lucky"]
    assert tuning.contenders({**grid, "near": Won(40_000, 33_600, 0, 0)}, 50_000) == ["lucky", "best"]


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


def test_whole_spaces_are_drawn_from_and_tuned_in(monkeypatch):
    assert {name: space.size for name, space in tuning.WHOLE.items()} == {
        "bmrh": 207_360,
        "srh": 28_800,
        "widening": 16_200,
    }
    first = list(islice(tuning.drawn_agents("widening"), 40))
    assert len(set(first)) == 40
    assert first == list(islice(tuning.drawn_agents("widening"), 40))
    with Ledger(":memory:") as ledger:
        asked = []
        monkeypatch.setattr(
            Contest, "play", lambda self, games, rng, seat=0: asked.append(games) or Won(games, games // 2, 0, 0)
        )
        tuning.sample_whole(ledger, "widening", count=40, games=100, calls=10, say=quiet)
        assert list(tuning.drawn_shares(ledger, "widening", 10)) == first
        assert sorted(won.games for won in tuning.drawn_shares(ledger, "widening", 10).values()) == [20] * 39 + [400]
        tuning.tune_with_games(ledger, "widening", way="whole", budget=5, repeats=2, check=40, calls=10, say=quiet)
        found = list(ledger.tunings())
    assert [(each.way, each.repeat, set(each.config)) for each in found] == [
        ("whole", repeat, set(tuning.WHOLE["widening"].names)) for repeat in (0, 1)
    ]


def test_a_tuning_with_games_is_measured_in_new_ones(tmp_path):
    with Ledger(":memory:") as ledger:
        tuning.tune_with_games(ledger, "srh", budget=8, repeats=1, check=4, calls=10, say=quiet)
        (found,) = ledger.tunings()
    assert (found.planner, found.way, found.budget, found.repeat) == ("srh", "games", 8, 0)
    assert found.fitness * BLOCK == round(found.fitness * BLOCK)
    assert 0 < found.thinking < found.seconds


def test_the_tables_tell_what_was_found():
    grid = {name: Won(100, 50, 0, 10_000) for name in tuning.grid_agents("bmrh")}
    grid[tuning.grid_agents("bmrh")[3]] = Won(200, 180, 0, 20_000)
    tunings = [Tuning("bmrh", "grid", "", 1000, n, {}, 0.9 if n else 0.5, 1.0, 1.0) for n in range(4)]
    tunings.append(Tuning("bmrh", "games", "", 1000, 0, {}, 0.89, 10.0, 0.4))
    answers = {asked: Won(100, 60, 1, 12_000) for asked in contests.QUESTIONS}
    config = tuning.WHOLE["bmrh"].config((0,) * 10)
    tunings.append(Tuning("bmrh", "whole", "", 1000, 0, config, 0.45, 10.0, 0.4, 1000))
    drawn = dict(
        zip(
            islice(tuning.drawn_agents("bmrh"), 3),
            (Won(20, 4, 0, 0), Won(400, 160, 0, 0), Won(20, 9, 0, 0)),
            strict=True,
        )
    )
    made = contests.Contests(1000, answers, {"bmrh": grid}, {"bmrh": drawn}, tunings)
    said = list(told(made))
    assert said[0].startswith("Looking one step ahead wins 60.0% (50.2 to 69.1, 100 games)")
    assert said[-1].endswith("within 2 points of its best (90.0%) in 3 of 4 repeats.")
    sheets = {sheet.name: sheet for sheet in contest_sheets(made)}
    assert len(sheets["contests"].rows) == len(contests.QUESTIONS)
    assert sheets["grids"].rows[0][:4] == ("bmrh", 144, 14_500, 0.9)
    lottery, played = sheets["tuning"].rows
    assert (lottery[3], lottery[-2], lottery[-1]) == (4, Share(0.75, 4), None)
    assert [(row[1], row[2], row[3]) for row in sheets["whole"].rows] == [
        ("best of 3 drawn", 400, 0.4),  # not the one that was lucky in 20
        ("median of 3 drawn", 400, 0.4),
        ("worst of 3 drawn", 20, 0.2),
        ("the paper's best", 100, 0.6),
        ("found by NTBEA with 1,000 games", 1000, 0.45),
    ]
    assert (played[3], played[-2], played[-1]) == (1, Share(1.0, 1), pytest.approx(0.04))
    assert [drawing.name for drawing in contest_drawings(made)] == ["landscape", "tuning"]
    assert all(drawing.svg().startswith("<?xml") for drawing in contest_drawings(made))
    assert all(labelled(drawing.draw()) for drawing in contest_drawings(made))
    assert interval(Won(100, 60, 0, 0)) == pytest.approx((0.502, 0.691), abs=1e-3)
    assert list(told(contests.Contests())) == []


def test_tunings_by_another_method_or_on_another_grid_do_not_count(tmp_path):
    config = tuning.SPACES["bmrh"].config((0, 0, 0, 0, 0))
    with Ledger(tmp_path / "ledger.db") as ledger:
        for name in tuning.grid_agents("bmrh"):
            row = (name, "OSLA", "rinascimento", 1000, 0, 5, 0, 2000)
            ledger._all("INSERT INTO contests VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *row)
        grid = tuning.grid_shares(ledger, "bmrh", 1000)
        words = tuning.circumstances("grid", grid, 1000)
        assert words == "ntbea(k=0.5, epsilon=0.5, neighbours=20), 1000 calls, drawn from 2880 games"
        for way, said in (
            ("grid", words),
            ("grid", words + "0"),
            ("games", "other"),
            ("games", words.rpartition(",")[0]),
        ):
            ledger.note(Tuning("bmrh", way, said, 1000, 0, config, 0.9, 1.0, 1.0))
    found = contests.known_contests(tmp_path / "ledger.db", [1000]).tunings
    assert [(each.way, each.fitness) for each in found] == [("games", 0.25), ("grid", 0.25)]


def test_nothing_is_known_without_a_file(tmp_path):
    assert contests.known_contests(tmp_path / "none.db", [1000]) == contests.Contests()
