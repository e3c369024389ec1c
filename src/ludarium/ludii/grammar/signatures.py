"""The signatures of ludemes: a table of facts about Ludii's language, in two files beside this one.

`rules.txt` has what games are made of, `metadata.txt` what is said about them. The lines of a ludeme are taken apart when the
ludeme turns up: a game uses a fraction of the language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Slot:
    """One argument of a ludeme."""

    name: str
    label: str
    """What has to be written before it, or nothing."""

    type: str
    depth: int
    """How deep it is an array."""

    optional: bool
    selects: bool
    """Whether its word says which ludeme is meant."""

    def __str__(self) -> str:
        text = f"{self.label}:" if self.label else ""
        text += "{" * self.depth + self.type + "}" * self.depth
        return f"[{text}]" if self.optional else text


@dataclass(frozen=True, slots=True)
class Limit:
    """Of these slots at most one is filled, or exactly one."""

    slots: frozenset[int]
    required: bool


@dataclass(frozen=True)
class Signature:
    """One way to write a ludeme."""

    ludeme: Ludeme = field(repr=False)
    slots: tuple[Slot, ...]
    limits: tuple[Limit, ...] = ()
    makes: str = ""
    """What is meant if no word selects it."""

    @cached_property
    def required(self) -> int:
        """How many slots have to be filled."""
        return sum(not slot.optional for slot in self.slots)

    @cached_property
    def selected(self) -> str | None:
        """The type of the word that has to follow the head, if one has to."""
        first = self.slots[0] if self.slots else None
        return first.type if first is not None and first.selects and not first.optional else None

    @cached_property
    def labels(self) -> frozenset[str]:
        """The labels that it knows."""
        return frozenset(slot.label for slot in self.slots if slot.label)

    def __str__(self) -> str:
        return f"({' '.join([self.ludeme.names[0], *map(str, self.slots)])})"


class Ludeme:
    """A ludeme by its names, what slots it fills, and the ways to write it."""

    def __init__(self, family: str, names: Sequence[str], types: Sequence[str]) -> None:
        self.family = family
        self.names = tuple(names)
        self.types = frozenset(types)
        self.lines: list[str] = []

    @cached_property
    def signatures(self) -> tuple[Signature, ...]:
        """All ways to write it, in the order in which they are tried."""
        return tuple(_signature(self, line) for line in self.lines)

    def __repr__(self) -> str:
        return f"<{self.family} {self.names[0]}>"


class Grammar:
    """All ludemes and symbols of a part of the language."""

    def __init__(self, *texts: str) -> None:
        self.heads: dict[str, list[Ludeme]] = {}
        """The ludemes by their names: several may share one."""
        self.symbols: dict[str, dict[str, tuple[str, str]]] = {}
        """The words that fit a type of slot, beginning in lower case: each with its own type, and as it is written."""
        for text in texts:
            self._read(text)

    def ludemes(self, kind: str) -> Iterator[Ludeme]:
        """All ludemes that fill slots of a type."""
        seen = {id(each): each for several in self.heads.values() for each in several if kind in each.types}
        yield from seen.values()

    def _read(self, text: str) -> None:
        family = ""
        usual: Sequence[str] = ()
        ludeme: Ludeme | None = None
        for line in text.splitlines():
            if not line or line[0] == "#":
                continue
            if line[0] == "[":
                name, _, types = line.partition(" > ")
                family, usual = name.strip("[]"), types.split()
            elif family == "symbols":
                self._symbols(line)
            elif line[0] == " ":
                assert ludeme is not None
                ludeme.lines.append(line.strip())
            else:
                names, _, types = line.partition(" > ") if not line.startswith("> ") else _greater(line)
                ludeme = Ludeme(family, names.split(), types.split() or usual)
                for name in ludeme.names:
                    self.heads.setdefault(name, []).append(ludeme)

    def _symbols(self, line: str) -> None:
        kind, _, words = line.partition(" = ")
        own, _, types = kind.partition(" > ")
        for slot in types.split() or [own]:
            known = self.symbols.setdefault(slot, {})
            for word in words.split():
                known.setdefault(word[0].lower() + word[1:], (own, word))


def _greater(line: str) -> tuple[str, str, str]:
    """The ludeme > begins like what says which types are filled."""
    names, arrow, types = line[2:].partition(" > ")
    return f"> {names}", arrow, types


def _signature(ludeme: Ludeme, line: str) -> Signature:
    slots: list[Slot] = []
    groups: list[tuple[list[str], bool]] = []
    makes = ""
    words = iter(line.split())
    for word in words:
        if word == "=":
            makes = next(words)
        elif word[0] == "{":
            groups.append((word.strip("{}?").split("|"), word[-1] != "?"))
        elif word != "()":
            slots.append(_slot(word))
    at: Mapping[str, int] = {slot.name: k for k, slot in enumerate(slots)}
    limits = tuple(Limit(frozenset(at[name] for name in names), required) for names, required in groups)
    return Signature(ludeme, tuple(slots), limits, makes)


def _slot(word: str) -> Slot:
    optional = word[-1] == "?"
    labelled = ":" in word
    name, _, kind = word.strip("!?").partition(":" if labelled else "=")
    label = name[0].lower() + name[1:] if labelled else ""
    return Slot(name, label, kind.rstrip("[]"), kind.count("[]"), optional, word[0] == "!")


@cache
def rules() -> Grammar:
    """The language of rules."""
    return Grammar(_text("rules.txt"))


@cache
def metadata() -> Grammar:
    """The language of what is said beside the rules, which uses that of the rules."""
    return Grammar(_text("rules.txt"), _text("metadata.txt"))


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")
