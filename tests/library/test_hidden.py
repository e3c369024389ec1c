"""What the players of the GDL-II games are shown, and what chance does."""

from fractions import Fraction

from ludarium.gdl.text.reader import parse_term
from ludarium.gdl.text.syntax import Term
from tests.library.play import State, facts, holds, moves, reference, result, step


def seen(name: str, state: State, role: str, **given: str) -> set[str]:
    game = reference(name)
    joint = {other: next(iter(game.legal(state, other))) for other in game.roles}
    joint |= {other: parse_term(text) for other, text in given.items()}
    return {str(percept) for percept in game.sees(state, joint, role)}


def expected(name: str, state: State, choose) -> Fraction:
    """The expected goal of the first role that is not chance, which plays as `choose` says."""
    game = reference(name)
    player = next(role for role in game.roles if role != "random")
    if game.terminal(state):
        return Fraction(result(game, state)[0])
    chances = game.legal(state, "random")
    move = choose(game.legal(state, player))
    values = [expected(name, game.next(state, {player: move, "random": chance}), choose) for chance in chances]
    return sum(values, Fraction(0)) / len(values)


def test_who_switches_in_monty_hall_wins_two_times_in_three() -> None:
    start = reference("monty-hall").initial()
    for last, value in [("switch", Fraction(200, 3)), ("stay", Fraction(100, 3))]:
        assert (
            expected(
                "monty-hall",
                start,
                lambda legal, last=last: Term(last) if Term(last) in legal else min(legal, key=str),
            )
            == value
        )


def test_the_candidate_sees_the_open_door_and_not_the_car() -> None:
    game = reference("monty-hall")
    assert seen("monty-hall", game.initial(), "candidate", random="(hide 2)", candidate="(choose 1)") == set()
    state = step(game, game.initial(), random="(hide 2)", candidate="(choose 1)")
    assert moves(game, state, "random") == ["(open 3)"]
    assert seen("monty-hall", state, "candidate") == {"(opened 3)"}


def test_blind_tic_tac_toe_tells_only_whether_the_mark_was_made() -> None:
    game = reference("blind-tic-tac-toe")
    both = {"x": "(mark 2 2)", "o": "(mark 2 2)", "random": "(prefer o)"}
    assert seen("blind-tic-tac-toe", game.initial(), "x", **both) == {"no"}
    assert seen("blind-tic-tac-toe", game.initial(), "o", **both) == {"yes"}
    state = step(game, game.initial(), **both)
    assert holds(state, "(cell 2 2 o)")
    assert "(mark 2 2)" not in moves(game, state, "x")
    late = {"x": "(mark 1 1)", "o": "(mark 3 3)", "random": "(prefer x)"}
    assert seen("blind-tic-tac-toe", state, "x", **late) == {"yes"}
    state = step(game, state, **late)
    assert seen("blind-tic-tac-toe", state, "x", x="(mark 3 3)", o="(mark 1 2)") == {"no"}


def test_kriegspiel_tells_both_of_a_try_in_vain_but_only_who_tried_knows_where() -> None:
    game = reference("kriegspiel-tic-tac-toe")
    assert seen("kriegspiel-tic-tac-toe", game.initial(), "o", x="(mark 2 2)") == {"marked"}
    state = step(game, game.initial(), x="(mark 2 2)")
    assert len(moves(game, state, "o")) == 9  # x's mark does not show
    assert seen("kriegspiel-tic-tac-toe", state, "o", o="(mark 2 2)") == {"in-vain"}
    assert seen("kriegspiel-tic-tac-toe", state, "x", o="(mark 2 2)") == {"in-vain"}
    state = step(game, state, o="(mark 2 2)")
    assert holds(state, "(control o)")
    assert len(moves(game, state, "o")) == 8
    state = step(game, state, o="(mark 1 1)")
    assert holds(state, "(control x)")
    assert len(moves(game, state, "x")) == 8


def test_meier_shows_the_dice_to_who_rolls_and_to_both_when_doubted() -> None:
    game = reference("meier")
    assert len(moves(game, game.initial(), "random")) == 36
    assert seen("meier", game.initial(), "left", random="(roll 2 1)") == {"(dice 21)", "rolled"}
    assert seen("meier", game.initial(), "right", random="(roll 2 1)") == {"rolled"}
    state = step(game, game.initial(), random="(roll 4 3)")
    assert seen("meier", state, "right", left="(claim 66)") == {"(claims 66)"}
    state = step(game, state, left="(claim 66)")
    assert moves(game, state, "right") == ["believe", "doubt"]
    assert seen("meier", state, "right", right="doubt") == {"(dice 43)"}
    assert result(game, step(game, state, right="doubt")) == [0, 100]
    state = step(game, step(game, state, right="believe"), random="(roll 1 1)")
    assert moves(game, state, "right") == ["(claim 21)"]  # the only value above 66
    state = step(game, state, right="(claim 21)")
    assert moves(game, state, "left") == ["doubt"]
    assert result(game, step(game, state, left="doubt")) == [100, 0]


def test_meier_does_not_punish_the_truth_or_less_than_it() -> None:
    game = reference("meier")
    for claim in ("(claim 64)", "(claim 43)"):
        state = step(game, game.initial(), random="(roll 6 4)")
        state = step(game, step(game, state, left=claim), right="doubt")
        assert result(game, state) == [100, 0]


def test_battleship_shows_hits_and_misses_and_no_ships() -> None:
    game = reference("battleship")
    three = {"red": "(place three 1 1 across)", "blue": "(place three 5 3 down)"}
    assert seen("battleship", game.initial(), "red", **three) == set()
    state = step(game, game.initial(), **three)
    assert "(place two 1 1 down)" not in moves(game, state, "red")
    state = step(game, state, red="(place two 1 2 across)", blue="(place two 1 1 across)")
    assert len(moves(game, state, "red")) == 25
    assert moves(game, state, "blue") == ["noop"]
    assert seen("battleship", state, "red", red="(shoot 5 4)") == {"(hit 5 4)"}
    assert seen("battleship", state, "blue", red="(shoot 4 4)") == {"(miss 4 4)"}
    state = step(game, state, red="(shoot 5 4)")
    assert holds(state, "(sea blue 5 4 hit)")
    assert len(moves(game, step(game, state, blue="(shoot 3 3)"), "red")) == 24


def test_battleship_is_won_when_all_ships_are_sunk() -> None:
    cells = [f"(sea {owner} {x} {y} b)" for owner in ("red", "blue") for x in range(1, 6) for y in range(1, 6)]
    last = [
        cell.replace(" b)", " ship)") if cell.startswith(("(sea red 1 1 ", "(sea blue 2 2 ")) else cell
        for cell in cells
    ]
    game = reference("battleship")
    state = facts(*last, "(phase battle)", "(control red)")
    assert not game.terminal(state)
    assert result(game, step(game, state, red="(shoot 2 2)")) == [100, 0]
