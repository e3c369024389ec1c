import pytest

from ludarium import agent, game
from ludarium.agents.determinized import DeterminizedPlayer
from ludarium.arena.play import play
from ludarium.arena.seating import seating_note, sit_down
from ludarium.core import HiddenState, Rng, UnsupportedGame


def test_an_agent_that_can_play_a_game_sits_down_itself():
    for name, played in (("uct", "connect-four"), ("ismcts", "kuhn-poker"), ("random", "kuhn-poker")):
        made = agent(name)
        assert type(sit_down(made, game(played), 0, Rng(0))) is type(made.seat(game(played), 0, Rng(0)))
        assert seating_note(made, game(played)) == ""


def test_an_agent_that_searches_states_is_lent_some_where_they_are_hidden():
    made, poker = agent("flat(playout_limit=7)"), game("kuhn-poker")
    with pytest.raises(HiddenState):
        made.seat(poker, 0, Rng(0))
    player = sit_down(made, poker, 1, Rng(0))
    assert isinstance(player, DeterminizedPlayer)
    assert (player.agent.inner, player.role) == (made, 1)
    assert seating_note(made, poker) == (
        "flat(playout_limit=7) plays kuhn-poker as determinized(inner=flat(playout_limit=7))"
    )


def test_it_plays_as_the_note_says():
    poker = game("kuhn-poker")
    plain = play(poker, [agent("flat"), agent("random")], iterations=100, seed=3)
    lent = play(poker, [agent("determinized(inner=flat)"), agent("random")], iterations=100, seed=3)
    assert (plain.moves, plain.agents[0]) == (lent.moves, "flat")


def test_what_an_agent_cannot_play_even_with_nothing_hidden_is_refused():
    with pytest.raises(UnsupportedGame, match="alphabeta cannot play kuhn-poker: .* chance"):
        sit_down(agent("alphabeta"), game("kuhn-poker"), 0, Rng(0))
    with pytest.raises(UnsupportedGame, match="alphabeta cannot play kuhn-poker: .* chance"):
        seating_note(agent("alphabeta"), game("kuhn-poker"))


@pytest.mark.parametrize("name", ["random", "osla", "bmrh", "srh", "widening", "rhea", "rmhc", "uct"])
def test_planners_are_named_plainly_in_rinascimento(name):
    made = game("rinascimento(preset=short)")
    match = play(made, [agent(name), agent("random")], forward_calls=40, move_limit=12, seed=1)
    assert match.plies == 12
