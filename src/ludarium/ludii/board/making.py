"""From a ludeme to a graph: every word that makes one, and the boards that are made of several."""

from __future__ import annotations

from itertools import pairwise

from ludarium.core.problems import Problem, RulesError
from ludarium.ludii.board.arguments import Arguments, Locate
from ludarium.ludii.board.faces import make_faces
from ludarium.ludii.board.generators import GENERATORS
from ludarium.ludii.board.generators.hexagons import large_hexagon
from ludarium.ludii.board.generators.squares import squares
from ludarium.ludii.board.generators.triangles import large_triangle
from ludarium.ludii.board.graph import Graph, TooLarge, single
from ludarium.ludii.board.operators import OPERATORS
from ludarium.ludii.board.topology import SiteType
from ludarium.ludii.grammar.binder import Bound

_MAKERS = {**GENERATORS, **OPERATORS}
_ENDLESS = {"Square": 41, "Triangular": 41, "Hexagonal": 21}
"""How large a board is that stands for none."""

_STORES = {2: (-0.85, -0.15), 3: (-1.0, 0.0), 4: (-0.9, -0.1), 5: (-1.0, 0.0), 6: (-0.9, -0.1)}
"""By the number of rows, where stores are: left of the first hole, and beyond the last but one."""


class Maker:
    """Makes the graphs of one board."""

    def __init__(self, use: SiteType, place: Locate) -> None:
        self._use = use
        self._place = place

    def board(self, item: Bound) -> Graph:
        """The graph of a board."""
        inner = item.arguments.get("graphFn")
        return self.graph(inner if isinstance(inner, Bound) else item)

    def graph(self, ludeme: Bound) -> Graph:
        """The graph that a ludeme stands for."""
        head = ludeme.signature.ludeme.names[0]
        make = {"boardless": _boardless, "mancalaBoard": _mancala}.get(head) or _MAKERS[head]
        try:
            return make(self._arguments(ludeme))
        except TooLarge as error:
            problem = Problem(self._place(ludeme), f"{error} is more than can be played on", "make it smaller")
            raise RulesError([problem]) from None

    def _arguments(self, ludeme: Bound) -> Arguments:
        return Arguments(ludeme, self._use, self._place, self.graph)


def _boardless(given: Arguments) -> Graph:
    """A large board of which only what is next to pieces is in play."""
    tiling = given.word("tiling", "Square")
    size = given.size("dimension", _ENDLESS[tiling])
    if tiling == "Hexagonal":
        return large_hexagon(size)
    return large_triangle(size + 1) if tiling == "Triangular" else squares(given, size, size)


def _mancala(given: Arguments) -> Graph:
    """Rows of holes, with a store at either end."""
    rows, columns = given.size("rows"), given.size("columns")
    if rows not in _STORES:
        limit = f"from {min(_STORES)} to {max(_STORES)} are possible"
        given.fail(f"a mancala board cannot have {rows} rows", limit)
    store = given.word("store", "Outer")
    if store == "Inner" or given.dim("numStores", 2) != 2:
        return squares(given, rows, rows)
    left, right = map(single, _STORES[rows])
    graph = Graph()
    if store != "None":
        graph.add_vertex(left, (rows - 1) / 2)
    for row in range(rows):
        holes = [graph.add_vertex(float(column), float(row)) for column in range(columns)]
        for a, b in pairwise(holes):
            graph.join(a, b)
    if store != "None":
        graph.add_vertex(columns + right, (rows - 1) / 2)
    graph.connect()
    make_faces(graph, planar=True)
    return graph
