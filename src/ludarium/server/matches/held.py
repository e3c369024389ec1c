"""A match that a server holds: people and agents move, moves are taken back, and whoever watches is told that it changed.

Everything here may be called from any thread. Agents think in the threads of a pool; what they answer counts only if the
match has not changed meanwhile.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from time import monotonic, perf_counter, time

from ludarium.arena import streams
from ludarium.arena.position import Position, steps
from ludarium.arena.referee import Answer, ask, turn
from ludarium.arena.seating import sit_down
from ludarium.core import Decision, Game, InformationSet, Move, Player, Role
from ludarium.core.agent import HUMAN
from ludarium.core.match import TIMEOUT, Terms, Turn
from ludarium.server.errors import Late, Refused
from ludarium.server.matches.seats import Seat, check_seats

Listener = Callable[[], None]


@dataclass
class Ply:
    """Moves made at once, and what was thought before them."""

    moves: dict[Role, Move]
    decisions: dict[Role, Decision] = field(default_factory=dict)
    turns: list[Turn] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


class HeldMatch:
    """A match under way."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[Seat],
        pool: Executor,
        *,
        seed: int | None = None,
        moves: str = "",
        paused: bool = False,
        pause_seconds: float = 0.0,
        move_limit: int = 2000,
        spec: str = "",
    ) -> None:
        check_seats(game, seats)
        self.id = secrets.token_urlsafe(9)
        self.game, self.seats, self.spec = game, tuple(seats), spec or game.spec or game.name
        self.seed = streams.fresh_seed() if seed is None else seed
        self.pool, self.move_limit = pool, move_limit
        self.position = Position(game, self.seed)
        self.plies: list[Ply] = [Ply(dict(joint)) for joint in steps(self.position, moves)]
        self.paused, self.pause_seconds = paused, pause_seconds
        self.pending: dict[Role, Move] = {}
        self.version = self.changes = 0
        self.told: dict[tuple[Role, ...], tuple[int, str]] = {}
        """What was told last to those who play these roles, and after how many changes: many may watch one match."""
        self.message = ""
        self.started, self.touched = time(), monotonic()
        self.lock = threading.RLock()
        self._changed = threading.Condition(self.lock)
        self._listeners: list[Listener] = []
        self._players: dict[Role, Player] = {}
        self._asked: dict[Role, int] = {}  # the version at which a role was asked
        self._answers: dict[Role, tuple[Decision, Turn, str]] = {}
        self._single = 0  # moves to make although the match is paused
        self._timers: dict[Role, threading.Timer] = {}
        self.closed = False

    # What can be asked

    @property
    def movers(self) -> tuple[Role, ...]:
        """Who chooses now; nobody once it is over or cut."""
        return () if self.closed or self.cut else self.position.state.movers

    @property
    def cut(self) -> bool:
        """Whether the limit of moves ended it."""
        return len(self.plies) >= self.move_limit and not self.position.state.over

    @property
    def over(self) -> bool:
        """Whether nobody moves any more."""
        return self.position.state.over or self.cut

    @property
    def thinking(self) -> tuple[Role, ...]:
        """Agents that have been asked and have not answered."""
        return tuple(role for role in self._asked if role not in self.pending)

    @property
    def humans(self) -> tuple[Role, ...]:
        """The roles that people play."""
        return tuple(role for role, seat in enumerate(self.seats) if seat.human)

    def roles_of(self, keys: Sequence[str]) -> tuple[Role, ...]:
        """The roles that whoever has these keys plays."""
        return tuple(role for role in self.humans if any(map(self.seats[role].opened_by, keys)))

    @property
    def tells_seed(self) -> bool:
        """Whether the seed may be known: it gives away what agents hide, and what chance will do."""
        return self.over or (self.game.traits.deterministic and self.game.traits.perfect_information)

    # What can be done

    def begin(self) -> HeldMatch:
        """Let agents think, if it is their turn."""
        with self.lock:
            self._go_on()
        return self

    def move(self, role: Role, move: Move, ply: int | None = None) -> None:
        """Make a person's move; `ply` is where they think the match is."""
        with self.lock:
            self._check_move(role, ply)
            if move not in self.position.state.legal(role):
                raise Refused(f"{self._text(move)} is not legal for {self.game.roles[role]} now")
            self._stop_clock(role)
            self.pending[role] = move
            self._carry_on()

    def take_back(self, role: Role | None = None) -> None:
        """Go back to before the last move of a role; without one, one ply back. Agents sit down anew."""
        with self.lock:
            if self.humans and self.over and not self.game.traits.perfect_information:
                raise Late("what was hidden has been seen: begin another match")
            mine = [number for number, ply in enumerate(self.plies) if role is None or role in ply.moves]
            if not mine:
                raise Refused("there is nothing to take back")
            kept = self.plies[: mine[-1]]
            self._clear()
            position = Position(self.game, self.seed)
            for ply in kept:
                position.play(ply.moves)
            self.position, self.plies, self._players = position, kept, {}
            self._go_on()
            self._tell()

    def pause(self, *, paused: bool) -> None:
        """Let agents wait, or go on."""
        with self.lock:
            self.paused = paused
            self._go_on()
            self._tell()

    def step(self) -> None:
        """Let agents make one ply of a match that is paused."""
        with self.lock:
            if self.over:
                raise Late("the match is over")
            self.paused, self._single = True, 1
            self._go_on()
            self._tell()

    def pace(self, seconds: float) -> None:
        """Say how long agents wait before a move, so that people can watch."""
        if not 0 <= seconds <= 60:
            raise Refused(f"agents wait for 0 to 60 seconds, not {seconds:g}")
        with self.lock:
            self.pause_seconds = seconds
            self._tell()

    def close(self) -> None:
        """End it: nobody is asked any more."""
        with self.lock:
            self.closed = True
            self._clear()
            self._tell()

    # Who wants to know

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call somebody whenever the match changes; what comes back ends that."""
        with self.lock:
            self._listeners.append(listener)

        def leave() -> None:
            with self.lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return leave

    @property
    def watched(self) -> bool:
        """Whether anybody listens."""
        return bool(self._listeners)

    def wait(self, until: Callable[[HeldMatch], bool], seconds: float = 60.0) -> bool:
        """Wait until something is so; False if it takes longer."""
        with self._changed:
            return self._changed.wait_for(lambda: until(self), seconds)

    # How it goes on

    def _check_move(self, role: Role, ply: int | None) -> None:
        if self.over or self.closed:
            raise Late("the match is over")
        if ply is not None and ply != len(self.plies):
            raise Late(f"that was a move for ply {ply + 1}, but the match is at ply {len(self.plies) + 1}")
        if role not in self.movers:
            raise Late(f"{self.game.roles[role]} is not to move now")
        if not self.seats[role].human:
            raise Refused(f"{self.game.roles[role]} is played by {self.seats[role].name}")
        if role in self.pending:
            raise Late(f"{self.game.roles[role]} has chosen already, and waits for the others")

    def _go_on(self) -> None:
        """Ask the agents that are to move; people are waited for."""
        self.touched = monotonic()
        if self.over or self.closed:
            return
        for role in self.movers:
            if role in self.pending:
                continue
            if self.seats[role].human:
                self._start_clock(role)
            elif role not in self._asked and (not self.paused or self._single):
                self._asked[role] = self.version
                info = self.position.information_set(role)
                self.pool.submit(self._think, role, info, self.version, len(self.plies))

    def _think(self, role: Role, info: InformationSet, version: int, ply: int) -> None:
        """Let an agent choose, in a thread of the pool; unless nobody waits for it any more."""
        if self.closed or version != self._asked.get(role):
            return
        began = perf_counter()
        try:
            seat = self.seats[role]
            assert seat.agent is not None
            player = self._players.get(role)
            if player is None:
                player = sit_down(seat.agent, self.game, role, streams.player(self.seed, role))
            answer = ask(player, info, Terms(limit=seat.limit))
            move = answer.decision.move
            if answer.fault:
                move = streams.replacement(self.seed, ply, role).choice(info.legal)
            made = turn(self.game, ply, info, move, answer)
        except Exception as problem:  # noqa: BLE001  # whatever it is: a page must not wait for ever
            self._give_up(role, version, problem)
            return
        rest = max(0.0, self.pause_seconds - (perf_counter() - began))
        if rest:
            timer = threading.Timer(rest, self._answered, (role, version, player, (move, answer, made)))
            timer.daemon = True
            timer.start()
        else:
            self._answered(role, version, player, (move, answer, made))

    def _answered(self, role: Role, version: int, player: Player, given: tuple[Move, Answer, Turn]) -> None:
        move, answer, made = given
        with self.lock:
            if version != self._asked.get(role) or self.closed:
                return  # moves were taken back meanwhile
            self._players[role] = player
            self.pending[role] = move
            name = f"{self.seats[role].name} ({self.game.roles[role]})"
            fault = f"{name} at move {made.ply + 1}: {answer.fault}: {answer.detail}" if answer.fault else ""
            self._answers[role] = (answer.decision, made, fault)
            self._carry_on()

    def _carry_on(self) -> None:
        """Play what was chosen, and ask whoever is next; a game that breaks stops the match, and says so."""
        try:
            self._complete()
            self._go_on()
        except Exception as problem:  # noqa: BLE001  # anybody's rules may break in any way
            self._clear()
            self.message, self.paused = f"{self.game.name} cannot go on: {problem}", True
        self._tell()

    def _give_up(self, role: Role, version: int, problem: Exception) -> None:
        with self.lock:
            if version == self._asked.get(role):
                self.message = f"{self.seats[role].name} cannot play {self.game.name}: {problem}"
                self.paused = True
                self._asked.pop(role, None)
                self._single = 0
                self._tell()

    def _complete(self) -> None:
        """Play the moves if all are there."""
        if set(self.pending) != set(self.movers):
            return
        joint = {role: self.pending[role] for role in self.movers}
        ply = Ply(joint)
        for role, move in joint.items():
            if role in self._answers:
                decision, made, fault = self._answers[role]
                ply.decisions[role] = decision
                ply.turns.append(made)
                ply.faults += [fault] if fault else []
            else:
                info = self.position.information_set(role)
                ply.turns.append(turn(self.game, len(self.plies), info, move, Answer(Decision(move), 0.0)))
        self.position.play(joint)
        self.plies.append(ply)
        if self.over:
            self._players = {}  # and the trees that they keep
        self._clear()
        self._single = max(0, self._single - 1)

    def _clear(self) -> None:
        """Forget what was asked and answered: the match is somewhere else now."""
        self.pending, self._asked, self._answers, self.message = {}, {}, {}, ""
        for role in list(self._timers):
            self._stop_clock(role)
        self.version += 1

    def _start_clock(self, role: Role) -> None:
        seconds = self.seats[role].seconds
        if seconds is None or role in self._timers:
            return
        timer = self._timers[role] = threading.Timer(seconds, self._ran_out, (role, self.version))
        timer.daemon = True
        timer.start()

    def _stop_clock(self, role: Role) -> None:
        if timer := self._timers.pop(role, None):
            timer.cancel()

    def _ran_out(self, role: Role, version: int) -> None:
        """Draw a move for a person whose clock ran out."""
        with self.lock:
            if version != self.version or role in self.pending or role not in self.movers:
                return
            info, ply = self.position.information_set(role), len(self.plies)
            move = streams.replacement(self.seed, ply, role).choice(info.legal)
            seconds = self.seats[role].seconds or 0.0
            answer = Answer(Decision(move), seconds, TIMEOUT)
            fault = f"{HUMAN} ({self.game.roles[role]}) at move {ply + 1}: {TIMEOUT}: {seconds:g} s"
            self._answers[role] = (answer.decision, turn(self.game, ply, info, move, answer), fault)
            self._stop_clock(role)
            self.pending[role] = move
            self._carry_on()

    def _tell(self) -> None:
        self.changes += 1
        self._changed.notify_all()
        for listener in list(self._listeners):
            listener()

    def _text(self, move: Move) -> str:
        try:
            return f"'{self.game.text(move)}'"
        except Exception:  # noqa: BLE001  # no move of the game at all
            return f"move {move}"
