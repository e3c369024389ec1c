"""How the study of Rinascimento tells what it found: an answer in sentences, tables, and a figure."""

from __future__ import annotations

from collections.abc import Iterator

from ludarium.arena.extras import needs
from ludarium.arena.report.figures import Drawing
from ludarium.arena.report.palette import BLUE, GREEN, GREY, GRID, ORANGE, RED
from ludarium.arena.report.sheets import Share, Sheet, columns
from ludarium.studies.rinascimento.results import RULES, Measured, Tally
from ludarium.studies.rinascimento.study import OSLA, OURS, PLAYERS, PUBLISHED, RND

with needs("report"):
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

PAPER_WINS = {("BMRH*", OSLA): 0.924, ("SRH*", OSLA): 0.882, ("MCTS*", OSLA): 0.918}
"""Against three OSLA, 1000 games each (section IX A)."""

PAPER_FINAL = {"BMRH*": 0.3767, "MCTS*": 0.3567, "SRH*": 0.2509, OSLA: 0.0018}
"""10,000 games of four (section IX C); 1.39 % were stalemates, and what that leaves is what OSLA won."""

PAPER_DUELS = {
    ("MCTS*", "BMRH*"): (0.523, 0.475, 0.002),
    ("SRH*", "BMRH*"): (0.402, 0.595, 0.003),
    ("SRH*", "MCTS*"): (0.398, 0.593, 0.016),
}
"""Games for two (table VIII): wins of the first, of the second, and stalemates."""

PAPER_RANDOM = ("paper", 1000, 140.86, 21.35, 29, 183, Share(0.141, 1000), None)
BAR = 0.85


def answer(measured: Measured, *, challenges: bool = True) -> Iterator[str]:
    """Say in sentences what was found, the most important first; what contests tell better may be left out."""
    if challenges:
        yield from _told_challenges(measured)
    for fourth in (OSLA, RND):
        if finals := measured.finals(fourth):
            told = ", ".join(f"{player} {tally.share:.1%}" for player, tally in finals.items())
            yield f"Final of four with {fourth}, {next(iter(finals.values())).games:,} games: {told}."
    for rules, found_random in measured.surveys.items():
        yield (
            f"Random games of four by the {rules}: {found_random.mean:.1f} turns on average, deviation "
            f"{found_random.deviation:.1f}, {found_random.stale:.1%} stalemates."
        )


def _told_challenges(measured: Measured) -> Iterator[str]:
    challenges = measured.challenges()
    calls = " and ".join(f"{count:,}" for count in measured.calls)
    if (weak := challenges.get((OSLA, RND))) is not None:
        yield f"Looking one step ahead wins {_wins(weak)} against three random players, at {calls} forward calls a move."
    for players, words in ((PUBLISHED, "as published, judging by points"), (OURS, "judging by the whole engine")):
        found = [f"{player} {_wins(challenges[player, OSLA])}" for player in players if (player, OSLA) in challenges]
        if found:
            yield f"Planners {words}, against three OSLA: {'; '.join(found)}."
    against = [f"{player} {_wins(challenges[player, RND])}" for player in PUBLISHED if (player, RND) in challenges]
    if against:
        yield (
            f"The same planners as published, against three RND: {'; '.join(against)}. The released code of OSLA draws one "
            "action and judges it again and again, so that it plays as RND does."
        )


def sheets(measured: Measured) -> Iterator[Sheet]:
    """Make the tables."""
    yield _random_sheet(measured)
    yield _challenge_sheet(measured)
    yield _final_sheet(measured)
    yield _duel_sheet(measured)


def drawings(measured: Measured) -> Iterator[Drawing]:
    """Make the figures; none before a challenge was played."""
    if measured.challenges():
        yield Drawing("wins", "One against three", "The table has the numbers", lambda: challenge_figure(measured))


