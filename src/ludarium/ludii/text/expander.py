"""From the text of a file to one plain description: options chosen, defines and ranges filled in.

All of it is work on text, in the order in which Ludii does it. The metadata is set apart: nothing in it changes the rules.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ludarium.core.problems import Place
from ludarium.ludii.text.defines import NO_LIBRARY, Define, Expansion, Library, cut_defines
from ludarium.ludii.text.notes import Notes
from ludarium.ludii.text.options import Options, cut_options, fill_in
from ludarium.ludii.text.origin import EMPTY, Origins, Text
from ludarium.ludii.text.ranges import fill_ranges
from ludarium.ludii.text.reader import Node, check_brackets, read
from ludarium.ludii.text.scan import closing, without_comments


@dataclass
class Description:
    """A game as one plain tree, and all that is known about where it came from."""

    file: str
    root: Node
    """The clause `(game ...)` or `(match ...)`."""

    text: Text
    options: Options
    defines: Sequence[Define]
    """The defines of the file itself."""

    used: frozenset[str]
    """The names of the defines that were used."""

    quoted: frozenset[str]
    """What stands in quotation marks anywhere in the file, but as the name of a define."""

    metadata: Text
    """What the file says beside the rules, its defines not filled in."""

    library: Library
    notes: Notes = field(repr=False)

    def unshared(self) -> Node:
        """The same tree, in which what is written twice is there twice, each with its own place."""
        return _game(read(self.text, self.notes, shared=False), self.text, self.notes)

    def place(self, node: Node) -> Place:
        """Where a node is written."""
        return self.notes.origins.place(self.text.origin(node.at))


def expand(
    string: str, file: str = "<text>", selections: Sequence[str] = (), library: Library = NO_LIBRARY
) -> Description:
    """Expand a description. What nothing can be read beyond is raised; what else is wrong is in its notes.

    >>> text = '(define "Twice" #1 #1) (game "Toy" ("Twice" (hand <Who>)))'
    >>> text += '(option "Owner" <Who> args:{ <role> } { (item "One" <P1> "First.") (item "All" <Each> "All.")* })'
    >>> print(expand(text).root)
    (game "Toy" (hand Each) (hand Each))
    >>> print(expand(text, selections=["Owner/One"]).root)
    (game "Toy" (hand P1) (hand P1))
    """
    notes = Notes(Origins())
    text = without_comments(notes.origins.file(string, file))
    quoted = frozenset(re.sub(r'\(define\s+"[^"]*"', "", text.string).split('"'))
    check_brackets(text, notes)
    text, options = cut_options(text, notes)
    options = options.choose(selections)
    text, defines = cut_defines(fill_in(text, options, notes), notes)
    text, metadata = _cut_metadata(text)
    expansion = Expansion(library, notes)
    text = fill_ranges(expansion.expand(text, defines), notes)
    clauses = read(text, notes)
    root = _game(clauses, text, notes)
    used = frozenset(expansion.used)
    return Description(file, root, text, options, defines, used, quoted, metadata, library, notes)


def _cut_metadata(text: Text) -> tuple[Text, Text]:
    at = text.string.find("(metadata")
    end = closing(text.string, at) + 1 if at >= 0 else 0
    if not end:
        return text, EMPTY
    return text.without([(at, end)]), text.part(at, end)


def _game(clauses: Sequence[Node], text: Text, notes: Notes) -> Node:
    """The clause that describes the game: the first of the file."""
    for clause in clauses:
        if clause.kind == "clause":
            return clause
    origin = text.origin(0) if len(text) else 0
    return notes.stop(
        origin, "there is no game here", 'a description is (game "Name" (players ...) (equipment ...) (rules ...))'
    )
