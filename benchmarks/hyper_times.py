"""How long models take to answer, and what voting costs: `python benchmarks/hyper.py times FOLDER`."""

import statistics
import time


def predictions(given):
    """Say how long both models take for a game, as at the start of a match: the forecast, and why."""
    from ludarium import game
    from ludarium.hyper.chosen import model_of
    from ludarium.hyper.features import features
    from ludarium.hyper.models.model import train
    from ludarium.hyper.models.published import agents, heuristics
    from ludarium.hyper.models.words import why

    learned = {
        "agents": train(agents(given.folder)),
        "heuristics": train(heuristics(given.folder), learns="joint-forest"),
        "the model that comes along": model_of(None),
    }
    for name in given.games:
        found = features(game(name))
        for what, model in learned.items():
            taken = []
            for _ in range(20):
                started = time.process_time()
                said = model.predict(found)
                between = time.process_time()
                why(model, found, said)
                taken.append((between - started, time.process_time() - between))
            first, reasons = (1000 * statistics.median(each) for each in zip(*taken, strict=True))
            once = 1000 * sum(taken[0])
            print(f"{name:18} {what:26} {said.unknown:4} unknown, {len(model.learner.feature):7} nodes: ", end="")
            print(f"forecast {first:.1f} ms, reasons {reasons:.1f} ms, both the first time {once:.1f} ms", flush=True)


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
