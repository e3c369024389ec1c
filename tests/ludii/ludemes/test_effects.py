"""Effects whose arguments are out of the ordinary: who is meant, how many, and what comes of nothing."""

import pytest

from ludarium.ludii.game import from_text
from tests.ludii.ludemes.small import after, made, selected, standing

CONSEQUENCE = '(then (add (piece "Wall0") (to 24)))'
"""What shows whether anything came of an effect."""


def scores(play, *, players=2, equipment=""):
    """The scores of all players after the only move."""
    game = from_text(
        f'(game "Scores" (players {players}) (equipment {{(board (square 3)) (piece "Man" Each) {equipment}}})'
        f" (rules (play (move Pass (then {play}))) (end (if (= (score P1) 99) (result P1 Win)))))"
    )
    state = game.initial()
    state = state.after(state.legal(0)[0])
    record = game.compiled.layout.state(bytearray(state.block))
    return [record.score[player] for player in range(1, players + 1)]


def test_a_piece_is_removed_even_if_none_is_asked_for():
    man = ("Man1", [12])
    assert after("(move Remove 12 count:0)", man) == {}
    assert after("(move Pass (then (remove 12 count:(- 1 2))))", man) == {}


def test_nothing_comes_of_flipping_what_has_no_sides():
    more = '(piece "Coin" Neutral (flips 1 2))'
    flip = f"(move Pass (then (flip 12 {CONSEQUENCE})))"
    assert 24 not in after(flip, ("Man1", [12]), more=more)
    assert 24 in after(flip, start='(place "Coin0" 12 state:1)', more=more)


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("All", [5, 5, 5]),
        ("Enemy", [0, 5, 5]),
        ("NonMover", [0, 5, 5]),
        ("Friend", [5, 0, 0]),
        ("TeamMover", [5, 0, 0]),
        ("Ally", [0, 0, 0]),
        ("Each", [0, 0, 0]),
        ("Next", [0, 5, 0]),
        ("P3", [0, 0, 5]),
    ],
)
def test_scores_go_to_all_whom_a_role_means(role, expected):
    assert scores(f"(addScore {role} 5)", players=3) == expected
    assert scores(f"(set Score {role} 5)", players=3) == expected


def test_scores_go_to_all_whom_several_roles_mean():
    assert scores("(addScore {Mover NonMover} {1 2})", players=3) == [1, 2, 2]


def test_only_players_can_be_next():
    play = '(or (move Add (piece "Man1") (to (sites {0})) (then (set NextPlayer {players}))) (move Pass))'

    def next_mover(players):
        game = made(play.replace("{players}", players))
        state = game.initial()
        (add,) = [code for code in state.legal(0) if game.coordinates.leaf(code).kind == "Add"]
        return state.after(add).movers

    assert next_mover("(player 1)") == (0,)
    assert next_mover("(player 0)") == (1,)
    assert next_mover("(player 7)") == (1,)
    assert next_mover("(players NonMover)") == (1,)  # nobody is one of them


def test_only_players_and_nobody_have_a_value():
    play = f"(move Pass (then (set Value (player {{}}) 3 {CONSEQUENCE})))"
    assert 24 in after(play.format(2))
    assert 24 not in after(play.format(3))
    assert 24 not in after(play.format("(- 1 2)"))


@pytest.mark.parametrize("loop", ["forEach Player", "forEach (players All)"])
def test_what_a_loop_over_players_would_lead_to_is_forgotten(loop):
    body = '(if (is Mover (player)) (add (piece "Man1") (to (sites {3}))))'
    assert after(f"(move Pass (then ({loop} {body} {CONSEQUENCE})))") == {3: "Man1"}


def test_minus_one_is_pending_as_one():
    play = "(or (move Pass (then (set Pending (- 1 2)))) (move Select (from (sites Pending))))"
    game = made(play, ("Man1", [0]))
    leaf = game.coordinates.leaf
    state = game.initial()
    state = state.after(state.legal(0)[0])
    chosen = [code for code in state.legal(1) if leaf(code).kind == "Select"]
    assert [leaf(code).read(code, "from") for code in chosen] == [1]


def test_nothing_comes_of_adding_nothing():
    play = f'(move Pass (then (add (piece "Man1") (to 3) count:(- {{}} 1) {CONSEQUENCE})))'
    assert after(play.format(2)) == {3: "Man1", 24: "Wall0"}
    assert after(play.format(1)) == {}


def walls(way, *pieces):
    """The sites on which a wall can be put in a direction from the first site."""
    game = made(f"(forEach Piece (forEach Direction (from 0) E {way}))", ("Man1", [0]), *pieces)
    leaves = [(game.coordinates.leaf(code), code) for code in game.initial().legal(0)]
    return sorted(leaf.read(code, "to") for leaf, code in leaves if leaf is not None)


