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
from ludarium.hidden.declarations.declared import BATCH, DeclaredSampler
from ludarium.hidden.declarations.laying import draw_layouts, hottest, list_layouts
from ludarium.hidden.declarations.positions_kernels import (
    CELLS,
    PIECES,
    Group,
    Layouts,
    Ways,
    count_combinations,
    sort_ways,
    survey,
)
from ludarium.hidden.sampler import TooManyStates
from ludarium.kernel import KernelGame, f64, i64, u64, zeros

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

    def __init__(
        self, game: KernelGame, role: Role, declaration: Positions, *, free: bool = False, heat: int = 0
    ) -> None:
        super().__init__(game, role, declaration, free=free)
        self.declaration, self.samples = declaration, heat
        self.heated = heat > 0 and declaration.aim is not None
        self.heat = array("d", bytes(8 * CELLS))
        """How often a cell that is not known to be covered was covered in the samples, from 0 to 1."""

        self._layouts = self._laid_out(declaration)
        self._listing, self._warm = False, True
        self._make_room(_CAPACITY)
        survey(self._layouts)
        sort_ways(self._layouts)  # what is compiled now is not on the clock of the first move
        count_combinations(self._layouts)
        self._draw_some(0, Rng(0))
        if heat:
            hottest(self._layouts)

    def _laid_out(self, declaration: Positions) -> Layouts:
        """List all ways to lay the pieces."""
        if not 1 <= len(declaration.ways) <= PIECES:
            raise GameError(f"game '{self.game.name}' hides {len(declaration.ways)} pieces: 1 to {PIECES} can be laid")
        low, high, numbers = array("Q"), array("Q"), array("q")
        pieces = bytearray(Ways.size * len(declaration.ways))
        for piece, ways in enumerate(declaration.ways):
            own = Ways(memoryview(pieces)[piece * Ways.size :])
            own.first = len(low)
            for number, cells in enumerate(ways):
                if not 0 <= cells < 1 << CELLS:
                    raise GameError(f"game '{self.game.name}' lays piece {piece} on cells above {CELLS - 1}")
                if cells:
                    low.append(cells & _WORD)
                    high.append(cells >> 64)
                    numbers.append(number)
            own.end = len(low)
            if own.end == own.first:
                raise GameError(f"game '{self.game.name}' has no way to lay piece {piece}")
        return Layouts(
            making=self._making,
            pieces=pieces,
            low=low,
            high=high,
            number=numbers,
            order=zeros(i64, len(low)),
            groups=zeros(Group, len(low)),
            ends=zeros(i64, PIECES),
            which=zeros(i64, len(low)),
            slots=zeros(i64, 0),
            keys=zeros(u64, 0),
            counts=zeros(f64, 0),
            sizes=zeros(i64, PIECES + 1),
            stack=zeros(i64, 2 * PIECES),
            occupied=zeros(u64, 2 * (PIECES + 1)),
            chosen=zeros(i64, 0),
            heights=zeros(f64, 0),
            heat=self.heat,
            tally=zeros(i64, 0),
        )

    def _make_room(self, capacity: int) -> None:
        """Make room for so many sets of hits per piece."""
        room = capacity * (PIECES + 1)
        self._layouts.capacity = capacity
        self._layouts.fill(slots=zeros(i64, 2 * room), keys=zeros(u64, room), counts=zeros(f64, room))

    # What is known

    def _begin(self, info: InformationSet) -> None:
        layouts, known, state = self._layouts, self._layouts.known, self.game.state_record(self._base)
        layouts.count = self.declaration.known(
            info.seen[-1], self.role, state, known.covered, known.clear, known.announced
        )
        if layouts.count < 0:
            raise self.contradiction("nobody is shown that")
        if self.free:
            for word in range(2):
                known.covered[word] = known.clear[word] = 0
            for piece in range(PIECES):
                known.announced[piece] = -1
        if known.covered[0].bit_count() + known.covered[1].bit_count() > 64:
            raise TooManyStates(f"more than 64 covered cells of {self.game.name} are known")
        sort_ways(layouts)
        while not count_combinations(layouts):
            if layouts.capacity >= _MOST:
                raise TooManyStates(f"the hits in {self.game.name} can belong to the pieces in too many ways")
            self._make_room(4 * layouts.capacity)
        if layouts.combinations == 0:
            raise self.contradiction("the hidden pieces cannot lie so that they cover what they must, and nothing else")
        layouts.tries = layouts.found = layouts.listed = layouts.entries = layouts.depth = 0
        layouts.all_weights, layouts.heated = 0.0, False
        layouts.stack[0] = 0
        self._listing = False
        self._warm = not self.samples
        layouts.fill(tally=zeros(i64, CELLS if self.samples else 0))

    # Drawing

    def _draw_states(self, count: int, rng: Rng) -> int:
        if not self._warm:
            self._warm_up(rng)
            if not self._warm:
                return 0
        return self._draw_some(count, rng)

    def _draw_some(self, count: int, rng: Rng) -> int:
        layouts = self._layouts
        if self._rare() and not self._finished():
            return 0
        layouts.try_limit = layouts.tries + _TRIES
        if layouts.tries < _LOOK:
            layouts.try_limit = min(
                layouts.try_limit, _LOOK
            )  # so that where it is judged does not depend on the pieces
        laid = layouts.laid
        made: int = draw_layouts(self.table, layouts, count, rng)
        self.effort.attempts += layouts.laid - laid
        return made

    def _rare(self) -> bool:
        layouts = self._layouts
        if layouts.tries == _LOOK and not layouts.listed and layouts.found * _RARE < _LOOK:
            self._listing = True
        return self._listing

    def _finished(self) -> bool:
        """List some more layouts; True when they need not be listed any longer."""
        layouts = self._layouts
        if not len(layouts.heights):
            layouts.fill(chosen=zeros(i64, PIECES * _LISTED), heights=zeros(f64, _LISTED))
        over, complete = list_layouts(layouts, _STEPS)
        if complete and not layouts.listed:
            raise self.contradiction("the hidden pieces get in each other's way")
        self._listing = not over
        return over

    # Heat

    def warmth(self, moves: Sequence[Move]) -> dict[Move, float]:
        """Give the heat of the cells that moves are aimed at: what was drawn last decides."""
        aim = self.declaration.aim if self.heated else None
        if aim is None:
            return {}
        cells = {move: aim(move) for move in moves}
        return {move: self.heat[cell] if cell >= 0 else 0.0 for move, cell in cells.items()}

    def _warm_up(self, rng: Rng) -> None:
        """Count how often cells are covered in some layouts; then prefer layouts that cover much of that."""
        layouts = self._layouts
        self._draw_some(min(self.samples - layouts.found, BATCH), rng)  # the arena holds no more
        if layouts.found < self.samples:
            return
        known = layouts.known.covered
        covered = [known[cell >> 6] >> (cell & 63) & 1 for cell in range(CELLS)]
        for cell in range(CELLS):
            self.heat[cell] = 0.0 if covered[cell] else layouts.tally[cell] / self.samples
        layouts.bound = hottest(layouts)
        layouts.heated = layouts.bound > 0.0
        layouts.fill(tally=zeros(i64, 0))
        self._warm = True
