"""Local states that say whose pieces are: the sets that are kept of them, and what is found by these, site by site."""

import pytest

from ludarium.core import Rng
from ludarium.kernel import bridge, using
from ludarium.ludii.game import from_text
from tests.ludii.ludemes.small import made, selected

GAME = """
(game "Turning"
    (players {players})
    (equipment {{ (board {board}) (piece "Disc" Neutral (flips 1 2)) }})
    (rules
        (start {{ (place "Disc0" {{ 7 14 }} state:1) (place "Disc0" {{ 8 13 }} state:2) }})
        (play {play})
        (end (if (or (all Passed) (is Full)) (byScore)))
    )
)
"""
TURN = """
(forEach Site (sites Empty)
    (append (custodial (from ({named})) {direction}
        (between if:(is Enemy (state at:(between)))
            (apply (allCombinations (add (piece "Disc0" state:(mover)) (to (site))) {change}))
        )
        (to if:(is Friend (state at:(to))))
    ))
    (then (forEach Player (set Score Player (count Sites in:(sites State (player))))))
)
"""
SET, ELSE = "(set State at:(between) (mover))", '(move Add (piece "Disc0" state:(mover)) (to (sites Empty)))'


def game_of(board, direction="", *, change=SET, players=2, named="site", always=False):
    """A game in which discs are turned over, and where that cannot be done, if asked, one is put down anywhere."""
    turn = TURN.format(direction=direction, change=change, named=named)
    return from_text(GAME.format(board=board, play=f"(priority {turn} {ELSE})" if always else turn, players=players))


def states_in(game, block):
    return list(game.compiled.layout.state(bytearray(block)).state.numbers)


def sets_kept(game, block):
    """The sites of each set: those of nobody first, which has all whose state is not 0."""
    record = game.compiled.layout.state(bytearray(block))
    return [[site for site in range(64) if int(word) >> site & 1] for word in record.belonging.numbers]


def sets_told(game, block):
    """The same, by looking at every site."""
    states, players = states_in(game, block), range(1, game.model.players + 1)
    return [
        [k for k, each in enumerate(states) if each],
        *([k for k, e in enumerate(states) if e == p] for p in players),
    ]


def enclosed(game, states, mover, site, direction):
    """The sites of enemies in a row between a site and a friend, line by line."""
    topology, found = game.model.topology, []
    for radial in topology.radials(topology.default_type, direction or "Adjacent")[site]:
        run = []
        for at in radial.sites[1:]:
            if states[at] in (0, mover):
                found += run if states[at] == mover else []
                break
            run.append(at)
    return found


BOARDS = [
    ("(square 6)", ""),
    ("(square 8)", "Orthogonal"),
    ("(rectangle 5 8)", "Diagonal"),
    ("(hex 4)", ""),
    ("(square 9)", ""),
]


@pytest.mark.parametrize(("board", "direction"), BOARDS)
@pytest.mark.parametrize("players", [2, 3])
def test_discs_of_nobody_are_turned_over_as_their_states_tell(board, direction, players):
    game, rng, turns = game_of(board, direction, players=players, always=True), Rng(7), 0
    for _ in range(6):
        state = game.initial(rng)
        while not state.over:
            mover, before = state.movers[0] + 1, states_in(game, state.block)
            found = {k: enclosed(game, before, mover, k, direction) for k, each in enumerate(before) if not each}
            legal = state.legal(mover - 1)
            sites = [game.coordinates.leaf(each).read(each, "to") for each in legal]
            assert sites == ([site for site in found if found[site]] or list(found))
            k = rng.below(len(legal))
            state = state.after(legal[k])
            expected = list(before)
            for site in (sites[k], *found[sites[k]]):
                expected[site] = mover
            turns += bool(found[sites[k]])
            assert states_in(game, state.block) == expected
    assert turns > 20


def test_discs_that_are_flipped_and_those_that_are_set_are_the_same_for_two():
    played = []
    for change in (SET, "(flip (between))"):
        game = game_of("(square 6)", change=change)
        state = bytearray(game.initial(Rng(3)).block)
        bridge(game).table.playout(state, Rng(4), 100)
        played.append((states_in(game, state), sets_kept(game, state)))
    assert played[0] == played[1]


