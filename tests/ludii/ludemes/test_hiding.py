"""What is hidden is not shown, stays hidden on the way, and rules can ask about it."""

import pytest

from ludarium.testing import check_game
from tests.ludii.ludemes.small import holds, made, selected

MEN = ("Man1", [0]), ("Man2", [24])
STEP = "(forEach Site (sites Occupied by:Mover) (move Step (from (site)) (to if:(is Empty (to)))))"


def seen(kinds, *places, role=1, moves=0):
    """What a role sees of the first state, or after some moves."""
    game = made(STEP, *MEN, *places, start=f"(set Hidden {kinds} (sites {{6 7}}) to:P2)")
    assert not game.traits.perfect_information
    state = game.initial()
    for _ in range(moves):
        state = state.after(state.legal(state.movers[0])[0])
    return state.observe(role)


@pytest.mark.parametrize(
    ("kinds", "same", "other"),
    [("", [("Rook1", [6])], [("Rook2", [6])]), ("", [("Rook1", [6])], []), ("What", [("Rook1", [6])], [("Man1", [6])])],
)
def test_what_is_hidden_makes_no_difference(kinds, same, other):
    assert seen(kinds, *same) == seen(kinds, *other)
    assert seen(kinds, *same, role=0) != seen(kinds, *other, role=0)


def test_the_owner_is_seen_unless_it_is_hidden():
    assert seen("What", ("Rook1", [6])) != seen("What", ("Rook2", [6]))
    assert seen("{What Who}", ("Rook1", [6])) == seen("{What Who}", ("Rook2", [6]))


def test_a_piece_stays_hidden_where_it_goes_to():
    play = "(move (from 6) (to 12))"
    found = []
    for name in ("Rook1", "Man1"):
        game = made(play, *MEN, (name, [6]), start="(set Hidden What (sites {6 7}) to:P2)")
        state = game.initial()
        state = state.after(state.legal(0)[0])
        found.append((state.observe(1), state.observe(0)))
    assert found[0][0] == found[1][0]
    assert found[0][1] != found[1][1]


def test_rules_ask_what_is_hidden():
    start = "(set Hidden (sites {6 7}) to:P1)"
    assert holds("(is Hidden at:6 to:P1)", *MEN, start=start)
    assert not holds("(is Hidden at:6 to:P2)", *MEN, start=start)
    assert selected("(sites Hidden to:Mover)", *MEN, start=start) == [6, 7]


def test_what_was_hidden_is_shown_again():
    game = made(
        "(move Select (from 0) (then (set Hidden at:6 False to:P1)))", *MEN, start="(set Hidden (sites {6 7}) to:P1)"
    )
    check_game(game)
    state = game.initial()
    state = state.after(state.legal(0)[0])
    record = game.compiled.layout.state(bytearray(state.block))
    assert [record.hidden[row] for row in range(3)] == [0, 1 << 7, 0]


def shown(play, *places, start, role=1, move=0):
    """What a role is shown after one of the first moves."""
    state = made(play, *MEN, *places, start=start).initial()
    return state.after(state.legal(0)[move]).observe(role)


def test_what_others_cannot_see_is_not_told():
    play = "(move Select (from (sites {0 1})) (then (set Hidden at:(last From) to:P1)))"
    assert shown(play, start="(set Hidden (sites {0 1}) to:P2)") == shown(
        play, start="(set Hidden (sites {0 1}) to:P2)", move=1
    )


def test_a_hidden_site_looks_empty():
    play = "(move Select (from (sites {6 7 8})) (then (set Hidden at:(last From) to:P2)))"
    assert shown(play, start="(set Hidden (sites {9}) to:P2)") == shown(
        play, start="(set Hidden (sites {9}) to:P2)", move=1
    )


def test_where_a_piece_came_from_is_not_told_if_it_went_where_it_is_hidden():
    play = "(or (move (from 6) (to 12)) (move (from 7) (to 12)))"
    pieces = ("Rook1", [6]), ("Rook1", [7])
    first, second = (made(play, *MEN, *pieces, start="(set Hidden (sites {6 7 12}) to:P2)").initial() for _ in range(2))
    found = [state.after(state.legal(0)[k]).observe(1) for k, state in enumerate((first, second))]
    record = made(play, *MEN, *pieces, start="(set Hidden (sites {6 7 12}) to:P2)").compiled.layout.state
    assert [(record(bytearray(each)).last_from, record(bytearray(each)).last_to) for each in found] == [(-1, -1)] * 2


def test_a_value_that_is_hidden_leaves_no_trace():
    play = "(move Select (from (sites {6 7})) (then (and (set Value at:(last To) 3) (set Hidden Value at:(last To) to:P2))))"
    places = ("Rook1", [6]), ("Rook1", [7])
    start = "(set Hidden Value (sites {9}) to:P2)"
    assert shown(play, *places, start=start) == shown(play, *places, start=start, move=1)
    assert shown(play, *places, start=start, role=0) != shown(play, *places, start=start, move=1, role=0)


def stacked(pieces, *, level, kinds="What", play="(move Pass)", role=1, moves=0):
    """What a role sees of a stack of which something is hidden on one level."""
    names = " ".join(f'"{name}"' for name in pieces)
    start = f"(place Stack items:{{{names}}} 6) (set Hidden {kinds} at:6 level:{level} to:P2)"
    game = made(play, *MEN, start=start)
    state = game.initial()
    for _ in range(moves):
        state = state.after(state.legal(state.movers[0])[0])
    return state.observe(role)


def test_a_level_of_a_stack_is_hidden():
    first, second = ("Man1", "Rook1", "Man2"), ("Man1", "Man1", "Man2")
    assert stacked(first, level=1) == stacked(second, level=1)
    assert stacked(first, level=0) != stacked(second, level=0)
    assert stacked(first, level=1, role=0) != stacked(second, level=1, role=0)


def test_what_sinks_in_a_stack_stays_hidden():
    play = "(move Remove 6 level:0)"
    first, second = (stacked(("Man1", name, "Man2"), level=1, play=play, moves=1) for name in ("Rook1", "Man1"))
    assert first == second
    shown = [stacked(("Man1", name, "Man2"), level=0, play=play, moves=1) for name in ("Rook1", "Man1")]
    assert shown[0] != shown[1]


def test_a_stack_with_a_hidden_top_is_not_seen():
    assert stacked(("Man1", "Man2"), level=1, kinds="") == stacked(("Man1", "Rook2"), level=1, kinds="")


def test_rules_ask_and_change_what_is_hidden_of_a_level():
    start = '(place Stack items:{"Man1" "Rook1"} 6) (set Hidden What at:6 level:1 to:P1)'
    assert holds("(is Hidden What at:6 level:1 to:P1)", *MEN, start=start)
    assert not holds("(is Hidden What at:6 level:0 to:P1)", *MEN, start=start)
    assert selected("(sites Hidden What to:P1)", *MEN, start=start) == []
    assert selected("(sites Hidden What to:P1)", *MEN, start=start.replace("level:1", "level:0")) == [6]
    play = "(move Select (from 0) (then (set Hidden What at:6 level:1 False to:P2)))"
    first, second = (stacked(("Man1", name), level=1, play=play, moves=1) for name in ("Rook1", "Man1"))
    assert first != second
