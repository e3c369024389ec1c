"""How moves are written: by the coordinates of their sites, and what else tells them apart.

`a2-a4` moves, `add a1`, `remove a1` and the like name what is done. What else a code holds follows (`add a1 piece=knight1`),
unless the ends tell it. Moves of different rules that can have the same ends are told apart by the piece that moves
(`knight b1-a3`), or by numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from ludarium.core import IllegalMove, Move
from ludarium.ludii.board import SiteType
from ludarium.ludii.cards import SUITS, suit_name
from ludarium.ludii.code.sinks import LEAF_BITS, PASS, SWAP, Leaf
from ludarium.ludii.model import Model, walk
from ludarium.ludii.picture.cards import card_titles

_NUMBERED = re.compile(r"(.*?)(?: #(\d+))?\Z")
_OFF = "off"
_FIRST = "first"
"""Where a way begins in a table of lines."""

_USUAL = {"from_": "from", "site": "to"}
"""What a number of a code is where it is not written: mostly one of the ends."""

_OF_CARDS, _EITHER = ("Play", "Trump"), ("card", "number")
"""Moves of cards, and what tells a card that is played."""

_KINDS = ("piece", "card")
"""Numbers of a code that are kinds of pieces."""

_PLACES = ("from_", "site", "between", "group")


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
    def _tags(self) -> dict[int, tuple[str, int]]:
        """What tells each leaf apart from those whose moves look alike and can have the same ends: a piece, and a number."""
        numbers, tags = dict[int, int](), dict[int, tuple[str, int]]()
        shapes: dict[tuple[str, ...], list[Leaf]] = {}
        for leaf in sorted(self.leaves, key=lambda each: (not each.offered, each.reach is None)):
            alike = shapes.setdefault(_shape(leaf), [])
            numbers[leaf.index] = _free(leaf, alike, numbers)
            alike.append(leaf)
        for alike in shapes.values():
            named = dict[int, int]()
            for leaf in alike:
                piece = self._movers.get(id(leaf.node), "") if leaf.kind == "Move" and numbers[leaf.index] > 1 else ""
                if piece:
                    same = [each for each in alike if each.index in named and tags[each.index][0] == piece]
                    named[leaf.index] = _free(leaf, same, named)
                tags[leaf.index] = (piece, named.get(leaf.index, numbers[leaf.index]))
        return tags

    @cached_property
    def _movers(self) -> dict[int, str]:
        """The name of the only kind of piece whose own rules a ludeme is in; nothing where all pieces have one name."""
        found: dict[int, set[str]] = {}
        for piece in self.model.components:
            for node in walk(piece.moves) if piece.moves is not None else ():
                found.setdefault(id(node), set()).add(piece.bare.lower())
        several = len({piece.bare for piece in self.model.components if piece.moves is not None}) > 1
        only = {key: next(iter(names)) for key, names in found.items() if len(names) == 1 and several}
        done = {"pass", "skip", "swap", *(leaf.kind.lower() for leaf in self.leaves)}
        return {key: name for key, name in only.items() if re.fullmatch(r"[a-z]\w*", name) and name not in done}

    def _number(self, leaf: Leaf) -> int:
        """The first swap is that of the swap rule."""
        return self._tags[leaf.index][1] + (leaf.kind == "Swap")

    @cached_property
    def _forced(self) -> str:
        """What a pass is called that comes of having no move: another word where rules let players pass."""
        passes = any(leaf.kind == "Pass" and not _extras(leaf) for leaf in self.leaves)
        return "skip" if passes else "pass"

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
            return self._forced if move == PASS else "swap"
        first, last = self._ends(leaf, move)
        if leaf.kind == "Move":
            words = [*filter(None, [self._tags[leaf.index][0]]), f"{first}-{last}"]
        elif first == last:
            words = [leaf.kind.lower(), *([] if first == _OFF else [first])]
        else:
            words = [leaf.kind.lower(), f"{first}-{last}"]
        words += filter(None, (self._extra(leaf, move, name) for name in _extras(leaf)))
        number = self._number(leaf)
        return " ".join([*words, *([f"#{number}"] if number > 1 else [])])

    def _extra(self, leaf: Leaf, move: Move, name: str) -> str:
        """What else is written of a move; nothing if its ends tell it."""
        value = leaf.read(move, name)
        if leaf.kind in _OF_CARDS and (told := self._told(name, value)) is not None:
            return told
        if name in _USUAL and value == leaf.read(move, _USUAL[name]):
            return ""
        if name == _FIRST and leaf.reach is not None:
            return self._over(leaf, value, leaf.reach.firsts(leaf.read(move, "from"), leaf.read(move, "to")))
        if name in _PLACES:
            return f"{name.strip('_')}={self.label(value, dict(zip(_PLACES, leaf.types, strict=False)).get(name))}"
        known = {index: piece for piece, index in self._pieces.items()} if name in _KINDS else {}
        return f"{name}={known.get(value, value)}"

    def _told(self, name: str, value: int) -> str | None:
        """How a card or a suit is written in a move: by its name alone."""
        if name in _EITHER and value < 0:
            return ""
        if name == "card":
            title = card_titles(self.model).get(value)  # what is played may be another piece that is held
            return None if title is None else title.lower()
        return suit_name(value) if name == "suit" and 1 <= value <= len(SUITS) else None

    @cached_property
    def _cards(self) -> dict[str, str]:
        """What the words mean that stand for cards and suits."""
        cards = {title.lower(): f"card={index}" for index, title in card_titles(self.model).items()}
        suits = {name: f"suit={suit}" for suit, name in enumerate(SUITS, 1)} if cards else {}
        return cards | suits

    def _over(self, leaf: Leaf, value: int, firsts: Mapping[int, int]) -> str:
        """The way that a move goes, if several lead to where it goes."""
        if list(firsts) == [value]:
            return ""
        if list(firsts.values()).count(firsts.get(value, -1)) == 1:
            return f"over={self.label(firsts[value], leaf.types[0])}"
        return f"{_FIRST}={value}"

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
        if leaf.kind == "Play":
            return list(filter(None, [card_titles(self.model).get(leaf.read(move, "card"))]))
        return [label for label in dict.fromkeys(self._ends(leaf, move)) if label != _OFF]

    def read(self, text: str) -> Move:
        """Read a move that was written so."""
        plain = text.strip().lower()
        if plain in (self._forced, "swap"):
            return SWAP if plain == "swap" else PASS
        match = _NUMBERED.match(plain)
        words, number = (match[1].split(), int(match[2] or 1)) if match else ([], 1)
        words = [self._cards.get(word, word) for word in words]
        extras = dict(word.split("=", 1) for word in words if "=" in word)
        plainly = [word for word in words if "=" not in word]
        piece = plainly.pop(0) if plainly and plainly[0] in self._movers.values() else ""
        kind = "move" if plainly and "-" in plainly[0] else plainly[0] if plainly else ""
        ends = (plainly[-1] if len(plainly) > 1 or kind == "move" else _OFF).split("-")
        for leaf in self.leaves:
            named = (self._tags[leaf.index][0], self._number(leaf)) == (piece, number)
            if leaf.kind.lower() == kind and named and _takes(leaf, extras) and self._fits(leaf, ends):
                return self._coded(leaf, text, ends, extras)
        raise self._unknown(text)

    def _fits(self, leaf: Leaf, ends: Sequence[str]) -> bool:
        """Whether a rule can make moves with such ends."""
        if len(self.model.types) > 1 and not self._has_types(leaf, ends):
            return False
        known = ends[0] in self._spots and ends[-1] in self._spots
        return leaf.reach is None or not known or (self._site(ends[0]), self._site(ends[-1])) in leaf.reach.ends

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
                if leaf.kind in _OF_CARDS and name in _EITHER and given is None:
                    numbers[name] = -1
                elif name == _FIRST and given is None:
                    numbers[name] = self._way(leaf, numbers, extras.get("over"))
                elif given is None:
                    numbers[name] = numbers[_USUAL[name]]
                elif name in _PLACES:
                    numbers[name] = self._site(given)
                else:
                    numbers[name] = self._pieces[given] if given in self._pieces and name in _KINDS else int(given)
        except (KeyError, ValueError):
            raise self._unknown(text) from None
        code = leaf.index
        for name, (at, bits) in leaf.fields.items():
            value = numbers[name]
            if not -1 <= value < (1 << bits) - 1:
                raise self._unknown(text)
            code |= (value + 1) << at
        return code

    def _way(self, leaf: Leaf, ends: Mapping[str, int], over: str | None) -> int:
        """The one way that a move can go, or the one that begins with a site."""
        found = leaf.reach.firsts(ends["from"], ends["to"]) if leaf.reach is not None else {}
        (first,) = (each for each, site in found.items() if over is None or site == self._site(over))
        return first

    def _unknown(self, text: str) -> IllegalMove:
        return IllegalMove(f"'{text}' is not how {self.model.name} writes a move")


def _extras(leaf: Leaf) -> list[str]:
    return [name for name in leaf.fields if name not in ("from", "to")]


def _takes(leaf: Leaf, extras: Mapping[str, str]) -> bool:
    """Whether what is written beside the ends is what moves of a rule need."""
    names = {name.strip("_"): name in _USUAL for name in _extras(leaf)}
    if leaf.kind == "Play":  # a card is told by its name, or by where it lies
        return len(extras) == 1 and extras.keys() <= set(_EITHER)
    if _FIRST in names and leaf.reach is not None:
        names |= {_FIRST: True, "over": True}
    return extras.keys() <= names.keys() and all(usual or name in extras for name, usual in names.items())


def _free(leaf: Leaf, alike: Iterable[Leaf], numbers: Mapping[int, int]) -> int:
    """The lowest number that no leaf has whose moves can have the same ends."""
    taken = {numbers[each.index] for each in alike if _can_meet(leaf, each)}
    return next(number for number in range(1, len(taken) + 2) if number not in taken)


def _can_meet(one: Leaf, other: Leaf) -> bool:
    return one.reach is None or other.reach is None or not one.reach.ends.isdisjoint(other.reach.ends)


def _shape(leaf: Leaf) -> tuple[str, ...]:
    """What is always written of moves, so that they look alike if it is the same."""
    untold = {*_USUAL, _FIRST} if leaf.reach is not None else set(_USUAL)
    return (leaf.kind, *leaf.types, *(name for name in _extras(leaf) if name not in untold))
