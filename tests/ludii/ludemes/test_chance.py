"""Sites that are drawn."""

from collections import Counter

from ludarium.core import Rng
from tests.ludii.ludemes.small import made, standing


def test_pieces_stand_anywhere_at_first_and_never_on_each_other():
    game = made("(move Pass)", ("Man1", [0, 1, 2]), start='(place Random {"Rook1" "Rook2"} count:5)')
    found = Counter()
    for seed in range(40):
        pieces = standing(game, game.initial(Rng(seed)))
        assert Counter(pieces.values()) == {"Man1": 3, "Rook1": 5, "Rook2": 5}
        found.update(site for site, name in pieces.items() if name == "Rook1")
    assert set(found) == set(range(3, 25))  # each is left out with probability (17/22)^40 < 0.0001


def test_an_effect_takes_as_many_sites_as_it_is_told():
    play = '(move Select (from 0) (then (add (piece "Wall0") (to (sites Random (sites Row 2) num:3)))))'
    game = made(play, ("Man1", [0]))
    drawn = set()
    for seed in range(20):
        state = game.initial(Rng(0))
        state = state.after(state.legal(0)[0], rng=Rng(seed))
        walls = {site for site, name in standing(game, state).items() if name == "Wall0"}
        assert len(walls) == 3
        assert walls <= {10, 11, 12, 13, 14}
        drawn |= {tuple(sorted(walls))}
    assert len(drawn) > 1
