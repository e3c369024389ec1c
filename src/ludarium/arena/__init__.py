"""Play matches, store them, and say what they prove."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ludarium.arena.play import Watcher, play
from ludarium.arena.replay import replay
from ludarium.arena.series import Score, series, wilson

if TYPE_CHECKING:
    from ludarium.arena.leaks import audit
    from ludarium.arena.plan import Fixture, Plan
    from ludarium.arena.plan_check import PlanError
    from ludarium.arena.plan_file import load
    from ludarium.arena.plan_makers import against_field, free_for_all, round_robin, self_play
    from ludarium.arena.store import Store, StoreError
    from ludarium.arena.store_export import export
    from ludarium.arena.tournament import Outcome, Progress, run
    from ludarium.arena.verdicts import Audit

__all__ = [
    "Audit", "Fixture", "Outcome", "Plan", "PlanError", "Progress", "Score", "Store", "StoreError", "Watcher",
    "against_field", "audit", "export", "free_for_all", "load", "play", "replay", "round_robin", "run", "self_play",
    "series", "wilson",
]  # fmt: skip

# Tournaments are imported when they are wanted: a match starts without them.
_PLACES = {
    "leaks": ("audit",),
    "plan": ("Fixture", "Plan"),
    "plan_check": ("PlanError",),
    "plan_file": ("load",),
    "plan_makers": ("against_field", "free_for_all", "round_robin", "self_play"),
    "store": ("Store", "StoreError"),
    "store_export": ("export",),
    "tournament": ("Outcome", "Progress", "run"),
    "verdicts": ("Audit",),
}


def __getattr__(name: str) -> Any:
    for module, names in _PLACES.items():
        if name in names:
            return getattr(import_module(f"ludarium.arena.{module}"), name)
    raise AttributeError(f"module 'ludarium.arena' has no attribute '{name}'")
