"""Our own matches for tables IV, V and VI: each agent in the first role against UCT, in the games selected for evaluation.

Work is counted, not timed, so that the matches can be repeated: everybody has the same forward calls for a move, and a race its
own before the first move. In the parallel ensembles of the paper each sub-agent has the whole time of a move: here each has the
forward calls of a whole move, and the opponent is limited to one share of that.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from ludarium import catalog
from ludarium.arena import Store
from ludarium.arena.plan.plan import Pairing
from ludarium.arena.results import Results
from ludarium.arena.seating import sit_down
from ludarium.core import BadParameter, Game, Limit, LudariumError, Rng, UnsupportedGame, describe
from ludarium.core.files import write_file
from ludarium.hyper.features import features
from ludarium.hyper.models.likeness import Likeness
from ludarium.hyper.models.model import train
from ludarium.hyper.models.published import agents, heuristics
from ludarium.hyper.models.store import save
from ludarium.hyper.models.tables import Table, join
from ludarium.hyper.portfolio import PortfolioPlayer
from ludarium.hyper.shipped import LEAST, paths
from ludarium.hyper.voting import voters_of
from ludarium.ludii.library import needed_library
from ludarium.studies.hyper_agents.measuring import measure, notes
from ludarium.studies.hyper_agents.names import plain, without
from ludarium.studies.hyper_agents.selecting import selected
from ludarium.studies.hyper_agents.study import OPPONENT, Scale, pairings_of

ALIKE = 0.8
"""Games that are so much alike count as the same when a model must not have seen them."""

RACE = 200_000
"""Forward calls of a race: the start clock of a match, in work."""

_PREDICTED = "alphabeta(evaluator=predicted(model='heuristics.zip'))"
_FIVE = f"agents=[{_PREDICTED}, uct, mast, grave, progressive-history]"

PLAYERS: Mapping[str, str] = {
    "random": "random",
    "uct": "uct",
    "mast": "mast",
    "grave": "grave",
    "progressive-history": "progressive-history",
    "alphabeta": _PREDICTED,
    "alphabeta, own heuristic": "alphabeta",
    "alphabeta, blended": "alphabeta(evaluator=blended(model='heuristics.zip'))",
    "portfolio": f"portfolio(model='published.zip', {_FIVE})",
    "portfolio, our matches": "portfolio(model='ours.zip')",
    "portfolio, race": f"portfolio(model='ours.zip', race=True, race_forward_calls={RACE})",
    "ensemble": f"ensemble({_FIVE})",
    "weighted-ensemble": f"weighted-ensemble(model='published.zip', {_FIVE})",
    "parallel ensemble": f"ensemble({_FIVE}, parallel=True)",
    "parallel weighted-ensemble": f"weighted-ensemble(model='published.zip', {_FIVE}, parallel=True)",
}
"""Who plays. As in the paper, alpha-beta has the heuristic that a model expects most of, except where something else is said."""

SCALE = Scale(matches=10, seconds=None, forward_calls=1000, move_limit=300, match_seconds=0.8)
"""About 45 minutes of CPU time; the forward calls are those that our own model was measured with."""

_HEADS = ("game", "roles", "agent", "sent", "outcomes")


class Row(NamedTuple):
    """What an agent made of a game."""

    game: str
    roles: int
    agent: str
    sent: str
    """Whom a portfolio sent, if that is always the same."""

    outcomes: tuple[float, ...]
    """Of its matches: 1 is a win, 0 a defeat; none if it cannot play the game."""


def contest(
    folder: Path,
    store: Path,
    say: Callable[[str], None],
    scale: Scale = SCALE,
    *,
    before: Sequence[Row] = (),
    players: Sequence[str] = tuple(PLAYERS),
) -> None:
    """Play, or go on where it was stopped; the models have to be in the working folder, or are learned first.

    After results from before, their games are played on, each agent from its next match.
    """
    games = named_games(folder)
    _learn(folder, games, say)
    texts = {label: describe(catalog.agent(PLAYERS[label])) for label in players}
    named = set(games) & {row.game for row in before} if before else set(games)
    counts = {
        (games[row.game], texts[row.agent]): len(row.outcomes)
        for row in before
        if row.game in named and row.agent in texts
    }
    wanted = [path for name, path in games.items() if name in named]
    measure(scale, store, say, wanted, list(texts.values()), pairings=pairings, before=counts)


def named_games(folder: Path) -> dict[str, str]:
    """The games selected for evaluation by the names of the tables, and where they are in the library."""
    known = {plain(path): path.removesuffix(".lud") for path in needed_library("the study").paths}
    return {name: f"{catalog.LUD}{known[plain(name)]}" for name in selected(folder) if plain(name) in known}


def _learn(folder: Path, games: Mapping[str, str], say: Callable[[str], None]) -> None:
    """Make the models that the agents ask; none has seen a game that is played."""
    tables: dict[str, tuple[Callable[[], Table], str, int]] = {
        "published.zip": (lambda: without(agents(folder), games), "forest", 0),
        "heuristics.zip": (lambda: without(heuristics(folder), games), "joint-forest", 0),
        "ours.zip": (lambda: unlike(without(join(*paths()), games), games.values()), "forest", LEAST),
    }
    for name, (table, method, matches) in tables.items():
        if not Path(name).exists():
            say(f"learning {name}")
            save(train(table(), learns=method, matches=matches), Path(name))


def unlike(table: Table, games: Iterable[str]) -> Table:
    """The games of a table that are not much alike any of others, by their features."""
    likeness = Likeness.of(table)
    kept = set(range(len(table.games)))
    for name in games:
        row, known = features(catalog.game(name)).cells(table.columns)
        kept -= {place for place, alike in enumerate(likeness.to(row, known)) if alike >= ALIKE}
    return table.of(sorted(kept))


def pairings(name: str, game: Game, scale: Scale, players: Sequence[str]) -> list[Pairing]:
    """Each player that can play a game in the first role; a parallel ensemble has a whole move's work for each of its agents."""
    return [_worked(each, game, scale) for each in pairings_of(name, game, scale, players)]


