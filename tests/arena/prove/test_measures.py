from dataclasses import fields
from math import isnan, log10, sqrt

import numpy as np
import pytest

from ludarium.arena.prove.measures import margin_histograms, measures, paces
from ludarium.arena.results import Moves, Results
from tests.arena.samples import duels, lots, plays, thoughts


def match_of_two(values, winner, agents=("a", "b")):
    """A match in which two take turns and say what they expect; nan is silence."""
    utility = [float(winner == role) for role in (0, 1)] if winner is not None else [0.5, 0.5]
    columns = {
        "match": [1, 1],
        "game": ["x"] * 2,
        "role": [0, 1],
        "agent": list(agents),
        "utility": utility,
        "plies": [len(values)] * 2,
    }
    turns = {"match": [1] * len(values), "game": ["x"] * len(values), "ply": range(len(values)), "value": values}
    turns |= {"role": [ply % 2 for ply in range(len(values))], "agent": [agents[ply % 2] for ply in range(len(values))]}
    return Results.of(columns), Moves.of(turns)


def test_lengths():
    results = Results.of(
        {
            "match": range(100),
            "game": ["x"] * 100,
            "role": [0] * 100,
            "agent": ["a"] * 100,
            "utility": [0] * 100,
            "plies": range(1, 101),
        }
    )
    (found,) = measures(results)
    assert (found.matches, found.plies, found.plies_median) == (100, 50.5, 50.5)
    assert (found.plies_low, found.plies_high) == (pytest.approx(5.95), pytest.approx(95.05))
    assert found.plies_spread == pytest.approx(np.std(range(1, 101)))
    assert isnan(found.decisive)


def test_decisiveness_and_margins():
    (found,) = measures(duels([("a", "b", 1), ("a", "b", 0.5), ("a", "b", 0.7), ("a", "b", 0)]))
    assert found.decisive == 0.75
    assert found.margin == pytest.approx((1 + 0 + 0.4 + 1) / 4)
    assert isnan(found.plies)


def test_choices_and_the_size_of_the_game():
    results = duels([("a", "b", 1), ("a", "b", 0)])
    turns = {
        "match": [0, 0, 1],
        "game": ["hex"] * 3,
        "ply": [0, 1, 0],
        "role": [0, 1, 0],
        "agent": list("aba"),
        "choices": [9, 8, 9],
    }
    (found,) = measures(results, Moves.of(turns))
    assert found.choices == pytest.approx(26 / 3)
    assert found.size == pytest.approx((log10(72) + log10(9)) / 2)
    assert isnan(found.lead_changes)


def test_a_winner_that_always_led_has_no_drama():
    (found,) = measures(*match_of_two([0.6, 0.4, 0.7, 0.2, 0.9], winner=0))
    assert (found.lead_changes, found.comeback, found.drama, found.settled) == (0, 0, 0, 0)


def test_a_comeback_in_numbers():
    """The first is behind for three plies by 0.4, 0.4 and 0.36, then ahead and wins."""
    (found,) = measures(*match_of_two([0.3, 0.7, 0.34, 0.2, 0.8, 0.1], winner=0))
    assert found.lead_changes == 1
    assert found.comeback == 1
    assert found.settled == 0.5
    assert found.drama == pytest.approx((sqrt(0.4) * 2 + sqrt(0.36)) / 3)


def test_leads_too_small_to_tell_are_no_leads():
    (found,) = measures(*match_of_two([0.51, 0.51, 0.49, 0.49, 0.51, 0.9], winner=1))
    assert found.lead_changes == 0


def test_one_that_is_silent_expects_what_the_other_leaves():
    (found,) = measures(*match_of_two([0.2, float("nan"), 0.8, float("nan")], winner=0))
    assert (found.lead_changes, found.comeback) == (1, 1)
    assert found.settled == 0.5


def test_draws_and_games_without_decisions_have_no_leads():
    drawn, turns = match_of_two([0.2, 0.2, 0.8], winner=None)
    assert isnan(measures(drawn, turns)[0].drama)
    other = Moves.of(
        {name: ["y"] if name == "game" else getattr(turns, name)[:1] for name in ("match", "game", "ply", "role")}
        | {"agent": ["a"]}
    )
    assert isnan(measures(drawn, other)[0].choices)


def test_three_roles_that_choose_at_once():
    """Everyone speaks at every ply; the lead goes from the first to the last, who wins."""
    results = Results.of(
        {
            "match": [5] * 3,
            "game": ["x"] * 3,
            "role": [0, 1, 2],
            "agent": list("abc"),
            "utility": [0, 0, 1],
            "plies": [4] * 3,
        }
    )
    values = [0.6, 0.3, 0.1, 0.5, 0.3, 0.2, 0.3, 0.3, 0.4, 0.1, 0.1, 0.8]
    turns = {
        "match": [5] * 12,
        "game": ["x"] * 12,
        "ply": np.repeat(range(4), 3),
        "role": [0, 1, 2] * 4,
        "agent": list("abc") * 4,
    }
    (found,) = measures(results, Moves.of(turns | {"value": values}))
    assert found.lead_changes == 1
    assert found.settled == 0.5
    assert found.drama == pytest.approx((sqrt(0.5) + sqrt(0.3)) / 2)


def test_the_order_of_the_rows_does_not_matter():
    results = lots(60)
    turns = thoughts(results, 60)
    rng = np.random.default_rng(0)
    mixed = measures(results.where(rng.permutation(len(results))), turns.where(rng.permutation(len(turns))))
    plain = {each.game: each for each in measures(results, turns)}
    assert len(mixed) == 3
    for each in mixed:
        for field in fields(each)[1:]:
            assert getattr(each, field.name) == pytest.approx(getattr(plain[each.game], field.name)), field.name


def test_margins_are_counted_in_tenths():
    found = margin_histograms(duels([("a", "b", 1)] * 3 + [("a", "b", 0.5)]))
    assert {np.flatnonzero(found["a"]).tolist() == [10, 20], found["a"][20]} == {True, 0.75}
    assert found["b"][0] == 0.75
    assert margin_histograms(plays({"a": [1]})) == {}


def test_the_margin_is_to_the_best_opponent():
    columns = {"match": [1] * 3, "game": ["x"] * 3, "role": range(3), "agent": list("abc"), "utility": [0.9, 0.6, 0.1]}
    found = margin_histograms(Results.of(columns))
    assert [int(np.argmax(found[name])) - 10 for name in "abc"] == [3, -3, -8]


def test_thinking_times_by_ply():
    turns = {
        "match": np.repeat(range(10), 4),
        "game": ["x"] * 40,
        "ply": np.tile(range(4), 10),
        "role": [0] * 40,
        "agent": ["a"] * 40,
    }
    seconds = np.tile([1.0, 2.0, 3.0, 4.0], 10) + np.repeat(np.arange(10) / 10, 4)
    (pace,) = paces(Moves.of(turns | {"seconds": seconds}))
    assert pace.ply.tolist() == [0, 1, 2, 3]
    assert pace.median.tolist() == pytest.approx([1.4, 2.4, 3.4, 4.4])
    assert pace.low.tolist() == pytest.approx([1.1, 2.1, 3.1, 4.1])
    assert pace.high.tolist() == pytest.approx([1.8, 2.8, 3.8, 4.8])
    assert paces(Moves.of(turns)) == []
    assert len(paces(Moves.of(turns | {"seconds": seconds}), stretches=2)[0].ply) == 2
