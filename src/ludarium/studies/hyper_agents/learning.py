"""Tables II and III again: what choices cost that are learned from the published tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ludarium.core import LudariumError
from ludarium.hyper.models.methods import method
from ludarium.hyper.models.published import agents, heuristics
from ludarium.hyper.models.regret import folds_of_paper, measure, repeated
from ludarium.studies.hyper_agents.study import Scale

TARGETS = {"agents": agents, "heuristics": heuristics}


def kept(path: Path) -> Path:
    """Where it is written what was learned, beside the store of matches."""
    return path.with_suffix(".learned.json")


def learn(scale: Scale, path: Path, say: Callable[[str], None]) -> None:
    """Measure all ways to learn, on both tables; each is written down when it is done."""
    assert scale.data is not None
    known = read(path)
    for target, published in TARGETS.items():
        table = published(scale.data).distinct()
        games = len(table.games)
        splits = {"paper": [folds_of_paper(games)]}
        if scale.repeats:
            splits["repeated"] = list(repeated(games, scale.repeats))
        names = (*scale.methods, "joint-forest") if "forest" in scale.methods else scale.methods
        for kind, parts in splits.items():
            for name in names if kind == "paper" else [each for each in names if each.endswith("forest")]:
                key = f"{target} {kind} {len(parts)} {name} {table.digest}"
                if key in known:
                    continue
                say(f"{target}, {name}, {len(parts)} splits of {games} games")
                found = measure(table, method(name), parts)
                known[key] = {
                    "target": target, "splits": kind, "count": len(parts), "method": name, "games": games,
                    "regret": found.mean, "error": found.error, "spread": found.spread,
                }  # fmt: skip
                _write(path, known)


def read(path: Path) -> dict[str, dict[str, Any]]:
    """What was learned so far."""
    file = kept(path)
    if not file.exists():
        return {}
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as problem:
        raise LudariumError(f"cannot read {file}: {problem}; delete it to learn again") from None
    return dict(found)


def _write(path: Path, known: dict[str, dict[str, Any]]) -> None:
    try:
        kept(path).write_text(json.dumps(known, indent=1) + "\n", "utf-8")
    except OSError as problem:
        raise LudariumError(f"cannot write {kept(path)}: {problem}") from None
