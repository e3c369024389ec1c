"""The real player, spoken to over real sockets; clocks are long, and agents that need no time answer before they run out."""

from concurrent.futures import ThreadPoolExecutor
from time import monotonic

import pytest

from ludarium import catalog
from ludarium.core import UnknownName
from ludarium.gdl.text.writer import prefix
from ludarium.server.ggp import messages, session, wire
from ludarium.server.ggp.player import GgpPlayer
from tests.server.ggp.fuzzing import RULES, ask, fuzz_player, player

LONG = 120


@pytest.fixture(scope="module")
def place():
    with player("random") as where:
        yield where


def start(place, name, role="x", rules=RULES, start_clock=LONG, play_clock=LONG):
    return ask(place, messages.start(name, role, rules, start_clock, play_clock), LONG)


def rules_of(name):
    return " ".join(prefix(catalog.game(name).clauses).split())


def test_a_match_from_beginning_to_end(place):
    assert ask(place, "( INFO )") == "( ( name ludarium ) ( status available ) ( species program ) )"
    assert start(place, "m1") == "ready"
    assert ask(place, "( INFO )") == "( ( name ludarium ) ( status busy ) ( species program ) )"
    assert ask(place, "( PLAY m1 NIL )").startswith("(mark ")
    assert ask(place, "( PLAY m1 ((mark 2 2) noop) )") == "noop"
    assert ask(place, "( PLAY m1 (noop (mark 1 1)) )") not in ("(mark 2 2)", "(mark 1 1)", "noop")
    assert ask(place, "( STOP m1 ((mark 3 3) noop) )") == "done"
    assert "available" in ask(place, "( INFO )")


def test_two_hosts_at_once(place):
    assert start(place, "mine") == "ready"
    for other in ("( PLAY other NIL )", "( STOP other NIL )", "( ABORT other )", f"( PREVIEW ( {RULES} ) 10 )"):
        assert ask(place, other) == "busy"
    assert start(place, "other") == "busy"
    assert ask(place, "( PLAY mine NIL )").startswith("(mark ")
    assert ask(place, "( ABORT mine )") == "aborted"
    assert ask(place, "( PLAY mine NIL )") == "busy"


def test_upper_case_rules_and_moves(place):
    assert start(place, "M2", "X", RULES.upper()) == "ready"
    assert ask(place, "( PLAY M2 NIL )").startswith("(MARK ")
    assert ask(place, "( PLAY M2 ((mark 2 2) NOOP) )") == "NOOP"
    assert ask(place, "( ABORT M2 )") == "aborted"


def test_a_host_that_begins_anew_is_heard(place):
    assert start(place, "m3") == "ready"
    assert ask(place, "( PLAY m3 NIL )").startswith("(mark ")
    assert start(place, "m3", "o") == "ready"
    assert ask(place, "( PLAY m3 NIL )") == "noop"
    assert ask(place, "( STOP m3 NIL )") == "done"


def test_hidden_information_in_the_dresden_form(place):
    assert start(place, "m4", "x", rules_of("kriegspiel-tic-tac-toe")) == "ready"
    first = ask(place, "( PLAY m4 0 NIL NIL )")
    assert first.startswith("(mark ")
    game = catalog.game("kriegspiel-tic-tac-toe")
    state = game.initial().after(game.parse(first))
    told = f"( PLAY m4 1 {first} ( {' '.join(state.percepts(0))} ) )"
    assert ask(place, told) in {game.text(move) for move in state.legal(0)}
    assert ask(place, told) in {game.text(move) for move in state.legal(0)}  # told twice, it is still the same turn
    assert ask(place, "( ABORT m4 )") == "aborted"


@pytest.mark.parametrize(
    ("role", "rules", "why"),
    [
        ("x", "(role x)", "there is no 'legal'"),
        ("z", RULES, "there is no role 'z' in these rules; roles are x, o"),
        ("x", "(role x) (<= (legal x ?m) (not (true ?m))) (goal x 0) (<= terminal (true a))", "unsafe rule"),
    ],
)
def test_rules_that_nobody_can_play_by_are_refused_with_the_reason(place, role, rules, why):
    with pytest.raises(wire.NoReply, match=f"(?s)refused with 400: .*{why}"):
        start(place, "bad", role, rules)
    assert "available" in ask(place, "( INFO )")


