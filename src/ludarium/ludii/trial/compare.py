"""Does a game play as Ludii recorded it? The first difference tells where to look.

Levels, from weak to strong: A what is placed before the first move, B who moves, C how many moves there are, D whether the
recorded one is among them, E whether it leads to the recorded state, F whether its actions are the same in the same order
(only if asked for), G whether the game ends when it should, and how.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from ludarium.ludii.trial import interpreter
from ludarium.ludii.trial.position import Position, Snapshot, difference
from ludarium.ludii.trial.record import Action, Move, Trial
from ludarium.ludii.trial.replay import Choice, Outcomes, Replay, arrival, rolls

_TRIED = 512  # moves that look alike are told apart by what they lead to, but not without end
_NOT_COMPARED = frozenset({"decision", "forced"})


@dataclass(frozen=True)
class Difference:
    """Where a game and a trial part: the level, how many moves were played before, and what either says."""

    level: str
    ply: int
    ours: str
    recorded: str

    def __str__(self) -> str:
        return f"level {self.level}, ply {self.ply}: ours {self.ours}; recorded {self.recorded}"


def compare(trial: Trial, replay: Replay, *, order: bool = False) -> Difference | None:
    """Replay a trial in a game: the first difference, or nothing if they agree; `order` asks for level F, too."""
    return next(_Comparison(trial, replay, order=order).differences(), None)


class _Comparison:
    def __init__(self, trial: Trial, replay: Replay, *, order: bool) -> None:
        self.trial, self.replay, self.order = trial, replay, order
        given = getattr(replay, "given", None)
        self.solving = given is not None
        self.placements = trial.placements if given is None else trial.moves[:given]
        self.played = trial.played if given is None else trial.moves[given:]
        self.position = Position(replay.facts)

    def differences(self) -> Iterator[Difference]:
        """All that is different, up to where nothing can be said any more."""
        yield from self._start()
        for ply, move in enumerate(self.played):
            legal = self.replay.legal()
            yield from self._before(ply, move, legal)
            outcomes = self._outcomes(ply, move)
            interpreter.play(self.position, move)
            for action in arrival(self._move(ply + 1)):
                interpreter.do(self.position, action)
            expected = self.position.snapshot()
            ways = self._fitting(move, legal)
            if not ways:
                yield Difference("D", ply, _unlike(move, legal), _told(move))
                return
            following = self._move(ply + 1)
            outcomes = replace(outcomes, leading=expected, mover=following.mover if following else None)
            chosen = self._chosen(ways, outcomes, expected)
            if self.order:
                yield from self._order(ply, move, chosen, outcomes)
            self.replay.play(chosen, outcomes)
            if any(action.kind == "NextInstance" for action in move.flat):
                self._restart()
            elif found := difference(self.replay.snapshot(), expected):
                yield Difference("E", ply, *found)
        yield from self._end()

    def _start(self) -> Iterator[Difference]:
        placements = self.placements
        for move in placements:
            interpreter.place(self.position, move)
        first = arrival(self._move(0))
        for action in first:
            interpreter.do(self.position, action)
        self.replay.start(Outcomes(placements, arriving=rolls(first)))
        if found := difference(self.replay.snapshot(), self.position.snapshot()):
            yield Difference("A", 0, *found)

    def _before(self, ply: int, move: Move, legal: Sequence[Choice]) -> Iterator[Difference]:
        replay = self.replay
        if replay.over:
            yield Difference("G", ply, f"over, winner {replay.winner}", f"goes on with {_told(move)}")
        together = replay.facts.players + 1
        mover = together if len(replay.movers) > 1 else next(iter(replay.movers), 0)
        if (
            move.mover != mover
            and not self.solving
            and not (len(replay.movers) > 1 and move.mover in {0, *replay.movers})
        ):
            yield Difference("B", ply, f"player {mover} moves", f"player {move.mover} moves")
        if ply < len(self.trial.sizes):
            listed, recorded = sum(choice.times for choice in legal), self.trial.sizes[ply]
            if listed != recorded:
                yield Difference("C", ply, f"{listed} moves", f"{recorded} moves, of which {_told(move)}")

    def _outcomes(self, ply: int, move: Move) -> Outcomes:
        rolled = rolls(tuple(move.flat)[len(arrival(move)) :])
        return Outcomes(move=move, rolled=rolled, arriving=rolls(arrival(self._move(ply + 1))))

    def _fitting(self, move: Move, legal: Sequence[Choice]) -> list[tuple[Choice, ...]]:
        """The choices, one of each mover, that agree with what is recorded; where nothing was chosen, all do."""
        movers = self.replay.movers
        decisions = [action for action in move.flat if action.decision or self.solving]
        told = [*decisions, *[None] * len(movers)] if len(movers) > 1 or not decisions else decisions[:1]
        fitting = [
            [choice for choice in legal if choice.mover == mover and (action is None or _fits(choice.action, action))]
            for mover, action in zip(movers, told, strict=False)
        ]
        return list(islice(product(*fitting), _TRIED))

    def _chosen(self, ways: list[tuple[Choice, ...]], outcomes: Outcomes, expected: Snapshot) -> tuple[Choice, ...]:
        """Of choices that look alike, the one that leads to the recorded state."""
        if len(ways) == 1:
            return ways[0]
        after = self.replay.after
        return next((way for way in ways if difference(after(way, outcomes), expected) is None), ways[0])

    def _order(self, ply: int, move: Move, chosen: Sequence[Choice], outcomes: Outcomes) -> Iterator[Difference]:
        ours = self.replay.actions(chosen, outcomes)
        if ours is not None and tuple(ours) != tuple(move.flat):
            yield Difference("F", ply, ",".join(map(str, ours)), ",".join(map(str, move.flat)))

    def _restart(self) -> None:
        """In a match another game begins, and what is placed in it is not recorded: it is taken as the game says."""
        self.position = Position(self.replay.facts)
        self.position.load(self.replay.snapshot())

    def _end(self) -> Iterator[Difference]:
        replay, trial, ply = self.replay, self.trial, len(self.played)
        if trial.winner is None:
            return  # the record stops before the end
        if not replay.over:
            yield Difference("G", ply, "goes on", f"over, winner {trial.winner} ({trial.end_type})")
        elif replay.winner != trial.winner:
            yield Difference("G", ply, f"winner {replay.winner}", f"winner {trial.winner}")
        elif trial.ranks and tuple(replay.ranks) != trial.ranks:
            yield Difference("G", ply, f"ranks {_ranks(replay.ranks)}", f"ranks {_ranks(trial.ranks)}")

    def _move(self, ply: int) -> Move | None:
        return self.played[ply] if ply < len(self.played) else None


def _fits(ours: Action, recorded: Action) -> bool:
    """Whether two actions agree in all that both say."""
    if ours.kind != recorded.kind:
        return False
    shared = ours.fields.keys() & recorded.fields.keys() - _NOT_COMPARED
    return all(ours.fields[name] == recorded.fields[name] for name in shared)


def _unlike(move: Move, legal: Sequence[Choice]) -> str:
    kinds = {action.kind for action in move.flat if action.decision}
    alike = sum(choice.action.kind in kinds for choice in legal)
    return f"none of {len(legal)} moves fits ({alike} of its kind)"


def _told(move: Move) -> str:
    action = move.decision
    return str(action) if action else f"a move of {len(move.actions)} actions"


def _ranks(ranks: Sequence[float]) -> str:
    return ", ".join(map(str, ranks[1:]))
