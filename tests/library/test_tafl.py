"""The rules of 13x13 hnefatafl, sentence by sentence, its variants, tablut and brandubh."""

from collections import Counter

import pytest

from ludarium.gdl.text.syntax import Term
from tests.library.play import State, after, facts, holds, moves, reference, result, step

SIZES = {"hnefatafl-5x5": 5, "hnefatafl-9x9": 9, "tablut": 9, "brandubh": 7}


def board(name: str = "hnefatafl", control: str = "attacker", turn: int = 10, **pieces: list[tuple[int, int]]) -> State:
    """A state of a tafl game with these pieces on the board."""
    size = SIZES.get(name, 13)
    held = {square: piece for piece, squares in pieces.items() for square in squares}
    cells = [
        f"(cell {row} {column} {held.get((row, column), 'b')})"
        for row in range(1, size + 1)
        for column in range(1, size + 1)
    ]
    return facts(*cells, f"(control {control})", f"(turn {turn})", "under-way")


def play(state: State, move: str, name: str = "hnefatafl") -> State:
    mover = "attacker" if holds(state, "(control attacker)") else "defender"
    return step(reference(name), state, **{mover: f"(move {move})"})


def content(state: State, row: int, column: int) -> str:
    found = [
        str(fact.args[2])
        for fact in state
        if fact.name == "cell" and str(fact.args[:2]) == str((Term(str(row)), Term(str(column))))
    ]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(
    ("name", "attackers", "defenders"),
    [
        ("hnefatafl", 32, 16),
        ("hnefatafl-9x9", 16, 8),
        ("hnefatafl-5x5", 4, 2),
        ("tablut", 16, 8),
        ("brandubh", 8, 4),
    ],
)
def test_the_layout_has_twice_as_many_attackers_as_defenders_and_is_symmetric(name, attackers, defenders) -> None:
    state = reference(name).initial()
    size = SIZES.get(name, 13)
    cells = {(int(str(f.args[0])), int(str(f.args[1]))): str(f.args[2]) for f in state if f.name == "cell"}
    count = Counter(cells.values())
    assert (count["attacker"], count["defender"], count["king"]) == (attackers, defenders, 1)
    assert cells[size // 2 + 1, size // 2 + 1] == "king"
    assert cells == {(size + 1 - r, c): piece for (r, c), piece in cells.items()}
    assert cells == {(r, size + 1 - c): piece for (r, c), piece in cells.items()}
    if name != "hnefatafl-5x5":
        assert cells == {(c, r): piece for (r, c), piece in cells.items()}
    assert holds(state, "(control attacker)")


def test_pieces_move_like_rooks_until_something_is_in_the_way() -> None:
    state = board(attacker=[(3, 3), (3, 6)], king=[(9, 9)])
    found = [move for move in moves(reference("hnefatafl"), state, "attacker") if move.startswith("(move 3 3 ")]
    ends = [(3, c) for c in (1, 2, 4, 5)] + [(r, 3) for r in range(1, 14) if r != 3]
    assert found == sorted(f"(move 3 3 {r} {c})" for r, c in ends)
    assert moves(reference("hnefatafl"), state, "defender") == ["noop"]


def test_men_pass_the_empty_throne_but_only_the_king_stops_there() -> None:
    game = reference("hnefatafl")
    attackers = moves(game, board(attacker=[(7, 3)], king=[(2, 2)]), "attacker")
    assert "(move 7 3 7 7)" not in attackers
    assert "(move 7 3 7 8)" in attackers
    defenders = moves(game, board(control="defender", defender=[(7, 3)], king=[(7, 10)]), "defender")
    assert "(move 7 3 7 7)" not in defenders
    assert "(move 7 3 7 8)" in defenders
    assert "(move 7 10 7 7)" in defenders
    assert "(move 7 10 7 5)" in defenders
    blocked = moves(game, board(attacker=[(7, 3)], king=[(7, 7)]), "attacker")
    assert "(move 7 3 7 8)" not in blocked


def test_nobody_passes_the_throne_in_tablut() -> None:
    attackers = moves(reference("tablut"), board("tablut", attacker=[(5, 2)], king=[(2, 2)]), "attacker")
    assert "(move 5 2 5 4)" in attackers
    assert "(move 5 2 5 5)" not in attackers
    assert "(move 5 2 5 6)" not in attackers


@pytest.mark.parametrize(
    ("end", "victim", "anvil"), [("4 4", (4, 5), (4, 6)), ("4 4", (5, 4), (6, 4)), ("4 4", (3, 4), (2, 4))]
)
def test_a_man_is_captured_between_the_moved_piece_and_another(end, victim, anvil) -> None:
    state = play(board(attacker=[(4, 1), anvil], defender=[victim], king=[(9, 9)]), f"4 1 {end}")
    assert content(state, *victim) == "b"
    assert content(state, *anvil) == "attacker"
    assert content(state, 4, 4) == "attacker"
    assert content(state, 4, 1) == "b"


def test_one_move_captures_on_several_sides() -> None:
    state = play(
        board(attacker=[(4, 1), (4, 6), (2, 4), (6, 4)], defender=[(4, 5), (3, 4), (5, 4)], king=[(9, 9)]),
        "4 1 4 4",
    )
    assert not any(content(state, r, c) == "defender" for r, c in [(4, 5), (3, 4), (5, 4)])


def test_who_moves_in_between_is_safe() -> None:
    state = play(board(control="defender", attacker=[(4, 4), (4, 6)], defender=[(8, 5)], king=[(9, 9)]), "8 5 4 5")
    assert content(state, 4, 5) == "defender"
    state = play(
        board(control="defender", attacker=[(4, 4), (4, 6), (1, 1)], defender=[(9, 9)], king=[(8, 5)]),
        "8 5 4 5",
    )
    assert content(state, 4, 5) == "king"
    state = play(state, "1 1 1 2")  # and stays so, whatever else the attacker does
    assert content(state, 4, 5) == "king"


@pytest.mark.parametrize(("mover", "prey"), [("attacker", "defender"), ("defender", "attacker")])
def test_the_empty_throne_helps_both_sides_to_capture(mover, prey) -> None:
    state = play(board(control=mover, **{mover: [(2, 5)], prey: [(7, 6)]}, king=[(2, 2)]), "2 5 7 5")
    assert content(state, 7, 6) == "b"


def test_the_king_on_the_throne_is_no_help_for_the_attacker() -> None:
    state = play(board(attacker=[(2, 5)], defender=[(7, 6)], king=[(7, 7)]), "2 5 7 5")
    assert content(state, 7, 6) == "defender"


def test_the_king_captures_as_the_moved_piece_and_as_the_other() -> None:
    state = play(board(control="defender", attacker=[(4, 5)], defender=[(4, 6)], king=[(9, 4)]), "9 4 4 4")
    assert content(state, 4, 5) == "b"
    state = play(board(control="defender", attacker=[(4, 5)], defender=[(9, 4)], king=[(4, 6)]), "9 4 4 4")
    assert content(state, 4, 5) == "b"


def test_the_king_is_captured_by_two_away_from_the_throne() -> None:
    state = play(board(attacker=[(4, 6), (9, 4)], defender=[(2, 2)], king=[(4, 5)]), "9 4 4 4")
    assert result(reference("hnefatafl"), state) == [100, 0]


@pytest.mark.parametrize("square", [(7, 6), (7, 8), (6, 7), (8, 7)])
def test_beside_the_throne_two_attackers_do_not_capture_the_king_but_three_and_the_throne_kill_him(
    square,
) -> None:
    row, column = square
    sides = [(row + dr, column + dc) for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0))]
    sides.remove((7, 7))
    last = sides[0]
    far = (last[0], 1) if last[0] != row else (1, last[1])
    two = play(
        board(attacker=[far, sides[1]], defender=[(2, 2)], king=[square]),
        f"{far[0]} {far[1]} {last[0]} {last[1]}",
    )
    assert content(two, *square) == "king"
    three = play(
        board(attacker=[far, *sides[1:]], defender=[(2, 2)], king=[square]),
        f"{far[0]} {far[1]} {last[0]} {last[1]}",
    )
    assert content(three, *square) == "b"
    assert result(reference("hnefatafl"), three) == [100, 0]


