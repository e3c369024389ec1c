"""Following a match that is written as text, and counting all matches of some length."""

from array import array as memory

from ludarium.core import TOGETHER, Rng
from ludarium.kernel import Stream, Table, bridge, copy, ctz, i64, kernel, u8, u64, view


def follow(game, moves, *, rng=None):
    """The state after moves like "d, d, e", or "7 + 1, 2 + 3" if they are made at once."""
    state = game.initial(rng)
    for text in moves.split(", "):
        joint = dict(zip(state.movers, map(game.parse, text.split(TOGETHER)), strict=True))
        state = state.after(joint, rng)
    return state


def same_as_reference(game, reference, seed):
    """Play both at random side by side, and compare moves, pictures and the end."""
    state, rng = game.initial(), Rng(seed)
    while not state.over:
        (role,) = state.movers
        texts = sorted(map(game.text, state.legal(role)))
        assert (role, texts, str(state)) == (reference.turn, reference.legal(), reference.picture())
        move = rng.choice(texts)
        reference.apply(move)
        state = state.after(game.parse(move))
    assert reference.over
    winner = reference.winner
    assert state.utilities() == ((0.5, 0.5) if winner is None else (1.0 - winner, float(winner)))
    assert str(state) == reference.picture()


def perft(game, depth):
    """How many ways there are to play `depth` plies of a game in which roles take turns, by machine code."""
    reach = bridge(game)
    size, most = reach.table.state_size, game.max_moves
    blocks = bytearray(size * (depth + 1))
    blocks[:size] = reach.block(game.initial(Rng(0)))
    stack = memory("q", bytes(8 * 3 * depth))
    return _perft(reach.table, depth, blocks, memory("Q", bytes(8 * most * depth)), stack, memory("Q", [0, 0]), Rng(0))


def slow_perft(reference, depth):
    """The same with a slow reference, by plain recursion."""
    moves = reference.legal()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        following = reference.copy()
        following.apply(move)
        total += slow_perft(following, depth - 1)
    return total


@kernel
def _perft(
    table: Table,
    depth: i64,
    blocks: view[u8],
    moves: view[u64],
    stack: view[i64],
    joint: view[u64],
    rng: Stream,
) -> i64:
    """Walk the tree; per level the stack holds who moves, how many moves there are, and how many are done."""
    size = table.state_size
    total = 0
    level = 0
    entering = True
    while level >= 0:
        here = blocks[level * size : (level + 1) * size]
        first = level * table.max_moves
        if entering:
            acting = table.movers(here)
            stack[3 * level] = 0 if acting == 0 else ctz(acting)
            stack[3 * level + 1] = 0
            stack[3 * level + 2] = 0
            if acting != 0:
                count = table.legal(here, ctz(acting), moves[first : first + table.max_moves])
                if level + 1 == depth:
                    total += count
                else:
                    stack[3 * level + 1] = count
        entering = stack[3 * level + 2] < stack[3 * level + 1]
        if entering:
            child = blocks[(level + 1) * size : (level + 2) * size]
            copy(child, here)
            role = stack[3 * level]
            joint[role] = moves[first + stack[3 * level + 2]]
            stack[3 * level + 2] += 1
            table.apply(child, joint, rng)
            joint[role] = 0
            level += 1
        else:
            level -= 1
    return total
