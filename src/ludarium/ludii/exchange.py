"""Matches played here as trials that Ludii opens, and trials of Ludii as moves that are played here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludarium import library
from ludarium.core import TOGETHER, BadParameter, Move, Role, State
from ludarium.kernel import KernelState
from ludarium.ludii.replaying import LudReplay
from ludarium.ludii.trial.compare import compare
from ludarium.ludii.trial.reader import parse
from ludarium.ludii.trial.recorder import Recorder
from ludarium.ludii.trial.writer import text as trial_text

if TYPE_CHECKING:
    from ludarium.ludii.lud_game import LudGame
    from ludarium.ludii.trial.position import Snapshot
    from ludarium.ludii.trial.replay import Choice, Outcomes


def write(game: LudGame, states: Sequence[State], joints: Sequence[Mapping[Role, Move]]) -> str:
    """Write down a match: all its states from the first one on, and the moves between them."""
    replay = LudReplay(game)
    description = game.model.rules.description
    recorder = Recorder(_path(description.file, game.model.name), replay.facts, options=description.options.choices)
    _look(replay, states[0])
    recorder.start(replay.snapshot())
    for joint, after in zip(joints, states[1:], strict=True):
        legal = replay.legal()
        chosen = [each for each in legal if joint.get(replay.role(each.mover)) == each.code]
        _look(replay, after)
        movers = () if replay.over else replay.movers
        recorder.move(chosen, replay.snapshot(), size=sum(each.times for each in legal), movers=movers)
    ranks = replay.ranks if replay.over else (0.0,) * (replay.facts.players + 1)
    return trial_text(recorder.finish(replay.winner if replay.over else None, ranks))


def read(game: LudGame, text: str) -> tuple[str, ...]:
    """The moves of a trial, which must play here as it was recorded; the record of one with chance tells no seed of ours."""
    if not game.traits.deterministic:
        raise BadParameter(f"{game.name} draws chance, and a trial of Ludii cannot be drawn again here")
    following = _Following(game)
    if found := compare(parse(text), following):
        raise BadParameter(f"this trial does not play as {game.name} does: {found}")
    return tuple(TOGETHER.join(game.text(each.code) for each in chosen) for chosen in following.made)


class _Following(LudReplay):
    """Goes along with a trial, and keeps what was chosen."""

    def __init__(self, game: LudGame) -> None:
        super().__init__(game)
        self.made: list[Sequence[Choice]] = []

    def after(self, chosen: Sequence[Choice], outcomes: Outcomes) -> Snapshot:
        """What is only tried is not kept."""
        made = len(self.made)
        try:
            return super().after(chosen, outcomes)
        finally:
            del self.made[made:]

    def play(self, chosen: Sequence[Choice], outcomes: Outcomes) -> None:
        """Go on, and keep what was chosen."""
        super().play(chosen, outcomes)
        self.made.append(chosen)


def _look(replay: LudReplay, state: State) -> None:
    assert isinstance(state, KernelState)
    replay.block[:] = state.block


def _path(file: str, name: str) -> str:
    """How Ludii names a game: by its place in the library, wherever that is kept; a game of our own has none."""
    folder, inside, path = file.replace("\\", "/").rpartition("/lud/")
    ours = inside and Path(folder) == Path(library.__file__).parent
    return f"/lud/{name}.lud" if ours or not inside else f"/lud/{path}"
