"""What a role cannot know: determinizers, which imagine the states it may be in.

>>> from ludarium import game
>>> from ludarium.core import InformationSet, Rng
>>> poker = game("kuhn-poker")
>>> holding_a_queen = InformationSet(game=poker, role=0, legal=(0, 1), seen=(bytes([1]),))
>>> for state in determinizer("enumeration").sampler(poker, 0).likelihoods(holding_a_queen):
...     print(state)
first Q  second K  moves: none
first Q  second J  moves: none
"""

from __future__ import annotations

import ast
from contextlib import suppress
from dataclasses import fields
from typing import Any

from ludarium.core import BadParameter, UnknownName
from ludarium.core.syntax import parse_call
from ludarium.hidden.auto import Auto
from ludarium.hidden.constraint import Constraint, Heatmap, Unconstrained
from ludarium.hidden.declared import Effort
from ludarium.hidden.enumeration import Enumeration
from ludarium.hidden.redeal import Redeal
from ludarium.hidden.replay import Replay
from ludarium.hidden.revealed import revealed, shown
from ludarium.hidden.sampler import UNLIMITED, Determinizer, Draw, NoSuchState, Sampler, TooManyStates

__all__ = [
    "DETERMINIZERS",
    "UNLIMITED",
    "Auto",
    "Constraint",
    "Determinizer",
    "Draw",
    "Effort",
    "Enumeration",
    "Heatmap",
    "NoSuchState",
    "Redeal",
    "Replay",
    "Sampler",
    "TooManyStates",
    "Unconstrained",
    "determinizer",
    "revealed",
    "shown",
]

DETERMINIZERS: dict[str, type[Any]] = {
    kind.name: kind for kind in (Auto, Constraint, Enumeration, Heatmap, Unconstrained, Redeal, Replay)
}


def determinizer(spec: str | Determinizer) -> Determinizer:
    """Make a determinizer by name, with parameters if wanted.

    >>> determinizer("replay(pool=500)")
    Replay(pool=500, tries=10000)
    """
    if not isinstance(spec, str):
        return spec
    name, given = _read(spec)
    if name not in DETERMINIZERS:
        raise UnknownName("determinizer", name, DETERMINIZERS)
    kind = DETERMINIZERS[name]
    known = [each.name for each in fields(kind)]
    for key in given:
        if key not in known:
            listed = f"it has {', '.join(known)}" if known else "it has none"
            raise BadParameter(f"determinizer '{name}' has no parameter '{key}'; {listed}")
    made: Determinizer = kind(**given)
    return made


def _read(spec: str) -> tuple[str, dict[str, Any]]:
    """Take `name(key=value, ...)` apart."""
    if call := parse_call(spec):
        name, values, _ = call
        with suppress(ValueError, TypeError, RecursionError, MemoryError):
            return name, {key: ast.literal_eval(value) for key, value in values.items()}
    raise BadParameter(f"cannot read determinizer '{spec}'; expected name, or name(parameter=value, ...)")
