"""How fast alpha-beta visits nodes: against the states that random playouts make, in one run on one core.

    python benchmarks/alphabeta.py [--quick]

A node is a state that the search has made and looked at, inner nodes and leaves alike; a decision at the start position
visits a fixed number of them, depth after depth. The table and the order of moves make a search better, not its nodes
faster: what the table knows is a node that costs a look into memory and saves all those below. So there is a row without
them, and the time that it takes to finish a depth. Rates and ratios as in foundation.py; the exit code counts the bars
that were missed.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from statistics import median

from foundation import SEED, Effort, Report, one_core, playouts, stopwatch, take_turns

from ludarium import game
from ludarium.agents.alphabeta import AlphaBeta
from ludarium.core import InformationSet, Limit, Rng
from ludarium.kernel import bridge

NODES = 2_000_000
DEPTHS = {"connect-four": 13, "breakthrough": 8}
BAR = 0.5
PLAIN = AlphaBeta(evaluator="result", table_bits=0, hash_move=False, killers=False, history=False)
KINDS = {
    "utilities only, no table, no ordering": PLAIN,
    "utilities only": AlphaBeta(evaluator="result"),
    "default evaluator": AlphaBeta(),
}


def main() -> int:
    """Measure, print, and answer how many bars were missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a rough answer in a few seconds")
    quick = parser.parse_args().quick
    effort = Effort(rounds=5, seconds=0.03, starts=0) if quick else Effort(rounds=21, seconds=0.1, starts=0)
    one_core()
    report = Report()
    for name in DEPTHS:
        compare_nodes(name, effort, report)
        for kind in KINDS:
            measure_depth(name, kind, effort, report)
    report.show()
    return min(report.missed, 100)


def compare_nodes(name: str, effort: Effort, report: Report) -> None:
    """Nodes of searches from the start against states of random playouts."""
    played = game(name)
    reached = bridge(played)
    start = bytes(reached.block(played.initial()))
    state, rng = bytearray(len(start)), Rng(SEED)

    def play(count: int) -> int:
        return playouts(reached.table, start, state, rng, count)

    def decide(agent: AlphaBeta):
        info, player = seated(name, agent)

        def work(count: int) -> None:
            for _ in range(count):
                assert player.choose(info, Limit(iterations=NODES).start()).iterations == NODES

        return work

    length = play(100_000) / 100_000
    rates = take_turns({"playouts": play, **{kind: decide(agent) for kind, agent in KINDS.items()}}, effort)
    states = [rate * length for rate in rates["playouts"]]
    for kind in KINDS:
        nodes = [rate * NODES for rate in rates[kind]]
        report.ratio(f"{name} alpha-beta nodes, {kind} / playout states", nodes, states, BAR)


def measure_depth(name: str, kind: str, effort: Effort, report: Report) -> None:
    """The CPU time of a decision that finishes a depth."""
    depth = DEPTHS[name]
    info, player = seated(name, replace(KINDS[kind], depth=depth))
    times = []
    for _ in range(max(3, effort.rounds // 4)):
        with stopwatch() as taken:
            decision = player.choose(info, Limit(iterations=100_000_000).start())
        assert decision.depth == depth
        times += taken
    report.figure(f"{name}: all depths up to {depth}, {kind}", median(times), " s")


def seated(name: str, agent: AlphaBeta):
    """What the first player knows at the start, and a player in that seat."""
    played = game(name)
    state = played.initial()
    info = InformationSet(game=played, role=0, legal=tuple(state.legal(0)), seen=(state.observe(0),), state=state)
    return info, agent.seat(played, 0, Rng(SEED))


if __name__ == "__main__":
    sys.exit(main())
