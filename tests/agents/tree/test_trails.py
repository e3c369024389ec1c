from array import array

import pytest

from ludarium import game
from ludarium.agents.search.actions import Actions, actions_of
from ludarium.agents.tree.play import Credit, Play, TrailMove, move_key
from ludarium.agents.tree.trails import ROOM, random_trail
from ludarium.core import Rng
from ludarium.kernel import Stream, Table, bridge, f64, i64, kernel, u8, u64, using, view, zeros

GAMES = ["connect-four", "gdl:tic-tac-toe", "gdl:breakthrough-small", "gdl:tron", "three-player-connect-four", "nim"]


def trail_of(played, seed, *, room=4096, limit=1000, tells=True):
    """Play a state to its end: its trail, the plies, and where it ends."""
    reached = bridge(played)
    roles = len(played.roles)
    playing = Play(
        state=bytearray(reached.block(played.initial(Rng(seed)))),
        spare=b"",
        moves=zeros(u64, played.max_moves),
        joint=zeros(u64, roles),
        values=zeros(f64, roles),
        actions=actions_of(played, records=tells),
        trail=zeros(TrailMove, room),
        ledger=zeros(Credit, 1),
        playout_limit=limit,
        call_limit=1 << 40,
    )
    plies = random_trail(reached.table, playing, Rng(seed))
    trail = [playing.trail[k] for k in range(playing.recorded)]
    return [(step.role, step.move, step.key) for step in trail], plies, reached.state(bytes(playing.state.memory))


def replayed(played, seed, steps):
    """Make the moves of a trail; the turns, and where that leads."""
    state, left, turns = played.initial(Rng(seed)), list(steps), 0
    while left and state.movers:
        told = [left.pop(0) for _ in state.movers]
        assert tuple(role for role, _, _ in told) == state.movers
        state, turns = state.after({role: move for role, move, _ in told}), turns + 1
    assert not left
    return turns, state


@pytest.mark.parametrize("tells", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_a_trail_leads_where_the_playout_ended(name, tells):
    played = game(name)
    for seed in range(10):
        steps, plies, end = trail_of(played, seed, tells=tells)
        assert end.over
        assert replayed(played, seed, steps) == (plies, end)
        assert all(key == move_key(role, move) for role, move, key in steps)


@pytest.mark.parametrize("name", ["gdl:tic-tac-toe", "gdl:rock-paper-scissors"])
def test_trails_are_the_same_in_every_way(name):
    found = []
    for way in ("native", "check", "python"):
        with using(way):
            played = game(name)
            found.append([trail_of(played, seed)[:2] for seed in range(3)])
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("name", ["gdl:breakthrough", "breakthrough"])
def test_a_trail_may_be_longer_than_what_is_told_at_once_and_shorter_than_the_playout(name):
    played = game(name)
    long = [seed for seed in range(60) if 2 * trail_of(played, seed)[1] > ROOM]
    assert long, "no playout was long enough"
    for seed in long[:3]:
        steps, plies, end = trail_of(played, seed)
        assert replayed(played, seed, steps) == (plies, end)
        assert trail_of(played, seed, room=5)[:2] == (steps[:5], plies)


@pytest.mark.parametrize("name", ["gdl:tic-tac-toe", "tic-tac-toe"])
@pytest.mark.parametrize("limit", [0, 1, 3])
def test_a_trail_ends_at_the_playout_limit(name, limit):
    steps, plies, end = trail_of(game(name), 1, limit=limit)
    assert (len(steps), plies, end.over) == (limit, limit, False)


@kernel
def ask_told(table: Table, actions: Actions, state: view[u8], told: view[u64], rng: Stream) -> i64:
    return i64(actions.record(table, state, rng, 1, told))


@pytest.mark.parametrize(("name", "tells", "turns"), [("gdl:nim", True, 1), ("gdl:nim", False, -1), ("nim", True, -1)])
def test_games_that_can_tell_only_those_who_ask(name, tells, turns):
    played, told = game(name), array("Q", bytes(8 * ROOM))
    reached = bridge(played)
    block = bytearray(reached.block(played.initial()))
    assert ask_told(reached.table, actions_of(played, records=tells), block, told, Rng(1)) == turns
