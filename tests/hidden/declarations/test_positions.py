"""Layouts are drawn as likely as they are: compared with enumeration where that is possible, else with brute force."""

from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import product
from math import prod

import pytest

from ludarium.arena.position import Position
from ludarium.core import InformationSet, Rng
from ludarium.games.battleship import battleship
from ludarium.games.battleship_rules import SHIPS, State
from ludarium.hidden import Constraint, Heatmap, NoSuchState, Unconstrained
from ludarium.hidden.declarations import positions as module
from ludarium.kernel import KernelState, using
from ludarium.testing import check_determinizer


def played(game, plies, seed=0):
    """A position after random play."""
    position, rng = Position(game, seed), Rng.keyed(seed, "moves")
    while position.plies < plies:
        (role,) = position.state.movers
        position.play({role: rng.choice(position.state.legal(role))})
    return position


def shot(game, shots, *, role=0, seed=0):
    """What a role knows after the shots of both, and where the others' ships lie: shots that are cells by their names."""
    position = Position(game, seed)
    for text in shots.split():
        (mover,) = position.state.movers
        position.play({mover: game.parse(text)})
    return position.information_set(role)


def fleets(states, role):
    """Count how the others' ships lie."""
    records = (State(bytearray(state.block)) for state in states)
    return Counter(tuple(each.places[SHIPS * (1 - role) : SHIPS * (2 - role)]) for each in records)


def likely(game, info):
    """Go through all fleets: how likely is each, given what a role was shown?"""
    other, seen, fleet = 1 - info.role, State(bytearray(info.seen[-1])), game.settings.fleet
    hits = seen.ships[2 * other] | seen.ships[2 * other + 1] << 64
    misses = (seen.shots[2 * other] | seen.shots[2 * other + 1] << 64) & ~hits
    found = {}
    ways = [[(n, cells) for n, cells in enumerate(each) if cells] for each in game.offers.hidden.ways]
    for layout in product(*ways):
        cells = [each for _, each in layout]
        whole = sum(cells)
        if whole.bit_count() != sum(fleet) or whole & misses or hits & ~whole:
            continue
        if game.settings.sunk:
            sunk = [bool(each & ~hits == 0) for each in cells]
            told = [bool(seen.sunk[other] >> ship & 1) for ship in range(len(fleet))]
            places = [seen.places[SHIPS * other + ship] for ship in range(len(fleet))]
            if sunk != told or any(sunk[k] and layout[k][0] != places[k] for k in range(len(fleet))):
                continue
        free = [sum(not way & sum(cells[:k]) for _, way in ways[k]) for k in range(len(fleet))]
        places = [way for way, _ in layout] + [0] * (SHIPS - len(fleet))
        found[tuple(places)] = 1 / prod(free)
    total = sum(found.values())
    return {each: share / total for each, share in found.items()}


def check_shares(counts, shares, *, sigmas=5):
    """Whether counts are what shares promise; five standard deviations are a false alarm in two million."""
    draws = sum(counts.values())
    assert set(counts) <= set(shares)
    for each, share in shares.items():
        assert abs(counts[each] - draws * share) <= sigmas * (draws * share * (1 - share)) ** 0.5 + 1, each


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("settings", "plies"),
    [
        ({"width": 3, "height": 3, "fleet": (2, 1)}, 8),
        ({"width": 3, "height": 3, "fleet": (2, 1), "sunk": True, "again": True}, 9),
        ({"width": 3, "height": 2, "fleet": (2, 1), "placement": "random", "sunk": True}, 6),
    ],
)
def test_it_keeps_the_promises_of_determinizers(settings, plies):
    (checked,) = check_determinizer(Constraint(), [partial(battleship, **settings)], plies=plies, seed=1)
    assert checked.positions > 4


@pytest.mark.statistical
@pytest.mark.parametrize("settings", [{}, {"sunk": True}, {"again": True}])
@pytest.mark.parametrize("shots", [0, 3, 8, 14, 20])
def test_fleets_come_as_likely_as_they_are(settings, shots):
    """All fleets of three ships on 5 x 4, by brute force; 30,000 draws, five standard deviations each."""
    game = battleship(width=5, height=4, fleet=(3, 2, 2), placement="random", **settings)
    seed = shots
    position = played(game, shots, seed)
    if position.state.over:
        pytest.skip("the match was over by then")
    (role,) = position.state.movers
    info = position.information_set(role)
    states = Constraint().sampler(game, role).sample(info, 30_000, Rng(seed))
    check_shares(fleets(states, role), likely(game, info))


