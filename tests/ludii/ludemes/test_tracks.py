"""Races on small boards of our own: a die with one face, so that all is known, and tracks that cross themselves."""

import pytest

from ludarium.core import Rng
from ludarium.kernel import using
from ludarium.ludii.game import from_text
from ludarium.testing import check_game
from tests.ludii.ludemes.small import worth

CROSSING = """
(game "Crossing"
    (players 2)
    (equipment {
        (board (rectangle 1 5) { (track "Track1" {0 1 2 1 3 4 End} P1 directed:True) (track "Track2" {4 3 2 1 0 End} P2 directed:True) })
        (piece "Runner" Each
            (if (= (trackSite Move steps:(count Pips)) -2)
                (move Remove (from))
                (move (from) (to (trackSite Move steps:(count Pips)) if:(not (is Friend (who at:(to)))) (apply (remove (to))))))
        )
        (dice facesByDie:{{FACES}} num:1)
        (hand Each)
    })
    (rules
        (start { (place "Runner1" 0) (place "Runner2" (handSite P2)) })
        (play (do (roll) next:(or (forEach Piece) (forEach Piece container:(mover)) THEN)))
        (end (if (no Pieces P1) (result P1 Win)))
    )
)
"""


def crossing(faces="1", then=""):
    return from_text(CROSSING.replace("FACES", faces).replace("THEN", then))


def record(game, state):
    return game.compiled.layout.state(bytearray(state.block))


def first(state):
    """The state after the first move."""
    return state.after(state.legal(state.movers[0])[0], rng=Rng(1))


def runs(game, plies):
    """Where the first player's runner is after each ply, if everybody takes the first move; -1 if it has left the board."""
    state, found = game.initial(Rng(1)), []
    for _ in range(plies):
        state = first(state)
        what = record(game, state).what
        found.append(next((k for k in range(5) if what[k] == 2), -1))
        if not state.movers:
            break
    return found


def test_a_piece_goes_on_from_where_it_is_on_a_track_that_crosses_itself():
    assert runs(crossing(), 12)[::2] == [1, 2, 1, 3, 4, -1]


def test_steps_from_a_crossing_count_from_the_place_that_was_reached():
    assert runs(crossing("2"), 8)[::2] == [2, 3, -1]


def test_games_without_such_tracks_do_not_count_places():
    plain = from_text(
        CROSSING.replace("FACES", "1").replace("THEN", "").replace("{0 1 2 1 3 4 End}", "{0 1 2 3 4 End}")
    )
    assert "on_track" not in plain.compiled.layout.state.fields
    assert "on_track" in crossing().compiled.layout.state.fields


def test_pieces_of_a_container_are_found_by_its_number():
    game = from_text(
        CROSSING.replace("FACES", "1").replace("THEN", "").replace("{4 3 2 1 0 End} P2", "{6 3 2 1 0 End} P2")
    )
    state = game.initial(Rng(1))
    state = first(state)
    state = first(state)
    assert [k for k in range(7) if record(game, state).what[k] == 3] == [3]


def test_who_cannot_move_after_a_roll_passes_with_the_consequences_of_the_rule():
    again = CROSSING.replace("FACES", "1").replace(
        "(or (forEach Piece) (forEach Piece container:(mover)) THEN)", "NEXT"
    )
    game = from_text(
        again.replace("NEXT", "(if (is Mover P1) (forEach Piece)) (then (if (is Mover P2) (set Counter)))")
    )
    state = game.initial(Rng(1))
    state = first(state)
    (passed,) = state.legal(state.movers[0])
    assert game.text(passed).startswith("pass")
    assert record(game, state).counter == 0
    assert record(game, state.after(passed, rng=Rng(1))).counter == 0


def test_what_is_done_with_a_roll_waits_for_the_move():
    game = from_text(
        CROSSING.replace("FACES", "3")
        .replace("(do (roll)", "(do (roll (then (addScore Mover (count Pips))))")
        .replace("THEN", "")
    )
    state = game.initial(Rng(1))
    assert record(game, state).score[1] == 0
    assert record(game, state).current[0] == 3
    state = first(state)
    assert record(game, state).score[1] == 3


