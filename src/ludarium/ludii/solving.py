"""An exact solver of deduction puzzles: the variable with the fewest values left comes first, and all of them are tried."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from ludarium.core import Move, State
from ludarium.core.errors import GameError
from ludarium.kernel import KernelState
from ludarium.ludii.lud_game import LudGame


def solve(game: LudGame) -> tuple[Move, ...]:
    """The moves that solve a puzzle, or an error that it has no solution."""
    if not game.compiled.layout.domain:
        raise GameError(f"'{game.name}' is no deduction puzzle: its rules have no (satisfy ..)")
    found = _solved(game, game.initial(), frozenset())
    if found is None:
        raise GameError(f"the puzzle '{game.name}' has no solution")
    return found


def _solved(game: LudGame, state: State, done: frozenset[int]) -> tuple[Move, ...] | None:
    """The moves that solve what is left, where some variables are decided; every value that is tried breaks no constraint."""
    if not state.movers:
        return () if state.utilities()[0] == 1.0 else None
    ways: dict[int, list[Move]] = defaultdict(list)
    for move in state.legal(0):
        leaf = game.coordinates.leaf(move)
        if leaf is not None and leaf.kind == "Set" and leaf.read(move, "to") not in done:
            ways[leaf.read(move, "to")].append(move)
    assert isinstance(state, KernelState)
    record: Any = game.compiled.layout.state(bytearray(state.block))
    left = [site for site in game.variables if site not in done and record.solved[site] < 0]
    if not left or any(site not in ways for site in left):
        return None
    site = min(left, key=lambda each: len(ways[each]))
    for move in ways[site]:
        rest = _solved(game, state.after(move), done | {site})
        if rest is not None:
            return (move, *rest)
    return None
