"""Names in, objects out, for every kind of thing: games, agents, evaluators, determinizers, methods to tune by.

What names a thing is one of
- a name that is listed, by us or by an installed package in the group `ludarium.games`, `ludarium.agents` and so on;
- a place, `module:name` or `path/to/file.py:Name`: a class, a function that makes the thing, or the thing itself;
- for games, a file of rules.

All take parameters in brackets. Wherever a name is asked for, the thing itself will do.
"""

from ludarium.registry.kinds import KINDS, Entry, Kind, about, entry, listed, parameters, ranges
from ludarium.registry.making import kinds_of, make, read
from ludarium.registry.naming import spec

__all__ = [
    "KINDS",
    "Entry",
    "Kind",
    "about",
    "entry",
    "kinds_of",
    "listed",
    "make",
    "parameters",
    "ranges",
    "read",
    "spec",
]
