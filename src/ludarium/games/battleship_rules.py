"""The rules of Battleship as kernels: laying ships, shooting, and what a role is shown of it.

A sea is two words of bits. A ship lies across from its first cell, or up: way 2 * cell, or 2 * cell + 1.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from ludarium.core.hidden import NOT_WHOLE, NOTHING
from ludarium.kernel import (
    Record,
    Stream,
    array,
    below,
    buffer,
    constant,
    copy,
    ctz,
    empty,
    f64,
    i64,
    kernel,
    popcount,
    u8,
    u64,
    view,
)

BOARD = 128
"""The most cells of a sea."""

SHIPS = 8
"""The most ships of a fleet."""

PLACING = BOARD
"""Moves below are shots at cells; from here on they lay a ship: its length times 2 * BOARD, and its way."""


class Settings(NamedTuple):
    """What a match is played with."""

    width: int
    height: int
    fleet: tuple[int, ...]
    placement: str
    sunk: bool
    again: bool


class State(Record):
    """Per role the cells with ships and those shot at, a bit per cell; how each ship lies; ships sunk; cells left to hit."""

    ships = array(u64, 4)
    shots = array(u64, 4)
    places = array(u8, 2 * SHIPS)
    sunk = array(u8, 2)
    left = array(u8, 2)
    placed: u8
    turn: u8


def start_of(cell: int, *, up: bool) -> int:
    """Number the way in which a ship lies."""
    return 2 * cell + up


def cells_of(width: int, way: int, length: int) -> list[int]:
    """List the cells of a ship that lies in some way."""
    return [way // 2 + step * (width if way % 2 else 1) for step in range(length)]


@cache
def ways_of(width: int, height: int, length: int) -> tuple[int, ...]:
    """Give the cells of a ship for every way, a bit per cell; 0 where it does not fit."""
    ways = []
    for way in range(2 * width * height):
        column, row = way // 2 % width, way // 2 // width
        fits = row + length <= height if way % 2 else column + length <= width
        if length == 1 and way % 2:
            fits = False  # it lies across already
        ways.append(sum(1 << cell for cell in cells_of(width, way, length)) if fits else 0)
    return tuple(ways)


@cache
def blocked_at_most(width: int, height: int, fleet: tuple[int, ...], ship: int) -> int:
    """Bound the ways of a ship that the ships before it can block."""
    own = [way for way in ways_of(width, height, fleet[ship]) if way]
    return sum(
        max(sum(way & other != 0 for way in own) for other in ways_of(width, height, length) if other)
        for length in fleet[:ship]
    )


def kernels(settings: Settings) -> dict[str, Any]:
    """Make the kernels for some settings."""
    fleet, ships, total = settings.fleet, len(settings.fleet), sum(settings.fleet)
    cells = settings.width * settings.height
    by_players, announced, again = settings.placement == "players", settings.sunk, settings.again
    every, word = 2 * cells, (1 << 64) - 1
    masks = [way for length in fleet for way in ways_of(settings.width, settings.height, length)]
    low, high = constant(u64, [mask & word for mask in masks]), constant(u64, [mask >> 64 for mask in masks])
    lengths = constant(i64, fleet)
    low_board, high_board = (1 << cells) - 1 & word, (1 << cells) - 1 >> 64

    @kernel
    def init(state: State, rng: Stream) -> None:
        """Begin with empty seas; lay the fleets if that is left to chance."""
        for k in range(4):
            state.ships[k] = 0
            state.shots[k] = 0
        for k in range(2 * SHIPS):
            state.places[k] = 0
        for role in range(2):
            state.sunk[role] = 0
            state.left[role] = total
        state.placed = 0
        state.turn = 0
        if not by_players:
            ways = empty(u64, every)
            for role in range(2):
                for ship in range(ships):
                    count = free_ways(state, role, ship, ways)
                    lay(state, role, ship, i64(ways[below(rng, count)]))
            state.placed = 2 * ships

    @kernel
    def free_ways(state: State, role: i64, ship: i64, out: buffer[u64]) -> i64:
        """List the ways in which a ship can still be laid."""
        count = 0
        for way in range(every):
            a = low[ship * every + way]
            b = high[ship * every + way]
            taken = (a & state.ships[2 * role]) | (b & state.ships[2 * role + 1])
            if (a | b) != 0 and taken == 0:
                out[count] = u64(way)
                count += 1
        return count

    @kernel
    def lay(state: State, role: i64, ship: i64, way: i64) -> None:
        """Lay a ship."""
        state.ships[2 * role] |= low[ship * every + way]
        state.ships[2 * role + 1] |= high[ship * every + way]
        state.places[SHIPS * role + ship] = way

    @kernel
    def movers(state: State) -> i64:
        """Take turns until a fleet is gone."""
        if state.left[0] == 0 or state.left[1] == 0:
            return 0
        return 1 << state.turn

    @kernel
    def legal(state: State, role: i64, out: buffer[u64]) -> i64:
        """Any free way for the next ship; later any cell of the other's sea that was not shot at."""
        if state.placed < 2 * ships:
            ship = (state.placed + 1 - role) >> 1
            if ship >= ships:
                return 0
            count = free_ways(state, role, ship, out)
            for k in range(count):
                out[k] += u64(PLACING + lengths[ship] * 2 * BOARD)
            return count
        other = 1 - role
        count = put(~state.shots[2 * other] & low_board, 0, out, 0)
        return put(~state.shots[2 * other + 1] & high_board, 64, out, count)

    @kernel
    def put(targets: u64, first: i64, out: buffer[u64], count: i64) -> i64:
        """Write a shot for every cell."""
        while targets != 0:
            out[count] = u64(first + ctz(targets))
            count += 1
            targets &= targets - 1
        return count

    @kernel
    def apply(state: State, joint: view[u64], rng: Stream) -> None:
        """Lay a ship, or shoot."""
        role = state.turn
        move = i64(joint[role])
        if state.placed < 2 * ships:
            lay(state, role, state.placed >> 1, (move - PLACING) % (2 * BOARD))
            state.placed += 1
            state.turn = 1 - role
        else:
            shoot(state, role, move)

    @kernel
    def shoot(state: State, role: i64, cell: i64) -> None:
        """Shoot at a cell of the other's sea."""
        other = 1 - role
        at = 2 * other + (cell >> 6)
        bit = u64(1) << (cell & 63)
        state.shots[at] |= bit
        hit = state.ships[at] & bit != 0
        if hit:
            state.left[other] -= 1
            if announced:
                note_sunk(state, other)
        if not (again and hit):
            state.turn = other

    @kernel
    def note_sunk(state: State, role: i64) -> None:
        """Note which ships are hit everywhere."""
        for ship in range(ships):
            at = ship * every + state.places[SHIPS * role + ship]
            dry = (low[at] & ~state.shots[2 * role]) | (high[at] & ~state.shots[2 * role + 1])
            if dry == 0:
                state.sunk[role] |= 1 << ship

    @kernel
    def utilities(state: State, out: view[f64]) -> None:
        """There are no draws; a game that goes on is worth a half."""
        out[0] = 0.5
        if state.left[0] == 0 or state.left[1] == 0:
            out[0] = 1.0 if state.left[1] == 0 else 0.0
        out[1] = 1.0 - out[0]

    @kernel
    def judge(state: State, out: view[f64]) -> None:
        """Compare hits made with hits taken."""
        out[0] = 0.5 + (state.left[0] - state.left[1]) / (2.0 * total)
        out[1] = 1.0 - out[0]

    @kernel
    def observe(state: State, role: i64, out: buffer[u8]) -> i64:
        """See everything but the other's ships where they are not hit; those that are sunk, if that is told."""
        shown = State(out[0 : State.size])
        copy(shown, state)
        other = 1 - role
        for k in range(2 * other, 2 * other + 2):
            shown.ships[k] &= state.shots[k]
        for ship in range(SHIPS):
            if (state.sunk[other] >> ship) & 1 == 0:
                shown.places[SHIPS * other + ship] = 0
        return State.size

    @kernel
    def known(
        seen: view[u8],
        role: i64,
        state: State,
        covered: view[u64],
        clear: view[u64],
        told: view[i64],
    ) -> i64:
        """Tell where the other's ships are hit, where they are not, and which of them are sunk."""
        if len(seen) != State.size:
            return -1
        copy(state, State(seen))
        other = 1 - role
        hits = 0
        for k in range(2):
            covered[k] = state.ships[2 * other + k]
            clear[k] = state.shots[2 * other + k] & ~covered[k]
            hits += popcount(covered[k])
            if covered[k] & ~state.shots[2 * other + k] != 0:
                return -1
        for ship in range(ships):
            told[ship] = NOT_WHOLE if announced else NOTHING
            if (state.sunk[other] >> ship) & 1 == 1:
                told[ship] = state.places[SHIPS * other + ship]
        if state.placed > 2 * ships or state.left[other] != total - hits or (hits > 0 and state.placed < 2 * ships):
            return -1
        return (state.placed + 1 - other) >> 1

    @kernel
    def fill(state: State, role: i64, ways: view[i64]) -> None:
        """Lay the other's ships, as many as it has laid, and see what the shots have done to them."""
        other = 1 - role
        for k in range(2 * other, 2 * other + 2):
            state.ships[k] = 0
        for ship in range(len(ways)):
            lay(state, other, ship, ways[ship])
        hits = 0
        for k in range(2 * other, 2 * other + 2):
            hits += popcount(state.ships[k] & state.shots[k])
        state.left[other] = total - hits
        state.sunk[other] = 0
        if announced and hits > 0:
            note_sunk(state, other)

    @kernel
    def playout(state: State, rng: Stream, limit: i64) -> i64:
        """Play at random; a shot is drawn by its number, so that the others need not be listed."""
        ways = empty(u64, every)
        plies = 0
        while plies < limit and state.placed < 2 * ships:
            ship = state.placed >> 1
            count = free_ways(state, state.turn, ship, ways)
            lay(state, state.turn, ship, i64(ways[below(rng, count)]))
            state.placed += 1
            state.turn = 1 - state.turn
            plies += 1
        while plies < limit and state.left[0] != 0 and state.left[1] != 0:
            other = 1 - state.turn
            a = ~state.shots[2 * other] & low_board
            b = ~state.shots[2 * other + 1] & high_board
            first = popcount(a)
            n = below(rng, first + popcount(b))
            shoot(state, state.turn, nth(a, n) if n < first else 64 + nth(b, n - first))
            plies += 1
        return plies

    @kernel
    def nth(bits: u64, n: i64) -> i64:
        """Where the bit is that has n set bits below it: halve the word until one bit is left."""
        place = 0
        width = 32
        while width > 0:
            below_it = popcount(bits & ((u64(1) << width) - 1))
            if n >= below_it:
                n -= below_it
                bits >>= width
                place += width
            width >>= 1
        return place

    return {
        "init": init,
        "movers": movers,
        "legal": legal,
        "apply": apply,
        "utilities": utilities,
        "observe": observe,
        "playout": playout,
        "judge": judge,
        "known": known,
        "fill": fill,
    }
