"""What a game promises through its table: playouts, and kernels that mean the same however they run."""

import math
from array import array
from collections.abc import Iterator

from ludarium.agents.search.actions import Actions, actions_of, sampled, samples_actions
from ludarium.core import Game, Rng, Role, State
from ludarium.kernel import KernelGame, Stream, Table, bridge, buffer, f64, i64, kernel, u8, u64, using, view
from ludarium.testing.games import not_compiled

PLAYOUTS = 1000  # random playouts of each kind that are compared


def check_playouts(game: Game, seeds: list[int]) -> None:
    """Random playouts through the table end where the game ends, keep to their limit and repeat."""
    longest = game.traits.max_plies or 10_000
    for seed in seeds:
        start = game.initial(Rng.keyed(seed, "begin"))
        whole = _playout(game, start, seed, longest)
        assert whole == _playout(game, start, seed, longest), f"playouts with seed {seed} differ"
        plies, movers, values = whole
        assert movers == 0 or plies == longest, f"a playout with seed {seed} stops after {plies} plies, before the end"
        assert game.traits.max_plies is None or movers == 0, f"it says max_plies={longest}, but a playout is longer"
        assert all(0 <= value <= 1 for value in values), f"a playout with seed {seed} ends with utilities {values}"
        for limit in (0, 1):
            made = _playout(game, start, seed, limit)[0]
            assert made == min(limit, plies), f"a playout of {limit} plies at most made {made}"


def _playout(game: Game, start: State, seed: int, limit: int) -> tuple[int, int, tuple[float, ...]]:
    """Play at random through the table: how many plies, who moves then, and what it is worth."""
    reach = bridge(game)
    values = array("d", bytes(8 * len(game.roles)))
    made = array("q", [0, 0])
    _through_table(reach.table, bytearray(reach.block(start)), Rng.keyed(seed, "playout"), limit, made, values)
    return made[0], made[1], tuple(values)


@kernel
def _through_table(table: Table, block: view[u8], rng: Stream, limit: i64, made: view[i64], values: view[f64]) -> None:
    made[0] = table.playout(block, rng, limit)
    made[1] = table.movers(block)
    table.utilities(block, values)


def check_own_playout(game: KernelGame, seed: int) -> None:
    """A playout kernel of the game's own plays at random, or as it samples actions: averages lie within 5 standard errors."""
    generic = not_compiled(game)
    generic.kernels = {name: kernel for name, kernel in game.kernels.items() if name != "playout"}
    samples = []
    for which in (game, generic):
        start = which.initial(Rng(seed))
        play = _sampled_playout if which is generic and samples_actions(game) else _playout
        ends = [play(which, start, trial, 10_000) for trial in range(PLAYOUTS)]
        samples.append([(float(plies), *values) for plies, _, values in ends])
    columns = [zip(*sample, strict=True) for sample in samples]
    for what, own, plain in zip(("length", *game.roles), *columns, strict=True):
        gap = abs(math.fsum(own) - math.fsum(plain)) / PLAYOUTS
        error = math.sqrt((_variance(own) + _variance(plain)) / PLAYOUTS)
        assert gap <= 5 * error + 1e-12, f"its own playout is not random play: the average {what} is off by {gap:.3g}"


def _sampled_playout(game: KernelGame, start: State, seed: int, limit: int) -> tuple[int, int, tuple[float, ...]]:
    """Play the actions that the game samples."""
    table = game.bridge.table
    block, moves = bytearray(game.bridge.block(start)), array("Q", bytes(8 * table.max_moves))
    joint = array("Q", bytes(8 * table.roles))
    made = _sampled_plies(table, actions_of(game), block, moves, joint, Rng.keyed(seed, "playout"), limit)
    end = game.state(bytes(block))
    return made, len(end.movers), end.utilities()


@kernel
def _sampled_plies(
    table: Table, actions: Actions, block: view[u8], moves: buffer[u64], joint: view[u64], rng: Stream, limit: i64
) -> i64:
    plies = 0
    while plies < limit:
        acting = table.movers(block)
        if acting == 0:
            break
        for role in range(table.roles):
            joint[role] = 0
            if (acting >> role) & 1 == 1:
                joint[role] = sampled(table, actions, block, role, moves, rng)
        table.apply(block, joint, rng)
        plies += 1
    return plies


def _variance(values: tuple[float, ...]) -> float:
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / len(values)


def check_ways(game: KernelGame, seeds: list[int], plies: int) -> None:
    """Kernels as Python, as checked and as plain machine code make the same matches, byte for byte."""
    twins = {}
    for way in ("python", "check", "native"):
        with using(way):
            twins[way] = not_compiled(game)
            assert twins[way].bridge is not None  # which compiles it
    for seed in seeds:
        for ply, answers in enumerate(zip(*(_answers(twin, seed, plies) for twin in twins.values()), strict=True)):
            for way, answer in zip(twins, answers, strict=True):
                for what, have in answer.items():
                    want = answers[0][what]
                    told = f"{what} is {have} with kernels as '{way}', {want} as 'python'"
                    assert have == want, f"seed {seed}, ply {ply}: {told}"


def random_joint(state: State, rng: Rng) -> dict[Role, int]:
    """Draw a legal move for every mover."""
    return {role: rng.choice(state.legal(role)) for role in state.movers}


def _answers(game: KernelGame, seed: int, plies: int) -> Iterator[dict[str, object]]:
    roles = range(len(game.roles))
    rng = Rng.keyed(seed, "begin")
    state = game.initial(rng)
    moves = Rng.keyed(seed, "moves")
    for _ in range(plies):
        yield {
            "the state": getattr(state, "block", b"").hex(),
            "the rng": list(rng.words),
            "the movers": state.movers,
            "the legal moves": [state.legal(role) for role in roles],
            "the observation": [state.observe(role) for role in roles],
            "the value": state.utilities(),
            "the hash": hash(state),
        }
        if state.over:
            break
        state = state.after(random_joint(state, moves), rng)
    start = bytearray(bridge(game).block(game.initial(Rng.keyed(seed, "begin"))))
    made = game.bridge.call("playout", start, rng, plies)
    yield {"the playout": (made, start.hex(), list(rng.words))}
