"""What champions as a whole lose by looking farther, beside plain ones."""

from dataclasses import replace
from math import isnan

import numpy as np
import pytest

from ludarium.arena.prove.means import half_width
from ludarium.studies.coevolution import measures, tables
from ludarium.studies.coevolution.study import GAMES
from ludarium.studies.coevolution.together import Beside, beside, farther, together, verdict
from tests.studies.coevolution.made import made_up


def tried(seed, near, far, game="blocker", mending="cca", generations=60, apart=0.0, deeper=None):
    """A run whose first role gains so much at depth 1 and at greater ones, and whose second so much less there."""
    made = made_up(seed, (30, 29), near, game=game, mending=mending, generations=generations)
    gains = {1: near, 2: far} | ({} if deeper is None else {3: deeper})
    rows = [
        made.depths[0]._replace(depth=depth, role=role, score=0.5 + gain - (apart if role and depth > 1 else 0))
        for depth, gain in gains.items()
        for role in (0, 1)
    ]
    return replace(made, depths=rows)


def both(game, plain, deep, seeds=range(1, 7), generations=60):
    """Runs that lose about so much, plain and evolved at depth 2, from 0.5 and 0.4 on."""
    runs = [tried(seed, 0.5, 0.5 - plain - 0.01 * (seed % 3), game, generations=generations) for seed in seeds]
    return [
        *runs,
        *(tried(seed, 0.4, 0.4 - deep + 0.01 * (seed % 2), game, "depth-2", generations) for seed in seeds),
    ]


def every(runs, depths=(2,)):
    found = measures.groups(runs)
    return together([made for each in found if (made := beside(found, each, depths))])


def sheet(name, runs):
    (found,) = [each for each in tables.sheets(runs) if each.name == name]
    return [dict(zip([head.name for head in found.columns], row, strict=True)) for row in found.rows]


def test_roles_runs_and_games_count_alike():
    runs = [tried(seed, 0.5, 0.3, apart=0.1) for seed in (1, 2, 3)]  # roles lose 0.2 and 0.3
    runs += [tried(seed, 0.4, 0.38, mending="depth-2", apart=0.04) for seed in (2, 3, 4)]  # and 0.02 and 0.06
    runs += [tried(seed, 0.5, 0.45, "melee-chess") for seed in (1, 2)]
    runs += [tried(seed, 0.4, 0.5, "melee-chess", "depth-2") for seed in (1, 2)]
    given = every(runs)
    assert list(given.games) == ["blocker", "melee-chess"]
    assert given.seeds == 4  # of blocker, 2 and 3 only are of both kinds
    assert given.lost == pytest.approx(((0.25 + 0.05) / 2, (0.04 - 0.1) / 2))
    assert given.ratio[0] == pytest.approx(-0.03 / 0.15)
    assert given.below[0] == pytest.approx(0.15 / 2 + 0.03)
    assert given.more[0] == pytest.approx(((0.36 - 0.25) + (0.5 - 0.45)) / 2)
    assert given.fallen[0] == pytest.approx(((0.5 - 0.36) + (0.5 - 0.5)) / 2)


def test_intervals_over_runs_have_nothing_of_the_differences_of_games():
    runs = [*both("blocker", 0.3, 0.1), *both("melee-chess", 0.1, 0.0)]
    given = every(runs)
    mean, (low, high), over_games = given.below
    assert 0 < mean - low < 0.02
    assert 0 < high - mean < 0.02
    assert all(isnan(end) for end in over_games)  # two games say nothing of others
    (plain, ours), (ratio, (low, high)) = given.lost, given.ratio
    assert ratio == pytest.approx(ours / plain)
    assert low < ratio < high < 0.5


