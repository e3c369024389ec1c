"""States that are remembered, and moves that must not lead to them."""

import pytest

from ludarium.core.problems import RulesError
from ludarium.testing import check_game
from tests.ludii.ludemes.small import made, standing

STEP = "(forEach Piece (move Step Orthogonal (to if:(is Empty (to))) {then}))"


def texts(game, state):
    return [game.text(move) for move in state.legal(state.movers[0])]


def go(game, state, text):
    return state.after(next(move for move in state.legal(state.movers[0]) if game.text(move).startswith(text)))


def test_a_remembered_state_is_avoided():
    """The mover steps twice in a turn and remembers where he was before: he cannot step back."""
    first = STEP.format(then="(then (moveAgain))")
    second = f"(avoidStoredState {STEP.format(then='')})"
    play = f"(if (is Prev Mover) {second} (do (remember State) next:{first}))"
    game = made(play, ("Man1", [0]), ("Man2", [24]))
    state = go(game, game.initial(), "a1-b1")
    assert [text.split()[0] for text in texts(game, state)] == ["b1-b2", "b1-c1"]
    check_game(game, seeds=range(1), plies=40)


def test_what_a_move_remembers_itself_does_not_keep_it_back():
    play = f"(avoidStoredState {STEP.format(then='(then (remember State))')})"
    game = made(play, ("Man1", [0]), ("Man2", [24]))
    assert len(texts(game, game.initial())) == 2


def test_rules_may_ask_whether_a_state_was_there_before():
    """Men may step back and forth, but not to a state that was there before."""
    play = f"(do {STEP.format(then='')} ifAfterwards:(not (is Repeat Positional)))"
    game = made(play, ("Man1", [0]), ("Man2", [4]), board="(rectangle 1 5)")
    state = go(game, game.initial(), "a1-b1")
    state = go(game, state, "e1-d1")
    state = go(game, state, "b1-a1")
    assert [text.split()[0] for text in texts(game, state)] == ["d1-c1"]


def test_states_of_one_kind_only_are_remembered():
    play = f"(do {STEP.format(then='')} ifAfterwards:(not (is Repeat SituationalInTurn)))"
    with pytest.raises(RulesError, match="several kinds of states"):
        made(play, ("Man1", [0]), ("Man2", [4]), meta="(meta (no Repeat Positional))")


def test_rules_that_forbid_states_may_ask_whether_the_mover_has_moves():
    play = f"(if (no Moves Mover) (move Pass) {STEP.format(then='')})"
    game = made(play, ("Man1", [0]), ("Man2", [24]), meta="(meta (no Repeat))")
    assert len(texts(game, game.initial())) == 2
    with pytest.raises(RulesError, match="ask whether the next player has moves"):
        made(play.replace("Moves Mover", "Moves Next"), ("Man1", [0]), meta="(meta (no Repeat))")


def test_pieces_may_change_their_owner():
    """All men become those of the mover; walls stay, since nobody has any."""
    game = made(
        "(move Select (from 24) (then (take Control of:All by:Mover)))", ("Man2", [3, 4]), ("Man1", [0]), ("Wall0", [9])
    )
    state = game.initial()
    assert standing(game, state.after(state.legal(0)[0])) == {0: "Man1", 3: "Man1", 4: "Man1", 9: "Wall0"}


@pytest.mark.parametrize(
    ("which", "left"),
    [("of:Next by:Mover at:3", [4]), ("of:P2 by:P1 to:(sites Top)", [3, 4]), ("of:P1 by:P2", [0, 3, 4])],
)
def test_only_some_pieces_may_change_their_owner(which, left):
    game = made(f"(move Select (from 24) (then (take Control {which})))", ("Man2", [3, 4]), ("Man1", [0]))
    state = game.initial()
    after = standing(game, state.after(state.legal(0)[0]))
    assert [site for site, name in after.items() if name == "Man2"] == left
