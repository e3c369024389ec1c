"""Arguments that descriptions rarely give, or leave out: they mean what they say, or are refused with their place."""

import pytest

from ludarium.core import Rng
from ludarium.core.errors import GameError
from ludarium.core.problems import RulesError
from ludarium.kernel import using
from ludarium.ludii.game import from_text
from ludarium.ludii.model import Unsupported
from tests.ludii.ludemes.small import after, holds, made, selected, standing, worth

STACK = '(place Stack items:{"Man1" "Rook1" "Man1"} 6)'


@pytest.mark.parametrize(
    "go", ["Step E (to if:True)", "Slide E (between (exact 1))", "Hop E (between (exact 0)) (to if:True)"]
)
def test_a_stack_moves_as_a_whole_only_if_it_is_said_so(go):
    def left(stack):
        game = made(f"(move {go.split()[0]} (from 6) {go.partition(' ')[2]} {stack})", start=STACK)
        state = game.initial()
        return 6 in standing(game, state.after(state.legal(0)[0]))

    assert left("")
    assert left("stack:False")
    assert not left("stack:True")


def test_a_truth_that_has_to_be_known_is_refused_if_it_depends_on_the_state():
    rule = "(move Leap (from 12) {{F F R F}} forward:(is Even (count Moves)) (to if:True))"
    with pytest.raises(Unsupported, match="'forward' that depends on the state"):
        made(rule)
    for slot in ("byLevel", "top"):
        line = f"(if (is Line 3 {slot}:(is Even (count Moves))) (result Mover Win))"
        with pytest.raises(Unsupported, match=f"'{slot}' that depends on the state"):
            made("(move Add (to (sites Board)) stack:True)", ends=line)


def test_a_hop_whose_hurdle_has_no_condition_goes_over_nothing():
    def hops(between):
        game = made(
            f"(or (move Hop (from 12) {between} (to if:(is Empty (to)))) (move Pass))", ("Man1", [12]), ("Man2", [13])
        )
        return len(game.initial().legal(0)) - 1

    assert hops("(between if:True)") == hops("") > 0
    assert hops("(between)") == hops("(between (exact 1))") == 0


def test_players_without_pieces_put_what_has_their_number():
    game = from_text(
        '(game "Own" (players 2) (equipment {(board (square 3)) (piece "Man" P1) (piece "Rook" P1)})'
        " (rules (start (set P2 Cell (sites {4}))) (play (move Pass)) (end (if (is Full) (result P1 Win)))))"
    )
    assert standing(game, game.initial()) == {4: "Rook1"}


def test_dice_stay_as_they_are_when_what_comes_before_a_move_is_done_again():
    before = '(and (roll) (seq {(set Var "Y" 1) (set Var "X" (count Pips))}))'
    other = '(then (if (!= (var "X") (count Pips)) (set Var "Z" 1)))'
    game = made(
        f"(do {before} next:(move Select (from 0) {other}))",
        more="(dice d:6 num:1)",
        ends='(if (= (var "Z") 1) (result P1 Win))',
    )
    rng = Rng(5)
    state = game.initial(rng)
    for _ in range(12):
        state = state.after(state.legal(state.movers[0])[0], rng)
        assert not state.over


@pytest.mark.parametrize(
    ("rule", "slot"),
    [
        ("(move Propose)", "message"),
        ("(forEach Direction (from 12) (to if:True))", "effect"),
        ("(move Select (from (sites Row)))", "index"),
        ("(if (is AnyDie) (move Pass))", "value"),
    ],
)
def test_what_is_left_out_and_cannot_be_is_refused_with_its_place(rule, slot):
    with pytest.raises(Unsupported, match=rf"<text>:5:\d+: .* cannot be played yet: without '{slot}'") as refused:
        made(rule) if slot != "message" else made("(propose)")
    assert refused.value.problems[0].place.line == 5


def test_nothing_comes_of_what_is_only_done_first():
    game = made("(do (move Add (to (sites Empty))))")
    assert [game.text(move) for move in game.initial().legal(0)] == ["pass"]


def test_logic_and_numbers_of_truths():
    corner = ("Man1", [0])
    assert holds("(xor (is Empty 0) (is Empty 1))", corner)
    assert not holds("(xor (is Empty 0) (is Empty 1))")
    assert holds("(all Values (array {1 2 3}) if:(> (value) 0))")
    assert not holds("(all Values (array {1 0 3}) if:(> (value) 0))")
    assert holds("(toBool 2)")
    assert not holds("(toBool 0)")
    assert (worth("(toInt (is Empty 3))"), worth("(toInt (is Empty 0))", corner)) == (1, 0)


