"""Battleship: two hidden fleets, shots answered by hit or miss; a model for hidden positions.

A role is shown the state itself, without the ships of the other that it has not hit. The rules as kernels are in
`battleship_rules`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ludarium.core import BadParameter, IllegalMove, Offers, Role, Traits
from ludarium.core.hidden import Positions
from ludarium.games.battleship_rules import (
    BOARD,
    PLACING,
    SHIPS,
    Settings,
    State,
    blocked_at_most,
    cells_of,
    kernels,
    start_of,
    ways_of,
)
from ludarium.kernel import Kernel, KernelGame, KernelState

RULES = """\
Each player lays a fleet on a sea of their own: ships of 5, 4, 3, 3 and 2 cells, across or up, none on top of another. Then
they take turns to shoot at a cell of the other's sea that they have not shot at, and are told whether it was a hit.
Whoever has hit every cell of the other's fleet first wins. Settings: width and height of the seas; the fleet; placement
by the players or random; sunk: when all of a ship is hit, it is shown as such; again: a hit shoots again.
A ship is laid by its two ends, b2-b5 or b2-e2; a shot is written as a cell: c7."""

COLUMNS = "abcdefghijklmnop"
FLEET = (5, 4, 3, 3, 2)
ROLES = ("first", "second")
WATER, SHIP, HIT, MISS, SUNK = "·#*oX"


class Battleship(KernelGame):
    """The game for some settings, with what it tells of hidden ships and how it judges a state."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        made = kernels(settings)
        judge: Kernel[None] = made.pop("judge")
        hidden = Positions(
            [ways_of(settings.width, settings.height, length) for length in settings.fleet],
            known=made.pop("known"),
            fill=made.pop("fill"),
            aim=lambda move: move if move < PLACING else -1,
        )
        cells = settings.width * settings.height
        laying = 2 * len(settings.fleet) if settings.placement == "players" else 0
        super().__init__(
            _name(settings),
            ROLES,
            Traits(
                turn_taking=True,
                deterministic=settings.placement == "players",
                constant_sum=True,
                max_plies=laying + 2 * cells,
            ),
            state=State,
            max_moves=max(cells, *(sum(way != 0 for way in ways) for ways in hidden.ways)),
            text=self._written,
            parse=self._read,
            picture=self._picture,
            offers=Offers(
                rules=RULES,
                hidden=hidden,
                places=self.places,
                heuristics={"hits": judge},  # hits made minus hits taken
            ),
            **made,
        )

    def places(self, state: KernelState, role: Role) -> dict[str, str]:
        """Tell what lies on the cells of the other's sea that a role has not shot at."""
        seas = State(bytearray(state.block))
        ships, shots = _whole(seas.ships, 1 - role), _whole(seas.shots, 1 - role)
        cells = range(self.settings.width * self.settings.height)
        return {self._cell(cell): "ship" if ships >> cell & 1 else "water" for cell in cells if not shots >> cell & 1}

    def _cell(self, cell: int) -> str:
        return f"{COLUMNS[cell % self.settings.width]}{cell // self.settings.width + 1}"

    def _written(self, move: int) -> str:
        if move < PLACING:
            return self._cell(move)
        length, way = divmod(move - PLACING, 2 * BOARD)
        if length not in self.settings.fleet:
            raise IllegalMove(f"no move of {self.name} has the number {move}")
        cells = cells_of(self.settings.width, way, length)
        return f"{self._cell(cells[0])}-{self._cell(cells[-1])}"

    def _read(self, written: str) -> int:
        ends = [self._found(each, written) for each in written.split("-")]
        if len(ends) == 1:
            return ends[0]
        if len(ends) > 2:
            raise IllegalMove(f"'{written}' is not a move: a ship has two ends, like b2-b5")
        first, last = sorted(ends)
        rows, columns = last // self.settings.width - first // self.settings.width, (last - first) % self.settings.width
        if rows and columns:
            raise IllegalMove(f"'{written}' is not a ship: its ends are neither in one row nor in one column")
        return PLACING + (1 + rows + columns) * 2 * BOARD + start_of(first, up=rows > 0)

    def _found(self, cell: str, written: str) -> int:
        match = re.fullmatch(r"([a-p])(\d{1,3})", cell)
        if not match:
            raise IllegalMove(f"'{written}' is not a move: write a cell, like c7, or the ends of a ship, like b2-b5")
        column, row = COLUMNS.index(match[1]), int(match[2]) - 1
        if column >= self.settings.width or not 0 <= row < self.settings.height:
            corner = self._cell(self.settings.width * self.settings.height - 1)
            raise IllegalMove(f"'{written}' leaves the sea, which ends at {corner}")
        return row * self.settings.width + column

    def _picture(self, state: State, role: Role | None) -> str:
        """Draw both seas side by side; for a role, its own and what it knows of the other's."""
        order = (0, 1) if role in (None, 0) else (1, 0)
        seas = [self._sea(state, owner, open_=role in (None, owner)) for owner in order]
        return "\n".join("     ".join(rows).rstrip() for rows in zip(*seas, strict=True))

    def _sea(self, state: State, owner: Role, *, open_: bool) -> list[str]:
        width, height = self.settings.width, self.settings.height
        ships, shots = _whole(state.ships, owner), _whole(state.shots, owner)
        sunk = 0
        for ship, length in enumerate(self.settings.fleet):
            if state.sunk[owner] >> ship & 1:
                sunk |= sum(1 << cell for cell in cells_of(width, state.places[SHIPS * owner + ship], length))
        shown = [WATER] * (width * height)
        for cell in range(width * height):
            bit = 1 << cell
            if shots & bit:
                shown[cell] = SUNK if sunk & bit else HIT if ships & bit else MISS
            elif ships & bit and open_:
                shown[cell] = SHIP
        rows = [f"{row + 1:2} {' '.join(shown[row * width : (row + 1) * width])}" for row in reversed(range(height))]
        left = state.left[owner]
        title = f"   {ROLES[owner]}'s sea"
        told = f"   {left} to hit" if left else "   sunk"
        wide = max(len(title), len(rows[0]))
        return [f"{line:{wide}}" for line in (title, *rows, f"   {' '.join(COLUMNS[:width])}", told)]


