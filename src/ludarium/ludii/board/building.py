"""Putting a board together: the graph, what is measured on it, the ways over it, tracks, and what lies beside it."""

from __future__ import annotations

import re
from typing import cast

from ludarium.core.problems import Problem, RulesError
from ludarium.ludii.board.containers import containers, whole
from ludarium.ludii.board.graph import Graph
from ludarium.ludii.board.making import Maker
from ludarium.ludii.board.measure.sites import measure
from ludarium.ludii.board.topology import Container, Sites, SiteType, Topology, Track
from ludarium.ludii.board.tracks import Tracks, loops
from ludarium.ludii.board.ways.table import Table
from ludarium.ludii.grammar.binder import Array, Bound, Symbol
from ludarium.ludii.grammar.checker import Rules

_SOLID = re.compile(r"\(layer\s")
"""By this a game is known to be played in three dimensions: rows and columns are then those of the ground."""

_BOARDS = ("board", "boardless", "mancalaBoard", "surakartaBoard")


def build(rules: Rules, players: int | None = None) -> Topology:
    """Build the board of a game, and everything beside it that has sites."""
    equipment = rules.root.arguments.get("equipment")
    if not isinstance(equipment, Bound):
        raise RulesError(
            [Problem(rules.place(rules.root), "a match has no board of its own", "build those of its games")]
        )
    listed = equipment.arguments["items"]
    assert isinstance(listed, Array)
    items = [item for item in listed if isinstance(item, Bound)]
    board = next((item for item in items if _head(item) in _BOARDS), None)
    if board is None:
        raise RulesError([Problem(rules.place(equipment), "there is no board", "write one, or (boardless Square)")])
    use = _use(board)
    graph = Maker(use, rules.place).board(board)
    boardless = _head(board) == "boardless"
    solid = _SOLID.search(rules.description.text.string) is not None
    sites = measure(graph, boardless=boardless, solid=solid)
    ways = Table(graph, rules.place(board))
    count = max(sites["Cell"].count, sites[use].count)
    return Topology(
        default_type=use,
        boardless=boardless,
        vertices=sites["Vertex"],
        edges=sites["Edge"],
        cells=sites["Cell"],
        ends=tuple((edge.a.id, edge.b.id) for edge in graph.edges),
        corners_of=tuple(tuple(vertex.id for vertex in face.corners) for face in graph.faces),
        sides_of=tuple(tuple(edge.id for edge in face.sides) for face in graph.faces),
        containers=containers(
            items, Container("Board", "board", 0, "Neutral", 0, count, items=(board,)), _players(rules, players)
        ),
        tracks=_tracks(rules, board, graph, sites[use], ways),
        maps=tuple(item for item in items if _head(item) == "map"),
        regions=tuple(item for item in items if _head(item) == "regions"),
        ways=ways,
    )


def _use(board: Bound) -> SiteType:
    if _head(board) in ("mancalaBoard", "surakartaBoard"):
        return "Vertex"
    word = board.arguments.get("use")
    return cast(SiteType, word.word) if isinstance(word, Symbol) else "Cell"


def _players(rules: Rules, players: int | None) -> int:
    if players is not None:
        return players
    declared = rules.root.arguments["players"]
    assert isinstance(declared, Bound)
    listed = declared.arguments.get("players")
    return len(listed) if isinstance(listed, Array) else whole(declared.arguments.get("numPlayers"), 0)


def _tracks(rules: Rules, board: Bound, graph: Graph, sites: Sites, ways: Table) -> tuple[Track, ...]:
    if _head(board) == "surakartaBoard":
        if graph.basis not in ("Square", "Triangular"):
            problem = "a Surakarta board has squares or triangles"
            raise RulesError([Problem(rules.place(board), problem, "it needs a square, a rectangle, or a tri")])
        given = board.arguments
        count = whole(given.get("loops"), -1)
        rows, columns = len(sites.row_sites), len(sites.column_sites)
        return tuple(loops(graph.basis, rows, columns, whole(given.get("from"), 1), None if count < 0 else count))
    builder = Tracks(sites.type, sites, ways, rules.place)
    one, several = board.arguments.get("track"), board.arguments.get("tracks")
    ludemes = [one] if isinstance(one, Bound) else list(several) if isinstance(several, Array) else []
    built = (builder.build(ludeme) for ludeme in ludemes if isinstance(ludeme, Bound))
    return tuple(each for each in built if each is not None)


def _head(item: Bound) -> str:
    return item.signature.ludeme.names[0]