def test_with_four_games_the_game_is_the_unit():
    losses = {"blocker": (0.3, 0.1), "melee-chess": (0.1, 0.0), "criss-cross": (0.2, 0.0), GAMES[0]: (0.1, 0.3)}
    given = every([run for game, (plain, deep) in losses.items() for run in both(game, plain, deep)])
    by_game = given.means[:, 0] / 2 - given.means[:, 1]
    mean, over_runs, (low, high) = given.below
    assert (high - low) / 2 == pytest.approx(half_width(by_game))
    assert high - low > 10 * (over_runs[1] - over_runs[0])
    assert mean == pytest.approx(by_game.mean())


def test_runs_of_two_sizes_are_of_one_game():
    runs = [*both("blocker", 0.3, 0.1), *both("blocker", 0.1, 0.1, generations=80), *both("melee-chess", 0.0, 0.0)]
    given = every(runs)
    assert (len(given.games), given.seeds) == (2, 18)
    assert given.lost[0] == pytest.approx((0.2 + 0.0) / 2 + 0.01)


def test_depths_count_alike_where_there_are_several():
    plain = [tried(seed, 0.5, 0.4, deeper=0.2) for seed in (1, 2, 3)]
    deep = [tried(seed, 0.4, 0.4, mending="depth-2", deeper=0.3) for seed in (1, 2)]
    near = tried(3, 0.4, 0.4, mending="depth-2")  # was not tried at depth 3
    found = measures.groups([*plain, *deep, near])
    assert farther(found) == [(2,), (3,), (2, 3)]
    made = beside(found, found[1], (2, 3))
    assert isinstance(made, Beside)
    assert made.rows == pytest.approx(np.array([[0.2, 0.05, 0.3, 0.35]] * 2))
    assert made.group is found[1]
    assert beside(found, found[0], (2,)) is None  # plain runs stand beside nothing
    assert beside(found, found[1], (4,)) is None


def test_of_nothing_there_is_no_share():
    lossy, even = both("blocker", 0.3, 0.1), both("melee-chess", 0.0, -0.1)
    even = [
        replace(run, depths=[row._replace(score=row.score + 0.02 * (run.seed % 2)) for row in run.depths])
        for run in even
    ]
    even = [
        replace(run, depths=[row._replace(score=row.score + (0.01 if row.depth > 1 else 0)) for row in run.depths])
        for run in even
    ]
    assert isnan(every(even).ratio[0])
    shown = {row["game"]: row["ratio"] for row in sheet("by-game", [*lossy, *even])}
    assert shown["blocker"] == pytest.approx(0.095 / 0.31)
    assert isnan(shown["melee-chess"])
    first, second = sheet("together", [*lossy, *even])
    assert (first["which games"], first["games"], second["which games"], second["games"]) == ("all", 2, "that lose", 1)
    assert second["plain lose"] == pytest.approx(0.31)
    assert [row["which games"] for row in sheet("together", lossy)] == ["all"]  # all of them lose
    (*_, said) = tables.answer(even)
    assert "of which no share can be told" in said


@pytest.mark.parametrize(
    ("deep", "said"),
    [(0.05, "less than half is shown for"), (0.155, "half is not shown for"), (0.25, "half is shown not to hold for")],
)
def test_what_comes_of_the_bar_is_told(deep, said):
    (*_, told) = tables.answer(both("blocker", 0.3, deep))
    assert "depth-2 at depth 2, one game (6 seeds" in told
    assert said in told
    assert "cannot be told for games like them. " in told
    assert not any("together" in each for each in tables.answer(both("blocker", 0.3, 0.1)[:6]))  # plain runs alone


def test_runs_of_another_version_or_size_do_not_stand_beside_each_other():
    runs = both("blocker", 0.3, 0.1)
    strange = [replace(run, mark="other") if run.mending == "cca" else run for run in runs]
    longer = [replace(run, generations=80) if run.mending == "cca" else run for run in runs]
    for given in (strange, longer):
        assert sheet("by-game", given) == []
        assert sheet("together", given) == []


def test_what_has_no_interval_is_not_shown():
    assert verdict(float("nan"), float("nan")) == "cannot be told"
    assert verdict(-0.1, 0.1) == verdict(0.0, 0.1) == "is not shown"
