"""Work that goes on as long as one likes: each function prepares some, and gives back what does a count of it.

Only names that outlive a refit are used: those of `ludarium`, `ludarium.core`, `ludarium.kernel` and `ludarium.hidden`, and
what the catalog knows. Where a checkout under comparison has another name for something, this is the place to try both.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from threading import enumerate as threads
from threading import main_thread

from ludarium import agent, game
from ludarium.core import Game, InformationSet, Limit, Player, Rng
from ludarium.kernel import Stream, Table, bridge, copy, f64, i64, kernel, u8, view

Work = Callable[[int], float]
"""Does a count of something; answers how many units that was."""

SEED = 7
LONGEST = 10_000  # plies: a playout that is longer is cut
LANES = 64


def loaded(title: str) -> Game:
    """Load a game, optimised code and all."""
    made = game(title)
    made.initial(Rng(SEED))
    unit = getattr(bridge(made), "unit", None)  # games without kernels have none
    if unit is not None:
        unit.finish()
    return made


def wait_for_the_best_code() -> None:
    """Let whatever optimises code in the background come to its end."""
    for thread in threads():
        if thread is not main_thread():
            thread.join(3600)
            if thread.is_alive():
                raise RuntimeError(f"the thread {thread.name} goes on: is the code optimised?")


@kernel
def random_playouts(
    table: Table, start: view[u8], state: view[u8], rng: Stream, count: i64, limit: i64, values: view[f64]
) -> i64:
    """Play at random from one state, results worked out; the number of plies."""
    plies = 0
    for _ in range(count):
        copy(state, start)
        plies += table.playout(state, rng, limit)
        table.utilities(state, values)
    return plies


def playouts(title: str) -> Work:
    """Random playouts from the start, one after the other."""
    played, rng = loaded(title), Rng(SEED)
    reached = bridge(played)
    start = bytes(reached.block(played.initial(Rng(SEED))))
    state, values = bytearray(start), array("d", bytes(8 * len(played.roles)))

    def work(count: int) -> float:
        random_playouts(reached.table, start, state, rng, count, LONGEST, values)
        return count

    return work


def batches(title: str) -> Work:
    """Random playouts from the start, 64 at once where the game can do that."""
    played, rng = loaded(title), Rng(SEED)
    start = played.initial(Rng(SEED))
    many = getattr(played, "playouts", None) or played.offers.playouts  # type: ignore[attr-defined]

    def work(count: int) -> float:
        many(start, LANES * count, rng, limit=LONGEST)
        return LANES * count

    return work


def known_at_start(played: Game, plies: int = 0) -> InformationSet:
    """What a mover knows at the start, or after so many random plies."""
    rng, state = Rng(SEED), played.initial(Rng(SEED))
    roles = range(len(played.roles))
    seen = {role: [state.observe(role)] for role in roles}
    made: dict[int, list[int]] = {role: [] for role in roles}
    for _ in range(plies):
        moves = {role: rng.choice(state.legal(role)) for role in state.movers}
        state = state.after(moves, rng)
        for role in roles:
            seen[role].append(state.observe(role))
        for role, move in moves.items():
            made[role].append(move)
    mover = state.movers[0]
    return InformationSet(
        game=played,
        role=mover,
        legal=tuple(state.legal(mover)),
        seen=tuple(seen[mover]),
        played=tuple(made[mover]),
        state=state if played.traits.perfect_information else None,
    )


def seated(title: str, spec: str) -> tuple[InformationSet, Player]:
    """A player who is to move at the start, and what it knows."""
    played = loaded(title)
    info = known_at_start(played)
    return info, agent(spec).seat(played, info.role, Rng(SEED))


def search(title: str, spec: str, iterations: int) -> Work:
    """Iterations of decisions at the start."""
    info, player = seated(title, spec)

    def work(count: int) -> float:
        return sum(player.choose(info, Limit(iterations=iterations).start()).iterations for _ in range(count))

    return work


def forward(title: str, spec: str, calls: int) -> Work:
    """Forward calls of decisions at the start."""
    info, player = seated(title, spec)

    def work(count: int) -> float:
        return sum(player.choose(info, Limit(forward_calls=calls).start()).forward_calls for _ in range(count))

    return work


def decisions(title: str, spec: str, iterations: int) -> Work:
    """Decisions at the start with few iterations each: what they cost around the search itself."""
    info, player = seated(title, spec)

    def work(count: int) -> float:
        for _ in range(count):
            player.choose(info, Limit(iterations=iterations).start())
        return count

    return work


def slices(title: str) -> Work:
    """Calls of the native search from Python, for one iteration each."""
    info, player = seated(title, "uct(reuse=False)")
    tree = next(part for part in vars(player).values() if hasattr(part, "run") and hasattr(part, "at_root"))

    def work(count: int) -> float:
        player.choose(info, Limit(iterations=1).start())  # begins a new tree
        for _ in range(count):
            tree.run(1, 1 << 60)
        return count

    return work


def matches(title: str, spec: str, iterations: int) -> Work:
    """Plies of whole matches, referee and all."""
    from ludarium import play

    played = loaded(title)
    agents = [agent(spec) for _ in played.roles]
    seeds = iter(range(1 << 40))

    def work(count: int) -> float:
        return sum(play(played, agents, iterations=iterations, seed=next(seeds)).plies for _ in range(count))

    return work


def steps(title: str) -> Work:
    """Plies of random games played from Python, state by state."""
    played, rng = loaded(title), Rng(SEED)

    def work(count: int) -> float:
        plies = 0
        for _ in range(count):
            state = played.initial(rng)
            while movers := state.movers:
                state = state.after({role: rng.choice(state.legal(role)) for role in movers}, rng)
                plies += 1
        return plies

    return work


def samples(title: str, name: str, plies: int) -> Work:
    """States that a role imagines after some random plies."""
    from ludarium.hidden import determinizer

    played, rng = loaded(title), Rng(SEED)
    info = known_at_start(played, plies)
    sampler = determinizer(name).sampler(played, info.role)

    def work(count: int) -> float:
        return sum(len(sampler.sample(info, 256, rng)) for _ in range(count))

    return work
