from collections import Counter

import pytest

from ludarium import game
from ludarium.arena.position import Position
from ludarium.core import BadParameter, InformationSet, Rng
from ludarium.hidden import Enumeration, NoSuchState, Replay
from ludarium.hidden.histories import replay as module
from ludarium.kernel import using
from ludarium.testing.determinizer import positions
from tests.hidden.doors import doors
from tests.hidden.knowledge import holding
from tests.hidden.small_games import LENGTH, SUMS, Urn, long_walk, loud, two_at_once

POKER = game("kuhn-poker")


def draw(sampler, info, count, rng, calls=1 << 62):
    """Draw in as many pieces as it takes; gives the states and the forward calls."""
    found, used, more = [], 0, True
    while more and len(found) < count:
        states, cost, more = sampler.draw(info, count - len(found), rng, calls)
        found += states
        used += cost
    return found, used


@pytest.mark.statistical
def test_the_first_decision_draws_exactly():
    """Two states, 2000 draws: five standard deviations, a false alarm in two million."""
    info = holding(POKER, "Q", "pass")
    counts = Counter(Replay().sampler(POKER, 1).sample(info, 2000, Rng(2)))
    assert len(counts) == 2
    assert all(abs(count - 1000) < 5 * 23 for count in counts.values())


def test_a_decision_costs_the_same_late_in_a_match():
    walk = long_walk()
    sampler, costs = Replay(pool=300).sampler(walk, 0), []
    for (info,) in positions(walk, 1, LENGTH - 1):
        states, calls = draw(sampler, info, 300, Rng(len(info.seen)))
        assert len(states) == 300
        costs.append(calls)
    assert max(costs[-50:]) < 4 * max(costs[5:20])


@pytest.mark.statistical
def test_a_pool_that_is_carried_far_still_draws_what_is_likely():
    """Four states, 2000 draws from a pool of 2000 that lost touch with its past long ago: within 0.1."""
    walk = long_walk()
    sampler, exact = Replay().sampler(walk, 0), Enumeration().sampler(walk, 0)
    for (info,) in positions(walk, 5, 60):
        states, _ = draw(sampler, info, 2000, Rng(len(info.seen)))
        likely = exact.likelihoods(info)
    counts = Counter(states)
    for state, share in likely.items():
        assert counts[state] / len(states) == pytest.approx(share, abs=0.1)


@pytest.mark.statistical
@pytest.mark.parametrize("deterministic", [True, False], ids=["followed", "tried"])
def test_who_has_fewer_choices_is_likelier_to_have_made_them(deterministic):
    """Six states, one of them as likely as the others together: 3000 draws, five standard deviations, at every decision."""
    house = doors(deterministic=deterministic)
    sampler, exact = Replay(pool=3000).sampler(house, 0), Enumeration().sampler(house, 0)
    met = 0
    for infos in positions(house, 1, 11):
        for info in (info for info in infos if info.role == 0):
            counts, likely = Counter(sampler.sample(info, 3000, Rng(met))), exact.likelihoods(info)
            assert sorted(likely.values()) == pytest.approx([0.1] * 5 + [0.5])
            for state, share in likely.items():
                assert counts[state] / 3000 == pytest.approx(share, abs=0.06)
            met += 1
    assert met == 5
    assert sampler.exact == deterministic


def test_a_sampler_can_begin_late_in_a_match():
    walk = long_walk()
    *_, (info,) = positions(walk, 1, 150)
    states = Replay().sampler(walk, 0).sample(info, 50, Rng(0))
    assert {state.observe(0) for state in states} == {info.seen[-1]}
    assert len(set(states)) > 1


@pytest.mark.parametrize("pool", [3, 50, 500])
def test_where_a_pool_turns_out_wrong_it_goes_back(pool):
    kriegspiel = game("kriegspiel-tic-tac-toe")
    for seed in range(5):
        samplers = [Replay(pool=pool).sampler(kriegspiel, role) for role in (0, 1)]
        exact = [Enumeration().sampler(kriegspiel, role) for role in (0, 1)]
        for infos in positions(kriegspiel, seed, 12):
            for info in infos:
                states = samplers[info.role].sample(info, 10, Rng(seed))
                assert set(states) <= exact[info.role].likelihoods(info).keys()


