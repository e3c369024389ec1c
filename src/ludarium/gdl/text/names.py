"""Names in both forms: any prefix name has exactly one infix name, and the way back is exact.

Infix names are made of letters, digits and `_`; a constant starts with a small letter or a digit, a variable
with a capital or `_`. So `?x` is `X`; `speed-1` is `speed_u002d_1`; `N` is `name_N`; `?J` is `Var_J`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ludarium.gdl.text.syntax import KEYWORDS

_ODD = re.compile(
    r"[^A-Za-z0-9_]|_(?=u[0-9a-f]{4,6}[^A-Za-z0-9])"
)  # the `_` that would be mistaken for an escape is escaped
_ESCAPE = re.compile(r"_u([0-9a-f]{4,6})_")
_MARKED_CONSTANT = re.compile(r"(name_)*[^a-z0-9]")
_MARKED_VARIABLE = re.compile(r"(var_)*([^a-z_]|_\Z)")


def canonical(word: str) -> str:
    """Spell a word as it is meant: a keyword in small letters, anything else as it is."""
    return word.lower() if word.lower() in KEYWORDS else word


@lru_cache(1 << 16)
def infix_name(word: str) -> str:
    """Find the infix name of a prefix word.

    >>> infix_name("?x"), infix_name("?X"), infix_name("cell"), infix_name("N"), infix_name("a-b")
    ('X', 'Var_X', 'cell', 'name_N', 'a_u002d_b')
    """
    variable = word.startswith("?")
    name = _ODD.sub(lambda match: f"_u{ord(match.group()):04x}_", word.removeprefix("?"))
    if not variable:
        return f"name_{name}" if _MARKED_CONSTANT.match(name) else name
    return f"Var_{name}" if _MARKED_VARIABLE.match(name) else name[0].upper() + name[1:]


@lru_cache(1 << 16)
def prefix_word(name: str) -> str | None:
    """Find the prefix word of an infix name; None if it looks like a made-up name but is not one.

    >>> [prefix_word(name) for name in ("X", "Var_X", "cell", "name_N", "a_u002d_b")]
    ['?x', '?X', 'cell', 'N', 'a-b']
    """
    variable = name[0].isupper() or name[0] == "_"
    marker, marked = ("Var_", _MARKED_VARIABLE) if variable else ("name_", _MARKED_CONSTANT)
    rest = name.removeprefix(marker)
    if rest == name or not marked.match(rest):
        rest = name[0].lower() + name[1:]
    try:
        rest = _ESCAPE.sub(lambda match: chr(int(match.group(1), 16)), rest)
    except ValueError:  # beyond the last character
        return None
    word = f"?{rest}" if variable else rest
    confusing = word == "<=" or (word[0] == "?" and not variable)
    return word if infix_name(word) == name and not confusing else None
