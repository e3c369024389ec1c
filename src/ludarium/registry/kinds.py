"""Kinds of things that go by names, and where those of a kind are listed: by us, and by installed packages."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, is_dataclass
from functools import cache
from os.path import isdir
from typing import Any

from ludarium.core import BadParameter, GameError, LudariumError, UnknownName
from ludarium.core.agent import HUMAN
from ludarium.core.answers import missing
from ludarium.core.parameters import Domain, domains
from ludarium.core.syntax import is_place
from ludarium.outside import load


@dataclass(frozen=True)
class Entry:
    """Where something is made, and one line about it."""

    place: str
    """As `module:name`."""

    about: str = ""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Parameters that nobody else may give."""

    @property
    def make(self) -> Callable[..., Any]:
        """The factory, imported when it is first wanted."""
        made: Callable[..., Any] = load(self.place)
        return made


@dataclass(frozen=True)
class Kind:
    """A kind of thing that goes by names."""

    name: str
    known_by: tuple[str, ...]
    """All of the kind have one of these methods."""

    table: str
    """Where those that come along are listed, by name. A place: those lists stand above the registry."""

    others: str = ""
    """Where a function is that finds what has a name and is not listed; it gives an entry, or None."""

    names: str = ""
    """Where a function is that tells those names, for whoever mistypes one."""

    @property
    def group(self) -> str:
        """What packages call their entry points of this kind."""
        return f"ludarium.{self.name}s"

    def holds(self, thing: Any) -> bool:
        """Whether a thing is of this kind."""
        return hasattr(thing, "name") and any(hasattr(thing, method) for method in self.known_by)

    def checked(self, thing: Any, spec: str = "") -> Any:
        """Refuse what is of another kind, when it is named and not when it is used."""
        if isinstance(thing, type):
            raise BadParameter(f"{thing.__name__} is a class: give {self} made by it, as in {thing.__name__}()")
        if not self.holds(thing):
            told = f"{spec} gives {thing!r}" if spec else repr(thing)
            raise BadParameter(f"{told}, which is no {self.name}: expected its name, or {self} itself")
        if self.name == "game" and (wrong := missing(thing)):
            raise GameError(f"game '{spec or thing.name}' {wrong}")
        return thing

    @property
    def own(self) -> dict[str, Entry]:
        """What comes along, by name."""
        own: dict[str, Entry] = load(self.table)
        return own

    @property
    def installed(self) -> dict[str, list[str]]:
        """The places that installed packages give for their names; mostly one each."""
        return _entry_points(self.group, tuple(sys.path))

    def unlisted(self, name: str) -> Entry | None:
        """Find what has a name, and is not listed."""
        found: Entry | None = load(self.others)(name) if self.others else None
        return found

    def __str__(self) -> str:
        return f"an {self.name}" if self.name[0] in "aeiou" else f"a {self.name}"


_CATALOG = "ludarium.catalog"

KINDS: dict[str, Kind] = {
    each.name: each
    for each in (
        Kind("game", ("initial",), f"{_CATALOG}:GAMES", f"{_CATALOG}:unlisted_game", f"{_CATALOG}:rule_files"),
        Kind("agent", ("seat",), f"{_CATALOG}:AGENTS", f"{_CATALOG}:unlisted_agent"),
        Kind("evaluator", ("judge", "feature"), "ludarium.evaluate.spec:EVALUATORS"),
        Kind("determinizer", ("sampler",), "ludarium.hidden:DETERMINIZERS"),
        Kind("method", ("start",), "ludarium.tune.words:METHODS"),
    )
}


def entry(kind: str, name: str) -> Entry:
    """Find what a name or a place stands for."""
    asked = KINDS[kind]
    if found := asked.own.get(name) or asked.unlisted(name):
        return found
    if is_place(name):
        return Entry(name)
    if len(places := asked.installed.get(name, [])) > 1:
        told = f"{len(places)} installed packages call {asked} '{name}'"
        raise BadParameter(f"{told}: say which one is meant, {' or '.join(places)}")
    if not places:
        more = load(asked.names)() if asked.names else ()
        raise unknown(kind, name, [*asked.own, *more, *asked.installed])
    return Entry(places[0])


def unknown(kind: str, name: str, known: Iterable[str]) -> LudariumError:
    """Say that nothing goes by a name, or that it is a folder's."""
    if isdir(name):  # noqa: PTH112  # which says no of names that no file can have
        return BadParameter(
            f"'{name}' is a folder; expected {KINDS.get(kind, 'the name of something')}, or a file in it"
        )
    if kind == "agent" and name == HUMAN:
        return BadParameter(f"'{name}' is a person, and no agent: people play in `ludarium play` and on the page")
    return UnknownName(kind, name, known)


def listed(kind: str) -> dict[str, Entry]:
    """List all that goes by a name: what comes along, and what installed packages add."""
    asked = KINDS[kind]
    added = {name: Entry(places[0]) for name, places in asked.installed.items() if name not in asked.own}
    return {**asked.own, **added}


def about(found: Entry) -> str:
    """Give the line about something; of what others list, the first of its docstring."""
    return found.about or inspect.cleandoc(found.make.__doc__ or "").partition("\n")[0].rstrip(".")


def parameters(found: Entry) -> dict[str, inspect.Parameter]:
    """Give the parameters that may be given, by name."""
    known = inspect.signature(found.make).parameters.items()
    return {name: each for name, each in known if name not in found.fixed}


def ranges(found: Entry) -> dict[str, Domain]:
    """Give what the parameters may be, by name, where that is declared."""
    return domains(found.make) if is_dataclass(found.make) else {}


@cache
def _entry_points(group: str, _path: tuple[str, ...]) -> dict[str, list[str]]:
    """Look at what is installed; the path says whether to look again."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - takes its time, and is seldom wanted

    found: dict[str, list[str]] = {}
    for each in entry_points(group=group):
        places = found.setdefault(each.name, [])
        places += [each.value] if each.value not in places else []
    return found
