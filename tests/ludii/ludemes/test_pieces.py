"""Pieces in hands and of teams, in small games of our own."""

import pytest

from ludarium.core import GameError
from ludarium.core.problems import RulesError
from ludarium.ludii.game import from_text
from tests.ludii.ludemes.small import after, made, selected

DROPS = """
(game "Drops"
    (players 2)
    (equipment {
        (board (square 3)) (hand Each size:2) (piece "Man" Each)
        (piece "King" Each (move Step (to if:(not (is Friend (who at:(to))))
            (apply (if (is Enemy (who at:(to)))
                (add (piece (mapEntry "Taken" (what at:(to)))) (to (mapEntry "Where" (what at:(to))))))))))
        (map "Taken" { (pair (id "Man" P2) (id "Man" P1)) })
        (map "Where" { (pair (id "Man" P2) (handSite P1)) })
    })
    (rules
        (start { (place "King1" {"A1"}) (place "Man2" {"A2"}) (place "King2" {"C3"}) })
        (play (or
            (forEach Piece)
            (move (from (sites Occupied by:Mover container:(mover))) (to (sites Empty)))))
        (end (if (no Moves Next) (result Mover Win)))
    )
)
"""


def texts(game, state):
    return {game.text(move).partition(" #")[0]: move for move in state.legal(state.movers[0])}


def test_what_is_taken_is_known_where_it_stood_and_dropped_from_the_hand_of_the_mover():
    game = from_text(DROPS)
    state = game.initial()
    state = state.after(texts(game, state)["a1-a2"])
    block = game.compiled.layout.state(bytearray(state.block))
    assert game.model.components[block.what[game.model.board_sites] - 1].name == "Man1"
    state = state.after(texts(game, state)["c3-c2"])
    dropped = [each for each in texts(game, state) if not each.startswith("a2")]
    assert len(dropped) == 7


TEAMS = """
(game "Teams"
    (players 4)
    (equipment { (board (square 3)) (piece "Man" Each) })
    (rules
        (start { (set Team 1 {P1 P3}) (set Team 2 {P2 P4})
            (place "Man1" {"A1"}) (place "Man2" {"A2"}) (place "Man3" {"A3"}) (place "Man4" {"B1"}) })
        (play (move Remove (sites Occupied by:%s)))
        (end (if (no Moves Next) (result Mover Win)))
    )
)
"""


def test_teams_tell_enemies_from_friends():
    for role, expected in [("Enemy", ["a2", "b1"]), ("Friend", ["a1", "a3"]), ("Ally", ["a3"])]:
        game = from_text(TEAMS % role)
        assert [each.split()[-1] for each in sorted(texts(game, game.initial()))] == expected


STANDS = """
(game "Stands"
    (players 2)
    (equipment { (board (square 3)) (piece "Man" Each (move Step (to if:(is Empty (to))))) (piece "Town" Each) })
    (rules (start { (place "Man1" {"A1"}) (place "Town1" {"C3"}) }) (play (forEach Piece)) (end (if False (result Mover Win))))
)
"""


def test_a_piece_without_moves_stays_where_it_is():
    game = from_text(STANDS)
    assert sorted(texts(game, game.initial())) == ["a1-a2", "a1-b1", "a1-b2"]


HAND = """
(game "Hand"
    (players 2)
    (equipment { (board (square 3)) %s (piece "King" Each) (piece "Man" Each) })
    (rules
        (start { (place "King1" {"A1"}) %s })
        (play (if (is Mover P1)
            (move Add (piece "Man1") (to (sites Empty) if:(not (is Threatened (id "King" P1) at:(to)))))
            (move (from %s) (to (sites Empty)))))
        (end (if False (result Mover Win)))
    )
)
"""


def test_what_can_be_dropped_threatens_a_piece_that_is_only_thought_to_be_there():
    """Where sites count, Ludii leaves an empty site empty though it sets what stands there."""
    counted = from_text(HAND % ("(hand Each)", '(place "Man2" "Hand2")', "(handSite P2)"))
    assert texts(counted, counted.initial()).keys() == {"pass"}
    plain = from_text(HAND % ("", '(place "Man2" {"C3"})', '(sites {"C3"})'))
    assert len(texts(plain, plain.initial())) == 7


def test_values_of_pieces_in_hands_beside_a_board_of_points():
    options = {"board": "(square 3) use:Vertex", "more": "(hand P1)", "start": '(place "Man1" (handSite P1) value:2)'}
    assert selected("(sites { (value Piece at:(handSite P1)) })", ("Man1", [0]), **options) == [2]


def test_a_piece_that_comes_to_its_like_says_what_they_are_like():
    start = '(place "Man1" 0 count:2 state:2) (place "Man1" 1 count:1 state:1)'
    game = made("(move (from 1) (to (sites {0})))", start=start)
    state = game.initial()
    record = game.compiled.layout.state(bytearray(state.after(state.legal(0)[0]).block))
    assert (record.count[0], record.state[0]) == (3, 1)


def test_what_is_beside_a_move_of_anothers_piece_is_done_as_if_he_moved():
    """The first player moves the piece of the second; what is added beside it is the second player's."""
    play = '(forEach Piece (move (from) (to 20 (apply (add (piece (id "Man" Mover)) (to 24))))) P2)'
    assert after(play, ("Man2", [4])) == {20: "Man2", 24: "Man2"}


_ONE_KIND = """
(game "Kind" (players 2) (equipment { (board (square 3)) (piece "Stone" Neutral) })
    (rules (play (or (move Add PIECE(to (sites Empty))) (move Pass (then EFFECT)))) (end (if (is Full) (result P1 Win))))
)
"""


def _of_one_kind(piece="", effect="(moveAgain)"):
    return from_text(_ONE_KIND.replace("PIECE", piece).replace("EFFECT", effect))


@pytest.mark.parametrize(
    ("piece", "effect", "moves"),
    [
        ("", "(moveAgain)", (0, 0)),  # the second player would put a second kind
        ("(piece (+ (mover) 1)) ", "(moveAgain)", (0,)),
        ("", "(add (piece (- 0 (mover))) (to 4))", (-1,)),
        ("", "(promote 4 (piece (+ 1 (mover))))", (-1,)),
    ],
)
def test_a_piece_that_is_put_somewhere_has_to_exist(piece, effect, moves):
    state = _of_one_kind(piece, effect).initial()
    for number in moves[:-1]:
        state = state.after(state.legal(state.movers[0])[number])
    last = state.legal(state.movers[0])[moves[-1]]
    with pytest.raises(GameError, match="there is no piece with this number"):
        state.after(last)


@pytest.mark.parametrize("number", [2, -1])
def test_a_number_that_no_piece_has_is_told_with_its_place(number):
    for game in ({"piece": f"(piece {number}) "}, {"effect": f"(promote 4 (piece {number}))"}):
        with pytest.raises(RulesError, match=f":3:.*there is no piece {number}"):
            _of_one_kind(**game)


def test_a_trail_is_of_pieces_that_exist():
    with pytest.raises(RulesError, match="there is no piece 99"):
        made("(move Slide (from 12) (between trail:99) (to if:(is Empty (to))))")
