"""Connect Four and Breakthrough as plain Python loops: the kernels' algorithms, as fast as CPython goes."""

from random import Random

from ludarium.games.connect_four import COLUMNS, ROWS, STRIDE

_FULL = 2**64 - 1
_NOT_FIRST = 0xFEFE_FEFE_FEFE_FEFE
_NOT_LAST = 0x7F7F_7F7F_7F7F_7F7F
_GOAL = 0xFF00_0000_0000_00FF


def connect_four(random: Random) -> int:
    """Play one random game of Connect Four; the number of plies."""
    mine = theirs = plies = 0
    height = [0] * COLUMNS
    while plies < COLUMNS * ROWS:
        column = random.choice([c for c in range(COLUMNS) if height[c] < ROWS])
        mine |= 1 << column * STRIDE + height[column]
        height[column] += 1
        plies += 1
        for step in (1, STRIDE, STRIDE - 1, STRIDE + 1):
            pairs = mine & mine >> step
            if pairs & pairs >> 2 * step:
                return plies
        mine, theirs = theirs, mine
    return plies


def breakthrough(random: Random) -> int:
    """Play one random game of Breakthrough; the number of plies."""
    mine, theirs = 0xFFFF, 0xFFFF << 48
    upwards = True
    plies = 0
    while True:
        if upwards:
            left, straight, right = (mine & _NOT_FIRST) << 7, mine << 8, (mine & _NOT_LAST) << 9
        else:
            left, straight, right = (mine & _NOT_FIRST) >> 9, mine >> 8, (mine & _NOT_LAST) >> 7
        left &= ~mine & _FULL
        straight &= ~(mine | theirs) & _FULL
        right &= ~mine & _FULL
        lefts, straights = left.bit_count(), straight.bit_count()
        n = random.randrange(lefts + straights + right.bit_count())
        if n < lefts:
            targets, step = left, 7 if upwards else -9
        elif n < lefts + straights:
            targets, step, n = straight, 8 if upwards else -8, n - lefts
        else:
            targets, step, n = right, 9 if upwards else -7, n - lefts - straights
        for _ in range(n):
            targets &= targets - 1
        to = targets & -targets
        mine ^= to | (to >> step if upwards else to << -step)
        theirs &= ~to
        plies += 1
        if to & _GOAL or not theirs:
            return plies
        mine, theirs = theirs, mine
        upwards = not upwards
