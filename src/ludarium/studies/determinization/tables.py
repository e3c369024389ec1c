"""How the study of determinization tells what it found: an answer in sentences, and tables beside the published numbers."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from ludarium.arena.report.sheets import Share, Sheet, columns
from ludarium.studies.determinization.results import Measured, Tally
from ludarium.studies.determinization.study import (
    FLAT,
    ISMCTS,
    MAIN,
    MAST,
    OSLA,
    OURS,
    RANDOM,
    RMHC,
    STRATEGIES,
    UCT,
)

PAPER_TAG = {
    "random": {RANDOM: 0.44, OSLA: 0.53, RMHC: 0.53, ISMCTS: 0.49, MAST: 0.50},
    "constraint": {RANDOM: 0.02, OSLA: 0.87, RMHC: 0.87, ISMCTS: 0.37, MAST: 0.38},
    "heatmap": {RANDOM: 0.02, OSLA: 0.87, RMHC: 0.87, ISMCTS: 0.37, MAST: 0.37},
}
"""Table 3.1: games won, 200 per pair, one second a move, rounded."""

PAPER_NATIVE = {MAST: 0.998, UCT: 0.585, FLAT: 0.412, RANDOM: 0.005}
"""Section 6.2: Ludii's players as they are, one second a move."""

PAPER_DET = {f"{OSLA}+Det": 0.875, f"{MAST}+Det": 0.775, f"{UCT}+Det": 0.464, f"{FLAT}+Det": 0.364, RANDOM: 0.023}
"""Section 6.3: with imagined states."""

_SHARE = (("games", "count"), ("won", "percent"), ("95% from", "percent"), ("95% to", "percent"))

_BRACKETS = " In brackets: the 95% interval after Wilson, and the number of games."


def answer(measured: Measured) -> Iterator[str]:
    """Say in sentences what was found, the most important first."""
    totals = {name: measured.total(name) for name in MAIN}
    if found := totals["random"]:
        low, high = min(found.values(), key=_share), max(found.values(), key=_share)
        yield (
            f"States that ignore what was seen: all players win between {low.share:.1%} and {high.share:.1%} "
            f"({min(tally.games for tally in found.values()):,} games each or more); in the paper 44 to 53%."
        )
    for name in ("constraint", "heatmap"):
        if found := totals[name]:
            told = ", ".join(f"{player} {tally.share:.1%}" for player, tally in found.items())
            paper = ", ".join(f"{share:.0%}" for share in PAPER_TAG[name].values())
            yield f"States that agree with what was seen ({name}): {told}; in the paper {paper}."
    weak = [tally for (_, other), tally in measured.against("native").items() if other == RANDOM]
    if weak:
        games = sum((tally for tally in weak), Tally())
        yield f"Players that see everything win {wins(games)} against Random."
    for (one, other), tally in measured.against("cheats").items():
        if not one.endswith("+Det"):
            yield f"{one} that sees everything wins {wins(tally)} against {other}, the same player with imagined states."
    for (one, other), tally in measured.against("ours").items():
        if one == OURS:
            yield f"{OURS}, which shoots where most of 2,000 imagined fleets lie, wins {wins(tally)} against {other}."


def sheets(measured: Measured) -> Iterator[Sheet]:
    """Make the tables."""
    yield _strategy_sheet(measured)
    yield _heatmap_sheet(measured)
    for name in MAIN:
        yield meeting_sheet(measured, name, f"Who beats whom: {name} determinization")
    yield _budget_sheet(measured)
    yield _margin_sheet(measured)
    yield _copy_sheet(measured)
    yield _call_sheet(measured)
    for name, title, paper in (
        ("native", "Players that see everything", PAPER_NATIVE),
        ("determinized", "Players with imagined states", PAPER_DET),
    ):
        yield _total_sheet(measured, name, title, paper)
        yield meeting_sheet(measured, name, f"Who beats whom: {title.lower()}")
    yield _pair_sheet(measured, "cheats", "What seeing everything is worth")
    yield _pair_sheet(measured, "ours", "A better shot")


def _share(tally: Tally) -> float:
    return tally.share


def wins(tally: Tally) -> str:
    """Write a share of games won with its interval and their number."""
    low, high = tally.interval
    return f"{tally.share:.1%} ({100 * low:.1f} to {100 * high:.1f}, {tally.games:,} games)"


def _strategy_sheet(measured: Measured) -> Sheet:
    totals = {name: measured.total(name) for name in MAIN}
    rows = []
    for player in PAPER_TAG["random"]:
        row: list[object] = [player]
        for name in MAIN:
            tally = totals[name].get(player)
            row += [tally.shown if tally else None, PAPER_TAG[name][player]]
        rows.append(tuple(row))
    heads = columns("player", *(head for name in MAIN for head in ((name, "share"), ("paper", "percent"))))
    note = (
        f"Games won against the other four, by the way in which states are imagined; {measured.scale.limit()} a move."
    )
    note += _BRACKETS
    return Sheet("strategies", "Three ways to imagine states (table 3.1)", note, heads, tuple(rows))


