"""Sowing on a small board of our own: two rows of three holes, the track 0 1 2 5 4 3."""

import pytest

from ludarium.core import Rng
from ludarium.kernel import using
from ludarium.ludii.game import from_text
from ludarium.testing import check_game

HOLES = """
(game "Small Holes"
    (players 2)
    (equipment {
        (mancalaBoard 2 3 store:None { (track "Track" "0,E,N,W" loop:True) (track "Back1" "2,W,N,E" loop:True P1)
            (track "Back2" "3,E,S,W" loop:True P2) })
        (regions P1 (sites Bottom)) (regions P2 (sites Top))
        (piece "Seed" Shared)
        (hand Each)
    })
    (rules
        (start (set Count 2 to:(sites Track)))
        (play (move Select (from (sites Mover) if:(> (count at:(from)) 0)) (then THEN)))
        (end (if (no Moves Next) (byScore { (score P1 (count Cell at:(handSite P1))) (score P2 (count Cell at:(handSite P2))) })))
    )
)
"""


TAKE = "(fromTo (from (to)) (to (handSite Mover)) count:(count at:(to)))"


def game_of(sowing):
    return from_text(HOLES.replace("THEN", f"(sow {sowing})"))


def after(game, *holes):
    """The state after the players have sown these holes, as a record."""
    state = game.initial()
    for hole in holes:
        role = state.movers[0]
        state = state.after(next(m for m in state.legal(role) if game.coordinates.leaf(m).read(m, "from") == hole))
    return game.compiled.layout.state(bytearray(state.block))


def seeds_of(game, state):
    """How many seeds lie where, the hands last."""
    record = game.compiled.layout.state(bytearray(state.block))
    return [record.count[k] for k in range(game.model.sites)]


def seeds(game, *holes):
    """How many seeds lie where after the players have sown these holes."""
    record = after(game, *holes)
    return [record.count[k] for k in range(game.model.sites)]


@pytest.mark.parametrize(
    ("sowing", "holes", "expected"),
    [
        ("", [0], [0, 3, 3, 2, 2, 2, 0, 0]),
        ('"Back" owner:(mover)', [2], [3, 3, 0, 2, 2, 2, 0, 0]),
        ('"Back" owner:(mover)', [0, 5], [0, 3, 3, 3, 3, 0, 0, 0]),
        ("origin:True", [0], [1, 3, 2, 2, 2, 2, 0, 0]),
        ("skipIf:(= (to) 1)", [0], [0, 2, 3, 2, 2, 3, 0, 0]),
        ("numPerHole:2", [0], [0, 4, 2, 2, 2, 2, 0, 0]),
        ("count:1", [0], [1, 3, 2, 2, 2, 2, 0, 0]),
        (f"if:(= 3 (count at:(to))) apply:{TAKE}", [0], [0, 3, 0, 2, 2, 2, 3, 0]),
        (f"if:(= 3 (count at:(to))) apply:{TAKE} backtracking:True", [0], [0, 0, 0, 2, 2, 2, 6, 0]),
        (f"apply:{TAKE} forward:(> 3 (count at:(to)))", [0], [0, 3, 0, 2, 2, 2, 3, 0]),
        (f"apply:{TAKE} forward:(> 4 (count at:(to)))", [0], [0, 0, 0, 0, 0, 0, 12, 0]),
    ],
)
def test_seeds_fall_along_the_track_and_are_captured(sowing, holes, expected):
    assert seeds(game_of(sowing), *holes) == expected


def test_the_last_seed_may_fall_behind_the_hole_it_came_from():
    assert seeds(game_of("count:2 includeSelf:False skipIf:(!= (to) 0)"), 0) == [0, 4, 2, 2, 2, 2, 0, 0]


def test_effects_of_sowing_see_the_state_before_and_how_many_seeds_are_left():
    scored = game_of("sowEffect:(addScore Mover (+ (value) (count at:(to))))")
    assert list(after(scored, 0).score)[1] == (2 + 2) + (1 + 2)


