"""What a parameter may be: said once, beside its default, and used to check it, to list it and to tune it.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Dice:
...     name = "dice"
...     sides: int = number(6, 2, 100)
...     colour: str = choice("red", ("red", "blue"))
>>> check(Dice(sides=8))
>>> check(Dice(sides=1))
Traceback (most recent call last):
...
ludarium.core.errors.BadParameter: dice: sides is 1; expected a whole number from 2 to 100
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Protocol

from ludarium.core.errors import BadParameter

_KEY = "domain"
_HUGE = 1 << 53  # a bound from here on keeps machine words from overflowing, and is nothing to tell people


class Domain(Protocol):
    """The values that a parameter may take."""

    @property
    def tries(self) -> tuple[Any, ...]:
        """Values worth trying when the parameter is tuned."""
        ...

    def __str__(self) -> str:
        """Say what is expected."""
        ...

    def holds(self, value: object) -> bool:
        """Whether a value is one of them."""
        ...


@dataclass(frozen=True)
class Numbers:
    """Numbers between two bounds, which belong to them."""

    low: float
    high: float
    whole: bool
    tries: tuple[float, ...] = ()

    def __str__(self) -> str:
        kind = "a whole number" if self.whole else "a number"
        if self.high >= _HUGE:
            return f"{kind}, {self.low:g} or more"
        return f"{kind} from {self.low:.12g} to {self.high:.12g}"

    def holds(self, value: object) -> bool:
        """Whether a value is a number of this kind within the bounds."""
        if isinstance(value, bool) or not isinstance(value, int if self.whole else (int, float)):
            return False
        return self.low <= value <= self.high and value != math.inf


@dataclass(frozen=True)
class Words:
    """One of a few words."""

    tries: tuple[str, ...]

    def __str__(self) -> str:
        return f"one of {', '.join(self.tries)}"

    def holds(self, value: object) -> bool:
        """Whether a value is one of the words."""
        return value in self.tries


@dataclass(frozen=True)
class YesNo:
    """True or False."""

    tries: tuple[bool, ...] = (False, True)

    def __str__(self) -> str:
        return "True or False"

    def holds(self, value: object) -> bool:
        """Whether a value is a truth value."""
        return isinstance(value, bool)


@dataclass(frozen=True)
class Part:
    """Something of another kind in the catalog: an `agent`, an `evaluator`, a `determinizer`."""

    kind: str
    tries: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return f"an {self.kind}" if self.kind[0] in "aeiou" else f"a {self.kind}"

    def holds(self, value: object) -> bool:
        """Whether a value may be a part: whether it fits is for its kind to say."""
        return isinstance(value, str) or hasattr(value, "name")


@dataclass(frozen=True)
class Parts:
    """One or more things of another kind in the catalog, each as a `Part`."""

    kind: str
    tries: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return f"one or more {self.kind}s, as in [first, second]"

    def holds(self, value: object) -> bool:
        """Whether a value may be a row of parts."""
        return isinstance(value, tuple | list) and bool(value) and all(map(Part(self.kind).holds, value))


def number(default: float, low: float, high: float = math.inf, *, tries: Sequence[float] = ()) -> Any:
    """Declare a number; whole if its default is written as a whole number."""
    return _declare(default, Numbers(low, high, isinstance(default, int), tuple(tries)))


def choice(default: str, words: Sequence[str]) -> Any:
    """Declare a choice among words."""
    return _declare(default, Words(tuple(words)))


def flag(default: bool) -> Any:  # noqa: FBT001
    """Declare a parameter that is on or off."""
    return _declare(default, YesNo())


def part(default: Any, kind: str, *, tries: Sequence[Any] = ()) -> Any:
    """Declare a part: an agent (as an object), or an evaluator or determinizer (as the text that names it)."""
    return _declare(default, Part(kind, tuple(tries)))


def parts(default: Any, kind: str, *, tries: Sequence[Any] = ()) -> Any:
    """Declare a row of parts, such as agents."""
    return _declare(default, Parts(kind, tuple(tries)))


def domains(owner: Any) -> dict[str, Domain]:
    """Give what the parameters of a dataclass, or of an object of it, may be, by name; of others nothing is known."""
    known = fields(owner) if is_dataclass(owner) else ()
    return {each.name: each.metadata[_KEY] for each in known if _KEY in each.metadata}


def check(owner: Any) -> None:
    """Refuse parameters out of their domains: call this in `__post_init__`."""
    for name, domain in domains(owner).items():
        value = getattr(owner, name)
        if not domain.holds(value):
            raise BadParameter(f"{owner.name}: {name} is {value!r}; expected {domain}")


def _declare(default: Any, domain: Domain) -> Any:
    return field(default=default, metadata={_KEY: domain})