@pytest.mark.parametrize("named", ["site", "to"])
def test_on_small_boards_only_sites_that_enclose_something_are_asked(named):
    text = game_of("(square 6)", named=named).compiled.text
    for kernel in ("def list_0", "def draw_move"):
        assert "enclosing(v, c)" in text.partition(kernel)[2].partition("@kernel")[0]
    assert "def enclosing" not in game_of("(square 6)", named="last To").compiled.text


def test_larger_boards_are_looked_through():
    assert "belonging" in game_of("(square 8)").compiled.layout.state.fields
    assert "belonging" not in game_of("(square 9)").compiled.layout.state.fields
    assert "def enclosing" in game_of("(square 8)").compiled.text
    assert "def enclosing" not in game_of("(hex 4)").compiled.text  # numbers do not grow evenly along lines
    assert "ctz" in game_of("(hex 4)").compiled.text.partition("def first_of")[2].partition("@kernel")[0]


CHANGES = [
    "(move Add (piece (id \"Disc\" Neutral) state:(mover)) (to (sites Empty)))",
    "(forEach Piece (move Step (to if:(is Empty (to)))) Neutral)",
    "(forEach Piece (move Step (to if:(is Occupied (to)) (apply (remove (to))))) Neutral)",
    "(move Remove (sites Occupied by:Neutral))",
    "(move Select (from (sites Occupied by:Neutral)) (then (set State at:(last To) (% (+ 2 (count Moves)) 5))))",
    "(move Select (from (sites Empty)) (then (set State at:(last To) (mover))))",
    "(move Select (from (sites Occupied by:Neutral)) (then (flip (last To))))",
    "(move Promote (from) (piece (id \"Wall\" Neutral)))",
    "(move Swap Pieces (last To) (from))",
]  # fmt: skip


def busy(*, condition="(is Enemy (state at:(last To)))"):
    """A game in which all is done that changes local states, asked by the state of what was last moved."""
    choices = " ".join(f"(if (or {condition} (= 0 (% (count Moves) 2))) {each})" for each in CHANGES[:7])
    return made(
        f"(or {{ {choices} (move Pass) }})", ("Man1", [0]), ("Man2", [24]),
        more='(piece "Disc" Neutral (flips 1 2))', start='(place "Disc0" {6 7} state:2) (place "Disc0" {8 12} state:1)',
        ends="(if (> (count Moves) 60) (result Mover Draw))",
    )  # fmt: skip


def test_the_sets_tell_what_the_states_are_whatever_is_done():
    game, seen = busy(), set()
    for seed in range(12):
        state = bytearray(game.initial(Rng(seed)).block)
        for k in range(60):
            bridge(game).table.playout(state, Rng(100 * seed + k), 1)
            assert sets_kept(game, state) == sets_told(game, state)
            seen |= set(states_in(game, state))
    assert seen >= {0, 1, 2, 3, 4}  # also states of no player


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("kept", [True, False])
def test_sites_of_a_state_are_those_that_have_it(number, kept):
    states = {0: 1, 6: 2, 7: 2, 8: 1, 12: 3, 13: 1, 14: 5}
    start = " ".join(f'(place "Disc0" {{{site}}} state:{each})' for site, each in states.items())
    condition = "(is Friend (state at:0))" if kept else "(= 1 (mover))"
    for asked in (number, f"(+ (mover) {number - 1})"):
        region = f"(if {condition} (sites State {asked}) (sites Board))"
        found = selected(region, more='(piece "Disc" Neutral)', start=start)
        assert found == [site for site in range(25) if states.get(site, 0) == number]


@pytest.mark.parametrize("board", ["(square 6)", "(hex 4)"])
def test_machine_code_and_python_play_alike(board):
    played = []
    for way in ("native", "python"):
        with using(way):
            game = game_of(board)
            state = bytearray(game.initial(Rng(3)).block)
            bridge(game).table.playout(state, Rng(4), 100)
            played.append(bytes(state))
    assert played[0] == played[1]
