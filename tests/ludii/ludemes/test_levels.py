"""Lines through the tops of stacks, in small games of our own."""

import pytest

from ludarium.core import Rng
from ludarium.kernel import bridge, using
from ludarium.ludii.game import from_text

STACKS = """
(game "Stacks"
    (players 2)
    (equipment { (board (rectangle 1 4)) (piece "Disc" Each) })
    (rules
        (start { %s })
        (play (move Add (to (sites Board)) stack:True))
        (end (if (is Line 3 %s byLevel:True) (result Mover Win)))
    )
)
"""


def wins(who, *stacks):
    """Where a disc of the first player ends the game."""
    places = [
        f'(place Stack "Disc{disc}" {site})' for site, discs in enumerate(stacks) for disc in discs if disc != " "
    ]
    game = from_text(STACKS % (" ".join(places), who))
    state = game.initial()
    return [game.text(move).split()[-1] for move in state.legal(state.movers[0]) if state.after(move).over]


@pytest.mark.parametrize(
    ("who", "stacks", "sites"),
    [
        ("", ("11", "1", "", ""), ["a1", "c1"]),
        ("", ("", "1", "1", ""), ["a1", "d1"]),
        ("", ("1", "2", "22", ""), []),
        ("", ("1", "2 1", "22", ""), ["c1"]),
        ("P1", ("11", "2", "", ""), ["a1"]),
        ("P2", ("22", "", "", ""), ["a1"]),  # of a line down Ludii does not look at the top
        ("P2", ("", "2", "2", "2"), []),
    ],
)
def test_lines_are_seen_level_down_and_slanting(who, stacks, sites):
    assert wins(who, *stacks) == sites


BOTH = """
(game "Both"
    (players 2)
    (equipment { (board (rectangle 3 5)) (piece "Disc" Each) })
    (rules
        (play (move Add (to (forEach (sites Board) if:(< (size Stack at:(site)) 32))) stack:True %s))
        (end (if (xor %s %s) (result Mover Win)))
    )
)
"""
TAKING = "(then (if (= 0 (% (count Moves) 3)) (remove (centrePoint))))"
TURNING = '(then (promote 0 (piece "Disc2")))'
"""Nothing is there at first: Ludii sets what would be there."""


FULL = 15 * 32


def both(line, effect):
    """A game that somebody wins if lines like the top piece are not those of its kind."""
    asked = f"(is Line {line} byLevel:True)"
    named = f"(is Line {line} what:(what at:(last To) level:(topLevel at:(last To))) byLevel:True)"
    return from_text(BOTH % (effect, asked, named))


@pytest.mark.parametrize(
    ("line", "effect"),
    [("2", ""), ("3", TAKING), ("4", ""), ("4", TAKING), ("2", TURNING), ("4 Orthogonal", TAKING), ("5", "")],
)
def test_lines_like_the_top_piece_in_words_are_those_of_its_kind_step_by_step(line, effect):
    with using("check"):
        game, rng = both(line, effect), Rng(5)
        for _ in range(40):
            block = bytearray(game.initial().block)
            assert bridge(game).call("playout", block, rng, 2 * FULL) >= FULL


def test_lines_in_words_are_the_same_in_python():
    def played():
        block = bytearray(game.initial().block)
        return bridge(game).call("playout", block, Rng(3), 60), bytes(block)

    game = both("4", TAKING)
    native = played()
    with using("python"):
        game = both("4", TAKING)
        assert played() == native


def test_short_lines_are_looked_for_in_words():
    assert "eight_levels" in both("4", TAKING).compiled.text
    assert "eight_levels" not in both("5", "").compiled.text
    assert "eight_levels" not in both("2", TURNING).compiled.text
