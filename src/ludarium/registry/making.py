"""From what names a thing to the thing: the text is taken apart, its maker found, and the parameters checked."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from ludarium.core import BadParameter, LudariumError
from ludarium.core.parameters import Part, Parts
from ludarium.core.syntax import is_place, parse_call, read_value
from ludarium.outside import CodeError, blame, load
from ludarium.registry.kinds import KINDS, Entry, entry, listed, parameters, ranges, unknown
from ludarium.registry.naming import name_by_place


def make(kind: str, spec: Any) -> Any:
    """Make a thing of a kind from what names it; the thing itself is handed back.

    >>> make("agent", "flat(playout_limit=50)")
    Flat(playout_limit=50)
    >>> make("agent", make("agent", "ludarium.agents.flat:Flat"))
    Flat(playout_limit=200)
    """
    if not isinstance(spec, str):
        return KINDS[kind].checked(spec)
    if parse_call(spec) is None and KINDS[kind].unlisted(spec):
        made = build(kind, spec, {}, spec)  # a file that has brackets in its name
    else:
        made = build(kind, *read(kind, spec), spec)
    if kind == "game":
        object.__setattr__(made, "spec", spec)  # also of one that is frozen
    return made


def names_code(kind: str, spec: str) -> bool:
    """Whether a text names code by its place, so that to make what it stands for runs that code.

    >>> names_code("game", " my/game.py:Race(length=5)"), names_code("game", "nim(heaps=(1, 2))")
    (True, False)
    """
    call = parse_call(spec)
    return call is not None and is_place(call[0]) and not KINDS[kind].unlisted(call[0])


def build(kind: str, name: str, given: Mapping[str, Any], spec: str) -> Any:
    """Make what a name or a place stands for, with these parameters; `spec` is what was asked for."""
    found = entry(kind, name)
    foreign = not found.place.startswith("ludarium.")
    maker: Any = found.make
    if not isinstance(maker, type) and KINDS[kind].holds(maker):
        if given:
            raise BadParameter(f"{kind} '{name}' has no parameter '{next(iter(given))}'; it is made already")
        return maker
    if not callable(maker):
        raise BadParameter(f"{kind} '{spec}' is {maker!r}: expected a class, a function, or {KINDS[kind]} itself")
    values = _values(kind, name, found, given)
    with _blaming(f"{kind} '{spec}'", foreign=foreign):
        made = maker(**values, **found.fixed)
    KINDS[kind].checked(made, spec)
    if foreign and kind != "game":
        name_by_place(KINDS[kind], made)
    return made


def kinds_of(spec: str) -> list[str]:
    """Tell of which kinds the thing is that a text names; several things may have one name."""
    name, given = read("thing", spec)
    if not is_place(name) or KINDS["game"].unlisted(name):
        found = [kind for kind in KINDS if name in listed(kind) or KINDS[kind].unlisted(name)]
        if not found:
            raise unknown("name", name, dict.fromkeys(each for kind in KINDS for each in listed(kind)))
        return found
    thing = load(name)
    if isinstance(thing, type):
        return [each.name for each in KINDS.values() if any(hasattr(thing, method) for method in each.known_by)]
    if callable(thing) and not any(each.holds(thing) for each in KINDS.values()):
        with _blaming(f"'{spec}'", foreign=True):
            thing = thing(**_values("thing", name, Entry(name), given))
    return [each.name for each in KINDS.values() if each.holds(thing)]


def read(kind: str, text: str) -> tuple[str, dict[str, Any]]:
    """Take `name(key=value, ...)` apart."""
    if call := parse_call(text):
        name, values = call
        with suppress(ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            return name, {key: read_value(value) for key, value in values.items()}
    raise BadParameter(f"cannot read {kind} '{text}'; expected name, or name(parameter=value, ...)")


def _values(kind: str, name: str, found: Entry, given: Mapping[str, Any]) -> dict[str, Any]:
    """Check parameters, and make the agents among them."""
    known, allowed = parameters(found), ranges(found)
    anything = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in known.values())
    values = dict(given)
    for key, value in given.items():
        if key not in known:
            if anything:
                continue
            listed = f"it has {', '.join(known)}" if known else "it has none"
            raise BadParameter(f"{kind} '{name}' has no parameter '{key}'; {listed}")
        match allowed.get(key):
            case Part(kind="agent") if isinstance(value, str):
                values[key] = make("agent", value)
            case Parts(kind="agent") as domain if domain.holds(value):
                values[key] = tuple(make("agent", each) for each in value)
            case None:
                _check_type(f"{name}: {key}", value, known[key].default)
            case domain:
                if not domain.holds(value):
                    raise BadParameter(f"{name}: {key} is {value!r}; expected {domain}")
    return values


_TYPES = {int: "a whole number", float: "a number", str: "a word", bool: "a truth value"}


def _check_type(what: str, value: object, default: object) -> None:
    """Compare a parameter with its default: the types agree; a whole number will do for a fraction."""
    if default is inspect.Parameter.empty or default is None:
        return
    kinds = (int, float) if isinstance(default, float) else (type(default),)
    if not isinstance(value, kinds) or isinstance(value, bool) != isinstance(default, bool):
        expected = _TYPES.get(type(default), f"a {type(default).__name__}")
        raise BadParameter(f"{what} is {value!r}; expected {expected} such as {default!r}")


@contextmanager
def _blaming(what: str, *, foreign: bool) -> Iterator[None]:
    """Tell of what a maker does not like, and of what is wrong in code that is not ours."""
    try:
        yield
    except LudariumError:
        raise
    except Exception as problem:
        if foreign and (told := blame(problem)):
            raise CodeError(f"{what}: {told}") from problem
        if isinstance(problem, TypeError | ValueError):
            raise BadParameter(f"{what}: {problem}") from problem
        raise
