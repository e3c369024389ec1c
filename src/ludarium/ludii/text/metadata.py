"""What a file says about its game beside the rules: who made it, how it is told to people, how it is drawn.

Only the defines of the file itself are filled in here, as in Ludii.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ludarium.ludii.text.defines import NO_LIBRARY, Expansion
from ludarium.ludii.text.expander import Description
from ludarium.ludii.text.options import Options
from ludarium.ludii.text.origin import Text
from ludarium.ludii.text.ranges import fill_ranges
from ludarium.ludii.text.reader import Node, read
from ludarium.ludii.text.scan import without_comments

_AGENT = re.compile(r'"[^"]*_ai"')  # a define that Ludii keeps with its agents


def read_metadata(description: Description) -> tuple[Node, Text] | None:
    """The clause `(metadata ...)` with what applies to the chosen options, and the text that it was read from."""
    text, notes = description.metadata, description.notes
    if not len(text):
        return None
    text = Expansion(NO_LIBRARY, notes).expand(text, list(description.defines))
    text = fill_ranges(without_comments(text), notes)
    text = text.without([match.span() for match in _AGENT.finditer(text.string)])
    node = read(text, notes, shared=False)[0]
    if "(useFor" not in text.string:
        return node, text
    return Node(node.kind, node.text, node.at, node.label, tuple(_applying(node, description.options))), text


def info(description: Description) -> dict[str, tuple[str, ...]]:
    """What the file tells about the game: `description`, `rules`, `version`, `credit` and so on, each maybe several times.

    >>> from ludarium.ludii.text.expander import expand
    >>> info(expand('(game "Nim") (metadata (info { (author "Nobody") (date "1901") }))'))
    {'author': ('Nobody',), 'date': ('1901',)}
    """
    found = read_metadata(description)
    told: dict[str, tuple[str, ...]] = {}
    for part in found[0].parts if found else ():
        if part.text == "info":
            for item in _items(part):
                said = tuple(each.text for each in _items(item) if each.kind == "string")
                told[item.text] = told.get(item.text, ()) + said
    return told


def _items(node: Node) -> Iterator[Node]:
    """The arguments of a clause, those in braces among them."""
    for part in node.parts:
        if part.kind == "array":
            yield from _items(part)
        else:
            yield part


def _applying(node: Node, options: Options) -> Iterator[Node]:
    """The arguments that apply to the chosen options: `(useFor {"Heading/Item"} ...)` is for these only."""
    active = {*options.choices, *([options.ruleset.name] if options.ruleset else [])}
    for part in node.parts:
        if part.kind == "clause" and part.text == "useFor":
            first, *others = _applying(part, options)
            names = {each.text for each in (first.parts if first.kind == "array" else [first])}
            if names <= active:
                yield from others
        elif part.parts:
            yield Node(part.kind, part.text, part.at, part.label, tuple(_applying(part, options)))
        else:
            yield part
