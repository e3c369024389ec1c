"""Matches of random agents by the thousand: one kernel plays them all, move for move as the arena would.

Every role and chance has the stream that it has in a match played by asking, so the results are the same; only what a
record would tell of each move is missing.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from ludarium.arena.streams import chance, player
from ludarium.core import Game, GameError, Match, checked_utilities
from ludarium.core.match import Terms
from ludarium.kernel import Stream, Table, below, bridge, buffer, f64, i64, kernel, u8, u64, view

_ENDLESS = 1 << 40  # plies


@kernel
def _random_match(  # noqa: PLR0917
    table: Table,
    state: view[u8],
    streams: view[u8],
    moves: buffer[u64],
    joint: view[u64],
    limit: i64,
    utilities: view[f64],
) -> tuple[i64, bool]:
    """Play a match; chance has the first stream, the roles have the others. Says how many plies, and whether it was cut."""
    chance = Stream(streams[0:32])
    table.init(state, chance)
    plies = 0
    while plies < limit:
        acting = table.movers(state)
        if acting == 0:
            table.utilities(state, utilities)
            return plies, False
        for role in range(table.roles):
            joint[role] = 0
            if (acting >> role) & 1 == 1:
                count = table.legal(state, role, moves)
                assert count > 0, "a mover has no legal move"
                own = Stream(streams[32 * role + 32 : 32 * role + 64])
                joint[role] = moves[below(own, count)]
        table.apply(state, joint, chance)
        plies += 1
    if table.movers(state) == 0:
        table.utilities(state, utilities)
        return plies, False
    return plies, True


def random_matches(game: Game, agents: Sequence[str], terms: Terms, seeds: Sequence[int]) -> Iterator[Match]:
    """Play one match of random agents per seed; what is kept is the result."""
    reached, roles = bridge(game), len(game.roles)
    limit = _ENDLESS if terms.move_limit is None else terms.move_limit
    moves, joint = array("Q", bytes(8 * game.max_moves)), array("Q", bytes(8 * roles))
    values = array("d", bytes(8 * roles))
    drawn, rules = (1 / roles if roles > 1 else 0.0,) * roles, game.fingerprint
    for seed in seeds:
        rngs = [chance(seed), *(player(seed, role) for role in range(roles))]
        streams = bytearray(b"".join(rng.words.tobytes() for rng in rngs))
        block = bytearray(reached.table.state_size)
        try:
            plies, cut = _random_match(reached.table, block, streams, moves, joint, limit, values)
        except (AssertionError, IndexError) as problem:
            raise GameError(f"game '{game.name}' breaks its promises: {problem}") from problem
        yield Match(
            game=game.name,
            agents=tuple(agents),
            seed=seed,
            moves=(),
            utilities=drawn if cut else checked_utilities(game, tuple(values)),
            roles=game.roles,
            terms=terms,
            length=plies,
            cut=cut,
            rules=rules,
        )
