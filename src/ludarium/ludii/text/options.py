"""Options and rulesets: variants of a game that a file describes together, one of which is played.

`(option "Board Size" <Board> args:{ <size> } { (item "9x9" <9> "Nine by nine.")* ... })` puts the arguments of the chosen item
where `<Board:size>` or `<Board>` is written. A ruleset is a named list of choices.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludarium.core.errors import BadParameter, LudariumError, UnknownName
from ludarium.ludii.text.notes import Notes
from ludarium.ludii.text.origin import Text, join
from ludarium.ludii.text.scan import closing

MAX_REPLACEMENTS = 1000
"""How often one marker may be filled in."""

MAX_SEARCHED = 2_000_000_000
"""How many characters may be searched for markers of options, all together."""

MAX_CHARACTERS = 1_000_000
"""How long a description may become."""

_QUOTED = re.compile(r'"([^"]*)"')
_TAG = re.compile(r"<([^<>]*)>")
_NAMES = re.compile(r"args:\s*\{([^{}]*)\}")
_ARGUMENT = re.compile(r"(?<!\()<")
_ARGUMENT_END = re.compile(r"(?<!\()>")
_STARS = re.compile(r"\**")


@dataclass(frozen=True)
class Item:
    """One way to settle an option."""

    name: str
    description: str
    arguments: tuple[Text, ...]
    stars: int
    origin: int


@dataclass(frozen=True)
class Category:
    """An option: what is to be settled, and the items to choose from."""

    heading: str
    tag: str
    names: tuple[str, ...]
    items: tuple[Item, ...]
    origin: int

    @property
    def default(self) -> Item:
        """The item that is taken if nothing is chosen: most stars, then first."""
        return max(self.items, key=lambda item: item.stars)

    def choice(self, item: Item) -> str:
        """How an item is chosen."""
        return f"{self.heading}/{item.name}"


@dataclass(frozen=True)
class Ruleset:
    """A named list of choices."""

    name: str
    choices: tuple[str, ...]
    stars: int
    origin: int


@dataclass(frozen=True)
class Options:
    """What may be chosen, and what is."""

    categories: tuple[Category, ...] = ()
    rulesets: tuple[Ruleset, ...] = ()
    chosen: tuple[Item, ...] = ()
    """One item of each category."""

    @property
    def choices(self) -> tuple[str, ...]:
        """What is chosen, as one writes it."""
        return tuple(each.choice(item) for each, item in zip(self.categories, self.chosen, strict=True))

    @property
    def ruleset(self) -> Ruleset | None:
        """The first ruleset that says what is chosen."""
        active = set(self.choices)
        return next((each for each in self.rulesets if each.choices and active.issuperset(each.choices)), None)

    def choose(self, selections: Sequence[str]) -> Options:
        """Choose by `Heading/Item`, or by the name of a ruleset; the rest stays as it is by default."""
        items = {each.choice(item): (k, item) for k, each in enumerate(self.categories) for item in each.items}
        rulesets = {name: each for each in self.rulesets for name in (each.name, each.name.partition("/")[2]) if name}
        chosen = [each.default for each in self.categories]
        for selection in _flat(selections, items.keys(), rulesets):
            if selection not in items:
                if not items and not rulesets:
                    raise LudariumError(f"unknown option {selection!r}: this game has no options")
                raise UnknownName("option", selection, [*items, *rulesets])
            index, item = items[selection]
            chosen[index] = item
        return Options(self.categories, self.rulesets, tuple(chosen))


def selections(options: object) -> list[str]:
    """The choices that a user gives: one text, several, or nothing."""
    given = [] if options is None else [options] if isinstance(options, str) else options
    if not isinstance(given, (list, tuple)) or not all(isinstance(each, str) for each in given):
        raise BadParameter(f'options is {options!r}; expected a choice such as "Board Size/9x9", or a list of such')
    return list(given)


def _flat(selections: Sequence[str], items: object, rulesets: dict[str, Ruleset]) -> Iterator[str]:
    for selection in selections:
        if selection in items or selection not in rulesets:  # type: ignore[operator]
            yield selection
            continue
        ruleset = rulesets[selection]
        if not ruleset.choices:
            raise LudariumError(f"the ruleset {selection!r} names no options: its rules are not written down")
        yield from ruleset.choices


def cut_options(text: Text, notes: Notes) -> tuple[Text, Options]:
    """Take all options and rulesets out of a text."""
    string, spans, categories = text.string, [], []
    at = string.find('(option "')
    while at >= 0:
        end = _close(text, at, notes)
        category = _category(text, at, end, notes)
        if category.items:
            categories.append(category)
        spans.append((at, end))
        at = string.find('(option "', end)
    text = text.without(spans)
    string, spans, rulesets = text.string, [], []
    at = string.find("(rulesets")
    while at >= 0:
        end = _close(text, at, notes)
        if not spans:  # Ludii drops the others, too
            rulesets = list(_rulesets(text, at + 1, end, notes))
        spans.append((at, end))
        at = string.find("(rulesets", end)
    defaults = tuple(each.default for each in categories)
    return text.without(spans), Options(tuple(categories), tuple(rulesets), defaults)


def fill_in(text: Text, options: Options, notes: Notes) -> Text:
    """Put the arguments of the chosen items where their markers are."""
    markers = sum(len(category.names) + 1 for category in options.categories)
    if markers * len(text) > MAX_SEARCHED:
        notes.stop(options.categories[-1].origin, f"there are too many options: {markers} markers to look for")
    for category, item in zip(options.categories, options.chosen, strict=True):
        if not item.arguments:  # such items are headings of menus; Ludii stops here, too
            return text
        for name, argument in zip(category.names, item.arguments, strict=False):
            text = _fill(text, f"<{category.tag}:{name}>", argument, notes)
        text = _fill(text, f"<{category.tag}>", item.arguments[0], notes)
    return text


def _fill(text: Text, marker: str, argument: Text, notes: Notes) -> Text:
    count = 0
    while (at := text.string.find(marker)) >= 0:
        parts, behind = [], 0
        while at >= 0:
            parts += [text.part(behind, at), argument]
            behind = at + len(marker)
            count += 1
            at = text.string.find(marker, behind)
        if count > MAX_REPLACEMENTS:
            origin = text.origin(behind - 1)
            notes.stop(origin, f"the option {marker} is filled in more than {MAX_REPLACEMENTS} times")
        if len(text) + count * len(argument) > MAX_CHARACTERS:
            notes.stop(text.origin(behind - 1), f"filling in {marker} makes more than {MAX_CHARACTERS:,} characters")
        text = join([*parts, text.part(behind)])
    return text


def _close(text: Text, at: int, notes: Notes) -> int:
    end = closing(text.string, at)
    if end < 0:
        notes.stop(text.origin(at), "this '(' is not closed", "add a ')'")
    return end + 1


def _category(text: Text, at: int, end: int, notes: Notes) -> Category:
    string = text.string
    origin = text.origin(at)
    heading = _QUOTED.search(string, at, end)
    tag = heading and _TAG.search(string, heading.end(), end)
    names = tag and _NAMES.search(string, tag.end(), end)
    if not heading or not tag or not names:
        hint = '(option "Heading" <Tag> args:{ <name> } { (item "Name" <argument> "description.") ... })'
        notes.stop(origin, "this option has no heading, tag or argument names", f"write it as {hint}")
    arguments = tuple(name.strip() for name in _TAG.findall(names.group(1)))
    items = []
    start = string.find("{", names.end(), end)
    at = string.find("(", start, end) if start >= 0 else -1
    while at >= 0:
        behind = _close(text, at, notes)
        item = _item(text, at, behind, notes)
        if len(item.arguments) > len(arguments):
            message = f'the item "{item.name}" has {len(item.arguments)} arguments, its option names {len(arguments)}'
            notes.add(item.origin, message, "name each argument in args:{ <name> ... }")
        items.append(item)
        at = string.find("(", behind, end)
    if not items:
        notes.add(origin, f'the option "{heading.group(1)}" has no items', warning=True)
    return Category(heading.group(1), tag.group(1).strip(), arguments, tuple(items), origin)


def _item(text: Text, at: int, end: int, notes: Notes) -> Item:
    string, origin = text.string, text.origin(at)
    name = _QUOTED.search(string, at, end)
    if name is None:
        notes.stop(origin, "this item has no name", 'write it as (item "Name" <argument> "description.")')
    last = string.rfind('"', name.end(), end)
    first = string.rfind('"', name.end(), last) if last >= 0 else -1
    while first > 0 and string[first - 1] == "\\":
        first = string.rfind('"', name.end(), first)
    description = string[first + 1 : last] if first >= 0 else ""
    stop = first if first >= 0 else end - 1
    arguments = []
    begin = _ARGUMENT.search(string, name.end(), stop)
    while begin is not None:
        over = _ARGUMENT_END.search(string, begin.end(), stop)
        if over is None:
            notes.stop(text.origin(begin.start()), "this '<' is not closed", "add a '>'")
        arguments.append(text.part(begin.end(), over.start()))
        begin = _ARGUMENT.search(string, over.end(), stop)
    stars = _STARS.match(string, end)
    return Item(name.group(1), description, tuple(arguments), len(stars.group()) if stars else 0, origin)


def _rulesets(text: Text, at: int, end: int, notes: Notes) -> Iterator[Ruleset]:
    string = text.string
    at = string.find("(ruleset ", at, end)
    while at >= 0:
        behind = _close(text, at, notes)
        name = _QUOTED.search(string, at, behind)
        origin = text.origin(at)
        if name is None:
            notes.stop(
                origin, "this ruleset has no name", 'write it as (ruleset "Ruleset/Name" { "Heading/Item" ... })'
            )
        brace = string.find("{", name.end(), behind)
        closed = closing(string, brace) if brace >= 0 else -1
        choices = tuple(_QUOTED.findall(string, brace, closed)) if closed >= 0 else ()
        stars = _STARS.match(string, behind)
        yield Ruleset(name.group(1), choices, len(stars.group()) if stars else 0, origin)
        at = string.find("(ruleset ", behind, end)
