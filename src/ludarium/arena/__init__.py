"""Play matches, store them, and say what they prove."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ludarium.arena.play import Watcher, play
from ludarium.arena.replay import replay
from ludarium.arena.series import Score, series, wilson

if TYPE_CHECKING:
    from ludarium.arena.leaks.audit import audit
    from ludarium.arena.leaks.verdicts import Audit
    from ludarium.arena.plan.check import PlanError
    from ludarium.arena.plan.file import load
    from ludarium.arena.plan.makers import against_field, free_for_all, round_robin, self_play
    from ludarium.arena.plan.plan import Fixture, Plan
    from ludarium.arena.store.database import StoreError
    from ludarium.arena.store.export import export
    from ludarium.arena.store.store import Store
    from ludarium.arena.tournament.tournament import Outcome, Progress, run

__all__ = [
    "Audit", "Fixture", "Outcome", "Plan", "PlanError", "Progress", "Score", "Store", "StoreError", "Watcher",
    "against_field", "audit", "export", "free_for_all", "load", "play", "replay", "round_robin", "run", "self_play",
    "series", "wilson",
]  # fmt: skip

# Tournaments are imported when they are wanted: a match starts without them.
_PLACES = {
    "leaks.audit": ("audit",),
    "plan.plan": ("Fixture", "Plan"),
    "plan.check": ("PlanError",),
    "plan.file": ("load",),
    "plan.makers": ("against_field", "free_for_all", "round_robin", "self_play"),
    "store.database": ("StoreError",),
    "store.store": ("Store",),
    "store.export": ("export",),
    "tournament.tournament": ("Outcome", "Progress", "run"),
    "leaks.verdicts": ("Audit",),
}


def __getattr__(name: str) -> Any:
    for module, names in _PLACES.items():
        if name in names:
            return getattr(import_module(f"ludarium.arena.{module}"), name)
    raise AttributeError(f"module 'ludarium.arena' has no attribute '{name}'")
