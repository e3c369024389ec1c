"""The host's side: what players are sent, and what becomes of what they answer."""

import re
import sys
from threading import Event

import pytest

from ludarium import catalog, play
from ludarium.arena.play import contest
from ludarium.core import BadParameter, Limit, LudariumError, UnsupportedGame
from ludarium.core.match import Terms
from ludarium.gdl.game import load
from ludarium.server.ggp import messages
from tests.server.ggp.fuzzing import TERMS, fuzz_host, listening, player
from tests.server.ggp.test_following import DICE


class Stub:
    """A player that says what it is told to, and writes down what it hears."""

    def __init__(self, *moves, otherwise=None):
        self.moves, self.otherwise = list(moves), otherwise
        self.heard = []

    def __call__(self, text):
        message = messages.read(text)
        self.heard.append(message)
        if message.kind != messages.PLAY:
            return "ready"
        return self.moves.pop(0) if self.moves else self.otherwise(message)


def remote(place, **options):
    brackets = ", ".join(f"{key}={value}" for key, value in options.items())
    return catalog.agent(f"ggp:{place}({brackets})" if brackets else f"ggp:{place}")


def named(game):
    return catalog.game(game)


def test_a_player_is_sent_what_the_protocol_sends_and_nothing_else():
    first, second = (
        Stub("(mark 1 1)", "noop", "(mark 2 1)", "noop", "( MARK 3 1 )"),
        Stub("noop", "(mark 1 2)", "noop", "(mark 1 3)", "noop"),
    )
    with listening(first) as one, listening(second) as other:
        match = contest(named("gdl:tic-tac-toe"), [remote(one), remote(other)], TERMS, 1, name="m1")
    assert (match.utilities, match.faults, match.plies) == ((1.0, 0.0), (), 5)
    joint = [
        ("(mark 1 1)", "noop"),
        ("noop", "(mark 1 2)"),
        ("(mark 2 1)", "noop"),
        ("noop", "(mark 1 3)"),
        ("(mark 3 1)", "noop"),
    ]
    for stub, role in ((first, "x"), (second, "o")):
        start, *plays, stop = stub.heard
        assert (start.kind, start.match, start.role, start.start_clock, start.play_clock) == (
            "start",
            "m1",
            role,
            60,
            10,
        )
        assert "(<= terminal" in start.rules
        assert [each.kind for each in plays] == ["play"] * 5
        assert [each.moves for each in plays] == [None, *joint[:4]]
        assert (stop.kind, stop.moves) == ("stop", joint[4])


def test_where_something_is_hidden_a_player_is_told_its_own_move_and_what_it_sees():
    stub = Stub(otherwise=lambda message: "(mark 1 1)" if message.turn == 0 else "nonsense")
    game = named("kriegspiel-tic-tac-toe")
    with listening(stub) as place:
        match = contest(game, [remote(place), catalog.agent("random")], TERMS, 3)
    plays = [each for each in stub.heard if each.kind == "play"]
    assert [each.turn for each in plays] == list(range(match.plies))
    assert (plays[0].last, plays[0].percepts, plays[1].last) == ("", (), "(mark 1 1)")
    assert all(each.moves is None for each in stub.heard)
    state = game.initial()
    for played, told in zip(match.moves, [*plays[1:], stub.heard[-1]], strict=True):
        state = state.after(game.parse(played))
        assert set(told.percepts) == set(state.percepts(0))
    assert all("nonsense" in fault for fault in match.faults)
    assert len(match.faults) == match.plies - 1


def test_a_late_answer_is_a_timeout_and_a_random_move_is_made():
    done = Event()
    stub = Stub("(mark 2 2)", otherwise=lambda _: str(done.wait(60)))
    terms = Terms(limit=Limit(seconds=1), start_seconds=60, tolerance_seconds=0.0, move_limit=3)
    with listening(stub) as place:
        match = contest(named("gdl:tic-tac-toe"), [remote(place), catalog.agent("random")], terms, 3)
        done.set()
    assert match.plies == 3
    assert match.cut
    turns = [(turn.ply, turn.role, turn.fault) for turn in match.turns if turn.fault]
    assert turns == [(1, 0, "timeout"), (2, 0, "timeout")]
    assert match.moves[0] == "(mark 2 2)"
    assert "no answer after 1 s and 0 s more" in match.faults[0]
    assert stub.heard[-1].kind == "abort"  # which the limit of moves is to the player


@pytest.mark.parametrize(
    ("answer", "why"),
    [("(mark 9 9)", "'\\(mark 9 9\\)' is not a legal move"), ("nil", "'nil' is not a legal move"), ("", "the message is empty"),
     ("(mark 1", "parentheses are not closed"), ("noop noop", "expected one list"), ("(" * 5000, "parentheses are open")],
)  # fmt: skip
def test_a_malformed_answer_is_illegal(answer, why):
    terms = Terms(limit=Limit(seconds=60), start_seconds=60, move_limit=1)
    with listening(Stub(otherwise=lambda _: answer)) as place:
        match = contest(named("gdl:tic-tac-toe"), [remote(place), catalog.agent("random")], terms, 3)
    assert [turn.fault for turn in match.turns] == ["illegal"]
    (fault,) = match.faults
    assert re.search(why, fault)


