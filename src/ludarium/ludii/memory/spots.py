"""Spots: where a state keeps what stands on the sites of a board that is played on several types of sites at once.

Rules name sites by numbers, and each type has its own from 0 on: what a number means is told by the ludeme that it is given to,
never by the number. So numbers, sets of sites and moves hold plain numbers, and only what looks at a piece or moves one asks
for its spot. The sites of the usual type, and hands, have the spot of their number; those of other types follow, type by
type. Where a game has one type only, a spot is a number, and nothing is written for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ludarium.ludii.board import SiteType
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.model import bound, word

if TYPE_CHECKING:
    from ludarium.ludii.code.script import Script


def kind_of(script: Script, node: Value | None, slot: str = "type") -> SiteType:
    """The type of sites that a ludeme names, or the usual one."""
    given = bound(node).arguments if isinstance(node, Bound) else {}
    return cast(SiteType, word(given[slot])) if slot in given else script.topology.default_type


def count_of(script: Script, kind: SiteType) -> int:
    """How many sites of a type the board has."""
    return script.topology.sites(kind).count


def spot(script: Script, kind: SiteType, site: str) -> str:
    """The spot of a site of a type, as an expression; -1 where there is no such site, or nothing ever stands."""
    layout = script.layout
    if kind == layout.types[0]:
        return site
    played = kind in layout.types
    first = layout.block * layout.types.index(kind) if played else 0
    count = count_of(script, kind) if played else 0
    if site.isdigit() and int(site) < count:
        return str(first + int(site))
    containers = script.topology.containers
    hands = containers[1].first if kind == "Cell" and len(containers) > 1 else 0
    if site.isdigit() and not played:
        return site if hands and int(site) >= hands else "-1"
    if not played and hands:
        site = script.local("site", site)
        return f"({site} if {site} >= {hands} else -1)"
    if not played:
        return "-1"

    def write() -> str:
        with script.kernel(f"{kind.lower()}_at", "x: i64", "i64") as name:
            with script.block(f"if 0 <= x < {count}:"):
                script.line(f"return {first} + x")
            if hands:
                with script.block(f"if {hands} <= x < {script.model.sites}:"):
                    script.line("return x")
            script.line("return -1")
        return name

    return f"{script.once(('spot', kind), write)}(v, c, {site})"


def is_empty(script: Script, kind: SiteType, site: str) -> str:
    """Whether there is nothing on a site of a type, as an expression."""
    if kind in script.layout.types:
        return f"is_empty(s, {spot(script, kind, site)})"
    site = script.local("site", site)
    return f"(0 <= {site} < {count_of(script, kind)} or is_empty(s, {spot(script, kind, site)}))"
