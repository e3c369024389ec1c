"""Matches in machine code: the same as in Python, on any number of threads, and as agents play them."""

import random

import numpy as np
import pytest

from ludarium import agent, game
from ludarium.arena.position import Position
from ludarium.core import BadParameter, Limit, Rng
from ludarium.evaluate.evolved.champions import Champions
from ludarium.evaluate.evolved.inputs import Mapping
from ludarium.evaluate.evolved.network import Network, Node
from ludarium.evolve.bouts import Bouts, Terms, seeds
from ludarium.evolve.bouts_kernels import RANDOM, sow
from ludarium.kernel import Stream, using


def drawn(bouts, count, seed=1):
    rnd = random.Random(seed)
    n = bouts.seen.count
    return [
        Network(n, (Node(rnd.gauss(0, 1), 1.0, "sigmoid", "sum", tuple((k, rnd.gauss(0, 1)) for k in range(n))),))
        for _ in range(count)
    ]


def field(spec, terms=None, threads=1, count=6, way="projection"):
    bouts = Bouts(game(spec), Mapping(way), terms or Terms(), threads=threads)
    bouts.load(drawn(bouts, count))
    return bouts


def rows(roles, count, networks=6, seed=2):
    rnd = random.Random(seed)
    return np.array([[rnd.randrange(-1, networks) for _ in range(roles)] for _ in range(count)], np.int32)


@pytest.mark.parametrize(
    ("spec", "terms"),
    [
        ("gdl:connect-four", Terms(limit=8)),
        ("two-board-tic-tac-toe", Terms(samples=2)),
        ("blocker", Terms(depth=2, samples=1, limit=1)),
        ("tic-tac-toe", Terms(depth=3, limit=3)),
        ("criss-cross", Terms(avoid=True, limit=3)),
        ("four-player-tic-tac-toe", Terms()),
    ],
)
def test_python_and_machine_code_play_the_same(spec, terms):
    def found(way):
        with using(way):
            bouts = field(spec, terms)
            return bouts.play(rows(bouts.roles, 3), seeds(3, 5)).tolist(), bouts.lengths.tolist()

    assert found("python") == found("native")


def test_threads_change_nothing():
    alone, together = field("gdl:connect-four"), field("gdl:connect-four", threads=2)
    players = rows(2, 300)
    assert np.array_equal(alone.play(players, seeds(300, 1)), together.play(players, seeds(300, 1)))
    together.close()


def test_a_bout_depends_on_its_own_seed_only():
    bouts = field("gdl:connect-four")
    players, given = rows(2, 40), seeds(40, 1)
    whole = bouts.play(players, given)
    assert np.array_equal(bouts.play(players[7:9], given[7:9]), whole[7:9])


def test_streams_are_those_of_python():
    stream = Stream()
    sow(stream, 12345)
    assert list(stream.words) == list(Rng(12345).words)


@pytest.mark.parametrize(
    ("spec", "agents", "depth"), [("gdl:connect-four", "osla", 1), ("gdl:connect-four", "alphabeta", 2)]
)
def test_matches_are_those_of_agents(spec, agents, depth, tmp_path):
    """No two moves are equally good to networks that tell all states apart, so chance has no part in it."""
    bouts = field(spec, Terms(depth=depth), way="groups")
    made, networks = bouts.game, drawn(bouts, 6)
    for first, second in ((0, 1), (2, 3), (4, 5)):
        file = tmp_path / f"{first}.json"
        save(bouts, (networks[first], networks[second]), file)
        more = f", depth={depth}" if agents == "alphabeta" else ""
        states = played(made, [f"{agents}(evaluator=evolved('{file}'){more})"] * 2)
        found = bouts.play(np.array([[first, second]], np.int32), seeds(1, 1))
        assert tuple(found[0]) == states[-1].utilities()
        assert bouts.lengths[0] == len(states) - 1


def test_a_player_takes_a_win_and_sees_a_loss_two_plies_ahead():
    bouts = field("tic-tac-toe")
    players = np.full((400, 2), RANDOM, np.int32)
    shallow = bouts.play(players, seeds(400, 3))
    deep = bouts.play(players, seeds(400, 3), depth=6)
    assert (deep == 0.5).mean() > (shallow == 0.5).mean() + 0.3


def test_cycles_are_avoided(tmp_path):
    """Networks that see no counter go to and fro between the places that they like best, unless they may not."""
    bouts = Bouts(game("criss-cross"), Mapping("groups", counters=False), Terms(avoid=True), threads=1)
    networks = drawn(bouts, 2, seed=5)
    bouts.load(networks)
    bouts.play(np.array([[0, 1]], np.int32), seeds(1, 1))
    length = int(bouts.lengths[0])
    marks = set(list(bouts._rings[0].known)[:length])
    made, file = bouts.game, tmp_path / "two.json"
    save(bouts, networks, file)
    boards = [
        frozenset(fact for fact in state.facts() if not fact.startswith("(turn"))
        for state in played(made, [f"osla(evaluator=evolved('{file}'))"] * 2)
    ]
    assert len(set(boards)) < 0.7 * len(boards)
    assert len(marks) > 0.9 * length


def save(bouts, pair, file):
    made = bouts.game
    teachers = ((pair[0],), (pair[1],))
    Champions(
        made.name, made.fingerprint, made.roles, bouts.seen.mapping, bouts.seen.digest, tuple(pair), teachers
    ).save(file)


def played(made, agents):
    players = [agent(spec).seat(made, role, Rng(role)) for role, spec in enumerate(agents)]
    position = Position(made)
    states = [position.state]
    while not position.state.over:
        (role,) = position.state.movers
        decision = players[role].choose(position.information_set(role), Limit(iterations=100_000).start())
        position.play({role: decision.move})
        states.append(position.state)
    return states


def test_matches_without_end_are_draws():
    bouts = field("chinese-checkers", Terms(limit=3))
    assert (bouts.play(rows(2, 4), seeds(4, 1)) == 0.5).all()


def test_terms_out_of_range_are_refused():
    for given in ({"depth": 0}, {"depth": 99}, {"samples": 0}, {"limit": 0}):
        with pytest.raises(BadParameter, match="expected 1 to"):
            Terms(**given)


def test_games_in_plain_python_are_played_too():
    bouts = field("nim")
    found = bouts.play(rows(2, 4), seeds(4, 1))
    assert sorted(found[0]) == [0.0, 1.0]
