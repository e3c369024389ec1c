"""Features of games against published tables, and what models make of them.

    python benchmarks/hyper.py concepts LIBRARY TABLE   # share of equal cells, overall and per concept
    python benchmarks/hyper.py ludemes LIBRARY TABLE    # the same for ludemes
    python benchmarks/hyper.py models FOLDER            # regret on the tables of the paper; --what heuristics, --methods
    python benchmarks/hyper.py times FOLDER             # a prediction by both models, and what voting costs
    python benchmarks/hyper.py sheets                   # how long features of games in GDL and Python take
    python benchmarks/hyper.py portfolios FOLDER        # learned from the tables of the paper, and from our own matches
    python benchmarks/hyper.py own LIBRARY FOLDER OUT   # features of the paper's games as we find them, in a file
    python benchmarks/hyper.py models FOLDER --own OUT  # regret with these beside the published ones, in the same games
    python benchmarks/hyper.py evaluate LIBRARY FOLDER STORE   # matches on the 50 games of the paper; STORE.csv has the results
    python benchmarks/hyper.py races                    # whom a portfolio sends at once, and after a race
    python benchmarks/hyper.py sent LIBRARY FOLDER STORE   # the same in the games of `evaluate`, by what agents won there alone
    python benchmarks/hyper.py heuristics               # what alpha-beta wins by predicted heuristics, and by its own

LIBRARY is a folder with Ludii's `lud` and `def`. A row of TABLE is a game, by its path or its name, and the values under the
names of concepts or of columns of ludemes. Times are CPU time of one core.
"""

import argparse
import csv
import os
import statistics
import time
from collections import Counter, defaultdict
from pathlib import Path

SHOWN = 25


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="what", required=True)
    for name in ("concepts", "ludemes"):
        command = commands.add_parser(name)
        command.add_argument("library", type=Path)
        command.add_argument("table", type=Path)
        command.add_argument("--most", type=int, default=10**9, help="at most so many games")
    command = commands.add_parser("own")
    for name in ("library", "folder", "out"):
        command.add_argument(name, type=Path)
    command = commands.add_parser("evaluate")
    for name in ("library", "folder", "store"):
        command.add_argument(name, type=Path)
    command.add_argument("--matches", type=int, help="of each agent in each game")
    command.add_argument("--forward-calls", type=int, help="for a move")
    command.add_argument("--match-seconds", type=float, help="CPU time that a match may take, or its game is given up")
    command.add_argument("--after", type=Path, help="results from before: their games are played on")
    command.add_argument("--agents", nargs="+", help="only these play, by the names of the table")
    command.add_argument("--anew", nargs="+", default=[], help="agents whose results from before do not count")
    command.add_argument("--no-play", dest="play", action="store_false", help="only write the results of the store")
    command = commands.add_parser("sent")
    for name in ("library", "folder", "store"):
        command.add_argument(name, type=Path)
    command = commands.add_parser("models")
    command.add_argument("--own", type=Path, help="features that we found")
    command.add_argument("folder", type=Path)
    command.add_argument("--repeats", type=int, default=10)
    command.add_argument("--methods", nargs="+", default=["forest"])
    command.add_argument("--what", dest="target", choices=["agents", "heuristics"], default="agents")
    command.add_argument("--grouped", action="store_true", help="leave out games together that are alike")
    command.add_argument("--folds-of-paper", action="store_true")
    command = commands.add_parser("times")
    command.add_argument("folder", type=Path)
    command.add_argument("--games", nargs="+", default=["lud:hex", "gdl:breakthrough", "nim", "kuhn-poker"])
    command = commands.add_parser("sheets")
    command.add_argument("--games", nargs="+", help="names or files of rules; otherwise all that come along")
    command.add_argument("--most-seconds", type=float, default=1e9, help="stop after so much CPU time")
    commands.add_parser("portfolios").add_argument("folder", type=Path)
    command = commands.add_parser("races")
    command.add_argument("--forward-calls", type=int, default=200_000)
    command.add_argument("--most", type=int, default=10**9, help="at most so many games")
    command = commands.add_parser("heuristics")
    command.add_argument("--repeats", type=int, default=2)
    given = parser.parse_args()
    if given.what == "heuristics":
        heuristics(given)
        return
    if given.what == "races":
        races(given)
        return
    if given.what == "models":
        models(given)
        return
    if given.what == "portfolios":
        portfolios(given)
        return
    if given.what in ("sheets", "times"):
        from hyper_times import measure

        measure(given)
        return
    os.environ["LUDARIUM_LUDII"] = str(given.library)
    {"own": own, "evaluate": evaluate, "sent": sent}.get(given.what, compare)(given)