@pytest.mark.parametrize("moves", ["", "bet", "pass bet"])
def test_kernels_draw_the_same_in_every_way(moves):
    drawn = {}
    for way in ("native", "check", "python"):
        with using(way):
            poker = game("kuhn-poker")
            info = holding(poker, "K", moves)
            drawn[way] = [state.block for state in Replay().sampler(poker, info.role).sample(info, 30, Rng(4))]
    assert drawn["native"] == drawn["check"] == drawn["python"]


def test_roles_that_move_at_once_keep_their_own_moves():
    made = two_at_once()
    position, rng = Position(made, 0), Rng(0)
    for _ in range(SUMS - 1):
        position.play({role: rng.choice(position.state.legal(role)) for role in range(2)})
    for role in range(2):
        info = position.information_set(role)
        for state in Replay().sampler(made, role).sample(info, 50, rng):
            assert state.observe(role) == info.seen[-1]


def test_forward_calls_are_kept_to_the_last():
    info = holding(POKER, "J", "pass bet")
    sampler, rng = Replay().sampler(POKER, 0), Rng(0)
    assert sampler.draw(info, 5, rng, 0) == ([], 0, True)
    for allowed in (1, 2, 3, 7, 50):
        assert sampler.draw(info, 1000, rng, allowed).calls == allowed


def test_the_pool_is_all_there_is():
    info = holding(POKER, "J", "bet")
    sampler = Replay(pool=5).sampler(POKER, 1)
    states, _, more = sampler.draw(info, 100, Rng(0))
    assert (len(states), more) == (5, False)
    assert sampler.sample(info, 3, Rng(0)) == states[:3]
    assert set(sampler.sample(info, 12, Rng(0))) == set(states)


def test_plain_python_games_are_replayed_too():
    urn = Urn()
    position = Position(urn, 3)
    sampler = Replay().sampler(urn, 0)
    for guess in (0, 1):
        info = position.information_set(0)
        states = sampler.sample(info, 200, Rng(1))
        assert {state.ball for state in states} == set(range(4)) - set(info.played)
        if guess == 0:
            wrong = next(ball for ball in range(4) if ball != position.state.ball)
            position.play({0: wrong})
    assert all(state.guesses == (wrong,) for state in states)


def test_what_cannot_have_been_seen_is_an_error():
    impossible = InformationSet(game=POKER, role=0, legal=(0, 1), seen=(bytes([7]),))
    with pytest.raises(
        NoSuchState, match="no state agrees with what first in kuhn-poker has seen and played: none was found"
    ):
        Replay(tries=10).sampler(POKER, 0).sample(impossible, 1, Rng(0))


@pytest.mark.parametrize("wrong", [{"pool": 0}, {"tries": 0}, {"pool": 2.5}])
def test_parameters_that_make_no_sense_are_refused(wrong):
    with pytest.raises(BadParameter, match=f"replay: {next(iter(wrong))} is"):
        Replay(**wrong)


@pytest.mark.statistical
def test_where_all_fits_into_a_pool_nothing_is_lost():
    """Up to some hundred states, 4000 draws that are not of one kind: five standard deviations for each state."""
    kriegspiel = game("kriegspiel-tic-tac-toe")
    samplers = [Replay().sampler(kriegspiel, role) for role in (0, 1)]
    exact = [Enumeration().sampler(kriegspiel, role) for role in (0, 1)]
    for infos in positions(kriegspiel, 3, 9):
        for info in infos:
            sampler, likely = samplers[info.role], exact[info.role].likelihoods(info)
            counts = Counter(draw(sampler, info, 4000, Rng(1))[0])
            assert sampler.exact
            assert set(counts) <= likely.keys()
            for state, share in likely.items():
                assert abs(counts[state] - 4000 * share) <= 5 * (4000 * share * (1 - share)) ** 0.5 + 1


