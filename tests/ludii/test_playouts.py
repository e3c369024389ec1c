"""Random moves that are drawn before they are tested, or without a list: each legal move as likely as the others."""

from collections import Counter

import pytest

from ludarium.core import Rng
from ludarium.kernel import bridge, using
from ludarium.ludii.game import from_text

DRAWS = 4000
ADD = "(move Add (to (sites Empty)))"
STEP = "(forEach Piece)"
NOT_THERE = '(not (is In (last To) (sites {"a2" "c2" "c3"})))'

TAKE = """(custodial (from (site)) (between if:(is Occupied (between)) (apply (allCombinations (add (piece (mover)) (to (site))) (remove (between)))))
    (to if:(not (is Friend (who at:(to))))))"""


def game_of(play, meta=""):
    """A game on nine sites where stones step and are added."""
    return from_text(f"""
(game "Nine"
    (players {{(player N) (player S)}})
    (equipment {{
        (board (square 3))
        (piece "Stone" Each (move Step (directions {{FR Forward FL}}) (to if:(not (is Friend (who at:(to)))))))
    }})
    (rules {meta}
        (start {{ (place "Stone1" (sites Bottom)) (place "Stone2" (sites Top)) }})
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


def after(state):
    """The states after each legal move, as often as rules make it."""
    return Counter(bytes(state.after(move).block) for move in state.legal(0))


@pytest.mark.parametrize("play", PLAYS.values(), ids=PLAYS.keys())
def test_each_legal_move_is_as_likely_as_the_others(play):
    game, rng = game_of(play), Rng(7)
    state, reached = game.initial(), bridge(game)
    seen = Counter()
    for _ in range(DRAWS):
        block = bytearray(state.block)
        assert reached.call("playout", block, rng, 1) == 1
        seen[bytes(block)] += 1
    wanted = after(state)
    assert seen.keys() == wanted.keys()
    chance = 1 / sum(wanted.values())
    spread = (DRAWS * chance * (1 - chance)) ** 0.5
    if play != PLAYS["the same moves twice"]:  # which Ludii draws twice as often
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
        ("(forEach Piece (move Hop (between if:(is Enemy (who at:(between)))) (to if:(is Empty (to)))))", False),
        ("(forEach Piece (move Step (from (sites Occupied by:Mover)) (to if:(is Empty (to)))))", False),
        ('(forEach Piece "Stone" container:0 (move Step (to if:(is Empty (to)))))', False),
    ],
)
def test_what_is_drawn_without_a_list(play, drawn):
    assert ("draw_move" in game_of(play).compiled.text) is drawn


def test_filters_wait():
    assert "holds(" in game_of(PLAYS["filter"]).compiled.text
    assert "holds(" not in game_of(PLAYS["a filter about the move"]).compiled.text
