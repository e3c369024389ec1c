"""Results to test with, made up by hand or by lot."""

import numpy as np

from ludarium.arena.results import Labels, Moves, Results


def duels(matches, game="hex"):
    """Matches of two, each a triple of first agent, second agent and what the first one got."""
    seats = [
        (number, role, agents[role], (won, 1 - won)[role])
        for number, (*agents, won) in enumerate(matches)
        for role in (0, 1)
    ]
    match, role, agent, utility = (list(column) for column in zip(*seats, strict=True))
    return Results.of({"match": match, "role": role, "agent": agent, "utility": utility, "game": [game] * len(seats)})


def plays(scores, games=None):
    """One row per score of each agent, every one a match of its own."""
    agent = [name for name, own in scores.items() for _ in own]
    utility = [score for own in scores.values() for score in own]
    game = (
        ["hex"] * len(agent)
        if games is None
        else [name for own in scores.values() for name, _ in zip(games, own, strict=True)]
    )
    return Results.of(
        {"match": range(len(agent)), "role": [0] * len(agent), "agent": agent, "utility": utility, "game": game}
    )


def lots(matches, agents=4, games=3, seed=0, draws=0.1, seat=0.2):
    """A tournament drawn by lot: agents with higher numbers win more, and so does the first seat, a little."""
    rng = np.random.default_rng(seed)
    one = rng.integers(0, agents, matches)
    other = (one + rng.integers(1, agents, matches)) % agents
    won = np.where(rng.random(matches) < 1 / (1 + np.exp(-0.4 * (one - other) - seat)), 1.0, 0.0)
    won[rng.random(matches) < draws] = 0.5
    columns = {
        "match": np.repeat(np.arange(matches), 2),
        "role": np.tile([0, 1], matches),
        "role_name": Labels(np.tile(np.array([0, 1], np.int32), matches), ("white", "black")),
        "game": Labels(
            np.repeat(rng.integers(0, games, matches), 2).astype(np.int32), tuple(f"game {n}" for n in range(games))
        ),
        "agent": Labels(np.stack([one, other], 1).ravel().astype(np.int32), tuple(f"agent {n}" for n in range(agents))),
        "utility": np.stack([won, 1 - won], 1).ravel(),
        "plies": np.repeat(rng.integers(10, 60, matches), 2),
        "seconds": rng.random(2 * matches),
    }
    return Results.of(columns)


def thoughts(results, matches, seed=0):
    """Decisions for the first matches: two take turns, and what they expect drifts towards the outcome."""
    rng = np.random.default_rng(seed)
    rows = []
    for first in range(0, 2 * matches, 2):
        expected = 0.5
        for ply in range(int(results.plies[first])):
            expected = min(1, max(0, expected + (results.utility[first] - 0.5) * 0.03 + rng.normal() * 0.04))
            role = ply % 2
            game, agent = (column.names[column.codes[first + role]] for column in (results.game, results.agent))
            value = (expected, 1 - expected)[role]
            rows.append((int(results.match[first]), game, ply, role, agent, 0.1 * rng.random(), 60 - ply, value))
    names = ("match", "game", "ply", "role", "agent", "seconds", "choices", "value")
    return Moves.of(dict(zip(names, zip(*rows, strict=True), strict=True)))
