"""What can be told of the pieces: how many kinds there are, whose they are, and what they are called."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ludarium.ludii.board.topology import Topology
from ludarium.ludii.grammar.binder import Bound, Symbol
from ludarium.ludii.grammar.checker import Rules
from ludarium.ludii.model import bound, items, text, walk

_KINDS = ("piece", "tile", "card", "domino", "die")


def pieces(rules: Rules, players: int) -> list[tuple[str, int]]:
    """All kinds of pieces but dice, by name and owner: a kind that everybody has is one for each."""
    found = []
    for item in items(bound(rules.root.arguments["equipment"]).arguments["items"]):
        node = bound(item)
        if node.family == "equip" and node.unit in _KINDS and "name" in node.arguments:
            found += [(str(text(node.arguments["name"])), owner) for owner in _owners(node, players)]
    if found or any(each.unit in ("satisfy", "dominoes") for each in walk(rules.root)):
        return found
    return [("Ball", player) for player in range(1, players + 1)]  # what Ludii takes if there is nothing


def _owners(node: Bound, players: int) -> list[int]:
    given = node.arguments.get("role")
    role = given.word if isinstance(given, Symbol) else "Shared" if node.unit == "tile" else "Each"
    if role == "Each":
        return list(range(1, players + 1))
    if re.fullmatch(r"P\d+", role):
        return [int(role[1:])]
    return [0 if role == "Neutral" else players + 1]


def of_pieces(rules: Rules, players: int, board: Topology) -> Mapping[str, float]:
    """How many kinds of pieces there are, and dice."""
    dice = sum(each.count for each in board.containers if each.kind == "dice")
    kinds = pieces(rules, players)
    owned = sum(1 <= owner <= players for _, owner in kinds)
    return {
        "NumComponentsType": len(kinds) + dice,
        "NumComponentsTypePerPlayer": round(owned / players, 2) if players else 0,
        "NumDice": dice,
    }


def asymmetric(kinds: list[tuple[str, int]], players: int) -> bool:
    """Whether some player has pieces that others have not."""
    owned = [{name for name, owner in kinds if owner == player} for player in range(1, players + 1)]
    return any(one != owned[0] for one in owned)
