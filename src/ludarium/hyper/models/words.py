"""Why a candidate was chosen, in words."""

from __future__ import annotations

from ludarium.hyper.features import Features
from ludarium.hyper.models.model import Model, Prediction, Reason

_LEAST = 0.5
"""Points that are worth a word."""


def why(model: Model, features: Features, prediction: Prediction, most: int = 3, *, sent: str = "") -> str:
    """A sentence about the candidate that is sent, or the best: what it scores in all games, what speaks for and against it."""
    sent = sent or prediction.best
    start, reasons = model.reasons(features, sent, most=2 * most)
    found = [each for each in reasons if abs(each.points) >= _LEAST]
    for_it = [named(each) for each in found if each.points > 0][:most]
    against = [named(each) for each in found if each.points < 0][:most]
    text = f"{sent} scores {start:.0f} % in all games"
    if for_it:
        text += f"; in its favour: {_listed(for_it)}"
    if against:
        text += f"; against it: {_listed(against)}"
    return text


def named(reason: Reason) -> str:
    """A feature with its value and its points: `ConnectionWin (+12)`, `no Capture (-3)`, `NumColumns 9 (-2)`."""
    name = reason.feature.partition("_")[0] + (" as a ludeme" if "_" in reason.feature else "")
    if reason.value == 0:
        name = f"no {name}"
    elif reason.value != 1:
        name = f"{name} {reason.value:g}"
    return f"{name} ({reason.points:+.0f})"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
