"""What games offer, how they and their states are copied and pickled, and what a role may do that does not move."""

import copy
import pickle
from dataclasses import fields

import pytest

from ludarium import game
from ludarium.core import Game, Offers, Rng
from ludarium.games.nim import Nim
from ludarium.games.tic_tac_toe import tic_tac_toe

SPECS = [
    "tic-tac-toe",
    "nim(heaps=(9, 9, 9))",
    "leduc-poker",
    "gdl:breakthrough-small",
    "tron",
    "breakthrough(width=4, height=5)",
]


def some_state(made: Game):
    rng = Rng(4)
    state = made.initial(rng)
    for _ in range(2):
        state = state.after({role: rng.choice(state.legal(role)) for role in state.movers}, rng)
    return state


def test_a_game_offers_nothing_unless_it_says_so():
    assert all(getattr(Offers(), each.name) is None for each in fields(Offers))
    assert Nim((1, 2), misere=False).offers.pieces is None


@pytest.mark.parametrize("spec", SPECS)
def test_states_and_games_can_be_copied(spec):
    made = game(spec)
    state = some_state(made)
    assert copy.deepcopy(made) is made
    assert copy.deepcopy(state) == copy.copy(state) == state
    assert copy.deepcopy([state, state.game])[0].legal(state.movers[0]) == state.legal(state.movers[0])


def test_a_copy_of_a_game_can_be_changed_without_changing_the_game():
    poker = game("kuhn-poker")
    made = poker.bridge  # which a copy shares
    twin = copy.copy(poker)
    twin.name = "twin"
    assert (poker.name, twin.roles, twin.bridge) == ("kuhn-poker", poker.roles, made)


@pytest.mark.parametrize("spec", SPECS)
def test_states_and_games_can_be_pickled(spec):
    made = game(spec)
    state = some_state(made)
    again, same = pickle.loads(pickle.dumps((state, made)))
    assert again.game is same
    assert again == state
    assert (same.name, same.roles) == (made.name, made.roles)
    assert again.movers == state.movers
    assert [again.legal(role) for role in again.movers] == [state.legal(role) for role in state.movers]


def test_a_game_made_by_its_class_can_be_pickled_and_one_made_by_a_function_cannot():
    made = Nim((1, 2), misere=False)
    assert pickle.loads(pickle.dumps(made.initial())).game.name == made.name
    with pytest.raises(TypeError, match="'tic-tac-toe' cannot be pickled: .* does not tell how to make it again"):
        pickle.dumps(tic_tac_toe().initial())


@pytest.mark.parametrize("spec", SPECS)
def test_a_role_that_does_not_move_has_no_choice(spec):
    made, rng = game(spec), Rng(1)
    state = made.initial(rng)
    while not state.over:
        for role in set(range(len(made.roles))) - set(state.movers):
            assert len(state.legal(role)) <= 1
        state = state.after({role: rng.choice(state.legal(role)) for role in state.movers}, rng)
