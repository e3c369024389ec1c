"""What is tuned: named parameters with a few values each; a point chooses one value of every parameter, by its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from ludarium.core import BadParameter, Rng, syntax
from ludarium.core.syntax import parse_call, split

Point = tuple[int, ...]
"""The place of the chosen value for each parameter."""

_WORDS = {"true": True, "false": False}


@dataclass(frozen=True)
class Space:
    """A finite space of configurations.

    >>> space = Space({"c": (0.3, 1.0), "final": ("visits", "value")})
    >>> space.size, space.config((1, 0))
    (4, {'c': 1.0, 'final': 'visits'})
    """

    values: Mapping[str, Sequence[Any]]

    def __post_init__(self) -> None:
        if not self.values:
            raise BadParameter("the space to search is empty: name at least one parameter")
        for name, values in self.values.items():
            if isinstance(values, str) or not isinstance(values, Sequence):
                raise BadParameter(f"the values of '{name}' are {values!r}; expected a list")
            if not values:
                raise BadParameter(f"'{name}' has no values to try")
            written = [repr(value) for value in values]
            if twice := next((each for each in written if written.count(each) > 1), ""):
                raise BadParameter(f"'{name}' lists {twice} twice")
        object.__setattr__(self, "values", {name: tuple(values) for name, values in self.values.items()})

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters."""
        return tuple(self.values)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many values each parameter has."""
        return tuple(map(len, self.values.values()))

    @property
    def size(self) -> int:
        """How many configurations there are."""
        return prod(self.sizes)

    def config(self, point: Point) -> dict[str, Any]:
        """Give the values that a point chooses."""
        return {name: values[place] for (name, values), place in zip(self.values.items(), point, strict=True)}

    def point(self, number: int) -> Point:
        """Give a point by its number, from 0 on; the last parameter changes fastest."""
        places = []
        for size in reversed(self.sizes):
            number, place = divmod(number, size)
            places.append(place)
        return tuple(reversed(places))

    def draw(self, rng: Rng) -> Point:
        """Draw a point, all equally likely."""
        return tuple(rng.below(size) for size in self.sizes)

    def __str__(self) -> str:
        parts = (f"{name} {{{', '.join(map(str, values))}}}" for name, values in self.values.items())
        return f"{', '.join(parts)}: {self.size:,} configurations"


def read_values(texts: Iterable[str]) -> dict[str, tuple[Any, ...] | None]:
    """Read spaces as they are typed: `c=0.1,0.3,1`; a name alone stands for the values that are worth trying.

    >>> read_values(["c=0.1,0.3", "opponent=random,osla(reply=random)", "leaf"])
    {'c': (0.1, 0.3), 'opponent': ('random', 'osla(reply=random)'), 'leaf': None}
    """
    found: dict[str, tuple[Any, ...] | None] = {}
    for text in texts:
        name, equals, values = (part.strip() for part in text.partition("="))
        if not name:
            raise BadParameter(f"cannot read the space '{text}'; expected a name and its values, such as c=0.1,0.3,1")
        if name in found:
            raise BadParameter(f"the space names '{name}' twice")
        if equals and not values:
            raise BadParameter(f"'{name}' has no values to try")
        parts = split(values)
        if parts is None:
            raise BadParameter(f"cannot read the values of '{name}': brackets or quotes in '{values}' are not closed")
        found[name] = tuple(map(read_value, parts)) if equals else None
    return found


def read_call(text: str, what: str) -> tuple[str, dict[str, str]]:
    """Take `name(key=value, ...)` apart; values stay as they are written.

    >>> read_call("breakthrough(width=5)", "game")
    ('breakthrough', {'width': '5'})
    """
    if call := parse_call(text):
        return call
    raise BadParameter(f"cannot read {what} '{text}'; expected name, or name(parameter=value, ...)")


def read_value(text: str) -> Any:
    """Read a number, a truth value, or else a word."""
    word = text.strip()
    try:
        return _WORDS[word] if word in _WORDS else syntax.read_value(word)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        if not word:
            raise BadParameter("a value to try is empty: there is a comma too many") from None
        return word
