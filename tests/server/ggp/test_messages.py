import pytest

from ludarium.server.ggp import messages
from ludarium.server.ggp.messages import BadMessage, Message


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("( INFO )", Message("info")),
        ("info", Message("info")),
        ("( PREVIEW ((role x) (role y)) 10 )", Message("preview", rules="(role x)\n(role y)", start_clock=10)),
        (
            "( START m1 x ((role x) (<= p (q ?a))) 30 15)",
            Message("start", "m1", "x", "(role x)\n(<= p (q ?a))", 30, 15),
        ),
        ("(start M1 X ((ROLE X)) 30 15 further arguments)", Message("start", "M1", "X", "(ROLE X)", 30, 15)),
        ("( PLAY m1 NIL )", Message("play", "m1")),
        ("(Play m1 nil)", Message("play", "m1")),
        ("( PLAY m1 (( mark 1 2 ) noop) )", Message("play", "m1", moves=("(mark 1 2)", "noop"))),
        ("(PLAY m1 0 NIL NIL)", Message("play", "m1", turn=0)),
        (
            "(PLAY m1 3 (MARK 1 2) ((AT 1) SEEN))",
            Message("play", "m1", turn=3, last="(MARK 1 2)", percepts=("(AT 1)", "SEEN")),
        ),
        ("(PLAY m1 3 noop ())", Message("play", "m1", turn=3, last="noop")),
        ("(PLAY m1 3 noop NIL)", Message("play", "m1", turn=3, last="noop")),
        ("( STOP m1 (noop (mark 3 3)) )", Message("stop", "m1", moves=("noop", "(mark 3 3)"))),
        ("( ABORT m1 )", Message("abort", "m1")),
        ("; a comment\n(ABORT m1) ; another", Message("abort", "m1")),
    ],
)
def test_every_message_of_the_protocol_is_read(text, meaning):
    assert messages.read(text) == meaning


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the message is empty"),
        ("(PLAY m1", "1 parentheses are not closed"),
        ("PLAY m1)", "the '\\)' at character 8 closes nothing"),
        ("(PLAY m1 NIL) (PLAY m1 NIL)", "expected one list, here are 2"),
        ("(DANCE m1)", "expected one of INFO, PREVIEW, START, PLAY, STOP, ABORT in parentheses, not '\\(DANCE m1\\)'"),
        ("((PLAY) m1 NIL)", "expected one of INFO"),
        ("()", "expected one of INFO"),
        ("(PLAY m1)", "PLAY takes 2 arguments, here are 1"),
        ("(INFO now)", "INFO takes 0 arguments, here are 1"),
        ("(START m1 x ((role x)) 30)", "START takes 5 or more arguments, here are 4"),
        ("(START m1 x rules 30 15)", "the rules are a list, not 'rules'"),
        ("(START m1 x ((role x)) soon 15)", "the start clock in seconds is a whole number up to 1000000, not 'soon'"),
        ("(START m1 x ((role x)) -1 15)", "not '-1'"),
        ("(START m1 x ((role x)) 1 99999999999999999999)", "the play clock in seconds"),
        ("(START (m 1) x ((role x)) 1 1)", "the match is a word, not '\\(m 1\\)'"),
        ("(PLAY m1 soon noop ())", "the turn is a whole number"),
        ("(" * 5000, "more than 100 parentheses are open at character 100"),
    ],
)
def test_what_is_no_message_is_refused_with_the_reason(text, why):
    with pytest.raises(BadMessage, match=why):
        messages.read(text)


def test_what_a_host_writes_is_read_as_it_was_meant():
    start = messages.read(messages.start("m1", "x", "(role x) (init (on))", 30, 15))
    assert start == Message("start", "m1", "x", "(role x)\n(init (on))", 30, 15)
    assert messages.read(messages.joint("play", "m1", [])) == Message("play", "m1")
    assert messages.joint("play", "m1", []) == "( PLAY m1 NIL )"
    assert messages.read(messages.joint("stop", "m1", ["noop", "(a b)"])).moves == ("noop", "(a b)")
    assert messages.dresden("play", "m1", 0, "", []) == "( PLAY m1 0 NIL NIL )"
    told = messages.read(messages.dresden("stop", "m1", 4, "(a b)", ["(c d)"]))
    assert told == Message("stop", "m1", turn=4, last="(a b)", percepts=("(c d)",))
