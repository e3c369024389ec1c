"""Games of Ludii's language that hide something: no role is shown it, agents play fairly, and beliefs can be drawn."""

import pytest

from ludarium import agent
from ludarium.arena import audit
from ludarium.arena.position import after
from ludarium.core import GameError, LudariumError, Rng
from ludarium.hidden import determinizer
from ludarium.hidden.belief import believe
from ludarium.ludii.game import from_text
from ludarium.ludii.library import open_library

MINE = """
(game "Mine" (players 2)
    (equipment { (board (rectangle 2 3)) (piece "Mine" P1) (piece "Flag" P2) })
    (rules
        (play (if (is Mover P1)
            (move Add (to (sites Empty)) (then (set Hidden at:(last To) to:P2)))
            (move Add (to (union (sites Empty) (sites Hidden to:Mover))) (then (set Score P2 (count Pieces P1))))))
        (end { (if (and (is Mover P2) (no Pieces P1)) (result P2 Win)) (if (= (count Moves) 6) (result P1 Win)) })
    )
)
"""
"""One player buries a mine in each turn, the other one puts a flag somewhere: on a mine, it takes its place."""


def test_no_role_is_shown_a_mine():
    found = audit(from_text(MINE), [agent("random"), agent("ismcts")], positions=6, iterations=20)
    assert found.clean
    assert all(verdict.others > 0 for verdict in found.verdicts)


def test_mines_are_believed_to_be_anywhere():
    game = from_text(MINE)
    info = after(game, "add a1").information_set(1)
    belief = believe(determinizer("auto").sampler(game, 1), info, Rng(0), samples=300)
    assert set(belief.shares) == {"a1", "b1", "c1", "a2", "b2", "c2"}
    assert all(0.08 < share < 0.28 for share in belief.heat("Mine1").values())


PILES = """
(game "Piles" (players 2)
    (equipment { (board (square 2)) (piece "Man" Each) })
    (rules
        (start { (place Random { "Man1" }) (set Hidden (sites Board) to:P2) })
        (play (move Add (to (sites Board)) stack:True))
        (end (if (= (count Moves) 400) (result P1 Win)))
    )
)
"""
"""A man is put down in hiding, and piles grow higher than rules allow long before a match ends."""


def test_a_game_that_nobody_can_search_is_audited_with_those_who_do_not():
    game = from_text(PILES)
    with pytest.raises(GameError, match="a stack is higher than rules allow"):
        audit(game, [agent("ismcts")], positions=4, plies=6, iterations=20)
    found = audit(game, [agent("random")], positions=4, plies=6, iterations=20)
    assert found.clean
    assert sum(verdict.others for verdict in found.verdicts) > 0


BURIED = """
(game "Buried" (players 1)
    (equipment { (board (square 2)) (piece "Bomb" P1) })
    (rules
        (start { (place Random { "Bomb" }) (set Hidden (forEach (sites Board) if:(is Occupied (site))) to:P1) })
        (play (move Select (from (sites Board))))
        (end (if (= (count Moves) 2) (result P1 Win)))
    )
)
"""


def test_what_has_not_been_done_yet_does_not_tell_which_sites_are_hidden():
    game = from_text(BURIED)
    states = [game.initial(Rng(seed)) for seed in range(20)]
    assert len(set(states)) == 4
    assert len({state.observe(0) for state in states}) == 1


DEALT = """
(game "Dealt" (players 2)
    (equipment { (board (square 4)) (piece "Low" Each) (piece "Mid" Each) (piece "High" Each) })
    (rules
        (start {
            (place Random { "Low1" "Low2" "Low1" "Low2" "Low1" "Low2" })
            (place Random { "Mid1" "Mid2" "Mid1" "Mid2" "Mid1" "Mid2" })
            (place Random { "High1" "High2" "High1" "High2" })
            (set Hidden { What Who } (sites Board) to:P1)
            (set Hidden { What Who } (sites Board) to:P2)
        })
        (play (move Select (from (sites Hidden What to:Mover)) (then (and {
            (set Hidden What at:(last From) False to:P1) (set Hidden Who at:(last From) False to:P1)
            (set Hidden What at:(last From) False to:P2) (set Hidden Who at:(last From) False to:P2)
        }))))
        (end (if (= (count Moves) 14) (result P1 Win)))
    )
)
"""
"""Sixteen pieces of six kinds are dealt face down and turned up one after the other."""


def test_a_deal_that_nobody_guesses_is_audited_in_other_worlds():
    found = audit(from_text(DEALT), [agent("random"), agent("ismcts")], positions=4, plies=12, iterations=10)
    assert found.clean
    assert all(verdict.others == verdict.positions for verdict in found.verdicts)


@pytest.mark.corpus
@pytest.mark.slow
def test_no_game_of_the_library_shows_what_it_hides(ludii):
    library = open_library(ludii)
    hiding = [path for path in library.search() if "(set Hidden" in library.read(path)[0]]
    assert len(hiding) > 10
    compared = 0
    for path in hiding:
        text, file = library.read(path)
        try:
            game = from_text(text, file, (), library.defines)
        except LudariumError:
            continue  # it is refused, which other tests look at
        if not game.traits.perfect_information:
            found = look(game)
            assert not found.exposures, path
            assert not any(verdict.leaks for verdict in found.verdicts), path
            compared += sum(verdict.others for verdict in found.verdicts)
    assert compared > 80


def look(game):
    """Audit a game, in fewer and shorter matches if its states are large, and without searches if playouts break its rules."""
    large = game.state_size > 1 << 14
    positions, plies, iterations = (2, 8, 5) if large else (4, 16, 20)
    limits = {"positions": positions, "plies": plies, "iterations": iterations}
    try:
        return audit(game, [agent("random"), agent("ismcts")], **limits)
    except GameError:
        return audit(game, [agent("random")], **limits)
