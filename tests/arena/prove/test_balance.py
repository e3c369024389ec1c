from math import comb

import pytest

from ludarium.arena.prove.balance import balance
from ludarium.arena.results import Results
from ludarium.core import BadParameter
from tests.arena.samples import duels, plays


def test_sixty_of_a_hundred_as_in_the_textbook():
    (seat,) = balance(duels([("a", "b", 1), ("b", "a", 1)] * 30 + [("a", "b", 0), ("b", "a", 0)] * 20))
    assert (seat.game, seat.role, seat.matches, seat.share, seat.fair, seat.decided) == (
        "hex",
        "role 1",
        100,
        0.6,
        0.5,
        100,
    )
    assert seat.advantage == pytest.approx(0.1)
    assert seat.p == pytest.approx(0.0569, abs=1e-4)
    assert (seat.low, seat.high) == (pytest.approx(0.502, abs=1e-3), pytest.approx(0.691, abs=1e-3))
    assert not seat.significant
    assert seat.even


def test_draws_count_half_in_the_share_and_not_in_the_test():
    (seat,) = balance(duels([("a", "a", 1)] * 8 + [("a", "a", 0.5)] * 92))
    assert (seat.share, seat.decided) == (0.54, 8)
    assert seat.p == pytest.approx(2 / 2**8)
    (seat,) = balance(duels([("a", "a", 0.5)] * 9))
    assert (seat.p, seat.significant) == (1, False)


def test_every_role_of_more_than_two_is_tested_against_its_share():
    columns = {
        "match": [n for n in range(60) for _ in range(3)],
        "role": [0, 1, 2] * 60,
        "game": ["x"] * 180,
        "agent": ["a"] * 180,
    }
    results = Results.of(
        columns
        | {"utility": [1, 0, 0] * 40 + [0, 1, 0] * 10 + [0, 0, 1] * 10, "role_name": ["red", "blue", "green"] * 60}
    )
    red, blue, green = balance(results)
    assert (red.role, red.share, red.fair) == ("red", pytest.approx(2 / 3), pytest.approx(1 / 3))
    assert red.significant
    assert red.p < 1e-6
    chances = [comb(60, wins) * 2 ** (60 - wins) / 3**60 for wins in range(61)]
    assert blue.p == green.p == pytest.approx(sum(chance for chance in chances if chance <= chances[10]))


def test_games_are_corrected_for_their_number():
    hex_game, go = (duels([("a", "a", 1)] * 60 + [("a", "a", 0)] * 39, game=game) for game in ("hex", "go"))
    alone = balance(hex_game)[0]
    assert alone.p == alone.adjusted < 0.05
    columns = {name: list(getattr(hex_game, name)) + list(getattr(go, name)) for name in ("role", "utility")}
    both = Results.of(
        columns | {"match": [n // 2 for n in range(396)], "agent": ["a"] * 396, "game": ["hex"] * 198 + ["go"] * 198}
    )
    first, second = balance(both)
    assert first.p == second.p == alone.p
    assert first.adjusted == second.adjusted == pytest.approx(2 * alone.p)
    assert not first.significant


def test_agents_that_kept_their_seats_are_told_of():
    kept = balance(duels([("strong", "weak", 1)] * 20))[0]
    assert (kept.even, kept.significant, kept.unfair) == (False, True, False)
    assert not balance(duels([("a", "b", 1)] * 150 + [("b", "a", 1)] * 50))[0].even
    assert balance(duels([("a", "b", 1)] * 108 + [("b", "a", 1)] * 92))[0].even


def test_self_play_can_be_looked_at_alone():
    mixed = duels([("a", "a", 1)] * 3 + [("a", "b", 0)] * 5)
    assert balance(mixed, self_play=True)[0].matches == 3
    assert balance(mixed)[0].matches == 8
    assert balance(duels([("a", "b", 0)]), self_play=True) == []


def test_matches_of_which_one_role_is_known_say_nothing():
    assert balance(plays({"a": [1, 1, 1]})) == []


def test_shares_that_make_no_sense_are_refused():
    with pytest.raises(BadParameter, match="alpha"):
        balance(plays({"a": [1]}), alpha=2)
