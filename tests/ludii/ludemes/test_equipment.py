"""Regions and maps of the equipment, compared with what Ludii makes of them."""

import json
import lzma
from collections import defaultdict

import pytest

from ludarium.core import LudariumError
from ludarium.ludii.code.script import Script
from ludarium.ludii.code.turns import turn_kernels
from ludarium.ludii.grammar.checker import bind
from ludarium.ludii.library import open_library
from ludarium.ludii.ludemes import learn
from ludarium.ludii.ludemes.where.maps import map_entries
from ludarium.ludii.ludemes.where.regions import named_regions
from ludarium.ludii.memory.actions import doing_kernels
from ludarium.ludii.memory.sites import site_kernels
from ludarium.ludii.memory.state import Layout
from ludarium.ludii.model import Model
from ludarium.ludii.text.expander import expand
from tests.ludii.ludemes.small import selected

GAME = '(game "Toy" (players 2) (equipment {{{items}}}) (rules (play (move Pass)) (end (if True (result P1 Win)))))'
BOARDS = 411
UNNAMED = (0, "RegionNeutral")  # what Ludii calls RegionP1 in puzzles


class Equipment(Model):
    """What a description says of its equipment, even if some kinds of pieces cannot be played yet."""

    def _components(self):
        try:
            return super()._components()
        except LudariumError:
            return []


def equipment(text, name="toy.lud", **options):
    learn()
    model = Equipment(bind(expand(text, name, **options)))
    return Script(model, Layout(model))


def regions(script, wanted=None):
    """The sites of the regions that are wanted, all by default; what is worked out in play is, in an empty state."""
    names = []
    for k, (_, _, region) in enumerate(named_regions(script)):
        if wanted is None or k in wanted:
            with script.kernel("region", "r: view[u64]") as name:
                names.append(name)
                found = region()
                for at in range(script.layout.words):
                    script.line(f"r[{at}] = {found.word(str(at))}")
    layout = script.layout
    context = layout.context(script.copies, 64, 0)
    scope = {**script.scope, **site_kernels(layout, context), "State": layout.state, "Context": context}
    scope |= doing_kernels(layout, context, scope)
    scope |= turn_kernels(layout, context, scope)
    made = script.out.kernels(scope)
    for name in names:
        words = [0] * layout.words
        made[name].python(bytearray(layout.state.size), context(), words)
        yield [site for site in range(64 * layout.words) if words[site >> 6] >> (site & 63) & 1]


def test_regions_are_found_by_groups_labels_and_what_is_around_sites():
    items = (
        '(board (square 3)) (regions "Low" P1 (sites Bottom)) (regions {4 2}) (regions "Named" {(sites {"A1" "C3"})})'
        ' (regions "Near" P2 (expand (sites Centre) Orthogonal)) (regions "Far" P2 (difference (sites Board) (sites Around 4)))'
    )
    script = equipment(GAME.format(items=items))
    names = [(owner, name) for owner, name, _ in named_regions(script)]
    assert names == [(1, "Low"), (0, "RegionNeutral"), (0, "Named"), (2, "Near"), (2, "Far")]
    assert list(regions(script)) == [[0, 1, 2], [2, 4], [0, 8], [1, 3, 4, 5, 7], [4]]


def test_regions_around_a_site_are_worked_out_once_and_looked_up_by_player():
    items = (
        '(board (square 3)) (regions "Home" P1 (expand origin:(coord "A1") steps:1))'
        ' (regions "Home" P2 (difference (expand origin:(coord row:2 column:2)) 8)) (regions "Away" (expand origin:(coord "Z9")))'
    )
    script = equipment(GAME.format(items=items))
    assert list(regions(script)) == [[0, 1, 3, 4], [4, 5, 7], []]
    assert all(region().sites is not None for _, _, region in named_regions(script))
    items = items.removeprefix("(board (square 3))")
    for player, sites in ((1, [0, 1, 3, 4]), (2, [4, 5, 7]), (3, []), (-1, [])):
        chosen = f'(sites (player (if (is Mover P1) {player} 9)) "Home")'  # not known before it is asked
        assert selected(chosen, board="(square 3)", more=items) == sites


def test_sites_of_another_type_than_the_board_go_by_their_own_labels():
    items = '(board (square 4) use:Vertex) (regions "Both" (sites Cell {"A1" "B2"})) (regions "One" (sites Cell "B2"))'
    assert list(regions(equipment(GAME.format(items=items)))) == [[0, 4], [4]]


def test_a_region_of_another_type_may_have_more_sites_than_the_board():
    script = equipment(GAME.format(items='(board (square 3)) (regions "Points" (sites Board Vertex))'))
    assert list(regions(script)) == [list(range(16))]


def test_maps_lead_from_players_labels_and_numbers_to_sites():
    items = '(board (square 3)) (map "Goal" {(pair P1 "C3") (pair P2 0)}) (map {(pair 5 7)})'
    assert map_entries(equipment(GAME.format(items=items))) == [("Goal", {1: 8, 2: 0}), ("Map", {5: 7})]


@pytest.mark.corpus
def test_regions_and_maps_are_those_that_ludii_makes(ludii):
    """On all boards of the library but one, in all games that are played on them."""
    library = open_library(ludii)
    with lzma.open(ludii / "boards.jsonl.xz", "rt") as file:
        entries = [json.loads(line) for line in file]
    boards = defaultdict(list)
    for entry in entries:
        if isinstance(entry["board"], dict):
            board = boards[entry["board"].get("same_as", entry["path"])]
            if entry["regions"] or entry["maps"]:
                text, name = library.read(entry["path"])
                script = equipment(text, name, library=library.defines)
                board += [f"{entry['path']}: {each}" for each in differences(script, entry)]
    assert len(boards) == BOARDS
    assert not {board: found for board, found in boards.items() if found}


def differences(script, entry):
    """The names of regions and maps that are not as they should be."""
    maps = [{"name": name, "pairs": sorted(map(list, pairs.items()))} for name, pairs in map_entries(script)]
    if maps != [{**each, "pairs": sorted(each["pairs"])} for each in entry["maps"]]:
        yield "maps"
    wanted = entry["regions"]
    owners = [(owner, "RegionP1" if (owner, name) == UNNAMED else name) for owner, name, _ in named_regions(script)]
    if owners != [(each["owner"], each["name"]) for each in wanted]:
        yield "names and owners"
    known = [k for k, each in enumerate(wanted) if "sites" in each]
    try:
        found = list(regions(script, known))
    except LudariumError as problem:
        yield str(problem).splitlines()[0]
        return
    yield from (
        wanted[k]["name"] for k, sites in zip(known, found, strict=True) if sites != sorted(set(wanted[k]["sites"]))
    )