def test_without_teams_the_team_of_the_mover_is_the_mover_who_has_no_allies():
    places = (("Man1", [0, 1]), ("Man2", [24]))
    assert worth("(count Pieces TeamMover)", *places) == 2
    assert worth("(count Pieces Ally)", *places) == 0
    assert selected("(sites Occupied by:TeamMover)", *places) == [0, 1]


def test_hands_and_pieces_of_players_who_do_not_play_are_nowhere():
    hands = {"more": "(hand Each)"}
    assert worth("(handSite P1)", **hands) == 25
    assert worth("(+ 2 (handSite P7))", **hands) == 1
    assert worth("(+ 2 (handSite Enemy))", **hands) == 1
    assert worth('(+ 2 (id "Man" P7))') == 1


SIDES = """
(game "Sides"
    (players 2)
    (equipment {{
        (board (square 3)) (piece "Stone" Each) {more}
        (regions P1 {{(sites Bottom) (sites Top)}}) {others}
    }})
    (rules (start {{(place "Stone1" {{0 3 6}}) (place "Stone2" {{{second}}})}})
        (play (or (move Select (from 0)) (move Pass))) (end (if {test} (result Mover Win))))
)"""


OTHERS = "(regions P2 {(sites Left) (sites Right) (sites Top)})"


def wins(test, second, more="", moves=1, others=OTHERS):
    """Who has won when so many moves were made."""
    state = from_text(SIDES.format(test=test, second=second, more=more, others=others)).initial()
    for _ in range(moves):
        state = state.after(state.legal(state.movers[0])[0])
    return state.utilities() if state.over else None


def test_players_connect_as_many_regions_as_they_own():
    assert wins("(is Connected at:0 Mover)", "1") == (1.0, 0.0)
    assert wins("(is Connected at:4 Mover)", "4 5", moves=2) is None
    assert wins("(is Connected 1 at:4 Mover)", "4 5", moves=2) == (0.0, 1.0)


def test_who_owns_no_regions_connects_none():
    assert wins("(is Connected at:0 Mover)", "4 5", others="") == (1.0, 0.0)
    assert wins("(is Connected at:4 Mover)", "4 5", moves=2, others="") is None


def test_regions_of_nobody_are_not_to_be_connected():
    nobody = "".join(f'(regions "Hole{k}" {{{k}}})' for k in (1, 2, 4))
    assert wins("(is Connected at:0 Mover)", "1", nobody) == (1.0, 0.0)


def test_regions_are_cut_off_from_each_other():
    across = "(is Blocked Orthogonal {(sites Left) (sites Right)})"
    assert wins(across, "1 2") is None
    assert wins(across, "1 2", moves=2) == (0.0, 1.0)
    assert wins("(is Blocked Orthogonal P2)", "1 2") == (1.0, 0.0)
    three = "Orthogonal {(sites Bottom) (sites Left) (sites Right)})"
    assert wins(f"(is Blocked {three}", "1 2", moves=2) == (0.0, 1.0)
    assert wins(f"(is Blocked 2 {three}", "1 2", moves=2) is None


def test_a_hop_over_nothing_is_a_step_and_one_over_two_takes_both():
    hop = "(move Hop (from 10) E (between (range 0 2) if:(is Enemy (who at:(between))) (apply (remove (between))))"
    rest = "(to if:(is Empty (to)) (apply (add (piece (id Wall Neutral)) (to 24)))))".replace("Wall", '"Wall"')
    game = made(f"{hop} {rest}", ("Man1", [10]), ("Man2", [11, 12, 20]))
    (move,) = game.initial().legal(0)
    assert standing(game, game.initial().after(move)) == {13: "Man1", 20: "Man2", 24: "Wall0"}
    game = made(f"{hop} {rest}", ("Man1", [10]), ("Man2", [20]))
    (move,) = game.initial().legal(0)
    assert standing(game, game.initial().after(move)) == {11: "Man1", 20: "Man2"}


def test_without_a_condition_on_what_is_between_nothing_is_hopped_over():
    places = (("Man1", [10]), ("Man2", [11]))
    assert [
        made(f"(move Hop (from 10) E {between} (to if:(is Empty (to))))", *places).initial().legal(0)[0] > 1
        for between in ("", "(between (exact 1))", "(between if:True)")
    ] == [True, False, True]


def test_levels_alone_make_no_stacks():
    assert not made("(if (= (who at:0 level:0) P1) (move Remove 0 level:0) (move Pass))").compiled.layout.stacking
    assert made("(move (from 0 level:0) (to 1))").compiled.layout.stacking