def _worked(pairing: Pairing, game: Game, scale: Scale) -> Pairing:
    first = catalog.agent(pairing.agents[0])
    if not getattr(first, "parallel", False) or scale.forward_calls is None:
        return pairing
    voters, _ = voters_of(first.name, getattr(first, "agents", ()), game, 0, Rng(0))
    opponent = f"limited(inner={OPPONENT}, forward_calls={scale.forward_calls})"
    others = (describe(catalog.agent(opponent)),) * (len(game.roles) - 1)
    terms = replace(pairing.terms, limit=Limit(forward_calls=len(voters) * scale.forward_calls))
    return replace(pairing, agents=(pairing.agents[0], *others), terms=terms)


def rows_of(folder: Path, store: Path, before: Sequence[Row] = ()) -> list[Row]:
    """What a store has of the contest, game by game, behind what was there before.

    A game is left out that not every agent has played which can play it.
    """
    given_up, known = notes(store), {(row.game, row.agent): row for row in before}
    earlier = {row.game for row in before}
    labels = {describe(catalog.agent(text)): label for label, text in PLAYERS.items()}
    with Store(store, readonly=True) as opened:
        columns = dict(opened.table(brief=True, coded=True))
    columns.pop("budget", None)  # parallel ensembles tell by their names that they have more
    results = Results.of(columns)
    first = results.where(results.role == 0)
    won: dict[tuple[str, str], list[float]] = {}
    for game, agent, utility in zip(first.game.codes, first.agent.codes, first.utility, strict=True):
        won.setdefault((first.game.names[game], first.agent.names[agent]), []).append(float(utility))
    rows = []
    for title, name in named_games(folder).items():
        there = name in first.game.names and not (name in given_up and not given_up[name].matches)
        if title not in earlier and not there:
            continue
        game_here = catalog.game(name)
        found = []
        for text, label in labels.items():
            old = known.get((title, label))
            outcomes = (*(old.outcomes if old else ()), *won.get((name, text), ()))
            sent = (old.sent if old else "") or (_sent(text, game_here) if outcomes else "")
            found.append(Row(title, len(game_here.roles), label, sent, outcomes))
        if all(row.outcomes or not _can_play(text, game_here) for row, text in zip(found, labels, strict=True)):
            rows += found
    return rows


def _can_play(text: str, game: Game) -> bool:
    try:
        sit_down(catalog.agent(text), game, 0, Rng(0))
    except UnsupportedGame:
        return False
    return True


def _sent(text: str, game: Game) -> str:
    """Whom a portfolio sends, where no race decides."""
    agent = catalog.agent(text)
    if agent.name != "portfolio" or getattr(agent, "race", False):
        return ""
    player = sit_down(agent, game, 0, Rng(0))
    assert isinstance(player, PortfolioPlayer)
    return player.sent.name


def write(path: Path, rows: Iterable[Row]) -> None:
    """Write what `read` reads."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(_HEADS)
    out.writerows((*row[:4], " ".join(f"{each:.4g}" for each in row.outcomes)) for row in rows)
    try:
        write_file(path, text.getvalue())
    except OSError as problem:
        raise LudariumError(f"cannot write {path}: {problem}") from None


def shipped() -> Path:
    """The results that come along."""
    return Path(str(files(__package__))) / "contest.csv"


def read(path: Path) -> list[Row]:
    """Read results; what is wrong with a line is an error with its place."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            lines = csv.reader(file)
            if tuple(next(lines, ())) != _HEADS:
                raise BadParameter(f"{path}:1: expected the columns {','.join(_HEADS)}")
            return [_row(line, f"{path}:{lines.line_num}") for line in lines]
    except (OSError, UnicodeDecodeError, csv.Error) as problem:
        raise BadParameter(f"cannot read {path}: {problem}") from None


def _row(line: Sequence[str], place: str) -> Row:
    try:
        game, roles, agent, sent, outcomes = line
        found = Row(game, int(roles), agent, sent, tuple(map(float, outcomes.split())))
    except ValueError:
        raise BadParameter(f"{place}: expected a game, its roles, an agent, whom it sent, and outcomes") from None
    if not all(0 <= each <= 1 for each in found.outcomes):
        raise BadParameter(f"{place}: an outcome is a number from 0 to 1")
    return found
