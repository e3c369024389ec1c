"""Pictures of an evolution: teachers by generation, what they do against random judgement, and the networks themselves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ludarium.arena.extras import needs
from ludarium.arena.report.figures import Drawing
from ludarium.arena.report.palette import BLUE, GREY, GRID, LINES, RED
from ludarium.evaluate.evolved.champions import Champions
from ludarium.evaluate.evolved.network import Network
from ludarium.evolve.run import Generation
from ludarium.evolve.trials import Trial

with needs("report"):
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator


def drawings(
    champions: Champions, history: Sequence[Generation], trials: Sequence[Sequence[Trial]], names: Sequence[str]
) -> list[Drawing]:
    """All pictures of an evolution; `names` says what the inputs stand for."""
    roles = champions.roles
    counts = ", ".join(f"{role} {count}" for role, count in zip(roles, history[-1].teachers, strict=True))
    found = [
        Drawing("teachers", "Teachers by generation", f"At the end {counts}", partial(_teachers, roles, history)),
        Drawing(
            "ranks", "Teachers against random judgement", "The table has the numbers", partial(_ranks, roles, trials)
        ),
    ]
    for role, network in zip(roles, champions.networks, strict=True):
        words = f"{len(network.nodes)} nodes, {network.connections} links"
        found.append(Drawing(f"network-{role}", f"The champion for {role}", words, partial(_network, network, names)))
    return found


def _teachers(roles: Sequence[str], history: Sequence[Generation]) -> Figure:
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    for role, name in enumerate(roles):
        colour, dashes = LINES[role % len(LINES)]
        counts = [each.teachers[role] for each in history]
        axes.plot(range(1, len(counts) + 1), counts, dashes, color=colour, label=name)
    axes.set(xlabel="generation", ylabel="teachers", ylim=(0, None))
    axes.locator_params(integer=True)
    axes.grid(color=GRID)
    axes.legend(loc="best")
    return figure


def _ranks(roles: Sequence[str], trials: Sequence[Sequence[Trial]]) -> Figure:
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    for role, name in enumerate(roles):
        colour, dashes = LINES[role % len(LINES)]
        if not trials[role]:
            continue
        ranks = np.arange(1, len(trials[role]) + 1)
        means, halves = ([getattr(each, what) for each in trials[role]] for what in ("mean", "half"))
        axes.errorbar(ranks, means, halves, fmt=dashes, color=colour, capsize=2, marker="o", markersize=3, label=name)
        axes.axhline(float(trials[role][0].random.mean()), color=colour, linewidth=0.8, linestyle=":")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(xlabel="rank of the teacher", ylabel="score; dotted: random judgement", ylim=(0, 1))
    axes.grid(color=GRID)
    axes.legend(loc="best")
    return figure


def _network(network: Network, names: Sequence[str]) -> Figure:
    """Draw inputs on the left, the output on the right, and what is between by how far it is from the inputs."""
    inputs = network.inputs
    depth = [0] * inputs
    for node in network.nodes:
        depth.append(1 + max((depth[source] for source, _ in node.links), default=0))
    depth[-1] = max(depth)
    columns: dict[int, list[int]] = {}
    for slot, column in enumerate(depth):
        columns.setdefault(column, []).append(slot)
    places = {
        slot: (column, (rank + 0.5) / len(slots))
        for column, slots in columns.items()
        for rank, slot in enumerate(slots)
    }
    figure = Figure(figsize=(8, max(3.0, 0.16 * inputs)), layout="constrained")
    axes = figure.add_subplot()
    strongest = max((abs(weight) for node in network.nodes for _, weight in node.links), default=1.0)
    for place, node in enumerate(network.nodes):
        x, y = places[inputs + place]
        for source, weight in node.links:
            there = places[source]
            axes.plot(
                [there[0], x], [there[1], y], color=BLUE if weight > 0 else RED, linestyle="-" if weight > 0 else "--",
                linewidth=0.2 + 2.0 * abs(weight) / strongest, alpha=0.7, zorder=1,
            )  # fmt: skip
    for slot, (x, y) in places.items():
        axes.plot(x, y, "o", color=GREY, markersize=5, zorder=2)
        if slot < inputs:
            axes.text(x - 0.03, y, names[slot], ha="right", va="center", fontsize=6)
    axes.text(max(depth) + 0.03, places[len(depth) - 1][1], "worth", va="center", fontsize=8)
    axes.set_xlim(-0.6, max(depth) + 0.3)
    axes.axis("off")
    return figure