def battleship(
    width: int = 10,
    height: int = 10,
    fleet: Sequence[int] = FLEET,
    placement: str = "players",
    *,
    sunk: bool = False,
    again: bool = False,
) -> Battleship:
    """Make the game for seas of this size and this fleet."""
    for name, size in (("width", width), ("height", height)):
        if type(size) is not int or not 1 <= size <= len(COLUMNS):
            raise BadParameter(f"the {name} of Battleship's seas goes from 1 to {len(COLUMNS)}: not {size}")
    if width * height > BOARD:
        raise BadParameter(f"a sea of Battleship has at most {BOARD} cells, not {width} x {height}")
    ships = tuple(fleet)
    if not 1 <= len(ships) <= SHIPS or not all(type(each) is int for each in ships):
        raise BadParameter(f"a fleet of Battleship is the lengths of 1 to {SHIPS} ships, not {ships}")
    if not all(1 <= each <= max(width, height) for each in ships):
        raise BadParameter(f"ships on a sea of {width} x {height} have 1 to {max(width, height)} cells, not {ships}")
    if placement not in ("players", "random"):
        raise BadParameter(f"placement in Battleship is by the players or random, not '{placement}'")
    settings = Settings(width, height, ships, placement, bool(sunk), bool(again))
    for ship, length in enumerate(ships):
        ways = sum(way != 0 for way in ways_of(width, height, length))
        if blocked_at_most(width, height, ships, ship) >= ways:
            raise BadParameter(f"after the ships before it, a ship of {length} may find no place on {width} x {height}")
    return Battleship(settings)


def _whole(words: Any, role: Role) -> int:
    """Put the two words of a sea together."""
    whole: int = words[2 * role] | words[2 * role + 1] << 64
    return whole


def _name(settings: Settings) -> str:
    given: list[Any] = []
    for key, usual in (("width", 10), ("height", 10), ("fleet", FLEET), ("placement", "players")):
        if (value := getattr(settings, key)) != usual:
            given.append(f"{key}={value!r}")
    given += [f"{key}=True" for key in ("sunk", "again") if getattr(settings, key)]
    return f"battleship({', '.join(given)})" if given else "battleship"
