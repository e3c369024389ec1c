"""Captures between two ends that are looked for in sets of bits, against those that are followed from site to site."""

import pytest

from ludarium.core import Rng
from ludarium.kernel import bridge, using
from ludarium.ludii.game import from_text

GAME = """
(game "Enclosing"
    (players 2)
    (equipment {{ (board {board}) (piece "Disc" Each) (piece "Wall" Neutral) }})
    (rules
        (start {{ (place "Disc1" {{ 4 18 }}) (place "Disc2" {{ 5 13 }}) (place "Wall0" {{ 7 }}) }})
        (play (if (can Move {add}) {add} (move Pass)))
        (end (if (all Passed) (byScore {{ (score P1 (count Pieces P1)) (score P2 (count Pieces P2)) }})))
    )
)
"""
ADD = "(move Add (to (sites Empty) if:(can Move (custodial (from (to)) {parts}))) (then (custodial (from (last To)) {parts})))"
TURN = '(apply (promote (between) (piece (id "Disc" Mover)) Mover))'
ENEMY, FRIEND = "(is Enemy (who at:(between)))", "(is Friend (who at:(to)))"


def game_of(parts, board):
    return from_text(GAME.format(board=board, add=ADD.format(parts=parts)))


def matches(game, count):
    """Random matches: the mover, what is where, the legal sites, the one that was drawn, and what is where then."""
    rng = Rng(11)
    for _ in range(count):
        state = game.initial(rng)
        while not state.over:
            seat = state.movers[0]
            legal = state.legal(seat)
            move = legal[rng.below(len(legal))]
            after = state.after(move)
            sites = [game.coordinates.leaf(each).read(each, "to") for each in legal]
            yield seat + 1, on_board(game, state), sites, sites[legal.index(move)], on_board(game, after)
            state = after


def on_board(game, state):
    record = game.compiled.layout.state(bytearray(state.block))
    return [record.what[site] for site in range(game.model.board_sites)]


def enclosed(game, pieces, site, direction, fits, ends):
    """The sites that are enclosed from one, line by line."""
    topology, found = game.model.topology, []
    for radial in topology.radials(topology.default_type, direction)[site]:
        run = []
        for at in radial.sites[1:]:
            if not fits(pieces[at]):
                if ends(pieces[at]):
                    found += run
                break
            run.append(at)
    return found


BOARDS = [
    ("(square 6)", ""),
    ("(rectangle 5 8)", "Orthogonal"),
    ("(square 8) use:Vertex", "Diagonal"),
    ("(hex 4)", ""),
    ("(tri 6)", ""),
    ("(concentric {4 8 8})", ""),
    ("(square 9)", ""),
]


@pytest.mark.parametrize(("board", "direction"), BOARDS)
@pytest.mark.parametrize("enemy", [True, False])
def test_what_can_be_enclosed_is_what_lines_lead_over(board, direction, enemy):
    wanted, end = (
        (ENEMY, FRIEND) if enemy else (FRIEND.replace("(to)", "(between)"), ENEMY.replace("(between)", "(to)"))
    )
    game = game_of(f"{direction} (between if:{wanted} {TURN}) (to if:{end})", board)
    turns = 0
    for mover, before, legal, drawn, then in matches(game, 12):
        fits, ends = (lambda piece, o=3 - mover: piece == o), (lambda piece, m=mover: piece == m)
        if not enemy:
            fits, ends = ends, fits
        found = {
            site: enclosed(game, before, site, direction or "Adjacent", fits, ends)
            for site, piece in enumerate(before)
            if not piece
        }
        assert (sorted(site for site in found if found[site]) or [-1]) == sorted(legal)
        if drawn >= 0:
            expected = list(before)
            for site in (drawn, *found[drawn]):
                expected[site] = mover
            assert then == expected
            turns += 1
    assert turns > 5


def test_small_square_boards_are_asked_by_bits():
    parts = f"(between if:{ENEMY} {TURN}) (to if:{FRIEND})"
    assert "def enclosing" in game_of(parts, "(square 6)").compiled.text
    assert "def enclosing" not in game_of(parts, "(square 9)").compiled.text  # more than 64 sites
    assert "def enclosing" not in game_of(parts, "(hex 4)").compiled.text  # numbers do not grow evenly along lines
    assert "ctz" in game_of(parts, "(hex 4)").compiled.text.partition("def then")[2].partition("@kernel")[0]


def test_captures_that_do_nothing_are_none():
    parts = f"(between if:{ENEMY} (apply (promote (between) (piece 0)))) (to if:{FRIEND})"
    assert all(legal == [-1] for _, _, legal, _, _ in matches(game_of(parts, "(square 6)"), 1))


@pytest.mark.parametrize("board", ["(square 6)", "(hex 4)"])
def test_machine_code_and_python_play_alike(board):
    played = []
    for way in ("native", "python"):
        with using(way):
            game = game_of(f"(between if:{ENEMY} {TURN}) (to if:{FRIEND})", board)
            state = bytearray(game.initial(Rng(3)).block)
            bridge(game).table.playout(state, Rng(4), 100)
            played.append([*matches(game, 2), bytes(state)])
    assert played[0] == played[1]
