"""Lines that are looked for in sets of bits, against lines that are followed from site to site."""

import pytest

from ludarium.core import Rng
from ludarium.ludii.game import from_text

GAME = """
(game "Rows"
    (players 2)
    (equipment {{ (board {board}) (piece "Man" Each) {more} }})
    (rules (play (move Add (to (sites Empty)))) (end (if {ends} (result Mover Win))))
)
"""


def played(ends, *, board, more=""):
    """Random matches: the game, the sites that each of both has after a move, the last site, and whether that was the end."""
    game = from_text(GAME.format(ends=ends, board=board, more=more))
    rng = Rng(5)
    for _ in range(25):
        state = game.initial(rng)
        while not state.over:
            legal = state.legal(state.movers[0])
            mover, move = state.movers[0], legal[rng.below(len(legal))]
            state = state.after(move)
            record = game.compiled.layout.state(bytearray(state.block))
            yield (
                game,
                mover + 1,
                [record.what[site] for site in range(game.model.board_sites)],
                record.last_to,
                state.over,
            )


def counts(game, pieces, last, direction):
    """How many equal pieces are in each line through a site."""
    topology = game.model.topology
    for radial in topology.distinct_radials(topology.default_type, direction)[last]:
        for opposite in radial.opposites or ((),):
            found = 1
            for side in (radial.sites[1:], opposite[1:]):
                for site in side:
                    if pieces[site] != pieces[last]:
                        break
                    found += 1
            yield found


@pytest.mark.parametrize(
    ("board", "length", "more", "direction"),
    [
        ("(square 3)", 3, "", "Adjacent"),
        ("(rectangle 6 7)", 4, "", "Adjacent"),
        ("(square 8)", 3, "exact:True", "Adjacent"),
        ("(square 8)", 4, "Orthogonal exact:True", "Orthogonal"),
        ("(square 5) use:Vertex", 3, "Diagonal", "Diagonal"),
        ("(hex 5)", 4, "", "Adjacent"),
        ("(hex 4)", 3, "exact:True", "Adjacent"),
        ("(tri 6)", 3, "", "Adjacent"),
        ("(concentric Square rings:3) use:Vertex", 3, "", "Adjacent"),
        ("(concentric {4 8 8})", 3, "All exact:True", "All"),
        ("(square 4)", 5, "", "Adjacent"),
    ],
)
def test_a_game_ends_when_a_line_of_so_many_is_there_and_not_before(board, length, more, direction):
    words = more.replace("exact:True", "")
    exact = "exact" in more
    for game, _, pieces, last, over in played(
        f"(is Line {length} {words} {'exact:True' if exact else ''})", board=board
    ):
        found = list(counts(game, pieces, last, direction))
        full = 0 not in pieces
        assert over == any(each == length or (each > length and not exact) for each in found) or full
    assert "def is_line(v: view[u8], c: Context, pivot: i64) -> bool:" in game.compiled.text or length == 5


def test_a_line_may_be_that_of_a_player_or_of_what_is_on_a_site():
    ends = "(or (is Line 3 through:4 Next) (is Line 3 through:0))"
    empty = 0
    for _, mover, pieces, _, over in played(ends, board="(square 3)"):
        lines = [(0, 4, 8), (1, 4, 7), (2, 4, 6), (3, 4, 5)]
        other = any(all(pieces[site] == 3 - mover for site in line) for line in lines)
        through_0 = any(len({pieces[site] for site in line}) == 1 for line in [(0, 1, 2), (0, 3, 6), (0, 4, 8)])
        empty += pieces[0] == 0 and through_0
        assert over == (other or through_0) or 0 not in pieces
    assert empty  # empty sites make a line through an empty one


def test_where_a_site_has_no_row_there_is_no_line_through_it():
    board = "(remove (square 4) cells:{1 4 5})"
    game = from_text(GAME.format(ends="(is Line 3 Orthogonal through:0)", board=board, more=""))
    assert "def is_line(v: view[u8], c: Context, pivot: i64) -> bool:" in game.compiled.text
    state = game.initial()
    for to in (1, 0):  # once the site is empty, and once it is not
        codes = state.legal(state.movers[0])
        state = state.after(next(each for each in codes if game.coordinates.leaf(each).read(each, "to") == to))
        assert not state.over


@pytest.mark.parametrize("nobody", ["P9", "Team7"])
def test_there_is_no_line_of_a_player_who_does_not_play(nobody):
    game = from_text(GAME.format(ends=f"(is Line 3 through:0 {nobody})", board="(square 3)", more=""))
    state = game.initial()
    state = state.after(state.legal(0)[0])
    assert not state.over


def test_where_players_have_several_kinds_lines_are_followed_from_site_to_site():
    found = [over for *_, over in played("(is Line 3)", board="(square 3)", more='(piece "Rook" P1)')]
    assert any(found)


def test_pieces_that_come_from_hands_are_in_sets_as_well():
    text = GAME.format(ends="(is Line 3)", board="(square 3)", more="(hand Each)")
    text = text.replace("(move Add (to (sites Empty)))", "(move (from (handSite Mover)) (to (sites Empty)))")
    game = from_text(text.replace("(rules", '(rules (start (place "Man" "Hand" count:5))'))
    assert game.compiled.layout.counting
    assert "def is_line(v: view[u8], c: Context, pivot: i64) -> bool:" in game.compiled.text
    state = game.initial()
    for to in (0, 1, 4, 2, 8):
        assert not state.over
        codes = state.legal(state.movers[0])
        state = state.after(next(each for each in codes if game.coordinates.leaf(each).read(each, "to") == to))
    assert state.utilities() == (1.0, 0.0)
