import pytest

from ludarium import agent, game, play
from ludarium.arena.position import Position, after
from ludarium.core import IllegalMove

CONNECT_FOUR = game("connect-four")


def test_a_position_grows_by_what_each_role_saw_and_did():
    position = Position(CONNECT_FOUR)
    position.play({0: CONNECT_FOUR.parse("d")})
    position.play({1: CONNECT_FOUR.parse("c")})
    red, yellow = position.information_set(0), position.information_set(1)
    assert position.plies == 2
    assert (red.played, yellow.played) == ((CONNECT_FOUR.parse("d"),), (CONNECT_FOUR.parse("c"),))
    assert len(red.seen) == len(yellow.seen) == 3
    assert red.seen[-1] == position.state.observe(0)
    assert red.state is position.state
    assert red.legal == tuple(position.state.legal(0))


def test_a_hidden_state_is_not_handed_over():
    assert Position(game("kuhn-poker")).information_set(0).state is None


@pytest.mark.parametrize(
    "name", ["connect-four", "nim", "kuhn-poker", "goofspiel(cards=4)", "gdl:tic-tac-toe", "meier"]
)
def test_the_moves_of_a_match_lead_to_its_end(name):
    played = game(name)
    for seed in range(3):
        match = play(played, [agent("random")] * len(played.roles), seed=seed)
        for between in (" ", ", ", "; ", "\n"):
            position = after(played, between.join(match.moves), seed=seed)
            assert position.plies == len(match.moves)
            assert position.state.over
            assert position.state.utilities() == match.utilities


def test_no_moves_are_the_beginning():
    assert after(CONNECT_FOUR, " , ").state == CONNECT_FOUR.initial()


@pytest.mark.parametrize("text", ["2 from a, 1 from b", "2 from a 1 from b", " 2 from a;1 from b,"])
def test_moves_may_hold_blanks(text):
    nim = game("nim")
    expected = nim.initial().after(nim.parse("2 from a")).after(nim.parse("1 from b"))
    assert after(nim, text).state == expected


def test_a_state_is_asked_once_who_is_to_move(monkeypatch):
    nim = game("nim")
    kind, asked = type(nim.initial()), []
    movers = kind.movers
    monkeypatch.setattr(kind, "movers", property(lambda state: asked.append(state) or movers.fget(state)))
    position = Position(nim)
    assert (position.movers, position.movers) == ((0,), (0,))
    assert len(asked) == 1
    before = position.state
    position.play({0: position.information_set(0).legal[0]})
    assert position.movers == (1,)
    assert [state for state in asked if state is position.state] == [position.state]
    position.swap(before)
    assert position.movers == (0,)


@pytest.mark.parametrize("text", ["1 + 2", "1+2", "1 +2"])
def test_moves_made_at_once_are_joined(text):
    assert after(game("goofspiel(cards=3)"), text).information_set(1).played == (game("goofspiel").parse("2"),)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("connect-four", "z", "move 1: 'z' is not a column: a move is a letter from a to g"),
        ("connect-four", "a b, zz", "move 3: 'zz' is not a column"),
        ("connect-four", "a a a a a a a", "move 7: 'a' is not legal for red: legal is b, c, d, e, f, g"),
        ("connect-four", "a b a b a b a g", "move 8: 'g' comes after the end of the game"),
        ("connect-four", "a + b", "move 1: nobody but red moves now"),
        ("nim", "9 from a, 1 from b", "move 1: '9 from a' is not legal for first"),
        ("gdl:tic-tac-toe", "(mark 1 1) (mark 1 1)", "move 2: '(mark 1 1)' is not legal for o"),
        ("goofspiel(cards=3)", "1 2", "move 1: first and second move at once: join their moves by ' + '"),
        ("goofspiel(cards=3)", "1 + 2, 1 + 3", "move 2: '1' is not legal for first"),
        ("goofspiel(cards=3)", "1 + 2 + 3", "move 1: nobody but first and second moves now"),
    ],
)
def test_a_move_that_cannot_be_played_is_told_with_its_number(name, text, message):
    with pytest.raises(IllegalMove) as told:
        after(game(name), text)
    assert str(told.value).startswith(message)


def test_a_move_that_is_too_long_for_python_is_no_move():
    with pytest.raises(IllegalMove, match="move 1: a move of 5,000 characters"):
        after(game("goofspiel"), "7" * 5000)
