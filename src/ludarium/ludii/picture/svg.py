"""Boards drawn as SVG images from their own geometry: cells as areas or vertices and edges as lines, and pieces as discs.

Players are told apart by colours that colour-blind people can tell apart, too (Okabe and Ito 2008), and kinds of pieces by
letters. The last move is ringed; hands, dice and scores stand to the right of the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from ludarium.drawing.colours import is_dark, of_roles
from ludarium.ludii.model import Model
from ludarium.ludii.picture.cards import draw as draw_cards
from ludarium.ludii.picture.cards import only_cards
from ludarium.ludii.picture.letters import letters, role_names
from ludarium.ludii.picture.position import Place, Position
from ludarium.ludii.picture.terminal import owner_name, shown

_CELL = 44.0  # the smallest distance between two sites
_WIDE_CELL = 80.0  # on boards that would be small otherwise
_SMALLEST, _LARGEST = 300.0, 900.0  # the longer side of a board
_MARGIN = 34.0
_BESIDE = 170.0
_LEVELS = 6  # pieces of a stack that are drawn
_SMALLER = 0.5  # what stands on sites of another type than the usual one

_NOBODY = "#9a9a9a"
_LINE, _GROUND, _LAST, _LABEL = "#6d675e", "#fbfaf7", "#b3007d", "#6d675e"
_FIELDS = ("#d3bf9b", "#e9dcc3", "#f4ecdc", "#c4ad84", "#dccfb4", "#b79f75")


def draw(model: Model, position: Position, labels: Sequence[str]) -> str:
    """Draw a position."""
    if only_cards(model):
        beside = [each for each in model.topology.containers[1:] if each.kind != "dice"]
        return draw_cards(model, position, labels, [owner_name(model, each.owner) for each in beside])
    return _Drawing(model, position, labels).text()


class _Drawing:
    """An image in the making."""

    def __init__(self, model: Model, position: Position, labels: Sequence[str]) -> None:
        self.model, self.position, self.labels = model, position, labels
        self.parts: list[str] = []
        self.sites: list[str] = []
        self.colours = of_roles(role_names(model))
        topology = model.topology
        xs = np.concatenate([topology.vertices.x, topology.sites().x])
        ys = np.concatenate([topology.vertices.y, topology.sites().y])
        self.left, self.top = (float(xs.min()), float(ys.max())) if len(xs) else (0.0, 0.0)
        across, down = (float(np.ptp(each)) if len(each) else 0.0 for each in (xs, ys))
        gap = _nearest(topology.sites().x, topology.sites().y)
        longest = max(across, down, gap)
        wanted = min(max(_CELL / gap, _SMALLEST / longest), _WIDE_CELL / gap)
        self.scale = min(wanted, _LARGEST / longest)
        self.radius = 0.4 * gap * self.scale
        self.margin = max(_MARGIN, (1.8 if model.stacking else 1.3) * self.radius)
        self.width = across * self.scale + 2 * self.margin
        self.height = down * self.scale + 2 * self.margin

    def text(self) -> str:
        """The whole image."""
        self._board()
        for site in range(self.model.board_sites):
            self._site(site)
        self._others()
        bottom = self._beside()
        self.parts += self.sites
        width = self.width + (_BESIDE if bottom else 0)
        height = max(self.height, bottom)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.5g} {height:.5g}" '
            f'width="{width:.5g}" height="{height:.5g}" font-family="sans-serif" text-anchor="middle">'
        )
        title = f"<title>{escape(self.model.name)}</title>"
        ground = f'<rect width="100%" height="100%" fill="{_GROUND}"/>'
        return "\n".join([head, title, ground, *self.parts, "</svg>"])

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the board is in the image."""
        return (x - self.left) * self.scale + self.margin, (self.top - y) * self.scale + self.margin

    def _board(self) -> None:
        topology = self.model.topology
        vertices, sites = topology.vertices, topology.sites()
        if topology.boardless:
            return
        inside = topology.default_type == "Cell"
        for cell, corners in enumerate(topology.corners_of):
            points = " ".join("{:.5g},{:.5g}".format(*self.at(vertices.x[k], vertices.y[k])) for k in corners)
            fill = _FIELDS[max(0, int(topology.cells.phase[cell])) % len(_FIELDS)] if inside else _FIELDS[2]
            self.parts.append(f'<polygon points="{points}" fill="{fill}" stroke="{_LINE}"/>')
        if not inside or not topology.corners_of:
            for a, b in topology.ends:
                x, y = self.at(vertices.x[a], vertices.y[a])
                u, v = self.at(vertices.x[b], vertices.y[b])
                self.parts.append(f'<line x1="{x:.5g}" y1="{y:.5g}" x2="{u:.5g}" y2="{v:.5g}" stroke="{_LINE}"/>')
        if topology.default_type == "Vertex":
            for x, y in zip(sites.x, sites.y, strict=True):
                self._disc(*self.at(x, y), 3.0, _LINE)

    def _site(self, site: int) -> None:
        sites = self.model.topology.sites()
        x, y = self.at(sites.x[site], sites.y[site])
        place = self.position.places[site]
        self._clickable(site, x, y)
        self._ring(site, x, y)
        if place.pieces:
            self._place(x, y, place)
        elif place.told:
            self._disc_with(x, y, place.told, place.owner)
        else:
            aside = 0.0 if self.model.topology.default_type == "Cell" else 0.45 * self.radius  # not upon a line
            down = 0.9 if not aside else 0.65
            self._words(x + aside, y + down * self.radius, self.labels[site], min(0.5 * self.radius, 12.0), _LABEL)

    def _others(self) -> None:
        """Draw what stands on sites of other types than the usual one, smaller."""
        radius, self.radius = self.radius, self.radius * _SMALLER
        for kind in self.model.types[1:]:
            sites = self.model.topology.sites(kind)
            for site in range(sites.count):
                spot, (x, y) = self.model.spot(kind, site), self.at(sites.x[site], sites.y[site])
                self._clickable(spot, x, y)
                self._ring(spot, x, y)
                if self.position.places[spot].pieces:
                    self._place(x, y, self.position.places[spot])
        self.radius = radius

    def _ring(self, spot: int, x: float, y: float) -> None:
        """Show whether the last move was here."""
        if spot in self.position.last:
            ring = f'r="{self.radius * 1.08:.4g}" fill="none" stroke="{_LAST}" stroke-width="2.5"'
            self.parts.append(f'<circle cx="{x:.5g}" cy="{y:.5g}" {ring} stroke-dasharray="5 3"/>')

    def _clickable(self, site: int, x: float, y: float) -> None:
        """Let a site be clicked on: its cell, or a disc around it."""
        topology, label = self.model.topology, escape(self.labels[site])
        place = f'class="site" data-site="{label}" data-x="{x:.5g}" data-y="{y:.5g}" data-r="{1.2 * self.radius:.4g}"'
        shape = f'<circle cx="{x:.5g}" cy="{y:.5g}" r="{1.2 * self.radius:.4g}"'
        if topology.default_type == "Cell" and site < len(topology.corners_of) and len(topology.corners_of[site]) > 2:
            vertices = topology.vertices
            corners = (self.at(vertices.x[k], vertices.y[k]) for k in topology.corners_of[site])
            shape = '<polygon points="{}"'.format(" ".join(f"{u:.5g},{v:.5g}" for u, v in corners))
        self.sites.append(f'{shape} fill="transparent" {place}/>')

    def _place(self, x: float, y: float, place: Place) -> None:
        if (
            self.model.counting and (text := shown(self.model, place)).isdigit()
        ):  # one kind of piece: only how many matters
            self._disc(x, y, 0.82 * self.radius, _NOBODY)
            self._words(x, y + 0.32 * self.radius, text, 0.9 * self.radius, "#000")
            return
        drawn = place.pieces[-_LEVELS:]
        step = 0.22 * self.radius if len(drawn) > 1 else 0.0
        for level, piece in enumerate(drawn):
            self._piece(x, y - step * (level - (len(drawn) - 1) / 2), piece)
        if place.count > 1:
            self._disc(x + 0.72 * self.radius, y - 0.72 * self.radius, 0.42 * self.radius, "#fff")
            self._words(x + 0.72 * self.radius, y - 0.51 * self.radius, str(place.count), 0.6 * self.radius, "#000")

    def _piece(self, x: float, y: float, piece: int) -> None:
        self._disc_with(x, y, letters(self.model).get(piece, "?"), self.model.components[piece - 1].owner)

    def _disc_with(self, x: float, y: float, letter: str, owner: int) -> None:
        """Draw a disc in the colour of a player, with something written on it."""
        colour = self.colours[owner - 1] if 0 < owner <= self.model.players else _NOBODY
        self._disc(x, y, 0.82 * self.radius, colour)
        size = 0.95 * self.radius / max(1, len(letter) - 0.5)
        self._words(x, y + 0.34 * self.radius, letter, size, "#fff" if is_dark(colour) else "#222")

    def _disc(self, x: float, y: float, radius: float, colour: str) -> None:
        self.parts.append(f'<circle cx="{x:.5g}" cy="{y:.5g}" r="{radius:.4g}" fill="{colour}" stroke="{_LINE}"/>')

    def _words(self, x: float, y: float, text: str, size: float, colour: str) -> None:
        place = f'x="{x:.5g}" y="{y:.5g}" font-size="{max(size, 5.0):.3g}" fill="{colour}"'
        self.parts.append(f"<text {place}>{escape(text)}</text>")

    def _beside(self) -> float:
        """Draw what is not on the board, one below the other; how far down it goes, 0 if there is nothing."""
        x, y = self.width + 4, _MARGIN
        radius, self.radius = self.radius, _CELL * 0.4
        begun = y
        for container in self.model.topology.containers[1:]:
            held = [
                (container.first + k, place)
                for k in range(container.count)
                if (place := self.position.places[container.first + k]).pieces
            ]
            if container.kind == "dice" or not held:
                continue
            self._line(x, y, f"{owner_name(self.model, container.owner)} holds")
            for k, (site, place) in enumerate(held):
                at = x + 20 + (k % 4) * 40, y + 30 + (k // 4) * 40
                self._place(*at, place)
                self._clickable(site, *at)
            y += 30 + 40 * -(-len(held) // 4)
        for k, (face, free) in enumerate(self.position.dice):
            left, top = x + (k % 4) * 40, y + (k // 4) * 40
            fill = "#fff" if free else "#c9c5bd"
            self.parts.append(
                f'<rect x="{left:.5g}" y="{top:.5g}" width="32" height="32" rx="5" fill="{fill}" stroke="{_LINE}"/>'
            )
            self._words(left + 16, top + 22, str(face), 18, "#222")
        y += 40 * -(-len(self.position.dice) // 4)
        if any(self.position.scores):
            for player, score in enumerate(self.position.scores, 1):
                y += 20
                self._line(x, y, f"{owner_name(self.model, player)}: {score}")
        self.radius = radius
        return y + _MARGIN if y > begun else 0.0

    def _line(self, x: float, y: float, text: str) -> None:
        self.parts.append(
            f'<text x="{x:.5g}" y="{y:.5g}" font-size="14" fill="#222" text-anchor="start">{escape(text)}</text>'
        )


def _nearest(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """The smallest distance between two sites; 1 if there are none."""
    points = np.column_stack([x, y])
    best = np.inf
    for k in range(0, len(points), 256):  # in parts: a large board has many pairs
        apart = np.linalg.norm(points[k : k + 256, None] - points[None], axis=-1)
        apart = apart[apart > 1e-3]
        best = min(best, float(apart.min(initial=np.inf)))
    return best if np.isfinite(best) else 1.0
