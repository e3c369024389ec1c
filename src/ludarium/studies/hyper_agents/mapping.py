"""The games of the published tables on a map, those selected for evaluation, and what a model's choices cost in them.

Figure 1 and table V of the paper, from its own tables: the model is ours, and what a choice is worth is what the chosen agent won
in the plays that are published.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from ludarium.core import BadParameter, LudariumError
from ludarium.core.files import write_file
from ludarium.hyper.models.methods import NoLearning, method
from ludarium.hyper.models.published import AGENTS, NAMES, agents
from ludarium.hyper.models.tables import read as table_of
from ludarium.studies.hyper_agents.names import plain
from ludarium.studies.hyper_agents.selecting import directions, published_games, selected

RESULTS = "GameResultsMatrix.csv"


def kept(path: Path) -> Path:
    """Where the map is written, beside the store of matches."""
    return path.with_suffix(".map.json")


def read(path: Path) -> dict[str, Any]:
    """The map, or nothing if none was made."""
    file = kept(path)
    if not file.exists():
        return {}
    try:
        return dict(json.loads(file.read_text("utf-8")))
    except (OSError, ValueError) as problem:
        raise LudariumError(f"cannot read {file}: {problem}; delete it to draw the map again") from None


def draw_map(folder: Path, path: Path, say: Callable[[str], None]) -> None:
    """Select games, ask a model about them, and give every game a place; nothing if all games were learned from."""
    columns, games = published_games(folder)
    learned = table_of(folder / AGENTS)[1]
    known = _digest([columns, games, learned, _published(folder)])
    if read(path).get("digest") == known:
        return
    free = [name for name in games if name not in learned]
    if len(free) < 2:
        return
    say(f"a map of {len(games)} games")
    chosen = selected(folder)
    rows = directions(columns, np.array(list(games.values())))
    places = _places(rows)
    kinds = ["learned" if name in learned else "selected" if name in chosen else "free" for name in games]
    found = {
        "games": [[name, *map(float, place), kind] for name, place, kind in zip(games, places, kinds, strict=True)],
        "choices": _choices(folder, columns, games, chosen),
        "selected": len(chosen),
        "digest": known,
    }
    try:
        write_file(kept(path), json.dumps(found) + "\n")
    except OSError as problem:
        raise LudariumError(f"cannot write {kept(path)}: {problem}") from None


def _digest(drawn_from: Any) -> str:
    """What a map is drawn from, in a few letters: from other tables it is drawn again."""
    return blake2b(json.dumps(drawn_from).encode(), digest_size=8).hexdigest()


def _places(rows: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    try:
        from sklearn.manifold import TSNE  # noqa: PLC0415
    except ModuleNotFoundError:
        raise NoLearning("scikit-learn") from None
    few = min(30.0, (len(rows) - 1) / 3)
    return np.asarray(TSNE(metric="cosine", init="random", perplexity=few, random_state=0).fit_transform(rows))


def _choices(
    folder: Path, columns: tuple[str, ...], games: Mapping[str, list[float]], chosen: list[str]
) -> dict[str, Mapping[str, Any]]:
    """Whom a forest sends that was trained on all games with known scores, and what every agent won there."""
    published = _published(folder)
    table = agents(folder)
    at = [columns.index(name) for name in table.columns]
    way = method("forest")
    fitted = way.fit(table.features, table.scores, 0)
    wanted = [name for name in chosen if plain(name) in published]
    if not wanted:
        return {}
    said = way.predict(fitted, np.array([[games[name][k] for k in at] for name in wanted]), len(table.candidates))
    return {
        name: {"picked": table.candidates[int(row.argmax())], "won": published[plain(name)]}
        for name, row in zip(wanted, said, strict=True)
    }


def _published(folder: Path) -> dict[str, dict[str, float]]:
    """What each agent won in the games of the paper's evaluation, in percent, where the file is there."""
    file = next((each for each in (folder / RESULTS, folder.parent / "results" / RESULTS) if each.is_file()), None)
    if file is None:
        return {}
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    if not rows or not set(NAMES) <= set(rows[0]):
        raise BadParameter(f"{file} has no columns {', '.join(NAMES)}")
    return {plain(next(iter(row.values()))): {name: float(row[name]) for name in NAMES} for row in rows}
