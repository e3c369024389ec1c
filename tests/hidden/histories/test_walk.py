"""A walk among histories: where replay finds nothing, in .lud games and others; what it draws, and what it says if there is nothing."""

from collections import Counter

import pytest

from ludarium import game
from ludarium.arena.position import Position
from ludarium.core import InformationSet, Rng
from ludarium.hidden import NoSuchState, determinizer
from ludarium.hidden.auto import ReplayOrWalk
from ludarium.hidden.histories.walk_kernels import extend, roam, start
from ludarium.ludii.game import from_text

KINDS = ("Ant", "Bee", "Cow", "Dog", "Elk", "Fox", "Gnu", "Hen", "Ibis", "Jay", "Koi", "Lynx")

FACE_DOWN = f"""
(game "Face Down" (players 2)
    (equipment {{ (board (rectangle 3 4)) {" ".join(f'(piece "{kind}" Neutral)' for kind in KINDS)} }})
    (rules
        (start {{
            {" ".join(f'(place Random {{ "{kind}0" }})' for kind in KINDS)}
            (set Hidden What (sites Board) to:P1)
            (set Hidden What (sites Board) to:P2)
        }})
        (play (move Select (from (sites Hidden What to:Mover))
            (then (and (set Hidden What at:(last From) False to:P1) (set Hidden What at:(last From) False to:P2)))))
        (end (if (= (count Moves) 12) (result P1 Win)))
    )
)
"""
"""Twelve pieces, each of another kind, are dealt face down; players turn them up in turn."""

BURIED = """
(game "Buried" (players 2)
    (equipment { (board (square 7)) (piece "Chest" P1) (piece "Hole" P2) })
    (rules
        phases:{
            (phase "Bury"
                (play (if (is Mover P1)
                    (move Add (to (sites Empty)) (then (set Hidden at:(last To) to:P2)))
                    (move Select (from (sites {0})))))
                (nextPhase (>= (count Turns) 8) "Dig"))
            (phase "Dig"
                (play (if (is Mover P2)
                    (move Select (from (difference (sites Board) (sites Occupied by:P2)))
                        (then (if (is Hidden at:(last From) to:P2)
                            (set Hidden at:(last From) False to:P2)
                            (add (piece "Hole2") (to (last From))))))
                    (move Select (from (sites {0})))))
                (end (if (= (count Moves) 60) (result P1 Win))))
        }
    )
)
"""
"""Four chests are buried one by one; then holes are dug, and chests come to light."""


WIDER = """
(role me) (role other) (role random) (init (step 0))
(<= (legal other narrow) (true (step 0))) (<= (legal other wide) (true (step 0)))
(<= (legal other (pick ?k)) (true (step 1)) (few ?k)) (<= (legal other (pick ?k)) (true (step 1)) (true wide) (more ?k))
(<= (legal other noop) (true (step 2))) (<= (legal me noop) (not (true (step 2))))
(<= (legal me left) (true (step 2))) (<= (legal me right) (true (step 2))) (legal random noop)
(few 1) (few 2) (more 3) (more 4) (more 5) (more 6) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next wide) (does other wide)) (<= (next wide) (true wide))
(<= (next (picked ?k)) (does other (pick ?k))) (<= (next (picked ?k)) (true (picked ?k)))
(<= terminal (true (step 3)))
(<= (goal me 100) (true wide)) (<= (goal me 0) (not (true wide))) (goal other 0) (goal random 0)
(<= (sees me (now ?n)) (true (step ?n)))
"""
"""Another role chooses something hidden, and then among two moves or, after the other choice, six."""


def played(spec, plies, role, seed=4):
    """What a role knows after some random moves, and before it chooses next."""
    position, rng = Position(spec, seed), Rng(seed)
    while position.plies < plies or role not in position.state.movers:
        position.play({each: rng.choice(position.state.legal(each)) for each in position.state.movers})
    return position.information_set(role)


