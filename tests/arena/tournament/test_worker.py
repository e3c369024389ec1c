"""The worker process itself; what becomes of one that ends or hangs is told in test_supervisor."""

import pytest

from ludarium.arena import round_robin
from ludarium.arena.tournament.jobs import Job
from ludarium.arena.tournament.supervisor import Supervisor


@pytest.mark.parametrize(("limit", "faults"), [({"seconds": 5.0}, set()), ({"iterations": 5}, {"crash"})])
def test_against_a_clock_the_collector_does_not_look_through_all_that_is_loaded(limit, faults):
    plan = round_robin(["nim"], ["watched", "random"], matches=2, seed=0, catalog="tests.arena.odd_catalog", **limit)
    supervisor = Supervisor(patience=100.0)
    matches = supervisor.play(Job(plan.pairings[0], range(2)))
    supervisor.close()
    assert len(matches) == 2
    assert {turn.fault for match in matches for turn in match.turns if turn.fault} == faults
