"""Kernels of trees, paths and circles, against plain definitions of them."""

import random
from itertools import combinations

import numpy as np
import pytest

from ludarium.ludii.board import build
from ludarium.ludii.grammar.checker import bind
from ludarium.ludii.memory import graphs
from ludarium.ludii.text.expander import expand

GAME = '(game "G" (players 2) (equipment {{ (board {board} use:Edge) (piece "P" Each) }}) (rules (play (move Pass)) (end {{ }})))'


class Part:
    """Some edges of a board, for kernels and as plain sets."""

    def __init__(self, topology, edges):
        self.graph = np.array(graphs.graph_table(topology.vertices.count, topology.ends), np.int32)
        self.mine = np.zeros(-(-len(topology.ends) // 64), np.uint64)
        for edge in edges:
            self.mine[edge >> 6] |= np.uint64(1 << (edge & 63))
        self.work = np.zeros(graphs.WORK * topology.vertices.count, np.int64)
        self.vertices, self.ends = range(topology.vertices.count), topology.ends
        self.edges = set(edges)

    def ask(self, kernel, *numbers):
        return kernel(self.graph, self.mine, *numbers, self.work)

    def reached(self, start, without=-1):
        """The vertices that can be reached from one."""
        seen, waiting = {start}, [start]
        while waiting:
            here = waiting.pop()
            for edge in self.edges - {without}:
                if here in self.ends[edge]:
                    to = sum(self.ends[edge]) - here
                    waiting += [to] if to not in seen else []
                    seen.add(to)
        return seen

    def degree(self, vertex):
        return sum(vertex in self.ends[edge] for edge in self.edges)

    @property
    def circles(self):
        """Whether some edge can be taken away without cutting anything off."""
        return any(self.ends[edge][1] in self.reached(self.ends[edge][0], edge) for edge in self.edges)


def parts(board, count=200):
    topology = build(bind(expand(GAME.format(board=board))))
    rng = random.Random(5)
    for _ in range(count):
        edges = rng.sample(range(len(topology.ends)), rng.randint(1, len(topology.ends)))
        yield Part(topology, edges)


BOARDS = ["(square 3)", "(hex 2)", "(complete (regular Star 5))"]


@pytest.mark.parametrize("board", BOARDS)
def test_trees_have_no_circles(board):
    for part in parts(board):
        assert part.ask(graphs.is_tree) == (not part.circles)
        whole = not part.circles and len(part.edges) == len(part.vertices) - 1
        assert part.ask(graphs.is_spanning) == whole


@pytest.mark.parametrize("board", BOARDS)
def test_degrees_are_the_same_or_not(board):
    for part in parts(board):
        degrees = {part.degree(vertex) for vertex in part.vertices}
        assert graphs.common_degree(part.graph, part.mine) == (degrees.pop() if len(degrees) == 1 else -1)


@pytest.mark.parametrize("board", BOARDS)
def test_paths_do_not_branch_and_circles_have_no_bridges(board):
    for part in parts(board):
        edge = min(part.edges)
        one, two = part.ends[edge]
        near = part.reached(one)
        edges = [each for each in part.edges if part.ends[each][0] in near]
        plain = len(edges) == len(near) - 1 and all(part.degree(vertex) <= 2 for vertex in near)
        assert part.ask(graphs.path_size, edge) == (len(edges) if plain else -1)
        size = part.ask(graphs.circle_size, edge)
        assert (size != 0) == (two in part.reached(one, edge))
        if len(edges) == len(near) and all(part.degree(vertex) == 2 for vertex in near):
            assert size == len(edges)


def test_a_caterpillar_is_a_path_with_leaves():
    topology = build(bind(expand(GAME.format(board="(complete (regular Star 7))"))))
    number = {frozenset(ends): edge for edge, ends in enumerate(topology.ends)}

    def caterpillar(*pairs):
        return Part(topology, [number[frozenset(pair)] for pair in pairs]).ask(graphs.is_caterpillar)

    assert caterpillar((0, 1), (1, 2), (2, 3), (1, 4), (2, 5), (2, 6))
    assert not caterpillar((0, 1), (1, 2), (0, 3), (3, 4), (0, 5), (5, 6))
    assert not caterpillar((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 6))


def test_the_centre_of_a_tree_is_found():
    topology = build(bind(expand(GAME.format(board="(complete (regular Star 7))"))))
    number = {frozenset(ends): edge for edge, ends in enumerate(topology.ends)}
    path = Part(topology, [number[frozenset(pair)] for pair in ((4, 2), (2, 0), (0, 3), (3, 5))])
    assert [vertex for vertex in path.vertices if path.ask(graphs.is_centre, vertex)] == [0]
    star = Part(topology, [number[frozenset((6, leaf))] for leaf in range(4)])
    assert [vertex for vertex in range(7) if star.ask(graphs.is_centre, vertex)] == [6]
    ring = Part(topology, [number[frozenset(pair)] for pair in combinations(range(3), 2)])
    assert not any(ring.ask(graphs.is_centre, vertex) for vertex in ring.vertices)


def test_the_edge_between_two_vertices():
    topology = build(bind(expand(GAME.format(board="(square 3)"))))
    graph = np.array(graphs.graph_table(topology.vertices.count, topology.ends), np.int32)
    for edge, (one, two) in enumerate(topology.ends):
        assert graphs.edge_between(graph, one, two) == graphs.edge_between(graph, two, one) == edge
    assert graphs.edge_between(graph, 0, 15) == graphs.edge_between(graph, 0, -1) == -1


def test_triangles_are_found():
    topology = build(bind(expand(GAME.format(board="(complete (regular Star 5))"))))
    number = {frozenset(ends): edge for edge, ends in enumerate(topology.ends)}
    part = Part(topology, [number[frozenset(pair)] for pair in ((0, 1), (1, 2), (2, 0), (2, 3), (3, 4))])
    assert [graphs.has_triangle(part.graph, part.mine, vertex) for vertex in range(5)] == [
        True,
        True,
        True,
        False,
        False,
    ]
