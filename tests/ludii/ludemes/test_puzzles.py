"""Deduction puzzles of our own: what may be set, when they are solved, and the solver that finds out."""

import pytest

from ludarium.core.errors import GameError
from ludarium.core.problems import RulesError
from ludarium.ludii.game import from_text
from ludarium.ludii.solving import solve

LATIN = """
(game "Latin"
    (players 1)
    (equipment { (board (square %d) (values Cell (range %s))) (regions {%s}) })
    (rules (start (set { %s })) (play (satisfy { %s })) (end (if (is Solved) (result P1 Win))))
)
"""


def puzzle(size, values, regions, given, *constraints):
    return from_text(LATIN % (size, values, regions, given, " ".join(constraints)))


def settings(game, state):
    """What may be set: variables and values."""
    found = [(game.coordinates.leaf(code), code) for code in state.legal(0)]
    return {(leaf.read(code, "to"), leaf.read(code, "value")): code for leaf, code in found if leaf.kind == "Set"}


def values(game):
    """The values of a solution."""
    state = game.initial()
    for move in solve(game):
        state = state.after(move)
    assert state.utilities() == (1.0,)
    record = game.compiled.layout.state(bytearray(state.block))
    return [record.solved[site] for site in range(game.model.board_sites)]


def test_a_value_may_be_set_if_it_breaks_no_constraint():
    game = puzzle(2, "1 2", "Columns Rows", "{0 1}", "(all Different)")
    state = game.initial()
    assert set(settings(game, state)) == {(1, 2), (2, 2), (3, 1), (3, 2)}
    state = state.after(settings(game, state)[1, 2])
    assert set(settings(game, state)) == {(1, 2), (2, 2), (3, 1)}
    for each in [(2, 2), (3, 1)]:
        assert state.movers
        state = state.after(settings(game, state)[each])
    assert not state.movers
    assert state.utilities() == (1.0,)


def test_a_value_that_is_crossed_out_may_leave_one():
    game = puzzle(2, "1 2", "Columns Rows", "{0 1}", "(all Different)")
    state = game.initial()
    codes = {}
    for code in state.legal(0):
        leaf = game.coordinates.leaf(code)
        if leaf.kind == "Toggle":
            codes[leaf.read(code, "to"), leaf.read(code, "value")] = code
    assert len(codes) == 6
    state = state.after(codes[3, 2])
    assert game.compiled.layout.state(bytearray(state.block)).solved[3] == 1


def test_sums_and_blocks_are_solved():
    magic = puzzle(3, "1 9", "Columns Rows Diagonals", "{0 2} {1 7}", "(all Different (sites Board))", "(is Sum 15)")
    assert values(magic) == [2, 7, 6, 9, 5, 1, 4, 3, 8]
    blocks = puzzle(4, "1 4", "Columns Rows SubGrids", "{0 1} {5 4} {10 2} {15 3} {3 4}", "(all Different)")
    found = values(blocks)
    assert all(
        sorted(found[k] for k in block) == [1, 2, 3, 4] for block in ([0, 1, 4, 5], [2, 3, 6, 7], [8, 9, 12, 13])
    )


def test_queens_do_not_see_each_other():
    queens = puzzle(4, "0 1", "AllDirections", "{1 1}", "(is Count (sites Board) of:1 4)", "(all Different except:0)")
    assert [site for site, value in enumerate(values(queens)) if value == 1] == [1, 7, 8, 14]


def test_rows_are_unique_and_without_three_of_a_kind():
    rules = "(not (is Line 3 Orthogonal))", "(is Unique)", "(is Sum 2)"
    found = values(puzzle(4, "0 1", "Columns Rows", "{1 1} {3 0} {6 0}  {8 1} {9 1} {13 0}", *rules))
    rows = [tuple(found[k : k + 4]) for k in (0, 4, 8, 12)]
    assert len(set(rows)) == 4
    assert all(sum(row) == 2 for row in rows)


def test_a_puzzle_without_a_solution_is_an_error():
    with pytest.raises(GameError, match="has no solution"):
        solve(puzzle(3, "1 2", "Columns Rows", "{0 1}", "(all Different)"))
    with pytest.raises(GameError, match="no deduction puzzle"):
        solve(from_text('(game "A" (players 1) (equipment { (board (square 2)) (piece "X" P1) }) '
                        '(rules (play (move Add (to (sites Empty)))) (end (if (is Full) (result P1 Win)))))'))  # fmt: skip


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("(>= (count Moves) 200)", "count Moves"),
        ("(< 3 (count Turns))", "count Turns"),
        ("(<= 0 4)", "4 is no site: there are 4"),
        ("(> -1 0)", "-1 is no site"),
    ],
)
def test_an_order_of_numbers_that_are_no_sites_is_refused(condition, why):
    with pytest.raises(RulesError, match="compares the values on two sites.*") as problem:
        puzzle(2, "1 2", "Columns Rows", "{0 1}", f"(all Different) {condition}")
    assert why in str(problem.value)
    assert "compared by = and !=" in str(problem.value)


def test_a_puzzle_may_end_after_some_moves():
    text = LATIN % (2, "1 2", "Columns Rows", "{0 1}", "(all Different)")
    game = from_text(
        text.replace(
            "(end (if (is Solved)", "(end { (if (= (count Moves) 3) (result P1 Loss)) (if (is Solved)"
        ).replace("P1 Win)))", "P1 Win)) })")
    )
    state = game.initial()
    for _ in range(3):
        state = state.after(next(move for move in state.legal(0) if game.coordinates.leaf(move).kind == "Toggle"))
    assert not state.movers
    assert state.utilities() == (0.0,)


def test_a_constraint_may_name_the_sites_of_each_hint():
    hints = "(hints { (hint {0 1} 3) (hint {2 3} 4) })"
    text = LATIN % (2, "1 3", "AllSites", "{0 2}", "(forAll Hint (is Sum (sites Hint) (hint)))")
    game = from_text(text.replace("(regions {AllSites})", hints))
    free = {(site, value) for site in (2, 3) for value in (1, 2, 3)}
    assert settings(game, game.initial()).keys() == {(1, 1), *free}
