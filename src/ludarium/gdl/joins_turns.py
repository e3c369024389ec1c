"""The functions of the game table as text: what happens in a turn, whatever the rules say."""

TURNS = '''

@kernel
def settle(s: State, w: Work, always: bool) -> None:
    """Work out whether the game is over, and the legal moves if it is not, or always."""
    load(w, s.facts)
    s.over = 1 if terminal(w) else 0
    w.offered = 0
    w.first = 0
    for role in range(ROLES):
        s.first[role] = w.offered
        if always or s.over == 0:
            legal(w, role)
            clear_offers(w)
    s.first[ROLES] = w.offered
    for k in range(w.offered):
        s.moves[k] = w.moves[k]


@kernel
def turn(s: State, w: Work, always: bool) -> None:
    """Go on to the next state; the moves have been decoded."""
    advance(w)
    copy(s.facts, w.nexts)
    if SEES:
        copy(s.seen, w.seen)
    settle(s, w, always)


@kernel
def table_init(state: view[u8], rng: Stream) -> None:
    """Begin."""
    for k in range(len(state)):
        state[k] = 0
    s = State(state)
    for k in range(len(INITIAL)):
        put(s.facts, INITIAL[k])
    w = Work()
    w.joint[ROLES * WIDTH] = -1
    settle(s, w, True)


@kernel
def role_of(player: i64) -> i64:
    """The number of a player's role among all roles, chance included."""
    return player + 1 if CHANCE >= 0 and player >= CHANCE else player


@kernel
def choosing(s: State) -> i64:
    """The roles with a choice."""
    acting = 0
    for player in range(PLAYERS):
        role = role_of(player)
        if s.first[role + 1] - s.first[role] > 1:
            acting |= 1 << player
    return acting


@kernel
def table_movers(state: view[u8]) -> i64:
    """The roles with a choice; the first one if the game goes on and nobody has any."""
    s = State(state)
    return 0 if s.over != 0 else max(1, choosing(s))


@kernel
def table_legal(state: view[u8], player: i64, moves: buffer[u64]) -> i64:
    """All legal moves of a role."""
    s = State(state)
    first = s.first[role_of(player)]
    count = s.first[role_of(player) + 1] - first
    for k in range(count):
        moves[k] = u64(s.moves[first + k])
    return count


@kernel
def table_apply(state: view[u8], joint: view[u64], rng: Stream) -> None:
    """Make a joint move; roles without a choice make their only move, chance makes any of its moves."""
    s = State(state)
    w = Work()
    w.joint[ROLES * WIDTH] = -1
    load(w, s.facts)
    player = 0
    for role in range(ROLES):
        first = s.first[role]
        count = s.first[role + 1] - first
        assert count > 0, "a role has no legal move"
        if role == CHANCE:
            decode(w, role, s.moves[first + below(rng, count)])
        else:
            chosen = 0
            if count > 1:
                while chosen < count and u64(s.moves[first + chosen]) != joint[player]:
                    chosen += 1
                assert chosen < count, "the role has no such move"
            decode(w, role, s.moves[first + chosen])
            player += 1
    turn(s, w, True)


@kernel
def table_utilities(state: view[u8], values: view[f64]) -> None:
    """Goals from 0 to 1; a role without one gets 0 at the end, and 0.5 before it."""
    s = State(state)
    w = Work()
    found = array(i64, 128)
    load(w, s.facts)
    for player in range(PLAYERS):
        count = goals(w, role_of(player), found)
        best = -1.0
        for k in range(count):
            best = max(best, f64(found[k]) / 100.0)
        values[player] = best
        if best < 0.0:
            values[player] = 0.0 if s.over != 0 else 0.5


@kernel
def table_goals(state: view[u8], player: i64, values: buffer[i64]) -> i64:
    """All goal values of a role."""
    s = State(state)
    w = Work()
    load(w, s.facts)
    return goals(w, role_of(player), values)


@kernel
def table_observe(state: view[u8], player: i64, shown: buffer[u8]) -> i64:
    """What a role sees: if the game has percepts, these and whether anybody has a choice (as in `hidden`); else facts."""
    s = State(state)
    words = recast(u64, shown)
    if SEES:
        count = percepts(s, role_of(player), words)
        words[count] = u64(1 if s.over != 0 else 2 if choosing(s) == 0 else 0)
        return 8 * (count + 1)
    for k in range(STATE):
        words[k] = s.facts[k]
    return 8 * STATE


@kernel
def table_hash(state: view[u8]) -> u64:
    """From the facts, and from what the roles see."""
    s = State(state)
    h = u64(0x9E3779B97F4A7C15)
    for k in range(STATE):
        h = (h ^ s.facts[k]) * 0xD6E8FEB86659FD93
        h ^= h >> 32
    if SEES:
        for k in range(SEEN):
            h = (h ^ s.seen[k]) * 0xD6E8FEB86659FD93
            h ^= h >> 32
    return h


@kernel
def table_playout(state: view[u8], rng: Stream, limit: i64) -> i64:
    """Play random moves to the end."""
    s = State(state)
    plies = 0
    if s.over != 0:
        return plies
    w = Work()
    w.joint[ROLES * WIDTH] = -1
    load(w, s.facts)
    while plies < limit and s.over == 0:
        for role in range(ROLES):
            first = s.first[role]
            count = s.first[role + 1] - first
            assert count > 0, "a role has no legal move"
            chosen = below(rng, count) if count > 1 else 0
            decode(w, role, s.moves[first + chosen])
        turn(s, w, False)
        plies += 1
    return plies
'''