def test_on_the_throne_the_king_is_killed_by_four_and_not_by_three() -> None:
    attackers = [(6, 7), (8, 7), (7, 6)]
    state = play(board(attacker=[*attackers, (1, 8)], king=[(7, 7)], defender=[(2, 2)]), "1 8 7 8")
    assert result(reference("hnefatafl"), state) == [100, 0]
    state = play(board(attacker=[*attackers[:2], (1, 8)], king=[(7, 7)], defender=[(2, 2)]), "1 8 7 8")
    assert content(state, 7, 7) == "king"


def test_an_edge_square_frees_the_king() -> None:
    state = play(board(control="defender", attacker=[(2, 2)], king=[(5, 9)]), "5 9 5 13")
    assert result(reference("hnefatafl"), state) == [0, 100]


def test_in_brandubh_the_king_needs_a_corner_and_corners_are_hostile_and_his_alone() -> None:
    game = reference("brandubh")
    edge = play(board("brandubh", control="defender", attacker=[(6, 6)], king=[(3, 6)]), "3 6 3 7", "brandubh")
    assert not game.terminal(edge)
    corner = play(board("brandubh", control="defender", attacker=[(6, 6)], king=[(3, 7)]), "3 7 1 7", "brandubh")
    assert result(game, corner) == [0, 100]
    assert "(move 1 3 1 1)" not in moves(game, board("brandubh", attacker=[(1, 3)], king=[(4, 4)]), "attacker")
    held = board("brandubh", attacker=[(4, 3)], defender=[(1, 2)], king=[(4, 4)])
    assert content(play(held, "4 3 1 3", "brandubh"), 1, 2) == "b"


