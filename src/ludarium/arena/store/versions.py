"""What a game is called where it was played by several rules: with the fingerprint of the rules behind its name."""

from __future__ import annotations

NOT_KNOWN = "not known"
"""In place of a fingerprint, of matches from before there were any."""


def versioned(game: str, rules: str) -> str:
    """Name a version of a game.

    >>> versioned("my.kif", "5e9ec9ed08ea12b8")
    'my.kif [rules 5e9ec9ed08ea12b8]'
    """
    return f"{game} [rules {rules or NOT_KNOWN}]"
