"""Small boards for tests: the text of a game around a board, and its topology."""

from collections.abc import Iterable

from ludarium.ludii.board import Topology, build
from ludarium.ludii.grammar.checker import bind
from ludarium.ludii.text.expander import expand

GAME = '(game "Toy" (players 2) (equipment {{{items}}}) (rules (play (move Pass)) (end (if True (result P1 Win)))))'


def equipment(items: str) -> Topology:
    """The topology of some items."""
    return build(bind(expand(GAME.format(items=items), "toy.lud")))


def board(graph: str, use: str = "Cell", tracks: str = "") -> Topology:
    """The topology of a board."""
    return equipment(f"(board {graph} {tracks} use:{use})")


def points(topology: Topology, kind: str | None = None) -> list[tuple[float, float]]:
    """Where sites are, rounded."""
    sites = topology.sites(kind)  # type: ignore[arg-type]
    return [(round(x, 3) + 0.0, round(y, 3) + 0.0) for x, y in zip(sites.x, sites.y, strict=True)]


def counts(topology: Topology) -> tuple[int, int, int]:
    """How many vertices, edges and cells there are."""
    return topology.vertices.count, topology.edges.count, topology.cells.count


def euler(topology: Topology) -> int:
    """Vertices and cells without edges: 1 for one piece without holes."""
    vertices, edges, cells = counts(topology)
    return vertices + cells - edges


def labels(topology: Topology, sites: Iterable[int]) -> list[str]:
    """How sites of the default type are called."""
    return [topology.sites().labels[site] for site in sites]
