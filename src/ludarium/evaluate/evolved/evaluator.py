"""Judging by evolved networks: `evolved(champions.json)`, one network per role."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from ludarium.core import BadParameter, Game, Rng, State, UnsupportedGame
from ludarium.evaluate.evolved.champions import Champions
from ludarium.evaluate.evolved.inputs_kernels import Inputs, look
from ludarium.evaluate.evolved.network import flat
from ludarium.evaluate.evolved.network_kernels import Networks, activate
from ludarium.evaluate.judge import Judge, values
from ludarium.evaluate.own import EDGE
from ludarium.kernel import Bundle, Stream, Table, bridge, f64, i64, kernel, u8, view


class Panel(Bundle):
    """A network for each role, and how they see a state."""

    inputs: Inputs
    networks: Networks


@kernel
def fair(worth: f64) -> f64:
    """Keep a judgement between a loss and a win; what is no number is a draw."""
    if worth > EDGE:
        return min(1.0 - EDGE, worth)
    return EDGE if worth <= EDGE else 0.5


@kernel
def by_networks(table: Table, state: view[u8], out: view[f64], judging: Bundle, rng: Stream) -> i64:
    """Judge a state: utilities at the end, else each role by its network."""
    acting = table.movers(state)
    if acting == 0:
        table.utilities(state, out)
        return 0
    panel = Panel.of(judging)
    look(table, state, acting, panel.inputs, panel.networks.values)
    for role in range(table.roles):
        out[role] = fair(activate(panel.networks, role))
    return 0


@dataclass(frozen=True)
class Evolved:
    """Judge a state by networks that `ludarium evolve` has found."""

    name: ClassVar[str] = "evolved"

    file: str = ""
    """The file of champions."""

    rank: int = 0
    """0 for the champions; else the teachers of this rank, counted from 1, or the highest there is."""

    def __post_init__(self) -> None:
        given: Any = (self.file, self.rank)
        if not isinstance(given[0], str):
            raise BadParameter(f"evolved: file is {given[0]!r}; expected the name of a file of champions")
        if isinstance(given[1], bool) or not isinstance(given[1], int) or given[1] < 0:
            raise BadParameter(f"evolved: rank is {self.rank!r}; expected a whole number from 0 on")

    def judge(self, game: Game) -> Judge:
        """Make it ready for a game."""
        if not self.file:
            raise UnsupportedGame(
                f"evolved cannot judge {game.name}: it needs a file of champions, as in evolved(champions.json)"
            )
        path = Path(self.file)
        try:
            stamp = path.stat().st_mtime_ns
        except OSError as problem:
            raise BadParameter(f"evolved: cannot read {path}: {problem.strerror}") from None
        champions = _loaded(path, stamp)
        found = champions.seen(game)
        table = bridge(game).table
        networks = [
            teachers[min(self.rank, len(teachers)) - 1] if self.rank and teachers else champion
            for champion, teachers in zip(champions.networks, champions.teachers, strict=True)
        ]
        return Judge(by_networks, Panel(inputs=found.bundle(table), networks=flat(networks, found.count)))

    def values(self, game: Game, states: Sequence[State], rng: Rng) -> Sequence[tuple[float, ...]]:
        """Judge states."""
        return values(self.judge(game), game, states, rng)


@lru_cache(maxsize=16)
def _loaded(path: Path, _stamp: int) -> Champions:
    return Champions.load(path)
