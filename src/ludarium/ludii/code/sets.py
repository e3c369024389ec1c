"""Conditions on a site as sets: all sites for which a condition holds, in one word of bits and without a branch.

Only boards of up to 64 sites have such sets, and only where each site holds one piece at most that everybody sees: then what
is empty and whose a piece is stands in the state as bits. A condition that cannot be told this way has no set, and is
asked site by site as ever.
"""

from __future__ import annotations

from collections.abc import Mapping

from ludarium.ludii.code.regions import occupied, owned
from ludarium.ludii.code.script import Script
from ludarium.ludii.code.sinks import registers_in
from ludarium.ludii.grammar.binder import Bound, Constant, Value
from ludarium.ludii.memory.belonging import site_of_state
from ludarium.ludii.memory.spots import kind_of
from ludarium.ludii.model import bound, items, walk

NOTHING, ALL = "u64(0)", f"u64({(1 << 64) - 1})"

_SITES = {"to": "to", "between": "between", "from_": "from", "site": "site"}
_PLAIN = frozenset(["is Prev", "is Mover", "is Next", "=", "!=", "<", "<=", ">", ">="])
_MOST = 8
"""Ludemes of a condition that speaks of no site and is asked once for all."""


def has_sets(script: Script) -> bool:
    """Whether the state of a game tells by bits what stands on its sites."""
    return script.layout.in_sets


def sites_where(script: Script, value: Value | None, register: str) -> str | None:
    """The sites for which a condition holds, each as what a register means; nothing where that cannot be told by bits."""
    if value is None:
        return ALL
    if isinstance(value, Constant):
        return ALL if value.value else NOTHING
    node = bound(value)
    given = node.arguments
    match node.unit:
        case "not":
            inner = sites_where(script, given["a"], register)
            return inner and f"~{inner}"
        case "and" | "or":
            sides = [sites_where(script, each, register) for each in _sides(given)]
            joined = " & " if node.unit == "and" else " | "
            return None if None in sides else f"({joined.join(each for each in sides if each)})"
        case "is Empty" | "is Occupied":
            taken = f"({occupied(script).word('0')})" if kind_of(script, node) in script.layout.types else NOTHING
            return _at(script, given["at"], register, taken if node.unit == "is Occupied" else f"~{taken}")
        case "is Friend" | "is Enemy" if (place := _belonging(script, node)) is not None:
            mine, all_of_them = "s.belonging[i64(s.mover)]", "s.belonging[0]"
            return _at(script, place, register, mine if node.unit == "is Friend" else f"({all_of_them} & ~{mine})")
        case "is Friend" | "is Enemy" if _whose(node) is not None and "team" not in script.layout.state.fields:
            mine = owned(script, "i64(s.mover)").word("0")
            theirs = f"({(occupied(script) - owned(script, '0')).word('0')} & ~{mine})"
            return _at(script, _whose(node), register, mine if node.unit == "is Friend" else theirs)
        case "is In" if "region" in given and "array" not in given and "sites" not in given:
            with script.out.apart() as lines:
                region = script.region(given["region"])
            if region.sites is not None and not lines:
                return _at(script, given.get("site"), register, region.word("0"))
    return _of_state(script, node, register)


def _sides(given: Mapping[str, Value]) -> list[Value]:
    return list(items(given["list"])) if "list" in given else [given["a"], given["b"]]


def _whose(node: Bound) -> Value | None:
    """The site whose owner is asked for."""
    player = node.arguments.get("index")
    plain = isinstance(player, Bound) and player.unit == "who" and player.arguments.keys() == {"at"}
    return bound(player).arguments["at"] if plain else None


def _belonging(script: Script, node: Bound) -> Value | None:
    """The site whose local state is asked for, where the state keeps which sites have which."""
    known = script.layout.belonging and "team" not in script.layout.state.fields
    return site_of_state(node.arguments.get("index")) if known else None


def _at(script: Script, site: Value | None, register: str, found: str) -> str | None:
    """The sites from which a site that is named is in a set: it is the register, or a fixed way from it."""
    if not isinstance(site, Bound):
        return None
    if site.unit == _SITES[register]:
        return found
    if site.unit == "ahead" and site.arguments.keys() == {"site", "directions"}:
        origin, way = site.arguments["site"], str(site.arguments["directions"])
        count, kind = script.model.board_sites, script.topology.default_type
        known = script.topology.supported(kind, "All")
        if (
            isinstance(origin, Bound)
            and origin.unit == _SITES[register]
            and way in known
            and count == script.layout.sites
        ):
            lines = script.topology.radials(kind, way)
            return shifted(
                found, [each[0].sites[1] if each and len(each[0].sites) > 1 else k for k, each in enumerate(lines)]
            )
    return None


def shifted(found: str, targets: list[int]) -> str:
    """The sites that a table leads into a set."""
    masks: dict[int, int] = {}
    for site, to in enumerate(targets):
        masks[to - site] = masks.get(to - site, 0) | 1 << site
    parts = []
    for offset, mask in masks.items():
        moved = f"({found} >> u64({offset}))" if offset > 0 else f"({found} << u64({-offset}))" if offset else found
        parts.append(f"({moved} & u64({mask}))")
    return f"({' | '.join(parts)})"


def _of_state(script: Script, node: Bound, register: str) -> str | None:
    """Conditions that are the same for all sites, or name one."""
    if script.weight(node) > _MOST or node.unit not in _PLAIN or any("Random" in each.unit for each in walk(node)):
        return None
    given = node.arguments
    one, other = given.get("valueA"), given.get("valueB")
    if (
        node.unit == "="
        and isinstance(one, Bound)
        and one.unit == _SITES[register]
        and isinstance(other, Bound | Constant)
    ):
        if isinstance(other, Bound) and registers_in(other):
            return None
        site = script.local("site", script.number(other))
        return f"((u64(1) << u64({site} & 63)) if 0 <= {site} < {script.layout.sites} else {NOTHING})"
    if registers_in(node) or any(each.family == "moves" for each in walk(node)):
        return None
    return f"({ALL} if {script.truth(node)} else {NOTHING})"