def compare(given):
    """Compare what we find with a table, cell by cell."""
    from ludarium.core import LudariumError
    from ludarium.hyper.features.taxonomy import concepts, with_parents
    from ludarium.ludii.concepts import features

    with given.table.open() as file:
        rows = list(csv.DictReader(file))[: given.most]
    key = next(iter(rows[0]))
    columns = [name for name in rows[0] if name != key]
    wrong, lacking, refused, times = Counter(), Counter(), Counter(), []
    looked = 0
    find = paths()
    for row in rows:
        try:
            rules = bound(find(row[key]))
            started = time.process_time()
            found = with_parents(features(rules))
            times.append(time.process_time() - started)
        except (LookupError, ValueError, LudariumError) as problem:
            refused[f"{type(problem).__name__}: {str(problem).splitlines()[0][:80]}"] += 1
            continue
        looked += 1
        for name in columns:
            ours = found[name].value if name in found else 0.0
            if abs(ours - float(row[name])) > 1e-9:
                wrong[name] += 1
                lacking[name] += ours < float(row[name])
    cells = looked * len(columns)
    print(f"{looked} of {len(rows)} games, {cells} cells, {100 * (1 - wrong.total() / max(1, cells)):.3f} % equal")
    within = sum(each < 1 for each in times) / max(1, len(times))
    print(f"CPU time of a game after loading: median {1000 * statistics.median(times):.1f} ms, ", end="")
    print(f"worst {1000 * max(times):.0f} ms, {100 * within:.1f} % under 1 s")
    known = concepts() if given.what == "concepts" else columns
    print(f"columns that we do not know: {[name for name in columns if name not in known]}")
    print("least equal:")
    for name, count in wrong.most_common(SHOWN):
        print(f"  {name:50} {100 * (1 - count / looked):7.2f} %   {lacking[name]} of {count} too small")
    for reason, count in refused.most_common():
        print(f"not looked at: {count} x {reason}")


def own(given):
    """Write the features of the games of the paper, as far as they are in the library."""
    from ludarium.core import LudariumError
    from ludarium.hyper.features.taxonomy import with_parents
    from ludarium.hyper.models.published import CONCEPTS, LUDEMES
    from ludarium.hyper.models.tables import read
    from ludarium.ludii.concepts import features

    (concepts, rows), (ludemes, _) = (read(given.folder / name, percent=False) for name in (CONCEPTS, LUDEMES))
    columns = (*concepts, *ludemes)
    find = paths()
    written = 0
    with given.out.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["GameName", *columns])
        for name in rows:
            try:
                found = with_parents(features(bound(find(name))))
            except (LookupError, ValueError, LudariumError):
                continue
            out.writerow([name, *((found[each].value or 0.0) if each in found else 0.0 for each in columns)])
            written += 1
    print(f"{written} of {len(rows)} games")


def evaluate(given):
    """Play as in tables IV to VI: each agent in the first role against UCT, in the 50 games that are selected anew."""
    from dataclasses import replace

    from ludarium.studies.hyper_agents.contest import PLAYERS, SCALE, contest, named_games, read, rows_of, write

    given.store, given.folder = given.store.resolve(), given.folder.resolve()
    os.environ["LUDARIUM_LUDII"] = str(given.library.resolve())
    given.store.parent.mkdir(parents=True, exist_ok=True)
    before = [
        row._replace(outcomes=()) if row.agent in given.anew else row
        for row in (read(given.after) if given.after else [])
    ]
    os.chdir(given.store.parent)  # names of models are part of what agents are called
    print(f"{len(named_games(given.folder))} games are in the library", flush=True)

    def say(told):
        print(f"{time.process_time():7.0f} s of CPU time: {told}", flush=True)

    scale = {name: getattr(given, name) for name in ("matches", "forward_calls", "match_seconds")}
    scale = replace(SCALE, **{name: value for name, value in scale.items() if value is not None})
    if given.play:
        contest(given.folder, given.store, say, scale, before=before, players=given.agents or tuple(PLAYERS))
    write(given.store.with_suffix(".csv"), rows_of(given.folder, given.store, before))