def test_a_deal_is_found_of_which_so_much_was_shown_that_nobody_guesses_it():
    cards = from_text(FACE_DOWN)
    info = played(cards, 8, 0)
    with pytest.raises(NoSuchState):
        determinizer("replay(pool=200, tries=20)").sampler(cards, 0).sample(info, 1, Rng(0))
    for name in ("walk", "auto"):
        states = determinizer(name).sampler(cards, 0).sample(info, 60, Rng(0))
        assert {state.observe(0) for state in states} == {info.seen[-1]}
        assert {tuple(state.legal(0)) for state in states} == {tuple(info.legal)}
        assert len(set(states)) > 12, "of 24 deals that there can be"


def test_four_pieces_that_nobody_saw_may_lie_in_any_order():
    cards = from_text(FACE_DOWN)
    info = played(cards, 8, 0)
    states = determinizer("walk").sampler(cards, 0).sample(info, 2400, Rng(1))
    counts = Counter(states)
    assert len(counts) == 24
    assert all(40 < count < 180 for count in counts.values())


def test_what_was_buried_is_where_it_came_to_light_or_where_nobody_dug():
    isle = from_text(BURIED)
    sampler = determinizer("walk").sampler(isle, 1)
    for plies in (10, 20, 40):
        info = played(isle, plies, 1)
        states = sampler.sample(info, 20, Rng(plies))
        assert all(state.observe(1) == info.seen[-1] for state in states)
        assert len(set(states)) > 5


def test_same_seed_same_states_and_the_next_decision_goes_on():
    isle = from_text(BURIED)
    one, other = (determinizer("walk").sampler(isle, 1) for _ in range(2))
    for plies in (8, 12, 16):
        info = played(isle, plies, 1)
        assert one.sample(info, 5, Rng(plies)) == other.sample(info, 5, Rng(plies))


@pytest.mark.parametrize("name", ["kuhn-poker", "leduc-poker"])
def test_frequencies_are_those_of_the_whole_information_set(name):
    poker = game(name)
    info = played(poker, 1, 1)
    likely = determinizer("enumeration").sampler(poker, 1).likelihoods(info)
    drawn = Counter(determinizer("walk").sampler(poker, 1).sample(info, 3000, Rng(2)))
    assert drawn.keys() == likely.keys()
    assert all(abs(drawn[state] / 3000 - share) < 0.05 for state, share in likely.items())


def test_choices_count_as_much_where_what_was_chosen_before_says_how_many_there_are(tmp_path):
    rules = tmp_path / "wider.kif"
    rules.write_text(WIDER)
    wider = game(str(rules))
    info = played(wider, 2, 0)
    likely = determinizer("enumeration").sampler(wider, 0).likelihoods(info)
    assert sorted(likely.values()) == pytest.approx([1 / 12] * 6 + [1 / 4] * 2)
    drawn = Counter(determinizer("walk").sampler(wider, 0).sample(info, 3000, Rng(2)))
    assert all(abs(drawn[state] / 3000 - share) < 0.03 for state, share in likely.items())


def test_it_says_if_nothing_is_found():
    cards = from_text(FACE_DOWN)
    info = played(cards, 4, 0)
    twice = bytes(info.seen[-1])
    wrong = InformationSet(
        game=cards, role=0, legal=info.legal, seen=(*info.seen[:-1], twice[::-1]), played=info.played
    )
    with pytest.raises(NoSuchState, match="none was found in .* steps"):
        determinizer("walk(vain=300)").sampler(cards, 0).sample(wrong, 1, Rng(0))


def test_replay_is_kept_as_long_as_it_finds_something():
    poker = game("kuhn-poker")
    sampler = determinizer("auto").sampler(poker, 1)
    assert isinstance(sampler, ReplayOrWalk)
    sampler.sample(played(poker, 1, 1), 50, Rng(0))
    assert not sampler.walks


def test_what_a_walk_needs_is_compiled_when_a_player_sits_down(monkeypatch):
    cards = from_text(FACE_DOWN)
    kernels = (start, extend, roam)
    for each in kernels:
        monkeypatch.setattr(each, "_units", {})
    sampler = determinizer("auto").sampler(cards, 0)
    before = [dict(each._units) for each in kernels]
    assert all(before)
    assert sampler.sample(played(cards, 8, 0), 5, Rng(0))
    assert sampler.walks
    assert [each._units for each in kernels] == before