def test_consequences_of_captures_see_their_own_capture_only():
    taken = f"{TAKE[:-1]} (then (addScore Mover (count Cell at:(handSite Mover)))))"
    record = after(game_of(f"if:(= 3 (count at:(to))) apply:{taken} backtracking:True"), 0)
    assert record.count[6] == 6
    assert record.score[1] == 3 + 3


def test_what_is_done_before_an_effect_is_found_is_done_for_good():
    text = HOLES.replace("THEN", '(do (set Var "Seeds" (count at:(last To))) next:(sow count:(- (var "Seeds") 1)))')
    game = from_text(text)
    assert seeds(game, 0) == [1, 3, 2, 2, 2, 2, 0, 0]
    assert after(game, 0).var[0] == 2


def test_nothing_is_done_before_an_effect_that_is_not_found():
    text = HOLES.replace("THEN", '(do (set Var "Seeds" 1) next:(if (is Mover P2) (sow)))')
    assert after(from_text(text), 0).var[0] == -1
    assert after(from_text(text), 0, 3).var[0] == 1


def test_steps_along_a_named_track_are_those_of_the_mover():
    text = HOLES.replace("THEN", '(sow) (set Var "Next" (trackSite Move from:(last To) "Back" steps:2))')
    text = text.replace("(then (sow) ", "(then (and (sow) ").replace("steps:2)))", "steps:2))))")
    game = from_text(text)
    assert after(game, 0).var[0] == 4
    assert after(game, 0, 3).var[0] == 5


def test_seeds_are_added_to_a_shared_hand_by_number():
    text = HOLES.replace("(hand Each)", "(hand Each) (hand Shared)")
    text = text.replace("THEN", '(add (piece "Seed") (to Cell (handSite Shared)) count:(+ 1 (count at:(last To))))')
    assert seeds(from_text(text), 0)[6:] == [0, 0, 3]
    assert seeds(from_text(text.replace("(+ 1 (count", "(- 2 (count")), 0)[6:] == [0, 0, 0]


def test_final_scores_rank_the_players_and_become_their_scores():
    text = HOLES.replace("THEN", f"(and (sow apply:{TAKE}) (addScore Mover 1))")
    game, rng = from_text(text), Rng(3)
    state = game.initial()
    while not state.over:
        legal = state.legal(state.movers[0])
        state = state.after(legal[rng.below(len(legal))])
    record = game.compiled.layout.state(bytearray(state.block))
    first, second = record.count[6], record.count[7]
    assert state.utilities()[0] == (1.0 if first > second else 0.5 if first == second else 0.0)
    assert (record.score[1], record.score[2]) == (first, second)
    assert first + second != record.moves  # which were their scores before


def test_hands_hold_cells_only():
    text = HOLES.replace("THEN", f"(sow apply:{TAKE})").replace(
        "(count Cell at:(handSite P2))", "(count at:(handSite P2))"
    )
    game = from_text(text.replace("(no Moves Next)", "(= (count Cell at:(handSite P1)) 3)"))
    state = game.initial()
    state = state.after(state.legal(0)[0])
    assert state.utilities() == (1.0, 0.0)  # three seeds against none
    game = from_text(text.replace("(no Moves Next)", "(= (count at:(handSite P1)) 3)"))
    assert not game.initial().after(game.initial().legal(0)[0]).over


def test_only_holes_of_the_board_can_be_selected():
    text = HOLES.replace("THEN", f"(sow apply:{TAKE})").replace(
        "(from (sites Mover) if", "(from (union (sites Mover) (sites Hand Mover)) if"
    )
    assert len(from_text(text).initial().legal(0)) == 3
    game = from_text(text.replace("if:(> (count at:(from)) 0)", "if:(= (to) 1)"))
    assert len(game.initial().legal(0)) == 1


