"""Why a description does not bind: all that fits nowhere, each with what would fit.

Where a clause fits no way to write it, the way that most of its arguments fit is taken to be meant; the others are looked into.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple

from ludarium.ludii.grammar.binder import NUMBERS, Binder
from ludarium.ludii.grammar.signatures import Grammar, Limit, Signature, Slot
from ludarium.ludii.text.notes import MAX_PROBLEMS
from ludarium.ludii.text.reader import Node

_MOST = 64  # arguments of a clause that are looked at: no ludeme has so many
_EXAMPLES = 6  # how many words or ludemes a hint lists
_NEAR = 0.65  # how alike words are of which one may be a slip of the other
_LONGEST = 100  # characters of an argument that a message shows

_PLAIN = {
    "int": "a number",
    "integer": "a whole number",
    "dim": "a whole number",
    "float": "a number",
    "decimal": "a number",
    "bool": "a condition",
    "truth": "True or False",
    "string": "a string",
}


class _EnoughError(Exception):
    """So much is wrong that it is no use to look further."""


class Complaint(NamedTuple):
    """Something that is wrong at a node."""

    node: Node
    message: str
    hint: str = ""


@dataclass
class _Match:
    """How well arguments fit a signature: which go where, and which were probably meant to."""

    signature: Signature
    slots: dict[int, int]
    """By argument."""

    meant: dict[int, int]
    """By argument that does not fit."""

    likelihood: float

    @property
    def merit(self) -> tuple[float, int, int]:
        """More arguments that fit, or nearly so; then fewer slots that are missing and arguments that have none."""
        return len(self.slots) + self.likelihood, len(self.meant), -len(self.missing)

    @property
    def missing(self) -> list[Slot]:
        """Slots that have to be filled, and for which nothing was meant."""
        filled = {*self.slots.values(), *self.meant.values()}
        return [slot for k, slot in enumerate(self.signature.slots) if not slot.optional and k not in filled]


def explain(root: Node, kind: str, binder: Binder, defines: Iterable[str] = ()) -> list[Complaint]:
    """All reasons why a tree does not fit a slot of a type."""
    explanation = _Explanation(binder, list(defines))
    try:
        explanation.node(root, kind, 0)
        explanation.survey(root)
    except _EnoughError:
        pass
    return explanation.found


def fitting(grammar: Grammar, kind: str, depth: int = 0) -> str:
    """What fits a slot of a type, in words."""
    if depth:
        return f"several in braces, each {fitting(grammar, kind, depth - 1)}"
    words = [word for _, word in grammar.symbols.get(kind, {}).values()]
    heads = sorted({ludeme.names[0] for ludeme in grammar.ludemes(kind)})
    found = [_PLAIN[kind]] if kind in _PLAIN else []
    if words:
        found.append(f"a word such as {_listed(words)}")
    if heads:
        found.append(_listed([f"({head} ...)" for head in heads]))
    return ", or ".join(found) or kind


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_EXAMPLES])
    return f"{shown} and {len(names) - _EXAMPLES} others" if len(names) > _EXAMPLES else shown


class _Explanation:
    def __init__(self, binder: Binder, defines: list[str]) -> None:
        self.found: list[Complaint] = []
        self._binder = binder
        self._grammar = binder.grammar
        self._defines = defines
        self._seen: set[tuple[Node, str, int]] = set()
        self._told: set[Node] = set()

    def node(self, node: Node, kind: str, depth: int) -> None:
        """Say why a node does not fit a slot."""
        if (node, kind, depth) in self._seen or self._binder.bind(node, kind, depth) is not None:
            return
        self._seen.add((node, kind, depth))
        if depth and node.kind == "array":
            for part in node.parts:
                if part.label:
                    self._tell(part, f"'{part.label}:' cannot be in braces", "remove the label")
                else:
                    self.node(part, kind, depth - 1)
        elif depth or node.kind != "clause":
            self._misfit(node, kind, depth)
        elif node.text not in self._grammar.heads:
            self._unknown(node, kind)
        else:
            self._clause(node, kind)

    def survey(self, root: Node) -> None:
        """Find heads and words that mean nothing anywhere, where nothing was said yet."""
        words = {word for known in self._grammar.symbols.values() for word in known}
        todo, seen = [root], {root}
        while todo:
            node = todo.pop()
            if node in self._told:
                continue
            if node.kind == "clause" and node.text not in self._grammar.heads:
                self._unknown(node, "")
            elif node.kind == "word" and not self._means_something(node, words):
                names = {word for known in self._grammar.symbols.values() for _, word in known.values()}
                self._tell(node, f"'{node.text}' means nothing", _nearest(node.text, names))
            todo += [part for part in node.parts if part not in seen]
            seen.update(node.parts)

    def _means_something(self, node: Node, words: set[str]) -> bool:
        if node.text in NUMBERS or node.text[:1].lower() + node.text[1:] in words:
            return True
        return any(self._binder.bind(node, kind) is not None for kind in ("float", "int", "bool"))

    def _tell(self, node: Node, message: str, hint: str = "") -> None:
        self._told.add(node)
        self.found.append(Complaint(node, message, hint))
        if len(self.found) >= MAX_PROBLEMS:
            raise _EnoughError

    def _unknown(self, node: Node, kind: str) -> None:
        if node.text.startswith('"'):
            hint = _nearest(node.text, [f'"{name}"' for name in self._defines])
            self._tell(node, f"there is no define {node.text}", hint)
            return
        heads = {name for ludeme in self._grammar.ludemes(kind) for name in ludeme.names} if kind else set()
        hint = _nearest(node.text, heads) or _nearest(node.text, self._grammar.heads)
        if not hint and kind:
            hint = f"here may be {fitting(self._grammar, kind)}"
        self._tell(node, f"there is no ludeme '{node.text}'", hint)

    def _misfit(self, node: Node, kind: str, depth: int) -> None:
        words = [word for _, word in self._grammar.symbols.get(kind, {}).values()]
        hint = _nearest(node.text, words) if node.kind == "word" and not depth else ""
        message = f"{node.brief(_LONGEST)} does not fit here"
        if node.kind == "string":
            message += ", and there is no define of that name"
            hint = _nearest(node.text, self._defines)
        self._tell(node, message, hint or f"here may be {fitting(self._grammar, kind, depth)}")

    def _clause(self, node: Node, kind: str) -> None:
        candidates = list(self._binder.candidates(node, kind))
        if not candidates:
            ludemes = [each for each in self._grammar.heads[node.text] if kind in each.types]
            if not ludemes:
                self._misfit(node, kind, 0)
                self._inside(node)
            else:
                self._unselected(node, [each for ludeme in ludemes for each in ludeme.signatures])
            return
        best = max((self._match(node.parts, each) for each in candidates), key=lambda match: match.merit)
        if 0 in best.slots or not self._selects_nearly(node, kind):
            self._mismatch(node, best)

    def _inside(self, node: Node) -> None:
        """Look into a clause that stands in the wrong place."""
        kinds = sorted({kind for ludeme in self._grammar.heads[node.text] for kind in ludeme.types})
        if not any(self._binder.bind(node, kind) is not None for kind in kinds):
            self._clause(node, kinds[0])

    def _selects_nearly(self, node: Node, kind: str) -> bool:
        """Say so if the word behind a head is nearly one that selects something."""
        first = node.parts[0] if node.parts else None
        if first is None or first.kind != "word" or first.label:
            return False
        ludemes = [each for each in self._grammar.heads[node.text] if kind in each.types]
        words = self._selecting([each for ludeme in ludemes for each in ludeme.signatures])
        if hint := _nearest(first.text, words):
            self._tell(first, f"'{first.text}' cannot follow '{node.text}'", hint)
        return bool(hint)

    def _selecting(self, signatures: Sequence[Signature]) -> list[str]:
        kinds = [slot.type for each in signatures for slot in each.slots[:1] if slot.selects]
        return [word for kind in dict.fromkeys(kinds) for _, word in self._grammar.symbols[kind].values()]

    def _unselected(self, node: Node, signatures: Sequence[Signature]) -> None:
        """Say that the word behind a head selects nothing."""
        words = self._selecting(signatures)
        hint = f"after '{node.text}' comes one of {', '.join(sorted(words))}"
        if node.parts and node.parts[0].kind == "word":
            first = node.parts[0]
            self._tell(first, f"'{first.text}' cannot follow '{node.text}'", _nearest(first.text, words) or hint)
        else:
            self._tell(node, f"'{node.text}' does not say what it is about", hint)

    def _match(self, parts: Sequence[Node], signature: Signature) -> _Match:
        """Put as many arguments as possible into slots, in their order."""
        slots, parts = signature.slots, parts[:_MOST]
        best = [[0] * (len(slots) + 1) for _ in range(len(parts) + 1)]
        fits = [[self._fits(part, slot) for slot in slots] for part in parts]
        for i in reversed(range(len(parts))):
            for j in reversed(range(len(slots))):
                best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + 1 if fits[i][j] else 0)
        chosen, i, j = {}, 0, 0
        while i < len(parts) and j < len(slots):
            if fits[i][j] and best[i][j] == best[i + 1][j + 1] + 1:
                chosen[i] = j
                i, j = i + 1, j + 1
            elif best[i][j] == best[i][j + 1]:
                j += 1
            else:
                i += 1
        match = _Match(signature, chosen, {}, 0)
        self._add_meant(parts, match)
        return match

    def _add_meant(self, parts: Sequence[Node], match: _Match) -> None:
        """Find slots for the arguments that fit none, in their order."""
        slots = match.signature.slots
        low = 0
        for k, part in enumerate(parts):
            if k in match.slots:
                low = match.slots[k] + 1
                continue
            high = min((slot for other, slot in match.slots.items() if other > k), default=len(slots))
            free = [j for j in range(low, high) if slots[j].label == part.label]
            chances = {j: self._likelihood(part, slots[j].type, slots[j].depth) for j in free}
            likely = max(free, key=chances.__getitem__, default=None)
            if likely is None or not (part.label or chances[likely] > 0):
                likely = next((j for j in free if not slots[j].optional), None)
            if likely is not None:
                match.meant[k] = likely
                match.likelihood += chances[likely]
                low = likely + 1

    def _fits(self, part: Node, slot: Slot) -> bool:
        return part.label == slot.label and self._binder.bind(part, slot.type, slot.depth) is not None

    def _mismatch(self, node: Node, match: _Match) -> None:
        """Say what is wrong with the arguments of a clause."""
        signature = match.signature
        for k, part in enumerate(node.parts):
            if k in match.slots:
                continue
            if k in match.meant:
                slot = signature.slots[match.meant[k]]
                self.node(part, slot.type, slot.depth)
            elif part.label and part.label not in signature.labels:
                known = [f"{label}:" for label in sorted(signature.labels)]
                hint = _nearest(f"{part.label}:", known) or self._shape(signature)
                self._tell(part, f"'{node.text}' has no '{part.label}:'", hint)
            elif part not in self._told:
                self._tell(part, f"{part.brief(_LONGEST)} fits no free slot of '{node.text}'", self._shape(signature))
        for slot in match.missing:
            name = f"'{slot.label}:'" if slot.label else f"the argument '{slot.name}'"
            hint = f"that may be {fitting(self._grammar, slot.type, slot.depth)}; {self._shape(signature)}"
            self._tell(node, f"'{node.text}' lacks {name}", hint)
        if len(match.slots) == len(node.parts) and not match.missing:
            for limit in signature.limits:
                self._limit(node, match, limit)

    def _likelihood(self, part: Node, kind: str, depth: int) -> float:
        """How likely it is that an argument was meant for slots of a type."""
        if depth:
            if part.kind != "array":
                return 0
            each = [self._likelihood(inner, kind, depth - 1) for inner in part.parts[:_MOST]]
            return (1 + sum(each)) / (1 + len(each)) / 2 + 0.01
        if part.kind == "clause":
            if self._binder.bind(part, kind) is not None:
                return 1
            return 0.9 * any(kind in ludeme.types for ludeme in self._grammar.heads.get(part.text, ()))
        if self._binder.bind(part, kind) is not None:
            return 0.8
        words = [word for _, word in self._grammar.symbols.get(kind, {}).values()]
        return 0.7 if part.kind == "word" and _nearest(part.text, words) else 0

    def _limit(self, node: Node, match: _Match, limit: Limit) -> None:
        names = [match.signature.slots[k] for k in sorted(limit.slots)]
        listed = " or ".join(f"'{slot.label}:'" if slot.label else f"'{slot.name}'" for slot in names)
        count = len(limit.slots & set(match.slots.values()))
        if count > 1:
            self._tell(node, f"'{node.text}' takes only one of {listed}", self._shape(match.signature))
        elif not count and limit.required:
            self._tell(node, f"'{node.text}' lacks {listed}", self._shape(match.signature))

    def _shape(self, signature: Signature) -> str:
        slots = [self._written(slot) for slot in signature.slots]
        text = f"({' '.join([signature.ludeme.names[0], *slots])})"
        return f"it is written {text}" if len(text) <= 3 * _LONGEST else f"it is written {text[: 3 * _LONGEST]}..."

    def _written(self, slot: Slot) -> str:
        words = self._grammar.symbols.get(slot.type, {})
        return "|".join(word for _, word in words.values()) if slot.selects and len(words) <= 2 else str(slot)


def _nearest(name: str, known: Iterable[str]) -> str:
    """The known name that looks most like one, or begins it, as a question."""
    if len(name) > _LONGEST:
        return ""
    spelling = {each.casefold(): each for each in known}
    near = get_close_matches(name.casefold(), spelling, n=1, cutoff=_NEAR)
    near = (
        near or sorted((each for each in spelling if len(each) > 2 and name.casefold().startswith(each)), key=len)[-1:]
    )
    return f"did you mean '{spelling[near[0]]}'?" if near else ""
