"""Random moves that are drawn before they are tested, or without a list: each legal move as likely as the others."""

from collections import Counter

import pytest

from ludarium.core import Rng
from ludarium.kernel import bridge, using
from ludarium.ludii.game import from_text

DRAWS = 4000
ADD = "(move Add (to (sites Empty)))"
STEP = "(forEach Piece)"
NOT_THERE = "(not (is In (last To) (sites {3 5 8})))"

TAKE = """(custodial (from (site)) (between if:(is Occupied (between)) (apply (allCombinations (add (piece (mover)) (to (site))) (remove (between)))))
    (to if:(not (is Friend (who at:(to))))))"""

ENCLOSE = """(custodial (from (site)) (between if:(is Enemy (who at:(between))) (apply (allCombinations (add (piece (mover)) (to (site))) (remove (between)))))
    (to if:(is Friend (who at:(to)))))"""


def game_of(play, meta="", size=3, more="", start=""):
    """A game on nine sites, or on more, where stones step and are added."""
    return from_text(f"""
(game "Nine"
    (players {{(player N) (player S)}})
    (equipment {{
        (board (square {size}))
        (piece "Stone" Each (move Step (directions {{FR Forward FL}}) (to if:(not (is Friend (who at:(to)))))))
        {more}
    }})
    (rules {meta}
        (start {{ (place "Stone1" (sites Bottom)) (place "Stone2" (sites Top)) {start} }})
        (play {play})
        (end (if (no Pieces Next) (result Mover Win)))
    )
)""")


PLAYS = {
    "filter": f"(do {STEP} ifAfterwards:{NOT_THERE})",
    "nothing passes": f"(do {STEP} ifAfterwards:(= 0 1))",
    "one of two is filtered": f"(or (do {STEP} ifAfterwards:{NOT_THERE}) {ADD})",
    "two filters": f"(or (do {STEP} ifAfterwards:{NOT_THERE}) (do {ADD} ifAfterwards:(is In (last To) (sites {{4 5}}))))",
    "the same moves twice": f"(or (do {STEP} ifAfterwards:{NOT_THERE}) (do {STEP} ifAfterwards:(is In (last To) (sites Row 1))))",
    "a filter that decides": f"(priority (do {STEP} ifAfterwards:(= 0 1)) (do {ADD} ifAfterwards:{NOT_THERE}))",
    "a filter on what comes last": f"(priority (do {STEP} ifAfterwards:{NOT_THERE}) {ADD})",
    "a filter in a filter": f"(do (do {STEP} ifAfterwards:{NOT_THERE}) ifAfterwards:(!= (last To) 4))",
    "a filter about the move": f"(do {STEP} ifAfterwards:(!= (from) 1))",
    "step": STEP,
    "step or slide": "(forEach Piece (or (move Step Diagonal (to if:(is Empty (to)))) (move Slide Orthogonal (to if:(is Enemy (who at:(to)))))))",
    "step if": "(forEach Piece (if (!= (from) 1) (move Step (to if:(is Empty (to))))))",
    "step and something happens": "(forEach Piece (move Step (to if:(is Empty (to)))) (then (if (= 4 (last To)) (remove 8))))",
    "step nowhere": "(forEach Piece (move Step (to if:(= 0 1))))",
    "add": ADD,
    "add where allowed": "(move Add (to (sites Empty) if:(!= (to) 4)))",
    "add and filter": f"(do {ADD} ifAfterwards:{NOT_THERE})",
    "at each site one move of all": f"(forEach Site (sites Empty) (append {TAKE}))",
    "at each site one move of all, and a filter": f"(do (forEach Site (sites Empty) (append {TAKE})) ifAfterwards:{NOT_THERE})",
    "at each site one of two": f"(forEach Site (sites Board) (if (is Empty (site)) (move Add (to (site)) (then (remove 0))) (if (!= 1 (site)) (append {TAKE}))))",
    "add nowhere": "(move Add (to (sites Empty) if:(= 0 1)))",
}


HOP = "(between if:(is Enemy (who at:(between))) (apply (remove (between)))) (to if:(is Empty (to)))"
KING = '(piece "King" Each)'
KINGS = '(place "King1" (sites {6 18})) (place "King2" (sites {12 13 16}))'
WAYS = {
    "all leap": "(forEach Piece (move Leap { { F F R F } { F F L F } } (to if:(not (is Friend (who at:(to)))) (apply (remove (to))))))",
    "all leap ahead": "(forEach Piece (move Leap { { F F R F } { F F L F } } forward:True (to if:(is Empty (to)))))",
    "all hop": f"(forEach Piece (move Hop {HOP}))",
    "kinds step": '(or (forEach Piece "Stone" (move Step Forward (to if:(is Empty (to))))) (forEach Piece "King" (move Step (to if:(or (is Empty (to)) (is Enemy (who at:(to))))))))',
    "one kind steps": '(forEach Piece "King" (move Step Diagonal (to if:(is In (to) (sites Row 2)))))',
    "one kind hops before the other": f'(priority (forEach Piece "King" (move Hop Orthogonal {HOP})) (forEach Piece "Stone" (move Step (to if:(is Empty (to))))))',
    "nothing comes first": f'(priority (forEach Piece "Stone" (move Hop (directions {{ BL BR }}) {HOP})) (forEach Piece (move Step (to if:(is Empty (to))))))',
    "from some sites": "(forEach Piece (move Step (from if:(or (= (from) 6) (is In (from) (sites Bottom)))) (to if:(is Empty (to)))))",
    "one of two rules": f'(if (is Prev Mover) (forEach Piece (move Step (to if:(is Empty (to))))) (forEach Piece "King" (move Hop {HOP} (then (moveAgain)))))',
    "and something happens": '(or (forEach Piece "Stone" (move Step (to if:(is Empty (to))) (then (remove 8)))) (forEach Piece "King" (move Step (to if:(is Empty (to)))) (then (remove 9))))',
}


