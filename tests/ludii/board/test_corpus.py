"""Boards of Ludii's library, compared in everything with what Ludii builds."""

import json
import lzma
from pathlib import Path

import numpy as np
import pytest

from ludarium.ludii.board import TYPES, Topology, build
from ludarium.ludii.board.ways.directions import DIRECTIONS
from ludarium.ludii.grammar.checker import bind
from ludarium.ludii.library import LudiiLibrary, open_library
from ludarium.ludii.text.expander import expand

pytestmark = pytest.mark.corpus

GROUPS = {
    "corners": "Corners",
    "convex": "ConvexCorners",
    "concave": "ConcaveCorners",
    "outer": "Outer",
    "inner": "Inner",
    "perimeter": "Perimeter",
    "top": "Top",
    "bottom": "Bottom",
    "left": "Left",
    "right": "Right",
    "centre": "Centre",
    "major": "Major",
    "minor": "Minor",
}
PARTS = 16


@pytest.fixture(scope="module")
def library(ludii: Path) -> LudiiLibrary:
    return open_library(ludii)


@pytest.fixture(scope="module")
def recorded(ludii: Path) -> list[dict]:
    with lzma.open(ludii / "boards.jsonl.xz", "rt") as file:
        return [json.loads(line) for line in file]


@pytest.mark.parametrize("part", range(PARTS))
def test_boards_are_those_that_ludii_builds(part, library, recorded):
    whole = [entry for entry in recorded if isinstance(entry["board"], dict) and "same_as" not in entry["board"]]
    for entry in whole[part::PARTS]:
        topology = _built(library, entry["path"])
        assert topology.default_type == entry["use"]
        assert not sorted(set(_differences(topology, entry["board"]))), entry["path"]


def test_tracks_are_those_that_ludii_builds(library, recorded):
    for entry in recorded:
        if entry["tracks"]:
            tracks = _built(library, entry["path"]).tracks
            assert [
                {
                    "name": track.name,
                    "owner": track.owner,
                    "loop": track.loop,
                    "elems": [list(e) for e in zip(track.sites, track.next, track.previous, track.bumps, strict=True)],
                }
                for track in tracks
            ] == entry["tracks"], entry["path"]


def _built(library: LudiiLibrary, path: str) -> Topology:
    text, name = library.read(path)
    return build(bind(expand(text, name, library=library.defines)))


def _differences(topology: Topology, board: dict):
    """The names of what is not as it should be."""
    for kind in TYPES:
        sites, wanted = topology.sites(kind), board[kind]
        if sites.count != wanted["n"]:
            yield f"{kind} count"
            return
        places = np.stack([sites.x, sites.y, sites.z], axis=1)
        if not np.allclose(places, np.array(wanted["pt"]).reshape(-1, 3), atol=2e-5):
            yield f"{kind} places"
        pairs = [
            ("row", sites.rows.tolist()),
            ("col", sites.columns.tolist()),
            ("layer", sites.layers.tolist()),
            ("label", list(sites.labels)),
            ("sides", {name: list(group) for name, group in sites.sides.items()}),
            ("phases", [list(group) for group in sites.phases]),
            ("supported", {name: list(topology.supported(kind, name)) for name in wanted["supported"]}),
            *((name, list(sites.groups[group])) for name, group in GROUPS.items()),
        ]
        yield from (f"{kind} {name}" for name, value in pairs if value != wanted[name])
        yield from _ways(topology, kind, wanted)
    if [list(ends) for ends in topology.ends] != board["edges"]:
        yield "ends"
    if [list(corners) for corners in topology.corners_of] != board["cells"]:
        yield "corners of cells"


def _ways(topology: Topology, kind: str, wanted: dict):
    for direction in DIRECTIONS:
        if "steps" in wanted:
            steps = [list(targets) for targets in topology.steps(kind, direction)]
            if steps != [by_name.get(direction, []) for by_name in wanted["steps"]]:
                yield f"{kind} steps {direction}"
        if "radials" in wanted and direction != "All":
            lines = [[list(radial.sites) for radial in here] for here in topology.radials(kind, direction)]
            if lines != [by_name.get(direction, []) for by_name in wanted["radials"]]:
                yield f"{kind} radials {direction}"
