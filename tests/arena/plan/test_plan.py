from collections import Counter
from dataclasses import replace

import pytest

from ludarium import agent
from ludarium.arena import against_field, free_for_all, round_robin, self_play
from ludarium.arena.plan.check import PlanError
from ludarium.arena.plan.plan import Plan, same_but_for
from ludarium.core import Limit, Terms

FOUR = "four-player-tic-tac-toe"


def seats(plan):
    return {pairing.agents: pairing.matches for pairing in plan.pairings}


def test_everybody_meets_everybody_in_both_directions():
    plan = round_robin(["nim"], ["flat", "random", "flat(playout_limit=9)"], matches=3)
    assert len(plan) == 18
    assert set(seats(plan).values()) == {3}
    assert len(seats(plan)) == 6
    assert all(first != second for first, second in seats(plan))


def test_a_round_robin_of_four_rotates_the_seats():
    plan = round_robin([FOUR], ["flat", "random"], matches=1)
    assert ("flat", "flat", "random", "flat") in seats(plan)
    assert ("flat",) * 4 not in seats(plan)
    for group in (["flat", "random", "flat(playout_limit=1)", "flat(playout_limit=2)"],):
        plan = round_robin([FOUR], group, matches=1)
        assert len(plan) == 4
        for role in range(4):
            assert {pairing.agents[role] for pairing in plan.pairings} == set(group)


def test_one_agent_against_a_field_takes_the_first_role():
    plan = against_field([FOUR, "nim"], ["flat"], ["random", "flat(playout_limit=1)"], matches=2)
    assert seats(plan) == {
        ("flat", "random", "random", "random"): 2,
        ("flat", *("flat(playout_limit=1)",) * 3): 2,
        ("flat", "random"): 2,
        ("flat", "flat(playout_limit=1)"): 2,
    }
    assert len(against_field([FOUR], ["flat"], ["random"], matches=2, rotate=True)) == 8


def test_self_play_is_against_itself_and_in_every_role_against_random():
    assert seats(self_play(["nim"], ["flat"], matches=5)) == {
        ("flat", "flat"): 5,
        ("flat", "random"): 5,
        ("random", "flat"): 5,
    }
    assert seats(self_play(["nim"], ["flat", "random"], against="", matches=1)) == {
        ("flat", "flat"): 1,
        ("random", "random"): 1,
    }
    assert seats(self_play(["eight-puzzle"], ["flat"], matches=5)) == {("flat",): 5}


@pytest.mark.parametrize("matches", [4, 24, 30])
def test_a_free_for_all_spreads_its_matches_over_the_seats(matches):
    agents = ["flat", "random", "flat(playout_limit=1)", "flat(playout_limit=2)"]
    plan = free_for_all([FOUR], agents, matches=matches)
    assert len(plan) == matches
    counts = Counter((name, role) for fixture in plan for role, name in enumerate(fixture.agents))
    assert len(counts) == 16
    assert max(counts.values()) - min(counts.values()) <= 3


def test_every_match_has_its_own_name_and_seed():
    plan = round_robin(
        ["nim", "tic-tac-toe"], ["flat", "random"], matches=50, seed=0, budgets=[{"iterations": 9}, {"seconds": 1}]
    )
    fixtures = list(plan)
    assert len(fixtures) == len(plan) == 400
    assert len({fixture.id for fixture in fixtures}) == 400
    assert len({fixture.seed for fixture in fixtures}) == 400
    assert all(fixture.seed < 2**63 for fixture in fixtures)
    assert sum(fixture.seed > 2**60 for fixture in fixtures) > 300  # all bits are used


def test_a_match_has_the_same_name_and_seed_in_every_plan():
    small = round_robin(["nim"], ["flat", "random"], matches=2, iterations=9, seed=0)
    large = round_robin(
        ["tic-tac-toe", "nim"], ["random", "flat", "flat(playout_limit=3)"], matches=5, iterations=9, seed=0
    )
    names = {fixture.id: fixture.seed for fixture in large}
    assert all(names[fixture.id] == fixture.seed for fixture in small)
    assert large.holds(small)
    assert not small.holds(large)
    other = round_robin(["nim"], ["flat", "random"], matches=2, iterations=9, seed=1)
    assert not {fixture.id for fixture in other} & set(names)


def test_names_do_not_change_from_one_version_to_the_next():
    """Stores depend on them."""
    plan = round_robin(["nim"], ["flat", "random"], matches=1, iterations=100, seed=0)
    pairings = [replace(pairing, rules="5e9ec9ed08ea12b8") for pairing in plan.pairings]  # its code may change
    assert [pairing[0].id for pairing in pairings] == ["6d65049064dfea69", "befdeebd32662f32"]


def test_the_pairings_of_a_game_keep_step():
    plan = round_robin(["nim", "tic-tac-toe"], ["flat", "random"], matches=2)
    assert [(fixture.game, fixture.number) for fixture in plan] == [
        *[("nim", 0)] * 2, *[("nim", 1)] * 2, *[("tic-tac-toe", 0)] * 2, *[("tic-tac-toe", 1)] * 2,
    ]  # fmt: skip


def test_agents_and_limits_may_be_objects():
    objects = round_robin(["nim"], [agent("flat(playout_limit=9)"), agent("random")], budgets=[Limit(iterations=5)])
    words = round_robin(["nim"], ["flat(playout_limit=9)", "random"], budgets=[{"iterations": 5}])
    assert objects == words


def test_two_spellings_are_one_agent():
    plan = round_robin(["nim"], ["flat( playout_limit = 200 )", "random"])
    assert {name for fixture in plan for name in fixture.agents} == {"flat", "random"}
    with pytest.raises(PlanError, match="is the same agent as another"):
        round_robin(["nim"], ["flat", "flat(playout_limit=200)"])


def test_the_terms_of_a_plan():
    plan = round_robin(["nim"], ["flat", "random"], seconds=0.5, start_seconds=3, tolerance_seconds=0.1, move_limit=7)
    expected = Terms(limit=Limit(seconds=0.5), start_seconds=3, tolerance_seconds=0.1, move_limit=7)
    assert {fixture.terms for fixture in plan} == {expected}
    assert next(iter(round_robin(["nim"], ["flat", "random"], move_limit=0))).terms.move_limit is None


def test_plans_survive_writing():
    plan = against_field(["nim"], ["flat"], ["random"], matches=2, name="mine")
    assert Plan.read(plan.data) == plan
    assert repr(plan) == "Plan(mine: 2 matches, 1 games, 2 agents)"


def test_plans_can_be_added():
    one = round_robin(["nim"], ["flat", "random"], matches=2)
    both = one + self_play(["nim", "tic-tac-toe"], ["flat"], matches=3)
    assert len(both) == 3 + 3 + 3 + 9
    assert both.holds(one)


def test_differences_are_told_in_words():
    old = {"games": ["a", "b"], "matches": 3, "seed": 1}
    new = {"games": ["b", "c"], "matches": 4, "iterations": 5, "seed": 1}
    assert same_but_for(old, new) == "games without a and with c; iterations 5, not nothing; matches 4, not 3"
