"""Which rules cost most in random playouts: how often each is asked, and how many rows it looks at.

The rules are compiled once more as loops over relations, with a counter each; however the game is played otherwise, a rule that
looks at many rows is one to be written in another way. Rules about whole positions that came before cost a hash a turn and no
rows, so they are left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludarium.core import LudariumError, Rng
from ludarium.core.offers import RuleCost
from ludarium.gdl.ground.history import forgetting
from ludarium.gdl.joins.game import JoinGame
from ludarium.gdl.text.syntax import Rule
from ludarium.kernel.kernel import Unit
from ludarium.kernel.table import with_scratch

_PLIES = 2000  # at least, in whole playouts
_LONGEST = 1000


def costs(name: str, rules: Sequence[Rule], *, chance: bool) -> list[RuleCost]:
    """What each rule costs in a turn, the dearest first; those that cost nothing are left out."""
    try:
        game = JoinGame(name, forgetting(rules), chance=chance, counting=True)
    except LudariumError as problem:
        raise LudariumError(f"what the rules of '{name}' cost cannot be counted: {problem}") from None
    unit = Unit(with_scratch(game.functions()), "native", hurry=True)
    scratch, rng, plies = bytearray(game.scratch_size), Rng(1), 0
    try:
        while plies < _PLIES:
            block = bytearray(game.state_size)
            unit.call("init", block, rng, scratch)
            plies += 1 + unit.call("playout", block, rng, _LONGEST, scratch)
    except AssertionError as problem:
        raise LudariumError(f"what the rules of '{name}' cost cannot be counted: {problem}") from None
    counted = game.compiled.records.work(scratch).costs
    texts = {f"{rule.place.file}:{rule.place.line}": str(rule) for rule in rules}
    found = [
        RuleCost(place, texts.get(place, ""), counted[number] / plies)
        for place, number in game.compiled.counters.items()
        if counted[number]
    ]
    return sorted(found, key=lambda each: -each.rows)
