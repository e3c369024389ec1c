"""Colours that colour-blind people can tell apart, too (Okabe and Ito 2008), for roles and for grounds."""

from __future__ import annotations

from collections.abc import Sequence

PLAYERS = ("#f7f3e8", "#303030", "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9")
NAMED = {
    "white": 0, "cream": 0, "black": 1, "blue": 2, "yellow": 3, "orange": 3, "green": 4, "teal": 4,
    "purple": 5, "pink": 5, "red": 6, "o": 2, "x": 6, "attacker": 1, "defender": 0,
}  # fmt: skip
"""What roles are often called, and the colour that people expect of them."""

NOBODY = "#9a9a9a"
LINE, GROUND, INK, FAINT, LAST = "#6d675e", "#fbfaf7", "#222222", "#8a8378", "#b3007d"
FIELDS = ("#e9dcc3", "#d3bf9b")


def of_roles(roles: Sequence[str]) -> list[str]:
    """The colour of each role: that of its name, or the next that is left.

    >>> of_roles(["black", "white"]), of_roles(["first", "second"])
    (['#303030', '#f7f3e8'], ['#f7f3e8', '#303030'])
    """
    named: dict[str, int] = {}
    for role in roles:
        if role in NAMED and NAMED[role] not in named.values():
            named[role] = NAMED[role]
    left = iter([k for k in range(len(PLAYERS)) if k not in named.values()] * len(roles))
    return [PLAYERS[named[role] if role in named else next(left)] for role in roles]


def is_dark(colour: str) -> bool:
    """Whether white letters can be read on a colour."""
    return sum(int(colour[k : k + 2], 16) for k in (1, 3, 5)) < 330