def test_sites_on_the_way_in_a_direction_have_to_pass_the_condition_of_where_it_leads():
    way = '(between (exact 2)) (to if:(is Empty (to)) (apply (add (piece "Wall0") (to (to)))))'
    assert walls(way) == [2]
    assert walls(way, ("Wall0", [1])) == []


def test_what_is_applied_in_a_direction_has_no_condition():
    assert walls('(to if:True (apply if:False (add (piece "Wall0") (to (to)))))') == [1]


def test_a_group_begins_where_from_is():
    pieces = [("Man1", [2, 3, 20]), ("Rook1", [4])]
    alike = "(forEach Group Orthogonal if:(= (what at:(from)) (what at:(to))) (move Select (from (from))))"
    assert selected(f"(sites From {alike})", *pieces) == [2, 4, 20]
    assert selected("(sites From (forEach Group Orthogonal (move Select (from (from)))))", *pieces) == [2, 20]


@pytest.mark.parametrize(
    ("before", "last"),
    [
        ("(pass)", 12),
        ("(remove 20)", 2),  # the last one takes its place on the list
        ("(fromTo (from 2) (to 0))", 0),
        ("(fromTo (from 20) (to 12))", 12),
        ("(fromTo (from 12) (to 4) copy:True)", 4),
        ('(add (piece "Rook1") (to 10))', 10),
        ("(swap Pieces 2 9)", 9),
    ],
)
def test_groups_come_in_the_order_of_lists_of_pieces(before, last):
    play = f"""
        (if (is Even (count Moves)) (move Pass (then {before}))
            (if (= 1 (count Moves)) (move Pass (then (set Var "Last" -1 (then (forEach Group
                if:(!= 0 (who at:(to))) (set Var "Last" (from)))))))))
        """
    game = made(play, ("Man1", [20, 2, 12]))
    state = game.initial()
    for _ in range(2):
        state = state.after(state.legal(state.movers[0])[0])
    assert game.compiled.layout.state(bytearray(state.block)).var[0] == last


HEAP = '(place "Man1" 0 count:5)'
LATE = "(if (= 999 (count Moves)) (result P2 Win))"
NOTE = '(set Var "Last" -1 (then (forEach Group if:(!= 0 (who at:(to))) (set Var "Last" (from)))))'


def ranked(game, state):
    """What the lists of pieces say, once each piece is known to be on the list of its kind, and on it once."""
    record = game.compiled.layout.state(bytearray(state.block))
    for kind in range(1, len(game.model.components) + 1):
        ranks = sorted(record.rank[site] for site in range(25) if record.what[site] == kind)
        assert ranks == list(range(record.ranked[kind]))
    return record


def test_heaps_that_come_and_go_have_one_rank_each():
    there, back = (f"(move (from {a}) (to (sites {{{b}}})) count:1 (then {NOTE}))" for a, b in ((0, 1), (1, 0)))
    play = f"(if (< (% (count Moves) 6) 3) {there} {back})"
    game = made(play, ("Man1", [20, 24]), ("Rook1", [12]), ("Man2", [4]), start=HEAP, ends=LATE)
    state = game.initial()
    for _ in range(120):
        state = state.after(state.legal(state.movers[0])[0])
        assert ranked(game, state).var[0] == 4  # the pieces of the second player come last


@pytest.mark.parametrize(
    ("before", "seeds"),
    [
        ("(fromTo (from 0) (to 20) count:5)", ""),
        ("(fromTo (from 0) (to 20) count:2)", ""),
        ("(fromTo (from 0) (to 20))", ""),
        ("(and (fromTo (from 0) (to 20) count:5) (set Count at:20 2))", ""),
        ("(pass)", "(set Count 2 at:20)"),
    ],
)
def test_heaps_that_become_another_kind_are_ranked_anew(before, seeds):
    play = f"(if (= 0 (count Moves)) (move Pass (then {before})) (move Pass (then {NOTE})))"
    more, start = '(piece "Seed" P2)', f"{HEAP} {seeds}"
    game = made(play, ("Man1", [24]), ("Rook1", [20]), more=more, start=start, ends=LATE)
    state = game.initial()
    for _ in range(2):
        state = state.after(state.legal(state.movers[0])[0])
    assert ranked(game, state).var[0] == 20


def test_stacks_are_placed_piece_by_piece():
    count = selected("(sites {0})", start='(place Stack items:{"Man1" "Rook1"} 6 count:2)')
    assert count == [0]

    def at(level):
        play = f'(or (move Pass) (if (= (id "Rook1") (what at:6 level:{level})) (move Select (from 0))))'
        game = made(play, start='(place Stack items:{"Man1" "Rook1"} 6 count:2)')
        return len(game.initial().legal(0)) == 2

    assert [at(level) for level in range(5)] == [False, False, True, True, False]


