"""One match: every role is shown what it may see and asked for a move, and the moves are played together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from secrets import token_hex
from time import time
from typing import NamedTuple

from ludarium.arena import streams
from ludarium.arena.attending import Attendance
from ludarium.arena.position import Position, steps
from ludarium.arena.referee import Absent, Answer, NoAnswer, ask, betray, seat, turn
from ludarium.arena.seating import decided, sit_down
from ludarium.arena.streams import fresh_seed
from ludarium.core import (
    TOGETHER,
    Agent,
    BadParameter,
    Decision,
    Game,
    IllegalMove,
    InformationSet,
    Limit,
    Match,
    Move,
    Player,
    Role,
    State,
    checked_utilities,
    describe,
)
from ludarium.core.answers import checked_text
from ludarium.core.limits import limits
from ludarium.core.match import SEATING, Terms, Turn
from ludarium.registry import make

Watcher = Callable[[State, Mapping[Role, Decision]], None]
"""Called with each state and the decisions that led to it; with none at the beginning."""

Asking = Callable[[int, Role], None]
"""Called with the ply and the role before an agent gets a hold of the match."""


class Absence(NamedTuple):
    """Since when a role cannot be asked, and the fault that this is, in one word and in a sentence."""

    ply: int
    fault: str
    detail: str


FULL, MOVES, RESULT = RECORDS = ("full", "moves", "result")
"""How much of a match is kept: all, the moves and the faults, or the result and the faults."""


def play(
    game: Game | str,
    agents: Sequence[Agent | str],
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    forward_calls: int | None = None,
    move_limit: int | None = None,
    cheating: bool = False,
    seed: int | None = None,
    moves: str = "",
    watch: Watcher | None = None,
) -> Match:
    """Play a match, with the same limit for every move; 1000 iterations a move if no limit is given.

    Game and agents are given by what names them, or themselves. Without a seed one is drawn that no agent can guess;
    `match.seed` tells it, and with it the match is the same again. An agent that fails is an error here; in a tournament it
    is a fault that is recorded. Agents that see what is hidden are admitted only if cheating is allowed. `moves` are made
    before anybody is asked. A match is cut after `move_limit` plies, by default as many as the limits of games allow; 0
    lets it go on.

    >>> play("tic-tac-toe", ["uct", "uct"], iterations=2000, seed=1).utilities
    (0.5, 0.5)
    >>> play("tic-tac-toe", ["uct", "uct"], iterations=100, moves="a1 b1 a2 b2").moves[4]
    'a3'
    """
    rules: Game = make("game", game)
    named: list[Agent] = [make("agent", each) for each in agents]
    _check_seats(rules, named)
    if seconds is None and iterations is None and forward_calls is None:
        iterations = 1000
    limit = Limit(seconds=seconds, iterations=iterations, forward_calls=forward_calls)
    most = limits().moves if move_limit is None else move_limit
    terms = Terms(limit=limit, move_limit=most or None, cheating=cheating)
    _check_fair(rules, named, terms)
    seed = fresh_seed() if seed is None else seed
    players = [sit_down(agent, rules, role, streams.player(seed, role)) for role, agent in enumerate(named)]
    sitting = _Sitting(rules, named, players, terms, seed)
    if sitting.attendance and moves:
        raise BadParameter("a player that is told of every step has to be there from the first: give no moves")
    for role, problem in sitting.attendance.begin(token_hex(8), terms, lambda _role: None):
        sitting.attendance.end(broken_off=True)
        raise NoAnswer(problem.fault, f"{describe(named[role])} does not begin: {problem}")
    return sitting.played(sitting.trusted, watch=watch, moves=moves).match()


def contest(
    game: Game,
    agents: Sequence[Agent],
    terms: Terms,
    seed: int,
    *,
    record: str = FULL,
    absent: Mapping[Role, Absence] | None = None,
    asking: Asking = lambda _ply, _role: None,
    name: str = "",
) -> Match:
    """Play a match by the rules of a tournament: what an agent does wrong is recorded, and never ends the match.

    A role that is `absent` is not asked any more from its ply on. Who attends the whole match is told its name.
    """
    _check_seats(game, agents)
    _check_fair(game, agents, terms)
    started = time()
    absent = absent or {}
    seated: list[tuple[Player, str, str]] = []
    for role, agent in enumerate(agents):
        if role in absent and absent[role].ply == SEATING:
            seated.append((Absent(absent[role].fault, absent[role].detail), absent[role].fault, absent[role].detail))
        else:
            asking(SEATING, role)
            seated.append(seat(agent, game, role, seed, terms))
    sitting = _Sitting(game, agents, [player for player, _, _ in seated], terms, seed)
    for role, (_, fault, detail) in enumerate(seated):
        if fault:
            sitting.fault(SEATING, role, fault, detail)
    for role, problem in sitting.attendance.begin(name or token_hex(8), terms, lambda role: asking(SEATING, role)):
        sitting.fault(SEATING, role, problem.fault, problem.detail)

    def judged(ply: int, role: Role) -> Move:
        if role in absent and ply >= absent[role].ply and not isinstance(sitting.players[role], Absent):
            sitting.players[role] = Absent(absent[role].fault, absent[role].detail)
        asking(ply, role)
        return sitting.judged(ply, role)

    return sitting.played(judged).match(record, started)


def _check_seats(game: Game, agents: Sequence[Agent]) -> None:
    if len(agents) != len(game.roles):
        roles = f"{len(game.roles)} roles ({', '.join(game.roles)})"
        raise BadParameter(f"{game.name} has {roles}, but {len(agents)} agents were given")


def _check_fair(game: Game, agents: Sequence[Agent], terms: Terms) -> None:
    for agent in agents:
        if getattr(agent, "cheats", False) and not terms.cheating:
            told = f"{describe(agent)} sees what {game.name} hides"
            raise BadParameter(f"{told}: only a match with cheating=True admits it")


class _Sitting:
    """A match under way."""

    def __init__(self, game: Game, agents: Sequence[Agent], players: list[Player], terms: Terms, seed: int) -> None:
        self.game, self.agents, self.players = game, agents, players
        self.terms, self.seed = terms, seed
        self.position = Position(game, seed)
        self.turns: list[Turn] = []
        self.moves: list[str] = []
        self.times: list[float] = []
        self.faults: list[str] = []
        self.cut = False
        self._answers: dict[Role, Answer] = {}
        self._gone: set[Role] = set()
        self.attendance = Attendance(self.players, self.position)

    def played(self, choice: Callable[[int, Role], Move], *, watch: Watcher | None = None, moves: str = "") -> _Sitting:
        """Play to the end, with moves by this choice after those that are given."""
        finished = False
        try:
            self._play(choice, watch, moves)
            finished = True
        finally:
            self.attendance.end(broken_off=not finished or self.cut)
        return self

    def _play(self, choice: Callable[[int, Role], Move], watch: Watcher | None, moves: str) -> None:
        position = self.position
        if watch:
            watch(position.state, {})
        for joint in steps(position, moves):
            self.moves.append(TOGETHER.join(checked_text(self.game, move) for move in joint.values()))
            self.times.append(0.0)
            if watch:
                watch(position.state, {role: Decision(move) for role, move in joint.items()})
        while movers := position.movers:
            if self.terms.move_limit is not None and position.plies >= self.terms.move_limit:
                self.cut = True
                break
            self.attendance.step()
            joint = {role: choice(position.plies, role) for role in movers}
            for role, problem in self.attendance.settle(movers):
                if choice == self.trusted:
                    raise problem
                move = self.game.text(position.state.legal(role)[0])  # which is made, whatever the answer
                self.fault(position.plies, role, problem.fault, problem.detail, move)
            self.attendance.note(joint)
            self.moves.append(TOGETHER.join(checked_text(self.game, move) for move in joint.values()))
            self.times.append(sum(self._answers[role].seconds for role in movers))
            position.play(joint)
            if watch:
                watch(position.state, {role: self._answers[role].decision for role in movers})

    def trusted(self, ply: int, role: Role) -> Move:
        """Let a role choose; what goes wrong is raised."""
        info = self._information_for(role)
        budget = self.terms.limit.start()
        decision = decided(self.agents[role], self.players[role], info, budget)
        if decision.move not in info.legal:
            raise IllegalMove(f"{self.agents[role].name} chose {decision.move}, which is not legal")
        answer = self._answers[role] = Answer(decision, budget.spent.seconds)
        self.turns.append(turn(self.game, ply, info, decision.move, answer))
        return decision.move

    def judged(self, ply: int, role: Role) -> Move:
        """Let a role choose; if its answer does not stand, draw a move for it."""
        info = self._information_for(role)
        answer = self._answers[role] = ask(self.players[role], info, self.terms)
        move = answer.decision.move
        if answer.fault:
            move = streams.replacement(self.seed, ply, role).choice(info.legal)
            self.tell(ply, role, answer.fault, answer.detail)
        self.turns.append(turn(self.game, ply, info, move, answer))
        return move

    def _information_for(self, role: Role) -> InformationSet:
        """Tell a role what it may know; the state itself only to a cheat, and only where that is allowed."""
        if self.terms.cheating:
            betray(self.players[role], self.position.state)
        return self.position.information_set(role)

    def fault(self, ply: int, role: Role, fault: str, detail: str, move: str = "") -> None:
        """Record a fault where nothing was to be chosen."""
        self.turns.append(Turn(ply=ply, role=role, move=move, fault=fault))
        self.tell(ply, role, fault, detail)

    def tell(self, ply: int, role: Role, fault: str, detail: str) -> None:
        """Note a fault as a sentence; that somebody is gone is told once."""
        if role in self._gone:
            return
        if isinstance(self.players[role], Absent):
            self._gone.add(role)
        when = "before the first move" if ply == SEATING else f"at move {ply + 1}"
        who = f"{describe(self.agents[role])} ({self.game.roles[role]})"
        self.faults.append(f"{who} {when}: {fault}: {detail}")

    def match(self, record: str = FULL, started: float = 0.0) -> Match:
        """Write down what was played."""
        roles = len(self.game.roles)
        drawn = (1 / roles if roles > 1 else 0.0,) * roles  # nobody solved a puzzle that was cut
        return Match(
            game=self.game.name,
            agents=tuple(describe(agent) for agent in self.agents),
            seed=self.seed,
            moves=() if record == RESULT else tuple(self.moves),
            utilities=drawn if self.cut else checked_utilities(self.game, self.position.state.utilities()),
            seconds=() if record == RESULT else tuple(self.times),
            thinking=tuple(sum(turn.seconds for turn in self.turns if turn.role == role) for role in range(roles)),
            faults=tuple(self.faults),
            turns=tuple(each for each in self.turns if record == FULL or each.fault),
            roles=self.game.roles,
            terms=self.terms,
            length=len(self.moves) if record == RESULT else None,
            cut=self.cut,
            rules=self.game.fingerprint,
            started=started,
        )
