"""Populations of genomes, by neat-python: genes, species and reproduction are its, seeds and memory are ours.

neat-python draws from the generator that all of Python shares. Before each of its steps that generator is seeded with what the
step is (seed, role, generation), and put back afterwards, so a population is the same wherever it goes on from. How unlike the
genomes of a species may be follows the number of species, as in Stanley's own programs: there should be one for ten genomes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

from ludarium.arena.extras import needs
from ludarium.core import Rng
from ludarium.evaluate.evolved.network import Network, Node
from ludarium.evolve.likeness import Genome, Likeness

with needs("evolve"):
    import neat
    from neat.graphs import feed_forward_layers
    from neat.reporting import ReporterSet
    from neat.species import Species

_NUMBERS = {  # as in Stanley and Miikkulainen (2002) where neat-python has the same, else its own defaults
    "bias": {"init_mean": 0.0, "init_stdev": 1.0, "replace_rate": 0.1, "mutate_rate": 0.7, "mutate_power": 0.5},
    "response": {"init_mean": 1.0, "init_stdev": 0.0, "replace_rate": 0.0, "mutate_rate": 0.0, "mutate_power": 0.0},
    "weight": {"init_mean": 0.0, "init_stdev": 1.0, "replace_rate": 0.1, "mutate_rate": 0.8, "mutate_power": 0.5},
    "time_constant": {
        "init_mean": 1.0,
        "init_stdev": 0.0,
        "replace_rate": 0.0,
        "mutate_rate": 0.0,
        "mutate_power": 0.0,
    },
}
_LIMIT = 8.0  # of weights and biases
_GENOME = {
    "num_outputs": 1,
    "num_hidden": 0,
    "feed_forward": True,
    "initial_connection": "full_direct",
    "compatibility_disjoint_coefficient": 1.0,
    "compatibility_weight_coefficient": 0.5,
    "conn_add_prob": 0.1,
    "conn_delete_prob": 0.0,
    "node_add_prob": 0.05,
    "node_delete_prob": 0.0,
    "single_structural_mutation": False,
    "structural_mutation_surer": "default",
    "activation_default": "sigmoid",
    "activation_options": "sigmoid",
    "activation_mutate_rate": 0.0,
    "aggregation_default": "sum",
    "aggregation_options": "sum",
    "aggregation_mutate_rate": 0.0,
    "enabled_default": True,
    "enabled_mutate_rate": 0.01,
    "enabled_rate_to_true_add": 0.0,
    "enabled_rate_to_false_add": 0.0,
}
_THRESHOLD = 1.2  # how unlike genomes of one species may be at first: about as much as two random ones are
_CHANGE = 1.1  # of that, from one generation to the next
_SHARE = 10  # genomes to a species


def config(inputs: int, population: int) -> Any:
    """Make a configuration of neat-python, which would rather read a file."""
    numbers = {
        f"{name}_{key}": str(value)
        for name, given in _NUMBERS.items()
        for key, value in {**given, "init_type": "gaussian", "max_value": _LIMIT, "min_value": -_LIMIT}.items()
    }
    numbers |= {"time_constant_min_value": "0.01"}
    made = neat.Config.__new__(neat.Config)
    made.genome_type, made.pop_size = Genome, population
    words = {key: str(value) for key, value in _GENOME.items()}
    made.genome_config = Genome.parse_config(words | numbers | {"num_inputs": str(inputs)})
    made.species_set_config = neat.DefaultSpeciesSet.parse_config({"compatibility_threshold": str(_THRESHOLD)})
    stagnation = {"species_fitness_func": "max", "max_stagnation": "20", "species_elitism": "2"}
    made.stagnation_config = neat.DefaultStagnation.parse_config(stagnation)
    reproduction = {"elitism": "1", "survival_threshold": "0.2", "min_species_size": "1"}
    made.reproduction_config = neat.DefaultReproduction.parse_config(reproduction)
    return made


class Genomes:
    """The population of one role."""

    def __init__(self, inputs: int, size: int, seed: int, role: int) -> None:
        self.config = config(inputs, size)
        self.size, self.seed, self.role, self.generation = size, seed, role, 0
        reporters = ReporterSet()
        stagnation = neat.DefaultStagnation(self.config.stagnation_config, reporters)
        self.reproduction = neat.DefaultReproduction(self.config.reproduction_config, reporters, stagnation)
        self.species = neat.DefaultSpeciesSet(self.config.species_set_config, reporters)
        self.members: dict[int, Any] = {}

    @property
    def networks(self) -> list[Network]:
        """The networks of the population, in the order of their numbers."""
        return [network_of(genome, self.config) for _, genome in sorted(self.members.items())]

    def begin(self) -> None:
        """Draw the first generation."""
        with self._drawing("begin"):
            self.members = self.reproduction.create_new(Genome, self.config.genome_config, self.size)
            self._speciate()

    def settle(self, networks: Sequence[Network]) -> None:
        """Begin with networks that are known from elsewhere, and let what is left of the population vary them."""
        self.begin()
        if not networks:
            return
        with self._drawing("settle"):
            for place, key in enumerate(sorted(self.members)):
                genome = _genome_of(key, networks[place % len(networks)], self.config)
                if place >= len(networks):
                    genome.mutate(self.config.genome_config)
                self.members[key] = genome
            self.species.species = {}
            self._speciate()

    def breed(self, fitness: Sequence[float]) -> None:
        """Make the next generation of one whose fitness is known."""
        for (_, genome), value in zip(sorted(self.members.items()), fitness, strict=True):
            genome.fitness = float(value)
        with self._drawing("breed"):
            self.members = self.reproduction.reproduce(self.config, self.species, self.size, self.generation)
            self.reproduction.ancestors.clear()  # which nobody asks for, and which would only grow
            self.generation += 1
            wanted, settings = max(2, self.size // _SHARE), self.species.species_set_config
            if len(self.species.species) != wanted:
                settings.compatibility_threshold *= _CHANGE if len(self.species.species) > wanted else 1 / _CHANGE
            self._speciate()

    def written(self) -> dict[str, Any]:
        """Write down all that the next generations depend on."""
        genome_config = self.config.genome_config
        return {
            "generation": self.generation,
            "threshold": self.species.species_set_config.compatibility_threshold,
            "genomes": [_written(genome) for genome in self.members.values()],
            "species": [
                [
                    each.key,
                    each.created,
                    each.last_improved,
                    each.representative.key,
                    list(each.members),
                    each.fitness_history,
                ]
                for each in self.species.species.values()
            ],
            "next": {
                "genome": _peek(self.reproduction, "genome_indexer"),
                "species": _peek(self.species, "indexer"),
                "node": _peek(genome_config, "node_indexer"),
                "innovation": self.reproduction.innovation_tracker.global_counter,
            },
        }

    def restore(self, given: Any) -> None:
        """Go on from what was written down."""
        self.generation = int(given["generation"])
        self.species.species_set_config.compatibility_threshold = float(given["threshold"])
        self.members = {}
        for each in given["genomes"]:
            genome = _read(each, self.config)
            self.members[genome.key] = genome
        self.species.species, self.species.genome_to_species = {}, {}
        for key, created, improved, representative, members, history in given["species"]:
            made = Species(key, created)
            made.last_improved, made.fitness_history = improved, list(history)
            made.update(self.members[representative], {member: self.members[member] for member in members})
            self.species.species[key] = made
            self.species.genome_to_species |= dict.fromkeys(members, key)
        following = given["next"]
        self.reproduction.genome_indexer = count(following["genome"])
        self.species.indexer = count(following["species"])
        node = following["node"]
        self.config.genome_config.node_indexer = None if node is None else count(node)
        self.reproduction.innovation_tracker.global_counter = following["innovation"]
        self.config.genome_config.innovation_tracker = self.reproduction.innovation_tracker

    def _speciate(self) -> None:
        genome_config = self.config.genome_config
        genome_config.likeness = Likeness(self.members, genome_config)
        self.species.speciate(self.config, self.members, self.generation)
        genome_config.likeness = None

    @contextmanager
    def _drawing(self, step: str) -> Iterator[None]:
        before = random.getstate()
        random.seed(Rng.keyed(self.seed, "neat", self.role, self.generation, step).next())
        try:
            yield
        finally:
            random.setstate(before)


def network_of(genome: Any, made: Any) -> Network:
    """Make the network that a genome stands for, as neat-python does: enabled links, and nodes that the output needs."""
    keys = made.genome_config.input_keys
    enabled = [each for each in genome.connections.values() if each.enabled]
    layers, required = feed_forward_layers(keys, made.genome_config.output_keys, [each.key for each in enabled])
    order = [node for layer in layers for node in sorted(layer) if node != 0] + [0]
    slots = {key: place for place, key in enumerate(keys)} | {key: len(keys) + k for k, key in enumerate(order)}
    wanted = required | set(keys)
    links: dict[int, list[tuple[int, float]]] = {key: [] for key in order}
    for each in enabled:
        source, target = each.key
        if target in links and source in wanted:
            links[target].append((slots[source], each.weight))
    genes = [(genome.nodes[key], links[key]) for key in order]
    nodes = (Node(gene.bias, gene.response, gene.activation, gene.aggregation, tuple(each)) for gene, each in genes)
    return Network(len(keys), tuple(nodes))


def _genome_of(key: int, network: Network, made: Any) -> Any:
    """Make a genome of a network; the same link has the same number in all of them."""
    genome = Genome(key)
    names = {**{place: -place - 1 for place in range(network.inputs)}}
    names |= {network.inputs + k: k + 1 for k in range(len(network.nodes) - 1)}
    names[network.inputs + len(network.nodes) - 1] = 0
    tracker = made.genome_config.innovation_tracker
    for place, node in enumerate(network.nodes):
        name = names[network.inputs + place]
        gene = genome.create_node(made.genome_config, name)
        gene.bias, gene.response, gene.activation, gene.aggregation = (
            node.bias, node.response, node.activation, node.aggregation,
        )  # fmt: skip
        genome.nodes[name] = gene
        for source, weight in node.links:
            number = tracker.get_innovation_number(names[source], name, "initial_connection")
            genome.add_connection(made.genome_config, names[source], name, weight, True, innovation=number)  # noqa: FBT003
    highest = max(genome.nodes) + 1
    indexer = made.genome_config.node_indexer
    made.genome_config.node_indexer = count(max(highest, next(indexer) if indexer is not None else 1))
    return genome


def _written(genome: Any) -> list[Any]:
    nodes = [[n.key, n.bias, n.response, n.activation, n.aggregation] for n in genome.nodes.values()]
    links = [[*c.key, c.weight, int(c.enabled), c.innovation] for c in genome.connections.values()]
    return [genome.key, genome.fitness, nodes, links]


def _read(given: Any, made: Any) -> Any:
    key, fitness, nodes, links = given
    genome = Genome(key)
    genome.fitness = fitness
    for number, bias, response, activation, aggregation in nodes:
        gene = genome.nodes[number] = made.genome_config.node_gene_type(number)
        gene.bias, gene.response, gene.activation, gene.aggregation = bias, response, activation, aggregation
        gene.time_constant = 1.0
    for source, target, weight, enabled, innovation in links:
        link = made.genome_config.connection_gene_type((source, target), innovation=innovation)
        link.weight, link.enabled = weight, bool(enabled)
        genome.connections[source, target] = link
    return genome


def _peek(owner: Any, name: str) -> int | None:
    """Say what a counter gives next, without using it up."""
    counter: Callable[[], int] | None = getattr(owner, name)
    if counter is None:
        return None
    following: int = next(counter)  # type: ignore[call-overload]
    setattr(owner, name, count(following))
    return following
