"""Small games of our own, played from their descriptions."""

import pytest

from ludarium.core import Rng
from ludarium.kernel import using
from ludarium.ludii.game import from_text
from ludarium.ludii.model import Unsupported
from ludarium.testing import check_game

THREE = """
(game "Three Stones"
    (players 2)
    (equipment { (board (square 3)) (piece "Stone" Each) })
    (rules
        (play (move Add (to (sites Empty))))
        (end (if (is Line 3) (result Mover Win)))
    )
)
"""

RACE = """
(game "Small Race"
    (players {(player N) (player S)})
    (equipment {
        (board (square 4))
        (piece "Runner" Each
            (or
                (move Step Forward (to if:(is Empty (to))))
                (move Step (directions {FR FL}) (to if:(not (is Friend (who at:(to)))))))
        )
        (regions P1 (sites Top)) (regions P2 (sites Bottom))
    })
    (rules
        (start { (place "Runner1" (sites Bottom)) (place "Runner2" (sites Top)) })
        (play (forEach Piece))
        (end { (if (is In (last To) (sites Mover)) (result Mover Win)) (if (no Moves Next) (result Mover Win)) })
    )
)
"""


def replay(game, *moves):
    state = game.initial()
    for text in moves:
        legal = {game.text(move).partition(" #")[0]: move for move in state.legal(state.movers[0])}
        state = state.after(legal[text])
    return state


def test_a_line_wins():
    game = from_text(THREE)
    state = replay(game, "add a1", "add a2", "add b1", "add b2", "add c1")
    assert state.over
    assert state.utilities() == (1.0, 0.0)


def test_a_full_board_is_a_draw():
    game = from_text(THREE)
    state = replay(game, *(f"add {site}" for site in ["a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3"]))
    assert state.over is False  # nobody can add: both have to pass
    state = state.after(state.legal(state.movers[0])[0])
    state = state.after(state.legal(state.movers[0])[0])
    assert state.over
    assert state.utilities() == (0.5, 0.5)


def test_pieces_step_forward_and_capture():
    game = from_text(RACE)
    assert len(game.initial().legal(0)) == 10
    state = replay(game, "a1-b2", "b4-a3", "b2-a3", "c4-b3", "a3-b4")
    assert state.utilities() == (1.0, 0.0)


@pytest.mark.parametrize("text", [THREE, RACE])
def test_machine_code_and_python_play_alike(text):
    def played():
        game, rng = from_text(text), Rng(5)
        state, seen = game.initial(), []
        while not state.over:
            legal = state.legal(state.movers[0])
            seen.append(tuple(legal))
            state = state.after(legal[rng.below(len(legal))])
        return seen, state.utilities()

    native = played()
    with using("python"):
        assert played() == native


def test_what_cannot_be_played_yet_names_the_ludeme_and_its_place():
    with pytest.raises(Unsupported, match=r"stones\.lud:6:38: .*last LevelFrom") as caught:
        from_text(THREE.replace("(sites Empty)", "(sites { (last LevelFrom) })"), "stones.lud")
    assert "last LevelFrom" in caught.value.unit


@pytest.mark.parametrize("text", [THREE, RACE])
def test_games_keep_the_promises_of_games(text):
    check_game(from_text(text))


def test_rules_for_the_whole_game_that_cannot_be_played_yet_are_refused():
    add = "(move Add (to (sites Empty)))"
    with pytest.raises(Unsupported, match="no Repeat.*whether the next player has moves"):
        from_text(THREE.replace(f"(play {add})", f"(meta (no Repeat)) (play (if (no Moves Next) (move Pass) {add}))"))
    with pytest.raises(Unsupported, match="Simulation"):
        from_text(THREE.replace("(players 2)", "(players 2) (mode Simulation)"))


def test_where_both_may_win_nothing_is_promised_about_the_sum():
    assert from_text(THREE).traits.constant_sum
    assert not from_text(THREE.replace("(result Mover Win)", "(result All Win)")).traits.constant_sum
