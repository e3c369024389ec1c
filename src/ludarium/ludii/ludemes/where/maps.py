"""Maps of the equipment: pairs of numbers, and what a number is paired with."""

from __future__ import annotations

import re

from ludarium.ludii.code.script import Script, literal, ludeme
from ludarium.ludii.grammar.binder import Bound, Constant, Symbol, Value
from ludarium.ludii.model import bound, items, text


@ludeme("int", "mapEntry")
def _map_entry(script: Script, node: Bound) -> str:
    given = node.arguments
    wanted = text(given["name"]) if "name" in given else None
    key = script.role(given["keyRole"]) if "keyRole" in given else script.number(given["key"])
    pairs: dict[int, int] = {}
    for name, entries in map_entries(script):
        if wanted is None or wanted == name:
            pairs = {**entries, **pairs}
    known = literal(key)
    if known is not None:
        return str(pairs.get(known, known))
    if not pairs:
        return key
    low, high = min(pairs), max(pairs)
    table = script.table([pairs.get(k, k) for k in range(low, high + 1)], hint="map")
    key = script.local("key", key)
    return f"(i64({table}[{key} - {low}]) if {low} <= {key} <= {high} else {key})"


def map_entries(script: Script) -> list[tuple[str, dict[int, int]]]:
    """The maps of the equipment: their names, and what leads to what."""
    found = []
    for item in script.topology.maps:
        given = item.arguments
        name = text(given["name"]) if "name" in given else "Map"
        entries: dict[int, int] = {}
        pairs = [bound(each).arguments for each in items(given.get("pairs"))]
        for pair in pairs:
            key, value = _entry(script, pair["key"]), _entry(script, pair.get("value", pair.get("landmark")))
            if key != -1 and value != -1:
                entries[key] = value
        for one, two in zip(items(given.get("keys")), items(given.get("values")), strict=False):
            key, value = _entry(script, one), _entry(script, two)
            if key != -1 and value != -1:
                entries[key] = value
        found.append((name, entries))
    return found


def _entry(script: Script, value: Value | None) -> int:
    """A key or a value of a map as a number."""
    if isinstance(value, Symbol):
        if value.type == "LandmarkType":
            return _landmark(script, value.word)
        number = literal(script.role(value))
        return -1 if number is None else number
    if isinstance(value, Constant) and isinstance(value.value, str):
        labels = script.topology.sites().by_label
        if re.fullmatch(r"[A-Z]+\d+", value.value) and value.value in labels:
            return labels[value.value]
        piece = script.model.named(value.value)
        return piece.index if piece else -1
    assert value is not None
    number = literal(script.number(value))
    if number is None:
        raise script.model.unsupported(value, why="a map that changes")
    return number


def _landmark(script: Script, name: str) -> int:
    sites = script.topology.sites()
    groups = {
        "CentreSite": sites.centre,
        "LeftSite": sites.left,
        "RightSite": sites.right,
        "Topsite": sites.top,
        "BottomSite": sites.bottom,
    }
    if name in groups:
        return min(groups[name])
    return 0 if name == "FirstSite" else sites.count - 1
