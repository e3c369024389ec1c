"""A match that goes along with a recorded trial: its games are replayed as they are by themselves."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ludarium.core import Rng
from ludarium.ludii.matches.game import MatchGame
from ludarium.ludii.matches.writing import TAG
from ludarium.ludii.replaying import LudReplay
from ludarium.ludii.trial.facts import GameFacts
from ludarium.ludii.trial.position import Snapshot
from ludarium.ludii.trial.record import Action
from ludarium.ludii.trial.replay import Choice, Outcomes


class MatchReplay:
    """A match of ours in the place of Ludii."""

    def __init__(self, game: MatchGame) -> None:
        self.game = game
        self.block = bytearray(game.state_size)
        self._scratch = bytearray(game.scratch_size)
        self._games = [LudReplay(each, self._scratch) for each in game.parts]
        self._rng = Rng(1)

    @property
    def _match(self) -> Any:
        return self.game.record(bytes(self.block))

    @property
    def _inner(self) -> LudReplay:
        """The game that is played, at the state that it has."""
        first, index = self.game.layout.size, int(self._match.index)
        inner = self._games[index]
        inner.block[:] = self.block[first : first + inner.game.state_size]
        return inner

    @property
    def facts(self) -> GameFacts:
        """The facts of the game that is played."""
        return self._inner.facts

    @property
    def movers(self) -> tuple[int, ...]:
        """Who chooses now."""
        inner = self._inner
        return () if self.over else (inner.movers or (inner.state.mover,))

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(self._match.over)

    @property
    def winner(self) -> int:
        """Who has won the match."""
        return int(self._match.status)

    @property
    def ranks(self) -> tuple[float, ...]:
        """The rank of each player."""
        return (0.0, *(self._match.rank2[p] / 2 for p in range(1, self.game.model.players + 1)))

    def start(self, outcomes: Outcomes) -> None:
        """Begin."""
        self._games[0].force([*self._games[0].drawn(outcomes), *(face for _, face in outcomes.arriving)])
        self._call("init", self.block, self._rng)

    def snapshot(self) -> Snapshot:
        """The state of the game that is played."""
        return self._inner.snapshot()

    def legal(self) -> Sequence[Choice]:
        """The moves to choose from."""
        inner, found = self._inner, list[Choice]()
        for mover in self.movers:
            out = array("Q", bytes(8 * self.game.max_moves))
            count = self._call("legal_repeated", bytes(self.block), mover - 1, out)
            for code, times in Counter(out[:count]).items():
                action = inner.action(code & ((1 << TAG) - 1)) if code >> TAG else Action("NextInstance", {})
                found.append(Choice(code, mover, action, times))
        return found

    def after(self, chosen: Sequence[Choice], outcomes: Outcomes) -> Snapshot:
        """The state that a choice would lead to."""
        before = bytes(self.block)
        try:
            self.play(chosen, outcomes)
            return self.snapshot()
        finally:
            self.block[:] = before

    def play(self, chosen: Sequence[Choice], outcomes: Outcomes) -> None:
        """Go on with a choice; which game comes next is found out before its chance is given."""
        joint = array("Q", [chosen[0].code] * self.game.model.players)
        for choice in chosen if len(chosen) > 1 else ():
            joint[choice.mover - 1] = choice.code
        before = bytes(self.block)
        if chosen[0].code == 0:
            self._call("apply", self.block, joint, self._rng)
            following = self._inner
            self.block[:] = before
            following.force([face for _, face in outcomes.arriving])
            self._call("apply", self.block, joint, self._rng)
            return
        inner = self._inner
        inner.force([face for _, face in (*outcomes.rolled, *outcomes.arriving)])
        for left in reversed(range(inner.draws(outcomes))):
            self.block[:] = before
            self._call("apply", self.block, joint, self._rng)
            if left == 0 or self._inner.leads_to(outcomes):
                return

    def actions(self, chosen: Sequence[Choice], outcomes: Outcomes) -> Sequence[Action] | None:
        """What a choice would do is only known by its state."""
        del chosen, outcomes
        return None

    def _call(self, name: str, *arguments: Any) -> Any:
        return self.game.bridge.unit.call(name, *arguments, self._scratch)
