"""Large pieces (`tile` with a walk): which sites they cover, and the kernels that keep it.

A large piece stands on its root. Its local state says which of its walks it takes from there, and in which direction that
begins; the other sites of the walk are covered: nothing stands on them, but they are not empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ludarium.kernel import Kernel, constant, i32, i64, kernel, u64, view
from ludarium.ludii.memory.state import Layout
from ludarium.ludii.model import Component, Model

_FEWEST_DIRECTIONS = 4
"""Ludii tries four states for each walk, whatever the board."""


@dataclass(frozen=True)
class Covers:
    """What the large pieces of a game cover."""

    model: Model

    @cached_property
    def _directions(self) -> tuple[str, ...]:
        model = self.model
        if model.topology.default_type != "Cell":
            raise model.unsupported(model.root, "tile", "on a board without cells")
        found = model.topology.supported("Cell", "Orthogonal")
        if len(found) < _FEWEST_DIRECTIONS:
            raise model.unsupported(model.root, "tile", "on a board of fewer than four directions")
        return found

    def states(self, piece: Component) -> int:
        """How many states of a piece are tried."""
        return len(piece.walks) * _FEWEST_DIRECTIONS

    def sites(self, piece: Component, state: int, root: int) -> tuple[int, ...]:
        """The sites of a piece, its root first; none if a walk leads off the board."""
        ways = self._directions
        walk, at, found = piece.walks[state // len(ways)], root, [root]
        way = state % len(ways)
        for step in walk:
            if step == "F":
                onwards = self.model.topology.steps("Cell", ways[way])[at]
                if not onwards:
                    return ()
                at = onwards[-1]
                found += [at] if at not in found else []
            else:
                way = (way + (1 if step == "R" else -1)) % len(ways)
        return tuple(found)

    @cached_property
    def tables(self) -> tuple[list[int], list[int], list[int], list[int]]:
        """The states of each kind (0: not large), the row of its first, where the sites of a row begin, and all sites."""
        states, first, starts, sites = [0], [0], [0], list[int]()
        known: dict[tuple[tuple[str, ...], ...], int] = {}
        for piece in self.model.components:
            states.append(self.states(piece))
            first.append(known.setdefault(piece.walks, len(starts) - 1))
            if first[-1] != len(starts) - 1:  # pieces of one shape cover the same
                continue
            for state in range(states[-1]):
                for root in range(self.model.board_sites):
                    sites += self.sites(piece, state, root)
                    starts.append(len(sites))
        return states, first, starts, sites or [0]


def large_kernels(layout: Layout) -> dict[str, Kernel[Any]]:
    """Make the kernels that cover sites and uncover them."""
    State: Any = layout.state
    large, board = layout.large, layout.model.board_sites
    tables: Sequence[Sequence[int]] = Covers(layout.model).tables if large else ([0], [0], [0, 0], [0])
    states, first, starts, sites = (constant(i32, each) for each in tables)

    @kernel
    def states_of(piece: i64) -> i64:
        """How many states of a piece are tried: 0 if it is not large."""
        return i64(states[piece])

    @kernel
    def row_of(piece: i64, state: i64, x: i64) -> i64:
        """Where the sites of a large piece are; -1 off the board."""
        if states[piece] == 0 or x < 0 or x >= board or state >= states[piece]:
            return -1
        return i64(first[piece]) + max(0, state) * board + x

    @kernel
    def cover(s: State, piece: i64, state: i64, x: i64, on: i64) -> None:
        """Cover the sites of a large piece beside its root, or uncover them."""
        if large:
            row = row_of(piece, state, x)
            if row >= 0:
                for k in range(starts[row], starts[row + 1]):
                    y = i64(sites[k])
                    if y != x:
                        bit = u64(1) << u64(y & 63)
                        s.covered[y >> 6] &= ~bit
                        if on == 1:
                            s.covered[y >> 6] |= bit

    @kernel
    def covers(piece: i64, state: i64, x: i64, k: i64) -> i64:
        """One of the sites of a large piece, beginning with its root; -1 if it has no more."""
        row = row_of(piece, state, x)
        if row < 0:
            return -1
        if starts[row] + k >= starts[row + 1]:
            return -1
        return i64(sites[starts[row] + k])

    @kernel
    def fits_into(piece: i64, state: i64, x: i64, free: view[u64]) -> bool:
        """Whether all sites of a large piece are in a set, and there are any."""
        row = row_of(piece, state, x)
        if row < 0 or starts[row] == starts[row + 1]:
            return False
        for k in range(starts[row], starts[row + 1]):
            y = i64(sites[k])
            if (free[y >> 6] >> u64(y & 63)) & u64(1) == u64(0):
                return False
        return True

    made: list[Kernel[Any]] = [states_of, row_of, cover, covers, fits_into]
    return {each.name: each for each in made}
