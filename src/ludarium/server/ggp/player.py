"""The player: answers what match hosts ask, one match at a time, and is there for the next whatever happens to one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from time import monotonic

from ludarium import catalog
from ludarium.server.ggp import messages
from ludarium.server.ggp.messages import Message
from ludarium.server.ggp.session import Refused, Seat, Session

BUSY, READY, DONE, ABORTED = "busy", "ready", "done", "aborted"


class GgpPlayer:
    """An agent as a player of the protocol: `answer` takes the text of a message and gives that of the reply."""

    def __init__(
        self,
        agent: str,
        *,
        name: str = "ludarium",
        margin: float | None = None,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        catalog.agent(agent)  # says what is wrong with it, now and not in a match
        self.agent, self.name = agent, name
        self._margin, self._tell = margin, tell
        self._lock = Lock()
        self._session: Session | None = None
        self._asked = False
        """Whether a question of the match is being answered."""

        self._previewing = Lock()
        self._closed = False
        self._spare: Seat | None = Seat()

    def answer(self, text: str) -> str:
        """Answer a message; one that cannot be read, or rules that nobody can play by, are a `LudariumError`."""
        message = messages.read(text)
        answers = {messages.INFO: self._info, messages.PREVIEW: self._preview, messages.START: self._start}
        answers |= {messages.PLAY: self._play, messages.STOP: self._stop, messages.ABORT: self._stop}
        return answers[message.kind](message)

    def close(self) -> None:
        """End whatever is going on."""
        with self._lock:
            self._closed = True
            ended, self._session = self._session, None
            spare, self._spare = self._spare, None
        for each in (ended, spare):
            if each is not None:
                each.end()

    def _info(self, _message: Message) -> str:
        with self._lock:
            status = BUSY if self._present() is not None else "available"
        return f"( ( name {self.name} ) ( status {status} ) ( species program ) )"

    def _preview(self, message: Message) -> str:
        """Have the rules compiled once, so that it goes faster when the match begins; one set of rules at a time."""
        with self._lock:
            if self._present() is not None or not self._previewing.acquire(blocking=False):
                return BUSY
        try:
            session = Session(Seat(), message, self.agent, self._margin)
            try:
                session.start()
            finally:
                session.end()
        finally:
            self._previewing.release()
        return READY

    def _start(self, message: Message) -> str:
        with self._lock:
            present = self._present()
            if self._closed or (present is not None and present.id != message.match):
                return BUSY
            if present is not None:  # its host has begun anew
                present.end()
            seat, self._spare = self._spare or Seat(), None
            session = self._session = Session(seat, message, self.agent, self._margin)
            self._asked = True
        self._tell(
            f"match {message.match}: {message.role}, {message.start_clock} s, then {message.play_clock} s a move"
        )
        try:
            session.start()
        except Refused as problem:
            self._let_go(session)
            self._tell(f"match {message.match}: refused: {problem}")
            raise
        finally:
            self._finish(session)
        return READY

    def _play(self, message: Message) -> str:
        with self._lock:
            session = self._present()
            if session is None or session.id != message.match or self._asked:
                return BUSY
            session.heard, self._asked = monotonic(), True
        try:
            move = session.play(message)
        finally:
            self._finish(session)
        self._tell(f"match {message.match}: {move}{session.why()}")
        return move

    def _stop(self, message: Message) -> str:
        with self._lock:
            session = self._session
            if session is None or session.id != message.match:
                return BUSY
        self._let_go(session)
        self._tell(f"match {message.match}: {'over' if message.kind == messages.STOP else 'broken off'}")
        return DONE if message.kind == messages.STOP else ABORTED

    def _present(self) -> Session | None:
        """The match under way, unless its host has not been heard of for too long."""
        session = self._session
        if session is not None and not self._asked and monotonic() - session.heard > session.patience:
            self._tell(f"match {session.id}: its host is gone")
            session.end()
            self._session = None
        return self._session

    def _finish(self, session: Session) -> None:
        with self._lock:
            if self._session is session:
                self._asked, session.heard = False, monotonic()
            if self._spare is None and not self._closed:
                with suppress(OSError):
                    self._spare = Seat()  # so that the next match need not wait for a process to start

    def _let_go(self, session: Session) -> None:
        with self._lock:
            if self._session is session:
                self._session, self._asked = None, False
        session.end()
