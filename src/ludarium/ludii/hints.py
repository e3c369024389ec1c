"""What a game in Ludii's language tells to those who judge its states: amounts, lines, where moves go, and whose turn it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ludarium.core.hints import Amount, Lines, Pieces, Targets, Turn
from ludarium.ludii.code.script import Script, literal
from ludarium.ludii.code.sinks import LEAF_BITS, Leaf
from ludarium.ludii.ludemes.where.maps import map_entries
from ludarium.ludii.ludemes.where.regions import named_regions
from ludarium.ludii.memory.state import Layout
from ludarium.ludii.model import Unsupported, walk

_SHORTEST, _USUAL = 2, 3


def turn(layout: Layout) -> Turn | None:
    """Where a state says who is to move; nothing where all choose at once, or players may change places."""
    if layout.together or layout.swaps or layout.model.simulation:
        return None
    fields = layout.state.fields
    return Turn(fields["mover"][1], fields["prev"][1])


def targets(layout: Layout, leaves: Sequence[Leaf]) -> Targets:
    """Where moves go, by the rules that make them."""
    rules = [(0, 0, 0)] * (1 + max((leaf.index for leaf in leaves), default=1))
    for leaf in leaves:
        first = layout.model.spot(leaf.types[1], 0)
        if "to" in leaf.fields and first >= 0:
            rules[leaf.index] = (*leaf.fields["to"], first)
    return Targets(LEAF_BITS, rules, layout.model.sites, layout.spots)


def amounts(layout: Layout) -> Mapping[str, Sequence[Amount | Pieces]]:
    """Scores, values of pieces, and what is in regions and on mapped sites of players."""
    if layout.swaps:
        return {}
    found: dict[str, Sequence[Amount | Pieces]] = {}
    fields, players = layout.state.fields, layout.players
    if "score" in fields:
        found["score"] = [Amount(role, fields["score"][1] + 4 * (role + 1), 4) for role in range(players)]
    if "value" in fields and not layout.stacking:
        owned = fields["owned"][1]
        found["values"] = [
            Amount(role, fields["value"][1] + 4 * spot, 4, 8 * (owned + 8 * layout.spot_words * (role + 1)) + spot)
            for role in range(players)
            for spot in range(layout.spots)
        ]
    board = layout.model.board_sites
    regions = owned_regions(layout)
    stores = {role: [site for each in regions.get(role + 1, ()) for site in each] for role in range(players)}
    if any(stores.values()):
        found["stores"] = [each for role, sites in stores.items() for each in _counted(layout, role, sites)]
    try:
        maps = [entries for _, entries in map_entries(Script(layout.model, layout))]
    except Unsupported:
        maps = []
    mapped = {role: [each[role + 1] for each in maps if 0 <= each.get(role + 1, -1) < board] for role in range(players)}
    if any(mapped.values()):
        found["mapped"] = [each for role, sites in mapped.items() for each in _counted(layout, role, sites)]
    return found


def owned_regions(layout: Layout) -> Mapping[int, Sequence[tuple[int, ...]]]:
    """The regions of each player that never change, by its number; 0 are those of nobody."""
    found: dict[int, list[tuple[int, ...]]] = {}
    for owner, sites in fixed_regions(layout):
        if sites is not None:
            found.setdefault(owner, []).append(sites)
    return found


def fixed_regions(layout: Layout) -> Sequence[tuple[int, tuple[int, ...] | None]]:
    """All regions of the equipment in the order of the description: whose they are, and their sites on the board.

    There is nothing where sites change in the course of a game, or cannot be told.
    """
    script = Script(layout.model, layout)
    found: list[tuple[int, tuple[int, ...] | None]] = []
    for owner, _, region in named_regions(script):
        try:
            sites = region().sites
        except Unsupported:
            sites = None
        kept = None if sites is None else tuple(site for site in sites if site < layout.model.board_sites)
        found.append((owner, kept or None))
    return found


def _counted(layout: Layout, role: int, sites: Iterable[int]) -> Iterable[Amount | Pieces]:
    """What is on sites, whosever it is: the count of each, or where there are no counts, 1 for a piece."""
    if layout.counting:
        first = layout.state.fields["count"][1]
        return [Amount(role, first + 2 * site, 2) for site in sites]
    mask = sum(1 << site for site in set(sites))
    owned = layout.state.fields["owned"][1]
    return [Pieces(role, owned + 8 * layout.spot_words * owner, mask) for owner in range(layout.players + 2)]


def lines(layout: Layout, length: int) -> Lines:
    """Lines on the board, as long as the longest that its ends ask for if no length is given."""
    if layout.swaps:
        return Lines((), {}, ())
    length = length or _asked(layout)
    kind = layout.model.topology.default_type
    windows = dict[tuple[tuple[int, ...], int, int], None]()
    for radials in layout.model.topology.distinct_radials(kind, "Adjacent"):
        for radial in radials:
            for other in radial.opposites or ((),):
                back = list(other[1:])
                whole = [*reversed(back), *radial.sites]
                start = len(back)
                for first in range(max(0, start - length + 1), min(start, len(whole) - length) + 1):
                    last = first + length
                    ends = (whole[first - 1] if first else -1, whole[last] if last < len(whole) else -1)
                    line = tuple(whole[first:last])
                    if len(set(line)) == length:
                        windows[min((line, *ends), (line[::-1], *ends[::-1]))] = None
    board, owned = layout.model.board_sites, layout.state.fields["owned"][1]
    pieces: list[Pieces] = []
    cells: dict[int, int] = {}
    for role in range(layout.players + 1):  # the last are those that all share
        offset = owned + 8 * layout.spot_words * (role + 1)
        pieces.append(Pieces(role, offset, (1 << board) - 1))
        cells |= {8 * offset + site: site for site in range(board)}
    return Lines(pieces, cells, list(windows))


def _asked(layout: Layout) -> int:
    """The longest line that the ends of the game ask for, as far as it is a number."""
    model = layout.model
    script = Script(model, layout)
    ends = [each for each in walk(model.root) if each.family == "end"]
    asked = {id(each): each for end in ends for each in walk(end) if each.unit == "is Line"}
    found = []
    for each in asked.values():
        try:
            number = literal(script.number(each.arguments["length"]))
        except Unsupported:
            number = None
        if number is not None:
            found.append(number)
    return max([_SHORTEST, *found]) if found else _USUAL
