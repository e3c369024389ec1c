import numpy as np
import pytest

from ludarium import game
from ludarium.agents.alphabeta import AlphaBeta
from ludarium.agents.lookahead.alphabeta_kernels import look_up
from ludarium.agents.lookahead.frames import Frame
from ludarium.agents.lookahead.transpositions import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    SOLVED,
    Entry,
    Transpositions,
    find,
    store,
)
from ludarium.core import Rng


def found(table, key):
    """The value and the depth that a table knows of a key."""
    place = find(table.entries, table.tags, key)
    if place < 0:
        return None
    entry = Entry(table.entries[place * Entry.size :].data)
    return entry.value, entry.depth


def put(table, key, value, depth, bound=EXACT):
    store(table.entries, table.tags, key, 7, value, depth, bound)


def test_what_was_stored_is_found_and_nothing_else():
    table, rng = Transpositions(12), Rng(1)
    keys = [rng.next() for _ in range(300)]
    for k, key in enumerate(keys):
        put(table, key, k / 300, k % 9)
    known = [found(table, key) for key in keys]
    assert sum(each is not None for each in known) > 280
    assert all(each in (None, (k / 300, k % 9)) for k, each in enumerate(known))
    assert not any(found(table, rng.next()) for _ in range(300))


def test_a_shallower_result_of_the_same_state_does_not_replace_a_deeper_one():
    table = Transpositions(4)
    put(table, 5, 0.25, 6)
    put(table, 5, 0.5, 3)
    assert found(table, 5) == (0.25, 6)
    put(table, 5, 0.75, SOLVED, AT_MOST)
    put(table, 5, 0.5, 9000)
    assert found(table, 5) == (0.75, SOLVED)


def test_in_a_full_bucket_the_deepest_stays():
    table, rng = Transpositions(1), Rng(3)
    put(table, 99, 0.125, 50)
    for _ in range(100):
        put(table, rng.next(), 0.5, 2)
    assert found(table, 99) == (0.125, 50)


def test_a_table_that_is_cleared_knows_nothing():
    table = Transpositions(4)
    put(table, 5, 0.25, 6)
    table.clear()
    assert found(table, 5) is None
    assert not np.any(table.tags)


def test_without_bits_there_is_no_table():
    assert len(Transpositions(0).entries) == len(Transpositions(0).tags) == 0


@pytest.mark.parametrize(
    ("bound", "window", "settled"),
    [
        (EXACT, (0.0, 1.0), True),
        (EXACT, (0.7, 0.8), True),
        (AT_LEAST, (0.2, 0.5), True),
        (AT_LEAST, (0.2, 0.4), True),
        (AT_LEAST, (0.2, 0.6), False),
        (AT_LEAST, (0.6, 0.8), False),
        (AT_MOST, (0.5, 0.8), True),
        (AT_MOST, (0.6, 0.8), True),
        (AT_MOST, (0.4, 0.8), False),
        (AT_MOST, (0.2, 0.4), False),
    ],
)
def test_a_bound_settles_a_node_only_outside_its_window(bound, window, settled):
    """A half was found, or at least, or at most that, by looking four plies ahead."""
    ahead, child = AlphaBeta().seat(game("connect-four"), 0, Rng(0)).search.ahead, Frame()
    store(ahead.entries, ahead.tags, 77, 3, 0.5, 4, bound)
    child.key, child.depth = 77, 4
    child.alpha, child.beta = window
    assert look_up(ahead, child)[:2] == (settled, True)
    child.depth = 5
    assert look_up(ahead, child)[:2] == (False, True), "it was not looked far enough"
    child.key = 78
    assert look_up(ahead, child) == (False, True, -1)


def test_what_was_proved_depends_on_no_evaluation_however_far_one_looks():
    ahead, child = AlphaBeta().seat(game("connect-four"), 0, Rng(0)).search.ahead, Frame()
    store(ahead.entries, ahead.tags, 77, 3, 0.5, SOLVED, EXACT)
    child.key, child.depth, child.beta = 77, 60, 1.0
    assert look_up(ahead, child)[:2] == (True, False)