def test_consequences_see_the_move_and_later_rules_what_came_of_it():
    text = HOLES.replace("THEN", '(sow (then (set Var "Seen" (last To afterConsequence:True))))')
    assert after(from_text(text), 0).var[0] == 0
    text = text.replace("(no Moves Next)", "(= (last To afterConsequence:True) 2)")
    game = from_text(text)
    assert game.initial().after(game.initial().legal(0)[0]).over  # the second seed fell into hole 2


def test_what_comes_before_a_choice_is_part_of_it():
    text = HOLES.replace(
        "(play (move Select", "(play (forEach Value min:1 max:2 (do (set Var (value)) next:(move Select"
    )
    text = text.replace("(then THEN)))", "(then (sow count:(var))))))))")
    text = text.replace("(sow count:(var))))))))", "(sow count:(var)))))))")
    game = from_text(text)
    state = game.initial()
    found = {tuple(seeds_of(game, state.after(move))) for move in state.legal(0)}
    assert len(found) == 6
    assert (0, 3, 3, 2, 2, 2, 0, 0) in found
    assert (1, 3, 2, 2, 2, 2, 0, 0) in found


def test_a_pass_is_seen_by_its_own_consequences():
    text = HOLES.replace(
        "(play (move Select", '(play (or (move Pass (then (if (all Passed) (set Var "End" 7)))) (move Select'
    )
    game = from_text(text.replace("(then THEN)))", "(then (sow)))))"))
    state = game.initial()
    for expected in (-1, 7):
        role = state.movers[0]
        state = state.after(next(move for move in state.legal(role) if game.coordinates.leaf(move).kind == "Pass"))
        assert game.compiled.layout.state(bytearray(state.block)).var[0] == expected


def test_holes_that_are_emptied_forget_their_state():
    text = HOLES.replace("THEN", "(and (set State at:(last To) 1) (sow))")
    assert after(from_text(text), 0).state[0] == 0


def test_stacks_are_sown_from_the_top():
    text = HOLES.replace("(set Count 2 to:(sites Track))", '(place Stack "Seed" (sites {0..5}) count:2)')
    game = from_text(text.replace("(count Cell at", "(count at").replace("THEN", "(sow)"))
    assert list(after(game, 0).height)[:6] == [0, 3, 3, 2, 2, 2]


def test_boards_for_large_stacks_hold_more_than_others():
    text = HOLES.replace("(set Count 2 to:(sites Track))", '(place Stack "Seed" (sites {0..5}) count:40)')
    text = text.replace("(count Cell at", "(count at").replace("THEN", "(sow)")
    game = from_text(text.replace("store:None", "store:None largeStack:True"))
    assert list(after(game, 0).height)[:6] == [6, 47, 47, 46, 47, 47]


@pytest.mark.parametrize(("end", "over"), [("(end (if (is Line 3) (result Mover Win)))", True), ("", False)])
def test_passes_end_a_game_only_where_end_rules_are_looked_at(end, over):
    game = from_text(
        f"""(game "Still" (players 2) (equipment {{ (board (square 3)) (piece "Stone" Each) }})
        (rules phases:{{ (phase "Only" (play (if (is Full) (move Add (to (sites Empty))))) {end}) }}))"""
    )
    state = game.initial()
    state = state.after(state.legal(0)[0])
    assert not state.over
    assert state.after(state.legal(1)[0]).over == over


RICH = (
    '"Back" owner:(mover) if:(= 3 (count at:(to))) sowEffect:(addScore Next 1) '
    f"apply:{TAKE[:-1]} (then (addScore Mover 1))) includeSelf:False skipIf:(= 1 (to)) backtracking:True"
)


def test_machine_code_and_python_sow_alike():
    def played():
        game, rng = game_of(RICH), Rng(5)
        state, seen = game.initial(), []
        while not state.over and len(seen) < 60:
            legal = state.legal(state.movers[0])
            seen.append((tuple(legal), bytes(state.block)))
            state = state.after(legal[rng.below(len(legal))])
        return seen

    native = played()
    with using("python"):
        assert played() == native


def test_sowing_keeps_the_promises_of_games():
    check_game(game_of(RICH))
