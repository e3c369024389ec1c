"""Exact answers for Connect Four: how soon the side to move wins by force, and by which moves.

Bit boards as in `ludarium.games.connect_four`, but nothing of it is used: seven bits per column, the lowest row first.
"""

from functools import cache

COLUMNS, ROWS = 7, 6
STRIDE = ROWS + 1
BOTTOM = sum(1 << STRIDE * column for column in range(COLUMNS))
FULL = BOTTOM * ((1 << ROWS) - 1)


def position(columns):
    """The discs of the side to move and of the other, after a string of letters such as "ddcc"."""
    mine = theirs = 0
    for letter in columns:
        spot = _spot(mine | theirs, "abcdefg".index(letter))
        assert spot, f"column {letter} is full"
        mine, theirs = theirs, mine | spot
    return mine, theirs


def has_line(discs):
    """Whether four discs stand in a line."""
    for step in (1, STRIDE - 1, STRIDE, STRIDE + 1):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def win_within(mine, theirs, plies):
    """The least odd number of plies, up to `plies`, in which the side to move wins by force; None if it cannot."""
    for length in range(1, plies + 1, 2):
        if winning_moves(mine, theirs, length):
            return length
    return None


def winning_moves(mine, theirs, plies):
    """The columns, as letters, after which the side to move wins within so many plies, whatever the other does."""
    return {
        "abcdefg"[column]
        for column in range(COLUMNS)
        if (spot := _spot(mine | theirs, column)) and _wins_after(mine | spot, theirs, plies)
    }


def _wins_after(moved, other, plies):
    """Whether who has just moved has won, or will within `plies` counted from that move on."""
    if has_line(moved):
        return True
    if plies < 3:
        return False
    return _loses(other, moved, plies - 1)


@cache
def _loses(mine, theirs, plies):
    """Whether the side to move loses within so many plies, whatever it does."""
    spots = _spots(mine, theirs)
    if not spots or any(has_line(mine | spot) for spot in spots):
        return False
    threats = [spot for spot in spots if has_line(theirs | spot)]
    if len(threats) > 1:
        return True
    return all(_can_win(theirs, mine | spot, plies - 1) for spot in threats or spots)


def _can_win(mine, theirs, plies):
    return any(_wins_after(mine | spot, theirs, plies) for spot in _spots(mine, theirs))


def _spots(mine, theirs):
    return [spot for column in range(COLUMNS) if (spot := _spot(mine | theirs, column))]


def _spot(taken, column):
    """The lowest empty cell of a column, or 0."""
    inside = ((1 << ROWS) - 1) << STRIDE * column
    return (taken + (1 << STRIDE * column)) & inside & ~taken & FULL


def suite(rng, each, *, longest=7):
    """Draw positions by their moves: `each` for every length of a forced win, and as many without one.

    They come from random games in which nobody overlooks a line of four, which would make most wins short.
    """
    wanted = {length: [] for length in (*range(1, longest + 1, 2), None)}
    while any(len(found) < each for found in wanted.values()):
        line = _random_line(rng, 4 + rng.below(32))
        if line is None:
            continue
        found = wanted[win_within(*position(line), longest)]
        if len(found) < each and line not in found:
            found.append(line)
    return wanted


def _random_line(rng, plies):
    line = ""
    for _ in range(plies):
        mine, theirs = position(line)
        spots = {letter: spot for k, letter in enumerate("abcdefg") if (spot := _spot(mine | theirs, k))}
        if any(has_line(mine | spot) for spot in spots.values()):
            return line if rng.below(4) == 0 else None
        blocks = [letter for letter, spot in spots.items() if has_line(theirs | spot)]
        if not spots:
            return None
        line += rng.choice(blocks or list(spots))
    return line if len(line) < COLUMNS * ROWS else None
