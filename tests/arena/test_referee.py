import pytest

from ludarium import agent, game, play
from ludarium.arena.play import Absence, contest
from ludarium.arena.replay import replay
from ludarium.core import BudgetExceeded, Decision, GameError, Limit, UnsupportedGame
from ludarium.core.match import SEATING, Terms
from tests.arena import odd_catalog as odd

TERMS = Terms(limit=Limit(iterations=10))


def contested(name, *, terms=TERMS, other="random", seed=5, **options):
    return contest(game("tic-tac-toe"), [odd.agent(name), odd.agent(other)], terms, seed, **options)


@pytest.mark.parametrize(
    ("name", "fault", "said"),
    [
        ("illegal", "illegal", "1000000 is not a legal move"),
        ("nothing", "illegal", "None is no Decision, which choose is to give"),
        ("words", "illegal", "'a1' is not a legal move"),
        ("fail", "crash", "ValueError: I do not want to"),
        ("leave", "crash", "SystemExit: enough"),
    ],
)
def test_a_wrong_answer_is_replaced_and_recorded(name, fault, said):
    match = contested(f"{name}(at=1)")
    faulty = [turn for turn in match.turns if turn.fault]
    assert [(turn.ply, turn.role, turn.fault) for turn in faulty] == [(2, 0, fault)]
    assert match.faults == (f"{name}(at=1) (x) at move 3: {fault}: {said}",)
    assert match.moves[2] == faulty[0].move
    assert replay(match, game("tic-tac-toe")) == match.utilities
    assert match == contested(f"{name}(at=1)")


def test_the_replacement_is_any_legal_move():
    drawn = {contested("illegal", seed=seed).moves[0] for seed in range(60)}
    assert len(drawn) == 9


def test_who_is_told_of_the_replacement():
    """The next move must be legal, so the agent knows what was played for it."""
    match = contested("illegal(at=0)", other="illegal(at=1)")
    assert [turn.fault for turn in match.turns][:4] == ["illegal", "", "", "illegal"]


def test_a_late_answer_is_a_timeout():
    terms = Terms(limit=Limit(seconds=0.1), tolerance_seconds=0.2)
    match = contested("late(at=1)", terms=terms, other="random")
    assert [turn.fault for turn in match.turns].count("timeout") == 1
    assert match.turns[2].fault == "timeout"
    assert match.turns[2].seconds > 0.3
    assert "s of 0.1 s" in match.faults[0]
    tolerant = Terms(limit=Limit(seconds=0.1), tolerance_seconds=5)
    assert not contested("late(at=1)", terms=tolerant).faults


def test_a_clock_that_runs_out_before_the_search_begins_is_a_timeout():
    match = contested("random", terms=Terms(limit=Limit(seconds=1e-9)))
    assert {turn.fault for turn in match.turns} == {"timeout"}
    with pytest.raises(BudgetExceeded):
        play(game("tic-tac-toe"), [agent("random")] * 2, seconds=1e-9)


def test_numbers_that_make_no_sense_are_left_out():
    match = contested("rubbish-numbers")
    assert not match.faults
    assert (match.turns[0].value, match.turns[0].alternatives, match.turns[0].iterations) == (None, (), 0)


def test_who_cannot_sit_down_is_absent():
    match = contested("seat-fail")
    assert match.turns[0].ply == SEATING
    assert all(turn.fault == "crash" for turn in match.turns if turn.role == 0)
    assert match.faults == ("seat-fail (x) before the first move: crash: ValueError: I do not want to",)


def test_an_absent_role_is_asked_up_to_its_end():
    whole = contested("illegal(at=7)")
    match = contested("illegal(at=7)", absent={0: Absence(2, "timeout", "it hangs")})
    assert match.moves[:2] == whole.moves[:2]
    assert [turn.fault for turn in match.turns if turn.role == 0][:2] == ["", "timeout"]
    assert match.faults == ("illegal(at=7) (x) at move 3: timeout: it hangs",)


def test_a_broken_game_is_no_fault_of_an_agent():
    with pytest.raises(GameError, match="breaks its promises"):
        contested("broken-game")


def test_an_agent_that_cannot_play_the_game_is_an_error():
    with pytest.raises(UnsupportedGame):
        contest(game("kuhn-poker"), [agent("alphabeta")] * 2, TERMS, 1)


def test_what_an_agent_thought_is_kept():
    match = contest(game("connect-four"), [agent("flat")] * 2, Terms(limit=Limit(iterations=70)), 1)
    first = match.turns[0]
    assert (first.choices, first.iterations, len(first.alternatives)) == (7, 70, 5)
    assert first.forward_calls > 70
    assert first.alternatives[0].visits == 10
    (chosen,) = [each for each in first.alternatives if each.move == first.move]
    assert first.value == chosen.value
    assert sum(match.thinking) == pytest.approx(sum(turn.seconds for turn in match.turns))


def test_a_match_that_does_not_end_is_a_draw():
    match = contest(game("connect-four"), [agent("random")] * 2, Terms(move_limit=4), 1)
    assert (match.plies, match.cut, match.utilities) == (4, True, (0.5, 0.5))
    assert play(game("connect-four"), [agent("random")] * 2, seed=1, move_limit=4).cut
    four = game("four-player-tic-tac-toe")
    assert contest(four, [agent("random")] * 4, Terms(move_limit=1), 1).utilities == (0.25,) * 4
    assert contest(game("eight-puzzle"), [agent("random")], Terms(move_limit=1), 1).utilities == (0.0,)


@pytest.mark.parametrize(
    ("record", "moves", "turns"), [("full", True, True), ("moves", True, False), ("result", False, False)]
)
def test_how_much_is_kept(record, moves, turns):
    match = contested("fail(at=1)", record=record)
    assert bool(match.moves) == moves
    assert (len(match.turns) > 1) == turns
    assert [turn.fault for turn in match.turns if turn.fault] == ["crash"]
    assert match.plies >= 5


def test_sitting_down_has_a_clock():
    class Slow:
        name = "slow"

        def seat(self, game, role, rng):
            import time

            time.sleep(0.2)
            return self

        def choose(self, info, budget):
            return Decision(info.legal[0])

    terms = Terms(limit=Limit(iterations=1), start_seconds=0.05, tolerance_seconds=0.05)
    match = contest(game("tic-tac-toe"), [Slow(), agent("random")], terms, 1)
    assert [(turn.ply, turn.fault) for turn in match.turns if turn.fault] == [(SEATING, "timeout")]


def test_a_search_is_compiled_before_the_clock_runs():
    class Compiles:
        name = "compiles"
        calls: list = []  # noqa: RUF012

        def seat(self, game, role, rng):
            return self

        def choose(self, info, budget):
            self.calls.append(budget.limit)
            return Decision(info.legal[0])

    contest(game("tic-tac-toe"), [Compiles(), agent("random")], Terms(limit=Limit(seconds=1)), 1)
    assert str(Compiles.calls[0]) == "2 iterations"
