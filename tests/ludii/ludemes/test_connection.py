"""Connections between sides of a board, against a search of our own, on boards of one word and of several."""

import pytest

from ludarium.core import Rng
from ludarium.kernel import using
from ludarium.ludii.game import from_text

STEPS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]


def game_of(size):
    return from_text(f"""
(game "Sides"
    (players 2)
    (equipment {{
        (board (square {size}))
        (piece "Stone" Each)
        (regions P1 {{(sites Bottom) (sites Top)}})
        (regions P2 {{(sites Left) (sites Right)}})
    }})
    (rules
        (play (move Add (to (sites Empty))))
        (end (if (is Connected All Mover) (result Mover Win)))
    )
)""")


def connects(own, size, player):
    """Whether stones of a player reach from one side to the other."""
    along = (lambda site: site // size) if player == 0 else (lambda site: site % size)
    seen = waiting = {site for site in own if along(site) == 0}
    while waiting:
        beside = {(x + dx, y + dy) for x, y in ((s % size, s // size) for s in waiting) for dx, dy in STEPS}
        waiting = {y * size + x for x, y in beside if 0 <= x < size and 0 <= y < size} & own - seen
        seen = seen | waiting
    return any(along(site) == size - 1 for site in seen)


def played(size, seed):
    """Who has won a random match, in which each move is looked at."""
    game, rng = game_of(size), Rng(seed)
    state, stones = game.initial(), (set(), set())
    while not state.over:
        player = state.movers[0]
        legal = state.legal(player)
        move = legal[rng.below(len(legal))]
        stones[player].add(game.compiled.leaves[0].read(move, "to"))
        state = state.after(move)
        assert state.over == connects(stones[player], size, player)
    return state.utilities()


@pytest.mark.parametrize("size", [4, 9, 12])
def test_a_player_wins_with_the_move_that_connects(size):
    results = {played(size, seed) for seed in range(12)}
    assert results >= {(1.0, 0.0), (0.0, 1.0)}


def test_machine_code_and_python_connect_alike():
    native = played(9, 2)
    with using("python"):
        assert played(9, 2) == native
