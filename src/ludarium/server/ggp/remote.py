"""Players of the protocol as agents: `ggp:localhost:9147` takes a seat in any match by rules in GDL.

A remote player is sent what the protocol sends and nothing else: the rules, and after every step the moves of all, or its own
move and what it sees where the game hides something. Clocks run from the moment a message leaves.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Thread
from time import monotonic, sleep
from typing import Any

from ludarium.arena.attending import News
from ludarium.arena.referee import NoAnswer
from ludarium.core import (
    BadParameter,
    Budget,
    Decision,
    Game,
    GameError,
    InformationSet,
    Move,
    Player,
    Rng,
    Role,
    UnsupportedGame,
)
from ludarium.core.agent import ELSEWHERE
from ludarium.core.match import CRASH, ILLEGAL, TIMEOUT, Terms
from ludarium.core.parameters import flag
from ludarium.gdl.check.definition import prepared
from ludarium.gdl.text.syntax import role_names
from ludarium.gdl.text.writer import prefix
from ludarium.server.ggp import messages, wire
from ludarium.server.ggp.following import Compiled, meant
from ludarium.server.ggp.scramble import Scrambler

DEFAULT_START = 10
"""Seconds of the start clock, where the terms of a match have none."""

_AGAIN_SECONDS = 1.0  # between two tries to begin with a player that is busy
_SHORT = 1.0  # seconds for an answer to ABORT


@dataclass(frozen=True)
class Remote:
    """A player somewhere else, that speaks the protocol."""

    address: str
    """As `host:port`."""

    scramble: bool = flag(default=False)
    """Whether it is sent other words for the names in the rules."""

    def __post_init__(self) -> None:
        wire.address(self.address)

    @property
    def name(self) -> str:
        """What the catalog calls it."""
        return f"{ELSEWHERE}{self.address}"

    @property
    def spec(self) -> str:
        """What it is made from."""
        return f"{self.name}(scramble=True)" if self.scramble else self.name

    def seat(self, game: Game, role: Role, rng: Rng) -> Player:
        """Make a player for one match; nothing is sent yet."""
        if not isinstance(getattr(game, "clauses", None), tuple):
            described = "a file of rules, or a game of the library such as gdl:tic-tac-toe"
            raise UnsupportedGame(
                f"{self.name} plays games described in GDL only, and {game.name} is none: {described}"
            )
        return RemotePlayer(self, game, role, rng)


class RemotePlayer:
    """A remote player in its seat; the match loop tells it of every step."""

    def __init__(self, agent: Remote, game: Any, role: Role, rng: Rng) -> None:
        self.place, self._address = agent.address, wire.address(agent.address)
        self._game, self._role = game, role
        self._words = Scrambler(rng) if agent.scramble else None
        self._rules = prepared(game.clauses)
        self._roles = role_names(self._rules)
        self._chance = _Chance(game) if "random" in self._roles and not _hides(game) else None
        self._match, self._turn = "", 0
        self._seconds = self._late = self._start_seconds = 0.0
        self._begun: Future[str] | None = None
        self._asked: Future[str] | None = None
        self._info: InformationSet | None = None
        self._before: Any = None
        self._lock: socket.socket | None = None

    def reserve(self) -> bool:
        """Keep it for this match, unless another one that is hosted on this machine has it."""
        if self._lock is not None or sys.platform != "linux":
            return True
        lock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            lock.bind(f"\0ludarium ggp {self.place}")  # no file, and let go of by the system however we end
        except OSError:
            lock.close()
            return False
        self._lock = lock
        return True

    def begin(self, name: str, terms: Terms) -> None:
        """Announce a match."""
        self._seconds = _whole("the play clock", terms.limit.seconds, self.place)
        self._start_seconds = _whole("the start clock", terms.start_seconds or DEFAULT_START, self.place)
        self._late, self._match = terms.tolerance_seconds, name
        rules = " ".join(prefix(self._rules).split())
        role = self._game.roles[self._role]
        clocks = int(self._start_seconds), int(self._seconds)
        text = messages.start(name, self._hidden(role), self._hidden(rules), *clocks)
        self._begun = _in_background(self._until_it_is_free, text)

    def ready(self) -> None:
        """Wait until it has got ready."""
        assert self._begun is not None
        answer = self._answer(self._begun, self._start_seconds)
        if answer.strip().lower() == "busy":
            raise NoAnswer(CRASH, f"it is busy with another match after {self._start_seconds:g} s")

    def step(self, news: News) -> None:
        """Tell of a step, and ask for a move."""
        self._info = news.info
        text = self._told(messages.PLAY, news)
        self._asked = _in_background(wire.send, self._address, text, self._seconds + self._late)

    def choose(self, info: InformationSet, budget: Budget) -> Decision:  # noqa: ARG002  # its clock has begun to run
        """Give the move that it answers."""
        if self._asked is None:
            raise NoAnswer(CRASH, "it was not told of the match: players elsewhere cannot be asked for a single move")
        answer = self._answer(self._asked, self._seconds)
        return Decision(self._legal(answer, info.legal))

    def settle(self) -> None:
        """Wait for the answer where it had no choice; it has to be that move all the same."""
        assert self._asked is not None
        assert self._info is not None
        self._legal(self._answer(self._asked, self._seconds), self._info.legal)

    def end(self, news: News | None) -> None:
        """Tell that the match is over, or broken off."""
        try:
            if self._match:
                text = f"( ABORT {self._match} )" if news is None else self._told(messages.STOP, news)
                wire.send(self._address, text, _SHORT if news is None else self._seconds)
        except wire.NoReply as problem:
            raise NoAnswer(CRASH, str(problem)) from None
        finally:
            self._match = ""
            if self._lock is not None:
                self._lock.close()
                self._lock = None

    def _told(self, kind: str, news: News) -> str:
        """Write what it may know of a step."""
        game, info = self._game, news.info
        if not game.traits.perfect_information:
            last = game.text(news.moves[self._role]) if news.moves else ""
            percepts = [self._hidden(each) for each in game.percepts(self._role, info.seen[-1])]
            text = messages.dresden(kind, self._match, self._turn, self._hidden(last), percepts)
        else:
            moves = [self._hidden(each) for each in self._joint(news.moves, info.state)]
            text = messages.joint(kind, self._match, moves)
        self._turn += 1
        self._before = info.state
        return text

    def _joint(self, moves: Mapping[Role, Move], state: Any) -> Sequence[str]:
        """List the moves of all roles as the rules name them, that of chance included."""
        if not moves:
            return ()
        named = {self._game.roles[role]: self._game.text(move) for role, move in moves.items()}
        if self._chance is not None:
            return self._chance.joint(self._before, named, state)
        return [named[role] for role in self._roles]

    def _until_it_is_free(self, text: str) -> str:
        """Send START, again and again while the player is busy: its last host may have gone without a word."""
        end = monotonic() + self._start_seconds
        while True:
            answer = wire.send(self._address, text, self._start_seconds + self._late)
            if answer.strip().lower() != "busy" or monotonic() + _AGAIN_SECONDS > end:
                return answer
            sleep(_AGAIN_SECONDS)

    def _answer(self, future: Future[str], seconds: float) -> str:
        try:
            return future.result()
        except wire.Late:
            raise NoAnswer(TIMEOUT, f"no answer after {seconds:g} s and {self._late:g} s more") from None
        except wire.NoReply as problem:
            raise NoAnswer(CRASH, str(problem)) from None

    def _legal(self, answer: str, legal: Sequence[Move]) -> Move:
        """Find the move that an answer means."""
        try:
            text = messages.written(messages.read_node(answer))
        except messages.BadMessage as problem:
            raise NoAnswer(ILLEGAL, f"{answer[:100]!r} is not a move: {problem}") from None
        shown = self._words.shown(text) if self._words is not None else text
        moves = {self._game.text(move): move for move in legal}
        found = meant(shown, list(moves))
        if found is None:
            raise NoAnswer(ILLEGAL, f"{shown[:100]!r} is not a legal move")
        return moves[found]

    def _hidden(self, text: str) -> str:
        return self._words.hidden(text) if self._words is not None else text


class _Chance:
    """Finds what chance did in a step, which the game itself does not tell: the move of `random` that leads to the next state."""

    def __init__(self, game: Any) -> None:
        self._game, self._walk = game, Compiled(game.clauses)
        self._state: Any = None

    def joint(self, before: Any, moves: dict[str, str], after: Any) -> list[str]:
        """List the moves of all roles."""
        walk = self._walk
        if self._state is None or walk.facts(self._state) != frozenset(before.facts()):
            self._state = walk.initial()
        wanted = frozenset(after.facts())
        for move in walk.legal(self._state, walk.roles.index("random")):
            joint = [move if role == "random" else moves[role] for role in walk.roles]
            if walk.facts(new := walk.after(self._state, joint)) == wanted:
                self._state = new
                return joint
        raise GameError(f"game '{self._game.name}': no move of random leads where chance has led")


def _hides(game: Any) -> bool:
    return any(rule.head.name == "sees" for rule in game.clauses)


def _whole(what: str, seconds: float | None, place: str) -> float:
    if seconds is None or seconds != int(seconds) or seconds < 1:
        given = "there is none" if seconds is None else f"not {seconds:g}"
        raise BadParameter(
            f"{what} of {place} is a whole number of seconds from 1 up, {given}: give the time for a move"
        )
    return float(seconds)


def _in_background(work: Any, *given: Any) -> Future[str]:
    """Run something in a thread that keeps nobody from leaving."""
    future: Future[str] = Future()

    def run() -> None:
        try:
            future.set_result(work(*given))
        except BaseException as problem:  # noqa: BLE001  # whoever asks for the result gets it
            future.set_exception(problem)

    Thread(target=run, daemon=True).start()
    return future
