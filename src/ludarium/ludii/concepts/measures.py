"""Numbers that concepts are: what the board, the containers and the pieces come to."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from ludarium.ludii.board.topology import Topology

_RELATIONS = {
    "NumDirections": "All", "NumOrthogonalDirections": "Orthogonal", "NumDiagonalDirections": "Diagonal",
    "NumAdjacentDirections": "Adjacent", "NumOffDiagonalDirections": "OffDiagonal",
}  # fmt: skip
_GROUPS = {
    "NumCorners": "Corners", "NumOuterSites": "Outer", "NumInnerSites": "Inner", "NumPerimeterSites": "Perimeter",
    "NumTopSites": "Top", "NumBottomSites": "Bottom", "NumRightSites": "Right", "NumLeftSites": "Left",
    "NumCentreSites": "Centre", "NumConvexCorners": "ConvexCorners", "NumConcaveCorners": "ConcaveCorners",
}  # fmt: skip


def of_board(board: Topology, concepts: Collection[str]) -> Mapping[str, float]:
    """What can be counted on a board."""
    own = board.default_type
    sites = board.sites()
    kinds = {"Cell": board.cells, "Vertex": board.vertices, "Edge": board.edges}
    playable = sum(each.count for name, each in kinds.items() if name in concepts)
    found: dict[str, float] = {
        "NumPlayableSitesOnBoard": playable,
        "NumPlayableSites": playable + sum(each.count for each in board.containers[1:]),
        "NumColumns": len(sites.column_sites),
        "NumRows": len(sites.row_sites),
        "NumLayers": len(sites.layer_sites),
        "NumEdges": board.edges.count,
        "NumCells": board.cells.count,
        "NumVertices": board.vertices.count,
        "NumContainers": len(board.containers),
        "NumPhasesBoard": sum(bool(each) for each in sites.phases),
    }
    found |= {name: len(sites.groups[group]) for name, group in _GROUPS.items()}
    for name, relation in _RELATIONS.items():
        steps = board.steps(own, relation)
        found[name] = round(float(np.mean([len(each) for each in steps])), 2) if steps else 0.0
    return found