def challenge_figure(measured: Measured) -> Figure:
    """Draw what every player won against three others, with the paper's figures beside them."""
    challenges = measured.challenges()
    figure = Figure(figsize=(8, 0.4 * len(challenges) + 1.4), layout="constrained")
    axes = figure.add_subplot()
    for row, ((player, others), tally) in enumerate(challenges.items()):
        low, high = tally.interval
        colour, marker = (GREEN, "s") if player in OURS else (BLUE, "o")
        reach = [[max(0.0, tally.share - low)], [max(0.0, high - tally.share)]]
        axes.errorbar([tally.share], [row], xerr=reach, fmt=marker, color=colour, capsize=3)
        if (player, others) in PAPER_WINS:
            axes.plot([PAPER_WINS[player, others]], [row], "*", color=RED, markersize=10)
    axes.axvline(0.25, color=GREY, linestyle="--", linewidth=1, label="chance")
    axes.axvline(BAR, color=ORANGE, linestyle=":", linewidth=1, label=f"{BAR:.0%}")
    for colour, marker, label in ((BLUE, "o", "players of the paper"), (GREEN, "s", "others"), (RED, "*", "the paper")):
        axes.plot([], [], marker, color=colour, label=label)
    axes.set_yticks(
        range(len(challenges)), [f"{_brief(player)} against three {others}" for player, others in challenges]
    )
    axes.set_ylim(len(challenges) - 0.4, -0.6)
    axes.set_xlim(0, 1.02)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(axis="x", color=GRID)
    axes.set(xlabel="games won, with 95 % intervals", ylabel="player")
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    return figure


def _brief(player: str) -> str:
    """Name a player that is not of the study without its parameters."""
    return player.partition("(")[0]


def _wins(tally: Tally) -> str:
    low, high = tally.interval
    return f"{tally.share:.1%} ({100 * low:.1f} to {100 * high:.1f}, {tally.games:,} games)"


def _random_sheet(measured: Measured) -> Sheet:
    rows: list[tuple[object, ...]] = [PAPER_RANDOM] if measured.surveys else []
    for rules, found in measured.surveys.items():
        rows.append((RULES[rules], found.games, found.mean, found.deviation, found.shortest, found.longest,
                     Share(found.stale, found.games), found.advantage))  # fmt: skip
    heads = columns("rules", ("games", "count"), ("mean turns", "number"), ("deviation", "number"), ("min", "count"),
                    ("max", "count"), ("stalemates", "share"), ("first seat", "percent"))  # fmt: skip
    note = "First seat: by how much it wins more often than the others do on average. Seed 0."
    return Sheet("random", "Four random players", note, heads, tuple(rows))


def _challenge_sheet(measured: Measured) -> Sheet:
    rows = []
    for (player, others), tally in measured.challenges().items():
        row = (
            _brief(player),
            PLAYERS.get(player, player),
            f"three {others}",
            tally.games,
            tally.share,
            *tally.interval,
        )
        rows.append((*row, tally.stale / tally.games, tally.plies / tally.games, PAPER_WINS.get((player, others))))
    heads = columns("player", "agent", "against", ("games", "count"), ("won", "percent"), ("95% from", "percent"),
                    ("95% to", "percent"), ("stalemates", "percent"), ("turns", "points"),
                    ("paper", "percent"))  # fmt: skip
    note = "As many games in each seat. Intervals after Wilson. The others of three are all of the same kind; chance is 25%."
    return Sheet("challenges", "One against three", note, heads, tuple(rows))


def _final_sheet(measured: Measured) -> Sheet:
    rows = []
    for fourth in (OSLA, RND):
        for player, tally in measured.finals(fourth).items():
            stale, paper = tally.stale / tally.games, PAPER_FINAL.get(player) if fourth == OSLA else None
            rows.append((fourth, player, tally.games, tally.share, *tally.interval, stale, paper))
    heads = columns("fourth", "player", ("games", "count"), ("won", "percent"), ("95% from", "percent"), ("95% to", "percent"),
                    ("stalemates", "percent"), ("paper", "percent"))  # fmt: skip
    note = "All orders of seats take turns. In the paper 1.39% were stalemates; what OSLA won is what that leaves."
    return Sheet("final", "The final of four", note, heads, tuple(rows))


def _duel_sheet(measured: Measured) -> Sheet:
    duels = measured.duels()
    rows = []
    for (one, other), paper in PAPER_DUELS.items():
        if (one, other) in duels:
            mine, theirs = duels[one, other], duels[other, one]
            stale = mine.stale / mine.games
            rows.append((f"{one} vs {other}", mine.games, mine.share, *mine.interval, theirs.share, stale, *paper))
    heads = columns("P1 vs P2", ("games", "count"), ("P1 won", "percent"), ("95% from", "percent"),
                    ("95% to", "percent"), ("P2 won", "percent"), ("stalemates", "percent"), ("paper: P1", "percent"),
                    ("paper: P2", "percent"), ("paper: stalemates", "percent"))  # fmt: skip
    note = "Each sits first in half of the games. A win that is shared counts for both."
    return Sheet("duels", "Games for two", note, heads, tuple(rows))
