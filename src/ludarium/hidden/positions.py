"""Hidden positions: layouts of pieces that agree with all that was seen, each as likely as it is.

Pieces were laid one after the other, each in one of the ways that were free then, all equally likely. `laying` tells
how layouts are drawn from that, given the cells that are covered and those that are not. Where pieces get in each other's
way so much that nearly nothing is found, all layouts that agree are listed, and drawn from the list.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from ludarium.core import GameError, InformationSet, Move, Rng, Role
from ludarium.core.hidden import Positions
from ludarium.hidden.declared import BATCH, DeclaredSampler
from ludarium.hidden.laying import draw_layouts, hottest, list_layouts
from ludarium.hidden.positioning import CELLS, PIECES, Group, Plan, Ways, count_combinations, sort_ways, survey
from ludarium.hidden.sampler import TooManyStates
from ludarium.kernel import KernelGame

_TRIES = 2000  # layouts that are tried in one call
_RARE = 1000  # tries per layout from which on it is better to list them
_LOOK = 50_000  # tries until that is judged
_STEPS = 100_000  # of listing, in one call
_LISTED = 1 << 16  # layouts that are listed at most
_CAPACITY = 1 << 9  # sets of hits per piece that are counted, at first
_MOST = 1 << 20
_WORD = (1 << 64) - 1


class PositionSampler(DeclaredSampler):
    """Layouts for a role in a match; with `heat` samples, such layouts are preferred as cover much of what those cover."""

    def __init__(self, game: KernelGame, role: Role, told: Positions, *, free: bool = False, heat: int = 0) -> None:
        super().__init__(game, role, told, free=free)
        self.told, self.samples = told, heat
        self.heated = heat > 0 and told.aim is not None
        self.heat = array("d", bytes(8 * CELLS))
        """How often a cell that is not known to be covered was covered in the samples, from 0 to 1."""

        self._plan = Plan()
        self._plan.role = role
        self._read_ways(told)
        count = len(self._low)
        self._order, self._which = array("q", bytes(8 * count)), array("q", bytes(8 * count))
        self._groups, self._ends = bytearray(Group.size * count), array("q", bytes(8 * PIECES))
        self._tally, self._list, self._heights = array("q"), array("q"), array("d")
        self._listing, self._warm = False, True
        self._counts(_CAPACITY)
        survey(self._pieces, self._low, self._high)
        self._sort()  # what is compiled now is not on the clock of the first move
        count_combinations(self._plan, self._pieces, self._groups, self._ends, *self._levels)
        self._draw_some(0, Rng(0))
        if heat:
            hottest(self._plan, self._low, self._high, self._order, self._groups, self._ends, self.heat)

    def _read_ways(self, told: Positions) -> None:
        if not 1 <= len(told.ways) <= PIECES:
            raise GameError(f"game '{self.game.name}' hides {len(told.ways)} pieces: 1 to {PIECES} can be laid")
        self._low, self._high, self._number = array("Q"), array("Q"), array("q")
        self._pieces = bytearray(Ways.size * len(told.ways))
        for piece, ways in enumerate(told.ways):
            own = Ways(memoryview(self._pieces)[piece * Ways.size :])
            own.first = len(self._low)
            for number, cells in enumerate(ways):
                if not 0 <= cells < 1 << CELLS:
                    raise GameError(f"game '{self.game.name}' lays piece {piece} on cells above {CELLS - 1}")
                if cells:
                    self._low.append(cells & _WORD)
                    self._high.append(cells >> 64)
                    self._number.append(number)
            own.end = len(self._low)
            if own.end == own.first:
                raise GameError(f"game '{self.game.name}' has no way to lay piece {piece}")

    def _counts(self, capacity: int) -> None:
        self._plan.capacity = capacity
        levels = PIECES + 1
        self._levels = (
            array("q", bytes(16 * capacity * levels)),
            array("Q", bytes(8 * capacity * levels)),
            array("d", bytes(8 * capacity * levels)),
            array("q", bytes(8 * levels)),
        )

    # What is known

    def _begin(self, info: InformationSet) -> None:
        plan, state = self._plan, self.game.state_record(self._base)
        plan.pieces = self.told.known(info.seen[-1], self.role, state, plan.covered, plan.clear, plan.told)
        if plan.pieces < 0:
            raise self.contradiction("nobody is shown that")
        if self.free:
            for word in range(2):
                plan.covered[word] = plan.clear[word] = 0
            for piece in range(PIECES):
                plan.told[piece] = -1
        if plan.covered[0].bit_count() + plan.covered[1].bit_count() > 64:
            raise TooManyStates(f"more than 64 covered cells of {self.game.name} are known")
        self._sort()
        while not count_combinations(plan, self._pieces, self._groups, self._ends, *self._levels):
            if plan.capacity >= _MOST:
                raise TooManyStates(f"the hits in {self.game.name} can belong to the pieces in too many ways")
            self._counts(4 * plan.capacity)
        if plan.combinations == 0:
            raise self.contradiction("the hidden pieces cannot lie so that they cover what they must, and nothing else")
        plan.tries = plan.found = plan.listed = plan.entries = plan.depth = plan.heated = 0
        plan.all_weights = 0.0
        self._stack, self._occupied = array("q", bytes(16 * PIECES)), array("Q", bytes(16 * (PIECES + 1)))
        self._listing = False
        self._warm = not self.samples
        self._tally = array("q", bytes(8 * CELLS)) if self.samples else array("q")

    def _sort(self) -> None:
        sort_ways(
            self._plan, self._pieces, self._low, self._high, self._number, self._order, self._groups, self._ends,
            self._which,
        )  # fmt: skip

    # Drawing

    def _drawn(self, count: int, rng: Rng) -> int:
        if not self._warm:
            self._warm_up(rng)
            if not self._warm:
                return 0
        return self._draw_some(count, rng)

    def _draw_some(self, count: int, rng: Rng) -> int:
        plan = self._plan
        if self._rare() and not self._finished():
            return 0
        plan.try_limit = plan.tries + _TRIES
        if plan.tries < _LOOK:
            plan.try_limit = min(plan.try_limit, _LOOK)  # so that where it is judged does not depend on the pieces
        laid = plan.laid
        made: int = draw_layouts(
            plan, self.table, self._filling, self._base, self._arena, self._pieces, self._low, self._high,
            self._number, self._order, self._groups, self._ends, *self._levels[:3], self._list, self._heights,
            self.heat, self._tally, count, rng,
        )  # fmt: skip
        self.effort.attempts += plan.laid - laid
        return made

    def _rare(self) -> bool:
        plan = self._plan
        if plan.tries == _LOOK and not plan.listed and plan.found * _RARE < _LOOK:
            self._listing = True
        return self._listing

    def _finished(self) -> bool:
        """List some more layouts; True when they need not be listed any longer."""
        plan = self._plan
        if not self._heights:
            self._list, self._heights = array("q", bytes(8 * PIECES * _LISTED)), array("d", bytes(8 * _LISTED))
        done = list_layouts(
            plan, self._pieces, self._low, self._high, self._order, self._groups, self._ends, self._stack,
            self._occupied, self._list, self._heights, _STEPS,
        )  # fmt: skip
        if done == 1 and not plan.listed:
            raise self.contradiction("the hidden pieces get in each other's way")
        self._listing = not done
        return done > 0

    # Heat

    def warmth(self, moves: Sequence[Move]) -> dict[Move, float]:
        """Give the heat of the cells that moves are aimed at: what was drawn last decides."""
        aim = self.told.aim if self.heated else None
        if aim is None:
            return {}
        cells = {move: aim(move) for move in moves}
        return {move: self.heat[cell] if cell >= 0 else 0.0 for move, cell in cells.items()}

    def _warm_up(self, rng: Rng) -> None:
        """Count how often cells are covered in some layouts; then prefer layouts that cover much of that."""
        plan = self._plan
        self._draw_some(min(self.samples - plan.found, BATCH), rng)  # the arena holds no more
        if plan.found < self.samples:
            return
        covered = [plan.covered[cell >> 6] >> (cell & 63) & 1 for cell in range(CELLS)]
        for cell in range(CELLS):
            self.heat[cell] = 0.0 if covered[cell] else self._tally[cell] / self.samples
        plan.bound = hottest(plan, self._low, self._high, self._order, self._groups, self._ends, self.heat)
        plan.heated = int(plan.bound > 0.0)
        self._tally = array("q")
        self._warm = True
