"""Deals are drawn as likely as they were dealt: the support is what enumeration finds, the shares are equal."""

from collections import Counter
from dataclasses import replace
from functools import partial

import pytest

from ludarium.core import GameError, Rng
from ludarium.core.hidden import Deal
from ludarium.games.attaque import attaque
from ludarium.games.leduc_poker import State, leduc_poker
from ludarium.games.whist import whist
from ludarium.hidden import Constraint, Enumeration, NoSuchState, TooManyStates, Unconstrained
from ludarium.hidden.declarations import deals as module
from ludarium.kernel import i64, kernel, u8, using, view
from ludarium.testing import check_determinizer
from ludarium.testing.determinizer import positions
from tests.hidden.declarations.test_positions import played

GAMES = {
    "whist": (partial(whist, players=3, suits=2, ranks=3, cards=2), 5),
    "whist for two": (partial(whist, players=2, suits=3, ranks=2, cards=3), 5),
    "attaque": (partial(attaque, width=4, height=3, army="fbom"), 3),
}


@pytest.mark.statistical
@pytest.mark.parametrize("seed", range(3))
def test_it_keeps_the_promises_of_determinizers_where_choices_tell_nothing(seed):
    (checked,) = check_determinizer(Constraint(), [leduc_poker], plies=6, seed=seed)
    assert checked.positions >= 2


@pytest.mark.statistical
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(2))
def test_every_deal_that_agrees_is_equally_likely(name, seed):
    """Support by enumeration; 4000 draws per position, five standard deviations per state."""
    make, plies = GAMES[name]
    game = make()
    exact = [Enumeration().sampler(game, role) for role in range(len(game.roles))]
    drawing = [Constraint().sampler(game, role) for role in range(len(game.roles))]
    for (info,) in positions(game, seed, plies):
        support = exact[info.role].likelihoods(info)
        counts = Counter(drawing[info.role].sample(info, 4000, Rng(seed)))
        assert set(counts) <= set(support)
        share = 1 / len(support)
        for state in support:
            assert abs(counts[state] - 4000 * share) <= 5 * (4000 * share * (1 - share)) ** 0.5 + 1


@pytest.mark.parametrize("make", [leduc_poker, whist, attaque])
def test_every_copy_agrees_in_a_whole_match(make):
    game = make()
    position, rng = played(game, 0, 5), Rng(5)
    samplers = [Constraint().sampler(game, role) for role in range(len(game.roles))]
    while not position.state.over:
        (role,) = position.state.movers
        info = position.information_set(role)
        states = samplers[role].sample(info, 20, rng)
        assert all(state.observe(role) == info.seen[-1] for state in states)
        position.play({role: rng.choice(info.legal)})
    assert samplers[0].effort.fallbacks == 0
    assert samplers[0].effort.copies > 0


def test_pieces_that_have_moved_are_neither_flag_nor_bomb():
    game = attaque()
    position = played(game, 21, 2)
    info = position.information_set(1)
    drawn = [game.places(state, 1) for state in Constraint().sampler(game, 1).sample(info, 300, Rng(0))]
    picture = game.picture(position.state, 1).splitlines()
    moved = {
        f"{'abcde'[column]}{6 - row}" for row in range(6) for column in range(5) if picture[row][2 + 2 * column] == "!"
    }
    assert moved
    assert all(each[place] not in ("flag", "bomb") for each in drawn for place in moved)
    careless = [game.places(state, 1) for state in Unconstrained().sampler(game, 1).sample(info, 300, Rng(0))]
    assert any(each[place] in ("flag", "bomb") for each in careless for place in moved)


@pytest.mark.parametrize("make", [leduc_poker, whist, attaque])
def test_kernels_draw_the_same_in_every_way(make):
    drawn = {}
    for way in ("native", "check", "python"):
        with using(way):
            game = make()
            info = played(game, 3, 6).information_set(played(game, 3, 6).state.movers[0])
            drawn[way] = [state.block for state in Constraint().sampler(game, info.role).sample(info, 8, Rng(4))]
    assert drawn["native"] == drawn["check"] == drawn["python"]


def test_what_nobody_is_shown_is_a_contradiction():
    game = attaque(width=4, height=3, army="fbom")
    info = played(game, 2, 0).information_set(0)
    sampler = Constraint().sampler(game, 0)
    with pytest.raises(NoSuchState, match="red in attaque.* nobody is shown that"):
        sampler.sample(replace(info, seen=(info.seen[-1] + b"?",)), 1, Rng(0))
    with pytest.raises(NoSuchState, match="it would not have to choose among these moves now"):
        sampler.sample(replace(info, legal=info.legal[1:]), 1, Rng(0))


@kernel
def too_many(seen: view[u8], role: i64, state: State, left: view[i64], may: view[u8]) -> i64:
    return 5


def declaring(**given):
    """Leduc poker with another declaration."""
    game = leduc_poker()
    hidden = game.offers.hidden
    deal = Deal(**{"kinds": 3, "places": 1, "known": hidden.known, "fill": hidden.fill, **given})
    game.offers = replace(game.offers, hidden=deal)
    return game


def test_declarations_that_do_not_fit_are_told():
    with pytest.raises(GameError, match="hides 0 kinds of things in 1 places"):
        Constraint().sampler(declaring(kinds=0), 0)
    wrong = declaring(known=too_many)
    with pytest.raises(GameError, match="declares 1 hidden places and tells of 5"):
        Constraint().sampler(wrong, 0).sample(played(wrong, 0).information_set(0), 1, Rng(0))
    with pytest.raises(GameError, match="'known' is not a kernel"):
        Constraint().sampler(declaring(known=print), 0)


def test_too_many_deals_to_count_are_told(monkeypatch):
    game = whist()
    sampler = Constraint().sampler(game, 0)
    monkeypatch.setattr(module, "_ROOM", 10)
    with pytest.raises(TooManyStates, match="can be dealt in too many ways to count"):
        sampler.sample(played(game, 0).information_set(0), 1, Rng(0))
