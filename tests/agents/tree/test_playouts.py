"""Playouts that choose: as often as the formulas of their papers say, by the parameters that they are about."""

from collections import Counter
from math import exp

import pytest

from ludarium import agent, game
from ludarium.agents.search.actions import Actions
from ludarium.agents.tree.credit import credit_moves, find_credit, joined_key, learn_sequences
from ludarium.agents.tree.play import Credit, Play, Settings, TrailMove, move_key
from ludarium.agents.tree.playouts import best_credit, best_sequence, gibbs_credit
from ludarium.core import Rng
from ludarium.kernel import f64, u64, zeros

DRAWS = 20_000
WITHIN = 0.02  # more than five standard deviations of a share
ROLE = 1
MOVES = (4, 7, 9)


def playing(**settings):
    """An iteration of a role with three moves; what nobody asks about has a value that would be noticed."""
    given = Settings()
    for name in Settings.fields:
        setattr(given, name, settings.get(name, 0.5))
    play = Play(
        state=b"",
        spare=b"",
        moves=zeros(u64, len(MOVES)),
        joint=zeros(u64, 2),
        values=zeros(f64, 2),
        actions=Actions(),
        settings=given,
        trail=zeros(TrailMove, 8),
        ledger=zeros(Credit, 64),
    )
    for place, move in enumerate(MOVES):
        play.moves[place] = move
    return play


def know(play, key, worth, visits=10):
    """Say what something was worth."""
    credit = play.ledger[find_credit(play.ledger, key)]
    credit.key, credit.total, credit.visits = key, worth * visits, visits


def worth(play, key):
    """What something was worth, and how often it was met; None if never."""
    credit = play.ledger[find_credit(play.ledger, key)]
    return (credit.total / credit.visits, credit.visits) if credit.visits else None


def shares(choose, play, before=0):
    rng = Rng(3)
    drawn = Counter(choose(play, ROLE, len(MOVES), before, rng) for _ in range(DRAWS))
    return [drawn[place] / DRAWS for place in range(len(MOVES))]


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("choose", [best_credit, best_sequence])
def test_the_best_move_is_drawn_but_for_a_share_of_epsilon(choose, epsilon):
    play = playing(epsilon=epsilon)
    for move, value in zip(MOVES, (0.2, 0.8, 0.6), strict=True):
        know(play, move_key(ROLE, move), value)
        know(play, move_key(1 - ROLE, move), 1.0 - value)
    random = epsilon / 3
    assert shares(choose, play) == pytest.approx([random, 1 - epsilon + random, random], abs=WITHIN)


@pytest.mark.parametrize("choose", [best_credit, best_sequence])
def test_what_was_never_played_counts_as_a_win(choose):
    play = playing(epsilon=0.0)
    know(play, move_key(ROLE, MOVES[0]), 0.9)
    assert shares(choose, play) == pytest.approx([0.0, 0.5, 0.5], abs=WITHIN)


@pytest.mark.parametrize("temperature", [0.1, 1.0])
def test_moves_are_drawn_by_how_much_they_are_worth_at_a_temperature(temperature):
    play = playing(temperature=temperature)
    for move, value in zip(MOVES[:2], (0.7, 0.9), strict=True):
        know(play, move_key(ROLE, move), value)
    weights = [exp((value - 1.0) / temperature) for value in (0.7, 0.9, 1.0)]  # the last was never played
    expected = [weight / sum(weights) for weight in weights]
    assert shares(gibbs_credit, play) == pytest.approx(expected, abs=WITHIN)
    assert shares(gibbs_credit, play) == pytest.approx(expected, abs=WITHIN), "weights that were worked out are kept"


@pytest.mark.parametrize(
    ("before", "best"),
    [(0, 0), (1, 1), (2, 2)],
    ids=["alone", "after a move", "after two moves"],
)
def test_sequences_count_as_far_as_they_were_met(before, best):
    """Each of the three moves is the best if one looks back so far."""
    play = playing(epsilon=0.0)
    play.record(1 - ROLE, 2)
    play.record(ROLE, 3)
    last, first = play.trail[before - 1].key if before else 0, play.trail[before - 2].key if before > 1 else 0
    for move, single, double, triple in zip(MOVES, (0.6, 0.5, 0.4), (0.1, 0.5, 0.4), (0.1, 0.1, 0.9), strict=True):
        key = move_key(ROLE, move)
        know(play, key, single)
        if before > 0:
            know(play, joined_key(key, last), double)
        if before > 1:
            know(play, joined_key(joined_key(key, last), first), triple)
    assert shares(best_sequence, play, before)[best] == 1.0


def test_moves_are_credited_with_what_came_of_them_for_who_made_them():
    play = playing()
    for role, move in ((0, 5), (1, 5), (0, 6), (0, 5)):
        play.record(role, move)
    play.values[0], play.values[1] = 0.25, 1.0
    credit_moves(play)
    assert worth(play, move_key(0, 5)) == (0.25, 2)
    assert worth(play, move_key(0, 6)) == (0.25, 1)
    assert worth(play, move_key(1, 5)) == (1.0, 1)
    assert worth(play, move_key(1, 6)) is None


def test_sequences_are_credited_with_what_came_of_them_for_their_last_mover():
    tree = agent("nst").seat(game("tic-tac-toe"), 0, Rng(0)).growth.tree
    play = tree.play
    for role, move in ((0, 5), (1, 6), (0, 7)):
        play.record(role, move)
    play.values[0], play.values[1] = 0.25, 1.0
    learn_sequences(tree)
    a, b, c = (move_key(role, move) for role, move in ((0, 5), (1, 6), (0, 7)))
    assert [worth(play, key) for key in (a, b, c)] == [(0.25, 1), (1.0, 1), (0.25, 1)]
    assert worth(play, joined_key(b, a)) == (1.0, 1)
    assert worth(play, joined_key(c, b)) == (0.25, 1)
    assert worth(play, joined_key(joined_key(c, b), a)) == (0.25, 1)
    assert worth(play, joined_key(a, b)) is None, "the order counts"
