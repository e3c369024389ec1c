import pytest

from ludarium import game
from ludarium.agents.uct import UCT
from ludarium.core import InformationSet, Limit, Rng, UnsupportedGame
from ludarium.hidden import revealed, shown


@pytest.mark.parametrize("name", ["kuhn-poker", "monty-hall", "gdl:battleship"])
def test_a_search_sits_down_where_nothing_is_hidden(name):
    hidden = game(name)
    twin = revealed(hidden)
    with pytest.raises(UnsupportedGame, match="hides part of it"):
        UCT().seat(hidden, 0, Rng(0))
    state = shown(twin, hidden.initial(Rng(1)))
    info = InformationSet(game=twin, role=0, legal=tuple(state.legal(0)), state=state)
    assert UCT().seat(twin, 0, Rng(0)).choose(info, Limit(iterations=50).start()).move in info.legal


def test_the_game_itself_goes_on_hiding():
    hidden = game("kuhn-poker")
    twin = revealed(hidden)
    assert twin.traits.perfect_information
    assert not hidden.traits.perfect_information
    with pytest.raises(ValueError, match="hides information"):
        InformationSet(game=hidden, role=0, legal=(0, 1), state=hidden.initial(Rng(0)))


def test_both_share_their_machine_code():
    hidden = game("kuhn-poker")
    assert revealed(hidden).bridge is hidden.bridge


def test_a_game_that_hides_nothing_is_left_alone():
    open_ = game("tic-tac-toe")
    assert revealed(open_) is open_