def after(state):
    """The states after each legal move, as often as rules make it."""
    return Counter(bytes(state.after(move).block) for move in state.legal(state.movers[0]))


@pytest.mark.parametrize("play", PLAYS.values(), ids=PLAYS.keys())
def test_each_legal_move_is_as_likely_as_the_others(play):
    check_draws(game_of(play), twice=play == PLAYS["the same moves twice"])  # which Ludii draws twice as often


@pytest.mark.parametrize("play", WAYS.values(), ids=WAYS.keys())
def test_each_move_that_is_drawn_by_its_number_is_as_likely_as_the_others(play):
    game = game_of(play, size=5, more=KING, start=KINGS)
    assert "pick_bit(" in game.compiled.text
    check_draws(game)


def test_each_move_that_encloses_something_is_as_likely_as_the_others():
    """Sites where nothing is enclosed are drawn in vain, without being asked."""
    game = game_of(f"(forEach Site (sites Empty) (append {ENCLOSE}))", size=5, start='(place "Stone2" {6 8 12})')
    assert "enclosing(v, c)" in game.compiled.text.partition("def draw_move")[2].partition("@kernel")[0]
    assert len(game.initial().legal(0)) > 3
    check_draws(game)


def check_draws(game, *, twice=False):
    """Draw moves in the first state, and in one after four moves."""
    state, rng = game.initial(), Rng(7)
    check_draws_in(game, state, rng, twice=twice)
    for _ in range(4):
        moves = state.legal(state.movers[0]) if state.movers else ()
        state = state.after(moves[len(moves) // 2]) if moves else state
    if state.movers:
        check_draws_in(game, state, rng, twice=twice)


def check_draws_in(game, state, rng, *, twice):
    reached = bridge(game)
    seen = Counter()
    for _ in range(DRAWS):
        block = bytearray(state.block)
        assert reached.call("playout", block, rng, 1) == 1
        seen[bytes(block)] += 1
    wanted = after(state)
    assert seen.keys() == wanted.keys()
    chance = 1 / sum(wanted.values())
    spread = (DRAWS * chance * (1 - chance)) ** 0.5
    if not twice:
        assert all(abs(count - DRAWS * chance) <= 4.5 * spread for count in seen.values())


@pytest.mark.parametrize(
    "play", [PLAYS["filter"], PLAYS["two filters"], PLAYS["add and filter"], PLAYS["at each site one of two"], STEP]
)
def test_machine_code_and_python_draw_alike(play):
    def played():
        game = game_of(play)
        block = bytearray(game.initial().block)
        return bridge(game).call("playout", block, Rng(3), 12), bytes(block)

    native = played()
    with using("python"):
        assert played() == native


def test_the_swap_is_drawn_as_well():
    game, rng = game_of(ADD, "(meta (swap))"), Rng(11)
    state = game.initial()
    state = state.after(state.legal(0)[0])
    seen = set()
    for _ in range(200):
        block = bytearray(state.block)
        bridge(game).call("playout", block, rng, 1)
        seen.add(bytes(block))
    assert len(state.legal(1)) == 3
    assert seen == {bytes(state.after(move).block) for move in state.legal(1)}


@pytest.mark.parametrize(
    ("play", "drawn"),
    [
        (ADD, True),
        (STEP, True),
        (PLAYS["step or slide"], True),
        (PLAYS["at each site one move of all"], True),
        (PLAYS["at each site one of two"], True),
        ("(forEach Site (sites Empty) (move Add (to (sites Around (site)))))", False),
        (PLAYS["filter"], False),
        (f"(or {STEP} {ADD})", False),
        ("(forEach Piece (move Hop (between if:(is Enemy (who at:(between)))) (to if:(is Empty (to)))))", True),
        ("(forEach Piece (move Step (from (sites Occupied by:Mover)) (to if:(is Empty (to)))))", False),
        ('(forEach Piece "Stone" container:0 (move Step (to if:(is Empty (to)))))', False),
        ('(forEach Piece "Wall" (move Step (to if:(is Empty (to)))))', True),
    ],
)
def test_what_is_drawn_without_a_list(play, drawn):
    assert ("draw_move" in game_of(play, more='(piece "Wall" Neutral)').compiled.text) is drawn


@pytest.mark.parametrize("play", WAYS.values(), ids=WAYS.keys())
def test_whether_there_is_a_move_is_told_by_sets_as_by_a_list(play):
    """Walk at random, and ask in each state before the next player is to move."""
    game = game_of(play, size=5, more=KING, start=KINGS)
    asked = from_text(game.source.replace("(no Pieces Next)", "(no Moves Next)"))
    rng, ended = Rng(5), 0
    for _ in range(30):
        state, told = game.initial(), asked.initial()
        for _ in range(60):
            moves = [each for each in state.legal(state.movers[0]) if game.text(each) != "pass"]
            assert (not moves) == (not told.movers)
            if not moves:
                ended += 1
                break
            move = moves[rng.below(len(moves))]
            state, told = state.after(move), told.after(move)
            if not state.movers:
                break
    assert ended or play not in (WAYS["all hop"], WAYS["all leap ahead"], WAYS["one kind steps"])


def test_filters_wait():
    assert "holds(" in game_of(PLAYS["filter"]).compiled.text
    assert "holds(" not in game_of(PLAYS["a filter about the move"]).compiled.text
