"""Single rules of single games, where a wrong one would not show in random matches."""

import pytest

from ludarium.gdl.text.reader import read
from ludarium.library import path
from tests.library.play import State, after, facts, holds, moves, perft, reference, result, step


def board(rows: str, symbols: dict[str, str], *others: str, up: bool = False) -> State:
    """A state from rows of symbols, the first row on top; what is no symbol is no square."""
    lines = rows.split()
    numbers = range(len(lines), 0, -1) if up else range(1, len(lines) + 1)
    cells = [
        f"(cell {x} {y} {symbols[symbol]})"
        for y, line in zip(numbers, lines, strict=True)
        for x, symbol in enumerate(line, 1)
        if symbol in symbols
    ]
    return facts(*cells, *others)


# Node counts that are known from elsewhere.
@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("reversi", [4, 12, 56, 244]),
        ("checkers", [7, 49, 302]),
        ("connect-four", [7, 49, 343]),
        ("tic-tac-toe", [9, 72, 504]),
        ("breakthrough", [22, 484]),
    ],
)
def test_the_number_of_move_sequences_is_right(name: str, counts: list[int]) -> None:
    game = reference(name)
    assert [perft(game, game.initial(), depth) for depth in range(1, len(counts) + 1)] == counts


REVERSI = {".": "b", "x": "black", "o": "white"}


def test_reversi_turns_every_enclosed_run_and_nothing_else() -> None:
    rows = """
        ........
        .x.x.x..
        ..ooo...
        .xo.oox.
        ..ooo...
        .x.o.x..
        ...o....
        ........
    """
    game = reference("reversi")
    state = step(game, board(rows, REVERSI, "(control black)"), black="(place 4 4)")
    expected = """
        ........
        .x.x.x..
        ..xxx...
        .xxxxxx.
        ..xox...
        .x.o.x..
        ...o....
        ........
    """
    assert state == board(expected, REVERSI, "(control white)")


def test_reversi_is_passed_only_by_who_cannot_move_and_ends_when_nobody_can() -> None:
    game = reference("reversi")
    rows = "ox...... ........ ........ ........ ........ ........ ........ ........"
    state = board(rows, REVERSI, "(control black)")
    assert not game.terminal(state)
    assert moves(game, state, "black") == ["pass"]
    assert moves(game, step(game, state, black="pass"), "white") == ["(place 3 1)"]
    assert "pass" not in moves(game, game.initial(), "black")
    over = board(rows.replace("ox.", "oxx", 1).replace("ox", "xx", 1), REVERSI, "(control white)")
    assert result(game, over) == [100, 0]
    level = board(rows.replace("ox", ".o", 1).replace("........", ".......x", 1), REVERSI, "(control white)")
    assert result(game, level) == [50, 50]
    assert result(game, board(rows.replace("ox", "oo"), REVERSI, "(control black)")) == [0, 100]


CHECKERS = {"-": "b", "b": "bm", "B": "bk", "w": "wm", "W": "wk"}


def checkers(rows: str, control: str, *others: str) -> State:
    """Rank 8 is on top; light squares are dots."""
    return board(rows, CHECKERS, f"(control {control})", "(turn 1)", *others, up=True)


def test_checkers_must_capture_and_goes_on_with_the_same_piece() -> None:
    game = reference("checkers")
    rows = ".-.-.-.- -.-.-.-. .-.w.-.- -.-.-.-. .-.w.-.- -.b.-.-. .-.-.-.- b.-.-.-."
    state = checkers(rows, "black")
    assert moves(game, state, "black") == ["(jump 3 3 5 5)"]
    state = step(game, state, black="(jump 3 3 5 5)")
    assert holds(state, "(cell 4 4 b)")
    assert holds(state, "(control black)")
    assert holds(state, "(jumping 5 5)")
    assert moves(game, state, "black") == ["(jump 5 5 3 7)"]
    assert moves(game, state, "white") == ["noop"]
    state = step(game, state, black="(jump 5 5 3 7)")
    assert holds(state, "(control white)")
    assert not any(fact.name == "jumping" for fact in state)


def test_checkers_crowns_and_so_ends_the_turn() -> None:
    game = reference("checkers")
    rows = ".-.-.-.- -.w.w.-. .b.-.-.- -.-.-.-. .-.-.-.- -.-.-.-. .-.-.-.- -.-.-.w."
    state = step(game, checkers(rows, "black"), black="(jump 2 6 4 8)")
    assert holds(state, "(cell 4 8 bk)")
    assert holds(state, "(control white)")  # though the new king could go on over 5 7
    king = checkers(".-.-.-.- -.-.-.-. .-.-.-.- -.-.B.-. .-.-.-.- -.-.-.-. .-.-.-.- -.-.-.w.", "black")
    assert len(moves(game, king, "black")) == 4


def test_checkers_is_lost_by_who_cannot_move() -> None:
    game = reference("checkers")
    blocked = checkers(".-.-.-.- -.-.-.-. .-.-.-.- -.-.-.-. .-.-.-.- -.w.-.-. .w.-.-.- b.-.-.-.", "black")
    assert result(game, blocked) == [0, 100]


HEX = {".": "b", "r": "red", "b": "blue"}


