"""Checking a description: all that is wrong or odd in one run, each with its place and a hint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludarium.core.problems import Place, Problem, RulesError
from ludarium.ludii.grammar.binder import Binder, Bound, Value
from ludarium.ludii.grammar.explain import explain
from ludarium.ludii.grammar.signatures import metadata, rules
from ludarium.ludii.text.defines import NO_LIBRARY, Library
from ludarium.ludii.text.expander import Description, expand
from ludarium.ludii.text.metadata import read_metadata

GET_LIBRARY = "if Ludii's library has it: point LUDARIUM_LUDII to Ludii's .jar, or to a folder with its lud and def"


@dataclass(frozen=True)
class Rules:
    """A description whose ludemes are bound."""

    description: Description
    root: Bound
    """The ludeme `game` or `match`."""

    def place(self, value: Value) -> Place:
        """Where a value is written."""
        return self.description.place(value.node)


def bind(description: Description) -> Rules:
    """Bind a description; all that is wrong with it is raised at once.

    >>> text = '(game "Null" (players 1) (equipment {(hand P1)}) (rules (play (move Pass)) (end (if True (result P1 Win)))))'
    >>> bind(expand(text)).root.arguments["players"]
    (players numPlayers=1)
    >>> bind(expand(text.replace("Pass", "Pas"), "null.lud"))
    Traceback (most recent call last):
        ...
    ludarium.core.problems.RulesError: null.lud:1:69: 'Pas' cannot follow 'move'
      did you mean 'Pass'?
    """
    binder = Binder(rules())
    root = binder.bind(description.root, "root")
    if not isinstance(root, Bound):
        _complain(description, binder)
    description.notes.check()
    assert isinstance(root, Bound)
    return Rules(description, root)


def check(
    string: str, file: str = "<text>", selections: Sequence[str] = (), library: Library = NO_LIBRARY
) -> list[Problem]:
    """List all problems of a description, in the order of the file."""
    try:
        description = expand(string, file, selections, library)
        notes = description.notes
        for suspicion in (*_suspicions(description), *_beside(description)):
            notes.add(*suspicion, warning=True)
        bind(description)
    except RulesError as error:
        return error.problems
    return notes.in_order()


def _complain(description: Description, binder: Binder) -> None:
    """Note why a description does not bind."""
    known = [*(define.name for define in description.defines), *description.library.files]
    for complaint in explain(description.unshared(), "root", binder, known):
        hint = complaint.hint
        if " no define " in complaint.message and not description.library.files:
            hint = "; ".join(part for part in (hint, GET_LIBRARY) if part)
        origin = description.text.origin(complaint.node.at)
        if not description.notes.has(origin):  # what was not filled in does not fit, either
            description.notes.add(origin, complaint.message, hint)


def _suspicions(description: Description) -> Iterator[tuple[int, str, str]]:
    """What is no mistake, but looks like one: where it is, what it is, and a hint."""
    names: set[str] = set()
    for define in description.defines:
        if define.name in names:
            yield (
                define.origin,
                f'the define "{define.name}" was there before',
                "the first one counts: rename one, or remove it",
            )
        elif define.name not in description.quoted:
            yield (
                define.origin,
                f'the define "{define.name}" is never used',
                "remove it, or see how its uses are spelled",
            )
        names.add(define.name)
    options = description.options
    known = {category.choice(item) for category in options.categories for item in category.items}
    for ruleset in options.rulesets:
        for choice in ruleset.choices:
            if choice not in known:
                hint = 'choices are written "Heading/Item"'
                yield ruleset.origin, f'the ruleset "{ruleset.name}" chooses "{choice}", which there is not', hint


def _beside(description: Description) -> Iterator[tuple[int, str, str]]:
    """What is wrong with the metadata, which changes no rules."""
    found = read_metadata(description)
    if found is None:
        return
    node, text = found
    binder = Binder(metadata())
    if binder.bind(node, "metadata") is None:
        for complaint in explain(node, "metadata", binder):
            yield text.origin(complaint.node.at), complaint.message, complaint.hint