@pytest.mark.parametrize(("stuck", "goals"), [("attacker", [0, 100]), ("defender", [100, 0])])
def test_who_cannot_move_loses(stuck, goals) -> None:
    game = reference("hnefatafl")
    other = "defender" if stuck == "attacker" else "attacker"
    pieces = {stuck: [(1, 1)], other: [(1, 2), (2, 1)]}
    if stuck == "attacker":
        state = board(control=stuck, **pieces, king=[(7, 7)])
    else:
        ring = [(7, 5), (7, 7), (6, 6), (8, 6)]
        state = board(control=stuck, defender=[(1, 1)], attacker=[(1, 2), (2, 1), *ring], king=[(7, 6)])
    assert result(game, state) == goals


def test_a_man_whose_only_way_is_across_the_throne_can_move() -> None:
    game = reference("hnefatafl")
    ring = {"attacker": [(7, 6)], "defender": [(6, 6), (8, 6), (7, 5)]}
    state = board(**ring, king=[(3, 3)])
    assert not game.terminal(state)
    assert moves(game, state, "attacker") == sorted(f"(move 7 6 7 {c})" for c in range(8, 14))
    assert game.terminal(board(attacker=[(7, 6)], defender=[(6, 6), (8, 6), (7, 5), (7, 8)], king=[(3, 3)]))


def test_the_third_time_of_a_position_loses_for_who_brings_it_about() -> None:
    game = reference("hnefatafl")
    there_and_back = ["(move 1 4 1 3)", "(move 4 7 4 8)", "(move 1 3 1 4)", "(move 4 8 4 7)"]
    state = after(game, game.initial(), there_and_back * 2)
    assert not game.terminal(state)  # the initial position came about twice; that it began is nobody's doing
    state = after(game, state, there_and_back[:1])
    assert result(game, state) == [0, 100]
    cycle = ["(move 1 4 1 3)", "(move 4 8 4 9)", "(move 1 3 1 4)", "(move 4 9 4 8)"]
    state = after(game, game.initial(), ["(move 13 4 13 3)", "(move 4 7 4 8)", *cycle, *cycle[:-1]])
    assert not game.terminal(state)
    assert result(game, after(game, state, cycle[-1:])) == [100, 0]


def test_five_hundred_turns_are_a_draw() -> None:
    state = board(turn=500, attacker=[(1, 1)], defender=[(2, 2)], king=[(5, 5)])
    assert not reference("hnefatafl").terminal(state)
    assert result(reference("hnefatafl"), play(state, "1 1 1 2")) == [50, 50]


def test_variant_3_lets_who_cannot_move_pass() -> None:
    game = reference("hnefatafl-no-stalemate")
    state = board(attacker=[(1, 1)], defender=[(1, 2), (2, 1)], king=[(7, 7)])
    assert not game.terminal(state)
    assert moves(game, state, "attacker") == ["pass"]
    assert "pass" not in moves(game, game.initial(), "attacker")


