"""Chess by its known numbers of positions, and the rules that are easily got wrong one by one."""

import pytest

from tests.library.play import State, after, facts, holds, moves, perft, reference, result, step

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


def position(fen: str) -> State:
    """The state that a text in Forsyth-Edwards notation describes."""
    board, side, castling, passing = fen.split()[:4]
    cells = []
    for y, row in zip(range(8, 0, -1), board.split("/"), strict=True):
        x = 1
        for symbol in row:
            if symbol.isdecimal():
                cells += [f"(cell {x + i} {y} b)" for i in range(int(symbol))]
                x += int(symbol)
            else:
                cells.append(f"(cell {x} {y} {'w' if symbol.isupper() else 'b'}{symbol.lower()})")
                x += 1
    rights = {
        "K": "white king-side",
        "Q": "white queen-side",
        "k": "black king-side",
        "q": "black queen-side",
    }
    cells += [f"(may-castle {rights[symbol]})" for symbol in castling if symbol != "-"]
    cells += [f"(doubled {'-abcdefgh'.index(passing[0])})"] * (passing != "-")
    return facts(*cells, f"(control {'white' if side == 'w' else 'black'})", "(turn 1)")


def test_the_initial_state_is_the_initial_position() -> None:
    assert reference("chess").initial() == position(START)


# Node counts that all chess programs agree on; the positions are those usual for testing move generators.
COUNTS = [
    (START, [20, 400, 8902]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", [48, 2039]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", [14, 191, 2812]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", [6, 264, 9467]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", [44, 1486]),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -", [46, 2079]),
]


@pytest.mark.parametrize(
    ("fen", "depth", "nodes"),
    [
        pytest.param(fen, depth, nodes, marks=[pytest.mark.slow] * (nodes > 500))
        for fen, counts in COUNTS
        for depth, nodes in enumerate(counts, 1)
    ],
)
def test_the_number_of_positions_is_right(fen: str, depth: int, nodes: int) -> None:
    assert perft(reference("chess"), position(fen), depth) == nodes


def legal(fen: str) -> list[str]:
    state = position(fen)
    return moves(reference("chess"), state, "white" if " w " in fen else "black")


def test_castling_moves_king_and_rook_and_ends_the_right() -> None:
    game = reference("chess")
    state = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -")
    short = step(game, state, white="(castle king-side)")
    assert all(holds(short, f"(cell {x} 1 {p})") for x, p in [(5, "b"), (6, "wr"), (7, "wk"), (8, "b")])
    long = step(game, state, white="(castle queen-side)")
    assert all(holds(long, f"(cell {x} 1 {p})") for x, p in [(1, "b"), (2, "b"), (3, "wk"), (4, "wr"), (5, "b")])
    assert not holds(short, "(may-castle white queen-side)")
    assert holds(short, "(may-castle black queen-side)")
    rook = step(game, state, white="(move 8 1 8 8)")  # takes the black rook
    rights = [holds(rook, f"(may-castle {right})") for right in ("white king-side", "black king-side")]
    assert rights == [False, False]
    assert holds(rook, "(may-castle white queen-side)")


@pytest.mark.parametrize(
    ("fen", "sides"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ -", ["king-side", "queen-side"]),
        ("4k3/8/8/8/8/8/8/R3K2R w Q -", ["queen-side"]),
        ("4k3/8/8/8/8/8/8/RN2K2R w KQ -", ["king-side"]),
        ("4kr2/8/8/8/8/8/8/R3K2R w KQ -", ["queen-side"]),  # through check
        ("1r2k3/8/8/8/8/8/8/R3K2R w KQ -", ["king-side", "queen-side"]),  # only the rook goes through
        ("4k1r1/8/8/8/8/8/8/R3K2R w KQ -", ["queen-side"]),  # into check
        ("3kr3/8/8/8/8/8/8/R3K2R w KQ -", []),  # out of check
    ],
)
def test_castling_is_legal_only_when_nothing_is_between_and_the_king_is_safe_all_the_way(fen, sides) -> None:
    assert [move for move in legal(fen) if "castle" in move] == [f"(castle {side})" for side in sides]


def test_capture_en_passant_takes_the_pawn_that_passed_and_only_at_once() -> None:
    game = reference("chess")
    state = position("4k3/3p4/8/4P3/8/8/8/4K3 b - -")
    state = step(game, state, black="(move 4 7 4 5)")
    assert holds(state, "(doubled 4)")
    taken = step(game, state, white="(move 5 5 4 6)")
    assert holds(taken, "(cell 4 5 b)")
    assert holds(taken, "(cell 4 6 wp)")
    later = after(game, state, ["(move 5 1 5 2)", "(move 5 8 5 7)"])
    assert "(move 5 5 4 6)" not in moves(game, later, "white")


def test_capture_en_passant_must_not_bare_the_king() -> None:
    assert "(move 5 5 4 6)" not in legal("4k3/8/8/K2pP2r/8/8/8/8 w - d6")
    assert "(move 5 5 4 6)" in legal("4k3/8/8/K2pP1nr/8/8/8/8 w - d6")
    assert "(move 5 5 4 6)" in legal("4k3/8/8/3pP3/4K3/8/8/8 w - d6")  # the pawn that gives check is taken


def test_a_pawn_on_the_last_rank_becomes_what_its_owner_likes() -> None:
    game = reference("chess")
    fen = "3n4/4P3/8/8/8/8/7k/4K3 w - -"
    found = [move for move in legal(fen) if move.startswith("(promote")]
    assert len(found) == 8
    state = step(game, position(fen), white="(promote 5 7 4 8 knight)")
    assert holds(state, "(cell 4 8 wn)")
    assert "(move 5 7 5 8)" not in legal(fen)


def test_checkmate_wins_and_stalemate_is_a_draw() -> None:
    game = reference("chess")
    assert result(game, position("R5k1/5ppp/8/8/8/8/8/4K3 b - -")) == [100, 0]
    assert result(game, position("7k/5Q2/6K1/8/8/8/8/8 b - -")) == [50, 50]


def test_in_double_check_only_the_king_moves() -> None:
    found = legal("4r1k1/8/8/8/8/5n2/3P4/4KB1R w K -")
    assert found
    assert all(move.startswith("(move 5 1 ") for move in found)


def test_a_pinned_man_moves_only_along_the_pin() -> None:
    found = legal("4k3/8/8/4r3/8/4R3/4K3/8 w - -")
    assert sorted(move for move in found if move.startswith("(move 5 3 ")) == [
        "(move 5 3 5 4)",
        "(move 5 3 5 5)",
    ]
