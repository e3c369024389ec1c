"""What bits tell a learner: which exclude each other, where they stand, which only count turns."""

import pytest

from ludarium import game
from ludarium.gdl.facts.cells import clock_bits, exclusive_bits, places_of_bits


def named(made, bits):
    return [made.network.facts[bit] for bit in bits]


def test_the_contents_of_a_cell_exclude_each_other():
    made = game("gdl:tic-tac-toe")
    groups = exclusive_bits(made)
    assert sorted(bit for group in groups for bit in group) == list(range(len(made.network.facts)))
    assert sorted(map(len, groups)) == [2] + [3] * 9
    for group in groups:
        assert len({text.rsplit(" ", 1)[0] for text in named(made, group)}) == 1


def test_cells_stand_on_the_board():
    made = game("gdl:tic-tac-toe")
    places = places_of_bits(made)
    assert len(places) == 27
    assert set(places.values()) == {(x / 2, y / 2) for x in range(3) for y in range(3)}
    text = made.network.facts[next(bit for bit, place in places.items() if place == (0.0, 1.0))]
    assert text.split()[1:3] == ["1", "3"]


@pytest.mark.parametrize(("spec", "counted"), [("criss-cross", 41), ("gdl:connect-four", 0), ("gdl:tic-tac-toe", 0)])
def test_what_counts_turns_is_found_and_whose_turn_it_is_is_not(spec, counted):
    made = game(spec)
    mask = clock_bits(made.network)
    assert mask.bit_count() == counted
    assert all(text.startswith("(turn") for bit, text in enumerate(made.network.facts) if mask >> bit & 1)