def _heatmap_sheet(measured: Measured) -> Sheet:
    names = ("heatmap-10", "heatmap-50", "heatmap")
    totals = {name: measured.total(name) for name in names}
    rows = []
    for player in PAPER_TAG["heatmap"]:
        tallies = [totals[name].get(player) for name in names]
        rows.append((player, *(tally.shown if tally else None for tally in tallies)))
    heads = columns("player", ("10 layouts", "share"), ("50 layouts", "share"), ("100 layouts", "share"))
    note = "In the paper the number of layouts makes no difference: 87% for OSLA and RMHC, 37% for IS-MCTS and MAST."
    note += _BRACKETS
    return Sheet("heatmaps", "Heatmaps of 10, 50 and 100 layouts", note, heads, tuple(rows))


def meeting_sheet(measured: Measured, name: str, title: str) -> Sheet:
    """Make the table of who won how often against whom in a tournament."""
    met = measured.against(name)
    players = list(dict.fromkeys(one for one, _ in met))
    rows = [(one, *(met[one, other].shown if (one, other) in met else None for other in players)) for one in players]
    heads = columns("player", *((other, "share") for other in players))
    note = f"What the player of the row won against that of the column.{_BRACKETS}"
    return Sheet(f"meetings-{name}", title, note, heads, tuple(rows))


def _budget_sheet(measured: Measured) -> Sheet:
    rows = []
    for name in MAIN:
        totals = {budget: measured.total(measured.at(name, budget)) for budget in measured.budgets}
        for player in PAPER_TAG[name]:
            if any(player in found for found in totals.values()):
                shares = [found[player].shown if player in found else None for found in totals.values()]
                rows.append((name, player, *shares, PAPER_TAG[name][player]))
    heads = columns("states", "player", *((str(measured.scale.limit(each)), "share") for each in measured.budgets),
                    ("paper, all budgets", "percent"))  # fmt: skip
    note = "Both players of a match have the same budget. In the paper 0.1 to 5 seconds make no difference."
    note += _BRACKETS
    return Sheet("budgets", "More time (figure 3.7)", note, heads, tuple(rows))


def _margin_sheet(measured: Measured) -> Sheet:
    rows = []
    for name, found in measured.margins.items():
        left = sorted(found.elements())
        far = Share(sum(each >= 5 for each in left) / len(left), len(left))
        close = Share(sum(each == 1 for each in left) / len(left), len(left))
        rows.append((name, len(left), fmean(left), left[len(left) // 2], close, far))
    heads = columns("states", ("matches", "count"), ("mean", "number"), ("median", "count"), ("1 cell", "share"),
                    ("5 cells or more", "share"))  # fmt: skip
    note = "Cells of the winner's fleet that were not hit at the end; the loser's fleet is gone. In the paper most matches "
    note += f"with random states end with a difference of 1, and with other states many with 5 or more.{_BRACKETS}"
    return Sheet("margins", "How clear the wins are (figure 3.8)", note, heads, tuple(rows))


def _copy_sheet(measured: Measured) -> Sheet:
    rows = [(STRATEGIES[each.strategy], each.shots, each.microseconds, 1e6 / each.microseconds, each.attempts,
             each.consistent, each.fallbacks) for each in measured.copies]  # fmt: skip
    heads = columns("determinizer", ("shots", "count"), ("µs per copy", "number"), ("copies/s", "points"),
                    ("ships tried per copy", "number"), ("consistent", "percent"), ("fallbacks", "count"))  # fmt: skip
    note = "CPU time of 512 copies for a position after random shots, what is worked out once included. The paper's "
    note += "heatmaps take about 55% longer per copy than its constraints, and its fallbacks are few but not none."
    return Sheet("copies", "What a copy costs (figure 3.9)", note, heads, tuple(rows))


def _call_sheet(measured: Measured) -> Sheet:
    names = [name for name in STRATEGIES if any(each == name for each, _ in measured.calls)]
    players = list(dict.fromkeys(player for _, player in measured.calls))
    rows = [(player, *(measured.calls.get((name, player)) for name in names)) for player in players]
    heads = columns("player", *((name, "points") for name in names))
    note = (
        f"Forward calls per match, at {measured.scale.limit()} a move, on average over the games of the tables above."
    )
    return Sheet("calls", "Forward calls (figure 3.9)", note, heads, tuple(rows))


def _total_sheet(measured: Measured, name: str, title: str, paper: dict[str, float]) -> Sheet:
    totals, met = measured.total(name), measured.against(name)
    rows = []
    for player, tally in sorted(totals.items(), key=lambda item: -item[1].share):
        weak = met.get((player, RANDOM))
        rows.append(
            (player, tally.games, tally.share, *tally.interval, paper.get(player), weak.shown if weak else None)
        )
    heads = columns("player", *_SHARE, ("paper", "percent"), ("against Random", "share"))
    return Sheet(name, title, f"Intervals after Wilson; {measured.scale.ludii_limit()} a move.", heads, tuple(rows))


def _pair_sheet(measured: Measured, name: str, title: str) -> Sheet:
    rows = []
    held = measured.played.get(name)
    for one, other in held.pairs if held else ():
        if tally := measured.against(name).get((one, other)):
            rows.append((one, other, tally.games, tally.share, *tally.interval, measured.shots.get(one)))
    heads = columns("player", "against", *_SHARE, ("shots in games won, median", "number"))
    note = f"Each sits first in half of the games; {held.limit if held else ''} a move. Intervals after Wilson."
    return Sheet(name, title, note, heads, tuple(rows))
