"""Tables II and III again: what choices cost that are learned from the published tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludarium.core import LudariumError
from ludarium.core.files import write_file
from ludarium.hyper.models.methods import method
from ludarium.hyper.models.published import agents, heuristics
from ludarium.hyper.models.regret import Fold, Measured, folds_of_paper, measure, repeated
from ludarium.hyper.models.tables import Table
from ludarium.studies.hyper_agents.distance import nearest
from ludarium.studies.hyper_agents.mapping import draw_map
from ludarium.studies.hyper_agents.study import Scale

TARGETS = {"agents": agents, "heuristics": heuristics}
REPEATED = {"agents": ("forest", "joint-forest"), "heuristics": ("joint-forest",)}
"""What is measured in parts drawn anew, too: 33 forests, a hundred times over, would take hours."""


PAPER = "paper"
"""The parts of the paper, in which games were also measured by how near others are."""


class Task(NamedTuple):
    """A way to learn, in one split of a table."""

    target: str
    kind: str
    method: str
    place: int
    table: Table
    parts: list[Fold]

    @property
    def key(self) -> str:
        """What it is called in the file."""
        return f"{self.target} {self.kind} {self.method} {self.place} {self.table.digest}"


def kept(path: Path) -> Path:
    """Where it is written what was learned, beside the store of matches."""
    return path.with_suffix(".learned.json")


def learn(scale: Scale, path: Path, say: Callable[[str], None]) -> None:
    """Measure all ways to learn, on both tables; each split is written down when it is done."""
    known = _read(path)
    order = list(known)  # in the file
    for task in _tasks(scale):
        before = known.pop(task.key, {})
        line = before or _learned(task, say)
        if task.kind == PAPER and "alike" not in line:
            line = {**line, "alike": [round(float(each), 6) for each in nearest(task.table, task.parts)]}
        known[task.key] = line  # the newest stand last
        if line is not before:
            _write(path, known)
            order = list(known)
    if list(known) != order:
        _write(path, known)
    assert scale.data is not None
    draw_map(scale.data, path, say)


def _learned(task: Task, say: Callable[[str], None]) -> dict[str, Any]:
    say(f"{task.target}, {task.method}, {task.kind} {task.place + 1}, {len(task.table.games)} games")
    found = measure(task.table, method(task.method), [task.parts], seed=task.place)
    return {
        "target": task.target, "kind": task.kind, "method": task.method, "place": task.place,
        "regrets": [round(float(each), 4) for each in found.by_game],
    }  # fmt: skip


def _tasks(scale: Scale) -> Iterator[Task]:
    """What there is to measure: first all in the parts of the paper that takes minutes, then what takes longer."""
    assert scale.data is not None
    tables = {target: published(scale.data).distinct() for target, published in TARGETS.items()}
    names = (*scale.methods, "joint-forest") if "forest" in scale.methods else scale.methods
    for late in (False, True):
        for target, table in tables.items():
            games = len(table.games)
            for name in names:
                if late == (target == "heuristics" and name == "forest"):
                    yield Task(target, PAPER, name, 0, table, folds_of_paper(games))
            splits = enumerate(repeated(games, 0 if late else scale.repeats))
            for k, parts in splits:
                for name in names:
                    if name in REPEATED[target]:
                        yield Task(target, "repeated", name, k, table, parts)


def by_game(path: Path) -> list[dict[str, Any]]:
    """What was learned so far from the newest tables, split by split, with what choices cost in each game."""
    known = _read(path)
    newest = {each["target"]: key.rpartition(" ")[2] for key, each in known.items()}
    return [each for key, each in known.items() if key.rpartition(" ")[2] == newest[each["target"]]]


def read(path: Path) -> list[dict[str, Any]]:
    """The same summed up: a line for each way to learn, table and kind of splits."""
    splits: dict[tuple[str, str, str], list[list[float]]] = {}
    for each in by_game(path):
        splits.setdefault((each["target"], each["kind"], each["method"]), []).append(each["regrets"])
    lines = []
    for (target, kind, name), found in splits.items():
        regrets = np.array(found)
        measured = Measured(name, regrets.mean(axis=0), regrets.mean(axis=1))
        lines.append(
            {
                "target": target, "splits": kind, "count": len(found), "method": name, "games": regrets.shape[1],
                "regret": measured.mean, "error": measured.error, "spread": measured.spread,
            }
        )  # fmt: skip
    return lines


def _read(path: Path) -> dict[str, dict[str, Any]]:
    file = kept(path)
    if not file.exists():
        return {}
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as problem:
        raise LudariumError(f"cannot read {file}: {problem}; delete it to learn again") from None
    return {key: each for key, each in found.items() if "regrets" in each}  # older releases kept other lines


def _write(path: Path, known: dict[str, dict[str, Any]]) -> None:
    try:
        write_file(kept(path), json.dumps(known) + "\n")
    except OSError as problem:
        raise LudariumError(f"cannot write {kept(path)}: {problem}") from None