def test_what_does_not_fit_is_not_called_exact():
    kriegspiel = game("kriegspiel-tic-tac-toe")
    sampler = Replay(pool=5).sampler(kriegspiel, 1)
    *_, (info, *_) = positions(kriegspiel, 3, 3)
    sampler = Replay(pool=5).sampler(kriegspiel, info.role)
    assert len(draw(sampler, info, 5, Rng(0))[0]) == 5
    assert not sampler.exact


@pytest.mark.statistical
def test_loud_chance_does_not_drown_what_matters():
    """A number in 200 is right; eight secrets are followed for 20 plies. Each is there in a draw of 400 with certainty."""
    noise = loud()
    sampler = Replay().sampler(noise, 0)
    for (info,) in positions(noise, 4, SUMS - 1):
        states, calls = draw(sampler, info, 400, Rng(len(info.seen)))
        assert calls < 40_000  # as many samples by tries alone are 80,000
        even = any(seen[0] % 2 == 0 for seen in info.seen[1:])
        secrets = {state.block[1] for state in states}
        assert (0 not in secrets) or not even
        assert len(secrets) >= 4


@pytest.mark.parametrize("pool", [3, 300])
@pytest.mark.parametrize("make", [loud, lambda: two_at_once(deterministic=True), long_walk])
def test_what_is_drawn_and_what_it_costs_does_not_depend_on_the_clock(make, pool, monkeypatch):
    """Small pools are full in the middle of a state."""
    drawn = []
    for slices in (1.0, 1e-4):
        monkeypatch.setattr(module, "_SLICE", slices)
        monkeypatch.setattr(module, "_BATCH", slices / 50)
        made = make()
        sampler = Replay(pool=pool).sampler(made, 0)
        sampler.clocked = True
        for infos in positions(made, 2, 4):
            states, calls = draw(sampler, infos[0], 40, Rng(7))
            drawn.append(([state.block for state in states], calls))
    assert drawn[: len(drawn) // 2] == drawn[len(drawn) // 2 :]


def test_states_are_followed_in_the_same_way_by_all_kinds_of_kernels():
    drawn = []
    for way in ("native", "check", "python"):
        with using(way):
            made = two_at_once(deterministic=True)
            sampler = Replay().sampler(made, 0)
            for infos in positions(made, 1, 5):
                states, _ = draw(sampler, infos[0], 30, Rng(4))
            assert sampler.exact
            drawn.append([state.block for state in states])
    assert drawn[0] == drawn[1] == drawn[2]


def test_following_states_keeps_forward_calls_to_the_last():
    made = two_at_once(deterministic=True)
    *_, (info, _) = positions(made, 1, 8)
    sampler, rng, found, pieces = Replay().sampler(made, 0), Rng(0), [], 0
    while not found:
        states, calls, more = sampler.draw(info, 5, rng, 7)
        assert calls <= 7
        assert more
        found += states
        pieces += 1
    assert 1 < pieces < 2000
    assert {state.observe(0) for state in found} == {info.seen[-1]}


def test_where_all_was_looked_at_an_impossible_observation_is_known_at_once():
    made = two_at_once(deterministic=True)
    *_, (info, _) = positions(made, 1, 4)
    wrong = InformationSet(game=made, role=0, legal=info.legal, seen=(*info.seen[:-1], bytes([7])), played=info.played)
    sampler = Replay().sampler(made, 0)
    with pytest.raises(NoSuchState, match="none was found after 4 plies, where all were looked at"):
        sampler.sample(wrong, 1, Rng(0))


@pytest.mark.parametrize(("name", "better"), [("attaque", "constraint"), ("rinascimento", "redeal")])
def test_where_much_is_dealt_at_once_it_says_who_can_deal_anew(name, better):
    made = game(name)
    info = Position(made, 0).information_set(0)
    with pytest.raises(NoSuchState, match=f"too rare for replay; this game deals anew what it hides for '{better}'"):
        Replay(tries=1).sampler(made, 0).sample(info, 1, Rng(0))
