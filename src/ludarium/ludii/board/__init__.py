"""Boards: from the equipment of a game to plain tables of sites, numbered exactly as Ludii numbers them.

>>> from ludarium.ludii.grammar.checker import bind
>>> from ludarium.ludii.text.expander import expand
>>> text = '(game "Toy" (players 2) (equipment {(board (hex 2)) (hand Each size:3)}) (rules (play (move Pass)) (end {})))'
>>> board = build(bind(expand(text)))
>>> board.default_type, board.cells.count, board.cells.labels
('Cell', 7, ('A1', 'B1', 'A2', 'B2', 'C2', 'B3', 'C3'))
>>> board.steps("Cell", "Adjacent")[0]
(3, 1, 2)
>>> board.radials("Cell", "E")[2]
(Radial(sites=(2, 3, 4), opposites=()),)
>>> [(container.name, container.first, container.count) for container in board.containers]
[('Board', 0, 7), ('Hand1', 7, 3), ('Hand2', 10, 3)]
"""

from __future__ import annotations

from ludarium.ludii.board.building import build
from ludarium.ludii.board.topology import TYPES, Container, Group, Radial, Sites, SiteType, Topology, Track

__all__ = ["TYPES", "Container", "Group", "Radial", "SiteType", "Sites", "Topology", "Track", "build"]
