"""How fast networks are worked out and matches between them played, and how long an evolution takes.

python benchmarks/evolve.py [--generations 300]

Everything is measured in CPU time. What is compared with neat-python takes turns with it.
"""

import argparse
import random
from statistics import median
from time import perf_counter, process_time

import neat
import numpy as np

from ludarium import game
from ludarium.evaluate.evolved.inputs import Mapping
from ludarium.evaluate.evolved.network import flat
from ludarium.evaluate.evolved.network_kernels import activate_all
from ludarium.evolve.bouts import Bouts, Terms, seeds
from ludarium.evolve.genomes import config, network_of
from ludarium.evolve.run import Evolution
from ludarium.evolve.settings import Settings
from ludarium.kernel import f64, zeros

GAMES = (
    "gdl:connect-four",
    "connect-four",
    "blocker",
    "two-board-tic-tac-toe",
    "melee-chess",
    "criss-cross",
    "chinese-checkers",
)
ROUNDS, ROWS = 21, 50_000


def genome_of_200(made):
    """A genome of 40 inputs, 4 hidden nodes and 200 links, as neat-python has them."""
    genome = neat.DefaultGenome(1)
    drawn = random.Random(1)
    for key in range(5):
        genome.nodes[key] = genome.create_node(made.genome_config, key)
    pairs = [(-k - 1, node) for node in (1, 2, 3, 4) for k in range(40)] + [(node, 0) for node in (1, 2, 3, 4)]
    pairs += [(-k - 1, 0) for k in range(36)]
    for number, (source, target) in enumerate(pairs):
        genome.add_connection(made.genome_config, source, target, drawn.gauss(0, 1), enabled=True, innovation=number)
    return genome


def networks():
    made = config(40, 10)
    genome = genome_of_200(made)
    theirs, ours = neat.nn.FeedForwardNetwork.create(genome, made), flat([network_of(genome, made)], 40)
    drawn = np.random.default_rng(1).random((ROWS, 40))
    rows, out = drawn.reshape(-1).copy(), zeros(f64, ROWS)
    activate_all(ours, rows, out)
    few = drawn[:300].tolist()
    assert max(abs(theirs.activate(row)[0] - out[k]) for k, row in enumerate(few)) < 1e-9
    rates, ratios = [], []
    for _ in range(ROUNDS):
        began = process_time()
        activate_all(ours, rows, out)
        mine = ROWS / (process_time() - began)
        began = process_time()
        for row in few:
            theirs.activate(row)
        rates.append(mine)
        ratios.append(mine / (len(few) / (process_time() - began)))
    print(
        f"networks of 200 links: {median(rates):,.0f} a second ({min(rates):,.0f} to {max(rates):,.0f}); bar 3,000,000"
    )
    print(f"  to neat-python: {median(ratios):.0f}x ({min(ratios):.0f} to {max(ratios):.0f}); bar 100x")


def matches():
    for name in GAMES:
        made = game(name)
        made.bridge.unit.finish()
        bouts = Bouts(made, Mapping(), Terms(), threads=1)
        drawn = Evolution(made, Settings(generations=1, population=50), threads=1)
        for population in drawn.populations:
            population.begin()
        bouts.load([network for population in drawn.populations for network in population.networks])
        count = 100 if name in ("criss-cross", "chinese-checkers") else 2000
        rng = np.random.default_rng(1)
        rows = np.stack([rng.integers(50, size=count), 50 + rng.integers(50, size=count)], axis=1).astype(np.int32)
        bouts.play(rows[:20], seeds(20, 1))
        rates = []
        for _ in range(5):
            began = process_time()
            bouts.play(rows, seeds(count, 1))
            rates.append(count / (process_time() - began))
        bar = "; bar 5,000" if name == "gdl:connect-four" else ""
        spread = f"{min(rates):,.0f} to {max(rates):,.0f}"
        plies = f"{bouts.lengths.mean():.1f} plies{bar}"
        print(f"{name}: {median(rates):,.0f} matches of 1-ply players a second ({spread}), {plies}")


def evolution(generations):
    made = Evolution(game("gdl:connect-four"), Settings(generations=generations), threads=2)
    began, cpu = perf_counter(), process_time()
    while not made.done:
        made.advance()
    took = process_time() - cpu
    played, clock = sum(each.bouts for each in made.history), perf_counter() - began
    print(f"{generations} generations of 100, Connect Four from rules: {took:.0f} s of CPU, {clock:.0f} s by the clock")
    print(f"  {played:,} matches; 300 generations take {300 * took / generations:.0f} s of CPU; bar 600 s on two cores")
    made.bouts.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--generations", type=int, default=300)
    given = parser.parse_args()
    networks()
    matches()
    evolution(given.generations)