DICE = """
(game "Dice" (players 2)
    (equipment {{ (board (square 3)) (dice d:2 num:2) (piece "Man" Each) }})
    (rules (start {{ (place "Man1" {{0}}) (place "Man2" {{8}}) }})
        (play (do (if (not (is Prev Mover)) (roll))
            next:(forEach Die replayDouble:{double} (move Select (from (sites Occupied by:Mover)) (then (moveAgain))))))
        (end (if (no Pieces P1) (result P2 Win))))
)"""


@pytest.mark.parametrize(
    ("double", "kept"),
    [("True", True), ("False", False), ("(is Even (count Moves))", True), ("(is Odd (count Moves))", False)],
)
def test_equal_dice_count_twice_if_it_is_said_so_now(double, kept):
    game = from_text(DICE.format(double=double))
    rng = Rng(1)
    seen = set()
    for _ in range(20):
        state = game.initial(rng)
        dice = game.compiled.layout.state(bytearray(state.block)).die
        shown = [dice[0], dice[1]]
        after = game.compiled.layout.state(bytearray(state.after(state.legal(0)[0], rng).block))
        seen.add((shown[0] == shown[1], after.temp != -1))
    assert seen == {(True, kept), (False, False)}


def test_a_hop_over_so_many_at_most_may_land_on_the_first():
    hop = "(move Hop (from 10) E (between (max 2) if:(is Enemy (who at:(between)))) (to if:(not (is Friend (who at:(to))))))"
    game = made(hop, ("Man1", [10]), ("Man2", [11, 12]))
    legal = game.initial().legal(0)
    assert sorted(game.coordinates.leaf(move).read(move, "to") for move in legal) == [11, 12, 13]
    assert [game.text(move) for move in made(hop, ("Man1", [10])).initial().legal(0)] == ["pass"]


@pytest.mark.parametrize(("most", "left"), [("(max 1)", [3, 4, 24]), ("(max 2)", [3, 24])])
def test_beyond_the_rim_may_be_a_friend_only_where_captures_may_be_longer(most, left):
    target, friend = "if:(is Enemy (who at:(between)))", "if:(not (is Enemy (who at:(to))))"
    taking = f"(custodial (from (last To)) Orthogonal (between {most} {target}) (to {friend}))"
    places = (("Man1", [3]), ("Man2", [4, 24]))
    assert sorted(after(f"(move Select (from 3) (then {taking}))", *places)) == left


def test_without_conditions_numbers_of_sites_are_taken_for_those_of_players():
    taking = "(custodial (from (last To)) Orthogonal (between (max 1)))"
    places = (("Man1", [3]), ("Man2", [2, 4]))
    assert sorted(after(f"(move Select (from 3) (then {taking}))", *places)) == [
        3,
        4,
    ]  # site 1 goes for the first player


def test_lists_hold_a_value_that_comes_again_and_again():
    """A small board once had room for 64 values, however often one may come."""
    game = made('(move Select (from 0) (then (remember Value "Seen" 7)))', ("Man1", [1]))
    state = game.initial()
    for _ in range(120):
        state = state.after(state.legal(state.movers[0])[0])
    assert game.compiled.layout.state(bytearray(state.block)).list_count[0] == 120


@pytest.mark.parametrize(("second", "over"), [("24", True), ("23", False)])
def test_a_game_ends_by_a_rule_that_holds_on_one_of_its_tracks(second, over):
    tracks = f'(square 5) {{ (track "One" {{0 1 2}}) (track "Two" {{22 {second}}}) }}'
    ends = "(forEach Track if:(= 0 (count Pieces Mover in:(sites Track))) (result Mover Loss))"
    game = made("(move Select (from 0))", ("Man1", [0, 23]), ("Man2", [10]), board=tracks, ends=ends)
    state = game.initial()
    assert state.after(state.legal(0)[0]).over == over


@pytest.mark.parametrize("of", ["(- (count Moves) 7)", "(+ 9 (count Moves))", "9"])
def test_whoever_does_not_play_has_no_pieces(of):
    places = (("Man1", [0]), ("Man2", [1]), ("Wall0", [2]))
    with using("python"):  # which finds every step beyond an end
        assert holds(f"(no Pieces of:{of})", *places)
        assert worth(f"(count Pieces of:{of})", *places) == 0
        assert selected(f"(sites Occupied by:(player {of}))", *places) == []
    assert not holds("(no Pieces of:(count Moves))", *places)  # the walls of nobody


