"""Matches: games of our own, one after the other."""

import pytest

from ludarium.arena import play
from ludarium.core import IllegalMove, Rng
from ludarium.core.errors import LudariumError
from ludarium.core.problems import RulesError
from ludarium.ludii.game import Found, from_text, load
from ludarium.ludii.text.defines import NO_LIBRARY
from ludarium.testing import check_game

ROW = """
(game "Row"
    (players 2)
    (equipment { (board (rectangle 1 3)) (piece "Stone" Each) })
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 2) (result Mover Win))))
)
"""

COUNT = """
(game "Count"
    (players 2)
    (equipment { (board (square 2)) (piece "Stone" Each) })
    (rules
        (play (or
            (move Select (from 0) (then (addScore Mover 1)))
            (move Select (from 1) (then (addScore Mover 2)))
        ))
        (end (if (>= (counter) 2) (byScore)))
    )
)
"""

MATCH = """
(match "Both"
    (players 2)
    (games { (subgame "Row" next:1) (subgame "Count" result:(score Mover)) })
    (end {
        (if (>= (matchScore P1) 5) (result P1 Win))
        (if (>= (matchScore P2) 5) (result P2 Win))
        (if (= (count Trials) 6) (byScore))
    })
)
"""


def kept(name):
    texts = {"Row": ROW, "Count": COUNT, "Pair": MATCH}
    if name not in texts:
        raise LudariumError(f"nobody knows {name}")
    return Found(texts[name], f"{name}.lud", NO_LIBRARY)


def made(text=MATCH):
    return from_text(text, "match.lud", games=kept)


def played(game, state, *texts):
    for text in texts:
        state = state.after(game.parse(text))
    return state


def scores(game, state):
    match = game.record(state.block)
    return match.score[1], match.score[2], match.trials, match.index


def test_games_are_played_one_after_the_other():
    game = made()
    state = game.initial()
    assert [game.text(move) for move in state.legal(0)] == ["1: add a1", "1: add b1", "1: add c1"]
    state = played(game, state, "1: add a1", "1: add c1", "1: add b1")
    assert [game.text(move) for role in state.movers for move in state.legal(role)] == ["next game"]
    state = played(game, state, "next game")
    assert scores(game, state) == (1, 0, 1, 1)
    assert [game.text(move) for move in state.legal(0)] == ["2: select a1", "2: select b1 #2"]


def test_a_game_may_be_worth_more_to_who_wins():
    """Count lasts four moves: the last is that of the second player, whose score counts if he wins."""
    game = made()
    state = played(game, game.initial(), "1: add a1", "1: add c1", "1: add b1", "next game")
    state = played(game, state, "2: select a1", "2: select b1 #2", "2: select a1", "2: select b1 #2", "next game")
    assert scores(game, state) == (1, 4, 2, 0)


def test_a_draw_counts_for_both():
    game = made()
    state = played(game, game.initial(), "1: add a1", "1: add b1", "1: add c1")
    state = played(game, state, "1: pass", "1: pass")  # nobody can move any more, so all pass
    assert scores(game, played(game, state, "next game")) == (1, 1, 1, 1)


def test_a_match_ends_by_its_scores():
    game = made()
    state, rng = game.initial(), Rng(3)
    while state.movers:
        state = state.after(rng.choice(state.legal(state.movers[0])))
    first, second, trials, _ = scores(game, state)
    assert max(first, second) >= 5 or trials == 6
    assert state.utilities() == {1: (1.0, 0.0), 0: (0.5, 0.5), -1: (0.0, 1.0)}[(first > second) - (first < second)]


def test_it_is_a_game_like_others():
    game = made()
    check_game(game)
    assert len(play(game, ["uct", "random"], seed=1, iterations=20).utilities) == 2


def test_games_are_found_beside_the_file(tmp_path):
    (tmp_path / "Row.lud").write_text(ROW)
    (tmp_path / "Count.lud").write_text(COUNT)
    (tmp_path / "Both.lud").write_text(MATCH)
    game = load(tmp_path / "Both.lud")
    assert [part.name for part in game.parts] == ["Row", "Count"]
    assert game.picture(game.initial()).startswith("game 1, Row: player1 0, player2 0")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"Row"', '"Column"', r"match\.lud:4:14: there is no game 'Column' to play in this match\n.*nobody knows"),
        ('"Row"', '"Pair"', "a match in a match"),
        ("(players 2)", "(players 3)", "'Row' is not for 3 players"),
        ("(matchScore P1)", "(count Pieces P1)", "in the rules of a match"),
        ("(result P1 Win)", "(result P1 Loss)", "result Loss"),
        ("(result P1 Win)", "(result Mover Win)", "Mover in the rules of a match"),
    ],
)
def test_what_cannot_be_played_is_told_with_its_place(old, new, says):
    with pytest.raises(RulesError, match=says):
        made(MATCH.replace(old, new))


def test_moves_need_the_number_of_their_game():
    with pytest.raises(IllegalMove, match="number of the game"):
        made().parse("add a1")


def test_a_game_outside_of_a_match_has_no_match_score():
    game = from_text(ROW.replace("(is Line 2)", "(= -1 (matchScore P1))"))
    state = game.initial()
    assert not state.after(state.legal(0)[0]).movers