def test_variant_4_captures_nothing_but_kills_the_king() -> None:
    name = "hnefatafl-no-capture"
    state = play(board(attacker=[(4, 1), (4, 6)], defender=[(4, 5)], king=[(9, 9)]), "4 1 4 4", name)
    assert content(state, 4, 5) == "defender"
    state = play(board(attacker=[(4, 6), (9, 4)], defender=[(2, 2)], king=[(4, 5)]), "9 4 4 4", name)
    assert content(state, 4, 5) == "king"
    ring = [(6, 7), (8, 7), (7, 6), (1, 8)]
    assert content(play(board(attacker=ring, king=[(7, 7)], defender=[(2, 2)]), "1 8 7 8", name), 7, 7) == "b"


def test_variant_5_only_kills_the_king_wherever_he_is() -> None:
    name = "hnefatafl-king-only-killed"
    state = play(board(attacker=[(4, 6), (9, 4)], defender=[(2, 2)], king=[(4, 5)]), "9 4 4 4", name)
    assert content(state, 4, 5) == "king"
    state = play(board(attacker=[(4, 6), (9, 4), (3, 5), (5, 5)], defender=[(2, 2)], king=[(4, 5)]), "9 4 4 4", name)
    assert content(state, 4, 5) == "b"
    state = play(board(attacker=[(4, 1), (4, 6)], defender=[(4, 5)], king=[(9, 9)]), "4 1 4 4", name)
    assert content(state, 4, 5) == "b"


def test_variant_6_only_captures_the_king() -> None:
    name = "hnefatafl-king-only-captured"
    state = play(board(attacker=[(4, 6), (9, 4)], defender=[(2, 2)], king=[(4, 5)]), "9 4 4 4", name)
    assert content(state, 4, 5) == "b"
    ring = [(6, 7), (8, 7), (7, 6), (1, 8)]
    assert content(play(board(attacker=ring, king=[(7, 7)], defender=[(2, 2)]), "1 8 7 8", name), 7, 7) == "king"


def test_variant_7_keeps_the_king_where_he_is() -> None:
    found = moves(
        reference("hnefatafl-king-stays"),
        board(control="defender", defender=[(2, 2)], king=[(5, 5)]),
        "defender",
    )
    assert found
    assert all(move.startswith("(move 2 2 ") for move in found)


def test_variant_8_ends_with_the_third_turn_and_the_first_player_loses() -> None:
    game = reference("hnefatafl-no-moves")
    state = game.initial()
    for turn in range(3):
        assert not game.terminal(state)
        assert moves(game, state, ("attacker", "defender")[turn % 2]) == ["pass"]
        state = after_pass(state)
    assert result(game, state) == [0, 100]


def after_pass(state: State) -> State:
    game = reference("hnefatafl-no-moves")
    return game.next(state, {role: next(iter(game.legal(state, role))) for role in game.roles})


def test_variant_10_moves_anywhere_and_removes_what_stands_there() -> None:
    name = "hnefatafl-leaps"
    start = board(control="attacker", attacker=[(4, 4), (9, 9)], defender=[(2, 12)], king=[(7, 7)])
    found = moves(reference(name), start, "attacker")
    assert len(found) == 2 * (169 - 2)  # any square but its own and the throne
    state = play(start, "4 4 2 12", name)
    assert content(state, 2, 12) == "attacker"
    assert content(play(start, "4 4 9 9", name), 9, 9) == "attacker"
    king = play(board(attacker=[(4, 4)], defender=[(2, 12)], king=[(5, 9)]), "4 4 5 9", name)
    assert result(reference(name), king) == [100, 0]


def test_variant_10_does_not_capture_with_a_square_that_the_piece_has_left() -> None:
    name = "hnefatafl-leaps"
    state = play(board(attacker=[(4, 4)], defender=[(4, 5)], king=[(9, 9)]), "4 4 4 6", name)
    assert content(state, 4, 5) == "defender"
    captured = play(board(control="defender", attacker=[(7, 8)], defender=[(2, 2)], king=[(7, 7)]), "7 7 7 9", name)
    assert content(captured, 7, 8) == "b"  # between the king and the throne that he left


def test_variant_11_lets_positions_repeat() -> None:
    game = reference("hnefatafl-no-history")
    there_and_back = ["(move 1 4 1 3)", "(move 4 7 4 8)", "(move 1 3 1 4)", "(move 4 8 4 7)"]
    assert not game.terminal(after(game, game.initial(), there_and_back * 3))