def test_who_has_no_choice_is_asked_all_the_same():
    with listening(Stub(otherwise=lambda _: "(mark 1 1)")) as place:
        terms = Terms(limit=Limit(seconds=60), start_seconds=60, move_limit=1)
        match = contest(named("gdl:tic-tac-toe"), [catalog.agent("random"), remote(place)], terms, 3)
    assert [(turn.role, turn.move, turn.fault) for turn in match.turns if turn.fault] == [(1, "noop", "illegal")]


def test_a_player_that_is_gone_costs_its_moves_and_nobody_else_anything():
    with listening(Stub()) as place:
        pass  # and nobody listens there any more
    match = contest(named("gdl:tic-tac-toe"), [remote(place), catalog.agent("random")], TERMS, 3)
    assert match.plies >= 5
    assert match.turns[0].ply == -1
    assert {turn.fault for turn in match.turns if turn.role == 0} == {"crash"}
    assert "before the first move: crash: no connection: Connection refused" in match.faults[0]
    with pytest.raises(LudariumError, match=f"ggp:{place} does not begin: no connection: Connection refused"):
        play(named("gdl:tic-tac-toe"), [remote(place), "random"], seconds=10)


def test_what_chance_did_is_told_as_other_hosts_tell_it(tmp_path):
    file = tmp_path / "dice.kif"
    file.write_text(DICE, encoding="utf-8")
    game, stub = load(file), Stub(otherwise=lambda _: "(bet 1)")
    with listening(stub) as place:
        match = contest(game, [remote(place)], TERMS, 5)
    assert match.faults == ()
    told = [each.moves for each in stub.heard if each.moves]
    assert len(told) == 3
    place = sum(int(moves[1][-2]) for moves in told)
    assert {moves[0] for moves in told} == {"(bet 1)"}
    assert match.utilities == ((1.0,) if place == 2 else (0.0,))


def test_scrambled_the_names_of_the_rules_are_not_sent():
    stub = Stub()

    def answer(text):
        stub.heard.append(message := messages.read(text))
        return "ready" if message.kind != "play" else "what"

    with listening(answer) as place:
        match = contest(named("gdl:tic-tac-toe"), [remote(place, scramble=True), catalog.agent("random")], TERMS, 3)
    heard = " ".join(f"{each.role} {each.rules} {each.moves}" for each in stub.heard)
    assert not {"mark", "control", "noop", "x", "o"} & set(
        heard.replace("(", " ").replace(")", " ").replace("'", " ").split()
    )
    assert match.agents[0].endswith("(scramble=True)")


@pytest.mark.parametrize("game", ["gdl:tic-tac-toe", "meier", "rock-paper-scissors"])
def test_our_players_and_our_host_understand_each_other(game):
    with player("random") as one, player("random") as other:
        match = contest(named(game), [remote(one), remote(other, scramble=True)], TERMS, 7)
    assert match.faults == ()
    assert match.plies > 0


def test_what_cannot_be_played_is_told():
    with pytest.raises(UnsupportedGame, match="plays games described in GDL only, and connect-four is none"):
        play("connect-four", ["ggp:localhost:1", "random"], seconds=1)
    with pytest.raises(BadParameter, match="plays one role at a time"):
        play("gdl:tic-tac-toe", ["ggp:localhost:1", "ggp:localhost:1"], seconds=1)
    with pytest.raises(
        BadParameter, match="the play clock of localhost:1 is a whole number of seconds from 1 up, there is none"
    ):
        play("gdl:tic-tac-toe", ["ggp:localhost:1", "random"])
    with pytest.raises(BadParameter, match=r"not 0\.5"):
        play("gdl:tic-tac-toe", ["ggp:localhost:1", "random"], seconds=0.5)
    with pytest.raises(BadParameter, match="has to be there from the first"):
        play("gdl:tic-tac-toe", ["ggp:localhost:1", "random"], seconds=1, moves="(mark 1 1)")
    with pytest.raises(BadParameter, match="expected host:port"):
        catalog.agent("ggp:localhost")


@pytest.mark.skipif(sys.platform != "linux", reason="players are kept for a match on Linux only")
def test_a_player_is_kept_for_one_match_at_a_time():
    game = named("gdl:tic-tac-toe")
    seats = [remote("localhost:1").seat(game, role, None) for role in range(2)]
    assert seats[0].reserve()
    assert not seats[1].reserve()
    seats[0].end(None)
    assert seats[1].reserve()
    seats[1].end(None)


def test_three_hundred_spoiled_answers_do_no_harm():
    faults = fuzz_host(300, seed=2)
    assert set(faults) <= {"illegal", "right"}
    assert faults["illegal"] > 200