def models(given):
    """Measure the regret of ways to learn on the tables of the paper."""
    from dataclasses import replace

    import numpy as np

    from ludarium.hyper.models.published import agents, heuristics
    from ludarium.hyper.models.tables import read

    whole = (agents if given.target == "agents" else heuristics)(given.folder)
    if given.own:
        columns, found = read(given.own, percent=False)
        places = [k for k, name in enumerate(whole.games) if name in found]
        print(f"{len(places)} of {len(whole.games)} games have features of ours")
        whole = whole.of(places)
        ours = replace(whole, columns=columns, features=np.array([found[name] for name in whole.games]))
        for name, each in (("published features", whole), ("our features", ours)):
            print(name)
            learn(given, each.distinct())
        return
    learn(given, whole.distinct())


def learn(given, table):
    """Measure ways to learn on a table."""
    from ludarium.hyper.models.methods import method
    from ludarium.hyper.models.regret import folds_of_paper, grouped_folds, measure, repeated

    games = len(table.games)
    splits = list(repeated(games, given.repeats))
    if given.grouped:
        splits = [grouped_folds(table, seed=k) for k in range(given.repeats)]
    if given.folds_of_paper:
        splits = [folds_of_paper(games)]
    print(f"{games} games, {len(table.columns)} columns, {len(table.candidates)} candidates, {len(splits)} splits")
    for name in given.methods:
        started = time.process_time()
        found = measure(table, method(name), splits)
        seconds = time.process_time() - started
        print(
            f"{name:18} regret {found.mean:6.3f}, error over games {found.error:.3f}, spread {found.spread:.3f}", end=""
        )
        print(f", {seconds:.0f} s", flush=True)


def portfolios(given):
    """Compare whom two portfolios send, in games that they have not seen, with what each agent wins alone."""
    import numpy as np

    from ludarium.studies.hyper_agents.distance import bands
    from ludarium.studies.hyper_agents.foreign import OURS, PLAIN, THEIRS, choices, is_foreign

    made = choices(given.folder)
    foreign = np.array([is_foreign(name) for name in made.games])
    parts = [("all", made), ("in Ludii's language", made.of(~foreign)), ("in GDL and Python", made.of(foreign))]
    print("| | " + " | ".join(f"{what}, {len(part.games)} games" for what, part in parts) + " |")
    print("| --- |" + " ---: |" * len(parts))
    for name in sorted(made.won, key=lambda each: -made.won[each].mean()):
        print(f"| {name} | " + " | ".join(f"{part.won[name].mean():.1f} %" for _, part in parts) + " |")
    alone = [name for name in made.won if name in ("uct", "grave", "alphabeta", "progressive-history", "mast")]
    best = max(alone, key=lambda each: made.won[each].mean())
    for one, other in ((OURS, best), (THEIRS, best), (OURS, PLAIN), (THEIRS, PLAIN), (OURS, THEIRS)):
        ahead = ["{:+.1f} ({:+.1f} to {:+.1f})".format(*part.ahead(one, other)) for _, part in parts]
        print(f"| {one} less {other} | " + " | ".join(ahead) + " |")
    print("\n| likeness | games | won | won without features | ahead |\n| --- | ---: | ---: | ---: | ---: |")
    for name, alike in made.alike.items():
        for band in bands(alike):
            part = made.of(band.inside)
            told = [f"{part.won[each].mean():.1f} %" for each in (name, PLAIN)]
            ahead = "{:+.1f} ({:+.1f} to {:+.1f})".format(*part.ahead(name, PLAIN))
            print(f"| {name}, {band.name} | {len(part.games)} | {' | '.join(told)} | {ahead} |")


