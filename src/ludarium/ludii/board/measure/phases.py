"""Phases: colours of sites such that neighbours differ, as on a chess board."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from ludarium.ludii.board.graph import Graph

COUNT = 6
_USUAL = 4  # colours that are tried; where these are not enough, the next one serves


def neighbours(graph: Graph) -> dict[str, list[list[int]]]:
    """Per site its neighbours, by type: points by lines, lines by points, cells by lines."""
    lines = [[other.id for end in (edge.a, edge.b) for other in end.edges if other is not edge] for edge in graph.edges]
    return {
        "Vertex": [[edge.other(vertex).id for edge in vertex.edges] for vertex in graph.vertices],
        "Edge": lines,
        "Cell": [
            [other.id for other in (edge.across(face) for edge in face.sides) if other is not None]
            for face in graph.faces
        ],
    }


def phases(around: Sequence[Sequence[int]]) -> list[list[int]]:
    """The sites of each phase. Colouring spreads from the first site; sites between several colours go first."""
    of = [-1] * len(around)
    beside = [0] * len(around)  # the colours next to each site, as bits
    for start in range(len(around)):
        queue = deque([start])
        while queue:
            site = queue.popleft()
            if of[site] >= 0:
                continue
            colour = next((k for k in range(_USUAL) if not beside[site] >> k & 1), _USUAL)
            of[site] = colour
            for other in around[site]:
                beside[other] |= 1 << colour
            for other in around[site]:
                if of[other] < 0:
                    several = beside[other] & (beside[other] - 1)
                    queue.appendleft(other) if several else queue.append(other)
    return [[site for site, colour in enumerate(of) if colour == phase] for phase in range(COUNT)]