@pytest.mark.statistical
def test_many_hits_that_may_belong_to_many_ships():
    """Hits side by side, which ships of equal length can share in several ways."""
    game = battleship(width=5, height=5, fleet=(3, 3, 2), placement="random")
    state = State(bytearray(game.initial(Rng(0)).block))
    for ship, (way, cells) in enumerate(((2 * 0, 0b111), (2 * 5, 0b111 << 5), (2 * 3, 0b11 << 3))):
        state.places[SHIPS + ship] = way
        state.ships[2] = cells if ship == 0 else state.ships[2] | cells
    state.shots[2] = 0b11 | 0b11 << 5 | 1 << 3 | 1 << 12
    state.left[1] = 8 - 5
    made = KernelState(game, bytes(state.memory))
    info = InformationSet(game=game, role=0, legal=tuple(made.legal(0)), seen=(made.observe(0),))
    shares = likely(game, info)
    assert len(shares) > 20
    check_shares(fleets(Constraint().sampler(game, 0).sample(info, 30_000, Rng(1)), 0), shares)


@pytest.mark.statistical
def test_where_nearly_nothing_fits_all_that_does_is_listed(monkeypatch):
    """The same distribution comes from the list as from trying: 10,000 draws each."""
    game = battleship(width=5, height=4, fleet=(3, 2, 2), placement="random")
    info = played(game, 16, 4).information_set(0)
    shares = likely(game, info)
    monkeypatch.setattr(module, "_LOOK", 10)
    monkeypatch.setattr(module, "_RARE", 0)  # whatever is found is not enough
    sampler = Constraint().sampler(game, 0)
    sampler.sample(info, 20, Rng(1))
    counts = fleets(sampler.sample(info, 10_000, Rng(2)), 0)
    assert sampler._layouts.listed == len(shares)
    check_shares(counts, shares)


def test_pieces_that_get_in_each_others_way_are_a_contradiction(monkeypatch):
    """Each ship fits somewhere, and hits can be shared out, but no two ships fit together."""
    game = battleship(width=3, height=3, fleet=(3, 3), placement="random")
    state = State(bytearray(game.initial(Rng(0)).block))
    state.shots[2] = 0b111 | 0b101 << 3 | 0b101 << 6  # all but the column in the middle, and nothing but misses
    state.ships[2] = 0
    info = InformationSet(game=game, role=0, legal=(4, 7), seen=(bytes(state.memory),))
    hit = KernelState(game, bytes(state.memory))
    info = replace(info, seen=(hit.observe(0),))
    with pytest.raises(NoSuchState, match="no state agrees with what first in battleship"):
        Constraint().sampler(game, 0).sample(info, 1, Rng(0))
    state.shots[2] = 0b101 | 0b101 << 6  # now each ship lies in the cross, and two cannot
    info = InformationSet(game=game, role=0, legal=(1, 3, 4, 5, 7), seen=(bytes(state.memory),))
    info = replace(info, seen=(KernelState(game, bytes(state.memory)).observe(0),))
    with pytest.raises(NoSuchState, match="the hidden pieces get in each other's way"):
        Constraint().sampler(game, 0).sample(info, 1, Rng(0))


def test_what_nobody_is_shown_is_a_contradiction():
    game = battleship(placement="random")
    info = Position(game, 1).information_set(0)
    sampler = Constraint().sampler(game, 0)
    with pytest.raises(NoSuchState, match="nobody is shown that"):
        sampler.sample(replace(info, seen=(info.seen[0][:-1],)), 1, Rng(0))
    state = State(bytearray(info.seen[0]))
    state.left[1] = 3  # but nothing was hit
    with pytest.raises(NoSuchState, match="nobody is shown that"):
        sampler.sample(replace(info, seen=(bytes(state.memory),)), 1, Rng(0))
    with pytest.raises(NoSuchState, match="it would not have to choose among these moves now"):
        sampler.sample(replace(info, legal=info.legal[1:]), 1, Rng(0))


