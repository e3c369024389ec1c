"""A match as the player sees it: its clocks, what was told so far, and the process that thinks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from secrets import randbits
from threading import Condition, Lock, Thread
from time import monotonic, time
from typing import Any

from ludarium.core import LudariumError
from ludarium.outside import folders
from ludarium.server.ggp.following import Step
from ludarium.server.ggp.messages import Message

_SEAT = "ludarium.server.ggp.seat"
_NOTHING = "nil"


class Refused(LudariumError):
    """Rules that nobody can play by, or a role that they do not know."""


def margin(clock: float, given: float | None) -> float:
    """How much earlier than the clock says an answer leaves: as given, or by the clock; never more than half of it."""
    usual = min(1.5, 0.2 + 0.05 * clock) if given is None else given
    return min(usual, clock / 2)


class Seat:
    """A process that thinks; what it says is kept until somebody asks."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", _SEAT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, (*sys.path, *folders())))},
            start_new_session=True,  # Ctrl-C is for whoever started it
        )
        self.change = Condition()
        self.facts: dict[str, Any] = {}
        """`started`, `readable`, `refused`, `failed`: the last that it said of each."""

        self.legal: dict[int, str] = {}
        self.moves: dict[int, str] = {}
        self.gone = False
        Thread(target=self._listen, daemon=True).start()

    def say(self, what: dict[str, Any]) -> None:
        """Tell it something; if it has ended, it will not answer."""
        assert self.process.stdin is not None
        with suppress(OSError, ValueError):
            self.process.stdin.write(json.dumps(what) + "\n")
            self.process.stdin.flush()

    def end(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdin is not None
        with suppress(OSError):  # what is still in the pipe has nowhere to go
            self.process.stdin.close()
        with self.change:
            self.gone = True
            self.change.notify_all()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                with suppress(ValueError, KeyError), self.change:
                    self._hear(json.loads(line))
                    self.change.notify_all()
        with self.change:
            self.gone = True
            self.change.notify_all()

    def _hear(self, told: dict[str, Any]) -> None:
        if "legal" in told:
            self.legal[told["legal"]] = told["move"]
        elif "text" in told:
            self.moves[told["move"]] = told["text"]
        else:
            self.facts |= told


class Session:
    """One match, from START to STOP or ABORT."""

    def __init__(self, seat: Seat, message: Message, agent: str, given_margin: float | None) -> None:
        self.id, self.seat = message.match, seat
        self.start_clock, self.play_clock = message.start_clock, message.play_clock
        self._margin = given_margin
        self._steps: list[Step] = []
        self._answered: list[str] = []
        self._number = 0
        self._told = {"rules": message.rules, "role": message.role, "agent": agent, "seed": randbits(63)}
        self._lock, self._ended = Lock(), False
        self.heard = monotonic()
        """When the host spoke last."""

    @property
    def patience(self) -> float:
        """How long a host may be silent before it is taken to be gone: others may use up their clocks, and more."""
        return 2.0 * max(self.start_clock, self.play_clock) + 10.0

    def start(self) -> None:
        """Get ready, and think until the start clock has almost run out."""
        spare = margin(self.start_clock, self._margin)
        until = time() + self.start_clock - spare
        self.seat.say(self._told | {"until": until})
        self._wait(self._settled, until + spare / 2)
        if why := self.seat.facts.get("refused"):
            raise Refused(why)

    def _settled(self) -> bool:
        """Whether more time would not help to get ready."""
        facts = self.seat.facts
        return "started" in facts or "refused" in facts or ("failed" in facts and "readable" in facts)

    def play(self, message: Message) -> str:
        """Answer with a move, in time whatever happens."""
        spare = margin(self.play_clock, self._margin)
        until = time() + self.play_clock - spare
        self._hear(message)
        number = self._number
        with self._lock:
            if self.seat.gone and not self._ended:  # it may have run out of memory: another one does without compiling
                self.seat.end()
                self.seat = Seat()
                self.seat.facts["failed"] = "the process that thought has ended"
                self.seat.say(self._told | {"until": until, "slow": True})
            seat = self.seat
        question = {"ask": number, "steps": self._steps, "answered": self._answered, "until": until}
        seat.say(question)
        self._wait(lambda: number in seat.moves or ("failed" in seat.facts and number in seat.legal), until + spare / 2)
        move = seat.moves.get(number) or seat.legal.get(number) or _NOTHING
        self._answered.append(move)
        self._number += 1
        return move

    def why(self) -> str:
        """Say why the last answer was any legal move, or none; nothing if it was chosen."""
        number = self._number - 1
        if number in self.seat.moves:
            return ""
        failed = self.seat.facts.get("failed")
        told = f": {failed}" if failed else ", as there was no time to think" if number in self.seat.legal else ""
        return f" ({'any legal move' if number in self.seat.legal else 'no legal move is known'}{told})"

    def end(self) -> None:
        """Let go of everything, also while a question is being answered: no other process is begun for it."""
        with self._lock:
            self._ended = True
            self.seat.end()

    def _hear(self, message: Message) -> None:
        """Take what is told of the last step, unless this is the first, or it was told before."""
        if message.turn is not None:
            if message.last and message.turn > len(self._steps):
                self._steps.append(Step(None, message.last, message.percepts))
        elif message.moves is not None:
            self._steps.append(Step(message.moves))
        del self._answered[len(self._steps) :]  # questions that were asked twice have one answer each
        self._answered += [_NOTHING] * (len(self._steps) - len(self._answered))

    def _wait(self, done: Callable[[], bool], until: float) -> None:
        """Wait for the seat to say something, as long as it is there."""
        with self.seat.change:
            self.seat.change.wait_for(lambda: done() or self.seat.gone, max(0.0, until - time()))
