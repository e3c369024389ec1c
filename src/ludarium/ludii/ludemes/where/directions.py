"""Directions, and the tables of steps and lines that they lead along."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import lcm
from typing import TypeAlias

import numpy as np

from ludarium.kernel import u64
from ludarium.ludii.board import SiteType
from ludarium.ludii.board.ways.directions import SPECIFIC
from ludarium.ludii.code.script import DIRECTIONS, Script, ludeme
from ludarium.ludii.grammar.binder import Bound, Symbol, Value
from ludarium.ludii.memory.spots import count_of, kind_of
from ludarium.ludii.model import bound, items, word, words_in

COMPASS = ("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW")
_RELATIVE = frozenset(
    [
        "Forward",
        "Backward",
        "Rightward",
        "Leftward",
        "Forwards",
        "Backwards",
        "Rightwards",
        "Leftwards",
        "FL",
        "FLL",
        "FLLL",
        "BL",
        "BLL",
        "BLLL",
        "FR",
        "FRR",
        "FRRR",
        "BR",
        "BRR",
        "BRRR",
    ]
)


_LAST = frozenset(["SameDirection", "OppositeDirection"])


Directions: TypeAlias = tuple[str, ...] | Callable[[int], tuple[str, ...]]
"""Absolute directions, or those at each site."""


@dataclass(frozen=True)
class Heading:
    """Directions that may depend on the state: one of several lists of absolute directions, and which one."""

    lists: tuple[Directions, ...]
    select: str = "0"
    """The expression that selects the list."""

    kind: SiteType | None = None
    """The type of sites that they lead along, if not the usual one."""

    by_kind: tuple[int, ...] = ()
    """The list of each kind of piece, where nothing else selects one."""


def heading(
    script: Script, value: Value | None, site: str, default: str = "Adjacent", kind: SiteType | None = None
) -> Heading:
    """The directions that an argument means for what stands on a site."""
    if kind is not None and kind != script.topology.default_type:
        if value is not None and any(
            each in _RELATIVE | _LAST for each in ([value.word] if isinstance(value, Symbol) else words_in(value))
        ):
            raise script.model.unsupported(value, "directions", "relative ones, for sites of several types")
        return replace(heading(script, value, site, default), kind=kind)
    if value is None:
        return Heading(((default,),))
    if isinstance(value, Symbol):
        if value.word in _RELATIVE:
            return by_facing(script, [value.word], "Adjacent", site)
        if value.word in _LAST:
            return as_before(script, value.word, "Adjacent")
        return Heading(((value.word,),))
    node = bound(value)
    handler = DIRECTIONS.get(node.unit)
    if handler is None:
        raise script.model.unsupported(node)
    found: Heading = handler(script, node, site)
    return found


@ludeme("dirs", "directions")
def _directions(script: Script, node: Bound, site: str) -> Heading:
    given = node.arguments
    if "absoluteDirection" in given:
        return Heading(((word(given["absoluteDirection"]),),))
    if "absoluteDirections" in given:
        return Heading((tuple(word(each) for each in items(given["absoluteDirections"])),))
    if "from" in given:
        first, last = (script.local(end, script.number(given[end])) for end in ("from", "to"))
        return between(script, first, last, kind_of(script, node))
    if "num" in given:
        raise script.model.unsupported(node)
    by_site = script.settled(node, "bySite")
    names = _relative_names(node)
    if not _LAST & set(names):
        return by_facing(script, names, _relation(node), site, by_site=by_site)
    found = Heading(((),))
    for name in names:
        if name in _LAST:
            part = as_before(script, name, _relation(node))
        else:
            part = by_facing(script, [name], _relation(node), site, by_site=by_site)
        found = _one_after_other(found, part)
    return found


def _one_after_other(first: Heading, second: Heading) -> Heading:
    """The directions of two lists, whichever of their lists each of them selects."""

    def joined(one: Directions, two: Directions) -> Directions:
        if callable(one) or callable(two):
            return lambda site: named_at(one, site) + named_at(two, site)
        return one + two

    lists = tuple(joined(one, two) for one in first.lists for two in second.lists)
    if len(first.lists) == 1:
        return Heading(lists, second.select)
    return Heading(lists, f"({first.select} * {len(second.lists)} + {second.select})")


def _relative_names(node: Bound) -> list[str]:
    given = node.arguments
    words = [given["relativeDirection"]] if "relativeDirection" in given else items(given.get("relativeDirections"))
    return [word(each) for each in words]


def _relation(node: Bound) -> str:
    return word(node.arguments["of"]) if "of" in node.arguments else "Adjacent"


def onwards(script: Script, value: Value | None, from_: str, to: str) -> Heading:
    """The directions that an argument means for the piece on a site, which looks where it has just stepped to, if it has."""
    plain, (names, relation) = heading(script, value, from_), relative_ones(value)
    if not names:
        return plain
    kind, count = script.topology.default_type, script.model.board_sites
    ways, supported = script.topology.supported(kind, "All"), script.topology.supported(kind, relation)
    table = np.full(count * count, -1, np.int32)
    for number, way in enumerate(ways):
        for site, targets in enumerate(script.topology.steps(kind, way)):
            table[[site * count + target for target in targets]] = number
    inside = f"0 <= {from_} < {count} and 0 <= {to} < {count}"
    looked_up = f"i64({script.table(table, hint='stepped')}[{from_} * {count} + {to}])"
    way = script.local("way", f"({looked_up} if {inside} else -1)")
    turned = tuple(tuple(d for name in names for d in relative(supported, facing, name)) for facing in ways)
    return Heading(plain.lists + turned, f"({plain.select} if {way} < 0 else {len(plain.lists)} + {way})")


def relative_ones(value: Value | None) -> tuple[list[str], str]:
    """The directions that an argument names if all of them depend on where a piece looks, and of which relation they are."""
    names, relation = [], "Adjacent"
    if isinstance(value, Symbol):
        names = [value.word]
    elif isinstance(value, Bound) and value.unit == "directions":
        names, relation = _relative_names(value), _relation(value)
    return (names if _RELATIVE.issuperset(names) else []), relation


def as_before(script: Script, name: str, relation: str) -> Heading:
    """The direction of the last move, or the opposite one: the first of those in a relation that leads there."""
    ends = ("i64(s.last_from)", "i64(s.last_to)")
    ways = script.topology.supported(script.topology.default_type, relation)
    return _seen_in(
        script, *(ends if name == "SameDirection" else ends[::-1]), script.topology.default_type, ways, most=1
    )


def between(script: Script, first: str, last: str, of: SiteType | None = None) -> Heading:
    """The directions in which one site is seen from another; none if it is not in a line."""
    kind = of or script.topology.default_type
    return _seen_in(script, first, last, kind, script.topology.supported(kind, "All"))


def _seen_in(
    script: Script, first: str, last: str, kind: SiteType, ways: Sequence[str], most: int | None = None
) -> Heading:
    """Those of some directions in which one site is seen from another, so many at most."""
    count = count_of(script, kind)
    seen: dict[int, tuple[str, ...]] = {}
    for way in ways:
        for site, radials in enumerate(script.topology.radials(kind, way)):
            for at in {site * count + to for radial in radials for to in radial.sites[1:]}:
                seen[at] = (*seen.get(at, ()), way)[:most]
    lists = ((), *dict.fromkeys(seen.values()))
    numbers = {each: k for k, each in enumerate(lists)}
    table = np.zeros(count * count, np.int32)
    table[list(seen)] = [numbers[each] for each in seen.values()]
    name = script.table(table, hint="seen_in")
    first, last = script.local("first", first), script.local("last", last)
    inside = f"0 <= {first} < {count} and 0 <= {last} < {count}"
    return Heading(lists, script.local("way", f"(i64({name}[{first} * {count} + {last}]) if {inside} else 0)"))


@ludeme("dirs", "if")
def _if(script: Script, node: Bound, site: str) -> Heading:
    given = node.arguments
    condition = script.local("condition", script.truth(given["condition"]))
    first, second = heading(script, given["directionsOk"], site), heading(script, given["directionsNotOk"], site)
    lists = first.lists + second.lists
    return Heading(lists, f"({first.select} if {condition} else {len(first.lists)} + {second.select})")


@ludeme("dirs", "difference", "union")
def _sets(script: Script, node: Bound, site: str) -> Heading:
    """Lists of directions joined at each site, where groups of directions mean what there is at that site."""
    first = heading(script, node.arguments["directions"], site)
    second = heading(script, node.arguments["directionsToRemove"], site)
    lists = tuple(_joined(script, one, two, node.unit) for one in first.lists for two in second.lists)
    return Heading(lists, f"({first.select} * {len(second.lists)} + {second.select})")


def _joined(script: Script, one: Directions, two: Directions, kind: str) -> Directions:
    def at(site: int) -> tuple[str, ...]:
        ones, twos = specific(script, one, site), specific(script, two, site)
        if kind == "difference":
            return tuple(each for each in ones if each not in twos)
        return (*ones, *(each for each in twos if each not in ones))

    return at


def specific(script: Script, directions: Directions, site: int) -> tuple[str, ...]:
    """The specific directions that a list means at a site."""
    if site >= script.model.board_sites:
        return ()
    found: list[str] = []
    for name in named_at(directions, site):
        if name in SPECIFIC:
            found.append(name)
        else:
            found += script.topology.supported_at(script.topology.default_type, name)[site]
    return tuple(dict.fromkeys(found))


def named_at(directions: Directions, site: int) -> tuple[str, ...]:
    """The directions of a list at a site."""
    return directions(site) if callable(directions) else directions


def by_facing(
    script: Script, names: Sequence[str], relation: str, site: str, *, by_site: bool = False, often: str = ""
) -> Heading:
    """Directions relative to where the piece on a site looks, of those that the board has, or each site.

    How often it is turned may be said by an expression; else it is as it stands there.
    """
    model, kind = script.model, script.topology.default_type
    facings = [""] + [
        each.facing or (model.facings[each.owner] if each.owner <= model.players else "") or "N"
        for each in model.components
    ]
    distinct = list(dict.fromkeys(facings))
    ways = script.topology.supported_at(kind, relation) if by_site else [script.topology.supported(kind, relation)]
    round_ = lcm(*(max(1, sum(each in COMPASS for each in here)) for here in ways))
    turns = 1 + round_ if often or script.layout.rotations else 1

    def seen(facing: str, rotation: int) -> Directions:
        """Where a piece goes that was turned so often; where nothing stands nothing looks anywhere."""

        def among(supported: Sequence[str]) -> tuple[str, ...]:
            looks = facing
            for _ in range(rotation):
                looks = next(iter(relative(supported, looks, "FR")), looks)
            return tuple(d for name in names for d in relative(supported, looks, name)) if facing else ()

        return (lambda at: among(ways[at])) if by_site else among(ways[0])

    lists = tuple(seen(facing, rotation) for facing in distinct for rotation in range(turns))
    if not by_site and len(set(lists)) == 1:
        return Heading(lists[:1])
    numbers = tuple(distinct.index(facing) * turns for facing in facings)
    looks = f"i64({script.table(numbers, hint='facing')}[top_of(s, {site})])"
    if often:
        return Heading(lists, f"({looks} + {script.local('turned', _full_turns(often, turns))})")
    if script.layout.rotations:
        name = script.once(("turned", turns), lambda: _turned_kernel(script, turns))
        return Heading(lists, f"({looks} + {name}(v, c, {site}))")
    return Heading(lists, looks, by_kind=numbers)


def _full_turns(often: str, turns: int) -> str:
    """How often a piece is turned: full turns do not count, but one that looked where no way leads turns to where one does.

    Nothing turns back: fewer times than never are never.
    """
    return f"max(0, {often} if {often} < {turns} else 1 + ({often} - 1) % {max(1, turns - 1)})"


def _turned_kernel(script: Script, turns: int) -> str:
    """How often the piece on a site is turned."""
    with script.kernel("turned", "site: i64", "i64") as name:
        with script.block(f"if site < 0 or site >= {script.layout.sites}:"):
            script.line("return 0")
        script.line("often = i64(s.rotation[slot_of(s, site, -1)])")
        script.line(f"return {_full_turns('often', turns)}")
    return name


def relative(supported: Sequence[str], facing: str, name: str) -> list[str]:
    """The absolute directions that a relative one means."""
    if facing not in COMPASS:
        return [facing] if name == "Forward" else []
    base = COMPASS.index(facing)
    angles = {COMPASS.index(each): each for each in supported if each in COMPASS}

    def turned(steps: int) -> list[str]:
        return [angles[(base + steps) % 16]] if (base + steps) % 16 in angles else []

    def between(first: int, last: int) -> list[str]:
        return [each for k in range(first, last + 1) for each in turned(k)]

    def next_to(start: int, way: int) -> list[str]:
        for k in range(1, 16):
            if found := turned(start + way * k):
                return found
        return []

    short = name[0] + name[1] if len(name) > 2 and name.isupper() else name
    known = {
        "Forward": lambda: turned(0), "Backward": lambda: turned(8), "Rightward": lambda: turned(4),
        "Leftward": lambda: turned(-4),
        "Forwards": lambda: between(-3, 3), "Backwards": lambda: between(5, 11), "Rightwards": lambda: between(1, 7),
        "Leftwards": lambda: between(9, 15), "FR": lambda: next_to(0, 1), "FL": lambda: next_to(0, -1),
        "BR": lambda: next_to(8, -1), "BL": lambda: next_to(8, 1),
    }  # fmt: skip
    return known[short]()


def step_tables(script: Script, where: Heading) -> tuple[str, str]:
    """Where steps lead from each site, for each list of directions: the beginnings of rows, and the sites."""
    kind = where.kind or script.topology.default_type
    starts: list[int] = [0]
    targets: list[int] = []
    for directions in where.lists:
        for site in range(script.layout.sites):
            names = named_at(directions, site) if site < count_of(script, kind) else ()
            found = [to for name in names for to in script.topology.steps(kind, name)[site]]
            targets += list(dict.fromkeys(found))
            starts.append(len(targets))
    return script.table(starts, hint="steps"), script.table(targets, hint="targets")


def near_table(script: Script, where: Heading) -> str:
    """The sites that are one step away from each site, as words of bits."""
    words, kind = script.layout.words, where.kind or script.topology.default_type
    near = [0] * (script.layout.sites * words)
    for site in range(count_of(script, kind)):
        for name in named_at(where.lists[0], site):
            for to in script.topology.steps(kind, name)[site]:
                near[site * words + (to >> 6)] |= 1 << (to & 63)
    return script.table(near, u64, "near")


def radial_tables(script: Script, where: Heading) -> tuple[str, str, str]:
    """The straight lines from each site, for each list of directions: rows of lines, beginnings of lines, and the sites."""
    kind = where.kind or script.topology.default_type
    rows, starts = [0], [0]
    sites: list[int] = []
    for directions in where.lists:
        for site in range(script.layout.sites):
            for name in named_at(directions, site) if site < count_of(script, kind) else ():
                for radial in script.topology.radials(kind, name)[site]:
                    sites += radial.sites[1:]
                    starts.append(len(sites))
            rows.append(len(starts) - 1)
    return script.table(rows, hint="rows"), script.table(starts, hint="radials"), script.table(sites, hint="along")


def lines_through(script: Script, direction: str) -> Iterator[list[tuple[Sequence[int], Sequence[int]]]]:
    """The lines through each site: the sites outwards on both sides of it."""
    for radials in script.topology.distinct_radials(script.topology.default_type, direction):
        # where a line branches, each way on is a line of its own
        yield [(each.sites[1:], other[1:]) for each in radials for other in each.opposites or ((),)]


def line_tables(script: Script, direction: str) -> tuple[str, str, str]:
    """The same as tables: rows of lines, the beginnings of both sides of each, and the sites outwards."""
    rows, starts = [0], [0]
    sites: list[int] = []
    for lines in lines_through(script, direction):
        for side in (side for line in lines for side in line):
            sites += side
            starts.append(len(sites))
        rows.append((len(starts) - 1) // 2)
    return script.table(rows, hint="lines"), script.table(starts, hint="sides"), script.table(sites, hint="inline")


@contextmanager
def each_step(script: Script, where: Heading, site: str, hint: str = "to") -> Iterator[str]:
    """A loop over the sites that are one step away."""
    starts, targets = step_tables(script, where)
    row = _row(script, where, site)
    at, to = script.out.fresh("at"), script.out.fresh(hint)
    with script.block(f"for {at} in range({starts}[{row}], {starts}[{row} + 1]):"):
        script.line(f"{to} = i64({targets}[{at}])")
        yield to


@contextmanager
def each_radial(script: Script, where: Heading, site: str) -> Iterator[tuple[str, str, str, str]]:
    """A loop over straight lines from a site: the number of the line, where it begins and ends in a table, and the table."""
    rows, starts, sites = radial_tables(script, where)
    row = _row(script, where, site)
    line, at, end = script.out.fresh("radial"), script.out.fresh("at"), script.out.fresh("end")
    with script.block(f"for {line} in range({rows}[{row}], {rows}[{row} + 1]):"):
        script.line(f"{at} = i64({starts}[{line}])")
        script.line(f"{end} = i64({starts}[{line} + 1])")
        yield line, at, end, sites


def _row(script: Script, where: Heading, site: str) -> str:
    if where.select == "0":
        return script.local("row", site)
    return script.local("row", f"{where.select} * {script.layout.sites} + {site}")


__all__ = [
    "COMPASS",
    "Heading",
    "as_before",
    "by_facing",
    "each_radial",
    "each_step",
    "heading",
    "line_tables",
    "lines_through",
    "near_table",
    "onwards",
    "radial_tables",
    "relative",
    "relative_ones",
    "step_tables",
]
