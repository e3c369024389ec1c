import re
from collections import Counter

import pytest

from ludarium.core import BadParameter, IllegalMove, Rng
from ludarium.evaluate import evaluator
from ludarium.games.battleship import battleship
from ludarium.games.battleship_rules import SHIPS, State, blocked_at_most, cells_of, ways_of
from tests.games.matches import follow

SMALL = {"width": 4, "height": 3, "fleet": (3, 2)}
LAID = "a1-c1, b2-d2, a3-b3, a3-b3"
"""First lies on a1 to c1 and a3 to b3, second on b2 to d2 and a3 to b3."""


def test_a_short_match():
    state = follow(battleship(**SMALL), f"{LAID}, a3, a1, b3, d1, b2, b1, c2, c3, d2")
    assert state.over
    assert state.utilities() == (1.0, 0.0)
    assert str(state) == (
        "   first's sea        second's sea\n"
        " 3 # # o ·          3 * * · ·\n"
        " 2 · · · ·          2 · * * *\n"
        " 1 * * # o          1 · · · ·\n"
        "   a b c d            a b c d\n"
        "   3 to hit           sunk"
    )


def test_ships_are_laid_in_turn_and_never_on_top_of_another():
    game = battleship(**SMALL)
    state = game.initial()
    assert state.movers == (0,)
    assert sorted(map(game.text, state.legal(0))) == [
        "a1-a3", "a1-c1", "a2-c2", "a3-c3", "b1-b3", "b1-d1", "b2-d2", "b3-d3", "c1-c3", "d1-d3",
    ]  # fmt: skip
    state = follow(game, "a1-c1, b2-d2")
    assert state.movers == (0,)
    assert sorted(map(game.text, state.legal(0))) == [
        "a2-a3", "a2-b2", "a3-b3", "b2-b3", "b2-c2", "b3-c3", "c2-c3", "c2-d2", "c3-d3", "d1-d2", "d2-d3",
    ]  # fmt: skip
    with pytest.raises(IllegalMove, match="'a1-a2' is not legal for first"):
        state.after(game.parse("a1-a2"))


def test_nothing_is_shot_at_twice():
    game = battleship(**SMALL)
    state = follow(game, f"{LAID}, a3, a1")
    assert len(state.legal(0)) == 11
    assert len(state.after(game.parse("b3")).legal(1)) == 11
    with pytest.raises(IllegalMove, match="'a3' is not legal"):
        state.after(game.parse("a3"))


@pytest.mark.parametrize(("again", "mover"), [(False, 1), (True, 0)])
def test_a_hit_shoots_again_if_that_is_the_rule(again, mover):
    assert follow(battleship(**SMALL, again=again), f"{LAID}, a3").movers == (mover,)
    assert follow(battleship(**SMALL, again=again), f"{LAID}, a1").movers == (1,)


def test_a_sunk_ship_is_shown_if_that_is_the_rule():
    shots = f"{LAID}, b2, a3, c2, c3, d2"
    for sunk in (False, True):
        game = battleship(**SMALL, sunk=sunk)
        drawn = game.picture(follow(game, shots), 0)
        assert ("· X X X" if sunk else "· * * *") in drawn
        assert re.search(r"· X X X|· \* \* \*", drawn)
        seen = State(bytearray(follow(game, shots).observe(0)))
        assert [seen.places[SHIPS], seen.places[SHIPS + 1]] == ([2 * 5, 0] if sunk else [0, 0])


def test_a_role_sees_hits_and_misses_but_no_ships():
    game = battleship(**SMALL)
    one = follow(game, f"{LAID}, a3, a1")
    other = follow(game, "a1-c1, b1-d1, a3-b3, a3-b3, a3, a1")
    assert one != other
    assert one.observe(0) == other.observe(0)
    assert one.observe(1) != other.observe(1)
    assert game.picture(one, 0) == game.picture(other, 0)
    assert "#" not in "".join(line[-8:] for line in game.picture(one, 0).splitlines())


def test_hits_made_count_against_hits_taken():
    game = battleship(**SMALL)
    states = [follow(game, f"{LAID}{shots}") for shots in ("", ", a3", ", a3, a1", ", a3, d1, b3")]
    judged = evaluator("own").values(game, states, Rng(0))
    assert [values[0] for values in judged] == pytest.approx([0.5, 0.6, 0.5, 0.7])
    assert all(sum(values) == pytest.approx(1) for values in judged)


@pytest.mark.statistical
def test_chance_lays_ships_one_after_the_other():
    """First ship in any of 2 ways, second in any of 3 that are free: 4000 fleets, 5 standard deviations."""
    game, rng = battleship(width=3, height=2, fleet=(3, 1), placement="random"), Rng(3)
    fleets = (State(bytearray(game.initial(rng).block)) for _ in range(4000))
    counts = Counter((fleet.places[0], fleet.places[1]) for fleet in fleets)
    assert len(counts) == 2 * 3
    for count in counts.values():
        assert abs(count - 4000 / 6) < 5 * (4000 * 5 / 36) ** 0.5


def test_a_fleet_has_as_many_ways_as_there_are():
    ways = [ways_of(10, 10, length) for length in (5, 4, 3, 2, 1)]
    assert [sum(way != 0 for way in each) for each in ways] == [120, 140, 160, 180, 100]
    assert all(
        way.bit_count() == length for length, each in zip((5, 4, 3, 2, 1), ways, strict=True) for way in each if way
    )
    assert cells_of(10, 2 * 34 + 1, 3) == [34, 44, 54]
    assert blocked_at_most(10, 10, (5, 4), 1) == 27


def test_it_needs_chance_only_to_lay_ships():
    assert battleship().traits.deterministic
    with pytest.raises(BadParameter, match="draws chance"):
        battleship(placement="random").initial()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("k1", "'k1' leaves the sea, which ends at j10"),
        ("a11", "'a11' leaves the sea"),
        ("a0", "'a0' leaves the sea"),
        ("x", "'x' is not a move: write a cell, like c7"),
        ("a1-b2", "its ends are neither in one row nor in one column"),
        ("a1-a2-a3", "a ship has two ends"),
    ],
)
def test_other_texts_are_no_moves(text, told):
    with pytest.raises(IllegalMove, match=re.escape(told)):
        battleship().parse(text)


def test_the_ends_of_a_ship_may_come_in_any_order():
    game = battleship()
    assert game.parse("b5-b2") == game.parse("b2-b5")
    assert game.text(game.parse("E2-B2")) == "b2-e2"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"width": 17}, "the width of Battleship's seas goes from 1 to 16: not 17"),
        ({"height": 2.5}, "the height of"),
        ({"width": 16, "height": 9}, "at most 128 cells, not 16 x 9"),
        ({"fleet": ()}, "the lengths of 1 to 8 ships"),
        ({"fleet": (11,)}, "have 1 to 10 cells, not (11,)"),
        ({"fleet": (0,)}, "have 1 to 10 cells"),
        ({"placement": "nobody"}, "by the players or random, not 'nobody'"),
        ({"width": 2, "height": 2, "fleet": (2, 2, 1)}, "a ship of 1 may find no place on 2 x 2"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(wrong, told):
    with pytest.raises(BadParameter, match=re.escape(told)):
        battleship(**wrong)
