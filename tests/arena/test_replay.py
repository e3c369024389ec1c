from dataclasses import replace

import pytest

from ludarium import agent, game, play
from ludarium.arena import replay
from ludarium.core import BadParameter, IllegalMove

GAMES = ["tic-tac-toe", "kuhn-poker", "goofspiel", "nim", "tron", "meier", "gdl:connect-four", "monty-hall"]


@pytest.mark.parametrize("name", GAMES)
def test_a_record_leads_to_the_same_utilities(name):
    made = game(name)
    for seed in range(3):
        match = play(made, [agent("random")] * len(made.roles), seed=seed)
        assert replay(match, game(name)) == match.utilities


def test_somebody_may_watch():
    match = play(game("nim"), [agent("random")] * 2, seed=1)
    seen = []
    replay(match, game("nim"), watch=lambda state, _: seen.append(state))
    assert len(seen) == match.plies + 1
    assert seen[-1].over


def test_what_cannot_be_replayed_says_why():
    made = game("tic-tac-toe")
    match = play(made, [agent("random")] * 2, seed=1)
    with pytest.raises(IllegalMove, match="move 2: 'zz' is not a cell"):
        replay(replace(match, moves=(match.moves[0], "zz"), seconds=()), made)
    with pytest.raises(IllegalMove, match="move 2: .* is not legal"):
        replay(replace(match, moves=(match.moves[0],) * 2, seconds=()), made)
    with pytest.raises(IllegalMove, match="comes after the end"):
        replay(replace(match, moves=(*match.moves, "a1"), seconds=()), made)
    with pytest.raises(IllegalMove, match="goes on after its last move, 2"):
        replay(replace(match, moves=match.moves[:2], seconds=()), made)
    with pytest.raises(BadParameter, match="without its moves"):
        replay(replace(match, moves=(), seconds=(), length=7), made)
    with pytest.raises(BadParameter, match="has 1 roles, but the match had 2"):
        replay(match, game("eight-puzzle"))


def test_a_match_that_was_cut_keeps_its_draw():
    match = play(game("connect-four"), [agent("random")] * 2, seed=1, move_limit=3)
    assert replay(match, game("connect-four")) == (0.5, 0.5)