def test_a_preview_gets_rules_compiled(place):
    assert ask(place, f"( PREVIEW ( {RULES} ) {LONG} )", LONG) == "ready"
    with pytest.raises(wire.NoReply, match="there is no 'legal'"):
        ask(place, f"( PREVIEW ( (role x) ) {LONG} )", LONG)


def test_moves_that_cannot_be_leave_the_player_without_an_idea_and_alive(place):
    assert start(place, "m5", play_clock=2) == "ready"
    assert ask(place, "( PLAY m5 ((mark 9 9) noop) )") == "nil"
    assert ask(place, "( ABORT m5 )") == "aborted"
    assert start(place, "m6") == "ready"
    assert ask(place, "( STOP m6 NIL )") == "done"


def test_an_abort_is_heard_while_the_player_thinks():
    with player("uct") as place, ThreadPoolExecutor(1) as other:
        begun = monotonic()
        starting = other.submit(start, place, "m7", "x", RULES, 500)
        while "busy" not in ask(place, "( INFO )"):
            pass
        assert ask(place, "( ABORT m7 )") == "aborted"
        assert starting.result() == "ready"
        assert monotonic() - begun < 400
        assert "available" in ask(place, "( INFO )")


def test_a_host_that_vanishes_is_given_up(place, monkeypatch):
    assert start(place, "gone") == "ready"
    assert start(place, "next") == "busy"
    monkeypatch.setattr(session.Session, "patience", 0.0)
    assert start(place, "next") == "ready"
    monkeypatch.undo()
    assert ask(place, "( ABORT next )") == "aborted"


def test_a_process_that_ends_is_replaced_and_legal_moves_go_on():
    made = GgpPlayer("random")
    try:
        assert made.answer(messages.start("m8", "x", RULES, LONG, LONG)) == "ready"
        made._session.seat.process.kill()
        made._session.seat.process.wait()
        with made._session.seat.change:
            made._session.seat.change.wait_for(lambda: made._session.seat.gone, 60)
        move = made.answer("( PLAY m8 ((mark 2 2) noop) )")
        assert move == "noop"
    finally:
        made.close()


def test_rules_that_take_long_to_compile_do_not_make_it_late(monkeypatch):
    """While a large game is compiled, the interpreter knows a move; here nothing is compiled at all."""
    made = GgpPlayer("uct")
    try:
        monkeypatch.setattr(
            session.Session, "start", lambda self: self.seat.say(self._told | {"until": 0, "slow": True})
        )
        assert made.answer(messages.start("m9", "red", rules_of("tron"), LONG, 8)) == "ready"
        assert made.answer("( PLAY m9 NIL )") in ("up", "down", "left", "right")
    finally:
        made.close()


def test_an_agent_that_is_none_is_refused_before_anybody_plays():
    with pytest.raises(UnknownName, match="unknown agent 'utc'"):
        GgpPlayer("utc")


def test_margins_leave_half_of_the_clock_at_least():
    assert session.margin(1, None) == pytest.approx(0.25)
    assert session.margin(15, None) == pytest.approx(0.95)
    assert session.margin(600, None) == 1.5
    assert session.margin(1, 3.0) == 0.5


def test_three_hundred_spoiled_messages_do_no_harm():
    answers = fuzz_player(300, seed=2)
    assert sum(answers.values()) == 300
    assert answers["refused"] > 100


def test_no_process_is_begun_for_a_match_that_was_ended():
    message = messages.read(messages.start("m", "x", RULES, LONG, LONG))
    match = session.Session(session.Seat(), message, "random", None)
    match.start()
    match.end()
    ended = match.seat
    assert match.play(messages.read("( PLAY m NIL )")) == "nil"
    assert match.seat is ended
    assert ended.process.poll() is not None


def test_rules_are_previewed_one_at_a_time():
    made = GgpPlayer("random")
    preview = messages.read(f"( PREVIEW ( {RULES} ) {LONG} )")
    try:
        with made._previewing:  # somebody else's rules are being compiled
            assert made._preview(preview) == "busy"
        assert made._preview(preview) == "ready"
    finally:
        made.close()
