"""The experiments of published papers, run again with our players; one folder each.

A study is a module `study` that plans what is played (`plan`, at a scale such as `FULL_SCALE` or `QUICK`) and says what came out
(`findings`); it is listed here by its name. One that needs no matches of the arena does its work in `play_alone`, and tells of a
file that it keeps itself (`findings_in`); what is kept beside its page goes into that file first (`take_kept`).
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from ludarium.core import UnknownName


@dataclass(frozen=True)
class Entry:
    """Where a study is, and one line about it."""

    folder: str
    about: str


STUDIES: dict[str, Entry] = {
    "balanced-asymmetry": Entry(
        "balanced_asymmetry", "is hnefatafl balanced for general game players? (Dingemans 2020)"
    ),
    "coevolution": Entry("coevolution", "what do networks learn from each other? (Reisinger et al. 2007)"),
    "determinization": Entry("determinization", "does it matter which states a search imagines? (Lechat 2026)"),
    "hyper-agents": Entry("hyper_agents", "do features of a game tell who plays it best? (Thompson and Stephenson)"),
    "rinascimento": Entry("rinascimento", "how well do sampling planners play Splendor? (Bravi et al. 2019)"),
}


def study(name: str) -> Any:
    """Import a study by its name."""
    if name not in STUDIES:
        raise UnknownName("study", name, STUDIES)
    return import_module(f"ludarium.studies.{STUDIES[name].folder}.study")
