"""Moves that are chosen by what they take."""

from tests.ludii.ludemes.small import after, made

HOP = """(forEach Piece (move Hop Orthogonal
    (between if:(is Enemy (who at:(between))) (apply (remove (between) {when})))
    (to if:(is Empty (to))) {then}))"""
AGAIN = (
    "(then (if (can Move (hop (from (last To)) Orthogonal (between if:{test}) (to if:(is Empty (to))))) (moveAgain)))"
)


def texts(game):
    state = game.initial()
    return [game.text(move) for move in state.legal(state.movers[0])]


def test_only_moves_that_take_most():
    """From a1 over b1 one is taken; the move from a5 takes two."""
    play = """(max Captures (or {
        (move (from 0) (to 2) (then (remove 1)))
        (move (from 20) (to 22) (then (and (remove 1) (remove 3))))
        (move (from 20) (to 23) (then (and (remove 3) (remove 1))))
        (move (from 20) (to 24))
    }))"""
    assert texts(made(play, ("Man1", [0, 20]), ("Man2", [1, 3]))) == ["a5-c5 #2", "a5-d5 #3"]


def test_if_nothing_can_be_taken_all_moves_count():
    play = "(max Captures (or (move (from 0) (to 2)) (move (from 0) (to 3))))"
    assert len(texts(made(play, ("Man1", [0])))) == 2


def test_what_is_taken_may_count_by_its_value():
    """One piece of value 5 is more than two of value 1."""
    play = """(max Captures withValue:True (or
        (move (from 0) (to 2) (then (remove 1)))
        (move (from 20) (to 22) (then (and (remove 3) (remove 4))))
    ))"""
    start = '(place "Man2" (sites {1}) value:5) (place "Man2" (sites {3 4}) value:1)'
    assert texts(made(play, ("Man1", [0, 20]), start=start)) == ["a1-c1"]


def test_chains_may_count_by_the_value_of_what_they_take():
    """The man on a1 can take two of value 1, one after the other; that on a5 one of value 9."""
    then = AGAIN.format(test="(is Enemy (who at:(between)))")
    first = HOP.format(when="", then=then)
    more = first.replace("(forEach Piece (move Hop", "(forEach Site (sites { (last To) }) (move Hop (from (site))")
    start = '(place "Man2" (sites {1 3}) value:1) (place "Man2" (sites {21}) value:9)'

    def begun(by):
        play = f"(if (is Prev Mover) (max Moves {by} {more}) (max Moves {by} {first}))"
        return [each.split()[0] for each in texts(made(play, ("Man1", [0, 20]), start=start))]

    assert (begun(""), begun("withValue:True")) == (["a1-c1"], ["a5-c5"])


def test_of_a_stack_several_pieces_may_be_taken_at_the_end_of_the_turn():
    hop = HOP.format(when="at:EndOfTurn count:(size Stack at:(between))", then="")
    places = [("Man1", [0])]
    start = '(place Stack items:{"Man2" "Man2"} 1)'
    assert after(hop, *places, start=start) == {2: "Man1"}
