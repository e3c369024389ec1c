"""The tables and figures of the study of balanced asymmetry, ours beside the thesis's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ludarium.arena.extras import needs
from ludarium.arena.prove.intervals import Rate
from ludarium.arena.prove.measures import paces
from ludarium.arena.report.figures import Drawing
from ludarium.arena.report.palette import BLACK, BLUE, GREEN, GREY, GRID, ORANGE, PURPLE, RED, SKY
from ludarium.arena.report.sheets import Share, Sheet, columns, matrix
from ludarium.arena.results import Labels
from ludarium.studies.balanced_asymmetry.results import ATTACKER, ROLES, STRETCHES, THESIS, Bias, Measured, stretch
from ludarium.studies.balanced_asymmetry.study import FULL_SCALE, GAMES, MAIN, PLAYERS, RANDOM

with needs("report"):
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator, PercentFormatter

_COLOURS = (BLUE, RED, GREEN, PURPLE, ORANGE, SKY, BLACK)


def sheets(measured: Measured) -> Iterator[Sheet]:
    """Make the tables."""
    yield _played_sheet(measured)
    yield _random_sheet(measured)
    yield _intelligence_sheet(measured)
    yield _generality_sheet(measured)
    yield _matrix(
        measured, "generality-games", "Generality in all games", "What the attacker scores, a draw counting half."
    )
    yield _turns_sheet(measured)
    yield _games_sheet(measured)


def drawings(measured: Measured) -> Iterator[Drawing]:
    """List the figures."""
    words = "Random takes well below a millisecond throughout, and players that search keep their clock"
    yield Drawing("turns", "Turn durations in 13x13 hnefatafl", words, lambda: turns_figure(measured))
    words = "The table has the numbers"
    yield Drawing("intelligence", "Wins against Random, by role", words, lambda: intelligence_figure(measured))
    yield Drawing("generality", "What the attacker wins against itself", words, lambda: generality_figure(measured))


def _played_sheet(measured: Measured) -> Sheet:
    players = [player for player in measured.players if player != RANDOM]
    rows = []
    for game in measured.games:
        own = measured.bias(game, RANDOM)
        met = [measured.against_random.get((game, player, role)) for player in players for role in ROLES]
        selves = [measured.bias(game, player) for player in players]
        searched = int(np.sum(_is(measured.moves.game, game) & ~_is(measured.moves.agent, RANDOM)))
        seats = _span([rate.count if rate else 0 for rate in met])
        rows.append((game, own.matches if own else 0, seats, _span([b.matches if b else 0 for b in selves]), searched))
    heads = columns("game", ("random, random", "count"), "each player in each seat, random", "each player, itself",
                    ("turns with search", "count"))  # fmt: skip
    limit = measured.limit
    work = f", of which a player may use what {limit.forward_calls:,} states take" if limit.forward_calls else ""
    note = f"Matches. Play clock {measured.clock:g} s{work}. Players besides random: {', '.join(players) or 'none'}."
    return Sheet("played", "What was played", note, heads, tuple(rows))


def _span(counts: Sequence[int]) -> str:
    """Say how many there are of each, or from how many to how many."""
    low, high = min(counts, default=0), max(counts, default=0)
    return f"{low}" if low == high else f"{low} to {high}"


def _random_sheet(measured: Measured) -> Sheet:
    rows = []
    for each in [THESIS, *(bias for game in measured.games if (bias := measured.bias(game, RANDOM)))]:
        drawn = each.matches - each.attacker - each.defender
        name = each.game if each is not THESIS else f"{each.game} (thesis)"
        parts = [Share(number / each.matches, each.matches) for number in (each.attacker, each.defender, drawn)]
        low, middle, high = np.quantile(each.turns, (0.05, 0.5, 0.95)).tolist()
        sure = each.p if each is THESIS else each.adjusted
        rows.append((name, each.matches, *parts, sure, float(each.turns.mean()), low, middle, high))
    heads = columns("game", ("matches", "count"), *((f"{who} wins", "share") for who in ROLES), ("drawn", "share"),
                    ("p", "p"), ("turns", "points"), ("5%", "points"), ("50%", "points"), ("95%", "points"))  # fmt: skip
    note = (
        "p: exact test that both roles win as often, Holm's correction for all games and players (not for the thesis). In "
        "brackets: the 95% interval after Wilson, and the number of matches."
    )
    return Sheet("random", "Random against Random", note, heads, tuple(rows))


def _intelligence_sheet(measured: Measured) -> Sheet:
    rows: list[tuple[object, ...]] = []
    for game in measured.games:
        if (own := measured.bias(game, RANDOM)) is not None:
            shares = (Share(share, own.matches) for share in (own.share, 1 - own.share))
            rows.append((game, RANDOM, *shares, "-"))
        for player in measured.players:
            found = [measured.against_random.get((game, player, role)) for role in ROLES]
            if any(found):
                cells = [
                    _wins(rate, better=measured.better(game, player, role))
                    for rate, role in zip(found, ROLES, strict=True)
                ]
                thesis = "all turns too late" if game == MAIN and PLAYERS.get(player) else "-"
                rows.append((game, player, *cells, thesis))
    heads = columns("game", "player", *((f"as {role}", "share") for role in ROLES), "thesis")
    note = (
        "Scores against Random, a draw counting half, with 95% intervals and the number of matches. Bold: proved to be more "
        "than Random itself scores in that seat."
    )
    return Sheet("intelligence", "Intelligence: against Random", note, heads, tuple(rows))


def _wins(rate: Rate | None, *, better: bool) -> Share | None:
    return None if rate is None else Share(rate.mean, rate.count, better)


def _generality_sheet(measured: Measured) -> Sheet:
    found = [bias for player in measured.players if (bias := measured.bias(MAIN, player))]
    rows = [_generality_row(each) for each in ([THESIS] if found else []) + found]
    heads = columns("player", ("matches", "count"), ("attacker's part", "percent"), ("95% from", "percent"),
                    ("95% to", "percent"), ("drawn", "percent"), ("p", "p"), "better role")  # fmt: skip
    note = "A draw counts half. p as above. The better role is named where it is proved."
    return Sheet("generality", "Generality: 13x13 hnefatafl, against itself", note, heads, tuple(rows))


def _generality_row(each: Bias) -> tuple[object, ...]:
    drawn = (each.matches - each.attacker - each.defender) / each.matches
    sure = each.p if each is THESIS else each.adjusted
    better = "-" if each is THESIS else each.towards or "-"
    return (each.player, each.matches, each.share, *each.interval, drawn, sure, better)


def _matrix(measured: Measured, name: str, title: str, note: str) -> Sheet:
    rows = []
    for game in measured.games:
        cells = []
        for player in measured.players:
            bias = measured.bias(game, player)
            cells.append(None if bias is None else Share(bias.share, bias.matches, bool(bias.towards)))
        rows.append((game, *cells))
    note += " In brackets: the 95% interval after Wilson, and the number of matches. Bold: more or less than half, after Holm's"
    note += " correction."
    return Sheet(name, title, note, matrix("game", measured.players, "share"), tuple(rows))


def _turns_sheet(measured: Measured) -> Sheet:
    results, moves = measured.results, measured.moves
    rows = []
    for player in measured.players:
        late, illegal, crashes = (
            int(column[_is(results.agent, player)].sum())
            for column in (results.timeouts, results.illegal, results.crashes)
        )
        seconds = np.sort(moves.seconds[_is(moves.agent, player)])
        if len(seconds):
            over = float(np.mean(seconds > measured.clock + 0.02))
            times = (float(np.quantile(seconds, 0.5)), float(np.quantile(seconds, 0.99)), float(seconds[-1]))
            rows.append((player, len(seconds), *times, over, late, illegal, crashes))
    heads = columns("player", ("turns", "count"), ("median s", "seconds"), ("99% within s", "seconds"),
                    ("longest s", "seconds"), ("20 ms over the clock", "percent"), ("timeouts", "count"),
                    ("illegal", "count"), ("crashes", "count"))  # fmt: skip
    note = (
        f"The play clock was {measured.clock:g} s. Turns with a single legal move are left out. A timeout is a move that came "
        "more than 0.25 s late and was replaced by a random one."
    )
    return Sheet("turns", "Turn durations and faults", note, heads, tuple(rows))


def _games_sheet(measured: Measured) -> Sheet:
    results, moves = measured.results, measured.moves
    rows = []
    for game in measured.games:
        times = (1000 * stretch(measured.random_turns.get(game, np.zeros(0)), *part) for part in STRETCHES.values())
        searched = _is(moves.game, game) & ~_is(moves.agent, RANDOM)
        late = int(results.timeouts[_is(results.game, game)].sum())
        rows.append((game, GAMES[game], *times, int(searched.sum()), late))
    heads = columns("game", "turn durations in the thesis", *((f"ms, turns {name}", "seconds") for name in STRETCHES),
                    ("turns with search", "count"), ("timeouts", "count"))  # fmt: skip
    note = "Milliseconds of processor time: a whole turn of the random player here, position to position, by part of the match."
    return Sheet("games", "All games", note, heads, tuple(rows))


def turns_figure(measured: Measured) -> Figure:
    """Draw how long turns take as the match goes on, here and in the thesis."""
    figure = Figure(figsize=(8, 4.2), layout="constrained")
    axes = figure.add_subplot()
    random = measured.random_turns.get(MAIN, np.zeros(0))
    if len(random):
        width = 25
        firsts = range(0, len(random), width)
        means = [stretch(random, first, first + width) for first in firsts]
        axes.plot(
            [first + width / 2 for first in firsts],
            means,
            color=BLACK,
            linewidth=2,
            label="random, whole turn (processor time)",
        )
    main = measured.moves.where(_is(measured.moves.game, MAIN))
    searchers = [pace for pace in paces(main) if pace.agent != RANDOM] if len(main) else []
    for pace, colour, dashes in zip(searchers, _COLOURS, ("-", "--", "-.", ":") * 2, strict=False):
        axes.plot(pace.ply, pace.median, dashes, color=colour, linewidth=2, label=f"{pace.agent}, median")
    axes.plot([300], [15], "*", color=RED, markersize=14, label="thesis: Random, around turn 300")
    axes.plot([700, 800], [2, 3], "D", color=ORANGE, label="thesis: Random, without history")
    axes.axhline(FULL_SCALE.seconds, color=GREY, linestyle="--", label="play clock of the thesis")
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set(xlabel="turn", ylabel="seconds per turn", xlim=(0, 850))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(color=GRID)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    return figure


def intelligence_figure(measured: Measured) -> Figure:
    """Draw what every player wins against Random in both roles, game by game."""
    games, players = _shown(measured), [player for player in measured.players if player != RANDOM]
    figure = Figure(figsize=(2.7 * len(games) + 1.6, 0.5 * len(players) + 1.9), layout="constrained")
    grid = figure.subplots(1, len(games), sharey=True, squeeze=False)[0]
    seats = ((-0.12, ATTACKER, RED, "o"), (0.12, ROLES[1], BLUE, "s"))
    for _, role, colour, marker in seats:
        grid[0].plot([], [], marker, color=colour, label=f"as {role}")  # for the legend, whatever was played
    for axes, game in zip(grid, games, strict=True):
        for shift, role, colour, marker in seats:
            if own := measured.bias(game, RANDOM):
                itself = own.share if role == ATTACKER else 1 - own.share
                axes.axvline(itself, color=colour, linestyle=":", linewidth=1.5)
            for row, player in enumerate(players):
                if rate := measured.against_random.get((game, player, role)):
                    reach = [[rate.mean - rate.low], [rate.high - rate.mean]]
                    axes.errorbar([rate.mean], [row + shift], xerr=reach, fmt=marker, color=colour, capsize=3)
        _shares(axes, game, players)
    figure.legend(loc="outside upper center", ncols=2, frameon=False)
    figure.supxlabel(
        "wins against Random, with 95 % intervals (dotted: what Random itself wins in that seat)", fontsize=10
    )
    return figure


def generality_figure(measured: Measured) -> Figure:
    """Draw what the attacker wins when players meet themselves, game by game."""
    games, players = _shown(measured), measured.players
    figure = Figure(figsize=(2.7 * len(games) + 1.6, 0.5 * len(players) + 1.9), layout="constrained")
    grid = figure.subplots(1, len(games), sharey=True, squeeze=False)[0]
    for axes, game in zip(grid, games, strict=True):
        for row, player in enumerate(players):
            if bias := measured.bias(game, player):
                low, high = bias.interval
                colour, marker = (RED, "D") if bias.towards else (BLUE, "o")
                reach = [[bias.share - low], [high - bias.share]]
                axes.errorbar([bias.share], [row], xerr=reach, fmt=marker, color=colour, capsize=3)
        if game == MAIN and RANDOM in players:
            low, high = THESIS.interval
            reach = [[THESIS.share - low], [high - THESIS.share]]
            below = players.index(RANDOM) + 0.25
            axes.errorbar(
                [THESIS.share], [below], xerr=reach, fmt="*", color=GREY, capsize=3, label="thesis, 10 matches"
            )
        _shares(axes, game, players)
    if MAIN in games and RANDOM in players:
        figure.legend(loc="outside upper center", frameon=False)
    figure.supxlabel("the attacker's part of the wins, with 95 % intervals (red: not half)", fontsize=10)
    return figure


def _shown(measured: Measured) -> list[str]:
    """Choose the games of the figures: the main one and the smaller relatives, as far as they were played."""
    return [game for game in (MAIN, "tablut", "brandubh") if game in measured.games] or measured.games[:1]


def _shares(axes: Axes, game: str, players: Sequence[str]) -> None:
    axes.set_title(game, fontsize=10)
    axes.axvline(0.5, color=GREY, linestyle="--", linewidth=1)
    axes.set_yticks(range(len(players)), players)
    axes.set_ylim(len(players) - 0.4, -0.6)
    axes.set_xlim(-0.04, 1.04)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(axis="x", color=GRID)
    axes.set_ylabel("player")


def _is(labels: Labels, name: str) -> NDArray[np.bool_]:
    code = labels.names.index(name) if name in labels.names else -1
    return np.asarray(labels.codes == code)
