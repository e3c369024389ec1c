"""Which rules are grounded, and for what: all that is possible, or only what is declared."""

from __future__ import annotations

from collections.abc import Sequence

from ludarium.core.limits import limits
from ludarium.gdl.check.repair import extent
from ludarium.gdl.ground.ground import MAX_RULES, Ground, ground
from ludarium.gdl.ground.history import History, extract
from ludarium.gdl.ground.large import GroundingTooLarge
from ludarium.gdl.text.syntax import Rule

_SAVES = 3.0  # times more facts or moves than are declared: worth trusting what is declared
_SMALL = 20_000  # rules, with which nothing is worth saving


def grounded_for_play(rules: Sequence[Rule], *, patient: bool = False) -> tuple[Ground, History | None, bool]:
    """Ground the rules; those about positions of the past cannot be played in another way, so they get all it takes.

    Declarations may leave something out, so they are trusted (the last value) only where they save much.
    """
    rest, history = extract(rules)
    if history is not None:
        return ground(rest, possible=history.possible, max_rules=limits().instances), history, False
    most = limits().instances if patient else min(MAX_RULES, limits().instances)
    try:
        made = ground(rest, max_rules=most)
        if made.excess < _SAVES or len(made.rules) < _SMALL:
            return made, None, False
    except GroundingTooLarge as large:
        if not _declares_less(rest, large):
            raise
    return ground(rest, max_rules=most, trust=True), None, True


def _declares_less(rules: Sequence[Rule], large: GroundingTooLarge) -> bool:
    """Whether far fewer facts or moves are declared than seemed possible when there were too many rules."""
    given = {rule.head.name for rule in rules}
    less = "base" in given and _SAVES * len(extent(rules, "base", 1)) < large.facts
    return less or ("input" in given and _SAVES * len(extent(rules, "input", 2)) < large.moves)