def test_what_comes_before_an_effect_that_finds_nothing_is_done_all_the_same_where_there_are_dice():
    done = "(then (do (addScore Mover 1) next:(if False (moveAgain))))"
    game = from_text(
        CROSSING.replace("FACES", "3").replace("(forEach Piece container:(mover)) THEN", f"(forEach Piece) {done}")
    )
    assert record(game, first(game.initial(Rng(1)))).score[1] == 1


PART = """
(game "Part"
    (players 2)
    (equipment {
        (board (rectangle 1 5) { (track "Track1" {0 1 2 3 4} loop:True P1) (track "Track2" {4 3 2 1 0} loop:True P2) })
        (piece "Stone" Each)
    })
    (rules
        (start { (place "Stone1" 0) (place "Stone2" 4) })
        (play (move Add (to (sites Track Mover "Track" from:3 to:0) if:(is Empty (to)))))
        (end (if (= (count Moves) 2) (result Mover Win)))
    )
)
"""


PART_OF_PLAY = PART[PART.index("(play (") : PART.index("(end")]
PART_OF_END = PART[PART.index("(end") :].splitlines()[0]


def test_a_part_of_a_track_goes_past_its_end_and_belongs_to_the_mover():
    game = from_text(PART)
    state = game.initial()
    assert {game.coordinates.leaf(m).read(m, "to") for m in state.legal(state.movers[0])} == {3}
    state = state.after(state.legal(state.movers[0])[0])
    assert {game.coordinates.leaf(m).read(m, "to") for m in state.legal(state.movers[0])} == {2, 1}


LEVELS = """
(game "Levels"
    (players 2)
    (equipment { (board (rectangle 1 3)) (piece "Stone" Each) })
    (rules
        (start { (place Stack "Stone1" 0 count:2 state:3) (place "Stone2" 2) })
        (play (if (is Mover P1) (move (from 0 LEVEL) (to 1)) (move Pass)))
        (end (if (= (count Moves) 4) (result Mover Win)))
    )
)
"""


@pytest.mark.parametrize(("level", "kept"), [("level:0", 3), ("", 0)])
def test_a_level_that_is_named_keeps_its_state_and_the_top_does_not(level, kept):
    game = from_text(LEVELS.replace("LEVEL", level))
    state = game.initial()
    after = record(game, state.after(state.legal(state.movers[0])[0]))
    assert after.state[game.compiled.layout.height] == kept


def test_moves_after_something_else_are_not_taken_for_those_without_it():
    both = "(if (= 0 (score Mover)) (do (addScore Mover 1) next:RULE) RULE)"
    rule = '(move Add (piece (id "Stone" Mover)) (to (sites Empty) if:(and {(is Empty (to)) (is Empty (to)) (is Empty (to))})))'
    game = from_text(PART.replace(PART_OF_PLAY, f"(play {both.replace('RULE', rule)})"))
    state = game.initial()
    for _ in range(2):
        state = state.after(state.legal(state.movers[0])[0])
    assert [record(game, state).score[p] for p in (1, 2)] == [1, 1]


def test_all_sites_are_asked_for_the_whole_condition():
    ends = "(end (if (all Sites (sites Board) if:(and (is Mover P2) (is Occupied (site)))) (result Mover Win)))"
    game = from_text(PART.replace(PART_OF_END, ends).replace("from:3 to:0", "from:3 to:2"))
    state = game.initial()
    for _ in range(2):
        state = state.after(state.legal(state.movers[0])[0])
        assert state.movers


DOUBLES = """
(game "Doubles"
    (players 2)
    (equipment {
        (board (rectangle 1 3)) (piece "Stone" Each) (hand Each)
        (dice facesByDie:{{FACE} {FACE}} num:2)
    })
    (rules
        (start { (place "Stone1" (handSite P1) count:9) (place "Stone2" (handSite P2) count:9) })
        (play (do (if (not (is Prev Mover)) (roll)) next:(forEach Die MORE if:(!= (pips) 0)
            (move (from (handSite Mover)) (to 0) (then (if (not (all DiceUsed)) (moveAgain)))))))
        (end (if (= (count Moves) 9) (result Mover Win)))
    )
)
"""


@pytest.mark.parametrize(("more", "turn"), [("replayDouble:True", 4), ("", 2)])
def test_equal_dice_are_used_twice_where_they_count_double(more, turn):
    game = from_text(DOUBLES.replace("FACE", "1").replace("MORE", more))
    state, moves = game.initial(Rng(1)), 0
    while record(game, state).mover == 1:
        state, moves = first(state), moves + 1
    assert moves == turn


