"""Spoiled messages for a real player and spoiled answers for a real host, over real sockets; afterwards both must do right.

`python benchmarks/ggp.py` does this ten thousand times.
"""

from collections import Counter
from contextlib import contextmanager
from threading import Thread

from ludarium import catalog
from ludarium.arena.play import contest
from ludarium.core import Limit
from ludarium.core.match import Terms
from ludarium.gdl.text.writer import prefix
from ludarium.server.ggp import messages, wire
from ludarium.server.ggp.player import GgpPlayer
from tests.fuzz.spoil import spoiled

RULES = " ".join(prefix(catalog.game("gdl:tic-tac-toe").clauses).split())
TERMS = Terms(limit=Limit(seconds=10), start_seconds=60, tolerance_seconds=60.0)


@contextmanager
def listening(answer):
    """Have messages to a free port answered by a function; gives the port's address."""
    with wire.Server("127.0.0.1", 0, answer) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"127.0.0.1:{server.port}"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def player(agent="uct", **options):
    """A real player on a free port."""
    made = GgpPlayer(agent, **options)
    try:
        with listening(made.answer) as place:
            yield place
    finally:
        made.close()


def ask(place, text, seconds=60.0):
    return wire.send(wire.address(place), text, seconds)


def fuzz_player(count, seed=1):
    """Send spoiled messages, in and out of a match, and play one in between and afterwards; count the kinds of answers."""
    answers = Counter()
    steps = ["(PLAY m1 NIL)", "(PLAY m1 ((mark 2 2) noop))", "(PLAY m1 0 NIL NIL)", "(PLAY m1 1 noop ((seen 1)))"]
    others = [
        "( INFO )",
        "(STOP m1 (noop noop))",
        "(ABORT m1)",
        "(PREVIEW ((role x)) 1)",
        "(START m9 x ((role x) (init (a))) 1 1)",
    ]
    with player("random") as place:
        for number in range(count):
            text = spoiled((steps + others)[number % (len(steps) + len(others))], (seed, number))
            try:
                answer = ask(place, text)
                answers["status" if answer.startswith("( ( name") else answer if answer in KNOWN else "moves"] += 1
            except wire.NoReply as refusal:
                assert not isinstance(refusal, wire.Late), text
                assert "refused with 400" in str(refusal), (text, str(refusal))
                answers["refused"] += 1
            if number % max(1, count // 3) == 0:
                right_match(place, f"right{number}")
        right_match(place, "last")
    return answers


KNOWN = ("busy", "ready", "done", "aborted", "nil")


def right_match(place, name):
    """Play the first steps of a match, and ask the right things."""
    for match in ("m1", "m9"):
        ask(place, f"(ABORT {match})")
    assert "available" in ask(place, "( INFO )")
    assert ask(place, messages.start(name, "x", RULES, 5, 10)) == "ready"
    move = ask(place, f"( PLAY {name} NIL )")
    assert move.startswith("(mark"), move
    assert ask(place, f"( PLAY {name} ( {move} noop ) )") == "noop"
    assert ask(place, f"( STOP {name} NIL )") == "done"
    assert "available" in ask(place, "( INFO )")


def fuzz_host(count, seed=1):
    """Have a player give spoiled answers until there were enough, and then right ones; count what the host made of them."""
    faults, given = Counter(), 0
    game = catalog.game("gdl:tic-tac-toe")

    def answer(text):
        nonlocal given
        asked = messages.read(text)
        if asked.kind != messages.PLAY:
            return "ready"
        given += 1
        return spoiled("(mark 1 1)" if given % 2 else "( mark 3 2 )", (seed, given)).replace("\n", " ")

    with listening(answer) as place:
        number = 0
        while given < count:
            match = contest(game, [catalog.agent(f"ggp:{place}"), catalog.agent("random")], TERMS, number)
            assert match.plies >= 5
            assert len(match.faults) == sum(bool(turn.fault) for turn in match.turns)
            faults.update(turn.fault or "right" for turn in match.turns if turn.role == 0)
            number += 1
    with player("random") as place:
        match = contest(game, [catalog.agent(f"ggp:{place}"), catalog.agent("random")], TERMS, 1)
        assert match.faults == ()
    return faults
