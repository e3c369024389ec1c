"""From matches to a model: scores and features of the games that were measured, and what is learned from them.

The tables and the model that come along (`ludarium.hyper.shipped`) are made by this.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from pathlib import Path

from ludarium import catalog
from ludarium.core import BadParameter, LudariumError
from ludarium.core.files import write_file
from ludarium.evaluate.named import LUDII
from ludarium.hyper.features import Features, features
from ludarium.hyper.features.sheet import columns_of
from ludarium.hyper.models.model import Model, train
from ludarium.hyper.models.store import save
from ludarium.hyper.models.tables import join, write
from ludarium.hyper.shipped import FEATURES, GAMES, LEAST, MODEL, SCORES, WAYS
from ludarium.registry.making import names_code
from ludarium.studies.hyper_agents.measuring import Scored, scored


def gather(store: Path, folder: Path, say: Callable[[str], None], least: int = LEAST) -> Model:
    """Write the tables and the model of a store into a folder."""
    if not store.exists():
        raise BadParameter(f"there is no store {store}: ludarium study hyper-agents --measure plays what is gathered")
    games = {name: each for name, each in sorted(scored(store).items()) if each.matches >= least}
    if not games:
        raise BadParameter(f"{store} has no game that every agent has played {least} times")
    if code := [name for name in games if names_code("game", name)]:
        raise BadParameter(f"{store} names code as its game, '{code[0]}': it is not run")
    found: dict[str, Features] = {}
    rules: dict[str, str] = {}
    for name in games:
        say(f"features of {name}")
        made = catalog.game(name)
        found[name], rules[name] = features(made), made.fingerprint
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise LudariumError(f"cannot make the folder {folder}: {problem}") from None
    agents = sorted({agent for each in games.values() for agent in each.scores})
    write(folder / SCORES, agents, {name: [each.scores[agent] for agent in agents] for name, each in games.items()})
    columns = columns_of(found.values())
    write(folder / FEATURES, columns, {name: each.row(columns) for name, each in found.items()})
    _write_games(folder / GAMES, games, rules)
    say("learning")
    matches = min(each.matches for each in games.values())
    learns = WAYS[set(agents) <= set(LUDII)]
    model = train(join([folder / FEATURES], folder / SCORES), learns=learns, matches=matches)
    save(model, folder / MODEL)
    return model


def _write_games(path: Path, games: Mapping[str, Scored], rules: Mapping[str, str]) -> None:
    """What was played by which rules, and how often each agent played it."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(["GameName", "rules", "matches", "absent"])
    out.writerows((name, rules[name], each.matches, " ".join(each.absent)) for name, each in games.items())
    try:
        write_file(path, text.getvalue())
    except OSError as problem:
        raise LudariumError(f"cannot write {path}: {problem}") from None
