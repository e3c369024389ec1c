"""Signs for terminals that know few: what cannot be written is replaced by what looks most like it.

Python asks when a sign is not in the terminal's encoding; wherever it is, nothing changes. Every sign becomes one sign, so that
boards and tables stay in line.
"""

from __future__ import annotations

import codecs
import unicodedata

_SIGNS = dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPkqrbnp", strict=True))
_SIGNS |= dict(zip("·●○→…█░↳∞−–—≤≥×│─╭╮╰╯├┤━┃\N{NO-BREAK SPACE}", ".xo>~#.>*---<>x|-++++++-| ", strict=True))
NAME = "ludarium.plain"


def plain(sign: str) -> str:
    """Write a sign in ASCII.

    >>> "".join(plain(sign) for sign in "♔→é·龍")
    'K>e.?'
    """
    if sign in _SIGNS:
        return _SIGNS[sign]
    bare = unicodedata.normalize("NFKD", sign)[0]
    return bare if bare.isascii() else "?"


def _replaced(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    return "".join(map(plain, problem.object[problem.start : problem.end])), problem.end


codecs.register_error(NAME, _replaced)
