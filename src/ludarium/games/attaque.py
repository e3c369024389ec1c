"""Attaque: a small game after L'Attaque (H. Edan, 1909), the ancestor of Stratego; a model for hidden identities.

Where pieces stand is seen by all, their ranks only by their owner, until they fight. A role is shown the state itself,
with unknown ranks in the place of those hidden from it. The rules as kernels are in `attaque_rules`.
"""

from __future__ import annotations

import re

from ludarium.core import BadParameter, IllegalMove, Offers, Role, Traits
from ludarium.core.hidden import Deal
from ludarium.games.attaque_rules import CELLS, LETTERS, MOVED, PLIES, RANK, SHOWN, UNKNOWN, State, kernels
from ludarium.kernel import Kernel, KernelGame, KernelState

RULES = """\
Both armies are put up at random on the rows nearest to their side; the other side sees where pieces stand, but not what
they are. A piece moves one step to a side, ahead or back, onto an empty cell or an enemy; flag and bombs never move. Scouts
move any number of empty cells in a line, but who goes more than one is known as a scout. When pieces meet, both are shown:
the higher rank stays (marshal, captain, miner, scout, spy), equal ones both go. A spy that attacks the marshal wins; a
bomb takes whoever attacks it, but for miners, who take the bomb. Whoever takes the flag wins, and whoever cannot move
loses; after 200 moves it is a draw. Settings: the board, and the army as letters, row by row: f flag, b bomb, s spy,
o scout, m miner, c captain, g marshal. A move is written as two cells: a2a3."""

ARMY = "fbbsoommcg"
COLUMNS = "abcdefgh"
ROLES = ("red", "blue")
NAMES = ("flag", "bomb", "spy", "scout", "miner", "captain", "marshal")


class Attaque(KernelGame):
    """The game for a board and an army, with what it tells of hidden ranks and how it judges a state."""

    def __init__(self, width: int, height: int, army: str) -> None:
        self.width, self.height = width, height
        made = kernels(width, height, [LETTERS.index(each) for each in army])
        judge: Kernel[None] = made.pop("judge")
        hidden = Deal(kinds=len(LETTERS), places=len(army), known=made.pop("known"), fill=made.pop("fill"))
        given = [f"width={width}"] * (width != 5) + [f"height={height}"] * (height != 6)
        given += [f"army='{army}'"] * (army != ARMY)
        super().__init__(
            f"attaque({', '.join(given)})" if given else "attaque",
            ROLES,
            Traits(turn_taking=True, constant_sum=True, max_plies=PLIES),
            state=State,
            max_moves=len(army) * (width + height - 2),
            text=self._written,
            parse=self._read,
            picture=self._picture,
            offers=Offers(
                rules=RULES,
                hidden=hidden,
                places=self.places,
                heuristics={"army": judge},  # the worth of what is left of the armies
            ),
            **made,
        )

    def places(self, state: KernelState, role: Role) -> dict[str, str]:
        """Tell the ranks of the enemy's pieces that were not shown yet."""
        cells = State(bytearray(state.block)).cells
        return {
            self._cell(at): NAMES[(cells[at] & RANK) - 1]
            for at in range(self.width * self.height)
            if cells[at] and (cells[at] >> 4 & 1) != role and not cells[at] & SHOWN
        }

    def _cell(self, at: int) -> str:
        return f"{COLUMNS[at % self.width]}{at // self.width + 1}"

    def _written(self, move: int) -> str:
        return self._cell(move // CELLS) + self._cell(move % CELLS)

    def _read(self, written: str) -> int:
        match = re.fullmatch(r"([a-h])([1-8])[-x]?([a-h])([1-8])", written)
        if not match:
            raise IllegalMove(f"'{written}' is not a move: write two cells, like a2a3")
        ends = []
        for column, row in (match.groups()[:2], match.groups()[2:]):
            if COLUMNS.index(column) >= self.width or int(row) > self.height:
                raise IllegalMove(f"'{written}' leaves the board, which ends at {COLUMNS[self.width - 1]}{self.height}")
            ends.append((int(row) - 1) * self.width + COLUMNS.index(column))
        return ends[0] * CELLS + ends[1]

    def _picture(self, state: State, role: Role | None) -> str:
        """Draw red in capitals; what a role does not know is ?, or ! if it has moved."""
        rows = []
        for row in reversed(range(self.height)):
            pieces = [state.cells[row * self.width + column] for column in range(self.width)]
            rows.append(f"{row + 1} {' '.join(_symbol(piece, role) for piece in pieces)}")
        return "\n".join([*rows, f"  {' '.join(COLUMNS[: self.width])}"])


def _symbol(piece: int, role: Role | None) -> str:
    if not piece:
        return "."
    owner = piece >> 4 & 1
    if role not in (None, owner) and not piece & SHOWN:
        return "!" if piece & MOVED else "?"
    letter = "?" if piece & RANK == UNKNOWN else LETTERS[(piece & RANK) - 1]
    return letter if owner else letter.upper()


def attaque(width: int = 5, height: int = 6, army: str = ARMY) -> Attaque:
    """Make the game for a board of this size and an army."""
    for name, size, least in (("width", width, 2), ("height", height, 3)):
        if type(size) is not int or not least <= size <= 8:
            raise BadParameter(f"the {name} of Attaque's board goes from {least} to 8: not {size}")
    if not army or set(army) - set(LETTERS):
        raise BadParameter(f"an army of Attaque is written with the letters {LETTERS}, not as '{army}'")
    if army.count("f") != 1:
        raise BadParameter(f"an army of Attaque has one flag, not {army.count('f')}")
    if len(army) % width or 2 * len(army) > width * (height - 1):
        raise BadParameter(
            f"an army of Attaque fills whole rows and leaves one free between both: {len(army)} pieces do not, on {width} "
            f"x {height}"
        )
    if army.count("f") + army.count("b") >= width:
        raise BadParameter("an army of Attaque whose flag and bombs may fill a whole row may not be able to move")
    return Attaque(width, height, army)