def test_stacks_are_placed_on_all_sites_of_a_container():
    game = made(
        "(move Pass)", ("Man1", [0]), more="(hand Each size:2)", start='(place Stack items:{"Rook1" "Man1"} "Hand2")'
    )
    first = game.model.topology.containers[2].first
    record = game.compiled.layout.state(bytearray(game.initial().block))
    height, names = game.compiled.layout.height, ["", *(each.name for each in game.model.components)]
    on = [[names[record.what[site * height + level]] for level in range(2)] for site in (first, first + 1)]
    assert on == [["Rook1", "Man1"]] * 2


def test_pieces_that_look_at_a_corner_leap_forward_by_rows_and_columns():
    text = (
        '(game "Corner" (players {(player NE) (player S)}) (equipment {(board (square 5)) (piece "Man" Each)})'
        ' (rules (start (place "Man1" 12)) (play (move Leap (from 12) {{F F R F} {F F L F}} forward:True (to if:True)))'
        " (end (if (is Full) (result P1 Win)))))"
    )
    game = from_text(text)
    state = game.initial()
    leaf = game.coordinates.leaf
    assert sorted(leaf(code).read(code, "to") for code in state.legal(0)) == [19, 23]
    assert standing(game, state) == {12: "Man1"}


@pytest.mark.parametrize(("move", "state"), [("Step E (to if:True)", 3), ("Slide E (between (exact 1))", 0)])
def test_the_top_of_a_stack_keeps_its_state_in_a_step_only(move, state):
    stack = '(place Stack items:{"Rook1" "Man1"} 6 state:3)'
    play = f"(if (= 0 (count Moves)) (move {move.split()[0]} (from 6) {move.partition(' ')[2]}) (move Pass))"
    game = made(play, ("Man1", [20]), start=stack, ends="(if (= 9 (state at:7)) (result P2 Win))")
    first = game.initial()
    record = game.compiled.layout.state(bytearray(first.after(first.legal(0)[0]).block))
    height = game.compiled.layout.height
    assert (record.state[7 * height], record.state[6 * height]) == (state, 3)


@pytest.mark.parametrize(("stack", "walls"), [("stack:True", 0), ("stack:False", 3)])
def test_whole_stacks_have_an_effect_only_where_a_slide_must_stop(stack, walls):
    effect = '(apply (add (piece "Wall0") (to 0)))'
    play = (
        f"(move Slide (from 10) E (between if:(is Empty (between))) (to if:(is Enemy (who at:(to))) {effect}) {stack})"
    )
    game = made(play, ("Man1", [10]), ("Man2", [14]))
    state = game.initial()
    found = [standing(game, state.after(code)).get(0) for code in state.legal(0)]
    assert found.count("Wall0") == walls + 1


def test_what_is_hopped_over_last_comes_first():
    play = """
        (move Hop (from 10) E (between (range 1 3) if:(is Enemy (who at:(between)))
            (apply (set Var "Last" (between)))) (to if:(is Empty (to))))
        """
    game = made(play, ("Man1", [10]), ("Man2", [11, 12]))
    state = game.initial()
    (far,) = [code for code in state.legal(0) if game.coordinates.leaf(code).read(code, "to") == 13]
    assert game.compiled.layout.state(bytearray(state.after(far).block)).var[0] == 11


def test_without_a_name_the_first_track_is_meant_whoever_owns_it():
    board = '(square 5) {(track "Two" "20,E" P2 directed:True) (track "One" "0,E" P1 directed:True)}'

    def first(track):
        found = f"(firstMoveOnTrack {track} (move Add (to (sites {{(site)}}) if:(is Empty (to)))) {CONSEQUENCE})"
        return after(found, ("Man2", [20]), board=board)

    assert first("P1") == first("") == {20: "Man2", 21: "Man1"}  # and what would follow is forgotten
    assert first('"One" P1') == {0: "Man1", 20: "Man2"}


@pytest.mark.parametrize(
    ("move", "level"),
    [
        ("(move Select (from 6))", 1),
        ("(move Select (from 6 level:0))", 0),
        ("(move Select (from 20) (to 6))", 1),
        ("(move Add (to 6))", 2),
        ("(move (from 20) (to 6))", 0),
    ],
)
def test_the_last_level_is_the_top_of_what_was_selected_or_added(move, level):
    stack = '(place Stack items:{"Rook1" "Man1"} 6)'
    then = '(then (set Var "Level" (last LevelTo)))'
    game = made(f"(or (move Select (from 6) {then}) {move[:-1]} {then}))", ("Man1", [20]), start=stack)
    state = game.initial()
    once = state.after(state.legal(0)[-1])
    assert game.compiled.layout.state(bytearray(once.block)).var[0] == level
    twice = state.after(state.legal(0)[0])
    twice = twice.after(twice.legal(1)[-1])  # what was selected before does not count
    assert game.compiled.layout.state(bytearray(twice.block)).var[0] == level