@pytest.mark.parametrize("by", ["Mover", "(mover)", "P1"])
@pytest.mark.parametrize("where", ["", "at:6", "to:(sites {6 7})", "at:6 Cell"])
def test_control_is_taken_by_a_move_that_can_be_chosen(by, where):
    places = (("Man1", [0]), ("Man2", [6]), ("Rook2", [7]))
    assert after(f"(take Control of:P2 by:{by} {where})", *places)[6] == "Man1"
    assert after(f"(move Select (from 0) (then (take Control of:(next) by:{by} {where})))", *places)[6] == "Man1"


def test_fractions_are_cut_off_and_hold_unless_they_are_none():
    assert worth("(toInt (* 2.5 3.0))") == 7
    assert worth("(toInt (/ (toFloat (count Rows)) 2.0))") == 2
    assert worth("(+ 3 (toInt (- 0.0 1.5)))") == 2
    assert holds("(toBool 0.5)")
    assert not holds("(toBool (- 0.5 0.5))")


def test_players_who_do_not_play_neither_swap_nor_sow():
    with using("python"):
        assert after("(move Swap Players 1 (+ 7 (count Moves)))", ("Man1", [0])) == {0: "Man1"}
        sowing = '(move Select (from 0) (then (sow (last To) count:1 "Way" owner:(- (count Moves) 5))))'
        board = '(square 5) {(track "Way" {0 1 2} P1) (track "Way" {0 1 2} P2)}'
        assert after(sowing, ("Man1", [0]), board=board) == {0: "Man1"}


def test_the_next_player_has_to_be_said():
    with pytest.raises(Unsupported, match="without 'who'"):
        made("(move Select (from 0) (then (set NextPlayer)))")


def test_values_of_puzzles_fit_a_word():
    text = (
        '(game "Many" (players 1) (equipment {(board (square 2) (values Cell (range 1 MOST)))})'
        " (rules (play (satisfy (all Different (sites Board)))) (end (if (is Solved) (result P1 Win)))))"
    )
    assert len(from_text(text.replace("MOST", "63")).initial().legal(0)) == 2 * 4 * 63
    with pytest.raises(RulesError, match="values go from 1 to 64"):
        from_text(text.replace("MOST", "64"))


@pytest.mark.parametrize(
    ("piece", "found"),
    [
        ('"Rook1"', ["b2"]),
        ('"Rook") Mover', ["b2"]),
        ('"Nobody") Mover', []),
        ('"Rook") All', []),
        ('"Wall") Neutral', ["b2"]),
        ('"Rook") Enemy', []),
        ("(from)", []),
        ("0", []),
    ],
)
def test_a_piece_becomes_only_what_there_is(piece, found):
    piece = piece if ")" in piece and piece[-1] != ")" else f"{piece})"
    with using("python"):
        game = made(f"(move Promote 6 (piece {piece})", ("Man1", [6]))
        state = game.initial()
        moves = [game.text(move).split()[1] for move in state.legal(0) if "promote" in game.text(move)]
        assert moves == found
        state.after(state.legal(0)[0])


def test_nobody_swaps_with_who_does_not_play():
    with pytest.raises(RulesError, match="does not play cannot swap"):
        made("(move Swap Players P1 P3)")
    for role in ("(+ 7 (count Moves))", "(from)", "Mover"):
        game = made(f"(or (move Swap Players 1 {role}) (move Select (from 0)))")
        assert [game.text(move) for move in game.initial().legal(0)] == ["swap #2"] * (role == "Mover") + ["select a1"]


def test_no_die_shows_anything_where_there_are_none():
    assert not holds("(is AnyDie 0)")


def test_a_loop_without_end_is_told_with_its_place():
    game = made('(move Add (to 3) (then (while (is Occupied 3) (set Var "X" 1))))')
    state = game.initial()
    with pytest.raises(GameError, match=r"<text>:5:\d+.*has no end"):
        state.after(state.legal(0)[0])


def test_each_piece_may_move_all_pieces():
    game = made("(forEach Piece (move Slide (from (sites Board)) (to if:True)))", ("Man1", range(25)))
    assert len(game.initial().legal(0)) == 4 * 3 + 12 * 5 + 9 * 8


def test_teams_only_win_and_several_players_are_nobody():
    for ends in ("(result Team1 Loss)", "(result Team2 Draw)", "(result NonMover Loss)", "(result Enemy Win)"):
        game = made("(move Add (to (sites Empty)))", ends=f"(if (> (count Moves) 0) {ends}) (if True (result P2 Win))")
        state = game.initial()
        assert state.after(state.legal(0)[0]).utilities() == (0.0, 1.0)
