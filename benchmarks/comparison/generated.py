"""Kernels as compilers of rules write them: words of bits, loops over bits that are set, tables, few branches."""

from __future__ import annotations

HEAD = '''"""Generated, to measure how long kernels take to compile."""

from __future__ import annotations

from array import array as words_of

from ludarium.core import Rng
from ludarium.kernel import (
    Record,
    Stream,
    array,
    below,
    buffer,
    constant,
    ctz,
    f64,
    i64,
    kernel,
    popcount,
    sqrt,
    u8,
    u64,
    view,
)

steps = constant(u8, [(7 * n + 3) % 64 for n in range(256)])


class State(Record):
    """Facts of a game, one bit each."""

    facts = array(u64, 16)
    board = array(u8, 64)
    score: f64


def run() -> int:
    """Compile everything, and run it once."""
    state = State()
    for place in range(16):
        state.facts[place] = 0x9E3779B97F4A7C15 * (place + 1) & 0xFFFFFFFFFFFFFFFF
    for place in range(64):
        state.board[place] = place % 5
    moves = words_of("Q", bytes(8 * 4096))
    answer: int = last(state, moves, Rng(7), 0)
    return answer


'''

BODY = """\
    a_{n} = state.facts[{n} & 15]
    b_{n} = state.facts[({n} + 5) & 15]
    c_{n} = (a_{n} >> 9) & b_{n} & 23971918291216981
    d_{n} = (a_{n} << 7) & b_{n} & 3050390867884190208
    e_{n} = (a_{n} >> 7) & ~b_{n} & 23831178655345236
    f_{n} = (a_{n} << 9) & ~b_{n} & 12273622165103094272
    g_{n} = c_{n} | d_{n}
    h_{n} = e_{n} | f_{n}
    guard_{n} = ~u64(0) if (g_{n} & 46270388709909) | (h_{n} & 185081554839636) != 0 else u64(0)
    offer_{n} = (c_{n} & guard_{n}) | (d_{n} & ~guard_{n}) | (e_{n} >> 14) | (f_{n} << 18)
    while offer_{n} != 0 and count < 4000:
        at_{n} = ctz(offer_{n})
        offer_{n} &= offer_{n} - 1
        row_{n} = at_{n} // 8
        if state.board[at_{n}] == {n} & 7:
            continue
        for k_{n} in range(steps[at_{n}] & 7):
            to_{n} = row_{n} * 8 + k_{n}
            if at_{n} % 8 + k_{n} < 8 and state.board[to_{n}] != 0:
                moves[count] = u64(at_{n} * 64 + to_{n} + {n})
                count += 1
    turn_{n} = ~u64(0) if guard_{n} | (g_{n} & h_{n}) != 0 else u64(0)
    w_{n} = (g_{n} & turn_{n}) | (h_{n} & ~turn_{n})
    x_{n} = (w_{n} >> 18) & (a_{n} << 14) & ~(b_{n} >> 9)
    y_{n} = (w_{n} << 18) & (a_{n} >> 14) & ~(b_{n} << 9)
    z_{n} = (x_{n} & 144680345676153346) | (y_{n} & 4629771061636907072)
    state.facts[({n} + 1) & 15] = (a_{n} & ~z_{n}) | (w_{n} & turn_{n})
    state.facts[({n} + 6) & 15] = (b_{n} & ~w_{n}) | (z_{n} & ~turn_{n})
    if popcount(z_{n}) > 20:
        state.board[below(rng, 64)] = {n} & 7
        state.score += sqrt(f64(popcount(w_{n}))) * 0.5
    total += popcount(w_{n}) - popcount(z_{n})
"""

SIGNATURE = "(state: State, moves: buffer[u64], rng: Stream, count: i64) -> i64:"


def kernels(count: int) -> str:
    """Write a module of so many kernels of 36 lines, each of which calls the one before it."""
    parts = [HEAD]
    for n in range(count):
        name = "last" if n == count - 1 else f"part{n}"
        before = f"part{n - 1}(state, moves, rng, count)" if n else "0"
        parts.append(f"@kernel\ndef {name}{SIGNATURE}\n    total = {before}\n{BODY.format(n=n)}    return total\n\n\n")
    return "".join(parts)


def kernel(lines: int) -> str:
    """Write a module of one kernel of about so many lines."""
    bodies = "".join(BODY.format(n=n) for n in range((lines - 4) // BODY.count("\n")))
    return f"{HEAD}@kernel\ndef last{SIGNATURE}\n    total = 0\n{bodies}    return total\n"
