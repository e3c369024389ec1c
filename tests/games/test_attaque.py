import re

import pytest

from ludarium.core import BadParameter, IllegalMove, Rng
from ludarium.evaluate import evaluator
from ludarium.games.attaque import attaque
from ludarium.games.attaque_rules import LETTERS, OWNER, PLIES, State
from ludarium.kernel import KernelState

GAME = attaque(width=4, height=5, army="fbsomcgo")


def board(*rows, turn=0, game=GAME):
    """A state from rows, the highest first; red in capitals."""
    state = State()
    for row, text in enumerate(reversed(rows)):
        for column, letter in enumerate(text.split()):
            if letter != ".":
                blue = letter.islower()
                state.cells[row * game.width + column] = 1 + LETTERS.index(letter.lower()) | OWNER * blue
    state.turn = turn
    return KernelState(game, bytes(state.memory))


def after(state, *moves):
    for text in moves:
        state = state.after(state.game.parse(text), Rng(0))
    return state


def fight(attacker, met):
    """What is left on the cell when a red piece attacks a blue one; the rest of the board stays out of it."""
    state = after(board("f . . .", ". . . o", f". {met} . .", f". {attacker} . O", "F . . ."), "b2b3")
    return str(state).splitlines()[2][4]


@pytest.mark.parametrize(
    ("attacker", "met", "left"),
    [
        ("G", "c", "G"), ("C", "g", "g"), ("C", "c", "."), ("M", "o", "M"), ("O", "s", "O"),
        ("S", "g", "S"), ("G", "s", "G"), ("S", "s", "."), ("S", "o", "o"),
        ("M", "b", "M"), ("G", "b", "b"), ("S", "b", "b"), ("O", "f", "O"),
    ],
)  # fmt: skip
def test_who_stays_when_pieces_meet(attacker, met, left):
    assert fight(attacker, met) == left


def test_a_marshal_that_attacks_the_spy_takes_it():
    assert fight("G", "s") == "G"


def test_whoever_takes_the_flag_wins():
    state = after(board("f . . .", "O . . .", ". . . m", ". . . .", "F . . ."), "a4a5")
    assert (state.over, state.utilities()) == (True, (1.0, 0.0))


def test_whoever_cannot_move_loses():
    state = after(board("f b . .", "b . . .", ". . . .", ". . . O", "F . . ."), "d2d3")
    assert (state.over, state.utilities()) == (True, (1.0, 0.0))


def test_nobody_wins_when_time_is_up():
    state = board("f . . .", ". . . m", ". . . .", ". . . M", "F . . .")
    made = State(bytearray(state.block))
    made.plies = PLIES - 1
    state = after(KernelState(GAME, bytes(made.memory)), "d2c2")
    assert (state.over, state.utilities()) == (True, (0.5, 0.5))


def test_flag_and_bombs_stay_and_scouts_run():
    state = board("f . . .", ". b . m", ". . . .", ". O . .", "F B M .")
    assert sorted(map(GAME.text, state.legal(0))) == [
        "b2a2", "b2b3", "b2b4", "b2c2", "b2d2", "c1c2", "c1d1",
    ]  # fmt: skip


def test_a_scout_that_runs_and_pieces_that_fight_are_known_from_then_on():
    start = board("f . . .", "o . . m", ". . . .", ". O . C", "F B . .")
    assert GAME.picture(start, 1).splitlines()[3] == "2 . ? . ?"
    assert GAME.picture(after(start, "b2c2"), 1).splitlines()[3] == "2 . . ! ?"
    assert GAME.picture(after(start, "b2b3"), 1).splitlines()[2] == "3 . ! . ."
    assert GAME.picture(after(start, "b2a2"), 1).splitlines()[3] == "2 ! . . ?"
    ran = after(board("f . . .", "o . . m", ". . . .", ". O . C", "F B . ."), "b2b4")
    assert GAME.picture(ran, 1).splitlines()[1] == "4 o O . m"
    fought = after(start, "d2d3", "d4d3")
    assert GAME.picture(fought, 1).splitlines()[2] == GAME.picture(fought, 0).splitlines()[2] == "3 . . . C"


def test_ranks_are_hidden_and_places_are_not():
    one, other = (board("f b . .", f"{a} . . {b}", ". . . .", ". O . C", "F B . .") for a, b in ("om", "mo"))
    assert one.observe(0) == other.observe(0)
    assert one.observe(1) != other.observe(1)
    assert one.observe(0) != board("f b . .", "o . m .", ". . . .", ". O . C", "F B . .").observe(0)


def test_both_armies_are_whole_at_the_beginning():
    game = attaque()
    for seed in range(5):
        cells = State(bytearray(game.initial(Rng(seed)).block)).cells
        for role in (0, 1):
            army = [LETTERS[(piece & 15) - 1] for piece in cells if piece and piece >> 4 & 1 == role]
            assert sorted(army) == sorted("fbbsoommcg")
    first, second = (game.initial(Rng(seed)) for seed in (0, 1))
    assert first != second


def test_a_lost_piece_counts():
    state = after(board("f . . .", ". . . o", ". m . .", ". C . O", "F . . ."), "b2b3")
    ((red, blue),) = evaluator("own").values(GAME, [state], Rng(0))
    assert red > 0.5 > blue
    assert red + blue == pytest.approx(1)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"width": 9}, "the width of Attaque's board goes from 2 to 8: not 9"),
        ({"army": "fx"}, "is written with the letters fbsomcg, not as 'fx'"),
        ({"army": ""}, "is written with the letters"),
        ({"army": "ooooo"}, "has one flag, not 0"),
        ({"army": "foo"}, "fills whole rows"),
        ({"army": "foooooooooooooo"}, "leaves one free between both"),
        ({"army": "fbbbb"}, "may not be able to move"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(wrong, told):
    with pytest.raises(BadParameter, match=re.escape(told)):
        attaque(**wrong)


@pytest.mark.parametrize(("text", "told"), [("a2", "write two cells"), ("a2h2", "leaves the board, which ends at d5")])
def test_other_texts_are_no_moves(text, told):
    with pytest.raises(IllegalMove, match=told):
        GAME.parse(text)
