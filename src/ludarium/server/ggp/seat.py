"""A process that thinks for a GGP player, for one match: it is spoken to, and speaks, in lines of JSON.

It is told the rules first, `{"rules", "role", "agent", "seed", "until"}` (without a role only to preview them), and then
questions, each with all steps so far, `{"ask": 3, "steps", "answered", "until"}`. It says `{"started": true}` when it has got
ready, `{"legal": 3, "move"}` as soon as it knows a move that will do for a question, and `{"move": 3, "text"}` when it has chosen
one; `{"refused": why}` if nobody could play by these rules. While the rules are being compiled, the interpreter finds moves
that will do. It ends when nobody speaks to it any more.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from threading import Condition, Lock, Thread
from typing import Any

from ludarium.core import LudariumError, Rng
from ludarium.core.limits import limits
from ludarium.gdl.game import from_rules
from ludarium.gdl.interpreter import Interpreter
from ludarium.gdl.text.reader import parse
from ludarium.server.ggp.following import Follower, Step
from ludarium.server.ggp.thinking import Thinker

_LOOK_SECONDS = 0.5
_SPARE = 2 << 30  # bytes of address space that a process takes before it loads anything


def main() -> None:
    """Think for one match."""
    voice = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what agents print must not get between the answers
    _limit_memory()
    lock = Lock()

    def say(**what: Any) -> None:
        with lock, suppress(OSError, ValueError):
            voice.write(json.dumps(what) + "\n")
            voice.flush()

    say(here=os.getpid())
    seat: _Seat | None = None
    for line in sys.stdin:
        told = json.loads(line)
        if seat is None:
            seat = _Seat(told, say)
        else:
            seat.ask(told)
    os._exit(0)


class _Seat:
    """Two threads that answer: one that compiles and then thinks, and one that does with the interpreter until then."""

    def __init__(self, told: dict[str, Any], say: Any) -> None:
        self._told, self._say = told, say
        self._asked: dict[str, Any] | None = None
        self._change = Condition()
        self._ready = False
        threads = [] if told.get("slow") else [self._compiled if told["role"] else self._previewed]
        for each in [*threads, self._interpreted] if told["role"] else threads:
            Thread(target=each, daemon=True).start()

    def ask(self, question: dict[str, Any]) -> None:
        """Take a question; it takes the place of an older one."""
        with self._change:
            self._asked = question
            self._change.notify_all()

    def _next(self, last: int) -> dict[str, Any]:
        with self._change:
            self._change.wait_for(lambda: self._asked is not None and self._asked["ask"] > last)
            assert self._asked is not None
            return self._asked

    def _previewed(self) -> None:
        """Compile rules that may be played later, and keep the code."""
        try:
            from_rules("match", parse(self._told["rules"])).initial(Rng(0))
            self._say(started=True)
        except (LudariumError, ValueError) as problem:
            self._say(refused=str(problem))

    def _compiled(self) -> None:
        told, last = self._told, -1
        try:
            thinker = Thinker(told["rules"], told["role"], told["agent"], told["seed"])
            self._ready = True
            thinker.think(told["until"])
            self._say(started=True)
            while True:
                asked = self._next(last)
                last = asked["ask"]
                _catch_up(thinker, thinker.follower, asked)
                move = thinker.answer(asked["until"], lambda move, last=last: self._say(legal=last, move=move))  # type: ignore[misc]
                self._say(move=last, text=move)
        except (Exception, SystemExit) as problem:  # noqa: BLE001  # whatever an agent does, legal moves go on
            self._say(failed=f"{type(problem).__name__}: {problem}")
            self._ready = False
            with self._change:
                self._change.notify_all()

    def _interpreted(self) -> None:
        told, last = self._told, -1
        try:
            rng = Rng.keyed(told["seed"], "interpreter")
            follower = Follower(Interpreter(parse(told["rules"])), told["role"], rng)
            rng.choice(follower.legal)
        except (LudariumError, ValueError) as problem:
            self._say(refused=str(problem))
            return
        self._say(readable=True)
        while True:
            asked = self._next(last)
            if self._ready:  # the other thread sees to it, unless it fails: then the question is still here
                with self._change:
                    self._change.wait(_LOOK_SECONDS)
                continue
            try:
                _catch_up(follower, follower, asked)
                self._say(legal=asked["ask"], move=rng.choice(follower.legal))
                last = asked["ask"]
            except Exception as problem:  # noqa: BLE001
                self._say(failed=f"{type(problem).__name__}: {problem}")
                return


def _catch_up(who: Any, follower: Follower, asked: dict[str, Any]) -> None:
    """Tell a follower of the steps that it has not heard of."""
    known = len(follower.steps)
    for step, answered in list(zip(asked["steps"], asked["answered"], strict=True))[known:]:
        who.advance(Step(*step), answered)


def _limit_memory() -> None:
    with suppress(ImportError, ValueError, OSError):  # where the system has no such limit, or a lower one
        import resource  # noqa: PLC0415

        most = (limits().megabytes << 20) + _SPARE
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    main()
