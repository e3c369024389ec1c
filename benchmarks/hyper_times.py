"""How long models take to answer, and what voting costs: `python benchmarks/hyper.py times FOLDER`; features: `... sheets`.

`python benchmarks/hyper_times.py GAME MODEL ...` is what it starts for each game, since the first time in a process counts.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

TIMES = 20


def measure(given):
    """Do what was asked for."""
    if given.what == "sheets":
        sheets(given)
        return
    predictions(given)
    votes()


def predictions(given):
    """Say how long both models take for a game, as at the start of a match: the forecast, and why."""
    from ludarium.hyper.models.model import train
    from ludarium.hyper.models.published import agents, heuristics
    from ludarium.hyper.models.store import save
    from ludarium.hyper.shipped import MODEL, folder

    with TemporaryDirectory() as made:
        paper = [Path(made) / "agents.zip", Path(made) / "heuristics.zip"]
        save(train(agents(given.folder)), paper[0])
        save(train(heuristics(given.folder), learns="joint-forest"), paper[1])
        along = [folder(heuristics=which) / MODEL for which in (False, True)]
        for name in given.games:
            for what, models in (("learned from published tables", paper), ("those that come along", along)):
                print(f"{name}, {what}:", flush=True)
                subprocess.run([sys.executable, __file__, name, *map(str, models)], check=True)


def predicted(name, paths):
    """Say how long these models take for a game in a new process."""
    from ludarium import game
    from ludarium.hyper.features import features
    from ludarium.hyper.models.store import load
    from ludarium.hyper.models.words import why

    found = features(game(name))
    started = time.process_time()
    models = [load(Path(path)) for path in paths]
    read = time.process_time() - started
    taken = []
    for _ in range(TIMES):
        each = []
        for model in models:
            started = time.process_time()
            said = model.predict(found)
            between = time.process_time()
            why(model, found, said)
            each += [1000 * (between - started), 1000 * (time.process_time() - between)]
        taken.append(each)
    forecasts = " + ".join(f"{statistics.median(each[k] for each in taken):.1f}" for k in (0, 2))
    reasons = " + ".join(f"{statistics.median(each[k] for each in taken):.1f}" for k in (1, 3))
    nodes = " and ".join(f"{len(model.learner.feature)}" for model in models)
    unknown = " and ".join(str(model.predict(found).unknown) for model in models)
    print(f"  {unknown} unknown, {nodes} nodes: forecasts {forecasts} ms, reasons {reasons} ms;", end=" ")
    print(f"all together {sum(taken[0]):.1f} ms the first time, {max(map(sum, taken)):.1f} ms at most;", end=" ")
    print(f"reading the files before, the library for that included: {read:.2f} s")


def sheets(given):
    """Say how long features of games in GDL and Python take, after loading: rules become machine code before."""
    from ludarium import catalog
    from ludarium.core import LudariumError, Rng
    from ludarium.hyper.features import features

    foreign = [*catalog.GAMES, *(name for name in catalog.rule_files() if not name.startswith(catalog.LUD))]
    taken, began = [], time.process_time()
    for name in given.games or dict.fromkeys(foreign):
        try:
            made = catalog.game(name)
            if made.offers.features is not None:
                continue  # in Ludii's language: `concepts` measures these
            state = made.initial(Rng(1))
            state.legal(state.movers[0])
            started = time.process_time()
            features(made)
            taken.append((time.process_time() - started, name))
        except LudariumError as problem:
            print(f"{name}: {str(problem).splitlines()[0][:100]}")
        if time.process_time() - began > given.most_seconds:
            break
    seconds = sorted(each for each, _ in taken)
    within = sum(each < 1 for each in seconds)
    print(f"{len(taken)} games: median {statistics.median(seconds):.2f} s, {within} under 1 s; the slowest: ", end="")
    print(", ".join(f"{name} {each:.2f} s" for each, name in sorted(taken, reverse=True)[:5]))


def votes(moves=300):
    """Say what voting costs beside the thinking of those who vote: here they do not think."""
    from dataclasses import dataclass

    from ludarium import game
    from ludarium.arena.position import after
    from ludarium.core import Decision, Limit, Rng
    from ludarium.hyper.ensemble import Ensemble

    @dataclass(frozen=True)
    class Quick:
        name: str = "quick"

        def seat(self, *_):
            return self

        def choose(self, info, budget):
            budget.charge(iterations=1)
            return Decision(info.legal[0], values=dict.fromkeys(info.legal, 0.5))

    for name in ("connect-four", "lud:hex"):
        info = after(game(name), "").information_set(0)
        for parallel in (False, True):
            for graded in (False, True):
                ensemble = Ensemble(agents=(Quick(),) * 5, parallel=parallel, graded=graded)
                player, taken, wall = ensemble.seat(info.game, 0, Rng(1)), [], []
                for _ in range(moves):
                    clock, started = time.perf_counter(), time.process_time()
                    player.choose(info, Limit(iterations=100).start())
                    taken.append(time.process_time() - started)
                    wall.append(time.perf_counter() - clock)
                print(f"{name}, five votes on {len(info.legal)} moves, {parallel=}, {graded=}: ", end="")
                print(
                    f"CPU {1000 * statistics.median(taken):.2f} ms, wall {1000 * statistics.median(wall):.2f} ms a move"
                )


if __name__ == "__main__":
    predicted(sys.argv[1], sys.argv[2:])
