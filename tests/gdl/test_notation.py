"""Moves as people write them, where a rule file says how."""

import pytest

from ludarium import game
from ludarium.core import IllegalMove, Rng
from ludarium.core.problems import RulesError
from ludarium.gdl.view import view

LETTERED = [
    "chess", "checkers", "gdl:breakthrough", "knightthrough", "reversi", "hex", "gdl:connect-four", "gdl:tic-tac-toe",
    "skirmish", "melee-chess", "brandubh", "hnefatafl-5x5",
]  # fmt: skip


@pytest.mark.parametrize("name", LETTERED)
def test_every_move_is_read_as_it_is_written(name):
    made, rng = game(name), Rng(1)
    state = made.initial()
    for _ in range(20):
        if state.over:
            break
        for role in state.movers:
            legal = state.legal(role)
            assert len({made.notation(move) for move in legal}) == len(legal)
            for move in legal:
                assert made.parse(made.notation(move)) == made.parse(made.text(move)) == move
                assert made.notation(move) in ("pass", "noop") or "(" not in made.notation(move)
        state = state.after({role: rng.choice(state.legal(role)) for role in state.movers})


def test_chess_is_written_by_files_and_ranks():
    chess = game("chess")
    assert chess.notation(chess.parse("(move 5 2 5 4)")) == "e2e4"
    assert chess.text(chess.parse("E2E4")) == "(move 5 2 5 4)"
    assert chess.text(chess.parse("O-O-O")) == "(castle queen-side)"
    assert chess.notation(chess.parse("(promote 1 7 1 8 queen)")) == "a7a8=queen"
    with pytest.raises(IllegalMove, match="is not a move of chess"):
        chess.parse("e2e9")


def test_a_game_without_a_notation_writes_terms():
    tron = game("tron")
    move = tron.initial().legal(0)[0]
    assert tron.notation(move) == tron.text(move)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('moves = { "move ?x ?y" = "?x" }', "has to name each variable of 'move .x .y' once: .x .y"),
        ('moves = { "move ?x ?y" = "?x?y?z" }', "has to name each variable"),
        ('moves = { "pass" = "" }', "has to name each variable of 'pass' once: none"),
        ('moves = ["e4"]', "'moves' should be a dict"),
        ("letters = 3", "'letters' should be a bool"),
    ],
)
def test_a_notation_that_cannot_be_read_is_refused_with_its_line(line, said):
    with pytest.raises(RulesError, match=said):
        view(f";@ {line}\n(role x)", "my.kif")
