"""How moves are written: by the coordinates of their sites, and what else tells them apart.

`a2-a4` moves, `add a1`, `remove a1` and the like name what is done; moves of different rules that look the same are numbered.
What else a code holds follows (`add a1 piece=knight1`), unless it is one of the sites that are written anyway.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from ludarium.core import IllegalMove, Move
from ludarium.ludii.board import SiteType
from ludarium.ludii.code.sinks import LEAF_BITS, PASS, SWAP, Leaf
from ludarium.ludii.model import Model

_NUMBERED = re.compile(r"(.*?)(?: #(\d+))?\Z")
_OFF = "off"
_USUAL = {"from_": "from", "site": "to"}
"""What a number of a code is where it is not written: mostly one of the ends."""

_PLACES = ("from_", "site", "between")


class Notation:
    """Writes the moves of a game, and reads them."""

    def __init__(self, model: Model, leaves: Sequence[Leaf]) -> None:
        self.model, self.leaves = model, leaves

    @cached_property
    def labels(self) -> list[str]:
        """What people call the sites, by their spots: those of another type than the usual one go by its name, too."""
        found = self._usual
        for kind in self.model.types[1:]:
            found += [""] * (self.model.spot(kind, 0) - len(found))
            found += [f"{kind.lower()}.{label.lower()}" for label in self.model.topology.sites(kind).labels]
        seen: set[str] = set()
        for spot, label in enumerate(found):
            if label and label in seen:
                found[spot] = f"{label}.{self.model.site(spot)[1]}"
            seen.add(found[spot])
        return found

    @property
    def _usual(self) -> list[str]:
        topology = self.model.topology
        found = [label.lower() for label in topology.sites().labels]
        found += [str(site) for site in range(len(found), topology.containers[0].count)]
        for container in topology.containers[1:]:
            name = container.name.lower()
            found += [f"{name}.{k + 1}" if container.count > 1 else name for k in range(container.count)]
        return found

    @cached_property
    def _spots(self) -> dict[str, int]:
        return {label: spot for spot, label in enumerate(self.labels) if label} | {_OFF: -1}

    def _site(self, label: str) -> int:
        spot = self._spots[label]
        return spot if spot < 0 else self.model.site(spot)[1]

    @cached_property
    def _numbers(self) -> dict[int, int]:
        """The number of each leaf among those whose moves look alike."""
        found, counts = {}, dict[tuple[str, ...], int]()
        for leaf in self.leaves:
            shape = _shape(leaf)
            counts[shape] = found[leaf.index] = counts.get(shape, 0) + 1
        return found

    def _number(self, leaf: Leaf) -> int:
        """The first pass is the one that is forced, the first swap that of the swap rule."""
        return self._numbers[leaf.index] + (leaf.kind in ("Pass", "Swap"))

    def leaf(self, move: Move) -> Leaf | None:
        """The rule that makes a move; none for a pass that is forced, and for swapping."""
        index = move & ((1 << LEAF_BITS) - 1)
        return None if index in (PASS, SWAP) else self.leaves[index - 2]

    def label(self, site: int, kind: SiteType | None = None) -> str:
        """What people call a site."""
        spot = self.model.spot(kind or self.model.types[0], site)
        return self.labels[spot] if 0 <= spot < len(self.labels) else _OFF

    def _ends(self, leaf: Leaf, move: Move) -> list[str]:
        ends = zip(("from", "to"), leaf.types, strict=True)
        return [self.label(leaf.read(move, end), kind) for end, kind in ends]

    def write(self, move: Move) -> str:
        """Write a move."""
        leaf = self.leaf(move)
        if leaf is None:
            return "pass" if move == PASS else "swap"
        first, last = self._ends(leaf, move)
        if leaf.kind == "Move":
            words = [f"{first}-{last}"]
        elif first == last:
            words = [leaf.kind.lower(), *([] if first == _OFF else [first])]
        else:
            words = [leaf.kind.lower(), f"{first}-{last}"]
        words += [self._extra(leaf, move, name) for name in _extras(leaf) if not _is_usual(leaf, move, name)]
        number = self._number(leaf)
        return " ".join([*words, *([f"#{number}"] if number > 1 else [])])

    def _extra(self, leaf: Leaf, move: Move, name: str) -> str:
        value = leaf.read(move, name)
        if name in _PLACES:
            return f"{name.strip('_')}={self.label(value, dict(zip(_PLACES, leaf.types, strict=False)).get(name))}"
        known = {index: piece for piece, index in self._pieces.items()} if name == "piece" else {}
        return f"{name}={known.get(value, value)}"

    @cached_property
    def _pieces(self) -> dict[str, int]:
        """The kinds of pieces by names that can stand in a move."""
        names = {each.name.lower(): each.index for each in self.model.components}
        return {name: index for name, index in names.items() if re.fullmatch(r"[a-z]\w*", name)}

    def sites(self, move: Move) -> list[str]:
        """What people call the sites that a move goes from and to."""
        leaf = self.leaf(move)
        if leaf is None:
            return []
        return [label for label in dict.fromkeys(self._ends(leaf, move)) if label != _OFF]

    def read(self, text: str) -> Move:
        """Read a move that was written so."""
        plain = text.strip().lower()
        if plain in ("pass", "swap"):
            return PASS if plain == "pass" else SWAP
        match = _NUMBERED.match(plain)
        words, number = (match[1].split(), int(match[2] or 1)) if match else ([], 1)
        extras = dict(word.split("=", 1) for word in words if "=" in word)
        plainly = [word for word in words if "=" not in word]
        kind = "move" if plainly and "-" in plainly[0] else plainly[0] if plainly else ""
        ends = (plainly[-1] if len(plainly) > 1 or kind == "move" else _OFF).split("-")
        for leaf in self.leaves:
            names = {name.strip("_"): name in _USUAL for name in _extras(leaf)}
            fits = extras.keys() <= names.keys() and all(usual or name in extras for name, usual in names.items())
            fits = fits and (self._has_types(leaf, ends) or len(self.model.types) == 1)
            if leaf.kind.lower() == kind and fits and self._number(leaf) == number:
                return self._coded(leaf, text, ends, extras)
        raise self._unknown(text)

    def _has_types(self, leaf: Leaf, ends: Sequence[str]) -> bool:
        """Whether sites are of the types that a rule moves from and to."""
        spots = [self._spots.get(end, -1) for end in (ends[0], ends[-1])]
        pairs = [(kind, spot) for kind, spot in zip(leaf.types, spots, strict=True) if spot >= 0]
        return all(self.model.spot(kind, self.model.site(spot)[1]) == spot for kind, spot in pairs)

    def _coded(self, leaf: Leaf, text: str, ends: Sequence[str], extras: Mapping[str, str]) -> Move:
        try:
            numbers = {"from": self._site(ends[0]), "to": self._site(ends[-1])}
            for name in _extras(leaf):
                given = extras.get(name.strip("_"))
                if given is None:
                    numbers[name] = numbers[_USUAL[name]]
                elif name in _PLACES:
                    numbers[name] = self._site(given)
                else:
                    numbers[name] = self._pieces[given] if given in self._pieces and name == "piece" else int(given)
        except (KeyError, ValueError):
            raise self._unknown(text) from None
        code = leaf.index
        for name, (at, bits) in leaf.fields.items():
            value = numbers[name]
            if not -1 <= value < (1 << bits) - 1:
                raise self._unknown(text)
            code |= (value + 1) << at
        return code

    def _unknown(self, text: str) -> IllegalMove:
        return IllegalMove(f"'{text}' is not how {self.model.name} writes a move")


def _extras(leaf: Leaf) -> list[str]:
    return [name for name in leaf.fields if name not in ("from", "to")]


def _is_usual(leaf: Leaf, move: Move, name: str) -> bool:
    return name in _USUAL and leaf.read(move, name) == leaf.read(move, _USUAL[name])


def _shape(leaf: Leaf) -> tuple[str, ...]:
    return (leaf.kind, *leaf.types, *(name for name in _extras(leaf) if name not in _USUAL))