def test_hex_joins_along_all_six_directions_and_not_along_the_seventh() -> None:
    game = reference("hex")
    winding = """
        ....r....
        ....r....
        ..rrr....
        .r.......
        .rr......
        ..r......
        .r.......
        .r.......
        r........
    """
    assert result(game, board(winding, HEX, "(control blue)")) == [100, 0]
    apart = winding.replace("....r....\n        ..rrr....", "....r....\n        .....r...", 1)
    assert not game.terminal(board(apart, HEX, "(control blue)"))
    row = ["." * 9] * 8 + ["b" * 9]
    assert result(game, board(" ".join(row), HEX, "(control red)")) == [0, 100]
    assert not game.terminal(board(" ".join(["r" + "." * 8] * 8 + ["." * 9]), HEX, "(control red)"))


def test_chinese_checkers_jumps_in_chains_over_any_peg_but_not_over_itself() -> None:
    game = reference("criss-cross")
    pegs = {"3 1": "red", "3 2": "teal", "3 4": "red", "1 3": "red", "5 1": "teal", "5 2": "teal"}
    start = game.initial()
    empty = [str(fact)[6:9] for fact in start if fact.name == "cell"]
    state = facts(*(f"(cell {hole} {pegs.get(hole, 'b')})" for hole in empty), "(control red)", "(turn 1)")
    found = [move for move in moves(game, state, "red") if move.startswith("(move 3 1 ")]
    assert found == sorted(f"(move 3 1 {hole})" for hole in ["4 1", "2 2", "3 3", "3 5"])


def test_chinese_checkers_scores_by_the_pegs_in_the_goal() -> None:
    game = reference("chinese-checkers")
    heads = [rule.head for rule in read(path("chinese-checkers")) if rule.head.name == "home"]
    homes = [f"{head.args[2]} {head.args[3]}" for head in heads if str(head.args[0]) == "red"]
    holes = [str(fact)[6:9] for fact in game.initial() if fact.name == "cell"]
    for count, points in enumerate([0, 25, 50, 100]):
        held = dict.fromkeys(homes[:count], "red")
        state = facts(*(f"(cell {hole} {held.get(hole, 'b')})" for hole in holes), "(control red)", "(turn 61)")
        assert result(game, state)[0] == points


def test_blocker_gets_the_square_that_both_want() -> None:
    game = reference("blocker")
    state = step(game, game.initial(), crosser="(mark 1 1)", blocker="(mark 1 1)")
    assert holds(state, "(cell 1 1 wall)")
    bridge = [
        "(mark 1 1) | (mark 1 4)",
        "(mark 2 2) | (mark 2 4)",
        "(mark 3 1) | (mark 3 4)",
        "(mark 4 2) | (mark 4 4)",
    ]
    assert result(game, after(game, game.initial(), bridge)) == [100, 0]
    gap = [*bridge[:3], "(mark 4 3) | (mark 4 4)"]
    assert not game.terminal(after(game, game.initial(), gap))


def test_two_board_tic_tac_toe_is_tied_when_both_get_a_line_at_once() -> None:
    game = reference("two-board-tic-tac-toe")
    turns = [
        "(mark left 1 1) | (mark right 1 1)",
        "(mark right 3 1) | (mark left 3 1)",
        "(mark left 1 2) | (mark right 1 2)",
        "(mark right 3 2) | (mark left 3 2)",
    ]
    state = after(game, game.initial(), turns)
    assert result(game, after(game, state, ["(mark left 1 3) | (mark right 1 3)"])) == [50, 50]
    assert result(game, after(game, state, ["(mark left 1 3) | (mark right 2 3)"])) == [100, 0]


def test_tron_lets_two_who_meet_crash_both() -> None:
    game = reference("tron")
    state = after(game, game.initial(), ["right | up", "right | left", "right | left"])
    assert holds(state, "(at red 5 5)")
    assert holds(state, "(at blue 7 5)")
    assert moves(game, state, "red") == ["down", "right", "up"]  # there is a wall behind
    assert result(game, after(game, state, ["right | left"])) == [50, 50]


def test_tron_is_lost_by_who_has_nowhere_to_go() -> None:
    game = reference("tron")
    walls = {(1, 1): "red", (2, 1): "red", (1, 2): "blue", (9, 6): "blue"}
    cells = [f"(cell {x} {y} {walls.get((x, y), 'b')})" for x in range(1, 11) for y in range(1, 11)]
    state = facts(*cells, "(at red 1 1)", "(at blue 9 6)")
    assert moves(game, state, "red") == ["down", "left", "right", "up"]
    assert result(game, step(game, state, red="left", blue="up")) == [0, 100]


def test_skirmish_counts_captures() -> None:
    game = reference("skirmish")
    state = after(game, game.initial(), ["(move 4 2 4 3)", "(move 5 7 5 6)", "(move 3 1 8 6)", "(move 7 8 8 6)"])
    assert holds(state, "(captures black 1)")
    assert holds(state, "(captures white 0)")


def test_melee_chess_is_won_by_taking_the_king() -> None:
    game = reference("melee-chess")
    turns = ["(move 5 2 5 3)", "(move 1 4 1 3)", "(move 5 3 4 4)", "(move 2 4 2 3)"]
    state = after(game, game.initial(), turns)
    assert "(move 4 4 5 5)" in moves(game, state, "white")
    assert result(game, after(game, state, ["(move 4 4 5 5)"])) == [100, 0]
