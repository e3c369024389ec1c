import functools
import operator

import pytest

from ludarium.core import BadParameter, IllegalMove
from ludarium.games.nim import nim
from tests.games.matches import follow, perft


def test_a_short_match():
    state = follow(nim(), "3 from a, 5 from b, 6 from c")
    assert str(state) == "a: (0)\nb: (0)\nc: | (1)"
    assert not state.over
    end = follow(nim(), "3 from a, 5 from b, 6 from c, 1 from c")
    assert end.over
    assert end.utilities() == (0.0, 1.0)


def test_the_last_object_loses_if_the_game_is_misere():
    assert follow(nim(heaps=(2,)), "2 from a").utilities() == (1.0, 0.0)
    assert follow(nim(heaps=(2,), misere=True), "2 from a").utilities() == (0.0, 1.0)


@pytest.mark.parametrize("heaps", [(1,), (2, 2), (1, 2, 3), (3, 4), (1, 3, 5), (2, 4, 6)])
def test_bouton_knows_who_wins(heaps):
    @functools.cache
    def value(state):
        if state.over:
            return state.utilities()[0]
        values = [value(state.after(move)) for move in state.legal(state.movers[0])]
        return max(values) if state.movers == (0,) else min(values)

    assert value(nim(heaps).initial()) == float(functools.reduce(operator.xor, heaps) != 0)


def test_the_number_of_ways_to_play_by_length():
    def ways(heaps, depth):
        if depth == 0:
            return 1
        rests = [(*heaps[:i], left, *heaps[i + 1 :]) for i, size in enumerate(heaps) for left in range(size)]
        return sum(ways(rest, depth - 1) for rest in rests)

    assert [perft(nim((1, 2, 3)), n) for n in range(1, 7)] == [ways((1, 2, 3), n) for n in range(1, 7)]


@pytest.mark.parametrize("text", ["", "3", "a", "3 of a", "0 from a", "1 from d", "999 from a", "-1 from a"])
def test_what_is_no_move_is_told(text):
    with pytest.raises(IllegalMove, match="write a number and a heap, 1 from a to c"):
        nim().parse(text)


def test_more_than_there_is_cannot_be_taken():
    with pytest.raises(IllegalMove, match="'4 from a' is not legal for first"):
        follow(nim(), "4 from a")


@pytest.mark.parametrize("heaps", [(0,), (256,), (-1, 3), (1.0,), ("3",)])
def test_impossible_heaps_are_refused(heaps):
    with pytest.raises(BadParameter, match="a heap holds 1 to 255 objects; these are"):
        nim(heaps)


@pytest.mark.parametrize("heaps", [(), (1,) * 27])
def test_too_few_or_too_many_heaps_are_refused(heaps):
    with pytest.raises(BadParameter, match="played with 1 to 26 heaps, not"):
        nim(heaps)
