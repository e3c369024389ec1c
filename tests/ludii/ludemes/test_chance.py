"""Sites that are drawn."""

from collections import Counter

from ludarium.core import Rng
from ludarium.ludii.game import from_text
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


def test_a_number_of_pieces_is_drawn_again_for_every_piece():
    """Of 1 to 3 pieces: one in 1/3 of all cases, two in 4/9, three in 2/9."""
    game = made("(move Pass)", start='(place Random {"Man1"} count:(value Random (range 1 3)))')
    found = Counter(len(standing(game, game.initial(Rng(seed)))) for seed in range(300))
    assert set(found) == {1, 2, 3}
    assert (
        90 <= found[1] <= 150
    )  # one piece is left alone if the second number is 1: a third, not a third of 300 plus more
    assert found[3] < found[2]


def test_pieces_in_a_random_order_where_there_is_room():
    start = '(place Random (sites {3 4}) {"Man1" "Rook1" "Man2"} True)'
    game = made("(move Pass)", start=start)
    found = Counter(tuple(sorted(standing(game, game.initial(Rng(seed))).items())) for seed in range(120))
    assert all({site for site, _ in pieces} == {3, 4} for pieces in found)
    assert len(found) == 6  # which two, and on which site


def test_pieces_come_to_hands_at_random():
    game = made("(move Pass)", ("Man1", [0]), more="(hand P1 size:2)", start='(place Random (sites Hand P1) {"Rook1"})')
    found = {
        site for seed in range(20) for site, name in standing(game, game.initial(Rng(seed))).items() if name == "Rook1"
    }
    assert found == {25, 26}


def test_a_stack_is_shuffled():
    for start in ('{ (count "Man1" 2) (count "Man2" 1) } 6', '{"Man1" "Man2"} count:{2 1} 6'):
        game = made("(move Pass)", start=f"(place Random {start})")
        layout, found = game.compiled.layout, set()
        for seed in range(40):
            record = layout.state(bytearray(game.initial(Rng(seed)).block))
            assert record.height[6] == 3
            found.add(tuple(record.what[6 * layout.height + k] for k in range(3)))
        assert found == {(1, 1, 2), (1, 2, 1), (2, 1, 1)}


def test_nobody_who_plays_alone_and_loses_has_a_rank():
    text = """
    (game "Alone" (players 1) (equipment { (board (square 2)) (piece "Man" P1) })
        (rules (play (move Add (to (sites Empty)))) (end (if (is Full) (result All Loss)))))
    """
    game = from_text(text)
    state = game.initial()
    while state.movers:
        state = state.after(state.legal(0)[0])
    assert tuple(state.utilities()) == (0.0,)
