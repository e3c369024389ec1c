"""Populations are neat-python's: the same networks, the same generations wherever they go on from."""

import json
import random

import neat
import pytest

from ludarium.evaluate.evolved.network import flat
from ludarium.evaluate.evolved.network_kernels import ACTIVATIONS, AGGREGATIONS, activate
from ludarium.evolve.genomes import Genomes, config, network_of
from ludarium.evolve.likeness import Likeness


def shaken(seed, generations=12, inputs=7):
    """Genomes of many shapes, with all functions that there are."""
    made = Genomes(inputs, 20, seed, 0)
    made.config.genome_config.conn_add_prob = made.config.genome_config.node_add_prob = 0.6
    made.begin()
    rnd = random.Random(seed)
    for _ in range(generations):
        made.breed([rnd.random() for _ in range(20)])
    for genome in made.members.values():
        for node in genome.nodes.values():
            node.activation, node.aggregation = rnd.choice(ACTIVATIONS), rnd.choice(AGGREGATIONS)
            node.response = rnd.gauss(1, 0.5)
    return made, rnd


def by_kernel(networks, number, values):
    for place, value in enumerate(values):
        networks.values[place] = value
    return activate(networks, number)


@pytest.mark.parametrize("seed", range(3))
def test_networks_give_what_neat_python_gives(seed):
    made, rnd = shaken(seed)
    laid_out = flat(made.networks, 7)
    compared = 0
    for number, (_, genome) in enumerate(sorted(made.members.items())):
        theirs = neat.nn.FeedForwardNetwork.create(genome, made.config)
        for _ in range(5):
            values = [rnd.uniform(-2, 2) for _ in range(7)]
            try:
                (expected,) = theirs.activate(values)
            except OverflowError:  # where Python raises, machine code gives inf
                continue
            assert by_kernel(laid_out, number, values) == pytest.approx(expected, rel=1e-9, abs=1e-9)
            compared += 1
    assert compared > 80
    assert max(len(network.nodes) for network in made.networks) > 3


def test_genomes_are_as_unlike_as_neat_python_says():
    made, _ = shaken(5)
    settings = made.config.genome_config
    strangers = list(shaken(6, generations=20)[0].members.values())
    for key, genome in enumerate(strangers, 10_000):
        genome.key = key
    likeness = Likeness(made.members, settings)
    for one in [*made.members.values(), *strangers]:
        for other in made.members.values():
            expected = neat.DefaultGenome.distance(one, other, settings)
            assert likeness.between(one, other) == pytest.approx(expected, abs=1e-12)
    assert likeness.between(strangers[0], strangers[1]) is None
    assert strangers[0].distance(strangers[1], settings) > 0


def test_a_genome_without_links_gives_its_bias():
    made = config(3, 10)
    genome = neat.DefaultGenome(1)
    genome.nodes[0] = genome.create_node(made.genome_config, 0)
    genome.nodes[0].bias, genome.nodes[0].activation = 0.25, "identity"
    network = network_of(genome, made)
    assert network.connections == 0
    assert by_kernel(flat([network], 3), 0, [1.0, 2.0, 3.0]) == 0.25


def test_a_population_goes_on_from_what_was_written_down():
    whole, parts = Genomes(5, 30, 9, 1), Genomes(5, 30, 9, 1)
    whole.begin()
    parts.begin()
    rnd = random.Random(4)
    for _ in range(8):
        fitness = [rnd.randrange(20) for _ in range(30)]
        whole.breed(fitness)
        parts.breed(fitness)
        again = Genomes(5, 30, 9, 1)
        again.restore(json.loads(json.dumps(parts.written())))
        assert again.networks == parts.networks
        parts = again
    assert whole.networks == parts.networks
    assert json.dumps(whole.written()) == json.dumps(parts.written())


def test_what_others_draw_is_not_disturbed():
    random.seed(5)
    expected = [random.random() for _ in range(3)]
    random.seed(5)
    found = [random.random()]
    made = Genomes(5, 10, 1, 0)
    made.begin()
    found.append(random.random())
    made.breed([1.0] * 10)
    found.append(random.random())
    assert found == expected


def test_species_stay_about_a_tenth_of_the_population():
    made = Genomes(10, 60, 1, 0)
    made.begin()
    rnd = random.Random(1)
    counts = []
    for _ in range(40):
        made.breed([rnd.random() for _ in range(60)])
        counts.append(len(made.species.species))
    assert 3 <= sum(counts[-10:]) / 10 <= 12


def test_a_population_can_begin_with_networks_from_elsewhere():
    first = Genomes(6, 20, 1, 0)
    first.begin()
    rnd = random.Random(1)
    for _ in range(10):
        first.breed([rnd.random() for _ in range(20)])
    basis = first.networks[:5]
    second = Genomes(6, 20, 2, 0)
    second.settle(basis)
    assert second.networks[:5] == basis
    assert len(set(map(str, second.networks))) > 10
    second.breed([1.0] * 20)
    assert len(second.networks) == 20