def test_a_layout_that_is_known_is_the_only_one():
    game = battleship(width=3, height=1, fleet=(2,), placement="random")
    for seed in range(20):
        position = Position(game, seed)
        position.play({0: game.parse("a1")})
        position.play({1: game.parse("a1")})
        info = position.information_set(0)
        states = Constraint().sampler(game, 0).sample(info, 20, Rng(0))
        assert set(states) == {position.state}


def test_kernels_draw_the_same_in_every_way():
    drawn = {}
    for way in ("native", "check", "python"):
        with using(way):
            game = battleship(width=4, height=4, fleet=(3, 2), placement="random", sunk=True)
            info = played(game, 8, 2).information_set(0)
            drawn[way] = [
                [state.block for state in made.sampler(game, 0).sample(info, 12, Rng(4))]
                for made in (Constraint(), Heatmap(samples=10), Unconstrained())
            ]
    assert drawn["native"] == drawn["check"] == drawn["python"]


def test_every_copy_agrees_with_what_was_seen_and_costs_are_told():
    game = battleship(placement="random")
    for shots in (0, 40, 80, 120):
        info = played(game, shots, 3).information_set(0)
        sampler = Constraint().sampler(game, 0)
        states = sampler.sample(info, 500, Rng(0))
        assert all(state.observe(0) == info.seen[-1] for state in states)
        effort = sampler.effort
        assert (effort.copies, effort.fallbacks) == (500, 0)
        assert 5 * 500 <= effort.attempts < 50 * 500
        assert 0 < effort.latency < 0.01


@pytest.mark.statistical
def test_heat_prefers_what_many_layouts_cover():
    """A fleet is drawn as often as otherwise, times the heat that it covers; 30,000 draws, five standard deviations."""
    game = battleship(width=4, height=3, fleet=(3, 2), placement="random")
    info = played(game, 6, 1).information_set(0)
    sampler = Heatmap(samples=50).sampler(game, 0)
    counts = fleets(sampler.sample(info, 30_000, Rng(2)), 0)
    hits = State(bytearray(info.seen[-1])).ships[2]
    assert all(sampler.heat[cell] == 0 for cell in range(12) if hits >> cell & 1)
    covered = sum(sampler.heat[:12])
    assert covered == pytest.approx(5 - hits.bit_count())
    shares = {}
    for places, share in likely(game, info).items():
        cells = game.offers.hidden.ways[0][places[0]] | game.offers.hidden.ways[1][places[1]]
        shares[places] = share * sum(sampler.heat[cell] for cell in range(12) if cells >> cell & 1)
    total = sum(shares.values())
    check_shares(counts, {places: share / total for places, share in shares.items()})


@pytest.mark.statistical
def test_random_ignores_what_was_seen():
    """All fleets come as often as at the beginning, but for those that are wholly hit: the role has to choose."""
    game = battleship(width=4, height=3, fleet=(3, 2), placement="random")
    position = played(game, 8, 1)
    states = Unconstrained().sampler(game, 0).sample(position.information_set(0), 30_000, Rng(2))
    start = likely(game, Position(game, 1).information_set(0))
    shots = State(bytearray(position.state.block)).shots[2]
    open_ = {
        places: share
        for places, share in start.items()
        if (game.offers.hidden.ways[0][places[0]] | game.offers.hidden.ways[1][places[1]]) & ~shots
    }
    total = sum(open_.values())
    check_shares(fleets(states, 0), {places: share / total for places, share in open_.items()})
    assert any(state.observe(0) != position.state.observe(0) for state in states)


def test_a_sampler_serves_a_whole_match():
    game = battleship(width=6, height=6, fleet=(3, 2))
    position, rng = Position(game, 3), Rng(3)
    samplers = [Constraint().sampler(game, role) for role in (0, 1)]
    while not position.state.over:
        (role,) = position.state.movers
        info = position.information_set(role)
        assert all(state.observe(role) == info.seen[-1] for state in samplers[role].sample(info, 10, rng))
        position.play({role: rng.choice(info.legal)})
