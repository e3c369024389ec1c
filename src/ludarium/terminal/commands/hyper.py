"""The commands `hyper train`, `compare`, `predict` and `gather`: models that say which agent plays a game best."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium import catalog
from ludarium.core import BadParameter
from ludarium.hyper.shipped import LEAST, WAYS
from ludarium.terminal.arguments import Choices, GameName, check_writable, count, with_choices

if TYPE_CHECKING:
    from ludarium.hyper.models.tables import Table

Scores = Annotated[
    Path | None,
    typer.Argument(
        metavar="SCORES.csv",
        help="A line for each game: its name, and the score in % of each candidate.",
        show_default="what was measured for the model that ships with Ludarium",
    ),
]
FeatureFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--features",
        metavar="FILE.csv",
        help="A line for each game: its name and its features; may be given again. Without it the games are loaded by their "
        "names, and their features found.",
        show_default="none",
    ),
]
Candidates = Annotated[
    list[str] | None,
    typer.Option("--candidate", help="A column of the scores; may be given again.", show_default="all"),
]
Heuristics = Annotated[
    bool,
    typer.Option("--heuristics", help="Of what ships with Ludarium, take heuristics of alpha-beta instead of agents."),
]


def train(
    scores: Scores = None,
    *,
    features: FeatureFiles = None,
    candidate: Candidates = None,
    method: Annotated[
        str,
        typer.Option(
            "--method", help="How it learns: forest, joint-forest, boosting, linear, ...", show_default="forest"
        ),
    ] = "",
    heuristics: Heuristics = False,
    matches: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="How many matches a score is the mean of: their luck is no error of a forecast. 0 stands for very many.",
            show_default=f"{LEAST} for the scores that ship with Ludarium, 0 for others",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same model, byte by byte.")] = 0,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Where the model goes.")] = Path("model.zip"),
) -> None:
    """Learn from the scores of agents which of them will play another game best, and keep what was learned in a file."""
    from ludarium.hyper.models.model import train as learn
    from ludarium.hyper.models.store import save
    from ludarium.terminal.tables import console

    check_writable(out)
    screen = console()
    table = _table(scores, features, candidate, heuristics=heuristics)
    method = method or WAYS[heuristics]
    screen.print(
        f"{len(table.games)} games, {len(table.columns)} features, {len(table.candidates)} candidates", style="dim"
    )
    usual = LEAST if scores is None else 0
    model = learn(table, learns=method, seed=seed, matches=usual if matches is None else matches)
    save(model, out)
    regret = float(model.learned[:, 1].mean())
    screen.print(f"{out}: {method}; choosing costs {regret:.2f} points in games that were left out", markup=False)


def compare(
    scores: Scores = None,
    *,
    features: FeatureFiles = None,
    candidate: Candidates = None,
    method: Annotated[
        list[str] | None, typer.Option("--method", help="How it learns; may be given again.", show_default="all")
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="How often to split the games.")] = 1,
    folds: Annotated[int, typer.Option(min=2, help="How many parts to split them into.")] = 10,
    grouped: Annotated[
        bool, typer.Option("--grouped", help="Leave out similar games together: near twins flatter a model.")
    ] = False,
    heuristics: Heuristics = False,
    seed: Annotated[int, typer.Option(min=0, help="The same seed splits the games the same way.")] = 0,
) -> None:
    """Compare ways to learn by their regret: what it costs, in games that were left out, to send the agent that looks best."""
    from ludarium.hyper.models.methods import METHODS
    from ludarium.hyper.models.methods import method as find
    from ludarium.hyper.models.regret import folds as split
    from ludarium.hyper.models.regret import grouped_folds, measure
    from ludarium.terminal.tables import console, regrets_table

    table = _table(scores, features, candidate, heuristics=heuristics).distinct()
    seeds = range(seed, seed + repeats)
    if grouped:
        splits = [grouped_folds(table, folds, each) for each in seeds]
    else:
        splits = [split(len(table.games), folds, each) for each in seeds]
    ways = [find(name) for name in method or METHODS]
    screen = console()
    with screen.status("…") as status:
        rows = []
        for way in ways:
            status.update(f"{way.name}: {way.about}")
            rows.append(measure(table, way, splits, seed))
    screen.print(regrets_table(rows))
    screen.print(
        f"{len(table.games)} games; errors are standard errors over games, spreads over {count(repeats, 'split')}"
    )


def gather(
    store: Annotated[Path, typer.Argument(metavar="STORE.db", help="What `study hyper-agents --measure` has played.")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where tables and model go.")],
    *,
    least: Annotated[int, typer.Option(min=1, help="Leave out games that an agent has played less often.")] = LEAST,
) -> None:
    """Make tables of scores and features, and a model, of matches that were played to measure agents."""
    from ludarium.studies.hyper_agents.gathering import gather as make
    from ludarium.terminal.tables import console

    screen = console()
    with screen.status("…") as status:
        model = make(store, folder, status.update, least)
    told = (
        f"{len(model.likeness.games)} games; choosing costs {model.learned[:, 1].mean():.2f} points in games left out"
    )
    screen.print(f"{folder}: {told}", markup=False, soft_wrap=True)


def predict(
    game: GameName,
    *,
    model: Annotated[
        Path | None,
        typer.Option(
            "--model",
            metavar="FILE",
            help="What `hyper train` has written.",
            show_default="the one that ships with Ludarium",
        ),
    ] = None,
    heuristics: Heuristics = False,
    option: Choices = None,
    top: Annotated[int, typer.Option(min=1, help="How many features to name for each candidate.")] = 6,
) -> None:
    """Say which agent plays a game best, how sure that is, and what speaks for and against each."""
    from ludarium.hyper.chosen import model_of
    from ludarium.hyper.features import features as told
    from ludarium.hyper.models.words import why
    from ludarium.terminal.tables import console, forecasts_table, reasons_table

    learned = model_of(model, heuristics=heuristics)
    made = catalog.game(with_choices(game, option))
    features = told(made)
    found = learned.predict(features)
    screen = console()
    screen.print(forecasts_table(found))
    screen.print(why(learned, features, found), markup=False, soft_wrap=True)
    near = f"The nearest game learned from is {found.nearest} (likeness {found.likeness:.2f}); "
    near += f"in games as far from all others, choosing cost {found.regret:.1f} points."
    if found.unknown:
        near += f" Of {len(learned.columns)} features {found.unknown} are unknown."
    screen.print(near, markup=False, soft_wrap=True)
    for each in found.forecasts:
        screen.print(reasons_table(each.candidate, *learned.reasons(features, each.candidate, most=top)))


def _table(
    scores: Path | None, features: Sequence[Path] | None, candidates: Sequence[str] | None, *, heuristics: bool
) -> Table:
    from ludarium.hyper.models.tables import join
    from ludarium.hyper.shipped import paths

    if scores is None:
        if features:
            raise BadParameter("features need scores beside them: ludarium hyper train SCORES.csv --features FILE.csv")
        features, scores = paths(heuristics=heuristics)
    if features:
        return join(features, scores, candidates or ())
    return _found(scores, candidates or ())


def _found(scores: Path, candidates: Sequence[str]) -> Table:
    """Load the games of a table, and find their features."""
    import numpy as np

    from ludarium.hyper.features import features as told
    from ludarium.hyper.features.sheet import columns_of
    from ludarium.hyper.models.tables import Table, filled, read
    from ludarium.registry.making import names_code

    names, rows = read(scores)
    chosen = tuple(candidates) or names
    missing = [name for name in chosen if name not in names]
    if missing:
        raise BadParameter(f"{scores} has no column {missing[0]!r}; it has {', '.join(names)}")
    if code := [game for game in rows if names_code("game", game)]:
        raise BadParameter(f"{scores} names code as a game, {code[0]!r}: it is not run")
    found = {game: told(catalog.game(game)) for game in rows}
    columns = columns_of(found.values())
    at = [names.index(name) for name in chosen]
    values = filled(np.array([found[game].row(columns) for game in rows], dtype=np.float64))
    return Table(tuple(rows), columns, values, chosen, np.array([[row[k] for k in at] for row in rows.values()]))
