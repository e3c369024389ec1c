import csv
from itertools import combinations
from math import inf

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from ludarium.arena.prove.comparisons import compare, holm
from ludarium.arena.prove.intervals import rates
from ludarium.arena.prove.regret import regrets
from ludarium.arena.results import Labels, Results
from ludarium.core import BadParameter, UnknownName
from tests.arena.samples import duels, lots, plays

# Hours of sleep gained with two drugs (Student 1908), shifted and scaled to lie between 0 and 1: t does not change.
SLEEP = {
    "one": [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
    "two": [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
}
SLEEP = {name: [(hours + 2) / 8 for hours in column] for name, column in SLEEP.items()}
PATIENTS = [f"patient {number}" for number in range(10)]


def test_independent_samples_as_in_the_textbook():
    found = compare(plays(SLEEP)).between("one", "two")
    assert found.statistic == pytest.approx(-1.8608, abs=1e-4)
    assert found.p == pytest.approx(0.07939, abs=1e-5)
    assert not found.significant


def test_paired_over_games_as_in_the_textbook():
    found = compare(plays(SLEEP, games=PATIENTS), unit="game").between("two", "one")
    assert found.statistic == pytest.approx(4.0621, abs=1e-4)
    assert found.p == pytest.approx(0.002833, abs=1e-6)
    assert found.units == 10
    assert found.significant


def test_signed_ranks_as_in_the_textbook():
    """Darwin's plants: differences in height of crossed and self-fertilised ones, in eighths of an inch."""
    inches = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]
    scores = {"crossed": [0.5 + each / 200 for each in inches], "selfed": [0.5] * 15}
    found = compare(plays(scores, games=[f"pot {n}" for n in range(15)]), unit="game", test="wilcoxon").pairs[0]
    assert found.p == pytest.approx(0.0412598, abs=1e-6)
    assert found.statistic == 96 - 24


@pytest.mark.parametrize("tests", [0, 1, 2, 3, 12, 100])
def test_holms_correction_as_by_statsmodels(tests, monkeypatch):
    monkeypatch.setattr("gc.collect", lambda: 0)  # which theirs calls each time
    for seed in range(20):
        p = np.random.default_rng(seed).random(tests).round(2) ** 3  # some of them equal, and some 0
        adjusted, significant = holm(p, 0.05)
        if tests:
            theirs = multipletests(p, 0.05, method="holm")
            assert adjusted == pytest.approx(theirs[1], abs=1e-15)
            assert significant.tolist() == theirs[0].tolist()
        assert len(adjusted) == len(significant) == tests


def test_holms_correction_as_in_the_textbook():
    adjusted, significant = holm(np.array([0.01, 0.04, 0.03, 0.005]), 0.05)
    assert adjusted.tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert significant.tolist() == [True, False, False, True]


def test_thresholds_step_up_from_alpha_by_all_to_alpha():
    compared = compare(lots(500))
    pairs = sorted(compared.pairs, key=lambda pair: pair.p)
    assert [pair.threshold for pair in pairs] == pytest.approx([0.05 / left for left in (6, 5, 4, 3, 2, 1)])
    for pair in pairs:
        assert pair.significant == (pair.adjusted <= 0.05)


def test_a_pair_is_seen_from_both_sides():
    compared = compare(plays(SLEEP))
    one, two = compared.between("one", "two"), compared.between("two", "one")
    assert (two.one, two.statistic, two.difference, two.p) == ("two", -one.statistic, -one.difference, one.p)
    assert compared.cells() == [["-", "-19.8% p 0.0794"], ["+19.8% p 0.0794", "-"]]
    with pytest.raises(UnknownName, match="unknown agent 'three'"):
        compared.between("one", "three")


def test_in_a_duel_a_match_is_one_observation_and_not_two():
    """60 of 100 are 2.01 standard errors from a half; two independent samples would make it 2.84."""
    duel = duels([("a", "b", 1)] * 60 + [("b", "a", 1)] * 40)
    found = compare(duel).between("a", "b")
    error = np.std([1] * 60 + [0] * 40, ddof=1) / 10
    assert found.statistic == pytest.approx(0.1 / error)
    assert found.p == pytest.approx(0.0445, abs=5e-4)


@pytest.mark.parametrize(("count", "p", "significant"), [(2, 0.5, False), (5, 0.0625, False), (6, 0.03125, True)])
def test_a_difference_without_spread_is_no_proof_by_itself(count, p, significant):
    compared = [compare(plays({"a": [1] * count, "b": [0] * count})).pairs[0]]
    games = [f"game {n}" for n in range(count)]
    compared.append(compare(plays({"a": [1] * count, "b": [0] * count}, games=games), unit="game").pairs[0])
    for found in compared:
        assert (found.statistic, found.p, found.significant) == (inf, p, significant)


def test_agents_that_always_do_the_same_do_not_differ():
    found = compare(plays({"a": [0.5] * 9, "b": [0.5] * 9})).pairs[0]
    assert (found.statistic, found.p, found.significant) == (0, 1, False)


def test_one_play_proves_nothing_and_is_no_error():
    compared = compare(plays({"a": [1], "b": [0, 1, 0]}))
    assert compared.pairs[0].p == 1
    assert compared.cells()[0] == ["-", "-"]
    assert compare(plays({"a": [1, 1]})).pairs == ()


def test_games_that_one_of_them_has_not_played_do_not_count():
    scores = {"agent": list("aaabb"), "game": list("xyzxy"), "utility": [1, 0.5, 1, 0.5, 0.25]}
    results = Results.of(scores | {"match": range(5), "role": [0] * 5})
    found = compare(results, unit="game").between("a", "b")
    assert (found.units, found.difference) == (2, 0.375)


def test_what_cannot_be_compared_is_refused():
    results = plays(SLEEP)
    with pytest.raises(UnknownName, match="unknown unit 'match'"):
        compare(results, unit="match")
    with pytest.raises(BadParameter, match="no test 'wilcoxon' with the play as the unit"):
        compare(results, test="wilcoxon")
    with pytest.raises(UnknownName, match="unknown agent 'tow': did you mean 'two'"):
        compare(results, ["one", "tow"])
    with pytest.raises(BadParameter, match="named twice"):
        compare(results, ["one", "one"])
    with pytest.raises(BadParameter, match="alpha is a number between 0 and 1"):
        compare(results, alpha=0)


@pytest.mark.statistical
def test_plays_of_one_game_are_no_independent_evidence():
    """Agents as good as each other, each with games that suit it: by play half are told apart, by game 1 in 20 is.

    Measured rates are 56 % and 5.1 %: 120 or fewer of 300, or 33 or more, come once in 30,000 runs.
    """
    rng = np.random.default_rng(3)
    alarms = {"play": 0, "game": 0}
    for _ in range(300):
        suits = rng.uniform(0.1, 0.9, (2, 20))
        won = rng.random((2, 20, 50)) < suits[:, :, None]
        shape = np.indices(won.shape).reshape(3, -1)
        columns = {
            "agent": Labels(shape[0].astype(np.int32), ("a", "b")),
            "game": Labels(shape[1].astype(np.int32), tuple("abcdefghijklmnopqrst")),
        }
        columns |= {"match": np.arange(won.size), "role": np.zeros(won.size, int), "utility": won.ravel()}
        results = Results.of(columns)
        for unit in alarms:
            alarms[unit] += compare(results, unit=unit).pairs[0].significant
    assert alarms["play"] > 120
    assert alarms["game"] < 33


@pytest.mark.statistical
def test_equal_agents_in_a_duel_are_told_apart_as_rarely_as_alpha_says():
    """The exact rate is 5.2 %: 42 or more alarms of 400, or 4 or fewer, come once in 45,000 runs; independent samples raise 62."""
    rng = np.random.default_rng(4)
    alarms = 0
    for _ in range(400):
        alarms += compare(duels([("a", "b", won) for won in rng.integers(0, 2, 60)])).pairs[0].significant
    assert 4 < alarms < 42


# The printed table VI of Thompson and Stephenson's "General Game Playing Hyper-Agents for Ludii": T and, after a comma, P of each pair, row by row above the diagonal.
AGENTS = (
    "Alpha-Beta", "MAST", "MC-GRAVE", "Progressive History", "UCT", "Random",
    "Portfolio", "Ensemble", "Ensemble 0", "Ensemble -1", "Ensemble -2",
)  # fmt: skip
PRINTED = [
    "-3.177,0.001", "-3.079,0.002", "-6.988,0.000", "-2.552,>0.004", "32.132,0.000", "-12.710,0.000", "-1.117,>0.010", "-4.494,0.000", "-16.441,0.000", "-13.549,0.000",
    "0.106,>0.050", "-3.778,0.000", "0.626,>0.017", "35.667,0.000", "-9.415,0.000", "2.055,>0.005", "-1.309,>0.008", "-13.077,0.000", "-10.238,0.000",
    "-3.895,0.000", "0.521,>0.025", "35.687,0.000", "-9.548,0.000", "1.954,>0.005", "-1.419,>0.007", "-13.223,0.000", "-10.374,0.000",
    "4.411,0.000", "40.435,0.000", "-5.597,0.000", "5.847,0.000", "2.465,>0.004", "-9.220,0.000", "-6.411,0.000",
    "34.982,0.000", "-10.065,0.000", "1.430,>0.006", "-1.936,>0.006", "-13.741,0.000", "-10.891,0.000",
    "-48.224,0.000", "-33.287,0.000", "-37.261,0.000", "-53.580,0.000", "-49.414,0.000",
    "11.528,0.000", "8.082,0.000", "-3.606,0.000", "-0.811,>0.013",
    "-3.366,0.001", "-15.228,0.000", "-12.359,0.000",
    "-11.727,0.000", "-8.901,0.000",
    "2.794,>0.004",
]  # fmt: skip


@pytest.fixture(scope="module")
def published(corpus):
    """The results published with Thompson and Stephenson's hyper-agents: 11 agents, 50 games, 50 plays each."""
    file = corpus / "hyper" / "GameResultsFull.csv"
    if not file.exists():
        pytest.skip(f"there is no {file.name} in the folder hyper of the corpus")
    with file.open(newline="") as opened:
        rows = list(csv.DictReader(opened))
    columns = {"match": range(len(rows)), "role": [0] * len(rows), "utility": [float(row["score"]) for row in rows]}
    return Results.of(
        columns | {"game": [row["game_name"] for row in rows], "agent": [row["agent_name"] for row in rows]}
    )


@pytest.mark.corpus
def test_the_published_table_comes_out_to_the_letter(published):
    compared = compare(published, AGENTS)
    expected = dict(zip(combinations(range(11), 2), PRINTED, strict=True))
    for (one, other), printed in expected.items():
        pair = compared.between(AGENTS[one], AGENTS[other])
        p = f"{pair.p:.3f}" if pair.significant else f">{pair.threshold:.3f}"
        assert printed == f"{pair.statistic:.3f},{p}"
    assert sum(pair.significant for pair in compared.pairs) == 41


@pytest.mark.corpus
def test_with_the_game_as_the_unit_a_quarter_of_the_published_claims_is_lost(published):
    compared = compare(published, unit="game")
    assert sum(pair.significant for pair in compared.pairs) == 30
    assert sum(pair.significant for pair in compare(published, unit="game", test="wilcoxon").pairs) == 28
    claim = compared.between("Portfolio", "Progressive History")
    assert (claim.statistic, claim.p) == (pytest.approx(2.54, abs=5e-3), pytest.approx(0.014, abs=5e-4))
    assert not claim.significant


@pytest.mark.corpus
def test_the_published_win_rates_come_out_and_their_errors_over_games_are_five_times_as_large(published):
    found = {rate.group[0]: rate for rate in rates(published)}
    printed = {
        "Ensemble -1": (65.04, 0.92),
        "Portfolio": (60.28, 0.94),
        "Ensemble 0": (49.35, 0.97),
        "Random": (8.46, 0.51),
    }
    for name, (mean, error) in printed.items():
        assert f"{100 * found[name].mean:.2f} {100 * found[name].error:.2f}" == f"{mean:.2f} {error:.2f}"
    assert 100 * found["Portfolio"].game_error == pytest.approx(4.9, abs=0.05)


@pytest.mark.corpus
def test_the_oracle_of_the_published_agents(published):
    """The best of five in every game wins 67.59 %: what each one wins, and its regret against the five."""
    five = AGENTS[:5]
    found = {rate.group[0]: rate for rate in rates(published)}
    for regret in regrets(published, five):
        assert 100 * (found[regret.agent].game_mean + regret.mean) == pytest.approx(67.59, abs=0.01)
