"""An agent in a match that a host tells of: the rules compiled, the match followed, and a move for every question."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import time

from ludarium import catalog
from ludarium.arena.position import Position
from ludarium.arena.seating import sit_down
from ludarium.core import InformationSet, Limit, Player, Rng, UnsupportedGame
from ludarium.gdl.game import GdlGame, from_rules
from ludarium.gdl.text.reader import parse
from ludarium.gdl.turn_kernels import FORCED, GOES_ON
from ludarium.server.ggp.following import Compiled, Follower, Lost, Step

_LOOKING = 0.2  # of the time for a move, to know better where the match may be
_LEAST = 0.02  # seconds that are worth thinking
_DRAWS = 20_000  # of chance, to find the one that a host tells of
_WARM = Limit(iterations=2)


class Thinker:
    """An agent, seated by the rules of a host."""

    def __init__(self, rules: str, role: str, agent: str, seed: int) -> None:
        clauses = parse(rules)
        self._walk = Compiled(clauses)
        self.follower = Follower(self._walk, role, Rng.keyed(seed, "follower"))
        # Where there is no chance, the game to search in is the one to walk through.
        name = self._walk.roles[self.follower.role]
        self.game = from_rules("match", clauses) if "random" in self._walk.roles else self._walk.game
        self._role = self.game.roles.index(name) if name in self.game.roles else -1
        self._rng = Rng.keyed(seed, "fallback")
        self._position = None if self._walk.hides or self._role < 0 else Position(self.game)
        self._player: Player | None = None
        self._seen: list[bytes] = []
        self._played: list[int] = []
        if self._role >= 0:
            with suppress(UnsupportedGame):  # it will do with any legal move
                self._player = sit_down(catalog.agent(agent), self.game, self._role, Rng.keyed(seed, "agent"))
                self._look()
                self._warm_up(agent, seed)

    def advance(self, step: Step, answered: str) -> None:
        """Go on by a step."""
        choosing, before = self.follower.choosing, self.follower.legal
        self.follower.advance(step, answered)
        done = self.follower.steps[-1]
        if self._position is not None and done.moves is not None:
            self._go_on(self._position, dict(zip(self._walk.roles, done.moves, strict=True)))
        elif self._role >= 0 and self._position is None:
            own = done.last if done.moves is None else done.moves[self.follower.role]
            if len(before) > 1 or (
                not choosing and self._role == 0
            ):  # as the game has it, who moves where nobody chooses
                self._played.append(self.game.parse(own))
            self._look()

    def answer(self, until: float, told: Callable[[str], None]) -> str:
        """Choose a move by a time; before thinking, `told` is given one that will do."""
        legal = self.follower.legal
        anything = self._rng.choice(legal)
        told(anything)
        self.follower.look_further(time() + _LOOKING * (until - time()))
        seconds = until - time()
        if len(legal) == 1 or self._player is None or seconds < _LEAST:
            return anything
        with suppress(Exception):  # whatever an agent does, there is a move that will do
            decision = self._player.choose(self._information(), Limit(seconds=seconds).start())
            text = self.game.text(decision.move)
            return text if text in legal else anything
        return anything

    def think(self, until: float) -> None:
        """Think about the present state, for its own sake."""
        seconds = until - time()
        with suppress(Exception):
            if self._player is None or len(self.follower.legal) < 2 or seconds < _LEAST:
                return
            self._player.choose(self._information(), Limit(seconds=seconds).start())

    def _warm_up(self, agent: str, seed: int) -> None:
        """Have the search compiled: it would be late with its first move."""
        position = Position(self.game)
        for role in position.state.movers[:1]:
            player = sit_down(catalog.agent(agent), self.game, role, Rng.keyed(seed, "warm"))
            player.choose(position.information_set(role), _WARM.start())

    def _information(self) -> InformationSet:
        if self._position is not None:
            return self._position.information_set(self._role)
        legal = tuple(self.game.parse(move) for move in self.follower.legal)
        seen, played = tuple(self._seen), tuple(self._played)
        return InformationSet(game=self.game, role=self._role, legal=legal, seen=seen, played=played)

    def _look(self) -> None:
        """Write down what was just seen, in a game that hides something, as the game itself would."""
        if self._position is not None:
            return
        if not isinstance(self.game, GdlGame):
            raise UnsupportedGame("a game that hides something is too large to be compiled")
        follower = self.follower
        percepts = self._walk.percepts(follower.states[0], follower.role)
        ending = GOES_ON if follower.choosing else FORCED
        self._seen.append(self.game.shown(self._role, percepts, ending))

    def _go_on(self, position: Position, moves: dict[str, str]) -> None:
        """Make the moves; chance has to fall as the host says it did."""
        game, state = self.game, position.state
        joint = {role: game.parse(moves[game.roles[role]]) for role in state.movers}
        if "random" in moves:
            wanted = self._walk.facts(self.follower.states[0])
            for number in range(_DRAWS):
                if frozenset(state.after(joint, Rng(number)).facts()) == wanted:  # type: ignore[attr-defined]
                    position.chance = Rng(number)
                    break
            else:
                raise Lost(f"chance never led where the host says it did: {moves['random']}")
        position.play(joint)
