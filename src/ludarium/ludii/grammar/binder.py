"""The binder: every argument into its slot.

A head may belong to several ludemes; what the slot asks for selects among them. Arguments keep their order, each goes into the
first slot that it fits, and where that leads nowhere into a later one. A label binds an argument to the slot of that label. If
several ways to write a ludeme fit, the last one counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from ludarium.ludii.grammar.signatures import Grammar, Signature, Slot
from ludarium.ludii.text.reader import Node

NUMBERS: Mapping[str, int] = {"Off": -1, "End": -2, "Undefined": -1, "Infinity": 10**9}
"""Words that are numbers."""

LARGEST = 2**31 - 1

_INTEGER = re.compile(r"[+-]?\d+\Z")
_DECIMAL = re.compile(r"[+-]?(\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?\Z")
_INTEGRAL = frozenset(["int", "integer", "dim", "float", "decimal"])
_FRACTIONAL = frozenset(["float", "decimal"])
_TRUTHS = frozenset(["bool", "truth"])


class Constant:
    """A number, a truth value or a string."""

    __slots__ = ("node", "value")

    def __init__(self, node: Node, value: int | float | str) -> None:
        self.node = node
        self.value = value

    def __repr__(self) -> str:
        return repr(self.value)


class Symbol:
    """A word of a type of words."""

    __slots__ = ("node", "type", "word")

    def __init__(self, node: Node, kind: str, word: str) -> None:
        self.node = node
        self.type = kind
        self.word = word

    def __repr__(self) -> str:
        return self.word


class Array:
    """Several values in braces."""

    __slots__ = ("items", "node")

    def __init__(self, node: Node, items: Sequence[Value]) -> None:
        self.node = node
        self.items = items

    def __iter__(self) -> Iterator[Value]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        return f"{{{' '.join(map(repr, self.items))}}}"


class Lacking(Exception):  # it is caught where the place is known
    """A ludeme is written without an argument that nobody can do without."""

    def __init__(self, ludeme: Bound, slot: str) -> None:
        super().__init__(f"{ludeme!r} lacks {slot!r}")
        self.ludeme, self.slot = ludeme, slot


class _Arguments(dict[str, "Value"]):
    """The arguments of a ludeme by the names of their slots."""

    __slots__ = ("ludeme",)

    def __init__(self, ludeme: Bound, given: Mapping[str, Value]) -> None:
        super().__init__(given)
        self.ludeme = ludeme

    def __missing__(self, slot: str) -> Value:
        raise Lacking(self.ludeme, slot)


class Bound:
    """A ludeme with its arguments in their slots."""

    __slots__ = ("arguments", "node", "signature")

    def __init__(self, node: Node, signature: Signature, arguments: Mapping[str, Value]) -> None:
        self.node = node
        self.signature = signature
        self.arguments: dict[str, Value] = _Arguments(self, arguments)
        """By the name of the slot; what is not given is not there."""

    @property
    def family(self) -> str:
        """The kind of ludeme: moves, bool, region and so on."""
        return self.signature.ludeme.family

    @property
    def unit(self) -> str:
        """What the ludeme is called together with the words that select it: `move Step`, `sites (SitesCustom)`."""
        given = self.arguments
        words = [repr(given[slot.name]) for slot in self.signature.slots if slot.selects and slot.name in given]
        if not words and self.signature.makes:
            words = [f"({self.signature.makes})"]
        return " ".join([self.signature.ludeme.names[0], *words])

    def __repr__(self) -> str:
        given = [f"{name}={value!r}" for name, value in self.arguments.items()]
        return f"({' '.join([self.signature.ludeme.names[0], *given])})"


Value: TypeAlias = Constant | Symbol | Array | Bound


class Binder:
    """Binds the nodes of one description; what was found out about a node is remembered."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self._known: dict[tuple[Node, str, int], Value | None] = {}

    def bind(self, node: Node, kind: str, depth: int = 0) -> Value | None:
        """The value of a node in a slot of a type, or None if it does not fit."""
        key = (node, kind, depth)
        if key in self._known:
            return self._known[key]
        value: Value | None
        if depth:
            value = self._array(node, kind, depth) if node.kind == "array" else None
        elif node.kind == "clause":
            value = self._clause(node, kind)
        else:
            value = self._terminal(node, kind)
        self._known[key] = value
        return value

    def candidates(self, node: Node, kind: str) -> Iterator[Signature]:
        """The ways to write a clause that its head, and the word behind it, leave open."""
        first = node.parts[0] if node.parts else None
        word = _lower(first.text) if first is not None and first.kind == "word" and not first.label else ""
        symbols = self.grammar.symbols
        for ludeme in self.grammar.heads.get(node.text, ()):
            if kind not in ludeme.types:
                continue
            for signature in ludeme.signatures:
                selected = signature.selected
                if selected is None or word in symbols[selected]:
                    yield signature

    def _array(self, node: Node, kind: str, depth: int) -> Array | None:
        items = []
        for part in node.parts:
            item = None if part.label else self.bind(part, kind, depth - 1)
            if item is None:
                return None
            items.append(item)
        return Array(node, items)

    def _clause(self, node: Node, kind: str) -> Bound | None:
        found: Bound | None = None
        for signature in self.candidates(node, kind):
            if not node.parts and not signature.slots:
                return Bound(node, signature, {})
            arguments = self._filled(node.parts, signature)
            if arguments is not None:
                found = Bound(node, signature, arguments)
        return found

    def _filled(self, parts: Sequence[Node], signature: Signature) -> dict[str, Value] | None:
        """The first way to put arguments into slots in their order, as early as possible."""
        slots = signature.slots
        if not signature.required <= len(parts) <= len(slots):
            return None
        if not all(not part.label or part.label in signature.labels for part in parts):
            return None
        chosen: list[tuple[int, Value]] = []  # for each argument so far, its slot
        at = 0
        while True:
            if len(chosen) == len(parts):
                if all(slot.optional for slot in slots[at:]) and _within(signature, chosen):
                    return {slots[k].name: value for k, value in chosen}
            elif (place := self._next(parts[len(chosen)], slots, at)) is not None:
                chosen.append(place)
                at = place[0] + 1
                continue
            while True:  # the last argument that may go into a later slot has to
                if not chosen:
                    return None
                at = chosen.pop()[0]
                if slots[at].optional:
                    break
            at += 1

    def _next(self, part: Node, slots: Sequence[Slot], at: int) -> tuple[int, Value] | None:
        """The first slot that an argument fits, if only optional ones are before it."""
        for k in range(at, len(slots)):
            slot = slots[k]
            if part.label == slot.label:
                value = self.bind(part, slot.type, slot.depth)
                if value is not None:
                    return k, value
            if not slot.optional:
                return None
        return None

    def _terminal(self, node: Node, kind: str) -> Constant | Symbol | None:
        text = node.text
        if node.kind == "string":
            return Constant(node, text) if kind == "string" else None
        if node.kind == "array":
            return None
        symbols = self.grammar.symbols.get(kind)
        if symbols is not None:
            symbol = symbols.get(_lower(text))
            return Symbol(node, *symbol) if symbol is not None else None
        if kind in _INTEGRAL:
            if _INTEGER.match(text) and len(text) <= 11 and -LARGEST <= int(text) <= LARGEST:
                return Constant(node, int(text))
            if text in NUMBERS:
                return Constant(node, NUMBERS[text])
            if kind in _FRACTIONAL and _DECIMAL.match(text):
                return Constant(node, float(text))
        elif kind in _TRUTHS and text.lower() in ("true", "false"):
            return Constant(node, text.lower() == "true")
        return None


def _within(signature: Signature, chosen: Sequence[tuple[int, Value]]) -> bool:
    """Whether what excludes each other is not given together, and what is needed is."""
    if not signature.limits:
        return True
    filled = {k for k, _ in chosen}
    counts = [(len(filled & limit.slots), limit.required) for limit in signature.limits]
    return all(count == 1 if required else count <= 1 for count, required in counts)


def _lower(word: str) -> str:
    return word[:1].lower() + word[1:]