def sent(given):
    """Race once in each game of the contest: what the agent that is sent won there by itself, at once and after the race.

    The models lie beside the store; results are those of its table.
    """
    import numpy as np

    from ludarium import catalog
    from ludarium.arena.seating import sit_down
    from ludarium.core import Rng
    from ludarium.studies.hyper_agents.contest import PLAYERS, named_games, read
    from ludarium.studies.hyper_agents.contest_tables import OURS, RACE, SINGLE
    from ludarium.studies.hyper_agents.foreign import Choices

    os.environ["LUDARIUM_LUDII"] = str(given.library.resolve())
    rows, games = read(given.store.with_suffix(".csv")), named_games(given.folder.resolve())
    os.chdir(given.store.parent)
    alone = {(row.game, row.agent): 100 * statistics.mean(row.outcomes or [0.0]) for row in rows}
    own = {name: SINGLE[-1] if name == "alphabeta" else name for name in SINGLE}
    names, once, after = [], [], []
    for row in (each for each in rows if each.agent == OURS):
        player = sit_down(catalog.agent(PLAYERS[RACE]), catalog.game(games[row.game]), 0, Rng(0))
        names.append(row.game)
        once.append(alone[row.game, own[row.sent]])
        after.append(alone[row.game, own[player.sent.name]])
        told = (f"{who} {won:.0f} %" for who, won in ((row.sent, once[-1]), (player.sent.name, after[-1])))
        print(f"{row.game:34} {', after a race '.join(told)}", flush=True)
    made = Choices(tuple(names), {"once": np.array(once), "race": np.array(after)})
    told = "{:+.1f} points ({:+.1f} to {:+.1f})".format(*made.ahead("race", "once"))
    print(f"{len(names)} games: {np.mean(once):.1f} % at once, {np.mean(after):.1f} % after a race, {told}; ", end="")
    print(f"{sum(a != b for a, b in zip(once, after, strict=True))} differ")


def heuristics(given):
    """Compare what alpha-beta wins by the heuristic that a model chooses, in games that it has not seen, and by its own."""
    from ludarium.studies.hyper_agents.judged import CHOSEN, OWN, USUAL, judged

    made = judged(given.repeats)
    for name in sorted(made.won, key=lambda each: -made.won[each].mean()):
        print(f"{name:20} {made.won[name].mean():.1f} % in {len(made.games)} games")
    for other in (OWN, USUAL):
        print(f"{CHOSEN} less {other}: " + "{:+.1f} ({:+.1f} to {:+.1f})".format(*made.ahead(CHOSEN, other)))


def races(given):
    """Compare what the agents win that a portfolio sends at once, and after a race, in games that its model has not seen."""
    from itertools import islice

    import numpy as np

    from ludarium.core import Limit
    from ludarium.studies.hyper_agents.foreign import Choices
    from ludarium.studies.hyper_agents.foreign import races as run

    rows, started = [], time.process_time()
    for row in islice(run(Limit(forward_calls=given.forward_calls)), given.most):
        rows.append(row)
        print(f"{row[0]:34} {row[1]:5.0f} % at once, {row[2]:5.0f} % after a race", flush=True)
    names, once, after = zip(*rows, strict=True)
    made = Choices(names, {"once": np.array(once), "race": np.array(after)})
    told = "{:+.1f} points ({:+.1f} to {:+.1f})".format(*made.ahead("race", "once"))
    print(f"{len(names)} games: {np.mean(once):.1f} % at once, {np.mean(after):.1f} % after a race, {told};", end=" ")
    print(
        f"{sum(a != b for a, b in zip(once, after, strict=True))} differ; {time.process_time() - started:.0f} s of CPU time"
    )


def paths():
    """Find a game of the library by path, or by name where only one has it."""
    from ludarium.ludii.library import needed_library

    library = needed_library("")
    names = defaultdict(list)
    for path in library.paths:
        names[Path(path).stem.lower()].append(path)

    def find(name):
        if name in library.paths:
            return library.read(name), library
        several = names[name.lower()]
        if len(several) != 1:
            raise LookupError(f"{'no' if not several else 'several'} games of that name")
        return library.read(several[0]), library

    return find


def bound(found):
    from ludarium.ludii.grammar.checker import bind
    from ludarium.ludii.text.expander import expand

    (text, file), library = found
    return bind(expand(text, file, (), library.defines))


if __name__ == "__main__":
    main()
