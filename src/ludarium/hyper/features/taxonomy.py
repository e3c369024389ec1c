"""The concepts of games: 511 names in a tree, so that what is told of different games can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

from ludarium.core.features import Feature


class Concept(NamedTuple):
    """A concept, and the one that it stands below."""

    name: str
    parent: str
    kind: Literal["yes or no", "number", "mean"]


@cache
def concepts() -> Mapping[str, Concept]:
    """All concepts by name, parents first."""
    found: dict[str, Concept] = {}
    above: list[str] = []
    for line in files(__package__).joinpath("concepts.txt").read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        bare = line.lstrip()
        depth = (len(line) - len(bare)) // 2
        name, _, mark = bare.partition(" ")
        above[depth:] = [name]
        kind: Literal["yes or no", "number", "mean"] = (
            "number" if mark == "#" else "mean" if mark == "~" else "yes or no"
        )
        found[name] = Concept(name, above[depth - 1] if depth else "", kind)
    return found


def with_parents(found: Mapping[str, Feature]) -> dict[str, Feature]:
    """Add what follows: whoever has a concept has all that it stands below."""
    known = concepts()
    closed = dict(found)
    for name, feature in found.items():
        concept = known.get(name)
        if concept is None or concept.kind != "yes or no" or not feature.value or feature.beside:
            continue
        while concept.parent:
            concept = known[concept.parent]
            there = closed.get(concept.name)
            if concept.kind == "yes or no" and not (there and there.value):
                closed[concept.name] = Feature(1, f"{name}: {feature.source}")
    return closed