def test_dice_of_which_all_are_used_are_not_set_to_a_face_that_they_do_not_have():
    game = from_text(DOUBLES.replace("FACE", "3").replace("MORE", "replayDouble:True"))
    state, moves = game.initial(Rng(1)), 0
    while record(game, state).mover == 1:
        state, moves = first(state), moves + 1
    assert moves == 2


def test_what_is_done_when_no_site_has_a_move_has_no_consequences_of_the_loop():
    rule = '(forEach Site (sites Empty) (if SOME (move Add (to (site)))) noMoveYet:(move Pass) (then (set Var "a" 5)))'
    for some, moves, value in (("True", 3, 5), ("False", 1, -1)):
        text = PART.replace(PART_OF_PLAY, f"(play {rule.replace('SOME', some)})")
        game = from_text(text)
        state = game.initial()
        legal = state.legal(state.movers[0])
        assert len(legal) == moves
        assert record(game, state.after(legal[0])).var[0] == value


TEAMS = """
(game "Teams"
    (players 4)
    (equipment { (board (square 2)) (piece "Stone" Each) })
    (rules
        (start { (set Team 1 {P1 P3}) (set Team 2 {P2 P4}) (place "Stone1" 0) (place "Stone2" 1) (place "Stone3" 2) (place "Stone4" 3) })
        (play (move Remove (sites Occupied by:Mover)))
        (end (if (no Pieces TeamMover) (result TeamMover Win)))
    )
)
"""


def test_a_team_wins_when_all_its_pieces_are_gone():
    game = from_text(TEAMS)
    state = game.initial(Rng(1))
    for _ in range(3):
        assert state.movers
        state = first(state)
    assert not state.movers
    assert [record(game, state).rank2[p] for p in range(1, 5)] == [2, 6, 2, 6]


@pytest.mark.parametrize("text", [CROSSING.replace("FACES", "1 2").replace("THEN", ""), TEAMS])
def test_the_games_keep_the_promises_of_all_games(text):
    check_game(from_text(text))


def played():
    """The moves and states of a game that is played at random."""
    game, rng, plies = crossing("1 2"), Rng(5), []
    state = game.initial(Rng(3))
    while state.movers and len(plies) < 40:
        moves = state.legal(state.movers[0])
        plies.append((tuple(moves), bytes(state.block)))
        state = state.after(moves[rng.below(len(moves))], rng=rng)
    return plies


def test_kernels_as_python_and_machine_code_agree():
    native = played()
    with using("python"):
        assert played() == native


STEPS = (
    '(square 5) {{(track "Way1" {{0 1 2 3 4}} {loop} P1) (track "Other1" {{4 2 0}} P1) (track "Way2" {{20 21 22}} P2)}}'
)


@pytest.mark.parametrize(
    ("asked", "steps"),
    [
        ("1 4", 3),
        ("4 1", 2),  # round the end
        ("3 3", 0),
        ("9 2", 2),  # from where the track is not, from its beginning
        ("1 9", -1),
        ('"Other" 4 0', 2),
        ('"Nothing" 1 2', 1),  # the first of his own
        ("P2 20 22", 2),
        ("Next 20 22", 2),
        ("(player 2) 20 22", 2),
        ("P1 20 22", -1),
    ],
)
def test_steps_between_two_sites_along_a_track(asked, steps):
    assert worth(f"(+ 1 (count StepsOnTrack {asked}))", board=STEPS.format(loop="")) == steps + 1


def test_steps_go_round_a_loop():
    assert worth("(count StepsOnTrack 4 1)", board=STEPS.format(loop="loop:True")) == 2


@pytest.mark.parametrize("places", [[("Man1", [1])], [("Wall0", [1])], []])
def test_on_a_track_that_crosses_itself_steps_are_counted_from_where_a_piece_is_to_the_end(places):
    board = '(square 5) (track "Way" {0 1 2 1 3 4} P1)'
    asked = {"2 3": 2, "1 2": 1, "4 0": -1, "24 3": -1}
    assert {each: worth(f"(+ 1 (count StepsOnTrack {each}))", *places, board=board) - 1 for each in asked} == asked
